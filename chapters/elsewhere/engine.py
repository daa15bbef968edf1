"""Every claim along every analysis path on every collection: a number, or why there is none;
and how many printed numbers each path through a paper matches.

Crossed are, of prediction, systems kept, topics in a set and the variant of tau (16 paths); of
agreement, systems and tau (4); of discriminative power, the test, systems, sides and alpha (32).
Every other choice is made otherwise once, with all else as on the leading path, which comes first
and keeps all systems.  A path that changes nothing on a source has the leading path's number there.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel

from chapters.data_tables import claims_everywhere, read
from chapters.elsewhere.claims import CLAIM_OF, SECTIONS, Question, claims_of
from chapters.elsewhere.quantities import OWN, PAIRS_OF_SOURCE, own_systems
from chapters.elsewhere.sources import Source, in_the_book, sources, yours
from chapters.elsewhere.summaries import spread
from chapters.ledger.paper import OpenChoice, options, paths
from chapters.ledger.published import REPRODUCED, SAMPLING, beside_printed
from chapters.thom2007 import tables as thom2007
from chapters.webber2008 import tables as webber2008
from chapters.webber2010 import depth as webber2010
from lib.collection import Collection, cached, load
from lib.decisions import CONTRADICTS, SUPPORTS
from lib.tasks import progress, task

ESTIMATE_NUMBERS = ["estimate", "error", "low", "high"]
# Degrees of freedom of the error over topics; the error over topics and groups, and its own.
_BESIDE = ["freedom", "both", "freedom_both"]
ESTIMATE_COLUMNS = ["claim", "source", "part", "title", "path", *ESTIMATE_NUMBERS, *_BESIDE, "why"]
# What is committed has on the leading path so many splits a topic for the error, so that it differs
# by 1% between seeds (of 200, the default, by 2.4%), and so many in all without each group.
_SPLITS_A_TOPIC, _SPLITS_A_GROUP = 1200, 500
_LEVEL = "its measures rank all systems alike"
_DIGITS = 6


def all_paths() -> pd.DataFrame:
    """Return every path of each claim: claim, path, and a column a choice, empty without a part.

    Examples
    --------
    >>> all_paths().query("claim == 'p10-AP'").shape[0]
    24
    """
    tables = {claim.name: paths(claim.choices) for claim in CLAIM_OF.values()}
    return pd.concat(tables, names=["claim", "path"]).reset_index().fillna("")


def ask(
    source: Source,
    claims: Iterable[Question] | None = None,
    *,
    leading: bool = False,
    precise: bool = False,
) -> pd.DataFrame:
    """Ask claims of one source, along all paths or the leading one alone: :data:`ESTIMATE_COLUMNS`.

    With ``precise`` more splits make the errors on the leading path, and primary claims have their
    errors over groups.

    Examples
    --------
    >>> dl19 = next(source for source in sources() if source.name == "dl19")
    >>> rows = ask(dl19, [CLAIM_OF["families-three-raw"]])
    >>> len(rows), rows[["path", "estimate"]].round(3).to_numpy().tolist()[:2]
    (12, [[0.0, 0.34], [1.0, 0.321]])
    """
    asked, rows = [], []
    for place, claim in enumerate(CLAIM_OF.values() if claims is None else claims):
        every = paths(claim.choices).to_dict("records") or [{}]
        first = options(claim.choices, every[0])
        for path, labels in enumerate(every[:1] if leading else every):
            made = dict(options(claim.choices, labels).items() - first.items())
            if precise and path == 0 and claim.drawn:
                made["for_error"] = _SPLITS_A_TOPIC
            asked.append((place, path, claim, made))
    asked.sort(key=lambda one: repr(sorted(one[-1].items())))  # what departs alike goes together
    primary = [one[2] for one in asked if precise and one[1] == 0 and one[2].primary]
    groups = without_groups(source, primary)
    for place, path, claim, made in progress(asked, "claim"):
        without = tuple(groups.get(claim.name, {}).values())[1:] if path == 0 else ()
        rows += [(place, path, row) for row in _rows(claim, source, path, made, without)]
    rows.sort(key=lambda row: row[:2])
    table = pd.DataFrame([row for *_, row in rows], columns=ESTIMATE_COLUMNS)
    return table.assign(**table[[*ESTIMATE_NUMBERS, *_BESIDE]].astype(float).round(_DIGITS) + 0.0)


def without_groups(source: Source, claims: Iterable[Question]) -> dict[str, dict[str, float]]:
    """Compute claims with all systems and without each group, on the same splits.

    By claim and group, all systems first, under an empty name; nothing where no groups are known.
    """
    whole = (claim for claim in claims if not SECTIONS[claim.section].pairs)
    asked = [claim for claim in whole if not source.lacks(claim.needs)]
    few = {"number": _SPLITS_A_GROUP, "for_error": 0}
    values: dict[str, dict[str, float]] = {claim.name: {} for claim in asked}
    rests = source.without_each_group()
    for group, rest in ({"": source} | rests if rests else {}).items():
        for claim in asked:
            values[claim.name][group] = claim.of(rest, **(few if claim.drawn else {})).value
    return values


def _rows(
    claim: Question, source: Source, path: int, made: dict[str, Any], groups: tuple[float, ...]
) -> Iterator[dict[str, Any]]:
    """Return a claim's row on a path; of pairs of submitted runs, one for each of them besides."""
    parts: dict[str, dict[str, Any]] = {"": made}
    if SECTIONS[claim.section].pairs and source.name not in OWN:
        pairs = PAIRS_OF_SOURCE.get(source.name, ())
        parts |= {pair[0]: made | {"pairs": [pair]} for pair in pairs}
    row = {"claim": claim.name, "source": source.name, "title": source.title, "path": path}
    for part, how in parts.items():
        yield row | {"part": part} | _numbers(claim, source, how, groups)


def _numbers(
    claim: Question, source: Source, made: dict[str, Any], groups: tuple[float, ...]
) -> dict[str, Any]:
    """Return the numbers of a row, or why there are none."""
    if why := source.lacks(claim.needs):
        return {"why": why}
    try:
        estimate = replace(claim.of(source, **made), groups=groups)
    except ValueError as error:
        return {"why": str(error)}
    one = estimate.interval()
    if not np.isfinite([one.estimate, one.error]).all():
        return {"why": _LEVEL}
    both = estimate.interval(groups=True) if groups else None
    beside = {"both": both.error, "freedom_both": both.freedom} if both else {}
    return {"why": "", **vars(one), **beside}


def ask_everything() -> pd.DataFrame:
    """Ask every claim of every source of the book, and our own systems."""
    asked = partial(ask, precise=True)
    kinds = [("p10", "rr", "depth", "apart"), ("power",), ("families", "feedback")]
    tasks = [
        task(asked, source, [claim for claim in CLAIM_OF.values() if claim.section in kind])
        for kind in kinds
        for source in sorted(sources(), key=lambda source: -source.systems * source.topics)
    ]
    own = partial(ask, leading=True)
    tasks += [task(own, own_systems(folder), claims_of("feedback")) for folder in OWN]
    done = Parallel(return_as="generator")(tasks)
    table = pd.concat([*progress(done, "task", len(tasks))])
    names = [*CLAIM_OF, *(source.name for source in sources()), *OWN]
    order = {name: place for place, name in enumerate(names)}
    by = table.sort_values(["source", "claim"], key=lambda names: names.map(order), kind="stable")
    return by.reset_index(drop=True)


def leading(estimates: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the leading path."""
    return estimates[estimates["path"] == 0].reset_index(drop=True)


def everywhere(collection: Collection) -> pd.DataFrame:
    """Return the committed claims along every path, and a collection of one's own on the leading.

    >>> len(everywhere(load("trec8"))) == len(claims_everywhere())
    True
    """
    known = claims_everywhere()
    if in_the_book(collection):
        return known
    return pd.concat([known, ask(yours(collection), leading=True)], ignore_index=True)


def by_source(estimates: pd.DataFrame) -> pd.DataFrame:
    """Summarize all paths of each claim on each source beside the leading one.

    Columns: the numbers of the leading path; how many paths have a number; the least and the most;
    on how many the interval supports and contradicts the paper; and why the leading one has no
    number.

    Examples
    --------
    >>> of_one = claims_everywhere().query("claim == 'p10-AP' and source == 'trec8'")
    >>> by_source(of_one)["paths"].tolist()
    [24]
    """
    keys = ["claim", "source"]
    whole = estimates[estimates["part"] == ""]
    asked = whole.dropna(subset="estimate").groupby(keys, sort=False)
    over = {key: spread(part, CLAIM_OF[key[0]].bound, "estimate") for key, part in asked}
    every = pd.DataFrame.from_dict(over, "index").rename_axis(keys).drop(columns="leading")
    every = every.astype(dict.fromkeys(("paths", SUPPORTS, CONTRADICTS), "Int64"))
    first = leading(whole).set_index(keys)
    return first[["title", *ESTIMATE_NUMBERS]].join(every).join(first["why"]).reset_index()


# Where three papers print numbers: how many of them each path through a place matches


@dataclass(frozen=True)
class Place:
    """A place of a paper that prints numbers, and the choices that play a part in it."""

    paper: str
    name: str
    choices: Sequence[OpenChoice]
    cells: Callable[..., pd.DataFrame]  # from a path's options to its printed numbers, as cells

    @property
    def table(self) -> str:
        """The name of its table in ``data/multiverse``."""
        return f"{self.paper}-{self.name.lower().replace(' ', '-')}"

    def paths(self) -> pd.DataFrame:
        """Return all paths through it with the printed numbers that each matches, as committed.

        Examples
        --------
        >>> PLACES[1].table, len(PLACES[1].paths())
        ('thom2007-table-1', 48)
        """
        return read("multiverse", f"{self.table}.parquet")


@cache
def _trec8(scores: str) -> Collection:
    collection = load("trec8")
    return cached(collection) if scores == "double" else webber2010.in_single_precision(collection)


def _along(
    compute: Callable[..., pd.DataFrame], *name: str, scores: str, **made: Any
) -> pd.DataFrame:
    return compute(_trec8(scores), *name, **made)


PLACES = (
    Place("webber2008", "Table 1", webber2008.CHOICES, partial(_along, webber2008.on_path)),
    Place("thom2007", "Table 1", thom2007.CHOICES, thom2007.on_path),
    *(
        Place("webber2010", name, choices, partial(_along, webber2010.on_path, name))
        for name, choices in webber2010.CHOICES.items()
    ),
)


def matched(given: Place, labels: dict[str, str]) -> tuple[int, int]:
    """Return how many printed numbers of a place a path computes, and how many it matches.

    Examples
    --------
    >>> matched(PLACES[1], paths(PLACES[1].choices).iloc[0].to_dict())
    (2, 2)
    """
    cells = beside_printed(given.paper, given.name, given.cells(**options(given.choices, labels)))
    numbers = cells[cells["published"] != "yes"]
    return len(numbers), int(numbers["verdict"].isin([REPRODUCED, SAMPLING]).sum())


def cells_by_path(given: Place, some: pd.DataFrame | None = None) -> pd.DataFrame:
    """Follow all paths through a place, or some: the choices, ``cells`` and ``matched``."""
    some = paths(given.choices) if some is None else some
    tasks = [task(matched, given, labels) for labels in some.to_dict("records")]
    done = progress(Parallel(return_as="generator")(tasks), "path", len(tasks))
    table = pd.DataFrame(list(done), columns=["cells", "matched"], index=some.index)
    return some.join(table)


def otherwise(paper: str) -> pd.DataFrame:
    """Return what each place of a paper matches when one choice is made otherwise: a row a place.

    Index choice, matching, otherwise and place; columns ``matched``; ``alone``, the numbers so lost
    with all else as on the leading path; ``mean``, those on average over all paths, all else equal.
    """
    index = ["choice", "matching", "otherwise", "place"]
    rows = []
    for given in (given for given in PLACES if given.paper == paper):
        table, leading = given.paths(), paths(given.choices).iloc[0]
        for choice in given.choices:
            kept, ours = leading.drop(choice.name), leading[choice.name]
            near = table[(table[kept.index] == kept).all(axis=1)].set_index(choice.name)["matched"]
            means = table.groupby(choice.name)["matched"].mean()
            for label in near.index.drop(ours):
                lost = near[ours] - near[label], means[ours] - means[label]
                rows.append((choice.name, ours, label, given.name, near[label], *lost))
    return pd.DataFrame(rows, columns=[*index, "matched", "alone", "mean"]).set_index(index)
