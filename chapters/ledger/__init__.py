"""The ledger: what the papers and we claim, what it rests on, and what came out.

``published`` has what was printed, ``claims`` and ``paper`` how it is checked, ``rows`` the ledger,
``registry`` the claims on other collections, ``deciding`` their words, ``page`` how all is read.
"""

from functools import cache

from lib.paths import about


@cache
def paper_names() -> tuple[str, ...]:
    """Return the names of the papers, in the order of the book.

    >>> paper_names()[0]
    'webber2008'
    """
    return tuple(resource["name"] for resource in about("published")["resources"])
