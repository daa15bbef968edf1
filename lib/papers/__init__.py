"""One module a paper, one function a published table or figure.

Each module offers, beside those functions:

``TABLES``
    Number of a table to the function that computes it from a Collection and returns cells.
``findings()``
    Everything the ledger needs: cells with the columns ``place``, ``row``, ``column``, ``value``,
    ``error``, and where a value is missing or differs ``status`` ("data not public") and ``cause``.
``ANCHORS``
    Place to the label of the heading in the book that computes it.
"""

from importlib import import_module

__all__ = ["PAPERS", "paper"]

PAPERS = {
    "webber2008": "Webber, Moffat, Zobel and Sakai 2008",
    "thom2007": "Thom and Scholer 2007",
    "tomlinson2006": "Tomlinson 2006",
    "webber2010": "Webber, Moffat and Zobel 2010",
}


def paper(name):
    """Return the module of a paper, or None while the book has none.

    >>> paper("webber2008").__name__
    'lib.papers.webber2008'
    """
    if name not in PAPERS:
        raise ValueError(f"no paper {name!r}; the book has {', '.join(PAPERS)}")
    try:
        return import_module(f"lib.papers.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"lib.papers.{name}":
            raise
        return None
