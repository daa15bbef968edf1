"""A piece of work as joblib deals it out: to this process, to others, or to a cluster."""

import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import partial
from time import perf_counter
from typing import Any

_SOON = 2  # seconds without a line of progress
_BEGAN, _telling = perf_counter(), False


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
    """Return some work that says on a terminal how far it is, once the program took two seconds.

    It is one line, which goes with the end of the work; of work within work the outer one says it.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        return work
    return _told(work, what, total)


def _told(work: Iterable[Any], what: str, total: int | None) -> Iterator[Any]:
    global _telling
    if _telling:
        yield from work
        return
    from tqdm import tqdm

    _telling, wait = True, max(0.0, _SOON - (perf_counter() - _BEGAN))
    try:
        yield from tqdm(work, f"{what}s", total, leave=False, unit=what, delay=wait)
    finally:
        _telling = False
