"""The report: every table and figure of the papers from one collection, and what it can tell.

``page`` has ``report.ipynb`` executed for a collection and writes it as a page; the cells of that
notebook call ``sections``.
"""
