"""The numbers that the text on runs outside the pool shows beside its tables and claims."""

from math import comb

from chapters.left_out import tables
from chapters.left_out.tables import by_run
from lib.collection import load
from lib.display.prose import named

_MIDDLE = "25% to 50%"  # of unjudged documents, where kinds of runs are set side by side


def quoted() -> dict[str, str]:
    """Return what the text on runs outside the pool quotes, by name."""
    return _lost() | _plainly() | _unjudged()


def _lost() -> dict[str, str]:
    """Quote what runs lose outside the pool, and the run near the top that falls most."""
    losses = tables.losses_by_kind()
    shares = losses.query("collection in ('trec8', 'trec-covid') and depth in (10, 100)")
    shares = shares.query("kind == 'all' or measure == 'AP'").dropna(subset="share")
    manual, deep = (losses.loc[("trec8", "manual", depth, "AP")] for depth in (10, 100))
    runs = by_run().query("collection == 'trec8'").set_index("run").sort_index()
    fall = (runs["place outside"] - runs["place inside"]).sort_values(kind="stable")
    top = runs.loc[runs.loc[fall.index[-5:], "place inside"].idxmin()]
    pairs = comb(len(load("trec8").systems), 2)
    return {
        **named("sp-lost", tables.in_percent(shares)),
        **named("sp-best", top[["place inside", "place outside"]]),
        "sp-best": str(top.name),
        "sp-pairs": f"{pairs:,.0f}",
        "sp-tau": f"{1 - 2 * fall[top.name] / pairs:.3f}",  # if no other run moved
        "sp-manual-groups": f"{deep['groups']:.0f}",
        "sp-places": f"{manual['most']:.0f}",
    }


def _plainly() -> dict[str, str]:
    """Quote losses without their intervals, which stand beside them in a picture or a table."""
    losses, ends = tables.losses_by_kind(), [5, 10, 100]
    ap = losses.xs("AP", level="measure").loc[["trec8"]]
    ap = ap[ap.index.get_level_values("depth").isin(ends)]
    five = losses.xs(("all", 10), level=["kind", "depth"])["share"].unstack("measure")
    times = five["P@10"] / five["AP"]
    every, manual = (losses.loc[("trec8", kind, 10, "AP")] for kind in ("all", "manual"))
    return {
        **named("sp-plain", ap["share"], ".1%"),
        **named("sp-five", five["AP"].agg(["min", "max"]), ".1%"),
        **named("sp-five-times", times.agg(["min", "max"]), ".1f"),
        "sp-trec8-runs": f"{every['runs']:.0f}",
        "sp-manual-runs": f"{manual['runs']:.0f}",
        "sp-mean-places": f"{every['places']:.1f}",
    }


def _unjudged() -> dict[str, str]:
    """Quote what runs lose that have few and many unjudged documents on top."""
    runs = by_run().query("collection == 'trec8' and bin == @_MIDDLE")
    numbers = named("sp-unjudged", tables.by_unjudged()[["AP, median", "AP, worst"]], ".1%")
    return numbers | named("sp-middle", runs.groupby("type")["lost"].median(), ".1%")
