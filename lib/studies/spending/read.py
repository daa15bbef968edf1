"""The tables of the study as they are committed: what needs whole lists, or minutes."""

import pandas as pd

from lib.paths import DATA

TABLES = ("losses", "runs", "ways", "turns", "needs", "backtest", "pilots", "curves")


def read(name: str) -> pd.DataFrame:
    """Return one of the tables that ``python -m lib spending`` made.

    Examples
    --------
    >>> table = read("losses").set_index(["collection", "kind", "depth", "measure"])
    >>> table.loc[("trec8", "automatic", 100, "AP"), "share"].round(4)
    np.float64(0.0014)
    """
    if name not in TABLES:
        raise ValueError(f"name must be one of {', '.join(TABLES)}, not {name!r}")
    return pd.read_csv(DATA / "spending" / f"{name}.csv", keep_default_na=True)
