"""The tables of the chapter on numbers of topics, the planner, the papers and what is claimed."""

from collections.abc import Mapping

import pandas as pd

from lib.display.tables import DASH, minus_signs
from lib.papers import papers as all_papers
from lib.studies.spending.claims import claims
from lib.studies.spending.pilot import Told
from lib.studies.spending.planner import Budget, choose
from lib.studies.spending.read import read
from lib.studies.spending.shown import short_title
from lib.studies.spending.standing import advised


def needed(source: str = "trec8") -> pd.DataFrame:
    """Return what comparisons of two systems of a source can tell, measure by measure."""
    table = read("needs").query("source == @source").set_index("measure")
    names = {
        "deviation": "deviation",
        "half_width": "half-width",
        "power": "power",
        "needed": "topics",
        "power_all": "power, all pairs",
        "needed_all": "topics, all pairs",
    }
    return table[list(names)].rename(columns=names).sort_values("topics")


def told_apart() -> pd.DataFrame:
    """Return how many pairs each method tells apart, and what other topics say of these."""
    table = read("turns").query("topics == 50 or source == 'trec8'")
    table = table.assign(collection=[short_title(name) for name in table["source"]])
    columns = ["topics", "others", "significant", "again", "turned", "against"]
    return table.set_index(["collection", "measure", "method"])[columns].sort_index(
        level="collection", ascending=False, sort_remaining=False, kind="stable"
    )


def plans(told: Told, budgets: Mapping[str, Budget]) -> pd.DataFrame:
    """Return the plan for each of some budgets."""
    rows = {name: choose(told, budget) for name, budget in budgets.items()}
    table = pd.DataFrame(rows).T[["topics", "depth", "measure", "judgements", "phi"]]
    table = table.astype({"topics": int, "depth": int, "judgements": int, "phi": float})
    return table.rename(columns={"phi": "predictive power"}).rename_axis("what is paid")


def coverage() -> pd.DataFrame:
    """Return the back-test's promises, what was seen, and how often the interval held it."""
    table = read("backtest").assign(title=lambda t: t["collection"].map(short_title))
    names = {
        "promised": "promised",
        "seen": "seen",
        "coverage": "held",
        "widened": "held, widened",
        "reach": "reach",
        "plan": "plan",
    }
    index = ["title", "topic_cost", "share"]
    table = table.astype({"topic_cost": int}).set_index(index)[list(names)]
    table["plan"] = [_words(plan) for plan in table["plan"]]
    return table.rename(columns=names).rename_axis(["collection", "topic's price", "budget"])


def _words(plan: str) -> str:
    depth, measure, topics = plan.split()
    return f"{measure}, {topics} × {depth}"


def papers() -> pd.DataFrame:
    """Return how many topics the papers' comparisons have had, and how many they need."""
    titles = {name: paper.title for name, paper in all_papers().items()}
    table = advised().replace({"paper": titles})
    names = {"needed_all": "all pairs", "half_width": "half-width"}
    return table.set_index(["paper", "measure"]).rename(columns=names)


def listed() -> pd.DataFrame:
    """Return the sentences of the chapter with the number behind each."""
    found = claims()
    ends = [
        DASH if pd.isna(low) else " to ".join(minus_signs(f"{end:.3f}") for end in (low, high))
        for low, high in zip(found["low"], found["high"])
    ]
    return pd.DataFrame(
        {
            "number": found["number"].to_numpy(),
            "95% interval": ends,
            "over": found["over"].to_numpy(),
            "holds": found["holds"].to_numpy(),
        },
        index=pd.Index(found["says"], name="what is said"),
    )
