"""The headline claims of the papers along analysis paths, on any source of scores."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd

from lib.measures import SHARE
from lib.papers.thom2007.tables import BROAD, EARLY
from lib.papers.webber2008.tables import MARGIN, NUMBER, SEED
from lib.published import INCONCLUSIVE
from lib.statistics.correlation import tau_matrix
from lib.statistics.families import within_less_across, without_noise
from lib.statistics.jackknife import Interval, jackknife
from lib.statistics.predictivity import splits, stack, taus_of_splits, without_topics
from lib.studies.roads.roads import TAU, Choice, cross, options, p_without, power
from lib.studies.sources import Source

FOR_ERROR = 50  # splits into halves, again without each topic; for smaller sets more

MEANS = Choice("means", "decimals", {"10 decimals": 10, "4 decimals": 4, "not rounded": None})
KEPT = {
    "75%, down": (SHARE, "down"),
    "75%, up": (SHARE, "up"),
    "50%": (0.5, "down"),
    "all": (1, "down"),
}
ALL = {"all": (1, "down"), "75%": (SHARE, "down")}

FAMILIES: dict[str, tuple[Choice, ...]] = {
    "prediction": (
        Choice("systems", "kept", KEPT),
        Choice("topics in a set", "size", {"25": 25, "10": 10}),
        MEANS,
        TAU,
    ),
    "agreement": (
        Choice("noise", "corrected", {"as it is": False, "corrected": True}),
        Choice("systems", "kept", ALL),
        MEANS,
        TAU,
    ),
    "power": (
        Choice("test", "test", {x: x for x in ("t", "Wilcoxon", "permutation", "sign")}),
        Choice("systems", "kept", ALL),
        Choice("sides", "sides", {"two": 2, "one": 1}),
        Choice("alpha", "alpha", {"0.05": 0.05, "0.01": 0.01}),
        Choice("identical pairs", "identical", {"left out": "left out", "kept": "kept"}),
    ),
}


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper, as one number that is above a bound where it holds."""

    name: str
    family: str  # of paths, one of FAMILIES
    number: str  # what is computed, in words
    labels: tuple[str, ...]  # the measures, of agreement those of early precision first
    bound: float = 0.0  # it holds where the number is above


def _predicts(measure: str, target: str) -> Claim:
    name = f"{target.lower().replace('@', '')}-{measure}"
    number = f"phi({measure}, {target}) - phi({target}, {target})"
    return Claim(name, "prediction", number, (measure, target), -MARGIN)


def _apart(what: str, broad: tuple[str, ...]) -> Claim:
    labels = (*EARLY, *broad)
    number = f"mean tau within less across {', '.join(EARLY)} and {', '.join(broad)}"
    return Claim(f"families-{what}", "agreement", number, labels)


def _separates(measure: str, other: str) -> Claim:
    number = f"discriminative power of {measure} less that of {other}"
    return Claim(f"power-{measure}-{other}", "power", number, (measure, other))


CLAIMS: dict[str, Claim] = {
    claim.name: claim
    for claim in (
        *(_predicts(x, "P@10") for x in ("AP", "nDCG", "RBP", "nDCG@20")),
        *(_predicts(x, "RR") for x in ("AP", "nDCG", "RBP", "nDCG@20", "P@10")),
        _apart("three", BROAD[:1]),
        _apart("four", BROAD),
        _separates("AP", "P@10"),
        _separates("nDCG", "P@10"),
        _separates("nDCG", "nDCG@20"),
    )
}

# Claims of other papers that no path of these moves: what is said of each family instead.
FEEDBACK = "the mean change by blind feedback, of one pair of runs at a time"
UNMOVED = {f"feedback-{measure}": FEEDBACK for measure in ("AP", "P@10", "RR", "GS10")}

Rows = Iterator[tuple[Claim, dict[str, str], Interval, float]]


def all_paths() -> dict[str, pd.DataFrame]:
    """Return every path of every family."""
    return {family: cross(choices) for family, choices in FAMILIES.items()}


def asked(given: Source) -> pd.DataFrame:
    """Say of each claim and family of paths whether a source answers it, or why not."""
    rows = []
    for claim in CLAIMS.values():
        why = given.lacks(claim.labels)
        for family in FAMILIES:
            if family != claim.family:
                said = f"not askable: no choice of these plays a part in {claim.number}"
            else:
                said = f"not askable: {why}" if why else "asked"
            rows.append((given.name, claim.name, family, said))
    for name, number in UNMOVED.items():
        said = f"not askable: no choice of these plays a part in {number}"
        rows += [(given.name, name, family, said) for family in FAMILIES]
    return pd.DataFrame(rows, columns=["source", "claim", "roads", "asked"])


def walk(given: Source, paths: Mapping[str, pd.DataFrame] | None = None) -> pd.DataFrame:
    """Follow many paths with one source."""
    names = list(dict.fromkeys(c.name for choices in FAMILIES.values() for c in choices))
    compute = {"prediction": _prediction, "agreement": _agreement, "power": _power}
    empty = dict.fromkeys(names, "")
    rows = []
    for family, wanted in (all_paths() if paths is None else paths).items():
        claims = [c for c in CLAIMS.values() if c.family == family and not given.lacks(c.labels)]
        for claim, path, found, error in compute[family](given, claims, wanted) if claims else ():
            numbers = {x: float(getattr(found, x)) for x in ("estimate", "low", "high")}
            rows.append(
                {
                    "source": given.name,
                    "claim": claim.name,
                    **empty,
                    **path,
                    **numbers,
                    "error": error,
                }
            )
    columns = ["source", "claim", *names, "estimate", "low", "high", "error"]
    return pd.DataFrame(rows, columns=columns).round(4)


def _labels(claims: Sequence[Claim]) -> list[str]:
    return list(dict.fromkeys(label for claim in claims for label in claim.labels))


def _drawn(topics: int, size: int, number: int) -> np.ndarray:
    return splits(topics, size=size, number=number, rng=np.random.default_rng(SEED))


def _prediction(given: Source, claims: Sequence[Claim], paths: pd.DataFrame) -> Rows:
    """Ask how much better one measure predicts another than that does itself."""
    choices = FAMILIES["prediction"]
    labels = _labels(claims)
    place = {label: i for i, label in enumerate(labels)}
    for _, path in paths.iterrows():
        made = options(choices, path.to_dict())
        share, rounding = made["kept"]
        kept = given.kept(share, rounding=rounding)
        tables = {label: kept[label] for label in labels}
        size = min(made["size"], given.topics // 2)
        drawn = _drawn(given.topics, size, NUMBER)
        taus = taus_of_splits(stack(tables), drawn, made["variant"], made["decimals"])
        taus = np.nan_to_num(taus)  # all systems level: see Predictivity.tied
        number = round(FOR_ERROR * given.topics / (2 * size))
        without = without_topics(
            tables,
            _drawn(given.topics, size, number),
            np.arange(given.topics)[:, np.newaxis],
            variant=made["variant"],
            decimals=made["decimals"],
        )
        for claim in claims:
            a, b = (place[label] for label in claim.labels)
            lead = taus[:, a, b] - taus[:, b, b]
            found = jackknife(lead.mean(), without[:, a, b] - without[:, b, b])
            yield claim, path.to_dict(), found, float(lead.std(ddof=1) / np.sqrt(len(lead)))


def _agreement(given: Source, claims: Sequence[Claim], paths: pd.DataFrame) -> Rows:
    """Ask how much more measures of a family agree than measures of two do."""
    choices = FAMILIES["agreement"]
    for _, path in paths.iterrows():
        made = options(choices, path.to_dict())
        kept = given.kept(made["kept"][0], rounding=made["kept"][1])
        for claim in claims:
            tables = {label: kept[label] for label in claim.labels}
            of = _of_halves if made["corrected"] else _of_all
            found, error = of(tables, made["variant"], made["decimals"])
            yield claim, path.to_dict(), found, error


def _early(labels):
    return [label in EARLY for label in labels]


def _of_all(tables, variant, decimals):
    """Return the number on all topics, with its interval."""
    topics = next(iter(tables.values())).index
    numbers = []
    for left in [None, *topics]:
        parts = {k: t if left is None else t.drop(index=left) for k, t in tables.items()}
        means = pd.DataFrame({label: part.mean() for label, part in parts.items()})
        means = means if decimals is None else means.round(decimals)
        tau = tau_matrix(means, variant=variant).to_numpy()
        numbers.append(within_less_across(tau, _early(tables)))
    return jackknife(numbers[0], numbers[1:]), 0.0


def _of_halves(tables, variant, decimals):
    """Return the same of rankings on separate halves, corrected for noise; its own error too."""
    topics = len(next(iter(tables.values())))
    drawn = _drawn(topics, topics // 2, NUMBER)
    taus = np.nan_to_num(taus_of_splits(stack(tables), drawn, variant, decimals))
    few, each = _drawn(topics, topics // 2, FOR_ERROR), np.arange(topics)[:, np.newaxis]
    parts = without_topics(tables, few, each, variant=variant, decimals=decimals)
    early = _early(tables)
    found = jackknife(
        within_less_across(without_noise(taus.mean(axis=0)), early),
        within_less_across(without_noise(parts), early),
    )
    means = np.array([part.mean(axis=0) for part in np.array_split(taus, 10)])
    tenths = within_less_across(without_noise(means), early)
    return found, float(np.std(tenths, ddof=1) / np.sqrt(len(tenths)))


def _power(given: Source, claims: Sequence[Claim], paths: pd.DataFrame) -> Rows:
    """Ask by how much more pairs of systems one measure tells apart than another."""
    choices = FAMILIES["power"]

    @cache
    def tested(label: str, test: str, kept: tuple[float, str]) -> tuple[np.ndarray, np.ndarray]:
        return p_without(given.kept(kept[0], rounding=kept[1])[label], test)

    for _, path in paths.iterrows():
        made: Mapping = options(choices, path.to_dict())
        decided = {name: made[name] for name in ("alpha", "sides", "identical")}
        for claim in claims:
            one, other = (
                power(*tested(label, made["test"], made["kept"]), **decided)
                for label in claim.labels
            )
            yield claim, path.to_dict(), jackknife(one[0] - other[0], one[1:] - other[1:]), 0.0


EVERY = "on every road"
SOME = "on some roads"
ALONE = "on the paper's road alone"
NONE = "on no road"
WORDS = (EVERY, SOME, ALONE, NONE)


def word(holds: Sequence[bool] | np.ndarray | pd.Series) -> str:
    """Say on which paths something holds.

    Examples
    --------
    >>> word([True, True]), word([True, False]), word([False, True])
    ('on every road', "on the paper's road alone", 'on some roads')
    """
    held = np.asarray(holds, dtype=bool)
    if held.all():
        return EVERY
    if not held.any():
        return NONE
    return ALONE if held[0] and held.sum() == 1 else SOME


def told(table: pd.DataFrame) -> pd.Series:
    """Return for each row of the walked claims whether the topics can tell that it holds.

    Examples
    --------
    >>> row = {"claim": "power-AP-P@10", "low": [0.01, -0.1, -0.2], "high": [0.1, 0.1, -0.1]}
    >>> told(pd.DataFrame(row)).tolist()
    ['yes', 'inconclusive', 'no']
    """
    bound = table["claim"].map({name: claim.bound for name, claim in CLAIMS.items()})
    sure = np.where(table["high"] <= bound, "no", INCONCLUSIVE)
    return pd.Series(np.where(table["low"] > bound, "yes", sure), index=table.index)


def summary(table: pd.DataFrame) -> pd.DataFrame:
    """Say of each claim and source on which paths it holds."""
    rows = {}
    judged = table.assign(told=told(table))
    for (claim, source), part in judged.groupby(["claim", "source"], sort=False):
        first = part.iloc[0]
        rows[(claim, source)] = {
            "roads": len(part),
            **first[["estimate", "low", "high"]].to_dict(),
            "least": part["estimate"].min(),
            "most": part["estimate"].max(),
            "holds": word(part["estimate"] > CLAIMS[str(claim)].bound),
            "told yes": word(part["told"] == "yes"),
            "told no": word(part["told"] == "no"),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["claim", "source"])
