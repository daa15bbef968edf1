"""The small library behind the book *Measuring the Measures*.

Data flow in one direction, each folder using those above it only::

    originals                  where public runs, judgements and texts come from
    collection                 runs + qrels -> relevance at rank
    measures                   a collection -> scores (topics x systems)
    retrieval                  texts -> runs of one's own
    statistics                 scores -> what the papers ask of them
    display                    numbers -> tables, figures, controls
    papers                     what each paper printed, computed again

What is used most stands here too; it is imported when it is first asked for, so that a command
loads no more than it needs.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

# The matrices here are small: one BLAS thread is as fast as several, and its timing is steadier.
# This must stand before numpy is imported; a reader's own setting wins.
for _variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

if TYPE_CHECKING:
    from lib.collection import Collection, load
    from lib.errors import InputError
    from lib.measures import Measure, evaluate, means, scores

__all__ = ["Collection", "InputError", "Measure", "evaluate", "load", "means", "scores"]
__version__ = "0.1.0"

_HOMES = {
    "Collection": "lib.collection",
    "InputError": "lib.errors",
    "Measure": "lib.measures",
    "evaluate": "lib.measures",
    "load": "lib.collection",
    "means": "lib.measures",
    "scores": "lib.measures",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
