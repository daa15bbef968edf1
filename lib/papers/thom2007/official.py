"""Official scores of the paper's runs, whose lists are not public, and the means made of them."""

import json
from pathlib import Path

import pandas as pd

from lib.errors import InputError
from lib.paths import DATA
from lib.published import REPRODUCED, cells, compare
from lib.statistics.correlation import kendall

__all__ = ["TREATMENTS", "official", "official_scores", "topic_numbers", "treatments"]

TREATMENTS = {
    "mixture": "149 topics where a run has them, 50 where not",
    "fifty": "the 50 topics that every run answered",
    "complete": "149 topics, only the runs that answered them",
    "zeros": "149 topics, a topic without an answer counts 0",
}

# trec_eval's names, in the file, and those of the book.
IN_THE_BOOK = {
    "map": "AP",
    "bpref": "Bpref",
    "recip_rank": "RR",
    "P_10": "P@10",
    "P_100": "P@100",
    "P_1000": "P@1000",
}


def official_scores(track: str = "terabyte06") -> pd.DataFrame:
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
    table = pd.read_csv(file, dtype={"run": str}).rename(columns=IN_THE_BOOK)
    return table.set_index(["run", "topics"])[["type", *IN_THE_BOOK.values()]]


def topic_numbers(track: str = "terabyte06") -> dict[int, tuple[int, int]]:
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


def _folder(track: str) -> Path:
    if not (DATA / track / "official_scores.csv").is_file():
        known = ", ".join(sorted(path.parent.name for path in DATA.glob("*/official_scores.csv")))
        raise InputError(f"{track}: no official scores there; the book has {known}")
    return DATA / track


def official(
    *, treatment: str = "mixture", only: str | None = None, scores: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Return one mean score for each Terabyte 2006 run and measure.

    The 61 automatic runs answered 149 topics, the 19 manual runs only the 50 new ones.  The paper
    does not say so, nor what it did about it; the mixture gives its numbers.

    Parameters
    ----------
    treatment : str
        One of :data:`TREATMENTS`.
    only : {"automatic", "manual"}, optional
        Keep the runs of this type; all by default.
    scores : DataFrame, optional
        As of :func:`official_scores`, which it is by default.

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
    scores = official_scores("terabyte06") if scores is None else scores
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


def treatments(*, variant: str = "b") -> pd.DataFrame:
    """Return the two computable taus of Table 1 for each treatment of the 19 manual runs.

    Parameters
    ----------
    variant : {"a", "b"}
        Variant of tau.

    Returns
    -------
    DataFrame
        One row a way to take the means; columns runs, and for each pair tau and whether it agrees
        with the printed number.  The last two rows tell the two types of runs apart.
    """
    roads = {text: official(treatment=name) for name, text in TREATMENTS.items()}
    for kind in ("automatic", "manual"):
        roads[f"50 topics, {kind} runs only"] = official(treatment="fifty", only=kind)
    rows: dict[str, dict] = {}
    for name, table in roads.items():
        ours = cells(
            (a, b, kendall(table[a], table[b], variant=variant))
            for a, b in (("AP", "RR"), ("AP", "P@10"))
        )
        rows[name] = {"runs": len(table)}
        for cell in compare("thom2007", "Table 1", ours, own=True).itertuples():
            agrees = cell.verdict == REPRODUCED
            rows[name] |= {
                f"tau({cell.row}, {cell.column})": cell.reproduced,
                f"as printed ({cell.published})": "yes" if agrees else "no",
            }
    return pd.DataFrame(rows).T.rename_axis("means over")
