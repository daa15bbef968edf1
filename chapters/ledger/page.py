"""The ledger as it is read: its page of the book, and the verdict table of the README."""

import html
import re
from typing import Any

import pandas as pd

from chapters.data_tables import write as write_table
from chapters.elsewhere.confirmed import each_of_new
from chapters.elsewhere.summaries import OTHERS, THESE
from chapters.elsewhere.tables import what_came_out
from chapters.elsewhere.trec import TERABYTE_TASK, of_pair, quartiles
from chapters.ledger import paper_names
from chapters.ledger.claims import MEMBERS, SETS
from chapters.ledger.papers import paper, papers
from chapters.ledger.published import DIFFERS, REPRODUCED, SAMPLING, UNKNOWN, in_words, statements
from chapters.ledger.registry import corrected_as_one, is_word, known_words, with_marks
from chapters.ledger.rows import BY_DEFINITION, ON_PRINT, counted_as
from lib.decisions import FINDING, HINT, INCONCLUSIVE, MEANINGS
from lib.display import markdown
from lib.intervals import between, minus_signs
from lib.paths import ROOT

_NEW = [SETS[name] for name in MEMBERS]

COMES_OUT, CANNOT_BE_CHECKED = "comes out", "cannot be checked"
# What the cover and the page say of a row, best first, and when; data/ledger.csv says more.
KINDS = {
    f"{COMES_OUT} ({FINDING})": MEANINGS[FINDING],
    f"{COMES_OUT} ({HINT})": MEANINGS[HINT],
    COMES_OUT: "a number agrees to half its last printed digit (in the file *reproduced*), or "
    "random sampling, theirs and ours, explains the difference (*within Monte-Carlo error*, up to "
    "three standard errors); a claim that needs no interval holds",
    INCONCLUSIVE: MEANINGS[INCONCLUSIVE],
    f"{DIFFERS} ({FINDING})": "as above, against the paper",
    f"{DIFFERS} ({HINT})": "as above, against the paper",
    DIFFERS: "none of these",
    ON_PRINT[True]: "printed numbers beside each other: the paper agrees with itself",
    ON_PRINT[False]: "the paper does not agree with itself",
    BY_DEFINITION: "a definition or a constant, which says nothing about the data",
    CANNOT_BE_CHECKED: "nobody outside can get the runs (*data not public*), or the words name "
    "nothing to be measured (*not testable*)",
}


def kinds(table: pd.DataFrame) -> pd.Series:
    """Return what the cover and the page say of each row: one of :data:`KINDS`."""
    kind = counted_as(table).replace({REPRODUCED: COMES_OUT, SAMPLING: COMES_OUT})
    kind[kind.isin(UNKNOWN)] = CANNOT_BE_CHECKED
    decided = table["word"].isin([FINDING, HINT]) & kind.isin([COMES_OUT, DIFFERS])
    kind[decided] += " (" + table["word"][decided] + ")"
    return kind


def sorted_rows(table: pd.DataFrame) -> pd.DataFrame:
    """Return a ledger with the kind of each row in a column `says`, by paper and kind."""
    orders = {name: i for i, name in enumerate((*paper_names(), *KINDS))}
    table = table.assign(says=kinds(table))
    return table.sort_values(["paper", "says"], key=lambda of: of.map(orders), kind="stable")


def counted(rows: pd.DataFrame) -> str:
    """Say how many rows there are of each kind, the most first."""
    return ", ".join(f"{kind} {n}" for kind, n in rows["says"].value_counts().items())


def title_of(name: str) -> str:
    """Return a paper's title with "et al." for all authors but the first of three or more.

    >>> title_of("webber2008")
    'Webber et al. 2008'
    """
    return re.sub(r",.* and \w+ (?=\d)", " et al. ", paper(name).title)


def as_line(row: Any) -> list[str]:
    """Return what a row says, as a line or a card has it, and its address."""
    title = f"{title_of(row.paper)}, {row.place}"
    texts = [title, what(row), row.published, row.reproduced, _over_topics(row), row.says]
    return [*map(typeset, [*texts, row.cause]), address(row)]


def verdict_table(table: pd.DataFrame, *, explained: bool = False) -> str:
    """Return how many rows have each verdict as Markdown: one row a verdict, one column a paper.

    On the page a verdict has its square, and it is explained; the README has neither.
    """
    names = [*paper_names(), "all"]
    counts = pd.crosstab(kinds(table), table["paper"], margins=True, margins_name="all")
    counts = counts.reindex([kind for kind in (*KINDS, "all") if kind in counts.index])[names]
    heads = [*map(_short, names[:-1]), f"all {in_words(len(paper_names()))}"]
    lines = [["verdict", *heads], ["---", *["---:"] * len(heads)]]
    lines += [[kind, *row] for kind, row in zip(counts.index, counts.to_numpy())]
    if explained:
        ends = ["when", "---", *(KINDS.get(kind, "") for kind in counts.index)]
        marked = [*lines[:2], *([_marked(kind), *row] for kind, *row in lines[2:])]
        lines = [[*row, end] for row, end in zip(marked, ends)]
    return "\n".join(map(markdown.row, lines))


def _marked(kind: str) -> str:
    """Return a verdict with its square, which is drawn when the book is built."""
    return f"{{square}}`{kind}`" if kind in KINDS else kind


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
{{ref}}`Find a row <ledger-rows>`, or take all of them as {{download}}`ledger.csv <../data/ledger.csv>`; the sign # at the end of a row has its address, and its card to copy and cite.

## What differs, and why

{differing}

## How many of each

Where an interval decides, the correction is Holm's, for all comparisons of the paper on the same data.
Of all {tests} p values that the book keeps together, Holm's method would leave {holm} of {findings} findings, and Benjamini and Hochberg's {false}.
"""  # noqa: E501  One sentence a line.

_FIND = """
(ledger-rows)=
## Find a row

<form id="ledger-filter" hidden></form>
<noscript>Open a table below; to search all of them at once, take the file.</noscript>
"""  # static/ledger.js fills the form


def page(table: pd.DataFrame) -> str:
    """Return the ledger as a page of the book, in Markdown."""
    papers_in_words = in_words(len(paper_names()))
    lines = [
        _INTRODUCTION.format(
            papers=papers_in_words, differing=_differences(table), **corrected_as_one()
        ),
        verdict_table(table, explained=True),
        _FIND,
    ]
    for name, of in papers().items():
        lines += [f"## {of.title}", ""]
        of_paper = table[table["paper"] == name]
        for place, rows in of_paper.groupby("place", sort=False):
            # The strip is drawn when the book is built.
            lines += [f"::::{{dropdown}} {{strip}}`{name}, {place}`", ":animate: fade-in", ""]
            lines += [*_rows(rows), "::::", ""]
    return "\n".join([*lines, *_of_study(), *_of_tasks()])


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
*With these systems*: leave out the runs of some one group, and the verdict changes.

*Q* says how much the collections disagree.

| claim | on | number | adjusted *p* | word | *Q* |
|---|---|---|---:|---|---|
"""  # noqa: E501  One sentence a line.


def _of_study() -> list[str]:
    """Return the rows of chapter 5's claims."""
    words, rows = known_words(), []
    for claim in words.xs(THESE, level="population").itertuples():
        sets = f", {claim.sets}" if claim.sets else ""
        cells = [_cell(claim.says + sets), *_decided(words.loc[(claim.Index, THESE)])]
        other = (claim.Index, OTHERS)
        cells += _decided(words.loc[other])[::2] if other in words.index else ["", ""]
        rows.append(markdown.row(cells))
    new = [
        markdown.row([_cell(claim["says"]), claim["whom"], *_decided(claim), _differing(name)])
        for (name, _), claim in words[words.index.isin(_NEW, level="population")].iterrows()
    ]
    return [_STUDY + "\n".join(rows), _CONFIRMED + "\n".join(new), ""]


def _differing(claim: str) -> str:
    """Return Q of a claim's new collections, with its degrees of freedom."""
    return each_of_new(claim).rpartition("; ")[2]


def _decided(row: Any) -> list[str]:
    """Return an interval, the adjusted p value and the word of a claim."""
    p = row["adjusted"]
    adjusted = "" if pd.isna(p) else "< 0.001" if p < 0.001 else f"{p:.3f}"
    return [
        _cell(between(row["estimate"], row["low"], row["high"])),
        adjusted,
        is_word(row, with_marks),
    ]


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


def _differences(table: pd.DataFrame) -> str:
    """Return what differs: what it is, where the paper has it, their value, ours, and why."""
    differing = sorted_rows(table[table["verdict"] == DIFFERS])
    rows = []
    by_kind = {"key": lambda of: of.map([*KINDS].index), "kind": "stable"}
    for row in differing.sort_values("says", **by_kind).itertuples():
        place = f"{_short(row.paper)}, {{ref}}`{row.place} <{row.anchor}>`"
        where = f'{place} (<a href="#{address(row)}">row</a>)'
        told = map(_cell, (what(row), row.published, row.reproduced, _why(row)))
        rows.append([_marked(row.says), where, *told])
    return "\n".join(
        markdown.table_lines(["verdict", "where", "what", "printed", "ours", "why"], rows)
    )


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


# The columns of a table of rows: the class of a cell, and its head.
_HEADS = {
    "what": "what",
    "said": "verdict",
    "print": "printed",
    "ours": "ours",
    "over": "over topics",
    "off": "difference",
    "least": "tolerance",
    "rests": "rests on",
}


def _rows(rows: pd.DataFrame) -> list[str]:
    """Return rows as a table in HTML; what all of them share stands above it.

    It is HTML because a row has its address, and its verdict without the cause.  A column in which
    nothing stands is left out.
    """
    lines = []
    if rows["anchor"].iloc[0]:
        lines += [f"Computed under {{ref}}`{rows['anchor'].iloc[0]}`.", ""]
    causes = set(rows["cause"])
    shared = len(causes) == 1 and "" not in causes and len(rows) > 1
    if shared:
        lines += [f"All: {_cell(causes.pop())}.", ""]
    said = [
        _cells(row, kind, "" if shared else row.cause)
        for row, kind in zip(rows.itertuples(), kinds(rows))
    ]
    shown = [name for name in _HEADS if any(cells[name] for cells in said)]
    heads = "".join(f'<th scope="col">{_HEADS[name]}</th>' for name in shown)
    return [
        *lines,
        '<div class="pst-scrollable-table-container">',
        '<table class="table ledger">',
        f"<thead><tr>{heads}</tr></thead>",
        "<tbody>",
        *(
            _row(address(row), kind, {name: cells[name] for name in shown})
            for row, kind, cells in zip(rows.itertuples(), kinds(rows), said)
        ),
        "</tbody></table></div>",
        "",
    ]


def _cells(row: Any, kind: str, cause: str) -> dict[str, str]:
    """Return the texts of a row of the ledger, by column.

    A definition or a constant that differs says so.
    """
    if kind == BY_DEFINITION and row.verdict == DIFFERS:
        kind = f"{kind}, {DIFFERS}"
    return {
        "what": what(row),
        "said": kind + (cause and f": {cause}"),
        "print": row.published,
        "ours": row.reproduced,
        "over": _over_topics(row),
        "off": row.difference,
        "least": row.tolerance,
        "rests": row.evidence,
    }


def _row(name: str, kind: str, cells: dict[str, str]) -> str:
    """Return a row as HTML."""
    stated, *rest = (html.escape(typeset(cell), quote=False) for cell in cells.values())
    link = f'<a class="headerlink" href="#{name}" title="Link, copy, cite">#</a>'
    columns = [*cells][1:]
    body = "".join(f'<td class="{column}">{text}</td>' for column, text in zip(columns, rest))
    return f'<tr id="{name}" data-kind="{kind}"><th scope="row">{stated}{link}</th>{body}</tr>'


def typeset(text: str) -> str:
    """Set minus signs and apostrophes.

    >>> typeset("the paper's -1")
    'the paper\u2019s \u22121'
    """
    return minus_signs(text).replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")


def _cell(text: str) -> str:
    """Set minus signs, and escape what Markdown would take for markup in a table cell."""
    text = typeset(text)
    for character in "\\|*_<>$`[]@":
        text = text.replace(character, "\\" + character)
    return text


def write(table: pd.DataFrame) -> None:
    """Write the committed ledger, its page, and the verdict table of README."""
    write_table(".", "ledger", table)
    (ROOT / "book" / "ledger.md").write_text(page(table), encoding="utf-8")
    readme = ROOT / "README.md"
    text = with_lead(with_summary(with_words(readme.read_text(encoding="utf-8")), table))
    readme.write_text(text, encoding="utf-8")


def with_summary(text: str, table: pd.DataFrame) -> str:
    """Return a text whose verdict table, between two comment lines, is that of the ledger."""
    return markdown.with_part(text, "verdicts", verdict_table(table))


def with_words(text: str) -> str:
    """Return a text that says, between two comment lines, what the words of a verdict mean."""
    return markdown.with_part(text, "words", "\n".join(MEANINGS.values()))


def with_lead(text: str) -> str:
    """Return a text whose lead, between two comment lines, says what came out elsewhere."""
    return markdown.with_part(text, "elsewhere", what_came_out())
