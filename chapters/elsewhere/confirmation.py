"""Seven registered claims on three collections that none of them had met.

``book/registration.md`` says what is asked, of which runs and topics, and how it is decided.  It
was written, with this module, before anything was computed; ``data/confirmation`` has what came
out.  A *path* asks the same otherwise, beside the word.
"""

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

import pandas as pd

from chapters.data_tables import read
from chapters.elsewhere import quantities, sources
from chapters.elsewhere.sources import Source
from chapters.ledger.claims import MEMBERS, Row
from chapters.ledger.registry import registered
from lib.collection import Pairs, load, load_scores
from lib.collection.by_topic import restored
from lib.conventions import DECIMALS, SHARE
from lib.decisions import FINDING, INCONCLUSIVE, Bound, Decision, decide
from lib.errors import InputError
from lib.estimates import Estimate
from lib.intervals import Interval
from lib.measures import best, complete_scores
from lib.measures.binary import GS10_BASE
from lib.paths import short_title
from lib.statistics.multiplicity import holm
from lib.statistics.random_effects import plain_mean

PRECISION_DEPTHS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
MEASURES = ("AP", "RR", "Rprec", *(f"P@{depth}" for depth in PRECISION_DEPTHS))
_NDCG = {f"nDCG@{depth}": f"nDCG(discount=2002,gain=binary)@{depth}" for depth in (10, 20)}
PERSISTENCE = 0.9
RBP_90 = f"RBP(p={PERSISTENCE})"
TARGETS = ("RR", "P@5", "P@10", "P@20", "P@30", "Rprec", "AP")
_FAR = 0.001  # of mean AP: a run that is further from what NIST printed is another run
_SPLITS_A_TOPIC = 1200  # ten seeds agree on the error to 1%
_FEW = 200  # and splits, where groups are left out and beside the claims


@dataclass(frozen=True)
class New:
    """A collection as it is registered: folder, kind, runs, and what is left out of them."""

    folder: str
    kind: str
    task: tuple[str, str]  # of NIST's: a track and its task
    type: str | None  # of runs; all where there is none
    pairs: Pairs  # without and with feedback
    faulty: tuple[str, ...] = ()
    topics: Mapping[str, Container[int]] = field(default_factory=dict)  # of a claim; else all
    own: Container[int] | None = None  # topics of its own year, where others are among them


NEW_COLLECTIONS = {
    "T": New(
        "terabyte06-by-topic",
        "Web",
        ("trec15/terabyte", "adhoc"),
        "automatic",
        [
            ("humT06", "humT06xl", "humT06xle"),
            ("indri06", "indri06AdmD", "indri06AlceD"),
            ("TWTB06", "TWTB06AD04", "TWTB06AD01"),
        ],
        faulty=("humT06xlz",),
        topics=dict.fromkeys(("P1", "P2"), range(751, 851))
        | dict.fromkeys(("P4", "P5"), {*range(701, 751), *range(801, 851)}),
        own=range(801, 851),
    ),
    "B": New(
        "blog08",
        "blogs",
        ("trec17/blog", "baseline"),
        None,
        [
            ("KLE, title", "KLEPsgRetT", "KLEPsgFeedT"),
            ("KLE, title and description", "KLEPsgRetTD", "KLEPsgFeedTD"),
        ],
        faulty=("york08bb1",),
    ),
    "D": New(
        "dl20",
        "MS MARCO",
        ("trec29/deep", "passages"),
        None,
        [
            ("BM25", "p_bm25", "p_bm25rm3"),
            ("BM25 on expanded passages", "p_d2q_bm25", "p_d2q_bm25rm3"),
        ],
    ),
}


# The scores of a collection


@cache
def all_scores(name: str) -> Source:
    """Return the scores of all runs of a collection, those left out too, on all its topics."""
    folder = NEW_COLLECTIONS[name].folder
    if name == "D":
        scores = complete_scores(load(folder), dict(zip(MEASURES, MEASURES)) | _NDCG)
    else:
        printed = load_scores(folder)
        scores = {label: restored(printed[label], label) for label in MEASURES}
    known = {RBP_90: in_steps(scores), "GS10": gs10(scores["RR"])}
    return Source(name, short_title(folder), None, {**scores, **known})


@cache
def official(name: str) -> pd.DataFrame:
    """Return what NIST says of each run of the registered task: its participant, its means."""
    new, runs = NEW_COLLECTIONS[name], read("trec", "means").fillna({"task": ""})
    runs = runs[(runs["track"] == new.task[0]) & (runs["task"] == new.task[1])]
    runs = runs if new.type is None else runs[runs["type"] == new.type]
    return runs.set_index("run")


@cache
def short_runs(name: str) -> tuple[str, ...]:
    """Return the runs whose lists are too short, where there are lists."""
    if name != "D":
        return ()
    return tuple(sources.short_lists(load(NEW_COLLECTIONS[name].folder)))


@cache
def other_runs(name: str) -> tuple[str, ...]:
    """Return the runs that are not the ones that NIST scored, by their mean AP."""
    printed = official(name)["AP"]
    off = (all_scores(name).scores["AP"].mean()[printed.index] - printed).abs()
    return tuple(off.index[off > _FAR])


def source(
    name: str,
    claim: str,
    *,
    runs: str = "registered",
    topics: str = "registered",
    best_by: str | None = None,
    least: int = 0,
    exact: bool = False,
    ranked: bool = False,
    without: str | None = None,
) -> Source:
    """Return the scores that a claim is asked of, as registered or otherwise.

    Parameters
    ----------
    name, claim : str
        Keys of :data:`NEW_COLLECTIONS` and :data:`CONFIRMED`.
    runs : {"registered", "submitted", "other task"}
        With the runs that are left out; those at hand that are not of the registered task.
    topics : {"registered", "all", "own year"}
    best_by : str, optional
        A measure: by its mean the best three quarters of the runs stay.
    least : int
        Relevant documents that a topic has at least.
    exact : bool
        RBP to the last rank, where there are lists.
    ranked : bool
        In place of each score its rank among those of its topic.
    without : str, optional
        A group whose runs stay out.
    """
    whole, new = all_scores(name), NEW_COLLECTIONS[name]
    of, every = official(name)["participant"], whole.scores["AP"].columns
    if runs == "other task":
        kept = every[~every.isin(of.index)]
    else:
        out = () if runs == "submitted" else (*new.faulty, *short_runs(name), *other_runs(name))
        kept = every[every.isin(of.index[of != without]) & ~every.isin(out)]
    chosen = _topics(name, claim, topics)
    if least:
        chosen = chosen[relevant(name).reindex(chosen).ge(least)]
    scores = {label: table.loc[chosen, kept] for label, table in whole.scores.items()}
    if exact:
        scores[RBP_90] = complete_scores(load(new.folder), [RBP_90])[RBP_90].loc[chosen, kept]
    if best_by is not None:
        kept = best(scores[best_by].mean().round(DECIMALS), SHARE)
        scores = {label: table[kept] for label, table in scores.items()}
    if ranked:
        scores = quantities.within_topics(scores)
    return replace(whole, scores=scores)


def _topics(name: str, claim: str, which: str) -> pd.Index:
    """Return the topics of a claim: as registered, all, or those of the collection's own year."""
    new, every = NEW_COLLECTIONS[name], all_scores(name).scores["AP"].index
    own = {"registered": new.topics.get(claim), "all": None, "own year": new.own}[which]
    return every if own is None else every[[int(topic) in own for topic in every]]


@cache
def relevant(name: str) -> pd.Series:
    """Return how many relevant documents each topic has."""
    if name != "D":
        table = read("confirmation", "topics")
        table = table[table["collection"] == name].astype({"topic": str})
        return table.set_index("topic")["relevant"]
    runs = load(NEW_COLLECTIONS[name].folder)
    grades = runs.relevant[runs.relevant["grade"] >= runs.relevant_from]
    counts = grades.groupby("topic").size().reindex(range(len(runs.topics)), fill_value=0)
    return counts.set_axis(runs.topics.index)


def in_steps(scores: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return RBP of which only the numbers of relevant documents down to some depths are known.

    Each document between two depths weighs what documents there weigh in the mean.

    Examples
    --------
    >>> ones = {f"P@{k}": pd.DataFrame({"A": [min(5 / k, 1)]}) for k in PRECISION_DEPTHS}
    >>> round(float(in_steps(ones).loc[0, "A"]), 5) == round(1 - PERSISTENCE**5, 5)
    True
    """
    total: Any = 0.0
    for last, depth in zip((0, *PRECISION_DEPTHS), PRECISION_DEPTHS):
        hits = depth * scores[f"P@{depth}"] - (last * scores[f"P@{last}"] if last else 0)
        total += hits * (PERSISTENCE**last - PERSISTENCE**depth) / (depth - last)
    return total


def gs10(rr: pd.DataFrame) -> pd.DataFrame:
    """Return generalized success at 10 from RR: its rank is that of the first relevant document.

    >>> gs10(pd.DataFrame({"A": [1.0, 0.0]}))["A"].tolist()
    [1.0, 0.0]
    """
    return (GS10_BASE ** (1 - 1 / rr.where(rr > 0))).fillna(0.0)


# The claims


def better_single(
    source: Source, rival: str = "P@10", targets: tuple[str, ...] = TARGETS, **path: Any
) -> Estimate:
    """Return how much better RBP predicts other measures than a rival does, in their mean."""
    power = quantities.phi_of(source, tuple(dict.fromkeys((rival, RBP_90, *targets))), **path)
    return power.map(lambda phi: (phi.loc[RBP_90] - phi.loc[rival])[[*targets]].mean())


def pairs_in(source: Source) -> Pairs:
    """Return the registered pairs of runs of a collection that are among its runs."""
    there = source.scores["AP"].columns
    return [pair for pair in NEW_COLLECTIONS[source.name].pairs if set(pair[1:]) <= {*there}]


def change_by_feedback(source: Source) -> Estimate:
    """Return the mean change of GS10 by feedback over a collection's registered pairs."""
    return quantities.mean_gain(source.scores["GS10"], pairs_in(source))


def _lead(predictor: str, target: str) -> Callable[..., Estimate]:
    """Return how to compute the lead of a predictor over the target itself."""
    of = partial(quantities.lead_over, predictor=predictor, other=target, target=target)
    return partial(of, labels=(target, predictor))


@dataclass(frozen=True)
class Registered:
    """A claim: what it is computed by, and how it is asked otherwise.

    A row of the registry has its sentence, its collections, and the bound of its number.
    """

    row: Row
    title: str
    of: Callable[..., Estimate]
    older: str = ""  # the same claim on older collections
    drawn: bool = True  # by random splits
    target: str = ""

    @property
    def bound(self) -> Bound:
        """Where its row puts the number."""
        return self.row.bound

    @property
    def on(self) -> str:
        """The collections of its row: keys of :data:`NEW_COLLECTIONS`."""
        members = MEMBERS[self.row.population]
        return "".join(name for name, of in NEW_COLLECTIONS.items() if of.folder in members)


_DEEPER = partial(quantities.gain, measure="P@100", other="P@10")
_ROWS = {row.call()[1][0]: row for row in registered() if row.population in MEMBERS}


def _registered(claim: str, *how: Any, **more: Any) -> Registered:
    """Return a claim with its row."""
    return Registered(_ROWS[claim], *how, **more)


CONFIRMED = {
    "P1": _registered("P1", "AP for P@10", _lead("AP", "P@10"), "p10-AP", target="P@10"),
    "P2": _registered("P2", "AP for RR", _lead("AP", "RR"), "rr-AP", target="RR"),
    "P3": _registered("P3", "RR and AP", quantities.early_and_whole, "apart-RR-AP"),
    "P4": _registered("P4", "P@100 minus P@10", _DEEPER, "power-P@100-P@10", drawn=False),
    "P5": _registered("P5", "GS10 by feedback", change_by_feedback, "feedback-GS10", drawn=False),
    "O1": _registered("O1", "RBP for P@10", _lead(RBP_90, "P@10"), target="P@10"),
    "O2": _registered("O2", "RBP minus P@10", better_single),
}
_PAPERS = ("P1", "P2", "P3", "P4", "P5")
FIRST, SUBMITTED = "as registered", "all runs as submitted"


def paths_of_claim(claim: str) -> dict[str, dict[str, Any]]:
    """Return how a claim is asked: options of :func:`source` or of its quantity; first as it is.

    >>> list(paths_of_claim("P5"))[:2]
    ['as registered', 'all runs as submitted']
    """
    asked = CONFIRMED[claim]
    paths: dict[str, dict[str, Any]] = {FIRST: {}, SUBMITTED: {"runs": "submitted"}}
    if claim != "P5":  # whose runs are named
        paths["Blog 2008 by its runs for opinions"] = {"runs": "other task"}
        paths["best 75% by AP"] = {"best_by": "AP"}
    if asked.target:
        paths["best 75% by the target"] = {"best_by": asked.target}
    paths["all topics"] = {"topics": "all"}
    paths["the year's own topics"] = {"topics": "own year"}
    paths["topics with ten relevant documents or more"] = {"least": 10}
    if asked.drawn:
        paths["sets of 50 topics"] = {"size": 50}
        paths["tau-a"] = {"variant": "a"}
    paths["ranks within topics"] = {"ranked": True}
    if claim in ("O1", "O2"):
        paths["exact RBP"] = {"exact": True}
    return paths


_OF_NUMBER = ("size", "variant")  # what a quantity is asked with; a source takes all else
# Of which collections a path asks something else; of the others it is the registered one.
_ELSEWHERE = {"submitted": "TB", "other task": "B", "all": "T", "own year": "T"}
_ELSEWHERE |= {"size": "TB", "exact": "D"}


def estimates(claims: Iterable[str] = tuple(CONFIRMED)) -> pd.DataFrame:
    """Ask claims of each of their collections on each path.

    Columns claim, path, collection, systems, topics, estimate, error, freedom, low, high.
    """
    numbers = cache(_asked)  # a path that changes nothing has those that were computed
    rows = [
        [claim, path, name, *numbers(claim, name, _there(asked, name))]
        for claim in claims
        for path, asked in paths_of_claim(claim).items()
        for name in CONFIRMED[claim].on
    ]
    names = ["claim", "path", "collection", "systems", "topics"]
    return pd.DataFrame(rows, columns=[*names, "estimate", "error", "freedom", "low", "high"])


def _there(options: Mapping[str, Any], name: str) -> frozenset[tuple[str, Any]]:
    """Return the options of a path that ask something else of a collection."""
    where = {o: _ELSEWHERE.get(o, _ELSEWHERE.get(value, name)) for o, value in options.items()}
    return frozenset((o, value) for o, value in options.items() if name in where[o])


def _asked(claim: str, name: str, options: Iterable[tuple[str, Any]]) -> list[Any]:
    """Return the numbers of a claim with the options of a path."""
    made = {o: value for o, value in options if o in _OF_NUMBER}
    given = {o: value for o, value in options if o not in made}
    return _numbers(source(name, claim, **given), claim, made, _SPLITS_A_TOPIC)


def _numbers(asked: Source, claim: str, made: Mapping[str, Any], for_error: int) -> list[Any]:
    """Return the numbers of a claim on a source: its size, estimate, error, freedom and ends."""
    how = {**made, "for_error": for_error} if CONFIRMED[claim].drawn else {}
    interval = CONFIRMED[claim].of(asked, **how).interval()
    numbers = interval.estimate, interval.error, interval.freedom, interval.low, interval.high
    return [asked.systems, asked.topics, *(float(number) for number in numbers)]


# What is decided


def committed_estimates() -> pd.DataFrame:
    """Return what :func:`estimates` was, when it was asked once."""
    return read("confirmation", "estimates")


def mean_by_claim(estimates: pd.DataFrame, path: str = FIRST) -> dict[str, Interval]:
    """Return the plain mean of each claim over its collections, each counted alike."""
    by = estimates[estimates["path"] == path].groupby("claim", sort=False)
    return {k: plain_mean(own["estimate"], own["error"], own["freedom"]) for k, own in by}


def as_asked(estimates: pd.DataFrame, claim: str) -> pd.DataFrame:
    """Return what a claim came to on its registered path, by collection."""
    return estimates.query("claim == @claim and path == @FIRST").set_index("collection")


def adjusted_p(estimates: pd.DataFrame, asked: Mapping[str, Interval]) -> dict[str, float]:
    """Return the p value of each claim after the correction that is registered for it.

    ``asked`` are their means.  Holm's method for the papers' claims; P1 must hold with all runs as
    submitted too.  Ours is O1 by itself, and O2 only after O1 is found to hold.
    """
    papers = [claim for claim in _PAPERS if claim in asked]
    p = {claim: CONFIRMED[claim].bound.p_value(mean) for claim, mean in asked.items()}
    p |= dict(zip(papers, holm([p[claim] for claim in papers])))
    both = asked["P1"], mean_by_claim(estimates[estimates["claim"] == "P1"], SUBMITTED)["P1"]
    if len({decide(mean, CONFIRMED["P1"].bound).side for mean in both}) > 1:
        p["P1"] = 1.0
    first = decide(asked["O1"], CONFIRMED["O1"].bound, p["O1"])
    return p if first.word == FINDING and first.holds else p | {"O2": 1.0}


def decided_claims(
    estimates: pd.DataFrame, claims: Iterable[str] = tuple(CONFIRMED)
) -> dict[str, Decision]:
    """Decide claims beside all others; where two collections exclude each other, one stays open."""
    asked = mean_by_claim(estimates)
    p = adjusted_p(estimates, asked)
    decided = {claim: decide(asked[claim], CONFIRMED[claim].bound, p[claim]) for claim in claims}
    return decided | {k: Decision(INCONCLUSIVE, None) for k in claims if opposite(estimates, k)}


def ruled(claim: str) -> dict[str, Any]:
    """Return the corrected p value of a claim, and what it comes to by all rules."""
    estimates = committed_estimates()
    adjusted = adjusted_p(estimates, mean_by_claim(estimates))[claim]
    return {"adjusted": adjusted, "holds": decided_claims(estimates, [claim])[claim].holds}


def mean_of_new(_: str, claim: str, *, topics: int | None = None, systems: str) -> Interval:
    """Return the mean of a claim over its new collections, of what is committed."""
    registered = quantities.HALF if CONFIRMED[claim].drawn else None
    if (topics, systems) != (registered, "as registered"):
        raise InputError(f"{claim} was registered at {registered or 'no'} topics a set")
    return mean_by_claim(committed_estimates())[claim]


def opposite(estimates: pd.DataFrame, claim: str) -> list[str]:
    """Return the collections whose own intervals lie on both sides of what is asked, if any do.

    >>> rows = {"claim": "P5", "path": "as registered", "collection": ["T", "B"]}
    >>> opposite(pd.DataFrame(rows | {"low": [0.1, -0.3], "high": [0.2, -0.1]}), "P5")
    ['T', 'B']
    """
    middle = CONFIRMED[claim].bound.ends[-1]  # 0, or .9
    own = as_asked(estimates, claim)
    over, under = own["low"] > middle, own["high"] < middle
    return own.index[over | under].tolist() if over.any() and under.any() else []


# What the registration leaves to intervals alone: RBP as a single measure beside others than P@10,
# on which collections and for which targets.
STOP_EARLY = ("RR", "P@5", "P@10")
BESIDE = (
    ("AP", TARGETS, "TBD"),
    ("nDCG@10", TARGETS, "D"),
    ("nDCG@20", TARGETS, "D"),
    ("P@10", STOP_EARLY, "TBD"),
)


def single_measures() -> pd.DataFrame:
    """Ask how much better RBP tells of other measures than each rival of :data:`BESIDE`.

    Columns rival, targets (how many), collection, estimate, error, low, high, freedom.
    """
    rows = []
    for rival, targets, on in BESIDE:
        for name in on:
            interval = better_single(source(name, "O2"), rival, targets, for_error=_FEW).interval()
            of = {"rival": rival, "targets": len(targets), "collection": name}
            rows.append(of | {key: float(number) for key, number in vars(interval).items()})
    return pd.DataFrame(rows)


def without_each_group(claim: str) -> pd.DataFrame:
    """Ask a claim again without the runs of each group in turn, with fewer splits.

    Columns collection, group, estimate, error, freedom.
    """
    rows = []
    for name in CONFIRMED[claim].on:
        whole = source(name, claim)
        of = official(name)["participant"]
        for group in sorted(of[whole.scores["AP"].columns].unique()):
            asked = source(name, claim, without=group)
            if claim != "P5" or pairs_in(asked):
                rows.append([name, group, *_numbers(asked, claim, {"number": _FEW}, _FEW)[2:5]])
    return pd.DataFrame(rows, columns=["collection", "group", "estimate", "error", "freedom"])
