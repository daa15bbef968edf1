"""The report: every table and figure of the papers from one collection, and what it can tell.

``page`` has ``lib/report.ipynb`` executed for a collection and writes it as a page; the cells of
that notebook call the other files.  ``pair`` is what the command ``compare`` says.
"""
