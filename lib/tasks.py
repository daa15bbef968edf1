"""A piece of work as joblib deals it out: to this process, to others, or to a cluster."""

import sys
from collections.abc import Callable, Generator, Iterable
from functools import partial
from typing import Any

_SOON = 2  # seconds without a line of progress


def task(function: Callable, *arguments: Any) -> Any:
    """Return a task for ``joblib.Parallel`` that carries its own data, as ``delayed`` would.

    Dask keeps large arguments of joblib's tasks with one worker, and cannot go on when that worker
    dies; data within the function itself come along with it.

    Examples
    --------
    >>> from joblib import Parallel
    >>> Parallel()(task(pow, 2, exponent) for exponent in range(4))
    [1, 2, 4, 8]
    """
    return partial(function, *arguments), (), {}


def results(tasks: Iterable[Any], jobs: int | None = None) -> Generator[Any]:
    """Return what becomes of tasks, in their order, so many at a time.

    One at a time needs no joblib, whose import is slow, unless it is there already: its
    ``parallel_config`` may ask for more.

    >>> [*results(task(pow, 2, exponent) for exponent in range(4))]
    [1, 2, 4, 8]
    """
    if jobs in (None, 1) and "joblib" not in sys.modules:
        return (function(*given, **named) for function, given, named in tasks)
    from joblib import Parallel

    done: Generator[Any] = Parallel(n_jobs=jobs, return_as="generator")(tasks)
    return done


def progress(work: Iterable[Any], what: str, total: int | None = None) -> Iterable[Any]:
    """Return some work that says on a terminal how far it is, once it has taken two seconds."""
    if sys.stderr is None or not sys.stderr.isatty():
        return work
    from tqdm import tqdm

    return tqdm(work, total=total, desc=f"{what}s", unit=what, delay=_SOON)
