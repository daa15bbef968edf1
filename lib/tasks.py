"""A piece of work as joblib deals it out: to this process, to others, or to a cluster."""

from collections.abc import Callable
from functools import partial
from typing import Any

from joblib import delayed


def task(function: Callable, *arguments: Any) -> Any:
    """Return a task for ``joblib.Parallel`` that carries its own data.

    Dask keeps large arguments of joblib's tasks with one worker, and cannot go on when that worker
    dies; data within the function itself come along with it.

    Examples
    --------
    >>> from joblib import Parallel
    >>> Parallel()(task(pow, 2, exponent) for exponent in range(4))
    [1, 2, 4, 8]
    """
    return delayed(partial(function, *arguments))()
