"""The papers that the book re-runs, a folder and a :class:`chapters.ledger.paper.Paper` each.

A folder holds ``tables`` (one function a published table or figure), ``drawings``, ``claims`` (what
the paper says, a row each), perhaps ``quantities`` (what these ask of a collection) and what is the
paper's own.  If a table or figure is not defined on a collection (too few topics, say), its
function raises a ValueError that says why in one line.

A new paper is a folder here and a resource of ``data/published``; nothing else names it.
"""

from collections.abc import Iterable
from importlib import import_module

import pandas as pd

from chapters.ledger import paper_names
from chapters.ledger.paper import Paper
from lib.errors import InputError
from lib.tasks import progress


def paper(name: str) -> Paper:
    """Return a paper by the name of its folder.

    >>> paper("webber2008").title
    'Webber, Moffat, Zobel and Sakai 2008'
    """
    if name not in paper_names():
        raise InputError(f"no paper {name!r}; the book has {', '.join(paper_names())}")
    return import_module(f"..{name}", __package__).PAPER


def papers() -> dict[str, Paper]:
    """Return all papers in the order of the book: name to paper."""
    return {name: paper(name) for name in paper_names()}


def ledger(names: Iterable[str] | None = None) -> pd.DataFrame:
    """Compute the rows of the ledger (:mod:`chapters.ledger.rows`), by default of all papers."""
    every = [(one, one.checks) for one in map(paper, names or papers())]  # refused before computed
    work = progress(every, "paper")
    return pd.concat([one.ledger() for one, _ in work], ignore_index=True)
