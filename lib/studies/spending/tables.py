"""The tables of the chapter on spending judgements."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from lib.collection import about
from lib.display.prose import between
from lib.display.tables import DASH, minus_signs
from lib.measures import Scores
from lib.statistics.jackknife import Interval, groups, topic_jackknife
from lib.statistics.power import deviations, half_width, power
from lib.statistics.significance import t_test
from lib.statistics.student import t_statistic
from lib.studies.committed import read
from lib.studies.spending.agreement import along
from lib.studies.spending.claims import SURE, claims
from lib.studies.spending.pilot import Pilot, Told
from lib.studies.spending.planner import Budget, choose

SHARES = [0, 0.1, 0.25, 0.5, 1]  # of unjudged documents, between which runs are summed up
DEPTH = 10  # of the pools that single numbers are of
ALPHA = 0.05
PREDICTORS = ("AP", "nDCG@20", "P@10")  # measures that predict the order by AP
# What plans are set beside: AP on the pool of depth 10, of as many topics as the budget pays; P@10
# on that pool; AP on all topics, from the deepest pool that the budget pays.
BASELINES = ("AP of depth 10", "P@10", "AP of all topics")
BUDGETS = (500, 1000, 2500, 5000, 10_000)  # judgements
JUDGED = 86_830  # documents of TREC-8's 50 topics that NIST judged


def short_title(name: str) -> str:
    """Return what a collection of the book is called.

    >>> short_title("trec-covid")
    'TREC-COVID'
    """
    return str(about(name)["short_title"])


def with_error(value: float, error: float, form: str = "") -> str:
    """Write a number with its 95% interval.

    Examples
    --------
    >>> with_error(0.0108, 0.0014, "%"), with_error(0.035, 0.014)
    ('1.1% [0.8, 1.4]', '+0.035 [+0.008, +0.062]')
    """
    low, high = value - SURE * error, value + SURE * error
    if form != "%":
        return between(value, low, high)
    return minus_signs(f"{value:.1%} [{100 * low:.1f}, {100 * high:.1f}]").replace("[-", "[−")


def lost(collection: str) -> pd.DataFrame:
    """Return what runs of each kind lose by each measure outside the pool of a depth."""
    table = read("spending", "losses").query("collection == @collection and depth == @DEPTH")
    table = table.dropna(subset="share").set_index(["measure", "kind"])
    shares = {
        (measure, f"{kind} ({row['runs']:.0f} runs)"): with_error(
            row["share"], row["error_groups"], "%"
        )
        for (measure, kind), row in table.iterrows()
        if kind != "all"
    }
    every = table.xs("all", level="kind")
    kinds = pd.Series(shares).unstack(sort=False)
    return kinds.loc[every.index].join(every[["places", "most"]]).rename_axis("measure")


def by_run(measure: str = "AP") -> pd.DataFrame:
    """Return what each run loses, and how many of its first ten documents are unjudged."""
    table = read("spending", "runs").query("depth == @DEPTH").set_index(["collection", "run"])
    of = dict(list(table.groupby("measure")))
    scored, unjudged = of[measure], of["unjudged@10"]["outside"]
    bins = [f"{low:.0%} to {high:.0%}" for low, high in zip(SHARES, SHARES[1:])]
    found = scored[["type", "inside", "outside"]].assign(
        manual=scored["type"] == "manual",
        unjudged=unjudged,
        bin=pd.cut(unjudged, SHARES, labels=bins, include_lowest=True),
        lost=1 - scored["outside"] / scored["inside"],
        **{f"place {side}": scored[f"rank_{side}"].astype(int) for side in ("inside", "outside")},
    )
    found = found.reset_index()
    found.insert(1, "title", found["collection"].map(short_title))
    return found[found["lost"].notna()].sort_values(
        "collection", key=lambda names: names != "trec8", kind="stable"
    )


def by_unjudged() -> pd.DataFrame:
    """Sum up what runs lose by how many of their first ten documents are unjudged."""
    columns = {}
    for measure in ("AP", "P@10"):
        parts = by_run(measure).groupby(["title", "bin"], observed=True)
        columns["runs"] = parts.size()
        columns[f"{measure}, median"] = parts["lost"].median()
        columns[f"{measure}, worst"] = parts["lost"].max()
    table = pd.DataFrame(columns).rename_axis(["collection", "unjudged to rank 10"])
    return table.loc[["TREC-8", "TREC-COVID"]]


def cheapest(collection: str, side: str) -> pd.DataFrame:
    """Return the settings of pools of a depth that nothing cheaper is as good as."""
    table = read("spending", "ways").query("collection == @collection and way == 'depth'")
    parts = []
    for measure in PREDICTORS:
        part = table[table["measure"] == measure].rename(columns={side: "value"})
        part = part.sort_values(["judgements", "value"], ascending=[True, False])
        best = part["value"].cummax().shift(fill_value=-np.inf)
        parts.append(part[part["value"] > best])
    columns = ["measure", "topics", "depth", "judgements", "value"]
    return pd.concat(parts, ignore_index=True)[columns]


def best_buys() -> pd.DataFrame:
    """Return the best that budgets buy from pools of a depth, inside and outside."""
    rows = {}
    for collection in ("trec8", "trec-covid"):
        for budget in BUDGETS:
            row = {}
            for side, who in (("inside", "in the pool"), ("outside", "later")):
                table = cheapest(collection, side)
                best = table[table["judgements"] <= budget].nlargest(1, "value").iloc[0]
                row[who] = f"{best['measure']}, {best['topics']} × {best['depth']}"
                row[f"placed {who}"] = best["value"]
            rows[short_title(collection), budget] = row
    index = ["collection", "judgements"]
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(index)


def ways(*, depth: int = 5) -> pd.DataFrame:
    """Return what each way of choosing gains on each collection, by AP or inferred AP."""
    table = read("spending", "ways").query("depth == @depth and way != 'depth'")
    table = table[table["topics"] == table.groupby("collection")["topics"].transform("max")]
    table = table[table["measure"] == np.where(table["way"] == "sample", "infAP", "AP")]
    gains = {"gain": "gain", "later": "outside_gain"}
    columns = {
        name: [
            DASH if pd.isna(value) else with_error(value, error)
            for value, error in zip(table[column], table[f"{column}_error"])
        ]
        for name, column in gains.items()
    }
    found = table[["judgements", "phi"]].rename(columns={"phi": "predicts"}).assign(**columns)
    index = [[short_title(name) for name in table["collection"]], table["way"]]
    return found.set_index(index).rename_axis(["collection", "way"])


def five(*, measures: Sequence[str] = ("AP", "nDCG@20", "P@10")) -> pd.DataFrame:
    """Return what runs of five collections lose outside a pool of depth 10."""
    table = read("spending", "losses").query("kind == 'all' and depth == @DEPTH")
    table = table.set_index(["collection", "measure"])
    rows = {}
    for name in dict.fromkeys(table.index.get_level_values("collection")):
        row = table.loc[name]
        rows[short_title(name)] = {
            "pool": "simulated" if row["simulated"].all() else "real",
            "groups": int(row.loc["AP", "groups"]),
            **{
                m: with_error(row.loc[m, "share"], row.loc[m, "error_groups"], "%")
                for m in measures
            },
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("collection")


def needed(source: str = "trec8") -> pd.DataFrame:
    """Return what comparisons of two systems of a source can find, measure by measure."""
    names = {
        "deviation": "deviation",
        "half_width": "half-width",
        "spread": "one SD",
        "needed": "topics for one SD",
        "design": "Sakai's design",
        "of_ap": "topics for AP's .05",
        "needed_05": "topics for .05",
        "needed_all": "one SD, all pairs",
    }
    table = read("spending", "needs").query("source == @source").set_index("measure")
    return table[list(names)].rename(columns=names).sort_values("topics for one SD")


def power_check(
    scores: Scores, *, sizes: Sequence[int], number: int = 200, seed: int = 2004
) -> pd.DataFrame:
    """Set the power that the formula promises beside the share of pairs that topics find."""
    values = scores.to_numpy(dtype=float)
    topics = len(values)
    spread = deviations(values)
    size_of = np.abs(t_statistic(values)) * spread / np.sqrt(topics)
    kept = spread > 0
    rows = []
    for size in sizes:
        rng = np.random.default_rng([seed, size])
        less = np.sqrt(1 - size / topics)
        critical = half_width(1.0, size) * np.sqrt(size)
        promised = power(size_of[kept] / less, spread[kept], size, critical=critical / less)
        hits = np.zeros(kept.sum())
        for _ in range(number):
            part = rng.permutation(topics)[:size]
            hits += (t_test(values[part]) < ALPHA)[kept]
        found = hits / number
        tenth = np.array_split(np.argsort(promised), 10)
        gaps = [abs(promised[part].mean() - found[part].mean()) for part in tenth]
        rows.append(
            {"topics": size, "promised": promised.mean(), "found": found.mean(), "worst": max(gaps)}
        )
    return pd.DataFrame(rows).set_index("topics")


def significant_pairs() -> pd.DataFrame:
    """Return how many pairs each method calls different, and what other topics say of these."""
    table = read("spending", "turns").query("topics == 50 or source == 'trec8'")
    table = table.assign(collection=[short_title(name) for name in table["source"]])
    columns = ["topics", "others", "significant", "again", "turned", "against"]
    return table.set_index(["collection", "measure", "method"])[columns].sort_index(
        level="collection", ascending=False, sort_remaining=False, kind="stable"
    )


def plans(told: Told, budgets: Mapping[str, Budget]) -> pd.DataFrame:
    """Return the plan for each of some budgets."""
    rows = {name: choose(told, budget) for name, budget in budgets.items()}
    table = pd.DataFrame(rows).T[["topics", "depth", "measure", "judgements", "phi", "limit"]]
    kinds = {"topics": int, "depth": int, "judgements": int, "phi": float, "limit": float}
    names = {"phi": "25 other topics", "limit": "endlessly many"}
    return table.astype(kinds).rename(columns=names).rename_axis("what is paid")


def coverage() -> pd.DataFrame:
    """Return the back-test's promises, what was seen, and how often the interval covered it."""
    table = read("spending", "backtest").rename(columns={"coverage": "covered", "held": "held out"})
    table["collection"] = table["collection"].map(short_title)
    columns = ["promised", "seen", "covered", "reach"]
    return table.groupby(["collection", "held out"], sort=False)[columns].mean()


def ahead() -> pd.DataFrame:
    """Return what pilots of few topics promised for many, and what was seen."""
    table = read("spending", "ahead").query("measure == 'AP'")
    table["source"] = table["source"].map(short_title)
    table["kind"] = table["kind"].map({"others": "a few others", "limit": "many others"})
    names = {"source": "collection", "few": "pilot", "topics": "planned", "kind": "order on"}
    table = table.rename(columns=names | {"coverage": "covered"}).set_index([*names.values()])
    return table[["promised", "seen", "covered", "reach"]]


def listed() -> pd.DataFrame:
    """Return the sentences of the chapter with the number behind each."""
    found = claims().set_index("says")
    ends = [
        DASH if pd.isna(low) else " to ".join(minus_signs(f"{end:.3f}") for end in (low, high))
        for low, high in zip(found["low"], found["high"])
    ]
    found.insert(1, "95% interval", ends)
    return found.drop(columns=["low", "high"]).rename_axis("what is said")


def fewer_topics(pilot: Pilot, *, judgements: float = JUDGED, seed: int = 1) -> pd.DataFrame:
    """Settle the closing remark of Webber 2008 as far as it can be, both ways of reading it.

    References
    ----------
    Webber, Moffat, Zobel and Sakai, Precision-at-ten considered redundant, SIGIR 2008.
    """
    told = replace(pilot, parts={}).told(number=200, seed=seed)
    every, pools = pilot.topics // 2, pilot.pools[pilot.systems]
    few = every // 2
    paid = pools[few * pools <= every * pools[10]]
    plan = choose(told, Budget(judgements=judgements))
    rows = {
        "P@10 on all topics": ("P@10", every, 10),
        "AP on the same": ("AP", every, 10),
        "as many judgements": ("AP", few, int(paid.index.max())),
        "whatever it costs": ("AP", few, int(pools.index.max())),
        "as planned": (plan["measure"], int(plan["topics"]), int(plan["depth"])),
    }
    table = pd.DataFrame.from_dict(rows, orient="index", columns=["measure", "topics", "depth"])
    settings = [pilot.setting(row.depth, row.measure) for row in table.itertuples()]
    table["judgements"] = (table["topics"] * pools[table["depth"]].to_numpy()).round().astype(int)
    table["phi"] = along(told.curves[-1, settings, 0], table["topics"])
    for row, setting in zip(table.index[1:-1], settings[1:]):
        gain = _gain(pilot, (setting, table["topics"][row]), (settings[0], every), seed)
        table.loc[row, ["gain", "low", "high"]] = gain.estimate, gain.low, gain.high
    return table.rename_axis("reading")


def _gain(pilot: Pilot, one: tuple[int, int], other: tuple[int, int], seed: int) -> Interval:
    """Return by how much one setting and its topics predict better, with its error over topics."""
    draws = pilot.draws({one[1], other[1]}, number=200, seed=seed)

    def answer(left_out: np.ndarray) -> float:
        first, second = (
            pilot.power(setting, draws[topics].without(left_out))
            for setting, topics in (one, other)
        )
        return first - second

    partings = groups(pilot.topics, times=4, rng=np.random.default_rng(seed))
    return topic_jackknife(answer, pilot.topics, partings=partings)
