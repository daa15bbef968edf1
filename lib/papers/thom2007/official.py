"""Official scores of runs whose lists are not public: what the track published, no more."""

import json
from pathlib import Path

import pandas as pd

from lib.errors import InputError
from lib.published import REPRODUCED, cells, compare
from lib.statistics.correlation import kendall

__all__ = ["MEASURES", "TREATMENTS", "official", "official_scores", "topic_numbers", "treatments"]

DATA = Path(__file__).resolve().parent.parent / "data"

# trec_eval's names, in the file, and those of the book.
MEASURES = {
    "map": "AP",
    "bpref": "Bpref",
    "recip_rank": "RR",
    "P_10": "P@10",
    "P_100": "P@100",
    "P_1000": "P@1000",
}


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
    return {
        int(size): (numbers["first"], numbers["last"])
        for size, numbers in package["topics"].items()
    }


def _folder(track):
    if not (DATA / track / "official_scores.csv").is_file():
        known = ", ".join(sorted(path.parent.name for path in DATA.glob("*/official_scores.csv")))
        raise InputError(f"{track}: no official scores there; the book has {known}")
    return DATA / track


TREATMENTS = {
    "mixture": "149 topics where a run has them, 50 where not",
    "fifty": "the 50 topics that every run answered",
    "complete": "149 topics, only the runs that answered them",
    "zeros": "149 topics, a topic without an answer counts 0",
}


def official(*, treatment="mixture", only=None):
    """Return one mean score for each Terabyte 2006 run and measure.

    The 61 automatic runs answered 149 topics, the 19 manual runs only the 50 new ones.  The paper
    does not say so, nor what it did about it; the mixture gives its numbers.

    Parameters
    ----------
    treatment : str
        One of :data:`TREATMENTS`.
    only : {"automatic", "manual"}, optional
        Keep the runs of this type; all by default.

    Returns
    -------
    DataFrame (runs x measures)
        AP, Bpref, RR, P@10, P@100 and P@1000, in [0, 1].

    Examples
    --------
    >>> [len(official(treatment=name)) for name in ("mixture", "fifty", "complete", "zeros")]
    [80, 80, 61, 80]
    """
    if treatment not in TREATMENTS:
        raise ValueError(f"treatment must be one of {', '.join(TREATMENTS)}, not {treatment!r}")
    scores = official_scores("terabyte06")
    few, many = scores.xs(50, level="topics"), scores.xs(149, level="topics")
    if only not in (None, *few["type"]):
        raise ValueError(f"only must be 'automatic' or 'manual', not {only!r}")
    kept = few.index if only is None else few.index[few["type"] == only]
    few, many = few.drop(columns="type"), many.drop(columns="type")
    missing = few.drop(index=many.index) * (50 / 149 if treatment == "zeros" else 1)
    table = {
        "mixture": pd.concat([many, missing]).reindex(few.index),
        "zeros": pd.concat([many, missing]).reindex(few.index),
        "fifty": few,
        "complete": many,
    }[treatment]
    return table[table.index.isin(kept)]


def treatments(*, variant="b"):
    """Return the two computable taus of Table 1 for each treatment of the 19 manual runs.

    Returns
    -------
    DataFrame
        One row a way to take the means; columns runs, and for each pair tau and whether it agrees
        with the printed number.  The last two rows tell the two types of runs apart.
    """
    roads = {text: official(treatment=name) for name, text in TREATMENTS.items()}
    for kind in ("automatic", "manual"):
        roads[f"50 topics, {kind} runs only"] = official(treatment="fifty", only=kind)
    rows = {}
    for name, table in roads.items():
        ours = cells(
            (a, b, kendall(table[a], table[b], variant=variant), 0.0)
            for a, b in (("AP", "RR"), ("AP", "P@10"))
        )
        compared = compare("thom2007", "Table 1", ours).set_index(["row", "column"])
        of_pair = {}
        for a, b in (("AP", "RR"), ("AP", "P@10")):
            cell = compared.loc[(a, b)]
            of_pair[f"tau({a}, {b})"] = cell["reproduced"]
            of_pair[f"as printed ({cell['published']})"] = (
                "yes" if cell["verdict"] == REPRODUCED else "no"
            )
        rows[name] = {"runs": len(table), **of_pair}
    return pd.DataFrame(rows).T.rename_axis("means over")
