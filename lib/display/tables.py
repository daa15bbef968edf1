"""Tables of the book: captions, row and column headers, aligned digits, verdicts in words."""

import html
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from numbers import Integral, Real
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from lib.conventions import DASH, MINUS
from lib.intervals import minus_signs

# How numbers are written: one specification for all floats, or one, or a function, a column.
Formats: TypeAlias = str | Mapping[Any, str | Callable[[Any], str]]

_COMPARED = ["published", "reproduced", "difference", "verdict"]
_SHORT = 12  # characters of a label that is not broken
_NUMBER = re.compile(r"[+\u2212-]?([\d.,]*\d\s?%?|\u221e)")


def style_of(file: str | Path) -> str:
    """Return the style that stands beside a module, as HTML."""
    return f"<style>\n{Path(file).with_suffix('.css').read_text(encoding='utf-8')}</style>\n"


def is_static() -> bool:
    """Return whether what is shown goes into a page, and not into a program with a kernel."""
    return os.environ.get("MEASURES_STATIC", "0") not in ("", "0")


# The first rule undoes what the book's theme does to HTML outputs in the dark: a light background.
# A caption may be wider than its table, but not wider than the page.
# JupyterLab's own rules for cells are stronger than these; a page needs no answer to them.
STYLE = style_of(__file__) + ("" if is_static() else style_of(Path(__file__).with_name("lab")))


@dataclass(frozen=True, repr=False)
class Table:
    """A table as the book shows it."""

    caption: str
    shown: pd.DataFrame
    fragment: str

    def to_html(self) -> str:
        """Return the table as HTML without its style, to stand within something larger."""
        return self.fragment

    def _repr_html_(self) -> str:
        return STYLE + self.fragment

    def __repr__(self) -> str:
        return f"{self.caption}\n{self.shown.to_string()}".lstrip()


@dataclass(frozen=True, repr=False)
class Folded:
    """A table or a sentence in view, and tables folded beneath it.

    >>> rest = table(pd.DataFrame({"tau": [0.5]}, index=["AP"]), caption="")
    >>> Folded("Nothing fails.", [("1 that holds", rest)])
    Nothing fails.
    <BLANKLINE>
    1 that holds:
          tau
    AP  0.500
    """

    shown: Table | str
    hidden: Sequence[tuple[str, Table]] = ()

    def to_html(self) -> str:
        """Return the tables as HTML without their style, to stand within something larger."""
        said = f'<p class="missing">{html.escape(str(self.shown))}</p>\n'
        shown = self.shown.to_html() if isinstance(self.shown, Table) else said
        folds = "".join(
            f"<details>\n<summary>{html.escape(line)}</summary>\n{table.to_html()}</details>\n"
            for line, table in self.hidden
        )
        return f'<div class="measures folds">\n{shown}{folds}</div>\n'

    def _repr_html_(self) -> str:
        return STYLE + self.to_html()

    def __repr__(self) -> str:
        return "\n\n".join([str(self.shown), *(f"{line}:\n{t!r}" for line, t in self.hidden)])


def table(
    frame: pd.DataFrame,
    *,
    caption: str,
    formats: Formats | None = None,
    highlight: ArrayLike | None = None,
    missing: str = DASH,
) -> Table:
    """Return a data frame as an accessible table.

    Row labels become row headers; where the frame has no labels of its own (an unnamed
    ``RangeIndex``), its first column does. A value that rounds to zero carries no sign.

    Parameters
    ----------
    frame : pandas.DataFrame
        What to show; columns, and rows too, may have several levels.
    caption : str
        What the table shows, so that it can be understood alone. Empty for none.
    formats : str or mapping, optional
        How to write numbers: a format specification for all floats, or a mapping from columns to
        specifications or functions. Without one, floats have 3 decimals and integers separators.
    highlight : array_like of bool, optional
        The cells to be marked, of the frame's shape.
    missing : str, default an en dash
        What stands for a missing value; "" where there cannot be one, as below a diagonal.

    Returns
    -------
    Table
        With ``_repr_html_`` for notebooks and a plain text form.

    Raises
    ------
    ValueError
        If `highlight` has another shape, or `formats` names a column that is not there.

    Examples
    --------
    >>> frame = pd.DataFrame({"tau": [0.5, None], "runs": [129, 1200]}, index=["AP", "P@10"])
    >>> table(frame, caption="Two measures", formats={"tau": ".2f"})
    Two measures
           tau   runs
    AP    0.50    129
    P@10     –  1,200
    """
    if isinstance(formats, str):
        floats = [pd.api.types.is_float_dtype(dtype) for dtype in frame.dtypes]
        formats = dict.fromkeys(frame.columns[floats], formats)
    formats = formats or {}
    if unknown := [n for n in formats if n not in frame.columns and n not in frame.index.names]:
        raise ValueError(f"formats names columns that the table has not: {unknown}")
    marked = np.zeros(frame.shape, bool) if highlight is None else np.asarray(highlight, bool)
    if marked.shape != frame.shape:
        raise ValueError(f"highlight has shape {marked.shape}, the table {frame.shape}")

    labelled = _labelled(frame)
    marked = marked[:, frame.shape[1] - labelled.shape[1] :]
    texts = _texts(labelled, formats, missing)
    cells = texts.map(html.escape).to_numpy()
    cells = np.where(marked, "<mark>" + cells + "</mark>", cells)
    return Table(caption, texts, _markup(texts, cells, caption))


def comparison(frame: pd.DataFrame, *, caption: str, signs: Mapping[str, tuple[str, str]]) -> Table:
    """Return published numbers beside the reproduced ones, with a verdict on each.

    A verdict is shown by a symbol and by its name as well as by colour, and the caption counts
    them.

    Parameters
    ----------
    frame : pandas.DataFrame
        Columns ``published`` as printed, ``reproduced`` (a number, True or False for a claim, or
        None), ``difference`` and ``verdict``. A ``tolerance`` is not shown; other columns are,
        before these. Rows are labelled as by `table`. Numbers get two decimals beyond those
        printed, whole ones none.
    caption : str
        What is compared.
    signs : mapping
        Verdict to its symbol and the class of its colour: ``good``, ``bad`` or ``none``. The
        caption counts the verdicts in this order.

    Returns
    -------
    Table
        With ``_repr_html_`` for notebooks and a plain text form.

    Raises
    ------
    ValueError
        If a column is missing or a verdict is unknown.

    Examples
    --------
    >>> frame = pd.DataFrame({"published": ["0.83", "0.7"], "reproduced": [0.834, 0.612],
    ...     "difference": [0.004, -0.088], "verdict": ["reproduced", "differs"]},
    ...     index=["AP", "RR"])
    >>> signs = {"reproduced": ("\u2713", "good"), "differs": ("\u2260", "bad")}
    >>> comparison(frame, caption="Correlation with P@10", signs=signs)
    Correlation with P@10
    2 published: 1 reproduced, 1 differs.
       published reproduced difference       verdict
    AP      0.83     0.8340    +0.0040  ✓ reproduced
    RR       0.7      0.612     −0.088     ≠ differs
    """
    if missing := [name for name in _COMPARED if name not in frame.columns]:
        raise ValueError(f"the comparison has no column {', '.join(missing)}")
    verdicts = list(frame["verdict"])
    if unknown := set(verdicts) - set(signs):
        raise ValueError(f"verdicts not known: {sorted(map(str, unknown))}; known: {list(signs)}")

    others = [name for name in frame.columns if name not in [*_COMPARED, "tolerance"]]
    frame = _labelled(frame[others + _COMPARED])
    texts = _texts(frame, {})
    for name, sign in [("reproduced", ""), ("difference", "+")]:
        forms = (_precision(printed, sign) for printed in frame["published"])
        texts[name] = [*map(_text, frame[name], forms)]
    texts["verdict"] = [f"{signs[verdict][0]} {verdict}" for verdict in verdicts]
    cells = texts.map(html.escape).to_numpy()
    cells[:, -1] = [f'<span aria-hidden="true">{signs[v][0]}</span> {v}' for v in verdicts]

    tally = ", ".join(f"{verdicts.count(v):,} {v}" for v in signs if v in verdicts)
    caption = f"{caption}\n{len(verdicts):,} published: {tally}."
    colours = [signs[verdict][1] for verdict in verdicts]
    return Table(caption, texts, _markup(texts, cells, caption, colours))


def _precision(printed: str, sign: str) -> str:
    """Return the format specification of a number that stands beside a printed one, or none."""
    decimals = len(printed.partition(".")[2]) if printed else 2
    return f"{sign},.{decimals + 2 if decimals else 0}f"


def _labelled(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with labels on its rows: if it has none, its first column gives them."""
    bare = isinstance(frame.index, pd.RangeIndex) and frame.index.name is None
    return frame.set_index(frame.columns[0]) if bare and frame.shape[1] > 1 else frame


def _text(value: Any, how: Any = None, missing: str = DASH) -> str:
    """Return one value as text, by a format specification or a function."""
    if pd.api.types.is_scalar(value) and pd.isna(value):
        return missing
    if callable(how):
        return str(how(value))
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if not isinstance(value, Real):
        return str(value)
    text = minus_signs(format(value, how or (",d" if isinstance(value, Integral) else ".3f")))
    return text.replace("-", MINUS).replace("inf", "\u221e")


def _texts(frame: pd.DataFrame, formats: Mapping, missing: str = DASH) -> pd.DataFrame:
    """Return the frame with every cell and every row label as text."""
    columns = {
        i: [_text(value, formats.get(name), missing) for value in frame.iloc[:, i].tolist()]
        for i, name in enumerate(frame.columns)
    }
    labels = [
        [_text(value, formats.get(name, str)) for value in frame.index.get_level_values(level)]
        for level, name in enumerate(frame.index.names)
    ]
    index = pd.MultiIndex.from_arrays(labels, names=frame.index.names)
    texts = pd.DataFrame(columns, index=index if len(labels) > 1 else index.get_level_values(0))
    return texts.set_axis(frame.columns, axis=1).astype(object)


def captioned(caption: str) -> str:
    """Return a caption as HTML: its first sentence, which is the title, and then the rest."""
    title, *rest = re.split(r"(?<=[.?]) (?=[A-Z])|\n", html.escape(caption), maxsplit=1)
    return "\n".join([f"<strong>{title}</strong>", *(f"<span>{more}</span>" for more in rest)])


def _markup(
    texts: pd.DataFrame, cells: np.ndarray, caption: str, colours: Sequence[str] = ()
) -> str:
    """Return the HTML of a table; `cells` are its texts as HTML.

    `colours` gives the cells of the last column their class.
    """
    text = [
        not all(_NUMBER.fullmatch(cell) or cell in ("", DASH) for cell in texts.iloc[:, i])
        for i in range(texts.shape[1])
    ]
    rows = []
    for i, (labels, row) in enumerate(zip(texts.index.to_frame().to_numpy(), cells)):
        classes = [["t"] if t else [] for t in text]
        if colours:
            classes[-1].append(colours[i])
        heads = "".join(_head(x, f'scope="row"{" class=s" * (len(x) <= _SHORT)}') for x in labels)
        body = "".join(
            f'<td class="{" ".join(c)}">{cell}</td>' if c else f"<td>{cell}</td>"
            for c, cell in zip(classes, row)
        )
        rows.append(f"<tr>{heads}{body}</tr>\n")
    name = html.escape(caption.partition("\n")[0] or "Table")
    heading = f"<caption>{captioned(caption)}</caption>\n" if caption else ""
    return (
        f'<div class="measures scroll" role="group" tabindex="0"'
        f' aria-label="{name}">\n<table>\n{heading}'
        f"<thead>\n{_header(texts, text)}</thead>\n<tbody>\n{''.join(rows)}</tbody>\n"
        "</table>\n</div>\n"
    )


def _head(text: object, attributes: str) -> str:
    """Return the head of a row or column as HTML; an empty one is none."""
    return f"<th {attributes}>{html.escape(str(text))}</th>" if text != "" else "<td></td>"


def _header(texts: pd.DataFrame, text: Sequence[bool]) -> str:
    """Return the header rows, one for each level of the columns; `text` marks those of words."""
    columns = [name if isinstance(name, tuple) else (name,) for name in texts.columns]
    *upper, last = range(texts.columns.nlevels)
    rows = []
    for level in upper:
        groups = [(key, len(list(g))) for key, g in groupby(c[: level + 1] for c in columns)]
        rows.append(
            f'<td colspan="{texts.index.nlevels}"></td>'
            + "".join(
                f'<th scope="colgroup" colspan="{n}">{html.escape(str(key[-1]))}</th>'
                for key, n in groups
            )
        )
    names = [_head(name or "", 'scope="col" class="t"') for name in texts.index.names]
    marks = [" class=t" * is_text for is_text in text]
    heads = [_head(of[last], f'scope="col"{mark}') for of, mark in zip(columns, marks)]
    rows.append("".join(names + heads))
    return "".join(f"<tr>{row}</tr>\n" for row in rows)
