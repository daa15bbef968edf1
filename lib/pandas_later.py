"""pandas, imported when a table is first asked for: to score a small run takes less than that.

A file says ``from lib import pandas_later as pd``, and its annotations are not evaluated.
"""

from typing import Any


def __getattr__(name: str) -> Any:
    """Return what pandas has of a name."""
    import pandas

    return getattr(pandas, name)
