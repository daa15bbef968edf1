"""What ``make bench`` measured, our time and that of others: the figure of a page."""

import json
from typing import Any

import numpy as np
import pandas as pd

from lib.display import figures
from lib.paths import DATA

MEASURED = DATA / "bench.json"
# The works; of each, what data/bench.json calls it and those who do it beside us.
WORKS = {
    "files to scores": {
        "files-pytrec_eval": {"peer": "pytrec_eval", "limit": "reading bytes"},
        "files-ir_measures": {"peer": "ir_measures"},
        "files-ranx": {"peer": "ranx"},
    },
    "derived runs to scores": {"evaluation": {"peer": "pytrec_eval"}},
    "pools and depths": {"pools": {"peer": "pytrec_eval"}},
    "predictive power": {"phi": {"peer": "scipy", "numpy": "numpy"}},
    "t tests of all pairs": {"t-tests": {"peer": "scipy", "numpy": "numpy"}},
    "permutation tests": {"permutation": {"peer": "scipy", "numpy": "numpy"}},
}
OURS = "ours"
CAPTION = (
    "CPU seconds of the same work, ours and others'. Above: filled dots are ours, open ones those "
    "of other tools, of a plain loop of numpy and of reading the bytes alone, each named under the "
    "pointer and in the table. Below: the means of one run, by the number of its topics; what "
    "starts our command weighs until these are many."
)
ALT = (
    "Six works on a logarithmic axis of CPU seconds, ours left of all but reading alone; below, "
    "seconds over 1,000 to 25,000 topics, ours beside ir_measures."
)


def seconds(found: dict[str, Any]) -> pd.DataFrame:
    """Return the median CPU seconds of each work (rows) by each tool (columns)."""
    table = {
        work: {
            name: np.median(found[key][who])
            for key, peers in keys.items()
            for who, name in ({"ours": OURS} | peers).items()
        }
        for work, keys in WORKS.items()
    }
    return pd.DataFrame(table).T


def by_topics(found: dict[str, Any]) -> pd.DataFrame:
    """Return the median CPU seconds of means over topics, by how many these are."""
    rows = {row["topics"]: [np.median(row[who]) for who in ("ours", "peer")] for row in found}
    return pd.DataFrame(rows, index=[OURS, "ir_measures"]).T.rename_axis("topics")


def figure() -> figures.Figure:
    """Return the figure of the page."""
    found = json.loads(MEASURED.read_text(encoding="utf-8"))["figures"]
    works, topics = seconds(found), by_topics(found["summary-topics"])
    places = np.arange(len(works))
    with figures.subplots(2, height=5.2) as (drawing, (above, below)):
        for tool, of in works.items():
            fill = figures.INK if tool == OURS else "white"
            edge = {"markeredgecolor": figures.INK, "markeredgewidth": 1}
            look = {"color": fill, "markersize": 6, "alpha": 1} | edge
            there = of.notna().to_numpy()
            names = [tool] * there.sum()
            words = [f"{work} in {used:.3g} CPU seconds" for work, used in of[there].items()]
            figures.draw_dots(above, of[there], places[there], names, words=words, **look)
        figures.label_rows(above, works.index)
        figures.log_axis(above, [0.01, 1, 100], form="g")
        above.set(xlabel="CPU seconds")
        figures.draw_lines(below, topics)
        figures.log_axis(below, [1000, 3000, 10_000, 30_000], form=",")
        below.set(xlabel="topics", ylabel="CPU seconds", ylim=(0, None))
        figures.label_lines(below)
    return figures.Figure(drawing, caption=CAPTION, alt=ALT, data=works, formats=".3g")
