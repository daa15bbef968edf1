"""The numbers in the text of the foundations, a function a section: name to what is shown."""

from collections.abc import Mapping

import pandas as pd

from lib.collection import Collection
from lib.statistics.correlation import kendall
from lib.teaching.foundations.by_hand import JUDGED, RANKED
from lib.teaching.foundations.many import BY_NAME
from lib.teaching.foundations.pools import LISTS, pool, precision_bounds
from lib.teaching.foundations.rankings import FIVE, TIED

__all__ = ["agreement", "by_hand", "collection", "effect", "lost", "many", "pooled", "tau", "test"]

ORDINALS = {2: "second", 5: "fifth", 20: "twentieth"}


def collection(found: Collection) -> dict[str, str]:
    """Return how large a collection is."""
    topics = found.topics
    return {
        "systems": f"{len(found.systems)}",
        "topics": f"{len(topics)}",
        "judged": f"{topics['judged'].sum():,}",
        "judged-topic": f"{topics['judged'].mean():,.0f}",
        "relevant-topic": f"{topics['relevant'].mean():.0f}",
        "relevant-least": f"{topics['relevant'].min()}",
        "relevant-most": f"{topics['relevant'].max()}",
    }


def by_hand(scores: pd.Series, dcg: float) -> dict[str, str]:
    """Return what the list scores, and its DCG with that of the best list."""
    low, high = precision_bounds(RANKED, JUDGED, 10)
    names = {
        "P@5": "p5",
        "P@10": "p10",
        "R@10": "r10",
        "AP": "ap",
        "RR": "rr",
        "nDCG": "ndcg",
        "RBP(p=0.8,rel=1)": "rbp",
    }
    shown = {f"hand-{short}": f"{scores[name]:.3f}" for name, short in names.items()}
    return shown | {
        "hand-dcg": f"{dcg:.3f}",
        "hand-ideal": f"{dcg / scores['nDCG']:.3f}",
        "hand-low": f"{low:.1f}",
        "hand-high": f"{high:.1f}",
    }


def pooled() -> dict[str, str]:
    """Return the pool of the toy, and what the system that comes later may score."""
    fed = {name: ranked for name, ranked in LISTS.items() if name != "later"}
    judged = {d: int(d.startswith("r")) for d in pool(fed, 2)}
    low, high = precision_bounds(LISTS["later"], judged, 4)
    return {
        "pool": ", ".join(judged),
        "pool-size": str(len(judged)),
        "later-low": f"{low:.2f}",
        "later-high": f"{high:.2f}",
        "later-true": f"{sum(d.startswith('r') for d in LISTS['later']) / 4:.2f}",
    }


def lost(tables: Mapping[int, pd.DataFrame]) -> dict[str, str]:
    """Return what automatic and manual runs lose without their group: pool depth to table."""
    shown: dict[str, str] = {}
    for depth, table in tables.items():
        for kind, rows in table.groupby("type"):
            shown[f"lost-{depth}-{kind}"] = f"{rows['loss'].mean():.1%}"
        shown[f"lost-{depth}-most"] = f"{table['loss'].max():.0%}"
    return shown


def test(table: pd.DataFrame) -> dict[str, str]:
    """Return the comparisons of the best system with three others."""
    shown: dict[str, str] = {}
    for place, row in table.iterrows():
        word = ORDINALS[place]
        shown |= {
            f"{word}-system": row["system"],
            f"{word}-mean": f"{row['mean']:.3f}",
            f"{word}-deviation": f"{row['deviation']:.3f}",
            f"{word}-error": f"{row['error']:.3f}",
            f"{word}-interval": f"{row['low']:.3f} to {row['high']:.3f}".replace("-", "\u2212"),
            f"{word}-t": f"{row['t']:.2f}",
            f"{word}-p": _p(row["p"]),
            f"{word}-effect": f"{row['effect']:.2f}",
            f"{word}-topics": f"{row['topics needed']:.0f}",
        }
    return shown


def _p(value):
    """Return a p value for a sentence; one below .001 as that."""
    return "below .001" if value < 0.001 else f"{value:.3f}".lstrip("0")


def effect(table: pd.DataFrame, nulls: pd.DataFrame) -> dict[str, str]:
    """Return the least and greatest shares of significant results without a difference."""
    shares = nulls["false among these"]
    return {"null-least": f"{shares.min():.0%}", "null-most": f"{shares.max():.0%}"} | test(table)


def many(table: pd.DataFrame) -> dict[str, str]:
    """Return the counts of the many tests."""
    pairs = table["pairs"].iloc[0]
    return {
        "pairs": f"{pairs:,}",
        "chance": f"{table['by chance'].iloc[0]:.0f}",
        "ap-plain": f"{table.loc['AP', 'p < .05']:,}",
        "ap-holm": f"{table.loc['AP', 'after Holm']:,}",
        "ap-lost": f"{table.loc['AP', 'p < .05'] - table.loc['AP', 'after Holm']:,}",
        "name-holm": f"{table.loc[BY_NAME, 'after Holm']:,}",
        "strictest": f"{0.05 / pairs:.6f}",
    }


def tau() -> dict[str, str]:
    """Return tau of the five systems, and both variants with a tie."""
    return {
        "tau-five": f"{kendall(FIVE['one'], FIVE['other'], variant='a'):.1f}",
        "tau-tied-a": f"{kendall(TIED['one'], TIED['other'], variant='a'):.2f}",
        "tau-tied-b": f"{kendall(TIED['one'], TIED['other'], variant='b'):.2f}",
    }


def agreement(found: Mapping) -> dict[str, str]:
    """Return how far two measures agree on all systems, and on the best."""
    return {
        "agree-tau": f"{found['tau']:.2f}",
        "agree-pairs": f"{found['pairs']:,}",
        "agree-conflicts": f"{found['disagree']:,}",
        "agree-share": f"{found['disagree'] / found['pairs']:.1%}",
        "agree-top": f"{found['top']:.2f}",
        "agree-top-conflicts": str(found["top disagree"]),
        "agree-top-pairs": str(found["top pairs"]),
        "agree-fallen": str(found["fallen"]),
        "agree-fallen-from": str(found["from"]),
        "agree-fallen-to": str(found["to"]),
        "agree-first": str(found["first"]),
        "agree-place": str(found["place"]),
    }
