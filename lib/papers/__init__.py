"""One module a paper, one function a published table or figure.

Each module offers, beside those functions:

``TABLES``
    Number of a table to the function that computes it from a Collection and returns cells
    (``lib.published.cells``).  Without a collection (None) it computes the paper's own, or no cells
    when that is not public.  A function that needs to know which runs are one system without and
    with feedback has a keyword ``pairs``: a list of (system, base run, feedback run).
``CAPTIONS``
    Number of a table to what its cells are.
``DRAWINGS``
    Figures by their title, such as "Figure 1", to the function that draws it from a Collection and
    returns a ``lib.figures.Figure``, a ``lib.tables.Table`` or a list of these; it may have
    ``pairs`` too.
``SIZES``
    Number of a table to the (systems, topics) of the collection it was printed for, or a list of
    these: with another one there is nothing to reproduce.
``findings()``
    Everything the ledger needs: cells with the columns ``place``, ``row``, ``column``, ``value``,
    ``error``, and where a value is missing or differs ``status`` ("data not public") and ``cause``.
``ANCHORS``
    Place to the label of the heading in the book that computes it.

Where a table or figure is not defined on a collection (too few topics, say), its function raises a
ValueError that says why in one line.
"""

from importlib import import_module
from inspect import signature

from lib.errors import InputError, reason

__all__ = ["PAPERS", "compute", "paper"]

PAPERS = {
    "webber2008": "Webber, Moffat, Zobel and Sakai 2008",
    "thom2007": "Thom and Scholer 2007",
    "tomlinson2006": "Tomlinson 2006",
    "webber2010": "Webber, Moffat and Zobel 2010",
}


def paper(name):
    """Return the module of a paper.

    >>> paper("webber2008").__name__
    'lib.papers.webber2008'
    """
    if name not in PAPERS:
        raise ValueError(f"no paper {name!r}; the book has {', '.join(PAPERS)}")
    return import_module(f"lib.papers.{name}")


def compute(function, collection=None, *, pairs=None):
    """Call a function of ``TABLES`` or ``DRAWINGS``, with pairs if it takes them.

    Parameters
    ----------
    function : callable
    collection : Collection, optional
        By default the paper's own.
    pairs : list of (str, str, str), optional
        System, base run, feedback run, as :func:`lib.facts.read_pairs` returns them.

    Returns
    -------
    object
        What the function returns.

    Raises
    ------
    InputError
        Pairs are needed and not given; or the function is not defined on the collection.

    Examples
    --------
    >>> from lib import load
    >>> one = load("trec8").select(topics=["401"])
    >>> compute(paper("webber2008").TABLES["1"], one)
    Traceback (most recent call last):
        ...
    lib.errors.InputError: two disjoint sets of 0 topics cannot be drawn from 1
    """
    takes = "pairs" in signature(function).parameters
    if takes and collection is not None and pairs is None:
        raise InputError("no pairs given: a file must say which run is which system's with "
                         "feedback, and which without (--pairs FILE)")
    given = {"pairs": pairs} if takes and pairs is not None else {}
    try:
        return function(collection, **given)
    except ValueError as error:
        raise InputError(reason(error)) from error
