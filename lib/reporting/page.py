"""Every table and figure of the papers from one collection, and its place beside others."""

import html
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd
from tqdm import tqdm

from lib.atomic import fresh_folder
from lib.collection import Collection, Pairs
from lib.measures import asked_of, score_tables
from lib.papers import papers
from lib.reporting import opening, told
from lib.reporting.beside import ASKED, ELSEWHERE, JUDGES, write_elsewhere, write_judges
from lib.reporting.document import page
from lib.reporting.intervals import LEAST, OverTopics
from lib.reporting.places import EMPTY, write_place
from lib.reporting.sheet import ARCHIVE, Sheet, archive
from lib.reporting.spending import SPENDING, write_spending
from lib.statistics.comparison import mean_intervals

__all__ = ["Report", "made", "report"]

PAGE, NUMBERS = "index.html", "numbers.csv"
TITLE = "Measuring the Measures: "
MEASURES = ("AP", "P@10", "nDCG", "RR", "Rprec")


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
        write_judges(sheet, collection, second, MEASURES)
    places = [
        (of, title)
        for of in papers().values()
        for title in (*(f"Table {number}" for number in of.tables), *of.drawings)
    ]
    numbers: list[pd.DataFrame] = []
    for of, title in tqdm(places, desc="report", disable=None):
        cells = write_place(sheet, of, title, collection, pairs=pairs, over=over, before=numbers)
        if cells is not None:
            numbers.append(cells)
    missing = len(places) - len(numbers)
    sheet.listed("asked", opening.asked(collection, command=command, missing=missing))
    write_elsewhere(sheet, collection)
    write_spending(sheet, collection)
    cells = pd.concat([EMPTY, *numbers]).to_csv(index=False, lineterminator="\n").encode()
    title = f"{TITLE}{collection.name}"
    return Report(
        title=title,
        page=page(title, sheet.bodies, _titles()),
        files={NUMBERS: cells, **sheet.files},
        computed=len(numbers) + len(ASKED),
        missing=missing,
    )


def _titles():
    """Return the headings of the sections, in their order."""
    return {
        "told": "What the collection can tell",
        "asked": "What was asked",
        "collection": "The collection",
        JUDGES: "Two judges",
        **{name: of.title for name, of in papers().items()},
        ELSEWHERE: "Beside the others",
        SPENDING: "How to spend the next judgements",
    }


def _open(sheet, collection):
    """Write what the collection can tell, and what it is."""
    scores = score_tables(collection, asked_of(collection, MEASURES))
    first, several = MEASURES[0], len(collection.topics) > 1
    found = told.apart(scores) if several and len(collection.systems) > 1 else None
    means = mean_intervals(scores[first]) if several else None
    sheet.say("told", " ".join(told.sentences(collection, found, means, first)))
    if found is not None:
        sheet.show("told", "told-apart", told.shown(found, topics=len(collection.topics)))
    sheet.listed("collection", opening.facts(collection))
    sheet.show("collection", "systems", opening.systems(collection, scores))
    if collection.relevance().nonrelevant is not None:
        sheet.show("collection", "depths", opening.depths(collection))
        least, every = opening.judged(collection)
        sheet.show("collection", "judged", least)
        sheet.fold("collection", "The same for each system", every, name="judged-by-system")
    if known := opening.known(collection):
        sheet.fold("collection", "What is known of the systems", known, name="known")


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
