"""The page on speed: what ``make bench`` measured, beside what was to be reached."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from lib.display import figures
from lib.display.svg import add_tooltips
from lib.paths import DATA

__all__ = ["GROWTH", "ROWS", "Row", "exponent", "page", "picture"]

FIGURES = DATA / "bench.json"


@dataclass(frozen=True)
class Row:
    """A piece of work that is measured beside a peer's.

    Attributes
    ----------
    work, peer : str
        What is done, and by whom else.
    target : float
        The ratio to reach: of the peer's CPU time to ours, or of ours to the peer's where ``cost``.
    cost : bool
        Whether the peer does less work than we do, so that the ratio is to be small.
    why : str
        What it is that falls short, where this is known.
    """

    work: str
    peer: str
    target: float
    cost: bool = False
    why: str = ""

    def ratios(self, found: Mapping[str, list[float]]) -> np.ndarray:
        """Return the ratio of each round, ascending."""
        ours, peer = np.array(found["ours"]), np.array(found["peer"])
        return np.sort(ours / peer if self.cost else peer / ours)

    def reached(self, ratio: float) -> bool:
        """Return whether a ratio is as good as it was to be."""
        return ratio <= self.target if self.cost else ratio >= self.target


_READING = (
    "most of our time finds the columns, looks for the judged documents and reads the scores, in "
    "this order, and each is a few passes over arrays already"
)
_ERRORS = (
    "since then every comparison has an interval over topics, for which it is computed again "
    "without each of them"
)
_FILES = "129 runs and judgements as files → scores of every topic by"
ROWS = {
    "files-pytrec_eval": Row(f"{_FILES} 38 measures", "pytrec_eval", 4, why=_READING),
    "files-ir_measures": Row(f"{_FILES} 37 of these", "ir_measures", 10, why=_READING),
    "files-ranx": Row(f"{_FILES} 25 of these", "ranx, its compiler warm", 10),
    "evaluation": Row("the same 38 measures from a derived collection", "pytrec_eval", 45),
    "phi": Row("φ of 5 × 5 measures, 2,000 splits, 96 systems", "`scipy.stats.kendalltau`", 60),
    "t-tests": Row(
        "which of 8,256 pairs differ by a t test, 400 times", "`scipy.stats.ttest_rel`", 70
    ),
    "permutation": Row(
        "permutation tests of 8,256 pairs, B = 1,000", "`scipy.stats.permutation_test`", 1300
    ),
    "pools": Row("12 measures × 8 depths × 5 pools", "pytrec_eval, once a pool and depth", 150),
    "help": Row("`python -m lib --help`", "`import numpy, pandas`", 1.2, cost=True),
    "evaluate": Row(
        "`python -m lib evaluate` of a small collection", "`import numpy, pandas`", 2, cost=True
    ),
    "ledger-same": Row(
        "the rows of the ledger that there were then", "commit 58c0608", 3, why=_ERRORS
    ),
    "ledger": Row("`python -m lib ledger`, now with more rows", "commit 58c0608", 3, why=_ERRORS),
    "chapter-1": Row("chapter 1, Run All, since then retold", "commit 58c0608", 3, why=_ERRORS),
}
GROWTH = {
    "lines": ("`derive`", "lines of run files", 1.1),
    "topics": ("`evaluate` by 5 measures, 16 runs", "topics", 1.1),
    "splits": ("φ of 5 × 5 measures, 100 systems", "splits", 1.1),
    "phi": ("φ of 5 × 5 measures, 20 splits", "systems", 2.2),
    "t-tests": ("t tests of all pairs", "systems", 2.2),
    "permutation": ("permutation tests of all pairs, B = 1,000", "systems", 2.2),
}
WAIT = 0.2  # seconds from the change of a control to its picture


@cache
def _found():
    return json.loads(FIGURES.read_text(encoding="utf-8"))


def exponent(rows: list[dict[str, float]]) -> float:
    """Return the slope of log CPU time on log size.

    >>> round(exponent([{"size": n, "seconds": 3 * n**2} for n in (1, 10, 100)]), 3)
    2.0
    """
    size, seconds = ([row[key] for row in rows] for key in ("size", "seconds"))
    return float(np.polyfit(np.log(size), np.log(seconds), 1)[0])


def page() -> str:
    """Return the page in Markdown."""
    figures_of = _found()["figures"]
    lines = [
        "(speed)=",
        "# How fast it is",
        "",
        "What the library does, others do too; this page says how long it takes beside them.",
        "A ratio is the peer's CPU time divided by ours, so that more is better: at 4, we need a "
        "quarter of the time.",
        "Both run in one process with one thread on the same uncompressed files, in turn, the peer "
        "first; the ratio is the median of five rounds, and its range is beside it.",
        "Where all of the peer's work would take hours, it does an even part of it, and its time "
        "is scaled up.",
        "",
        "This page is generated from `data/bench.json`, which `make bench` measures and writes.",
        "",
        "(speed-peers)=",
        "## Beside other tools",
        "",
        *_table(figures_of),
        "",
        *_short(figures_of),
        "",
        "(speed-growth)=",
        "## How cost grows",
        "",
        *_growth(figures_of),
        "",
        "(speed-controls)=",
        "## How long a control takes",
        "",
        *_controls(figures_of),
        "",
        "(speed-machine)=",
        "## Where this was measured",
        "",
        *_place(),
    ]
    return "\n".join(lines) + "\n"


def _table(found):
    yield "| work | beside | to reach | ratio | range | our CPU seconds |"
    yield "|---|---|---:|---:|---:|---:|"
    for key, row in ROWS.items():
        target = f"at most {row.target:g}" if row.cost else f"{row.target:,g}"
        cells = "not measured | – | –"
        if key in found:
            ratios = row.ratios(found[key])
            middle = _round(np.median(ratios))
            mark = middle if row.reached(np.median(ratios)) else f"**{middle}**"
            ours = np.median(found[key]["ours"])
            span = "one round" if len(ratios) == 1 else f"{_round(ratios[0])}–{_round(ratios[-1])}"
            cells = f"{mark} | {span} | {_round(ours)}"
        yield f"| {row.work} | {row.peer} | {target} | {cells} |"


def _short(found):
    """Say where the ratio is not what it should be; it is bold in the table."""
    yield (
        "The commands are held against what they wait for in any case: there the ratio is ours "
        "divided by the imports', and less is better."
    )
    missed = {
        key: float(np.median(row.ratios(found[key])))
        for key, row in ROWS.items()
        if key in found and not row.reached(np.median(row.ratios(found[key])))
    }
    if not missed:
        yield "Every ratio is reached."
        return
    yield f"{len(missed)} of {len(ROWS)} fall short, in bold above:"
    yield ""
    for key, ratio in missed.items():
        row = ROWS[key]
        why = f" ({row.why})" if row.why else ""
        yield f"- {row.work}, beside {row.peer}: {_round(ratio)}, to reach {row.target:,g}{why}."


def _growth(found):
    yield (
        "Sizes were made from real data: lines are TREC-8's runs under more and more names, "
        "topics and systems are drawn from its own."
    )
    yield (
        "An exponent of 1 says that twice the size takes twice the time; all pairs of systems "
        "cannot take less than 2."
    )
    yield "Each size ran in a process of its own, whose peak of memory includes the libraries."
    yield ""
    yield "| work | in | from | to | exponent | at most | peak memory |"
    yield "|---|---|---:|---:|---:|---:|---:|"
    for key, (work, unit, most) in GROWTH.items():
        if (rows := found.get(f"growth-{key}")) is None:
            continue
        ends = f"{rows[0]['size']:,} | {rows[-1]['size']:,}"
        peak = f"{rows[0]['megabytes']:,.0f} → {rows[-1]['megabytes']:,.0f} MB"
        yield f"| {work} | {unit} | {ends} | {exponent(rows):.2f} | {most} | {peak} |"
    if rows := found.get("growth-lines"):
        row = min(rows, key=lambda row: abs(row["size"] - 8_000_000))
        yield ""
        yield (
            f"`derive` of {row['size']:,} lines stays within {row['megabytes']:.0f} MB; it was to "
            "be 300 MB for 8 million."
        )
    yield from ("", "```{raw} html", picture()._repr_html_().strip(), "```")


def _controls(found):
    yield (
        "A chapter was run in a kernel as far as its control, and the messages were sent to it "
        "that a browser sends; the clock ran until the picture had come back."
    )
    yield (
        f"95 of 100 changes should take less than {1000 * WAIT:.0f} ms; the ratio is that time "
        "divided by what was measured."
    )
    yield ""
    yield "| control | median | 95 of 100 within | ratio |"
    yield "|---|---:|---:|---:|"
    for key, waits in found.items():
        kind, *name = key.split("-", 2)
        if kind == "control":
            ratio = WAIT / waits["95%"]
            mark = _round(ratio) if ratio >= 1 else f"**{_round(ratio)}**"
            times = " | ".join(f"{1000 * waits[part]:.0f} ms" for part in ("median", "95%"))
            yield f"| chapter {int(name[0])}, `{name[1]}` | {times} | {mark} |"


def _place():
    machine, versions = _found()["machine"], _found()["versions"]
    yield (
        f"On {machine['processors']} processors ({machine['processor']}, {machine['system']}), "
        "one of them used, with " + ", ".join(f"{k} {v}" for k, v in versions.items()) + "."
    )


def _round(number: Any) -> str:
    """Return a number at three digits.

    >>> _round(3.14159), _round(1234.5), _round(0.01234)
    ('3.14', '1,230', '0.0123')
    """
    digits = f"{float(number):.3g}"
    return digits if "e" not in digits else f"{float(digits):,.0f}"


def picture() -> figures.Figure:
    """Return the drawing of how cost grows."""
    found = _found()["figures"]
    with figures.style():
        canvas, axes = figures.subplots(height=3.6)
        for key, (_, unit, _) in GROWTH.items():
            if rows := found.get(f"growth-{key}"):
                x, y = ([row[name] for row in rows] for name in ("size", "seconds"))
                line = axes.plot(x, y, marker="o", label=key if key in unit else f"{key}: {unit}")
                add_tooltips(line, key)
        axes.set(xscale="log", yscale="log", xlabel="size", ylabel="CPU seconds")
        axes.legend()
        return figures.Figure(
            canvas,
            caption="CPU time against size, both on logarithmic scales.",
            alt="A line for each piece of work; none is steeper than its exponent in the table.",
        )
