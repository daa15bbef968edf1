"""What a report shows, as HTML for its page and as files for papers: CSV, LaTeX, SVG, PDF."""

import html
import io
import re
import zipfile
from collections.abc import Iterable, Mapping
from typing import Any

import matplotlib as mpl
import pandas as pd

from lib.display import figures, tables

__all__ = ["ARCHIVE", "Sheet", "archive", "latex"]

ARCHIVE = "report.zip"

LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    tables.MINUS: "$-$",
    tables.DASH: "--",
    "\u00b1": r"$\pm$",
    "\u00a0": "~",
}
DAY = (1980, 1, 1, 0, 0, 0)  # of every file in an archive: the same report gives the same bytes


class Sheet:
    """One part of a report after the other, and the files of its tables and figures.

    Attributes
    ----------
    bodies : dict of str to str
        Section to HTML.
    files : dict of str to bytes
        Path in the archive to contents.
    """

    def __init__(self) -> None:
        self.bodies: dict[str, str] = {}
        self.files: dict[str, bytes] = {}

    def write(self, section: str, text: str) -> None:
        """Add HTML to a section."""
        self.bodies[section] = self.bodies.get(section, "") + text

    def head(self, section: str, title: str) -> None:
        """Add a heading to a section."""
        self.write(section, f"<h3>{html.escape(title)}</h3>\n")

    def say(self, section: str, text: str) -> None:
        """Add a paragraph of plain text to a section."""
        self.write(section, f"<p>{html.escape(text)}</p>\n")

    def listed(self, section: str, lines: Iterable[str]) -> None:
        """Add a list of plain lines to a section."""
        items = "".join(f"<li>{html.escape(line)}</li>\n" for line in lines)
        self.write(section, f"<ul>\n{items}</ul>\n")

    def lacks(self, section: str, title: str, why: object) -> None:
        """Add a heading, and beneath it the reason why there is nothing."""
        self.head(section, title)
        text = html.escape(f"It cannot be computed here: {why}.")
        self.write(section, f'<p class="missing">{text}</p>\n')

    def fold(self, section: str, line: str, item: Any, *, name: str = "") -> None:
        """Add what a reader opens; with a name, its files are kept too."""
        self.write(section, f"<details>\n<summary>{html.escape(line)}</summary>\n")
        if name:
            self.show(section, name, item)
        else:
            self.write(section, item.to_html())
        self.write(section, "</details>\n")

    def show(self, section: str, name: str, items: Any) -> None:
        """Add a figure, a table, HTML as a string, or a list of these to a section.

        Parameters
        ----------
        section : str
        name : str
            Of the files, without an ending; several tables or figures are numbered.
        items : Figure, Table, str, or list of these
        """
        items = list(items) if isinstance(items, (list, tuple)) else [items]
        kept = [item for item in items if isinstance(item, (figures.Figure, tables.Table))]
        stem = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
        made: list[str] = []
        for item in items:
            self.write(section, item if isinstance(item, str) else item.to_html())
            if item in kept:
                number = f"-{kept.index(item) + 1}" if len(kept) > 1 else ""
                made += self._keep(stem + number, item)
        if made:
            listed = ", ".join(f"<code>{html.escape(path)}</code>" for path in made)
            self.write(section, f'<p class="files">In {ARCHIVE}: {listed}</p>\n')

    def _keep(self, stem, item):
        """Keep the files of a table or figure; return their paths, those of one name as one."""
        fresh: dict[str, bytes] = {}
        table = item
        if isinstance(item, figures.Figure):
            table = item.data
            for kind in ("svg", "pdf"):
                fresh[f"figures/{stem}.{kind}"] = _drawn(item.drawing, kind)
        if table is not None:
            fresh[f"tables/{stem}.csv"] = _csv(table.shown).encode()
            fresh[f"tables/{stem}.tex"] = latex(table.shown, caption=item.caption).encode()
        self.files |= fresh
        ends: dict[str, list[str]] = {}
        for path in fresh:
            name, _, end = path.rpartition(".")
            ends.setdefault(name, []).append(f".{end}")
        return [f"{name}{', '.join(kinds)}" for name, kinds in ends.items()]


def _drawn(figure, kind):
    """Return a drawing as a file of its own: no date in it, text as text."""
    file = io.BytesIO()
    dates = {"svg": "Date", "pdf": "CreationDate"}
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "measures", "pdf.fonttype": 42}):
        figure.savefig(file, format=kind, metadata={dates[kind]: None})
    if kind == "pdf":
        return file.getvalue()
    # matplotlib names some parts by where they stand in memory; here they are numbered.
    names: dict[str, str] = {}
    return re.sub(
        r'((?:id="|href="#|url\(#))([A-Za-z][0-9a-f]{10})\b',
        lambda m: m[1] + names.setdefault(m[2], f"part{len(names) + 1}"),
        file.getvalue().decode(),
    ).encode()


def _csv(shown):
    labelled = shown.rename_axis([name or "" for name in shown.index.names]).reset_index()
    labelled.columns = pd.Index([_flat(name) for name in labelled.columns])
    return labelled.replace({tables.MINUS: "-", "\u00a0": " "}, regex=True).to_csv(
        index=False, lineterminator="\n"
    )


def _flat(name):
    """Return the name of a column of one or several levels as one."""
    return " ".join(str(part) for part in name if part) if isinstance(name, tuple) else str(name)


def latex(shown: pd.DataFrame, *, caption: str) -> str:
    r"""Return a table as LaTeX that needs no package.

    Parameters
    ----------
    shown : DataFrame
        The cells as text.
    caption : str

    Examples
    --------
    >>> print(latex(pd.DataFrame({"AP": ["0.5"]}, index=["a_b"]), caption="100% of it"))
    \begin{table}
    \caption{100\% of it}
    \begin{tabular}{lr}
    \hline
     & AP \\
    \hline
    a\_b & 0.5 \\
    \hline
    \end{tabular}
    \end{table}
    <BLANKLINE>
    """
    levels = shown.index.nlevels
    lines = [
        r"\begin{table}",
        rf"\caption{{{_escaped(caption)}}}",
        rf"\begin{{tabular}}{{{'l' * levels}{'r' * shown.shape[1]}}}",
        r"\hline",
        _line(["" if name is None else name for name in shown.index.names] + list(shown.columns)),
        r"\hline",
        *(
            _line([*(label if levels > 1 else [label]), *cells])
            for label, cells in zip(shown.index, shown.to_numpy())
        ),
        r"\hline",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _line(cells):
    return " & ".join(_escaped(_flat(cell)) for cell in cells) + r" \\"


def _escaped(text):
    return "".join(LATEX.get(character, character) for character in text.replace("\n", " "))


def archive(files: Mapping[str, bytes]) -> bytes:
    """Return files as one zip archive; the same files give the same bytes.

    Examples
    --------
    >>> archive({"a.csv": b"x"}) == archive({"a.csv": b"x"})
    True
    """
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as out:
        for path, contents in files.items():
            entry = zipfile.ZipInfo(path, date_time=DAY)
            entry.external_attr = 0o644 << 16
            out.writestr(entry, contents, compress_type=zipfile.ZIP_DEFLATED)
    return whole.getvalue()
