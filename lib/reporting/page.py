"""Every table and figure of the papers from one collection, and its place beside others."""

import html
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd
from tqdm import tqdm

from lib.atomic import fresh_folder
from lib.collection import Collection, Pairs
from lib.display import figures, tables
from lib.errors import InputError
from lib.measures import asked_of, score_tables
from lib.papers import papers
from lib.published import printed, square
from lib.reporting import opening, told
from lib.reporting.intervals import LEAST, OverTopics, with_bounds
from lib.reporting.sheet import ARCHIVE, Sheet, archive
from lib.statistics.comparison import mean_intervals
from lib.studies import judges
from lib.studies.elsewhere.claims import SECTIONS
from lib.studies.elsewhere.estimates import estimates
from lib.studies.elsewhere.forest import forest

__all__ = ["Report", "made", "report"]

PAGE, NUMBERS = "index.html", "numbers.csv"
TITLE = "Measuring the Measures: "
EMPTY = pd.DataFrame(
    columns=["paper", "table", "row", "column", "value", "error", "low", "high"], dtype=object
)
ELSEWHERE = "elsewhere"  # section of the claims asked of every collection
ASKED = [name for name, section in SECTIONS.items() if not section.pairs]
MEASURES = ("AP", "P@10", "nDCG", "RR", "Rprec")

# The page's own colours are those of the book's theme, which the styles of figures and tables name.
STYLE = """<style>
:root { color-scheme: light dark; --pst-color-border: light-dark(#c9c9c9, #555);
  --pst-color-background: light-dark(#fff, #14181e);
  --pst-color-surface: light-dark(#f3f4f5, #222832);
  --pst-color-accent: light-dark(#8045e5, #b794f6) }
body { background: var(--pst-color-background); color: light-dark(#222832, #ced6dd);
  font: 1rem/1.6 system-ui, sans-serif; max-width: 66rem; margin: 0 auto; padding: 1rem }
h1, h2, h3 { line-height: 1.25; margin: 2rem 0 .5rem }
h1 { margin-top: 1rem; overflow-wrap: anywhere }
a { color: light-dark(#0a7d91, #3fb1c5) }
summary { cursor: pointer }
.missing { border-left: .3em solid var(--pst-color-border); padding-left: .7em }
li, .files { overflow-wrap: anywhere }
.files { font-size: .8em }
@page { size: A4; margin: 15mm }
@media print {
  :root { color-scheme: light }
  body { font-size: 10pt; padding: 0; max-width: none }
  h2, h3, caption { break-after: avoid }
  figure, tr, caption, table:not(:has(tr:nth-child(25))) { break-inside: avoid }
  body .measures table { font-size: 7.5pt }
  body .measures td, body .measures th { padding: .2em .35em }
  body .measures svg { min-width: 0 !important }
}
</style>
"""

# Nothing is fetched and nothing runs, whatever a name on the page says.
HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
"""


@dataclass(frozen=True, repr=False)
class Report:
    """Every table and figure of the papers from one collection, and what it can tell.

    In a notebook it shows itself.

    Attributes
    ----------
    title : str
    page : str
        The report as one HTML page that needs no network and no script.
    files : dict of str to bytes
        What the archive holds besides the page: path to contents.
    computed, missing : int
        How many tables and figures it has, and how many it lacks.
    """

    title: str
    page: str
    files: dict[str, bytes] = field(default_factory=dict)
    computed: int = 0
    missing: int = 0

    def save(self, folder: str | Path, *, replace: bool = False) -> None:
        """Write the report: the page, the cells of all tables, and the archive of all files.

        Parameters
        ----------
        folder : path
            Made by this function, whole or not at all: ``index.html``; ``numbers.csv``, the cells
            of all tables of the papers (paper, table, row, column, value, error, low, high);
            ``report.zip``, both of them, each table as CSV and LaTeX, each figure as SVG and PDF.
        replace : bool
            Write over a folder that holds a report already.

        Raises
        ------
        InputError
            The folder exists and may not be replaced, or cannot be written.
        """
        files = {PAGE: self.page.encode(), **self.files}
        with fresh_folder(folder, made=made, kind="report", replace=replace) as fresh:
            for name in (PAGE, NUMBERS):
                (fresh / name).write_bytes(files[name])
            (fresh / ARCHIVE).write_bytes(archive(files))

    def __repr__(self):
        return f"{self.title}: {self.computed} tables and figures, {self.missing} not defined here"

    def _repr_html_(self):
        # Its own window: the styles of a report are not those of a notebook.
        return (
            f'<iframe srcdoc="{html.escape(self.page)}" title="{html.escape(self.title)}" sandbox '
            'style="width:100%;height:40rem;border:1px solid #8888"></iframe>'
        )


def report(
    collection: Collection,
    *,
    pairs: Pairs | None = None,
    second: Collection | None = None,
    command: str = "",
) -> Report:
    """Compute every table and figure of the papers from a collection, and what it can tell.

    What is not defined on the collection is named with the reason, in one line.

    Parameters
    ----------
    collection : Collection
    pairs : list of (str, str, str), optional
        System, base run, feedback run; see :func:`lib.collection.read_pairs`.  Without them the
        tables on blind feedback are missing.
    second : Collection, optional
        The same runs by another judge: how alike the two rank them; see :mod:`lib.studies.judges`.
    command : str
        What was typed, to be shown.

    Returns
    -------
    Report

    Raises
    ------
    InputError
        A second collection that is of other runs.
    """
    sheet = Sheet()
    over = OverTopics(collection) if len(collection.topics) >= LEAST else None
    _open(sheet, collection)
    if second is not None:
        _beside(sheet, collection, second)
    numbers, missing = [EMPTY], 0
    items = [
        (of, title)
        for of in papers().values()
        for title in (*(f"Table {number}" for number in of.tables), *of.drawings)
    ]
    for of, title in tqdm(items, desc="report", disable=None):
        missing += not _paper(sheet, numbers, (of, title), collection, pairs, over)
    sheet.write("asked", _list(opening.asked(collection, command=command, missing=missing)))
    found = estimates(collection)
    for name in ASKED:
        sheet.write(ELSEWHERE, f"<h3>{html.escape(SECTIONS[name].title)}</h3>\n")
        sheet.show(ELSEWHERE, f"elsewhere-{name}", forest(found, name))
    cells = pd.concat(numbers).to_csv(index=False, lineterminator="\n").encode()
    title = f"{TITLE}{collection.name}"
    return Report(
        title=title,
        page=_page(title, sheet.bodies),
        files={NUMBERS: cells, **sheet.files},
        computed=len(items) - missing + len(ASKED),
        missing=missing,
    )


def _open(sheet, collection):
    """Write what the collection can tell, and what it is."""
    scores = score_tables(collection, asked_of(collection, MEASURES))
    first, several = MEASURES[0], len(collection.topics) > 1
    found = told.apart(scores) if several and len(collection.systems) > 1 else None
    means = mean_intervals(scores[first]) if several else None
    said = " ".join(told.sentences(collection, found, means, first))
    sheet.write("told", f"<p>{html.escape(said)}</p>\n")
    if found is not None:
        sheet.show("told", "told-apart", told.shown(found, topics=len(collection.topics)))
    sheet.write("collection", _list(opening.facts(collection)))
    sheet.show("collection", "systems", opening.systems(collection, scores))
    if collection.relevance().nonrelevant is not None:
        sheet.show("collection", "depths", opening.depths(collection))
        least, every = opening.judged(collection)
        sheet.show("collection", "judged", least)
        _fold(sheet, "collection", "The same for each system", every, "judged-by-system")
    if known := opening.known(collection):
        _fold(sheet, "collection", "What is known of the systems", known, "known")


def _list(lines):
    return f"<ul>\n{''.join(f'<li>{html.escape(line)}</li>' + chr(10) for line in lines)}</ul>\n"


def _beside(sheet, collection, second):
    """Write how alike two judges rank the runs."""
    asked = [*asked_of(collection, MEASURES).values()]
    found = judges.compared(collection, second, measures=asked)
    frame = pd.DataFrame(
        {
            **{
                name: [
                    f"{tau:.3f} ({low:.3f} to {high:.3f})"
                    for tau, low, high in found[[name, f"low {name}", f"high {name}"]].to_numpy()
                ]
                for name in ("tau-b", "tau-AP")
            },
            **found[["pairs", "turn", "by A", "by B", "both"]],
        },
        index=found.index,
    )
    caption = (
        f"The runs by {collection.title} (A) and by {second.title} (B): correlation of the two "
        "rankings with its 95% interval over topics, pairs of runs that turn, and how many of "
        "these differed significantly (paired t test, 0.05) by A, by B, and by both."
    )
    sheet.show("judges", "judges", tables.table(frame, caption=caption))


def _paper(sheet, numbers, item, collection, pairs, over):
    """Write a table or figure of a paper, or why there is none; return whether there is."""
    of, title = item
    number = title.removeprefix("Table ")
    computed = of.tables[number] if number in of.tables else of.drawings[title]
    try:
        result = computed(collection, pairs)
        if number in of.tables:
            cells = result.assign(paper=of.name, table=number, low=None, high=None)[list(EMPTY)]
            twin = _twin(numbers, cells)
            if twin:
                sheet.write(
                    of.name, f"<p>{title} asks the same of another collection: see {twin}.</p>\n"
                )
                numbers.append(cells)
                return True
            result, theirs = _tables(result, of, number)
            if over:
                cells = over.bounds(lambda part: computed(part, pairs), cells)
            numbers.append(cells)
    except InputError as error:
        why = html.escape(f"It cannot be computed here: {error}.")
        sheet.write(of.name, f'<h3>{title}</h3>\n<p class="missing">{why}</p>\n')
        return False
    sheet.write(of.name, f"<h3>{title}</h3>\n")
    sheet.show(of.name, f"{of.name}-{title}", result)
    if number in of.tables:
        if over and (wide := with_bounds(cells)):
            name = f"{of.name}-{title}-intervals"
            _fold(sheet, of.name, "The same with 95% intervals over topics", wide, name)
        _fold(sheet, of.name, "What the paper printed for its own data", theirs)
    return True


def _fold(sheet, section, line, table, name=""):
    """Write a table that opens; with a name, its files are kept too."""
    sheet.write(section, f"<details>\n<summary>{line}</summary>\n")
    if name:
        sheet.show(section, name, table)
    else:
        sheet.write(section, table.to_html())
    sheet.write(section, "</details>\n")


def _twin(numbers, cells):
    """Return the earlier table of the paper with the same cells, as for two collections there."""
    shown = ["row", "value"]
    for other in numbers[1:]:
        same = len(other) == len(cells) and (other["paper"] == cells["paper"].iloc[0]).all()
        if same and other[shown].reset_index(drop=True).equals(cells[shown].reset_index(drop=True)):
            return f"Table {other['table'].iloc[0]}"
    return ""


def made(folder: Path) -> set[str]:
    """Return the names of a report's files, if a folder holds one.

    Parameters
    ----------
    folder : pathlib.Path
    """
    try:
        ours = f"<title>{TITLE}" in (folder / PAGE).read_text(encoding="utf-8")
    except (OSError, ValueError):
        ours = False
    return {PAGE, NUMBERS, ARCHIVE} if ours else set()


def _tables(cells, of, number):
    """Return a table's cells as the paper arranges them, and what the paper printed."""
    if not len(cells):
        raise InputError("there is nothing in it for this collection")
    theirs = printed(of.name, f"Table {number}")
    digits = {
        column: theirs[column].dropna().str.partition(".")[2].str.len().max() for column in theirs
    }
    caption = f"{of.tables[number].caption}. From this collection."
    error = cells["error"].astype(float).max()
    if error > 0:
        caption += f" Monte-Carlo standard error of a cell: at most {error:.1g}."
    ours = square(cells.assign(value=cells["value"].astype(object).fillna(tables.DASH)))
    most = max(digits.values())
    formats = {column: f".{digits.get(column, most)}f" for column in ours}
    return (
        tables.table(ours, caption=caption, missing="", formats=formats),
        tables.table(theirs, missing="", caption="As printed, from the paper's data."),
    )


def _page(title, bodies):
    titles = {
        "told": "What the collection can tell",
        "asked": "What was asked",
        "collection": "The collection",
        "judges": "Two judges",
        **{name: of.title for name, of in papers().items()},
        ELSEWHERE: "Beside the others",
    }
    sections = "".join(
        f'<section id="{name}">\n<h2>{html.escape(label)}</h2>\n{bodies[name]}</section>\n'
        for name, label in titles.items()
        if name in bodies
    )
    contents = "".join(
        f'<li><a href="#{name}">{html.escape(label)}</a></li>\n'
        for name, label in titles.items()
        if name in bodies
    )
    return (
        HEAD.format(title=html.escape(title))
        + STYLE
        + tables.STYLE
        + figures.STYLE
        + f"</head>\n<body>\n<main>\n<h1>{html.escape(title)}</h1>\n"
        + f'<nav aria-label="Contents"><ul>\n{contents}</ul></nav>\n'
        + sections
        + "</main>\n</body>\n</html>\n"
    )
