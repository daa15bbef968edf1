"""Every table and figure of the papers from one collection, and what it can tell: one page.

``report`` computes it; the rest is how: ``opening`` what was asked and what the collection is,
``told`` which runs it tells apart, ``places`` the papers' tables and figures with ``intervals``
over topics, ``beside`` a second judge and other collections, ``spending`` what other judgements
would buy, ``sheet`` the files of each table and figure, ``document`` the HTML.
"""

from lib.reporting.page import Report, made, report

__all__ = ["Report", "made", "report"]
