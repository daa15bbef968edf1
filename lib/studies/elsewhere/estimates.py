"""Every claim asked of every collection: a number with its interval, or why there is none."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel
from tqdm import tqdm

from lib.collection import Collection
from lib.papers.webber2008.tables import SPLITS
from lib.statistics.jackknife import Interval, jackknife
from lib.studies.committed import read
from lib.studies.elsewhere import numbers
from lib.studies.elsewhere.claims import CLAIMS, Claim
from lib.studies.elsewhere.numbers import HALF, TOPICS, phi_of, set_size
from lib.studies.sources import Source, in_the_book, sources, yours
from lib.tasks import task

COLUMNS = ["claim", "source", "part", "title", "estimate", "error", "low", "high", "topics", "why"]
LEVEL = "its measures see all systems level"
NOBODY = "nothing says which runs form pairs without and with feedback"
DIGITS = 6
TARGET, PREDICTOR = "P@10", "AP"
SIZES = (5, 10, 15, 20, 25, 30, 40, 50, 60, 75, 100, 124)  # of Robust 2004's 249 topics
GROWTH = [
    *("source", "topics", "itself", "by_ap", "lead", "error", "low", "high"),
    *("change", "change_low", "change_high"),
]


def answers(source: Source, claims: Iterable[Claim] | None = None) -> pd.DataFrame:
    """Ask claims of one source."""
    claims = list(CLAIMS.values() if claims is None else claims)
    work = tqdm(claims, desc="claims", unit="claim", leave=False, disable=None)
    return table_of(row for claim in work for row in _rows(claim, source))


def _rows(claim: Claim, source: Source) -> Iterator[list[Any]]:
    if claim.of is None:
        yield from _changes(claim, source)
        return
    why = source.lacks(claim.needs)
    try:
        found = None if why else claim.of(source)
    except ValueError as error:
        found, why = None, str(error)
    if found is not None and not np.isfinite([found.estimate, found.error]).all():
        found, why = None, LEVEL
    topics = set_size(source) if claim.halves else min(TOPICS, source.topics)
    yield [claim.name, source.name, "", source.title, *_numbers(found), topics, why]


def _changes(claim: Claim, source: Source) -> Iterator[list[Any]]:
    """Yield a row for the mean over a source's pairs, and one for each of them."""
    head = [claim.name, source.name]
    if source.name not in numbers.PAIRS:
        why = NOBODY if source.collection is not None else "its systems have no names"
        yield [*head, "", source.title, *_numbers(None), source.topics, why]
        return
    (measure,) = claim.needs
    for part, found in numbers.changes(source, measure):
        ends = [found[column] for column in ("difference", "error", "low", "high")]
        yield [*head, part, source.title, *ends, source.topics, ""]


def _own_systems() -> pd.DataFrame:
    """Ask what feedback does to our own systems, on texts that come without submitted runs."""
    rows = []
    for folder, title in numbers.OWN.items():
        for measure in numbers.FEEDBACK:
            found = numbers.own_systems(folder, measure)
            ends = [found[column] for column in ("difference", "error", "low", "high")]
            (topics,) = (len(c.topics) for c in numbers.ours(folder.rpartition("/")[2]))
            rows.append([f"feedback-{measure}", folder, "", title, *ends, topics, ""])
    return table_of(rows)


def _numbers(found: Interval | None) -> list[float | None]:
    if found is None:
        return [None] * 4
    return [float(x) for x in (found.estimate, found.error, found.low, found.high)]


def table_of(rows: Iterable[Sequence[Any]]) -> pd.DataFrame:
    """Return rows as a table of :data:`COLUMNS`, numbers as they are committed."""
    table = pd.DataFrame(rows, columns=COLUMNS)
    numbers = ["estimate", "error", "low", "high"]
    table[numbers] = table[numbers].astype(float).round(DIGITS) + 0.0
    return table


def _of_all(ask: Callable[[Source], pd.DataFrame], names: Iterable[str] | None) -> pd.DataFrame:
    """Ask something of the sources of the book, or of some of them, with a progress bar."""
    wanted = [one for one in sources() if names is None or one.name in set(names)]
    work = Parallel(return_as="generator")(task(ask, source) for source in wanted)
    return pd.concat(tqdm(work, total=len(wanted), unit="source", disable=None), ignore_index=True)


def everything(names: Iterable[str] | None = None) -> pd.DataFrame:
    """Ask every claim of every source of the book, and our own systems."""
    found = _of_all(answers, names)
    return found if names else pd.concat([found, _own_systems()], ignore_index=True)


def committed() -> pd.DataFrame:
    """Return what ``data/elsewhere/make.py`` found, as it is committed."""
    return read("elsewhere", "estimates").fillna({"part": "", "why": ""})


def estimates(collection: Collection | None = None) -> pd.DataFrame:
    """Return every claim asked of every source, and of a collection of one's own.

    Examples
    --------
    >>> found = estimates().query("claim == 'p10-AP' and source == 'trec8'")
    >>> found[["estimate", "low", "high"]].round(3).to_numpy().tolist()
    [[0.014, -0.061, 0.09]]
    """
    known = committed()
    if collection is None or in_the_book(collection):
        return known
    return pd.concat([known, answers(yours(collection))], ignore_index=True)


def sizes_of(source: Source) -> list[int]:
    """Return the sizes of two sets of topics that a source has room for."""
    half = source.topics // 2
    return sorted({size for size in SIZES if size <= half} | ({half} if half < HALF else set()))


def growth_curve(source: Source, sizes: Sequence[int] | None = None) -> pd.DataFrame:
    """Say how well P@10 is predicted from more and more topics, by itself and by AP."""
    sizes = sizes_of(source) if sizes is None else sizes
    first = max((size for size in sizes if size <= HALF), default=sizes[0])
    phis, leads = {}, {}
    for size in sizes:
        # Smaller sets are drawn more often, so that each topic is in as many.
        names, phi, without = phi_of(
            source, size=size, labels=(TARGET, PREDICTOR), for_error=round(SPLITS * HALF / size)
        )
        a, b = names.index(TARGET), names.index(PREDICTOR)
        phis[size] = phi[a, a], phi[b, a]
        leads[size] = phi[b, a] - phi[a, a], without[:, b, a] - without[:, a, a]
    rows = []
    for size, (lead, without) in leads.items():
        found = jackknife(lead, without)
        change = jackknife(lead - leads[first][0], without - leads[first][1])
        ends = (found.error, found.low, found.high, change.estimate, change.low, change.high)
        numbers = (*phis[size], found.estimate, *ends)
        rows.append([source.name, size, *(round(float(x), 6) + 0.0 for x in numbers)])
    return pd.DataFrame(rows, columns=GROWTH)


def grown(names: Iterable[str] | None = None) -> pd.DataFrame:
    """Compute the curves of the sources of the book."""
    return _of_all(growth_curve, names)
