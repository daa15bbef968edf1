"""Official scores of runs whose lists are not public: what the track published, no more."""

import json
from pathlib import Path

import pandas as pd

from lib.errors import InputError

__all__ = ["MEASURES", "official_scores", "topic_numbers"]

DATA = Path(__file__).resolve().parent.parent / "data"

# trec_eval's names, in the file, and those of the book.
MEASURES = {"map": "AP", "bpref": "Bpref", "recip_rank": "RR",
            "P_10": "P@10", "P_100": "P@100", "P_1000": "P@1000"}


def official_scores(track="terabyte06"):
    """Return the mean scores of every run of a track, as the track published them.

    Parameters
    ----------
    track : str
        A folder below ``data/`` that holds ``official_scores.csv``.

    Returns
    -------
    DataFrame, index (run, topics)
        Columns type ("automatic" or "manual") and the measures AP, Bpref, RR, P@10, P@100, P@1000:
        means over so many topics, in [0, 1], to four digits.  A run has a row for each set of
        topics that it was scored on.

    Raises
    ------
    InputError
        No such track.

    Examples
    --------
    >>> scores = official_scores("terabyte06")
    >>> scores.groupby("topics").size().to_dict()
    {50: 80, 149: 61}
    >>> scores.loc[("zetaman", 50), ["AP", "RR"]].tolist()
    [0.2873, 0.7653]
    """
    file = _folder(track) / "official_scores.csv"
    table = pd.read_csv(file, dtype={"run": str}).rename(columns=MEASURES)
    return table.set_index(["run", "topics"])[["type", *MEASURES.values()]]


def topic_numbers(track="terabyte06"):
    """Return the first and last topic number of each set of topics, keyed by its size.

    Examples
    --------
    >>> topic_numbers("terabyte06")
    {50: (801, 850), 149: (701, 850)}
    """
    package = json.loads((_folder(track) / "datapackage.json").read_text(encoding="utf-8"))
    return {int(size): (numbers["first"], numbers["last"])
            for size, numbers in package["topics"].items()}


def _folder(track):
    if not (DATA / track / "official_scores.csv").is_file():
        known = ", ".join(sorted(path.parent.name for path in DATA.glob("*/official_scores.csv")))
        raise InputError(f"{track}: no official scores there; the book has {known}")
    return DATA / track
