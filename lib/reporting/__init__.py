"""Every table and figure of the papers from one collection, and what it can tell: one page.

``report`` computes it; the rest is how: ``opening`` what was asked and what the collection is,
``told`` which runs it tells apart, ``intervals`` over topics for the papers' tables, ``sheet`` the
files of each table and figure, ``page`` the HTML.
"""

from lib.reporting.page import Report, made, report

__all__ = ["Report", "made", "report"]
