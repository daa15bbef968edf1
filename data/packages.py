"""Write anew what each package of this folder says of its sources, its terms and its files.

    python data/packages.py

``sources.csv`` is the only place where a source and its terms stand, a row a source; ``packages``
names what rests on it: a folder, or FOLDER:TABLE where only rows of a table do.  From it come the
sources, rights and licences of each ``datapackage.json``, and the tables of DATA.md.  Written by
hand in a package are its title, description and fields, the keys between its tables, the command
that makes it, and who can make it ``again``.
"""

import chapters  # noqa: F401 isort: skip  Before numpy: it sets one BLAS thread.

import json
import tomllib
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from lib.collection.package import PROFILE, as_json, sha256, table_facts
from lib.display import markdown
from lib.originals import ORIGINS, SOURCES
from lib.originals.fetch import is_origin, origins
from lib.paths import DATA, ROOT

LICENCES = {
    "CC0-1.0": ("CC0 1.0 Universal", "https://creativecommons.org/publicdomain/zero/1.0/"),
    "CC-BY-SA-4.0": (
        "Creative Commons Attribution-ShareAlike 4.0 International",
        "https://creativecommons.org/licenses/by-sa/4.0/",
    ),
}
OURS = "CC0-1.0"
AGAIN = ("by anyone", "with NIST's runs", "by hand")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MADE = ("schema", "licenses")  # of a file, beside what is overwritten
STATEMENT = ROOT / "DATA.md"
ORDER = DATA / "order.csv"


def sources() -> pd.DataFrame:
    """Return the table of sources: all text, ``packages`` as a list."""
    table = pd.read_csv(DATA / "sources.csv", dtype=str, keep_default_na=False)
    return table.assign(packages=table["packages"].str.split())


def folders() -> list[str]:
    """Return the folders that hold a package; "." is the one of ``data`` itself."""
    return sorted(
        path.parent.relative_to(DATA).as_posix() for path in DATA.rglob("datapackage.json")
    )


def read(folder: str) -> dict[str, Any]:
    """Return what a package says of itself."""
    return json.loads((DATA / folder / "datapackage.json").read_text(encoding="utf-8"))


def parts(row: Any, folder: str) -> list[str]:
    """Return the tables of a package of which only some rows rest on a source."""
    return [part.partition(":")[2] for part in row.packages if part.startswith(f"{folder}:")]


def of(folder: str) -> Iterator[Any]:
    """Yield the sources of a package, as rows."""
    for row in sources().itertuples():
        if folder in row.packages or parts(row, folder):
            yield row


def described(folder: str) -> dict[str, Any]:
    """Return what a package says, with all that is made as the table of sources has it."""
    old, rows = read(folder), list(of(folder))
    again = old.get("again")
    if again not in AGAIN:
        raise SystemExit(f"{folder}: again is {again!r}, not one of {', '.join(AGAIN)}")
    made = {
        "profile": PROFILE,
        "name": old["name"],
        "id": f"{PROJECT['name']}/{folder}".removesuffix("/."),
        "version": PROJECT["version"],
        "sources": [source(row) for row in rows] or [{"title": "Written or computed for the book"}],
        "rights": rights(folder, rows),
        "licenses": licences(whole(folder, rows) or [OURS, *in_part(rows, folder)]),
    }
    entries = [file(folder, entry, rows) for entry in map(partial(formed, old), old["resources"])]
    return (
        made | {key: said for key, said in old.items() if key not in made} | {"resources": entries}
    )


def formed(package: dict[str, Any], entry: dict[str, Any]) -> dict[str, Any]:
    """Return an entry with its form: a new one, such as a paper's, has that of one beside it."""
    if "format" in entry:
        return entry
    suffix = Path(entry["path"]).suffix
    beside = [
        one for one in package["resources"] if one["path"].endswith(suffix) and "format" in one
    ]
    if not beside:
        raise SystemExit(f"{package['name']}: {entry['path']} has no format and no schema")
    text = json.dumps(beside[0]).replace(json.dumps(beside[0]["name"]), json.dumps(entry["name"]))
    return json.loads(text) | entry


def source(row: Any) -> dict[str, str]:
    """Return a source as a package names it."""
    title = f"{row.title}; from {row.by}. Taken: {row.taken}"
    found = {"title": title, "path": row.path, "commit": row.commit, "terms": row.terms}
    return {key: said for key, said in found.items() if said}


def whole(folder: str, rows: Iterable[Any]) -> list[str]:
    """Return the licences of a package's sources under which the package itself must be."""
    return sorted({row.licence for row in rows if row.licence and folder in row.packages})


def in_part(rows: Iterable[Any], folder: str, table: str | None = None) -> list[str]:
    """Return the licences under which some rows of a package, or of a table of it, must be."""
    asked = ((row.licence, parts(row, folder)) for row in rows if row.licence)
    return sorted({one for one, names in asked if (table in names if table else names)})


def licences(names: Iterable[str]) -> list[dict[str, str]]:
    """Return licences as a package names them."""
    return [{"name": one, "title": LICENCES[one][0], "path": LICENCES[one][1]} for one in names]


def rights(folder: str, rows: list[Any]) -> str:
    """Say what may be done with a package."""
    if whole(folder, rows):
        (row,) = rows
        return (
            f"By {row.by}, under {row.terms} So is this package. {row.may}. "
            "What we added is waived, CC0 1.0."
        )
    said = ["What rights we hold in this package we waive: CC0 1.0."]
    if rows:
        said.append("Its sources' rights are untouched; each source here has the terms it states.")
    for row in rows:
        if row.licence and (tables := parts(row, folder)):
            names = ", ".join(name for name in row.packages if ":" not in name)
            said.append(
                f"Rows of {', '.join(tables)} that rest on {names} are statistics of data under "
                f"{row.terms.rstrip('.')} (by Julián Urbano; see there), and are offered under it."
            )
    return " ".join(said)


def file(folder: str, entry: dict[str, Any], rows: list[Any]) -> dict[str, Any]:
    """Return what a package says of a file, with the file's length and hashes."""
    path = DATA / folder / entry["path"]
    schema = {"schema": {"missingValues": [""]} | entry["schema"]} if "schema" in entry else {}
    kept = {key: said for key, said in entry.items() if key not in MADE}
    if path.suffix == ".json":
        kept["hash"] = sha256(path.read_bytes())
    elif path.suffix == ".parquet":
        kept |= table_facts(path, pd.read_parquet(path))
    else:
        mark = "\t" if path.suffix == ".tsv" else ","
        kept |= table_facts(path, pd.read_csv(path, sep=mark, dtype=str, keep_default_na=False))
    if names := in_part(rows, folder, entry["name"]):
        kept["licenses"] = licences([OURS, *names])
    return kept | schema


# The tables of DATA.md.


def statement() -> str:
    """Return DATA.md with its tables made anew."""
    text = STATEMENT.read_text(encoding="utf-8")
    for name, rows in (
        ("packages", package_rows()),
        ("order", order_rows()),
        ("sources", source_rows()),
    ):
        text = markdown.with_part(text, name, "\n".join(rows))
    return text


def package_rows() -> list[str]:
    """Return a row a package."""
    rows = ["| folder | what it is | licence | rests on | made again |", "|---|---|---|---|---|"]
    for folder in folders():
        said = read(folder)
        names = " and, in part, ".join(one["name"] for one in said["licenses"])
        rests = ", ".join(row.source for row in of(folder)) or "nothing else"
        where = "data/" if folder == "." else f"data/{folder}/"
        rows.append(markdown.row([f"`{where}`", said["title"], names, rests, said["again"]]))
    return rows


def order_rows() -> list[str]:
    """Return a row a step of ``order.csv``."""
    rows = ["| makes | how | needs | minutes |", "|---|---|---|---:|"]
    for step in pd.read_csv(ORDER, dtype=str, keep_default_na=False).itertuples():
        makes = ", ".join(f"`{name}`" for name in step.makes.replace(".", "data").split())
        needs = step.needs or "what stands here"
        rows.append(markdown.row([makes, f"`{step.command}`", needs, step.minutes]))
    return rows


def source_rows() -> list[str]:
    """Return a row a source."""
    rows = [
        "| source | what, and from whom | taken | its terms | what may be done | who to ask |",
        "|---|---|---|---|---|---|",
    ]
    lists: dict[str, list[str]] = {}
    for name in SOURCES:
        for one in origins(name):
            lists.setdefault(one["source"], []).append(name)
    for row in sources().itertuples():
        where = f"[{row.path.partition('://')[2]}]({row.path})" if row.path else ""
        where += f", commit `{row.commit[:7]}`" if row.commit else ""
        files = ", ".join(f"`{name}`" for name in lists.get(row.source, []))
        title, by, taken, terms, may, ask = map(
            markdown.escaped, (row.title, row.by, row.taken, row.terms, row.may, row.ask)
        )
        taken += f"; fetched as {files}" if files else ""
        cells = [f"`{row.source}`", f"{title}; {by}. {where}".rstrip(), taken, terms, may, ask]
        rows.append(markdown.row(cells))
    return rows


def origins_table() -> str:
    """Return what ``fetch`` says of those whose files it gets, as CSV: some of the sources."""
    table = sources()[["source", "by", "path", "commit", "terms"]]
    fetched = [any(is_origin(name, row) for name in SOURCES) for _, row in table.iterrows()]
    return table[fetched].to_csv(index=False, lineterminator="\n")


def write() -> None:
    """Write all packages, DATA.md and what ``fetch`` says of its sources anew."""
    named = {part.partition(":")[0] for row in sources().itertuples() for part in row.packages}
    if missing := sorted(named - {*folders()}):
        raise SystemExit(f"sources.csv: no package {', '.join(missing)}")
    for folder in folders():
        (DATA / folder / "datapackage.json").write_text(as_json(described(folder)), "utf-8")
    ORIGINS.write_text(origins_table(), encoding="utf-8")
    STATEMENT.write_text(statement(), encoding="utf-8")


if __name__ == "__main__":
    write()
