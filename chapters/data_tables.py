"""The tables of the studies as they are committed below ``data``: read, and written anew."""

import json

import pandas as pd

from lib.paths import DATA


def read(folder: str, name: str) -> pd.DataFrame:
    """Return a table that ``data/<folder>/make.py`` made: ``name.csv``, or another file.

    Examples
    --------
    >>> table = read("spending", "losses").set_index(["collection", "kind", "depth", "measure"])
    >>> table.loc[("trec8", "automatic", 100, "AP"), "share"].round(4)
    np.float64(0.0014)
    """
    if name.endswith(".parquet"):
        return pd.read_parquet(DATA / folder / name)
    return pd.read_csv(DATA / folder / f"{name}.csv")


def claims_everywhere() -> pd.DataFrame:
    """Return the claims of chapter 5 along every analysis path on every collection.

    Its columns are those of :func:`chapters.elsewhere.engine.ask`.
    """
    return read("multiverse", "estimates.parquet")


def write(folder: str, name: str, table: pd.DataFrame) -> None:
    """Write a table anew, and state in datapackage.json how long it is, and its hashes."""
    # Here: who only reads waits for no engine.
    from lib.collection.package import as_json, table_facts

    statement = DATA / folder / "datapackage.json"
    package = json.loads(statement.read_text(encoding="utf-8"))
    (entry,) = (part for part in package["resources"] if part["name"] == name)
    path = DATA / folder / entry["path"]
    if path.suffix == ".parquet":
        keys = list(table.select_dtypes(exclude="float"))
        small = {"compression": "zstd", "compression_level": 19, "use_dictionary": keys}
        table.to_parquet(path, index=False, **small)
    else:
        table.to_csv(path, index=False, lineterminator="\n")
    entry |= table_facts(path, table)
    statement.write_text(as_json(package), encoding="utf-8")


def trusted() -> pd.DataFrame:
    """Say how far the intervals over topics may be trusted.

    Examples
    --------
    >>> trusted().loc[("robust04", "power"), "lowest"]
    np.float64(0.966)
    """
    table = read("coverage", "topic-error")
    table = table[table["method"] == "one"].assign(times=table["jackknife"] / table["deviation"])
    groups = table.groupby(["population", "quantity"], sort=False)
    covered = groups["coverage"].agg(lowest="min", highest="max")
    return covered.assign(error=groups["times"].max())
