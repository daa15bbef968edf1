"""The planner: so many judgements and systems, how are they spent best?"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtr

from chapters.elsewhere.older import older_laws
from chapters.spending.choosing import CHOOSING_POOL, ESTIMATED, WAYS
from chapters.spending.pilot import FEWEST, Design, Forecast
from chapters.spending.tables import gain_interval, keyed
from lib.conventions import POWER
from lib.decisions import above
from lib.errors import InputError
from lib.intervals import Interval
from lib.paths import short_title
from lib.statistics.comparison import difference_in_print, is_ratio, refuse_difference
from lib.statistics.jackknife import grouped
from lib.statistics.power import detectable

SHORTEST_PLAN = 3  # topics of a plan
FAR = 10  # times the pilot's topics or systems: nothing is said beyond
_WIDE = 0.5  # width of an interval that decides nothing
_TWICE = np.sqrt(2)  # errors of the pilot's topics and of as many others, together
_OTHERS = 3  # settings that are named beside the plan
_SPENT = 0.9  # of the judgements: a plan that leaves more says so


@dataclass(frozen=True)
class Budget:
    """What can be spent, in the price of one judgement."""

    judgements: float  # all that there is
    topic: float = 0.0  # what one costs before its first judgement
    rank: float = 0.0  # what reading a rank of a system's list costs, judged before or not
    systems: int | None = None  # that contribute to the pool; None: as many as the pilot has
    most: int | None = None  # topics that there are; None: no end of them

    def check(self) -> None:
        """Refuse what makes no sense."""
        if not (np.isfinite(self.judgements) and self.judgements > 0):
            raise InputError(f"judgements: must be a number above 0, not {self.judgements:g}")
        for name, price in (("topic cost", self.topic), ("rank cost", self.rank)):
            if not (np.isfinite(price) and price >= 0):
                raise InputError(f"{name}: must be 0 or more, not {price:g}")
        if self.systems is not None and self.systems < FEWEST:
            raise InputError(
                f"systems: must be {FEWEST} or more, not {self.systems}; fewer have no order to "
                "plan for, but pairs: evaluate --against gives the interval of a difference"
            )
        if self.most is not None and self.most < SHORTEST_PLAN:
            raise InputError(f"topics: must be {SHORTEST_PLAN} or more, not {self.most}")


def choices(forecast: Forecast, budget: Budget) -> pd.DataFrame:
    """Return every setting that a budget can pay, with the agreement that it promises."""
    budget.check()
    pilot = forecast.pilot
    systems = pilot.systems if budget.systems is None else budget.systems
    if systems > FAR * pilot.systems:
        raise InputError(
            f"systems: of {systems} a pilot of {pilot.systems} says nothing; give "
            f"{FAR * pilot.systems} at most"
        )
    pilot.check(systems)
    if pilot.way != "depth" and (systems != pilot.systems or budget.rank):
        raise InputError(
            f"way: {pilot.way} was tried with all {pilot.systems} systems, and without a price of "
            "reading ranks; leave --systems and --rank-cost out"
        )
    settings = pilot.settings.assign(setting=np.arange(len(pilot.settings)))
    pools, sizes = np.log(pilot.pools), np.log(pilot.pools.columns)
    between = pools.apply(lambda row: np.exp(np.interp(np.log(systems), sizes, row)), axis=1)
    each = settings["depth"].map(between)
    price = each + budget.topic + budget.rank * systems * settings["depth"]
    # What is paid to the last judgement is not lost to a rounding.
    paid, end = np.floor(budget.judgements / price + 1e-9), FAR * pilot.topics
    most = end if budget.most is None else min(budget.most, end)
    if budget.most is None and paid.min() > end:
        raise InputError(
            f"judgements: {budget.judgements:g} pay more than {end} topics at any depth, of which "
            f"a pilot of {pilot.topics} says nothing; give fewer, or say --topics"
        )
    topics = paid.clip(upper=most)
    settings = settings.assign(topics=topics, judgements=(topics * each).round())
    ask = {"wanted": topics.clip(lower=1).to_numpy(), "systems": systems}
    settings["phi"] = forecast.promise(**ask)
    settings["limit"] = forecast.promise(**ask, kind="limit")
    settings = settings[settings["topics"] >= SHORTEST_PLAN]
    if settings.empty:
        needed = f"{np.ceil(SHORTEST_PLAN * float(price.min())):.15g}".replace("inf", "more")
        raise InputError(
            f"judgements: {budget.judgements:g} do not pay {SHORTEST_PLAN} topics; {needed} are "
            "needed"
        )
    order = settings.sort_values(["phi", "judgements"], ascending=[False, True], kind="stable")
    columns = ["setting", "depth", "measure", "topics", "judgements", "phi", "limit"]
    order = order[columns].reset_index(drop=True)
    return order.astype({"topics": int, "judgements": int})


def choose(forecast: Forecast, budget: Budget) -> pd.Series:
    """Return the best of the :func:`choices`.

    Examples
    --------
    >>> from chapters.spending.pilot import cached_forecast
    >>> plan = choose(cached_forecast("trec8"), Budget(judgements=1300))
    >>> plan["depth"], plan["measure"]
    (np.int64(3), 'AP')
    """
    return choices(forecast, budget).iloc[0]


def five_plans(forecast: Forecast, judgements: int = 5000) -> pd.DataFrame:
    """Return five plans of a budget by AP, from all across to all down, and how each is known."""
    every = choices(forecast, Budget(judgements=judgements)).query("measure == 'AP'")
    line = every.set_index("depth").sort_index()
    named = {"all across": 1, "the best bet": line["phi"].idxmax()}
    named |= {"plain pool": 10, "deep pool": 20, "all down": 50}
    least, *_, most = forecast.pilot.sizes()
    rows = {}
    for name, depth in named.items():
        topics = int(line.loc[depth, "topics"])
        known = "as tried" if least <= topics <= most else "a curve drawn beyond what was tried"
        power = f"{line.loc[depth, 'phi']:.2f}"
        rows[name] = {"topics": topics, "depth": depth, "predictive power": power}
        rows[name]["how we know"] = known
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("plan")


def expected(
    forecast: Forecast,
    setting: int,
    topics: int,
    *,
    systems: int | None = None,
    kind: str = "others",
    others: bool = False,
) -> Interval:
    """Return what a plan promises, with an interval for what as many other topics would show.

    With ``others`` it is for other systems, too: other samples of as many.  The interval is made
    for Fisher's z, so that it stays within the range of a correlation; a share is at least 0.
    """
    value = float(forecast.promise(topics, systems=systems, kind=kind)[setting])
    of_all, without = forecast.promise(topics, kind=kind), forecast.replicates(topics, kind=kind)
    every = grouped(of_all[setting], without[..., setting], topics=forecast.pilot.topics)
    reach = _TWICE * (every.high - every.estimate)
    if others:
        between = float(forecast.of(forecast.spread, systems)[setting])
        reach = np.hypot(reach, Interval.of(0, between).high)
    value = min(value, 1 - 1e-9)
    z, across = np.arctanh(value), reach / (1 - value**2)
    low = np.tanh(z - across) if forecast.pilot.top is None else max(np.tanh(z - across), 0.0)
    return Interval(np.asarray(value), every.error, low, np.tanh(z + across))


def behind(forecast: Forecast, every: pd.DataFrame) -> Interval:
    """Return what each setting promises beyond the first, on as many other topics."""
    at, topics = every["setting"].to_numpy(), every["topics"].to_numpy()
    wanted = np.ones(len(forecast.pilot.settings))
    wanted[at] = topics
    replicates, values = forecast.replicates(wanted)[..., at], every["phi"].to_numpy()
    off = values - values[0]
    interval = grouped(off, replicates - replicates[..., :1], topics=forecast.pilot.topics)
    return Interval.of(off, _TWICE * interval.error, interval.freedom)


def beside_plan(forecast: Forecast, budget: Budget) -> pd.DataFrame:
    """Return the :func:`choices`, and what each promises beyond the first, with its interval.

    Those that are ``alike`` cannot be distinguished from the first on the same topics.
    """
    every = choices(forecast, budget)
    beyond = behind(forecast, every)
    good = np.abs(beyond.estimate) <= beyond.high - beyond.estimate + 1e-12
    return every.assign(beyond=beyond.estimate, low=beyond.low, high=beyond.high, alike=good)


def better_wins(difference: float, deviation: float, topics: int) -> float:
    """Return the chance that the better of two systems has the higher mean on some topics.

    Examples
    --------
    >>> round(better_wins(0.05, 0.15, 73), 3)
    0.998
    """
    return float(ndtr(difference * topics**0.5 / deviation)) if deviation > 0 else 1.0


@dataclass(frozen=True, eq=False)
class Advice:
    """A plan with all that is said of it."""

    plan: pd.Series
    promised: Interval
    ways: list[str]  # what other ways to choose documents gained; nothing of a plan by one of them
    uncertain: list[str]
    text: str


def advise(forecast: Forecast, budget: Budget, *, difference: float | None = None) -> Advice:
    """Plan how a budget is spent, and how sure it is what that will show.

    Examples
    --------
    >>> from chapters.spending.pilot import cached_forecast
    >>> made = advise(cached_forecast("trec5"), Budget(judgements=2000))
    >>> made.text.splitlines()[1].partition(":")[0]
    'Judge 19 topics from the pool of depth 5'
    """
    every = beside_plan(forecast, budget)
    plan = every.iloc[0]
    asked: dict[str, Any] = {"setting": int(plan["setting"]), "topics": int(plan["topics"])}
    promised = expected(forecast, **asked, systems=budget.systems)
    ways = _ways_lines(forecast.pilot, plan["depth"]) if forecast.pilot.way == "depth" else []
    uncertain = _uncertain(forecast, budget, plan, promised)
    lines = [
        *_plan_lines(forecast.pilot, budget, plan),
        *_promise_lines(forecast, budget, asked, promised),
        _pair_line(forecast, plan, difference),
        *_lead_lines(forecast.pilot, int(plan["topics"])),
        *_other_lines(_others(every)),
        *ways,
        "What is uncertain:",
        *(f"  {sentence}" for sentence in uncertain),
    ]
    return Advice(plan, promised, ways, uncertain, "\n".join(lines))


def _others(every: pd.DataFrame) -> pd.DataFrame:
    """Return the next best, the best of each other measure, and the baselines at depth 10."""
    rest = every.iloc[1:]
    best = rest[rest["measure"] != every.iloc[0]["measure"]].groupby("measure").head(1)
    named = rest[(rest["depth"] == 10) & rest["measure"].isin(["AP", "P@10"])]
    rows = pd.concat([rest.head(_OTHERS), best, named]).drop_duplicates("setting")
    return rows.sort_values("phi", ascending=False, kind="stable")


def _plan_lines(pilot: Design, budget: Budget, plan: pd.Series) -> list[str]:
    systems, pool = budget.systems or pilot.systems, chosen(pilot, plan["depth"])
    each = plan["judgements"] / plan["topics"]
    paid = plan["topics"] * (each + budget.topic + budget.rank * systems * plan["depth"])
    lines = [
        f"{budget.judgements:,.0f} judgements, {systems} systems, a topic's own price "
        f"{budget.topic:g}; pilot: {pilot.title}, {pilot.topics} topics, {pilot.systems} systems.",
        f"Judge {plan['topics']} topics {pool}: about {each:.0f} documents of each, "
        f"{plan['judgements']:,} in all.",
        f"Compare the systems by {plan['measure']}.",
    ]
    if paid < _SPENT * budget.judgements:
        lines.append(
            f"{1 - paid / budget.judgements:.0%} of the budget stays unspent: no deeper pool that "
            f"it pays for {plan['topics']} topics promises more; more topics would."
        )
    return lines


def chosen(pilot: Design, depth: int) -> str:
    """Say from which pool documents are judged."""
    if pilot.way == "depth":
        return f"from the pool of depth {depth}"
    many = f"as many as one of depth {depth} has"
    return f"from the pool of depth {CHOOSING_POOL} by {pilot.way}, {many}"


def _promise_lines(
    forecast: Forecast, budget: Budget, asked: dict, promised: Interval
) -> list[str]:
    pilot, half = forecast.pilot, (forecast.pilot.topics + 1) // 2
    by, of = "tau-b with their order", "With their order"
    if pilot.top is not None:
        by, of = f"also in the top {pilot.top}", f"In the top {pilot.top}"
    most = expected(forecast, **asked, systems=budget.systems, kind="limit")
    other = expected(forecast, **asked, systems=budget.systems, others=True)
    lines = [
        f"Expected {pilot.promises} {ends(promised)}: {by} by {pilot.aim}, all judgements, on "
        f"{half} other topics.",
        f"{of} on unlimited topics (simulated): {ends(most)}.",
    ]
    if forecast.spread.any():
        span = f"{other.low:.2f} to {other.high:.2f}"
        lines.append(f"These intervals are over topics. Over other systems as well: {span}.")
    return lines


def ends(interval: Interval) -> str:
    """Write a promise with its interval."""
    return f"{interval.estimate:.2f}, 95% interval {interval.low:.2f} to {interval.high:.2f}"


def _pair_line(forecast: Forecast, plan: pd.Series, difference: float | None) -> str:
    deviation, topics = float(forecast.deviation[int(plan["setting"])]), int(plan["topics"])
    measure = plan["measure"]
    refuse_difference("difference", difference, measure)
    least = difference_in_print(detectable(deviation, topics), measure, topics)
    text = (
        f"One pair: a t test finds a {'ratio' if is_ratio(measure) else 'difference'} of "
        f"{least:.3f} by {measure} with a statistical power of {POWER:.0%} (the median pair of the "
        "pilot)"
    )
    if difference is None:
        return text + "."
    share = better_wins(difference, deviation, topics)
    return text + f"; at a difference of {difference:g} the better one is ahead with {share:.0%}."


def _lead_lines(pilot: Design, topics: int) -> list[str]:
    """Say whether another measure tells the order by the aim better, where the book has its law."""
    if pilot.top is not None:
        return []
    leads = {
        measure: np.array([law.lead(topics)[0, 1] for law in laws.values()])
        for measure in ("AP", "P@10", "RR")
        if (laws := older_laws(measure, pilot.aim))
    }
    if not leads:
        return []
    best = max(leads, key=lambda measure: leads[measure].mean())
    mean, spread = leads[best].mean(), leads[best].std(ddof=1)
    way, aim = "better" if mean > 0 else "worse", pilot.aim
    return [
        f"By the law of leads, with {topics} topics {best} tells the order by {aim} on other "
        f"topics {abs(mean):.2f} {way} than {aim} does: the mean of {len(leads[best])} "
        f"collections, deviation {spread:.2f}; `foretell` asks yours."
    ]


def _other_lines(others: pd.DataFrame) -> list[str]:
    lines = []
    for title, rows in (
        ("Not to be distinguished from it:", others[others["alike"]]),
        ("Worse, at no more cost:", others[~others["alike"]]),
    ):
        if len(rows):
            lines.append(title)
        form = "  {measure}, {topics} topics, depth {depth}: {phi:.2f}"
        lines += [form.format_map(row) for row in rows.to_dict("records")]
    return lines


def _nearest(rows: pd.DataFrame, depth: int) -> tuple[int, pd.DataFrame]:
    """Return the tried depth next to one, and its rows of a study's table."""
    tried = rows.index.unique("depth")
    next_to = tried[np.abs(np.log(tried / depth)).argmin()]
    return next_to, rows.xs(next_to, level="depth")


def _ways_lines(pilot: Design, depth: int) -> list[str]:
    """Say what other ways to choose as many documents gained where they were tried."""
    depth, rows = _nearest(keyed("ways"), depth)
    titles = {name: short_title(name) for name in rows.index.unique("collection")}
    mine = "among them" if pilot.title in titles.values() else "not among them"
    lines = [
        "Other ways to choose as many documents: gain in predictive power for AP over the pool of "
        f"depth {depth}, simulated on half of the topics of five collections (your pilot is "
        f"{mine}); * if its 95% interval over topics excludes 0:"
    ]
    for way in list(WAYS)[1:]:
        measure = ESTIMATED.get(way, "AP")
        gained = rows.xs((way, measure), level=["way", "measure"])
        star = np.where(above().decides(gain_interval(gained)), "*", "")
        gains = gained.index.map(titles) + gained["gain"].map(" {:+.3f}".format) + star
        lines.append(f"  {way}, by {measure}: {', '.join(gains)}")
    return lines


def _uncertain(
    forecast: Forecast, budget: Budget, plan: pd.Series, promised: Interval
) -> list[str]:
    pilot, half = forecast.pilot, forecast.pilot.topics // 2
    lines = []
    if promised.high - promised.low > _WIDE:
        lines.append(
            "The interval is too wide to plan by: take a pilot of more topics, or judge some "
            "topics first and plan again."
        )
    if plan["topics"] > half:
        lines.append(
            f"The pilot shows up to {half} topics; what {plan['topics']} would show is read off a "
            "curve beyond them. The back-test tried such curves up to 200 topics."
        )
    if pilot.top is not None and not 5 <= pilot.top <= 10:
        lines.append(
            "Tried on Robust 2004, such curves held for the top 5 and 10; with 200 topics they "
            "promise too much for the top 3 and too little for the top 20."
        )
    systems = budget.systems or pilot.systems
    if systems > pilot.systems:
        lines.append(
            f"The pilot has {pilot.systems} systems: {systems} bring more documents than it says."
        )
    elif systems < forecast.sizes[0]:
        lines.append(f"For {systems} systems it is said what {forecast.sizes[0]} would show.")
    if not pilot.pooled:
        lines.append(
            f"{pilot.title} was not judged as a pool of some depth: its pools are made again "
            "within what was judged, and deeper ones are left out."
        )
    lines.append(_left_out(plan, pilot.way))
    lines.append(
        "The promise is for the best 75% of the systems; systems more alike are harder to order, "
        "and other kinds of topics may spread them differently."
    )
    return [one for one in lines if one]


def _left_out(plan: pd.Series, way: str) -> str:
    """Say what the promise is worth for a system that came later, where that was tried."""
    rows = keyed("ways").dropna(subset="outside").xs(way, level="way")
    if plan["measure"] not in rows.index.unique("measure"):
        return "It holds for systems that contribute to the pool; later ones are placed less well."
    depth, rows = _nearest(rows.xs(plan["measure"], level="measure"), plan["depth"])
    less = rows["flattery"]
    return (
        "It holds for systems that contribute to the pool. One that comes later is placed less "
        f"well: by {less.min():z.2f} to {less.max():.2f} with {plan['measure']} and depth {depth} "
        "on the book's collections."
    )
