"""The book's chapters: beside each notebook stands the code that is its own.

Importing any of it sets one BLAS thread, if numpy is not imported yet and the user has set none.
"""

from lib.threads import one_thread

one_thread()
