"""Every claim along every analysis path on every collection: a number, or why there is none.

Crossed are, of prediction, systems kept, topics in a set and the variant of tau (16 paths); of
agreement, systems and tau (4); of discriminative power, the test, systems, sides and alpha (32).
Every other choice is made otherwise once, with all else as on the leading path, which comes first
and keeps all systems.  A path that changes nothing on a source has the leading path's number there.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel
from tqdm import tqdm

from lib.collection import Collection
from lib.paper import options, paths
from lib.papers.webber2008.tables import SPLITS
from lib.statistics.jackknife import jackknife
from lib.studies.committed import read
from lib.studies.multiverse.claims import CLAIMS, Claim
from lib.studies.multiverse.quantities import (
    FEEDBACK,
    HALF,
    OWN,
    PAIRS,
    changes,
    own_systems,
    phi_of,
)
from lib.studies.sources import Source, in_the_book, sources, yours
from lib.tasks import task

NUMBERS = ["estimate", "error", "low", "high"]
COLUMNS = ["claim", "source", "part", "title", "path", *NUMBERS, "why"]
LEVEL = "its measures rank all systems alike"
NOBODY = "nothing says which runs form pairs without and with feedback"
DIGITS = 6
TARGET, PREDICTOR = "P@10", "AP"
SIZES = (5, 10, 15, 20, 25, 30, 40, 50, 60, 75, 100, 124)  # of Robust 2004's 249 topics
GROWTH = [
    *("source", "topics", "itself", "by_ap", "lead", "error", "low", "high"),
    *("change", "change_low", "change_high"),
]


def all_paths(claims: Iterable[Claim] | None = None) -> pd.DataFrame:
    """Return every path of each claim: claim, path, and a column a choice, empty without a part.

    Examples
    --------
    >>> all_paths().query("claim == 'p10-AP'").shape[0]
    20
    """
    claims = list(CLAIMS.values() if claims is None else claims)
    tables = {claim.name: paths(claim.choices) for claim in claims}
    found = pd.concat(tables, names=["claim", "path"]).reset_index()
    return found.fillna("")


def answers(
    source: Source, claims: Iterable[Claim] | None = None, *, leading: bool = False
) -> pd.DataFrame:
    """Ask claims of one source, along all paths or the leading one alone: :data:`COLUMNS`.

    Examples
    --------
    >>> dl19 = next(source for source in sources() if source.name == "dl19")
    >>> found = answers(dl19, [CLAIMS["power-AP-P@10"]], leading=True)
    >>> found[["path", "estimate"]].round(3).to_numpy().tolist()
    [[0.0, 0.003]]
    """
    claims = list(CLAIMS.values() if claims is None else claims)
    asked: dict[tuple, list[tuple[int, int, Claim]]] = {}  # what departs alike goes together
    for place, claim in enumerate(claims):
        every = paths(claim.choices).to_dict("records") or [{}]
        first = options(claim.choices, every[0])
        for path, labels in enumerate(every[:1] if leading else every):
            changed = options(claim.choices, labels).items() - first.items()
            asked.setdefault(tuple(sorted(changed)), []).append((place, path, claim))
    rows = []
    work = tqdm(asked.items(), desc=source.title, unit="path", leave=False, disable=None)
    for made, some in work:
        for place, path, claim in some:
            rows += [(place, path, row) for row in _rows(claim, source, path, dict(made))]
    rows.sort(key=lambda row: row[:2])
    return table_of(row for *_, row in rows)


def _rows(claim: Claim, source: Source, path: int, made: dict[str, Any]) -> list[list[Any]]:
    """Return a claim's row on a path; of pairs of runs, a row for each of them besides."""
    head = [claim.name, source.name]
    why, found = source.lacks(claim.needs), None
    if claim.of is None:
        if source.name in PAIRS:
            every = changes(source, claim.needs[0])
            return [[*head, part, source.title, 0, *_ends(one), ""] for part, one in every]
        why = NOBODY if source.collection is not None else "its systems have no names"
    elif not why:
        try:
            found = claim.of(source, **made)
        except ValueError as error:
            why = str(error)
        if found is not None and not np.isfinite([found.estimate, found.error]).all():
            found, why = None, LEVEL
    numbers = [None] * 4 if found is None else [getattr(found, name) for name in NUMBERS]
    return [[*head, "", source.title, path, *numbers, why]]


def _ends(found: pd.Series) -> list[float]:
    return [found[name] for name in ("difference", "error", "low", "high")]


def _own_systems() -> pd.DataFrame:
    """Ask what feedback does to our own systems, on texts that come without submitted runs."""
    return table_of(
        [f"feedback-{measure}", folder, "", title, 0, *_ends(own_systems(folder, measure)), ""]
        for folder, title in OWN.items()
        for measure in FEEDBACK
    )


def table_of(rows: Iterable[Sequence[Any]]) -> pd.DataFrame:
    """Return rows as a table of :data:`COLUMNS`, numbers as they are committed."""
    table = pd.DataFrame(rows, columns=COLUMNS)
    table[NUMBERS] = table[NUMBERS].astype(float).round(DIGITS) + 0.0
    return table


def everything() -> pd.DataFrame:
    """Ask every claim of every source of the book, and our own systems."""
    kinds = [("p10", "rr", "depth"), ("power",), ("families", "feedback")]
    tasks = [
        task(answers, source, [claim for claim in CLAIMS.values() if claim.section in kind])
        for kind in kinds
        for source in sorted(sources(), key=lambda source: -source.systems * source.topics)
    ]
    done = Parallel(return_as="generator")(tasks)
    found = pd.concat([*tqdm(done, total=len(tasks), unit="task", disable=None), _own_systems()])
    names = [*CLAIMS, *(source.name for source in sources()), *OWN]
    order = {name: place for place, name in enumerate(names)}
    by = found.sort_values(["source", "claim"], key=lambda names: names.map(order), kind="stable")
    return by.reset_index(drop=True)


def committed() -> pd.DataFrame:
    """Return what ``data/multiverse/make.py`` found, as it is committed."""
    return read("multiverse", "estimates.parquet")


def leading(found: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the leading path."""
    return found[found["path"] == 0].reset_index(drop=True)


def estimates(collection: Collection | None = None) -> pd.DataFrame:
    """Return every claim on the leading path, of every source and a collection of one's own.

    Examples
    --------
    >>> found = estimates().query("claim == 'p10-AP' and source == 'trec8'")
    >>> found["estimate"].round(3).tolist()
    [0.006]
    """
    known = leading(committed())
    if collection is None or in_the_book(collection):
        return known
    return pd.concat([known, answers(yours(collection), leading=True)], ignore_index=True)


def curve(found: pd.DataFrame) -> pd.DataFrame:
    """Summarize all paths of each claim on each source beside the leading one.

    Columns: the numbers of the leading path; how many paths have a number; the least and the most;
    ``conclusive``, the share whose interval excludes 0; and why the leading one has no number.

    Examples
    --------
    >>> curve(committed().query("claim == 'p10-AP' and source == 'trec8'"))["paths"].tolist()
    [20]
    """
    keys = ["claim", "source"]
    whole = found[found["part"] == ""]
    first = leading(whole).set_index(keys)[["title", *NUMBERS, "why"]]
    asked = whole[whole["estimate"].notna()]
    excludes = (asked["low"] > 0) | (asked["high"] < 0)
    each = asked.assign(conclusive=excludes).groupby(keys, sort=False)
    spread = each.agg(
        paths=("path", "size"),
        least=("estimate", "min"),
        most=("estimate", "max"),
        conclusive=("conclusive", "mean"),
    )
    joined = first.join(spread).astype({"paths": "Int64"})
    return joined[["title", *NUMBERS, *spread, "why"]].reset_index()


# More and more topics


def sizes_of(source: Source) -> list[int]:
    """Return the sizes of two sets of topics that a source has room for."""
    half = source.topics // 2
    return sorted({size for size in SIZES if size <= half} | ({half} if half < HALF else set()))


def growth_curve(source: Source, sizes: Sequence[int] | None = None) -> pd.DataFrame:
    """Return how well P@10 is predicted from more and more topics, by itself and by AP."""
    sizes = sizes_of(source) if sizes is None else sizes
    first = max((size for size in sizes if size <= HALF), default=sizes[0])
    phis, leads = {}, {}
    for size in sizes:
        # Each topic is in as many splits, whatever the size: of smaller sets more are drawn.
        share = SPLITS * HALF * 2 / source.topics
        (_, _), phi, without = phi_of(source, (TARGET, PREDICTOR), size=size, for_error=share)
        phis[size] = phi[0, 0], phi[1, 0]
        leads[size] = phi[1, 0] - phi[0, 0], without[:, 1, 0] - without[:, 0, 0]
    rows = []
    for size, (lead, without) in leads.items():
        found = jackknife(lead, without)
        change = jackknife(lead - leads[first][0], without - leads[first][1])
        ends = (found.error, found.low, found.high, change.estimate, change.low, change.high)
        numbers = (*phis[size], found.estimate, *ends)
        rows.append([source.name, size, *(round(float(x), DIGITS) + 0.0 for x in numbers)])
    return pd.DataFrame(rows, columns=GROWTH)


def grown() -> pd.DataFrame:
    """Compute the curves of the sources of the book."""
    return pd.concat(Parallel()(task(growth_curve, one) for one in sources()), ignore_index=True)
