"""A pilot: a collection at hand, from which it is told what another set of topics would buy."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from lib.collection import Collection, about
from lib.collection.judgements import limits
from lib.measures import SHARE, best, complete_scores, score_tables
from lib.statistics.correlation import taus_of_rows
from lib.statistics.jackknife import Interval, grouped, groups
from lib.statistics.predictivity import splits
from lib.studies.committed import read

DECIMALS = 10  # of means: equal ones stay ties
BLOCK = 20  # splits at once
DEPTHS = (1, 2, 3, 5, 10, 20, 50, 100)
LABELS = ("AP", "nDCG@20", "P@10")
LEAST = 0.02  # the correlation below which the curve is not followed
PILOTS = ("trec8", "trec5", "trec-covid", "dl19", "dl21")  # collections of the book
NUMBER = 100  # splits of the pilot's topics that a plan is told from


@dataclass(frozen=True, eq=False)
class Draws:
    """Random halves of the topics: the first ones of one half predict, the other is predicted."""

    known: np.ndarray  # splits x topics: which predict
    sought: np.ndarray  # splits x topics: which are predicted

    @classmethod
    def make(cls, topics: int, *, size: int, number: int, rng: np.random.Generator) -> "Draws":
        """Draw halves of some topics.

        Examples
        --------
        >>> draws = Draws.make(9, size=2, number=3, rng=np.random.default_rng(1))
        >>> draws.known.sum(axis=1).tolist(), draws.sought.sum(axis=1).tolist()
        ([2, 2, 2], [4, 4, 4])
        """
        if not 1 <= size <= topics // 2:
            raise ValueError(f"size must be 1 to {topics // 2}, half of the topics, not {size}")
        sets = splits(topics, number=number, rng=rng)
        known, sought = np.zeros((2, number, topics), dtype=bool)
        np.put_along_axis(known, sets[:, 0, :size], True, axis=1)
        np.put_along_axis(sought, sets[:, 1], True, axis=1)
        return cls(known, sought)

    def without(self, topics: np.ndarray) -> "Draws":
        """Return the splits without some topics; one that has none left on a side is dropped."""
        kept = np.ones(self.known.shape[1], dtype=bool)
        kept[topics] = False
        known, sought = self.known & kept, self.sought & kept
        whole = known.any(axis=1) & sought.any(axis=1)
        return Draws(known[whole], sought[whole])

    def means(self, values: np.ndarray, *, side: str) -> np.ndarray:
        """Return mean scores over the topics of each split."""
        chosen = getattr(self, side)
        weights = chosen / chosen.sum(axis=1, keepdims=True)
        mean = np.einsum("st,mtn->smn", weights, values, optimize=True)
        return mean.round(DECIMALS)


def phi(values: np.ndarray, target: np.ndarray, draws: Draws) -> np.ndarray:
    """Return the predictive power of each table of scores for the target on other topics.

    Examples
    --------
    >>> target = np.array([[3, 2, 1.0]] * 4)
    >>> draws = Draws.make(4, size=1, number=5, rng=np.random.default_rng(1))
    >>> phi(np.stack([target, -target]), target, draws).tolist()
    [1.0, -1.0]
    """
    known = draws.means(values, side="known")
    sought = draws.means(target[np.newaxis], side="sought")
    taus = [
        taus_of_rows(known[i : i + BLOCK], sought[i : i + BLOCK], variant="b")[..., 0]
        for i in range(0, len(known), BLOCK)
    ]
    return np.nan_to_num(np.concatenate(taus)).mean(axis=0)


@dataclass(frozen=True, eq=False)
class Pilot:
    """What a plan is made from."""

    title: str  # of the collection
    settings: pd.DataFrame  # depth of the pool of all its systems, and measure: a row a table
    scores: np.ndarray  # settings x topics x systems, of the best 75% of the systems by AP
    target: np.ndarray  # topics x systems: their AP with all judgements
    pools: pd.Series  # by depth: documents of a topic in the pool of all systems, on average
    systems: int  # how many made the pools
    pooled: bool  # the judgements are the pool of a depth; if not, pools are made within them

    @property
    def topics(self) -> int:
        """How many topics there are."""
        return len(self.target)

    def some(self, topics: np.ndarray) -> "Pilot":
        """Return the pilot with some of its topics, by their positions."""
        return replace(self, scores=self.scores[:, topics], target=self.target[topics])

    def one(self, setting: int) -> "Pilot":
        """Return the pilot with one of its settings, by its position."""
        only = [setting]
        return replace(self, settings=self.settings.iloc[only], scores=self.scores[only])

    def setting(self, depth: int, measure: str) -> int:
        """Return the position of a setting."""
        same = (self.settings["depth"] == depth) & (self.settings["measure"] == measure)
        return int(np.flatnonzero(same)[0])

    def power(self, setting: int, draws: Draws) -> float:
        """Return the predictive power of a setting on some draws of topics."""
        return float(phi(self.one(setting).scores, self.target, draws)[0])

    def draws(self, sizes: Iterable[int], *, number: int, seed: int) -> dict[int, Draws]:
        """Draw halves of the topics, the same for each number of topics that predict."""
        return {
            size: Draws.make(self.topics, size=size, number=number, rng=np.random.default_rng(seed))
            for size in sorted(sizes)
        }

    def sizes(self) -> list[int]:
        """Return numbers of topics in five equal steps, the last of them half of all."""
        half = self.topics // 2
        return sorted({max(1, round(half * step / 5)) for step in range(1, 6)})

    def told(self, *, number: int = 40, seed: int = 1, times: int = 4) -> "Told":
        """Return what splits of the topics tell of others; partings give the error over topics."""
        draws = self.draws(self.sizes(), number=number, seed=seed)
        parts = groups(self.topics, times=times, rng=np.random.default_rng(seed))
        return Told(self, self._curves(draws), cache(partial(self._without, draws, parts)))

    def _curves(self, draws: Mapping[int, Draws]) -> np.ndarray:
        seen = np.array([phi(self.scores, self.target, drawn) for drawn in draws.values()])
        return np.array([curve(list(draws), column) for column in seen.T])

    def _without(
        self, draws: Mapping[int, Draws], parts: Sequence[Sequence[np.ndarray]], setting: int
    ) -> np.ndarray:
        one = self.one(setting)
        return np.array(
            [
                [one._curves({n: d.without(part) for n, d in draws.items()})[0] for part in parting]
                for parting in parts
            ]
        )


@dataclass(frozen=True, eq=False)
class Told:
    """What halves of a pilot's topics tell of each other, and so of other topics.

    Examples
    --------
    >>> from lib import load
    >>> told = pilot(load("trec8"), depths=[5, 10]).told(number=10)
    >>> told.promise([20] * 6).round(1).tolist()
    [0.5, 0.5, 0.5, 0.5, 0.5, 0.4]
    """

    pilot: Pilot
    curves: np.ndarray  # settings x 2, each by curve(), through what halves of the topics say
    without: Callable[[int], np.ndarray]  # setting to curves without each group of topics

    def promise(self, wanted: ArrayLike) -> np.ndarray:
        """Return the predictive power of each setting on a wanted number of topics."""
        return along(self.curves, wanted)

    def interval(self, setting: int, topics: int) -> Interval:
        """Return the promise of one setting with its error over the pilot's topics."""
        whole, without = self.curves[setting], self.without(setting)
        return grouped(along(whole, topics), along(without, topics), topics=self.pilot.topics)


def pilot(collection: Collection, *, depths: Iterable[int] = DEPTHS) -> Pilot:
    """Make a pilot of a collection.

    Examples
    --------
    >>> from lib import load
    >>> made = pilot(load("trec8"), depths=[5, 10])
    >>> made.scores.shape, made.pools.round().to_dict()
    ((6, 50, 96), {5: 143.0, 10: 262.0})
    """
    if len(collection.topics) < 10 or len(collection.systems) < 3:
        raise ValueError(
            f"{collection.name}: a pilot needs ten topics and three systems or more, not "
            f"{len(collection.topics)} and {len(collection.systems)}"
        )
    target = complete_scores(collection, "AP")
    kept = best(target.mean().round(10), SHARE, least=2)
    depths = list(depths)
    judged = "nonrelevant" in collection.hits  # then the hits tell how much was judged
    able = limits(collection, depths=depths)["pool"] if judged else None
    rows, tables = [], []
    for depth in depths if able is None else able.index[able]:
        found = score_tables(collection.pooled(depth), LABELS)
        rows += [(depth, measure) for measure in LABELS]
        tables += [found[measure][kept].to_numpy() for measure in LABELS]
    if not rows:
        raise ValueError(f"{collection.name}: what its systems found first was not judged")
    settings = pd.DataFrame(rows, columns=["depth", "measure"])
    sizes = collection.pools.groupby("depth")["all"].mean()
    return Pilot(
        title=collection.title,
        settings=settings,
        scores=np.stack(tables),
        target=target[kept].to_numpy(),
        pools=sizes.reindex(settings["depth"].unique()),
        systems=len(collection.systems),
        pooled=bool(able is None or able.all()),
    )


def curve(sizes: Sequence[int], seen: Sequence[float] | np.ndarray) -> tuple[float, float]:
    r"""Return the curve by which predictive power grows with the number of topics.

    Of scores that vary normally, tau is :math:`\frac2\pi \arcsin r`, and the correlation of mean
    scores grows with the number of topics n as :math:`1 / r^2 = a + b / n`: a line in 1 / n, fitted
    by least squares with the weights :math:`r^6`, by which errors of r count alike.  No correlation
    is above 1, with however many topics: a is 1 at least.

    References
    ----------
    Spearman, Correlation calculated from faulty data, and Brown, Some experimental results in the
    correlation of mental abilities, British Journal of Psychology 3, 1910; Greiner's relation of
    tau and r: Kendall, Rank correlation methods, 1948.

    Examples
    --------
    >>> a, b = curve([5, 10, 20], [0.30, 0.38, 0.45])
    >>> round(a, 2), round(b, 1)
    (1.54, 16.4)
    """
    r = np.maximum(np.sin(np.pi / 2 * np.asarray(seen, dtype=float)), LEAST)
    inverse = 1 / np.asarray(sizes, dtype=float)
    weights = r**6 / (r**6).sum()
    y = r**-2
    middle, level = (weights * inverse).sum(), (weights * y).sum()
    spread = (weights * (inverse - middle) ** 2).sum()
    slope = (weights * (inverse - middle) * (y - level)).sum() / spread if spread > 0 else 0.0
    slope = max(slope, 0.0)  # more topics never predict worse
    end = level - slope * middle
    if end < 1:
        end, slope = 1.0, (weights * inverse * (y - 1)).sum() / (weights * inverse**2).sum()
    return float(end), float(slope)


def along(curves: np.ndarray | tuple[float, float], topics: ArrayLike) -> np.ndarray:
    """Return predictive power at a number of topics, by a curve.

    Examples
    --------
    >>> along(curve([5, 10, 20], [0.30, 0.38, 0.45]), 40).round(2)
    np.float64(0.51)
    """
    a, b = np.moveaxis(np.asarray(curves, dtype=float), -1, 0)
    return 2 / np.pi * np.arcsin((a + b / np.asarray(topics)) ** -0.5)


def pool_size(documents: float, *, depth: int, systems: int, wanted: int) -> float:
    r"""Return how many documents a pool of other systems would hold.

    :math:`d \, m^g`, with g such that it is right for the systems at hand.  Of parts of TREC-8's
    systems the pools are larger than this says: by 8 to 20% of 40 systems, by up to a third of 5.

    Examples
    --------
    >>> pool_size(100, depth=10, systems=100, wanted=25).__round__(1)
    50.0
    """
    if systems < 2:
        return documents * wanted / systems
    growth = np.log(max(documents, depth) / depth) / np.log(systems)
    return float(depth * wanted**growth * min(documents, depth) / depth)


def pools_of(pilot: Pilot) -> pd.DataFrame:
    """Return what the planner asks of a pilot beside its scores."""
    table = pilot.pools.rename_axis("depth").rename("pool").reset_index()
    return table.assign(topics=pilot.topics, systems=pilot.systems, pooled=pilot.pooled)


def curves_of(told: Told) -> pd.DataFrame:
    """Return the curves of all settings, each with those for the error over topics."""
    rows = []
    for at, (depth, measure) in enumerate(told.pilot.settings.itertuples(index=False)):
        rows.append((depth, measure, 0, 0, *told.curves[at]))
        without = told.without(at)
        rows += [
            (depth, measure, parting + 1, group + 1, *without[parting, group])
            for parting, group in np.ndindex(without.shape[:2])
        ]
    return pd.DataFrame(rows, columns=["depth", "measure", "parting", "group", "a", "b"])


@cache
def cached_pilot(name: str) -> Told:
    """Return what a collection of the book tells as a pilot, from the committed tables.

    Examples
    --------
    >>> told = cached_pilot("trec8")
    >>> told.pilot.topics, told.pilot.systems, len(told.pilot.settings)
    (50, 129, 24)
    """
    if name not in PILOTS:
        raise ValueError(f"name must be one of {', '.join(PILOTS)}, not {name!r}")
    pools = read("spending", "pilots").query("collection == @name").set_index("depth")
    curves = read("spending", "curves").query("collection == @name")
    whole = curves[curves["parting"] == 0]
    settings = whole[["depth", "measure"]].reset_index(drop=True)
    parted = curves[curves["parting"] > 0]
    shape = len(settings), parted["parting"].max(), parted["group"].max(), 2
    without = parted[["a", "b"]].to_numpy().reshape(shape)
    facts = pools.iloc[0]
    pilot = Pilot(
        title=about(name)["short_title"],
        settings=settings,
        scores=np.empty((len(settings), facts["topics"], 0)),
        target=np.empty((facts["topics"], 0)),
        pools=pools["pool"],
        systems=int(facts["systems"]),
        pooled=bool(facts["pooled"]),
    )
    return Told(pilot, whole[["a", "b"]].to_numpy(), without.__getitem__)
