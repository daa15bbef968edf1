"""Where the claim on P@10 turns around: measures cut at one depth after another.

On TREC-COVID the deeper a measure looks, the worse it predicts P@10.  Is that the depth, the length
of the lists, the kind of the systems, or the shallow pool?  Each is varied alone.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from lib.collection import DEPTHS, Collection, limits
from lib.display import figures
from lib.display.figures import colour, measure_style
from lib.display.svg import add_tooltips
from lib.measures import complete_scores, top_systems
from lib.papers.webber2008.tables import MEASURES, SEED, SHARE, phi
from lib.statistics.predictivity import of_target, set_sizes, splits

__all__ = ["CUT", "by_depth", "by_kind", "by_pool", "draw_by_depth"]

# Two measures that sum over a list down to a depth; aAP is AP as the pool of that depth sees it.
FAMILIES = {"nDCG": "nDCG(discount=2002,rel=1)@{}", "aAP": "aAP(rel=1)@{}"}
CUT = {
    "P@10": "P@10",
    "aAP@20": "aAP(rel=1)@20",
    "nDCG@20": "nDCG(discount=2002,rel=1)@20",
    "nDCG@100": "nDCG(discount=2002,rel=1)@100",
    "AP": MEASURES["AP"],
    "nDCG": MEASURES["nDCG"],
}
FULL = 0.99  # of the longest list, on average over topics
ENOUGH = 20  # systems of a kind, to be shown


def by_depth(
    collection: Collection,
    *,
    target: str = "P@10",
    depths: Sequence[int] = DEPTHS[1:],
    number: int = 500,
) -> pd.DataFrame:
    """Predict a measure by others that are cut at one depth after another.

    Parameters
    ----------
    collection : Collection
    target : str
        The measure to be predicted.
    depths : sequence of int
    number : int
        Random splits.

    Returns
    -------
    DataFrame, index depth
        Phi of the target by the target ``itself``, by ``nDCG`` and by ``aAP``, which is AP as a
        pool of that depth sees it; ``unjudged``, the share of the documents down to the last
        relevant one that nobody judged.
    """
    cut = {
        (family, depth): name.format(depth) for family, name in FAMILIES.items() for depth in depths
    }
    measures = {"itself": target} | {f"{f}@{k}": name for (f, k), name in cut.items()}
    found = phi(collection, measures, number=number).phi["itself"]
    columns = {f: [found[f"{f}@{k}"] for k in depths] for f in FAMILIES}
    unjudged = limits(collection, depths=depths)["unjudged"].to_numpy()
    return pd.DataFrame(
        {"itself": found["itself"], **columns, "unjudged": unjudged},
        index=pd.Index(depths, name="depth"),
    )


def draw_by_depth(shown: Mapping[str, pd.DataFrame], *, target: str = "P@10") -> figures.Figure:
    """Draw how well a measure is predicted, against the depth of the one that predicts.

    Parameters
    ----------
    shown : dict of str to DataFrame
        Title to what :func:`by_depth` returns.
    target : str

    Returns
    -------
    lib.display.figures.Figure
        A panel a collection.
    """
    with figures.style():
        drawing, axes = figures.subplots(
            1, len(shown), height=2.9, width="wide", sharey=True, squeeze=False
        )
        for ax, (title, table) in zip(axes[0], shown.items()):
            dots: dict = {"color": colour(target), "linestyle": ":", "label": target}
            ax.plot(table.index, table["itself"], **dots)
            for family in FAMILIES:
                line = ax.plot(table.index, table[family], label=family, **measure_style(family))
                add_tooltips(line, family)
            ax.set(xscale="log", title=title, xlabel="depth of the measure (ranks)")
            ax.set_xticks([10, 100, 1000], ["10", "100", "1,000"])
        axes[0, 0].set_ylabel(f"predictive power for {target}")
        for ax in axes[0]:
            figures.label_lines(ax)
    ends = "; ".join(
        f"{title}: nDCG at depth {table.index[0]} {table['nDCG'].iloc[0]:.2f}, at depth "
        f"{table.index[-1]:,} {table['nDCG'].iloc[-1]:.2f}, {target} itself "
        f"{table['itself'].iloc[0]:.2f}"
        for title, table in shown.items()
    )
    return figures.Figure(
        drawing,
        data=pd.concat(shown, names=["collection"]),
        formats=".3f",
        alt=f"Lines of predictive power against depth. {ends}.",
        caption=f"How well measures cut at a depth predict how systems rank by {target} on other "
        f"topics; dotted: {target} itself. aAP is AP, divided by the most that the depth allows.",
    )


def by_kind(collection: Collection, *, target: str = "P@10", number: int = 500) -> pd.DataFrame:
    """Predict a measure among some of the systems: those with full lists, those of each type.

    Parameters
    ----------
    collection : Collection
    target : str
        Label in :data:`CUT`: the measure to be predicted.
    number : int
        Random splits.

    Returns
    -------
    DataFrame, index systems
        ``runs``, of which the best 75% by AP are ranked, and phi of the target by each measure.
    """
    names = collection.systems.index
    length = collection.retrieved.clip(min=0).mean(axis=0)
    kinds = {"all": names, "with full lists": names[length >= FULL * collection.retrieved.max()]}
    types = collection.systems["type"].fillna("")
    kinds |= {kind: names[types == kind] for kind in sorted(set(types) - {""})}
    rows = {}
    for kind, systems in kinds.items():
        if kind == "all" or len(systems) >= ENOUGH:
            part = collection.select(systems=list(systems))
            rows[kind] = {"runs": len(systems), **phi(part, CUT, number=number).phi[target]}
    return pd.DataFrame.from_dict(rows, orient="index").astype({"runs": int}).rename_axis("systems")


def by_pool(
    collection: Collection,
    *,
    target: str = "P@10",
    pools: Sequence[int] = (100, 20, 10, 5, 3),
    number: int = 500,
) -> pd.DataFrame:
    """Predict a measure by others that know only what a shallow pool holds.

    Parameters
    ----------
    collection : Collection
    target : str
        Label in :data:`CUT`: the measure to be predicted, with all judgements.
    pools : sequence of int
        Depths of the pool of all systems.
    number : int
        Random splits.

    Returns
    -------
    DataFrame, index pool
        Phi of the target by each measure.
    """
    kept = top_systems(collection, share=SHARE)
    sought = complete_scores(collection, CUT[target])[kept]
    sets = splits(len(sought), number=number, rng=np.random.default_rng(SEED))
    rows = {}
    for pool in pools:
        judged = collection.pooled(pool)
        known = {label: complete_scores(judged, name)[kept] for label, name in CUT.items()}
        size = set_sizes(collection)[-1]
        rows[pool] = of_target(known, sought, sets, size=size)["phi"]
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("pool")
