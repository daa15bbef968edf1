"""Draws what ``make bench`` measured: our time beside that of others, for the page of the commands.

``python book/make_speed.py`` writes ``book/speed.html``, which stands in the page as it is.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from lib.display import figures
from lib.paths import DATA

PAGE = Path(__file__).with_name("speed.html")
# The works; of each, what data/bench.json calls it and those who do it beside us.
WORKS = {
    "129 files to 38 scores": {
        "files-pytrec_eval": {"peer": "pytrec_eval", "limit": "reading bytes"},
        "files-ir_measures": {"peer": "ir_measures"},
        "files-ranx": {"peer": "ranx"},
    },
    "derived runs to 38 scores": {"evaluation": {"peer": "pytrec_eval"}},
    "5 pools at 8 depths": {"pools": {"peer": "pytrec_eval"}},
    "predictive power": {"phi": {"peer": "scipy", "numpy": "numpy"}},
    "t tests of all pairs": {"t-tests": {"peer": "scipy", "numpy": "numpy"}},
    "permutation tests": {"permutation": {"peer": "scipy", "numpy": "numpy"}},
}
OURS = "ours"
CAPTION = (
    "Our commands and functions take less CPU time than their peers. Left: filled dots are ours, "
    "open ones others', named under the pointer; reading the bytes alone is the limit. Right: "
    "`evaluate --summary` of one run, beside ir_measures."
)
ALT = (
    "Six works on a logarithmic axis of CPU seconds, ours left of all but reading alone; and "
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
    found = json.loads((DATA / "bench.json").read_text(encoding="utf-8"))["figures"]
    works, topics = seconds(found), by_topics(found["summary-topics"])
    places = np.arange(len(works))
    with figures.subplots(1, 2, width="wide", height=3.2) as (drawing, (left, right)):
        for tool, of in works.items():
            fill = figures.INK if tool == OURS else "white"
            look = {"color": figures.INK, "markersize": 6, "markerfacecolor": fill}
            there = of.notna().to_numpy()
            names = [tool] * there.sum()
            figures.draw_dots(left, of[there], places[there], names, **look, markeredgecolor="k")
        figures.label_rows(left, works.index)
        figures.log_axis(left, [0.01, 0.1, 1, 10, 100, 1000], form="g")
        left.set(xlabel="CPU seconds")
        figures.draw_lines(right, topics)
        figures.log_axis(right, topics.index, form=",")
        right.set(xlabel="topics", ylabel="CPU seconds", ylim=(0, None))
        figures.label_lines(right)
    return figures.Figure(drawing, caption=CAPTION, alt=ALT, data=works, formats=".3g")


def page() -> str:
    """Return the figure as it stands in the page."""
    return figure().to_html() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
