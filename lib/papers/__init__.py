"""The papers that the book re-runs, a folder each; its face has a :class:`lib.paper.Paper`.

A folder holds ``tables`` (one function a published table or figure), ``drawings``, ``claims`` (what
the paper says, a row each) and what is the paper's own.  Where a table or figure is not defined on
a collection (too few topics, say), its function raises a ValueError that says why in one line.

A new paper is a folder here and a resource of ``data/published``; nothing else names it.
"""

from importlib import import_module

from lib.paper import Paper
from lib.published import names

__all__ = ["paper", "papers"]


def paper(name: str) -> Paper:
    """Return a paper by the name of its folder.

    >>> paper("webber2008").title
    'Webber, Moffat, Zobel and Sakai 2008'
    """
    if name not in names():
        raise ValueError(f"no paper {name!r}; the book has {', '.join(names())}")
    return import_module(f"lib.papers.{name}").PAPER


def papers() -> dict[str, Paper]:
    """Return all papers in the order of the book: name to paper."""
    return {name: paper(name) for name in names()}
