"""Load a collection that comes with the book, or one from a folder."""

import json
import os

from lib.collection.collection import Collection
from lib.collection.matrices import SCORES
from lib.collection.package import TABLES, check, folder_of, read_table
from lib.errors import InputError, reason
from lib.paths import DATA, AnyPath

__all__ = ["load"]


def load(name: AnyPath | None = None, *, judged: bool = False) -> Collection:
    """Return a collection that comes with the book, or one from a folder.

    Parameters
    ----------
    name : str or path, optional
        ``"trec8"``, ``"trec-covid"``, ``"feedback/cf"`` or any other folder below ``data/``; or the
        path of a folder that ``python -m lib derive`` made.  By default what the environment
        variable ``MEASURES_COLLECTION`` says, else ``"trec8"``.
    judged : bool
        Read the judged non-relevant documents too; the collection must have been derived with
        ``--judged``.

    Returns
    -------
    Collection

    Raises
    ------
    InputError
        No such collection, or a folder that is not one.

    Examples
    --------
    >>> load("trec8")
    Collection('trec8': 129 systems, 50 topics, 4728 relevant documents, 338410 hits)
    """
    if name is None:
        name = os.environ.get("MEASURES_COLLECTION") or "trec8"
    if not os.fspath(name).strip():
        raise InputError("the name of a collection is empty")
    folder = folder_of(name)
    if (folder / SCORES).is_file():
        raise InputError(f"{name}: is a score matrix and no collection; load_scores reads it")
    try:
        package = json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))
        name_of, short_title = package["name"], package.get("short_title", "")
        relevant_from = int(package.get("relevant_from", 1))
        there = {entry["path"] for entry in package["resources"]}
        asked = {"judged.parquet": judged, "unsampled.parquet": "unsampled.parquet" in there}
        files = [file for file in TABLES if asked.get(file, True)]
        frames = {file: read_table(folder / file) for file in files}
        check(frames)
    except FileNotFoundError:
        missing = next(f for f in ("datapackage.json", *TABLES) if not (folder / f).is_file())
        if missing == "judged.parquet":
            raise InputError(f"{folder}: holds no {missing}; derive it with --judged") from None
        found = (path.parent.relative_to(DATA) for path in DATA.rglob("hits.parquet"))
        known = ", ".join(sorted(path.as_posix() for path in found))
        raise InputError(
            f"{name}: no collection there ({missing} is missing); the book has {known}"
        ) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{folder}: not a collection ({reason(error)})") from None
    return Collection(
        name=name_of,
        short_title=short_title,
        relevant_from=relevant_from,
        systems=frames["systems.tsv"].set_index("run"),
        topics=frames["topics.tsv"].set_index("topic"),
        lists=frames["lists.parquet"],
        relevant=frames["relevant.parquet"],
        hits=frames["hits.parquet"].merge(
            frames["relevant.parquet"], on=["topic", "document"], how="left"
        ),
        pools=frames["pools.parquet"],
        judged=frames.get("judged.parquet"),
        unsampled=frames.get("unsampled.parquet"),
    )
