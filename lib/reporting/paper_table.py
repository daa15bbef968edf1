"""A table for a paper: systems x measures, as LaTeX with booktabs or as Markdown."""

import re
from collections.abc import Iterable

import pandas as pd

from lib.conventions import DECIMALS
from lib.display.markdown import escaped, table_lines

_UNITS = {"NumQ": "topics", "NumRet": "documents", "NumRelRet": "documents"}  # of others: none
_NO_MERIT = ("NumQ", "NumRet", "Judged", "Unjudged", "RBPtail", "RBPresidual")  # more is no better
_NAMED = ("backslash", "asciicircum", "asciitilde", "less", "greater", "bar")
_TEX = str.maketrans(
    {c: f"\\{c}" for c in "&%$#_{}"}
    | {c: rf"\text{name}{{}}" for c, name in zip("\\^~<>|", _NAMED)}
    | {c: f"{{{c}}}" for c in "[]*-"}  # after a line break, or two in a row, they mean more
    | {"†": r"\dag{}"}
)
BOOKTABS = r"% \usepackage{booktabs}"  # what a document needs for a table in LaTeX


def tex(text: str) -> str:
    r"""Escape a text for LaTeX.

    >>> print(tex("50% of a_b <c>"))
    50\% of a\_b \textless{}c\textgreater{}
    """
    return text.translate(_TEX)


def tabular(head: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    r"""Return the lines of a LaTeX table: a head of texts, and rows of cells that are LaTeX.

    >>> print(*tabular(["p_1", "n"], [["0.5", tex("50%")]]), sep="\n")
    \begin{tabular}{ll}
    \toprule
    p\_1 & n \\
    \midrule
    0.5 & 50\% \\
    \bottomrule
    \end{tabular}
    """
    names = [tex(name) for name in head]
    return [
        rf"\begin{{tabular}}{{{'l' * len(names)}}}",
        r"\toprule",
        rf"{' & '.join(names)} \\",
        r"\midrule",
        *(rf"{' & '.join(cells)} \\" for cells in rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]


def paper_table(frame: pd.DataFrame, form: str, caption: str) -> str:
    r"""Return means as a table of a paper, the best of each measure in bold.

    Parameters
    ----------
    frame : DataFrame
        Columns measure (or what else its columns stand for), system, mean, low, high and mark: what
        stands above a mean.  With a column letter, the letter stands before the system.  The order
        of measures and of systems is kept.
    form : {"latex", "markdown"}
        LaTeX needs the package booktabs; the interval stands beneath its mean.
    caption : str

    Examples
    --------
    >>> one = {"measure": "AP", "system": "A", "mean": 0.5, "low": 0.4, "high": 0.6, "mark": "b"}
    >>> print(paper_table(pd.DataFrame([one]), "markdown", "Means."))
    Means.
    <BLANKLINE>
    |  | AP |
    | --- | --- |
    | A | **0.500**<sup>b</sup> [0.400, 0.600] |
    """
    measures = list(dict.fromkeys(frame["measure"]))
    most = frame.assign(mean=frame["mean"].round(DECIMALS)).groupby("measure")["mean"].max()
    lines = []
    for system, rows in frame.groupby("system", sort=False):
        rows = rows.set_index("measure")
        name = [*rows.get("letter", [])[:1], str(system)]
        means, ends = [], []
        for measure in measures:
            mean, low, high, mark = rows.loc[measure, ["mean", "low", "high", "mark"]]
            best = bool(round(mean, DECIMALS) == most[measure]) and _name(measure) not in _NO_MERIT
            means.append((_short(mean), best, mark))
            ends.append("" if low != low else f"[{_short(low)}, {_short(high)}]")
        lines.append((name, means, ends))
    head = [""] * len(lines[0][0]) + [
        f"{measure} ({_UNITS[_name(measure)]})" if _name(measure) in _UNITS else str(measure)
        for measure in measures
    ]
    return (_latex if form == "latex" else _markdown)(head, lines, caption)


def _short(value: float) -> str:
    """Write a mean in as little room as its interval leaves it: three digits, and a small one."""
    if abs(value) >= 10:
        return f"{value:,.0f}"
    return f"{value:.2g}" if 0 < abs(value) < 0.01 else f"{value:.3f}"


def _name(measure: object) -> str:
    return re.split("[(@]", str(measure))[0]


def _markdown(head: list[str], lines: list[tuple], caption: str) -> str:
    rows = []
    for name, means, ends in lines:
        cells = []
        for (mean, best, mark), interval in zip(means, ends):
            bold, above = "**" * best, f"<sup>{mark}</sup>" * bool(mark)
            cells.append(f"{bold}{mean}{bold}{above} {interval}".rstrip())
        rows.append([*map(escaped, name), *cells])
    return "\n".join([escaped(caption), "", *table_lines(head, rows)])


def _latex(head: list[str], lines: list[tuple], caption: str) -> str:
    rows = []
    for name, means, ends in lines:
        cells = []
        for mean, best, mark in means:
            text = rf"\textbf{{{mean}}}" if best else mean
            cells.append(text + rf"\textsuperscript{{{tex(mark)}}}" * bool(mark))
        rows.append([*map(tex, name), *cells])
        if any(ends):
            rows.append([*([""] * len(name)), *(rf"\scriptsize {interval}" for interval in ends)])
    return "\n".join(
        [
            BOOKTABS,
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{tex(caption)}}}",
            *tabular(head, rows),
            r"\end{table}",
        ]
    )
