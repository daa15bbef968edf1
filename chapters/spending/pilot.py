"""A pilot: a collection at hand, and the forecast of what another set of topics would buy."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from chapters.data_tables import read
from chapters.spending.agreement import SIMULATED, Draws, fit_curve, limit, on_curve, phi
from chapters.spending.choosing import ESTIMATED, WAYS, feeds, score_by
from lib.collection import Collection
from lib.collection.judged_depth import limits
from lib.collection.package import folder_of
from lib.conventions import DECIMALS, SHARE
from lib.errors import InputError
from lib.measures import best, complete_scores, parse
from lib.paths import DATA, short_title
from lib.statistics.jackknife import groups
from lib.statistics.power import deviations
from lib.tasks import progress

PILOT_DEPTHS = (1, 2, 3, 5, 10, 20, 50, 100)
PILOT_MEASURES = ("AP", "nDCG@10", "P@10", "RBP(p=0.95)")  # measures that predict, and usual aims
# What a plan is for, among the kept curves: a measure, and how many of the top systems by it.
TOP_SYSTEMS = 10
AIMS: dict[str, tuple[str, int | None]] = {name: (name, None) for name in PILOT_MEASURES}
AIMS[f"AP, top {TOP_SYSTEMS}"] = "AP", TOP_SYSTEMS
PILOTS = ("trec8", "trec5", "trec-covid", "dl19", "dl21")  # collections of the book
PILOT_SPLITS = 50  # splits of the pilot's topics that a plan is made from
_SEED = 1
SUBPOOL_SIZES = (10, 20, 40)  # of sub-pools: systems
_DRAWS = 24  # sub-pools of a size
FEWEST = 5  # systems that have an order worth a plan
_GROUPS = 5  # of topics, each left out of a parting
_KINDS = ("others", "limit")  # agreement with as many other topics, and with unlimited ones

Rows = Sequence[int] | np.ndarray | slice


@dataclass(frozen=True, eq=False)
class Part:
    """Some systems, whole groups of them, and their scores by what only they had judged."""

    systems: np.ndarray  # positions among all
    scores: np.ndarray = field(repr=False)  # settings x topics x these systems
    sizes: np.ndarray  # of each depth: documents of a topic in their pool, on average


@dataclass(frozen=True, eq=False, kw_only=True)
class Design:
    """What was judged, and what for: all that a plan needs to know of a pilot beside its curves."""

    title: str  # of the collection
    settings: pd.DataFrame  # depth of the pool, and measure: a row a table
    topics: int
    pools: pd.DataFrame  # by depth and number of systems: documents of a topic in the pool
    pooled: bool  # the judgements are the pool of a depth; if not, pools are made within them
    aim: str = "AP"
    top: int | None = None  # systems that are sought; None: the order of all
    way: str = "depth"  # how documents are chosen, as many as a pool of the depth has

    @property
    def promises(self) -> str:
        """What is expected of a plan: how well it agrees with the aim on other topics."""
        return "predictive power" if self.top is None else f"share of the top {self.top}"

    @property
    def systems(self) -> int:
        """How many systems made the pools."""
        return int(self.pools.columns[-1])

    def setting(self, depth: int, measure: str) -> int:
        """Return the position of a setting."""
        same = (self.settings["depth"] == depth) & (self.settings["measure"] == measure)
        return int(np.flatnonzero(same)[0])

    def sizes(self) -> list[int]:
        """Return numbers of topics in five equal steps, the last of them half of all."""
        half = self.topics // 2
        return sorted({max(1, round(half * step / 5)) for step in range(1, 6)})

    def check(self, systems: int | None = None) -> None:
        """Refuse a top that is no part of the best of so many systems."""
        number = int(SHARE * (systems or self.systems))
        if self.top is not None and not 1 <= self.top < number:
            best_of = f"plans are for the best {number} systems"
            raise InputError(f"top: must be 1 to {number - 1}, not {self.top}; {best_of}")


@dataclass(frozen=True, eq=False, kw_only=True)
class Pilot(Design):
    """A design with its scores, from which plans are made."""

    scores: np.ndarray = field(repr=False)  # settings x topics x systems, all of them in the pool
    target: np.ndarray = field(repr=False)  # topics x systems: the aim with all judgements
    parts: Mapping[int, list[Part]] = field(default_factory=dict, repr=False)  # by their size

    def some(self, topics: Rows, settings: Rows = slice(None)) -> "Pilot":
        """Return the pilot with some of its topics and settings, by their positions."""
        parts = {
            size: [replace(part, scores=part.scores[settings][:, topics]) for part in drawn]
            for size, drawn in self.parts.items()
        }
        scores, target = self.scores[settings][:, topics], self.target[topics]
        known = {"settings": self.settings.iloc[settings], "topics": len(target)}
        return replace(self, **known, scores=scores, target=target, parts=parts)

    def kept(self, systems: np.ndarray | None = None) -> np.ndarray:
        """Return the positions of the best systems by the aim, among some or all."""
        systems = np.arange(self.target.shape[1]) if systems is None else systems
        mean = pd.Series(self.target[:, systems].mean(axis=0).round(DECIMALS), systems)
        return np.array(best(mean, SHARE, least=2))

    def power(self, setting: int, draws: Draws) -> float:
        """Return the predictive power of a setting on some draws of topics."""
        kept = self.kept()
        values, target = self.scores[[setting]][..., kept], self.target[:, kept]
        return float(phi(values, target, draws, top=self.top)[0])

    def draws(self, sizes: Iterable[int], *, number: int, seed: int) -> dict[int, Draws]:
        """Draw halves of the topics, the same for each number of topics that predict."""
        draw = partial(Draws.make, self.topics, number=number)
        return {size: draw(size=size, rng=np.random.default_rng(seed)) for size in sorted(sizes)}

    def forecast(self, *, number: int = 40, simulated: bool = True) -> "Forecast":
        """Return what splits of the topics say of others; partings give the error over topics.

        Where no order on unlimited topics is ``simulated``, agreement with it is about 0.
        """
        self.check()
        draws = self.draws(self.sizes(), number=number, seed=_SEED)
        parts = groups(self.topics, number=_GROUPS, times=2, rng=np.random.default_rng(_SEED))
        kept = self.kept()
        values, target = self.scores[..., kept], self.target[:, kept]
        seen = partial(_seen, draws=draws, simulated=simulated, top=self.top)
        whole = seen(values, target)
        curves, spread = [], []
        able = {  # of every part more systems are kept than are sought
            size: drawn
            for size, drawn in self.parts.items()
            if min(len(self.kept(part.systems)) for part in drawn) > (self.top or 0)
        }
        for drawn in progress(able.values(), "size"):
            moved, own = self._moved(drawn, seen, whole)
            curves.append(_curves(whole + moved, draws))
            spread.append(own[len(draws) - 1])
        curves.append(_curves(whole, draws))
        spread.append(_spread_of_all(spread, list(able), self.systems, len(values)))

        def without() -> np.ndarray:
            every = progress(parts, "parting")
            return np.array([[_curves(seen(values, target, o), draws) for o in of] for of in every])

        return Forecast(
            self,
            np.array(curves),
            cache(without),
            spread=np.array(spread),
            deviation=np.array([np.median(deviations(table)) for table in values]),
            sizes=[*able, self.systems],
        )

    def _moved(
        self, drawn: Sequence[Part], seen: Callable[..., np.ndarray], whole: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return what judgements of fewer systems change, and how far such systems differ.

        A share of the top depends on how many systems there are, so it is as these show it.
        """
        moved, own = [], []
        for part in drawn:
            kept = self.kept(part.systems)
            at = np.searchsorted(part.systems, kept)
            target = self.target[:, kept]
            own.append(seen(part.scores[..., at], target))
            all_judged = whole if self.top else seen(self.scores[..., kept], target)
            moved.append(own[-1] - all_judged)
        return np.mean(moved, axis=0), np.std(own, axis=0, ddof=1)


def _seen(
    values: np.ndarray,
    target: np.ndarray,
    left_out: Sequence[int] | np.ndarray = (),
    *,
    draws: dict[int, Draws],
    simulated: bool,
    top: int | None,
) -> np.ndarray:
    """Return what is seen on as many other topics, then on :data:`SIMULATED`, unlimited ones."""
    out = np.array(left_out, dtype=int)
    kept = np.delete(np.arange(len(target)), out)
    number = len(next(iter(draws.values())).known)
    endless = np.zeros((len(SIMULATED), len(values)))
    if simulated:
        endless = limit(values[:, kept], target[kept], number=number, top=top)
    others = [phi(values, target, one.without(out), top=top) for one in draws.values()]
    return np.concatenate([others, endless])


def _curves(seen: np.ndarray, draws: dict[int, Draws]) -> np.ndarray:
    """Fit curves to what :func:`_seen` returns: (settings, kinds, 2)."""
    both = (part.T for part in np.split(seen, [len(draws)]))
    curves = [(fit_curve([*draws], one), fit_curve(SIMULATED, end)) for one, end in zip(*both)]
    return np.array(curves)


def _spread_of_all(
    spread: Sequence[np.ndarray], sizes: Sequence[int], systems: int, settings: int
) -> np.ndarray:
    """Return how far predictive power would differ among samples of as many systems as there are.

    Draws of m out of N systems differ by less than samples would, by the root of 1 - m / N.
    """
    if not sizes:
        return np.zeros(settings)
    return spread[-1] * np.sqrt(sizes[-1] / systems / (1 - sizes[-1] / systems))


@dataclass(frozen=True, eq=False)
class Forecast:
    """What halves of a pilot's topics say of each other, and so of other topics.

    Examples
    --------
    >>> from lib import load
    >>> forecast = pilot(load("trec8"), depths=[5, 10], sizes=[]).forecast(number=10)
    >>> forecast.promise([20] * 8).round(1).tolist()
    [0.5, 0.4, 0.5, 0.5, 0.5, 0.4, 0.4, 0.5]
    """

    pilot: Design
    curves: np.ndarray  # sizes of the pool's systems x settings x kinds x 2, each by fit_curve()
    without: Callable[[], np.ndarray]  # curves without each group of topics, of all systems
    spread: np.ndarray  # sizes x settings: between samples of so many systems
    deviation: np.ndarray  # of each setting: median over pairs of that of their differences
    sizes: Sequence[int]  # of the pool's systems, the last of them all

    def of(self, table: np.ndarray, systems: int | None = None) -> np.ndarray:
        """Return a table's entry for a number of systems, between sizes by their logarithm."""
        wanted = np.log(self.pilot.systems if systems is None else systems)
        shares = [np.interp(wanted, np.log(self.sizes), one) for one in np.eye(len(self.sizes))]
        return np.tensordot(shares, table, axes=1)

    def promise(
        self, wanted: ArrayLike, *, systems: int | None = None, kind: str = "others"
    ) -> np.ndarray:
        """Return how well each setting agrees, on a wanted number of topics."""
        return self.of(on_curve(self.curves[:, :, _KINDS.index(kind)], wanted), systems)

    def replicates(self, wanted: ArrayLike, *, kind: str = "others") -> np.ndarray:
        """Return the promise without each group of topics: (partings, groups, settings)."""
        return on_curve(self.without()[..., _KINDS.index(kind), :], wanted)


def check_size(collection: Collection) -> None:
    """Refuse a collection that is too small for a pilot."""
    if len(collection.topics) < 10 or len(collection.systems) < FEWEST:
        raise InputError(
            f"{collection.name}: a pilot needs ten topics and five systems or more, not "
            f"{len(collection.topics)} and {len(collection.systems)}"
        )


def pilot(
    collection: Collection,
    *,
    aim: str = "AP",
    top: int | None = None,
    way: str = "depth",
    depths: Iterable[int] = PILOT_DEPTHS,
    sizes: Iterable[int] = SUBPOOL_SIZES,
    draws: int = _DRAWS,
    unjudged: bool = False,
) -> Pilot:
    """Make a pilot of a collection, with real sub-pools of some numbers of systems.

    Depths at which too much is unjudged are left out, but for an ``unjudged`` pilot.

    Examples
    --------
    >>> from lib import load
    >>> made = pilot(load("trec8"), depths=[5, 10], sizes=[])
    >>> made.scores.shape, made.pools[129].round().to_dict()
    ((8, 50, 129), {5: 143.0, 10: 262.0})
    """
    check_size(collection)
    if way not in WAYS:
        raise InputError(f"way: must be one of {', '.join(WAYS)}, not {way}")
    target = complete_scores(collection, aim).to_numpy()
    judged = "nonrelevant" in collection.hits  # then the hits tell how much was judged
    depths = list(depths)
    able = limits(collection, depths=depths)["pool"] if judged and not unjudged else None
    depths = depths if able is None else able.index[able].tolist()
    if not depths:
        raise InputError(f"{collection.name}: what its systems found first was not judged")
    measures = list(dict.fromkeys([*PILOT_MEASURES, str(parse(aim))]))
    scores = _scored(collection, depths, measures, way)
    measures += [ESTIMATED[way]] if way in ESTIMATED else []
    every = collection.pools.groupby("depth")["all"].mean().reindex(depths)
    runs = collection.systems.index
    known = None if collection.judged is None else judged_in_pools(collection, runs, depths)
    rng = np.random.default_rng(1999)
    parts: dict[int, list[Part]] = {}
    for size in [size for size in sizes if FEWEST <= size < 0.9 * len(runs) and way == "depth"]:
        drawn = [whole_groups(collection.systems["group"], size, rng) for _ in range(draws)]
        parts[size] = [_part(collection, at, measures, every, known) for at in drawn]
    pools = {size: np.mean([part.sizes for part in drawn], axis=0) for size, drawn in parts.items()}
    return Pilot(
        title=collection.title,
        settings=pd.DataFrame([(d, m) for d in depths for m in measures], columns=_KEYS),
        topics=len(target),
        scores=scores,
        target=target,
        pools=pd.DataFrame(pools | {len(runs): every}, index=every.index),
        pooled=bool(able is None or able.all()),
        aim=aim,
        top=top,
        way=way,
        parts=parts,
    )


_KEYS = ["depth", "measure"]


def _scored(
    collection: Collection, depths: Sequence[int], measures: Sequence[str], way: str = "depth"
) -> np.ndarray:
    pools = map(collection.pooled, depths)
    tables = [complete_scores(pool, measures) for pool in progress(pools, "pool", len(depths))]
    if way != "depth":
        every = collection.systems.index
        made = score_by(collection, every, way, depths=depths, measures=measures)
        tables = [one for _, one in made]
    return np.stack([table.to_numpy() for of in tables for table in of.values()])


def whole_groups(group: pd.Series, size: int, rng: np.random.Generator) -> np.ndarray:
    """Draw whole groups in a random order, each that still fits, and return their systems."""
    names = group.fillna("").to_numpy()
    names = np.where(names == "", group.index, names)
    chosen: list[int] = []
    for name in rng.permutation(np.unique(names)):
        own = np.flatnonzero(names == name)
        if len(chosen) + len(own) <= size:
            chosen += own.tolist()
    return np.sort(chosen)


def judged_in_pools(
    collection: Collection, runs: Sequence[str], depths: Sequence[int]
) -> np.ndarray:
    """Return how many judged documents the pools of some runs hold, by depth."""
    given = feeds(collection, runs, depth=depths[-1])
    return np.array([sum(feed.size(depth) for feed in given) for depth in depths])


def _part(
    collection: Collection,
    at: np.ndarray,
    measures: Sequence[str],
    every: pd.Series,
    known: np.ndarray | None,
) -> Part:
    """Return some systems as they score by their own pools, and how large these are.

    Sizes are counted if the judged non-relevant documents are known, and otherwise estimated
    (:func:`pool_size`).
    """
    runs, depths = collection.systems.index[at], every.index.tolist()
    if known is None:
        reach = {"systems": len(collection.systems), "wanted": len(at)}
        sizes = [pool_size(size, depth=depth, **reach) for depth, size in every.items()]
    else:
        sizes = every.to_numpy() * judged_in_pools(collection, runs, depths) / known
    part = collection.select(systems=runs)
    return Part(at, _scored(part, depths, measures), np.array(sizes))


def pool_size(documents: float, *, depth: int, systems: int, wanted: int) -> float:
    r"""Return how many documents a pool of other systems would hold.

    :math:`d \, m^g`, with g such that it is right for the systems at hand.  Of parts of TREC-8's
    systems the pools are larger than this says: by 8 to 20% of 40 systems, by up to a third of 5.

    Examples
    --------
    >>> pool_size(100, depth=10, systems=100, wanted=25).__round__(1)
    50.0
    """
    growth = np.log(max(documents, depth) / depth) / np.log(systems)
    return float(depth * wanted**growth * min(documents, depth) / depth)


def is_kept(name: str, aim: str, top: int | None, way: str) -> bool:
    """Say whether the committed tables have a pilot: ways beside pools for AP's order alone.

    A folder of one's own under a name of the book's is the one that is meant.
    """
    aims = AIMS.values() if way == "depth" else [("AP", None)]
    books = name in PILOTS and folder_of(name) == DATA / name
    return books and way in WAYS and (aim, top) in aims


@cache
def cached_forecast(
    name: str, aim: str = "AP", top: int | None = None, way: str = "depth"
) -> Forecast:
    """Return the forecast of a collection of the book, from the committed tables.

    Examples
    --------
    >>> forecast = cached_forecast("trec8")
    >>> forecast.pilot.topics, forecast.sizes, len(forecast.pilot.settings)
    (50, [10, 20, 40, 129], 32)
    """
    if not is_kept(name, aim, top, way):
        raise InputError(f"no table has {way} of {name} for the aim {aim}, top {top or 'of all'}")
    facts = read("spending", "pilots").query("collection == @name")
    curves = read("spending", "curves.parquet").query("collection == @name and aim == @aim")
    curves = curves[(curves["top"] == (top or 0)) & (curves["way"] == way)]
    pools = facts.pivot(index="depth", columns="systems", values="pool")
    sizes = curves["systems"].drop_duplicates().tolist()
    whole, parted = curves[curves["part"] == 0], curves[curves["part"] > 0]
    settings = whole.loc[whole["systems"] == sizes[-1], _KEYS].reset_index(drop=True)
    number, names = len(settings), ["a", "b", "limit_a", "limit_b"]
    known = whole[["spread", "deviation"]].to_numpy(float).reshape(len(sizes), number, 2)
    without = parted[names].to_numpy(float).reshape(-1, _GROUPS, number, 2, 2)
    design = Design(
        title=short_title(name),
        settings=settings,
        topics=int(facts["topics"].iloc[0]),
        pools=pools,
        pooled=bool(facts["pooled"].iloc[0]),
        aim=aim,
        top=top,
        way=way,
    )
    return Forecast(
        design,
        whole[names].to_numpy(float).reshape(len(sizes), number, 2, 2),
        lambda: without,
        spread=known[..., 0],
        deviation=known[0, :, 1],
        sizes=sizes,
    )
