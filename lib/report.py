"""Every table and figure of the papers from one collection, and its place beside others."""

import html
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from tqdm import tqdm

from lib.atomic import fresh_folder
from lib.collection import Collection, Pairs, limits
from lib.display import figures, tables
from lib.errors import InputError
from lib.measures import means
from lib.papers import papers
from lib.published import printed, square
from lib.studies.elsewhere.claims import SECTIONS
from lib.studies.elsewhere.estimates import estimates
from lib.studies.elsewhere.forest import forest

__all__ = ["Report", "made", "report"]

PAGE, NUMBERS = "index.html", "numbers.csv"
TITLE = "Measuring the Measures: "
EMPTY = pd.DataFrame(columns=["paper", "table", "row", "column", "value", "error"], dtype=object)
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
  font: 1rem/1.6 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem }
h1, h2, h3 { line-height: 1.25; margin: 2rem 0 .5rem }
h1 { margin-top: 1rem; overflow-wrap: anywhere }
a { color: light-dark(#0a7d91, #3fb1c5) }
summary { cursor: pointer }
.missing { border-left: .3em solid var(--pst-color-border); padding-left: .7em }
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


@dataclass(frozen=True)
class Report:
    """What became of a report: how many tables and figures it has, and how many it lacks."""

    computed: int
    missing: int


def report(
    collection: Collection, folder: str | Path, *, pairs: Pairs | None = None, replace: bool = False
) -> Report:
    """Write every table and figure of the papers from a collection as one static page.

    The page needs no network and no script.  What is not defined on the collection is named there
    with the reason, in one line.

    Parameters
    ----------
    collection : Collection
    folder : path
        Made by this function, whole or not at all: ``index.html`` and ``numbers.csv``, the cells
        of all tables (paper, table, row, column, value, error).
    pairs : list of (str, str, str), optional
        System, base run, feedback run; see :func:`lib.collection.read_pairs`.  Without them the
        tables on blind feedback are missing.
    replace : bool
        Write over a folder that holds a report already.

    Returns
    -------
    Report

    Raises
    ------
    InputError
        The folder exists and may not be replaced, or cannot be written.
    """
    with fresh_folder(folder, made=made, kind="report", replace=replace) as fresh:
        bodies, numbers, missing = dict.fromkeys(papers(), ""), [EMPTY], 0
        items = [
            (of, title, computed)
            for of in papers().values()
            for title, computed in (*of.tables.items(), *of.drawings.items())
        ]
        for of, title, computed in tqdm(items, desc="report", disable=None):
            is_table = title in of.tables
            bodies[of.name] += f"<h3>{'Table ' * is_table}{title}</h3>\n"
            try:
                result = computed(collection, pairs)
                if is_table:
                    numbers.append(result.assign(paper=of.name, table=title)[list(EMPTY)])
                    result = _tables(result, of, title)
                bodies[of.name] += _html(result)
            except InputError as error:
                missing += 1
                why = html.escape(f"It cannot be computed here: {error}.")
                bodies[of.name] += f'<p class="missing">{why}</p>\n'
        bodies[ELSEWHERE] = _elsewhere(collection)
        pd.concat(numbers).to_csv(fresh / NUMBERS, index=False, lineterminator="\n")
        (fresh / PAGE).write_text(_page(collection, bodies), encoding="utf-8")
    return Report(len(items) - missing + len(ASKED), missing)


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
    return {PAGE, NUMBERS} if ours else set()


def _elsewhere(collection):
    """Draw the headline claims on the book's collections, with this one as one more row."""
    found = estimates(collection)
    return "".join(
        f"<h3>{html.escape(SECTIONS[name].title)}</h3>\n{forest(found, name).to_html()}"
        for name in ASKED
    )


def _tables(cells, of, number):
    """Return a table's cells as the paper arranges them, and below it what the paper printed."""
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
    return [
        tables.table(
            ours,
            caption=caption,
            missing="",
            formats={column: f".{digits.get(column, most)}f" for column in ours},
        ),
        "<details>\n<summary>What the paper printed for its own data</summary>\n",
        tables.table(theirs, missing="", caption="As printed, from the paper's data."),
        "</details>\n",
    ]


def _html(result):
    """Return a figure, a table, HTML as a string, or a list of these as HTML."""
    if isinstance(result, (list, tuple)):
        return "".join(map(_html, result))
    return result if isinstance(result, str) else result.to_html()


def _page(collection, bodies):
    title = f"{TITLE}{collection.name}"
    titles = {name: of.title for name, of in papers().items()} | {ELSEWHERE: "Beside the others"}
    sections = "".join(
        f'<section id="{name}">\n<h2>{html.escape(titles[name])}</h2>\n{body}</section>\n'
        for name, body in bodies.items()
    )
    contents = "".join(
        f'<li><a href="#{name}">{html.escape(label)}</a></li>\n'
        for name, label in {"collection": "The collection", **titles}.items()
    )
    return (
        HEAD.format(title=html.escape(title))
        + STYLE
        + tables.STYLE
        + figures.STYLE
        + f"</head>\n<body>\n<h1>{html.escape(title)}</h1>\n<nav><ul>\n{contents}</ul></nav>\n"
        + f'<section id="collection">\n<h2>The collection</h2>\n{_about(collection)}</section>\n'
        + sections
        + "</body>\n</html>\n"
    )


def _about(collection):
    """Describe the collection: its size, what is not known of it, and its systems by AP."""
    topics, systems = collection.topics, collection.systems
    facts = [
        f"Systems: {len(systems):,}. Topics: {len(topics):,}. Relevant documents: "
        f"{len(collection.relevant):,}, retrieved {len(collection.hits):,} times.",
        f"Topics without a relevant document: {(topics['relevant'] == 0).sum():,}. Every measure "
        "scores them 0.",
        f"Lists missing, of systems that did not answer a topic: "
        f"{(collection.retrieved < 0).sum():,}. They score 0.",
    ]
    able = limits(collection)
    for what, does in (("pool", "Pools that can be simulated"), ("evaluation", "Evaluations")):
        depths = ", ".join(map(str, able.index[able[what]])) or "none"
        facts.append(f"{does}, of the depths 5 to 1,000 of Webber et al. 2010: {depths}.")
    unknown = [c for c in ("group", "type", "pooled") if (systems[c] == "").all()]
    if unknown:
        facts.append(f"Not known of the systems: {', '.join(unknown)}.")
    frame = systems[["group", "type", "pooled"]].assign(
        topics=(collection.retrieved >= 0).sum(axis=0), **means(collection, MEASURES)
    )
    frame = frame.sort_values("AP", ascending=False, kind="stable").rename_axis("run")
    table = tables.table(
        frame.drop(columns=unknown),
        formats=".4f",
        caption="The systems, best first by mean average precision.",
    )
    listed = "".join(f"<li>{html.escape(fact)}</li>\n" for fact in facts)
    return (
        f"<ul>\n{listed}</ul>\n<details>\n<summary>The systems and their means</summary>\n"
        f"{table.to_html()}</details>\n"
    )
