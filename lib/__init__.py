"""The small library behind the book *Measuring the Measures*.

Data flow in one direction::

    runs + qrels --collection--> Collection --measures--> scores --statistics--> tables of a paper
"""

import os

# The matrices here are small: one BLAS thread is as fast as several, and its timing is steadier.
# This must stand before numpy is imported; a reader's own setting wins.
for _variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

from lib.collection import Collection, load  # noqa: E402
from lib.errors import InputError  # noqa: E402
from lib.measures import Measure, evaluate, means, scores  # noqa: E402

__all__ = ["Collection", "InputError", "Measure", "evaluate", "load", "means", "scores"]
__version__ = "0.1.0"
