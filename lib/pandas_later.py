"""pandas, imported when a table is first asked for: to score a small run takes less than that.

A file says ``from lib import pandas_later as pd``, and its annotations are not evaluated.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what lib uses of it, with its types
    from pandas import NA as NA
    from pandas import DataFrame as DataFrame
    from pandas import Index as Index
    from pandas import Series as Series
    from pandas import array as array
    from pandas import concat as concat
    from pandas import read_csv as read_csv
    from pandas import read_parquet as read_parquet
else:

    def __getattr__(name: str) -> Any:
        """Return what pandas has of a name."""
        import pandas

        return getattr(pandas, name)
