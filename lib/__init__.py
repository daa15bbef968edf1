"""The small library behind the book *Measuring the Measures*.

Data flow in one direction::

    runs + qrels --collection--> Collection --measures--> scores --statistics--> tables of a paper
"""

import importlib
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lib.collection import Collection, load
    from lib.errors import InputError
    from lib.measures import Measure, evaluate, means, scores

# The matrices here are small: one BLAS thread is as fast as several, and its timing is steadier.
# This must stand before numpy is imported; a reader's own setting wins.
for _variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

__all__ = ["Collection", "InputError", "Measure", "evaluate", "load", "means", "scores"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Import what is asked for: ``python -m lib`` can so be interrupted from its first moment."""
    for module in ("lib.errors", "lib.collection", "lib.measures"):
        if name in __all__ and hasattr(found := importlib.import_module(module), name):
            return getattr(found, name)
    raise AttributeError(f"module 'lib' has no attribute {name!r}")
