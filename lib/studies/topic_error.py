"""Does the interval over topics hold the truth?  What ``data/coverage`` found where it is known."""

import pandas as pd

from lib.studies.committed import read


def trusted(method: str = "one") -> pd.DataFrame:
    """Say how far the intervals over topics may be trusted.

    Examples
    --------
    >>> trusted().loc[("robust04", "power"), "lowest"]
    np.float64(0.966)
    """
    table = read("coverage", "topic-error")
    table = table[table["method"] == method].assign(times=table["jackknife"] / table["deviation"])
    groups = table.groupby(["population", "quantity"], sort=False)
    return groups.agg(
        lowest=("coverage", "min"), highest=("coverage", "max"), error=("times", "max")
    )
