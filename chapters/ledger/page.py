"""The ledger as it is read: its page of the book, and the verdict table of the README."""

import html
import re
from collections.abc import Iterable
from typing import Any

import pandas as pd

from chapters.data_tables import write as write_table
from chapters.elsewhere.summaries import OTHERS, THESE
from chapters.elsewhere.tables import what_came_out
from chapters.elsewhere.trec import TERABYTE_TASK, of_pair, quartiles
from chapters.ledger import paper_names
from chapters.ledger.claims import MEMBERS, SETS
from chapters.ledger.papers import papers
from chapters.ledger.published import DIFFERS, SYMBOLS, in_words, statements
from chapters.ledger.registry import committed as committed_words
from chapters.ledger.registry import is_word
from chapters.ledger.rows import BY_DEFINITION, ROW_KINDS, counted_as, totals
from lib.decisions import MEANINGS
from lib.display import markdown
from lib.intervals import between, minus_signs
from lib.paths import ROOT

SHOW_WORDS = ("README.md", "book/intro.md", "book/which-measure.md")
_NEW = [SETS[name] for name in MEMBERS]


def verdict_table(table: pd.DataFrame) -> str:
    """Return the verdict table of the README as Markdown: one row a verdict, one column a paper."""
    counts = totals(table)
    counts = counts.loc[:, counts.any()].T
    heads = [
        f"all {in_words(len(paper_names()))}" if name == "all" else _short(name) for name in counts
    ]
    lines = [markdown.row(["verdict", *heads]), "|---|" + "---:|" * len(heads)]
    lines += [markdown.row([verdict, *row]) for verdict, row in counts.iterrows()]
    return "\n".join(lines)


def _short(name: str) -> str:
    """Return a paper's first author and year."""
    return f"{name[:-4].capitalize()} {name[-4:]}"


def address(row: Any) -> str:
    """Return the name of a row of the ledger within the page: its anchor.

    >>> from chapters.ledger.rows import committed
    >>> address(next(committed().itertuples()))
    'webber2008-table-1-p-10-p-10'
    """
    words = f"{row.paper} {row.place} {row.row} {row.column}".lower()
    return re.sub("[^a-z0-9]+", "-", words).strip("-")


_INTRODUCTION = """(ledger)=
# The ledger

Every number and every checkable claim of the {papers} papers, beside ours, with a verdict.
{{ref}}`Find a row <ledger-rows>`, or take all of them as {{download}}`ledger.csv <../data/ledger.csv>`; each has an address of its own, the sign # at its end.
`python -m lib ledger --write` makes this page.
"""  # noqa: E501  One sentence a line.

_VERDICTS = """
| verdict | when |
|---|---|
| reproduced | a number agrees to half its last printed digit; a claim holds |
| within Monte-Carlo error | random sampling, theirs and ours, explains the difference (up to three standard errors) |
| inconclusive | the 95% interval over topics includes both answers, whatever the digits are |
| differs | neither |
| not testable | the words name nothing to be measured |
| data not public | nobody outside can get the runs |
| not yet | nobody has computed it for this book |
| print agrees, print differs | printed numbers beside each other: does the paper agree with itself? |
| definition | a definition or a constant, which says nothing about the data |

{words} The correction is Holm's, for all comparisons of the paper on the same data.
"""  # noqa: E501  One sentence a line.


def page(table: pd.DataFrame) -> str:
    """Return the ledger as a page of the book, in Markdown."""
    lines = [_INTRODUCTION.format(papers=in_words(len(paper_names()))), verdict_table(table), ""]
    lines += _folded(
        "When each verdict is given", [_VERDICTS.format(words=" ".join(MEANINGS.values()))]
    )
    heads = ["where", "what", "printed", "ours", "why"]
    differing = table[table["verdict"] == DIFFERS]
    rows = [heads, ["---"] * len(heads), *map(_difference, differing.itertuples())]
    lines += ["## What differs, and why", ""]
    lines += _folded(_tally(differing), map(markdown.row, rows))
    lines += ["(ledger-rows)=", "## Find a row", "", _FILTER]
    for name, of in papers().items():
        lines += ["", f"## {of.title}", ""]
        of_paper = table[table["paper"] == name]
        for place, rows in of_paper.groupby("place", sort=False):
            lines += _folded(f"{place}: {_tally(rows)}", _rows(rows))
    return "\n".join([*lines, *_of_study(), *_of_tasks()])


def _tally(rows: pd.DataFrame) -> str:
    """Say how many rows there are of each kind."""
    counts = counted_as(rows).value_counts()
    return ", ".join(f"{counts[kind]} {kind}" for kind in ROW_KINDS if kind in counts)


def _folded(title: str, lines: Iterable[str]) -> list[str]:
    """Return lines that a reader opens by their title."""
    return [f"::::{{dropdown}} {title}", ":animate: fade-in", "", *lines, "::::", ""]


_STUDY = """
(ledger-study)=
## Chapter 5: the claims on every collection

Each claim on the leading path, for {ref}`two populations <elsewhere-told>`, with its unadjusted 95% interval, and the greatest Holm-adjusted *p* of all analysis paths for the {ref}`primary claims <elsewhere-primary>`.
All claims on other collections, those of the other chapters among them, as files: {download}`claims.csv <../data/claims/claims.csv>` and {download}`verdicts.csv <../data/claims/verdicts.csv>`.

| claim | these collections | adjusted *p* | word | other kinds | word |
|---|---|---:|---|---|---|
"""  # noqa: E501  One sentence a line.

_CONFIRMED = """
The {ref}`registered claims <registration>` on {ref}`three new collections <elsewhere-new>`, with the correction that was registered.
*With these systems* says that the word is another one without the runs of some one group.

| claim | on | number | adjusted *p* | word |
|---|---|---|---:|---|
"""  # noqa: E501  One sentence a line.


def _of_study() -> list[str]:
    """Return the rows of chapter 5's claims."""
    words, rows = committed_words(), []
    for claim in words.xs(THESE, level="population").itertuples():
        cells = [_cell(claim.says), *_decided(words.loc[(claim.Index, THESE)])]
        other = (claim.Index, OTHERS)
        cells += _decided(words.loc[other])[::2] if other in words.index else ["", ""]
        rows.append(markdown.row(cells))
    new = [
        markdown.row([_cell(claim["says"]), claim["whom"], *_decided(claim)])
        for _, claim in words[words.index.isin(_NEW, level="population")].iterrows()
    ]
    return [_STUDY + "\n".join(rows), _CONFIRMED + "\n".join(new), ""]


def _decided(row: Any) -> list[str]:
    """Return an interval, the adjusted p value and the word of a claim."""
    p = row["adjusted"]
    adjusted = "" if pd.isna(p) else "< 0.001" if p < 0.001 else f"{p:.3f}"
    return [_cell(between(row["estimate"], row["low"], row["high"])), adjusted, is_word(row)]


_TASKS = """
(ledger-tasks)=
## Chapter 5: thirty years of TREC

Tau-b of the runs' means by two measures, over the tasks of which {ref}`NIST published both <elsewhere-years>`: a description, without a verdict.
In brackets stands the share of the other tasks whose tau is lower.

| measures | tasks | median | quartiles | Terabyte 2006 | its automatic runs |
|---|---:|---:|---:|---:|---:|
"""  # noqa: E501  One sentence a line.


def _of_tasks() -> list[str]:
    """Return a row for each two measures of the tasks of TREC."""
    rows = []
    for pair, known in quartiles().drop(columns="runs").iterrows():
        one, other = pair.split(" and ")
        every, ends = of_pair(one, other), ["", ""]
        if TERABYTE_TASK in every.index:
            both = every.loc[TERABYTE_TASK], of_pair(one, other, of="automatic").loc[TERABYTE_TASK]
            ends = [f"{row['tau']:.3f} ({row['below']:.0%})" for row in both]
        rows.append(markdown.row(map(_cell, [pair, *known, *ends])))
    return [_TASKS + "\n".join(rows), ""]


def _difference(row: Any) -> list[str]:
    """Return what differs: where the paper has it, what it is, their value, ours, and why."""
    place = f"{_short(row.paper)}, {{ref}}`{row.place} <{row.anchor}>`"
    where = f'{place} (<a href="#{address(row)}">row</a>)'
    return [where, *map(_cell, (what(row), row.published, row.reproduced, _why(row)))]


def _why(row: Any) -> str:
    """Return the cause of a difference, after the comparison that shows it."""
    return ", ".join(filter(None, [_over_topics(row), row.cause]))


def _over_topics(row: Any) -> str:
    """Return a comparison with its interval over topics, as the ledger has rounded them."""
    if not row.estimate:
        return ""
    return between(float(row.estimate), float(row.low), float(row.high))


def what(row: Any) -> str:
    """Return what a row is about: its statement, or for a table cell its row and column."""
    if row.kind == "table":
        return f"{row.row}, {row.column}"
    return statements(row.paper)[row.place, row.row, row.column]


# What static/ledger.js fills.
_FILTER = """<form id="ledger-filter" hidden></form>
<noscript>Open a table below; to search all of them at once, take the file.</noscript>"""
_HEADS = "what|verdict|published|ours|over topics|difference|tolerance|rests on".split("|")


def _rows(rows: pd.DataFrame) -> list[str]:
    """Return rows as a table in HTML; what all of them share stands above it.

    It is HTML because a row has its address, and its verdict without the cause.
    """
    lines = []
    if rows["anchor"].iloc[0]:
        lines += [f"Computed under {{ref}}`{rows['anchor'].iloc[0]}`.", ""]
    causes = set(rows["cause"])
    shared = len(causes) == 1 and "" not in causes and len(rows) > 1
    if shared:
        lines += [f"All: {_cell(causes.pop())}.", ""]
    kinds = counted_as(rows)
    cells = [
        _cells(row, kind, "" if shared else row.cause)
        for row, kind in zip(rows.itertuples(), kinds)
    ]
    # A column in which nothing stands keeps its place, for the cards of a phone, and is not shown.
    empty = [f" no{i}" for i, column in enumerate(zip(*cells), start=1) if not any(column)]
    heads = "".join(f'<th scope="col">{head}</th>' for head in _HEADS)
    return [
        *lines,
        '<div class="pst-scrollable-table-container">',
        f'<table class="table ledger{"".join(empty)}">',
        f"<thead><tr>{heads}</tr></thead>",
        "<tbody>",
        *map(_row, map(address, rows.itertuples()), kinds, cells),
        "</tbody></table></div>",
        "",
    ]


def _cells(row: Any, kind: str, cause: str) -> list[str]:
    """Return the texts of a row of the ledger, in the order of the heads.

    Its verdict is as what it counts, but for a definition or a constant that differs.
    """
    name = row.verdict if kind == BY_DEFINITION and row.verdict == DIFFERS else kind
    word = f" ({row.word})" if row.word not in ("", row.verdict) else ""
    verdict = f"{SYMBOLS[row.verdict]} {name}{word}{cause and f': {cause}'}"
    numbers = [row.published, row.reproduced, _over_topics(row), row.difference, row.tolerance]
    return [what(row), verdict, *numbers, row.evidence]


def _row(name: str, kind: str, cells: list[str]) -> str:
    """Return a row as HTML."""
    what, *rest = (html.escape(minus_signs(cell)) for cell in cells)
    link = f'<a class="headerlink" href="#{name}" title="Link to this row">#</a>'
    body = "".join(f"<td>{cell}</td>" for cell in rest)
    return f'<tr id="{name}" data-kind="{kind}"><th scope="row">{what}{link}</th>{body}</tr>'


def _cell(text: str) -> str:
    """Set minus signs, and escape what Markdown would take for markup in a table cell."""
    text = minus_signs(text)
    for character in "\\|*_<>$`[]@":
        text = text.replace(character, "\\" + character)
    return text


def write(table: pd.DataFrame) -> None:
    """Write the committed ledger, its page, and the verdict table of README."""
    write_table(".", "ledger", table)
    (ROOT / "book" / "ledger.md").write_text(page(table), encoding="utf-8")
    for name in SHOW_WORDS:
        file = ROOT / name
        text = with_words(file.read_text(encoding="utf-8"))
        if name == "README.md":
            text = with_lead(with_summary(text, table))
        file.write_text(text, encoding="utf-8")


def with_summary(text: str, table: pd.DataFrame) -> str:
    """Return a text whose verdict table, between two comment lines, is that of the ledger."""
    return markdown.with_part(text, "verdicts", verdict_table(table))


def with_words(text: str) -> str:
    """Return a text that says, between two comment lines, what the words of a verdict mean."""
    return markdown.with_part(text, "words", "\n".join(MEANINGS.values()))


def with_lead(text: str) -> str:
    """Return a text whose lead, between two comment lines, says what came out elsewhere."""
    return markdown.with_part(text, "elsewhere", what_came_out())
