"""What collections say together of each claim, for two populations, and what that decides.

*These collections* is the plain mean of the collections at hand, with errors over topics.  *Other
kinds* of collections is the random-effects mean of the means of their kinds: within a kind tracks
share documents, groups and habits.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from chapters.data_tables import claims_everywhere
from chapters.elsewhere.claims import CLAIM_OF, KEPT_BY, PRIMARY, SECTIONS, SIZE, Question
from chapters.elsewhere.sources import facts
from chapters.ledger import registry
from chapters.ledger.claims import SETS
from chapters.ledger.paper import paths
from chapters.ledger.published import in_words
from chapters.ledger.registry import with_systems
from lib.decisions import CONTRADICTS, FINDING, HINT, INCONCLUSIVE, SUPPORTS, Bound, decide
from lib.display.prose import clauses, enumeration
from lib.errors import InputError
from lib.intervals import Interval
from lib.statistics.multiplicity import holm
from lib.statistics.random_effects import Summary, plain_mean, random_effects

THESE, OTHERS = SETS["these"], SETS["others"]
_SHALLOW, _DEEP = "25 or fewer", "100 or more"  # ranks of each list that were judged
MEAN_NUMBERS = ["collections", "mean", "low", "high"]
NOISE = 0.025  # of an error, by the splits that make it: what another seed may add


@cache
def kind_of() -> pd.Series:
    """Return the kind of each source that shares no topics with another."""
    return facts()[facts()["note"].isna()].set_index("source")["kind"]


def answered(estimates: pd.DataFrame, claim: str, path: int = 0) -> pd.DataFrame:
    """Return the rows of a claim that have a number, without those of single pairs of runs."""
    whole = (estimates["claim"] == claim) & (estimates["path"] == path) & (estimates["part"] == "")
    return estimates[whole].dropna(subset="estimate")


def pooled(estimates: pd.DataFrame, claim: str, path: int = 0) -> pd.DataFrame:
    """Return the rows of a claim that may be summarized: sources that share no topics."""
    rows = answered(estimates, claim, path)
    return rows[rows["source"].isin(kind_of().index)]


def summary(
    estimates: pd.DataFrame, claim: str, *, path: int = 0, only: Iterable[str] | None = None
) -> Summary | None:
    """Summarize a claim by random effects over sources; None where fewer than two may be.

    It says how much sources differ, and where one more like them is expected.  Since it ignores
    their kinds, its own mean decides nothing.

    Examples
    --------
    >>> summary(claims_everywhere(), "p10-AP").number
    13
    """
    rows = pooled(estimates, claim, path)
    if only is not None:
        rows = rows[rows["source"].isin(list(only))]
    return random_effects(rows["estimate"], rows["error"]) if len(rows) > 1 else None


def predicted(one: Summary) -> tuple[float, float]:
    """Return a prediction interval; where tau² is 0, that at the upper end of its Q-profile.

    >>> one = random_effects([0.1, 0.16, 0.13, 0.2], [0.05] * 4)
    >>> one.tau2, predicted(one) == (one.widest_low, one.widest_high)
    (0.0, True)
    """
    if one.tau2 == 0:
        return one.widest_low, one.widest_high
    return one.prediction_low, one.prediction_high


def these(rows: pd.DataFrame, *, groups: bool = False) -> Interval | None:
    """Return the plain mean of rows as of :func:`pooled`; None where fewer than two are there.

    With ``groups`` it is that of the collections whose groups are known, with errors over topics
    and groups.

    Examples
    --------
    >>> print(these(pooled(claims_everywhere(), "p10-AP")))
    −0.067 [−0.095, −0.039]
    """
    error, freedom = ("both", "freedom_both") if groups else ("error", "freedom")
    rows = rows.dropna(subset=error)
    if len(rows) < 2:
        return None
    return plain_mean(rows["estimate"], rows[error], rows[freedom])


def means_of_kinds(rows: pd.DataFrame, kind: pd.Series | None = None) -> pd.DataFrame:
    """Return the mean of each kind of collection, by random effects, with its error.

    ``kind`` is that of each source; by default :func:`kind_of`.

    Examples
    --------
    >>> list(means_of_kinds(pooled(claims_everywhere(), "p10-AP")).index)
    ['news', 'Web', 'MS MARCO', 'COVID']
    """
    means = {}
    of = rows["source"].map(kind_of() if kind is None else kind)
    for name, own in rows.groupby(of, sort=False):
        one = random_effects(own["estimate"], own["error"]) if len(own) > 1 else own.iloc[0]
        means[name] = one.estimate, one.error
    return pd.DataFrame.from_dict(means, orient="index", columns=["estimate", "error"])


def others(rows: pd.DataFrame, kind: pd.Series | None = None) -> Summary | None:
    """Return the random-effects mean of the kinds' means; None where one of them has no number."""
    means = means_of_kinds(rows, kind)
    known = len(means) == (kind_of() if kind is None else kind).nunique()
    return random_effects(means["estimate"], means["error"]) if known else None


# Populations that the registry names: which sources they are, of what is known of all.
POPULATIONS: dict[str, Callable[[pd.DataFrame], pd.Series]] = {
    "these": lambda known: known["pool"].notna(),
    "others": lambda known: known["pool"].notna(),
    "shallow": lambda known: known["pool"] == _SHALLOW,
    "deep": lambda known: known["pool"] == _DEEP,
    "web": lambda known: known["kind"] == "Web",
}


def of_population(
    estimates: pd.DataFrame, claim: str, population: str, path: int = 0
) -> pd.DataFrame:
    """Return the rows of a claim that speak of one of :data:`POPULATIONS`."""
    rows, known = pooled(estimates, claim, path), facts()
    return rows[rows["source"].isin(known["source"][POPULATIONS[population](known)])]


def mean_over(
    estimates: pd.DataFrame, claim: str, population: str, path: int = 0
) -> Interval | None:
    """Return the mean of a claim for one of :data:`POPULATIONS`; None where there is none."""
    rows = of_population(estimates, claim, population, path)
    return (others if population == "others" else these)(rows)


def mean_of_collections(
    population: str, quantity: str, *labels: str, topics: int | None = None, systems: str = ""
) -> Interval:
    """Return the mean of a claim for one of :data:`POPULATIONS`, of what is committed.

    The claim is that of ``quantity``, one of :data:`chapters.elsewhere.claims.KINDS`, of some
    measures.
    """
    asked = quantity, labels
    (claim,) = (name for name, one in CLAIM_OF.items() if (one.quantity, one.labels) == asked)
    path = path_of(claim, topics, systems)
    mean = mean_over(claims_everywhere(), claim, population, path)
    if mean is None:
        raise InputError(f"{claim} has no number on each of what {population!r} takes together")
    return mean


def path_of(claim: str, topics: int | None, systems: str) -> int:
    """Return the path of a claim that asks of so many topics a set, and of some systems.

    >>> path_of("p10-AP", 25, "all")
    0
    """
    table = paths(CLAIM_OF[claim].choices)
    asked = {SIZE.name: str(topics or ""), KEPT_BY.name: systems}
    if {name for name, label in asked.items() if label} == {*asked} & {*table}:
        told = dict(table.iloc[0]) | {name: label for name, label in asked.items() if label}
        (found,) = ((table == told).all(axis=1)).to_numpy().nonzero()
        if len(found):
            return int(found[0])
    raise InputError(f"{claim} has no path of {topics or 'no'} topics a set, systems {systems!r}")


def verdicts() -> pd.DataFrame:
    """Return what the registry has of the claims, by claim and population: these and other kinds.

    Examples
    --------
    >>> verdicts().loc[("p10-RBP", THESE), "side"]
    'supports'
    """
    table = registry.known_words().loc[[*CLAIM_OF]].rename_axis(["claim", "population"])
    return table[table.index.isin([THESE, OTHERS], level="population")]


def adjusted(estimates: pd.DataFrame, claim: str) -> pd.Series:
    """Return the p value of a primary claim on each of its paths, adjusted by Holm's method.

    The other primary claims stay on their leading paths.  Errors are taken larger by their
    :data:`NOISE`, and a path that decides the other way has 1.

    Examples
    --------
    >>> len(adjusted(claims_everywhere(), "p10-AP"))
    24
    """
    known = ((name, these(pooled(estimates, name))) for name in PRIMARY)
    means = {name: mean for name, mean in known if mean}
    p = {name: _worst(mean, CLAIM_OF[name].bound) for name, mean in means.items()}
    bound, place = CLAIM_OF[claim].bound, list(p).index(claim)
    side = decide(means[claim], bound).side
    every = {}
    for path in paths(CLAIM_OF[claim].choices).index:
        mean = these(pooled(estimates, claim, path))
        if mean is None:
            continue
        here = decide(mean, bound)
        own = _worst(mean, bound) if here.holds is None or here.side == side else 1.0
        every[path] = holm([*(p | {claim: own}).values()])[place]
    return pd.Series(every)


def _worst(mean: Interval, bound: Bound) -> float:
    """Return the p value of a mean whose error is as large as another seed may make it."""
    return bound.p_value(Interval.of(mean.estimate, mean.error * (1 + NOISE), mean.freedom))


def worst_adjusted(claim: str) -> float:
    """Return the greatest p value that Holm's method leaves a primary claim on any of its paths.

    The leading path was chosen when results were known: what it decides of these collections is a
    finding only where every path decides alike.
    """
    return float(adjusted(claims_everywhere(), claim).max())


# What is said of one claim, and of many: of predictors, and of what feedback or depth changes.
_OPEN = ("stays open", "stay open")
_PREDICTORS = {
    SUPPORTS: ("is as good", "are as good"),
    CONTRADICTS: ("is worse", "are worse"),
    INCONCLUSIVE: _OPEN,
}
_CHANGES = {1: ("is above 0", "are above 0"), -1: ("is below 0", "are below 0"), 0: _OPEN}
_OF_FEEDBACK = {1: ("rises", "rise"), -1: ("falls", "fall"), 0: _OPEN}
_ALONE = {SUPPORTS: "", CONTRADICTS: "It is not so that ", INCONCLUSIVE: "It stays open whether "}


def message(decided: pd.DataFrame, claims: Sequence[Question]) -> str:
    """Say what claims of a section came to, as :func:`verdicts` decided them, and with which words.

    >>> message(verdicts(), [CLAIM_OF["p10-AP"], CLAIM_OF["p10-nDCG@20"]])
    'To predict P@10, nDCG@20 is as good, and AP is worse. Hints: AP and nDCG@20.'
    """
    rows = {claim.title: decided.loc[(claim.name, THESE)] for claim in claims}
    section, (row, *others) = claims[0].section, rows.values()
    target = SECTIONS[section].target
    if target:
        said = {title: row["side"] for title, row in rows.items()}
        sentence = f"To predict {target}, {_together(said, _PREDICTORS)}"
    elif others:
        said = {title: _sign(row) for title, row in rows.items()}
        sentence = _together(said, _OF_FEEDBACK if section == "feedback" else _CHANGES)
    else:
        sentence = _ALONE[row["side"]] + row["says"]
    return " ".join([f"{sentence}.", *_words_of(rows)])


def _sign(row: pd.Series) -> int:
    """Return whether a claim's number lies above 0 (1), below it (-1), or neither is settled."""
    return 0 if row["side"] == INCONCLUSIVE else int(np.sign(row["estimate"]))


def _together(said: Mapping[str, Any], verbs: Mapping[Any, tuple[str, str]]) -> str:
    """Say of titles what each is said to be; of many that stay open, how many they are."""
    names = {verb: [title for title in said if said[title] == key] for key, verb in verbs.items()}
    many = len(names[_OPEN])
    if 2 < many < len(said):
        names[_OPEN] = []
        return f"{clauses(names)}, and the other {in_words(many)} {_OPEN[1]}"
    return clauses(names)


def _words_of(rows: Mapping[str, pd.Series]) -> Iterator[str]:
    """Say which titles are findings and hints, and which words depend on a group or on copies."""
    for word, head in ((FINDING, "Finding"), (HINT, "Hint"), (INCONCLUSIVE, "Open")):
        own = {title: with_systems(row) for title, row in rows.items() if row["word"] == word}
        if word == INCONCLUSIVE:
            own = {title: more for title, more in own.items() if more}
        if own:
            many = "s" * (len(own) > 1 and word != INCONCLUSIVE)
            names = (f"{title} ({more[2:]})" if more else title for title, more in own.items())
            yield f"{head}{many}: {enumeration(names)}."


def mean_rows(means: Mapping[Any, tuple[int, Interval | None]]) -> pd.DataFrame:
    """Return means as rows, without those that there are not: :data:`MEAN_NUMBERS`."""
    rows = {k: (n, one.estimate, one.low, one.high) for k, (n, one) in means.items() if one}
    return pd.DataFrame.from_dict(rows, orient="index", columns=MEAN_NUMBERS)


def curve(estimates: pd.DataFrame, claim: str) -> pd.DataFrame:
    """Summarize a claim on every analysis path, a row a path: its choices, :data:`MEAN_NUMBERS`.

    Of a primary claim ``adjusted`` has the p value of :func:`adjusted`.

    Examples
    --------
    >>> curve(claims_everywhere(), "p10-AP").loc[0, "systems"]
    'all'
    """
    chosen, each = paths(CLAIM_OF[claim].choices), {}
    for path in chosen.index:
        rows = pooled(estimates, claim, path)
        each[path] = len(rows), these(rows)
    table = chosen.join(mean_rows(each), how="inner")
    return table.assign(adjusted=adjusted(estimates, claim)) if CLAIM_OF[claim].primary else table


def described(table: pd.DataFrame, path: int) -> str:
    """Say what a path of a curve chooses otherwise than the leading one.

    >>> described(pd.DataFrame({"tau": ["tau-b", "tau-a"], "collections": 13}), 1)
    'tau-a'
    """
    choices = table.loc[:, :"collections"].iloc[:, :-1]
    here, first = choices.loc[path], choices.iloc[0]
    other = [value_named(name, here[name]) for name in choices if here[name] != first[name]]
    return ", ".join(other) or "leading path"


def value_named(name: str, label: str) -> str:
    """Name a value of a choice, with the choice where its label is short.

    >>> value_named("alpha", "0.01"), value_named("Kendall's tau", "tau-a")
    ('alpha 0.01', 'tau-a')
    """
    return f"{name} {label}" if len(label) < 5 else label


def spread(table: pd.DataFrame, bound: Bound, mean: str = "mean") -> dict[str, Any]:
    """Say how far a number runs over analysis paths, and on how many its interval decides.

    >>> estimates = pd.DataFrame({"mean": [0.1, 0.3], "low": [-0.1, 0.2], "high": [0.3, 0.4]})
    >>> spread(estimates, Bound())["supports"], spread(estimates, Bound())["contradicts"]
    (1, 0)
    """
    ends = Interval.read(table, mean)
    return {
        "paths": len(table),
        "leading": table[mean].iloc[0],
        "least": table[mean].min(),
        "most": table[mean].max(),
        SUPPORTS: int(bound.supported(ends).sum()),
        CONTRADICTS: int(bound.contradicted(ends).sum()),
    }


def moderated(estimates: pd.DataFrame, claim: str) -> pd.DataFrame:
    """Return the mean of a claim over deep and over shallow pools, and the two beside each other.

    Examples
    --------
    >>> moderated(claims_everywhere(), "p10-AP")["collections"].tolist()
    [5, 8, 13]
    """
    rows, parts = pooled(estimates, claim), {}
    for pool, names in facts().groupby("pool")["source"]:
        own = rows[rows["source"].isin(names)]
        mean = these(own)
        assert mean is not None
        parts[f"pools of {pool}"] = len(own), mean
    (first, (n, one)), (last, (m, other)) = parts.items()
    # Of a difference the error is that of a sum, twice that of a mean.
    both = plain_mean(*zip(*((x.estimate, x.error, x.freedom) for x in (-one, other))))
    gap = Interval.of(2 * both.estimate, 2 * both.error, both.freedom)
    return mean_rows(parts | {f"{last} minus {first}": (n + m, gap)})
