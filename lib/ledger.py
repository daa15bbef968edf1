"""The ledger: every published number and claim, ours beside it, and a verdict."""

from pathlib import Path

import pandas as pd

from lib.papers import PAPERS, paper
from lib.published import DIFFERS, NOT_YET, SYMBOLS, VERDICTS, judge, read
from lib.tables import minus_signs

__all__ = [
    "COMMITTED", "committed", "differences", "ledger", "page", "totals", "verdicts", "worse",
    "write",
]

ROOT = Path(__file__).resolve().parent.parent
COMMITTED = ROOT / "data" / "ledger.csv"
KEY = ["paper", "place", "row", "column"]


def ledger(papers=tuple(PAPERS)):
    """Compute every row of the ledger.

    Parameters
    ----------
    papers : sequence of str
        By default all four.

    Returns
    -------
    DataFrame
        Columns paper, kind, place, row, column, published, reproduced, difference, tolerance,
        verdict, cause, anchor: the label of the heading in the book that computes the row.
    """
    return pd.concat([_of_paper(name) for name in papers], ignore_index=True)


def _of_paper(name):
    printed = read(name)
    module = paper(name)
    found = module.findings()
    unknown = found.merge(printed, on=KEY[1:], how="left", indicator=True)
    unknown = unknown[unknown["_merge"] == "left_only"]
    if len(unknown):
        raise ValueError(f"{name}: not in data/published: {unknown[KEY[1:]].iloc[0].tolist()}")
    merged = printed.merge(found, on=KEY[1:], how="left", validate="one_to_one")
    rows = []
    for row in merged.itertuples():
        error = 0.0 if pd.isna(row.error) else row.error
        difference, tolerance, verdict = judge(row.printed, row.value, error)
        if verdict == NOT_YET and isinstance(row.status, str) and row.status:
            verdict = row.status
        stays = verdict not in VERDICTS[:2] and isinstance(row.cause, str)
        cause = row.cause if stays else ""
        anchor = module.ANCHORS.get(row.place, "")
        rows.append((name, row.kind, row.place, row.row, row.column, row.printed,
                     _shown(row.printed, row.value, verdict), _rounded(difference),
                     _rounded(tolerance), verdict, cause, anchor))
    return pd.DataFrame(rows, columns=[
        "paper", "kind", "place", "row", "column", "published", "reproduced", "difference",
        "tolerance", "verdict", "cause", "anchor"])


def _shown(printed, value, verdict):
    """Return our value with two digits more than the printed one has."""
    if verdict in VERDICTS[3:]:
        return ""
    if printed == "yes":
        return "yes" if value else "no"
    decimals = len(printed.partition(".")[2])
    return f"{float(value):.{decimals + 2 if decimals else 0}f}"


def _rounded(number):
    return "" if pd.isna(number) else f"{number + 0.0:.4f}".replace("-0.0000", "0.0000")


def committed():
    """Return the ledger as it is committed."""
    return pd.read_csv(COMMITTED, dtype=str, keep_default_na=False)


def worse(now, before):
    """Return the rows whose verdict is worse than before.

    Examples
    --------
    >>> row = {"paper": "p", "place": "Table 1", "row": "a", "column": "b"}
    >>> now = pd.DataFrame([row | {"verdict": "differs"}])
    >>> before = pd.DataFrame([row | {"verdict": "reproduced"}])
    >>> len(worse(now, before)), len(worse(before, now)), len(worse(now, now))
    (1, 0, 0)
    """
    merged = now.merge(before[[*KEY, "verdict"]], on=KEY, suffixes=("", "_before"))
    rank = {verdict: i for i, verdict in enumerate(VERDICTS)}
    return merged[merged["verdict"].map(rank) > merged["verdict_before"].map(rank)]


def totals(table):
    """Count the verdicts: one row a paper, one column a verdict, and the sums."""
    counts = pd.crosstab(table["paper"], table["verdict"])
    counts = counts.reindex(index=list(PAPERS), columns=list(VERDICTS), fill_value=0)
    counts.columns.name = counts.index.name = None
    counts["all"] = counts.sum(axis=1)
    counts.loc["all"] = counts.sum()
    return counts


def verdicts(name):
    """Count the verdicts of one paper: one row a place, one column a verdict that occurs.

    Examples
    --------
    >>> verdicts("webber2008").loc["Table 2"].to_dict()["data not public"]
    15
    """
    table = ledger([name])
    counts = pd.crosstab(table["place"], table["verdict"])
    counts = counts.reindex(index=table["place"].unique())
    counts = counts[[verdict for verdict in VERDICTS if verdict in counts]]
    return counts.rename_axis(index=None, columns=None)


def differences(name):
    """Return what differs in one paper, and why, as a list in Markdown.

    Parameters
    ----------
    name : str
        Paper, as in :data:`lib.papers.PAPERS`.

    Returns
    -------
    str
        One item a row whose verdict is "differs".

    Examples
    --------
    >>> differences("webber2008").splitlines()[1]
    "- *Section 3*: TREC-8: phi(AP, RR) is at least phi(RR, RR). **But:** 0.36 against 0.39, \
as in the paper's own table."
    """
    rows = ledger([name])
    statement = read(name).set_index(KEY[1:])["statement"]
    items = []
    for row in rows[rows["verdict"] == "differs"].itertuples():
        said = statement[(row.place, row.row, row.column)] or f"{row.row}, {row.column}"
        number = "" if row.published == "yes" else f" (printed {row.published})"
        items.append(f"- *{row.place}*: {_cell(said)}{number}. **But:** {_cell(row.cause)}.")
    return "\n".join(items)


def summary(table):
    """Return the verdict table of the README as Markdown."""
    counts = totals(table)
    lines = ["| paper | " + " | ".join(counts.columns) + " |",
             "|---|" + "---:|" * len(counts.columns)]
    for name, row in counts.iterrows():
        label = PAPERS.get(name, "all four")
        lines.append(f"| {label} | " + " | ".join(map(str, row)) + " |")
    return "\n".join(lines)


def page(table):
    """Return the ledger as a page of the book, in Markdown."""
    lines = [
        "(ledger)=", "# The ledger", "",
        "Every number and every checkable claim of the four papers stands here, with what we got.",
        "A number is *reproduced* when it agrees to half its last printed digit, a claim when it "
        "holds.",
        "Where the paper sampled and so did we, a difference that two such samples explain "
        "(three standard errors) is *within Monte-Carlo error*.",
        "*Data not public* means that the runs cannot be had, *not yet* that nobody has computed "
        "it for this book.", "",
        "This page is generated: `python -m lib ledger --write` makes it.", "",
        summary(table), "", "## What differs, and why", "",
    ]
    differing = table[table["verdict"] == DIFFERS]
    lines += [_difference(row) for row in differing.itertuples()] or ["Nothing."]
    for name in PAPERS:
        lines += ["", f"## {PAPERS[name]}", ""]
        of_paper = table[table["paper"] == name]
        for place, rows in of_paper.groupby("place", sort=False):
            counts = rows["verdict"].value_counts()
            tally = ", ".join(f"{counts[v]} {v}" for v in VERDICTS if v in counts)
            lines += [f"::::{{dropdown}} {place}: {tally}", ":animate: fade-in", "",
                      *_rows(rows), "::::", ""]
    return "\n".join(lines)


def _difference(row):
    got = f"The paper says {row.published}, we get {row.reproduced}"
    return (f"- {PAPERS[row.paper]}, {{ref}}`{row.place} <{row.anchor}>`: {_cell(_what(row))}. "
            f"{got}: {_cell(row.cause)}.")


def _what(row):
    """Return what a row is about: its statement, or for a table cell its row and column."""
    if row.kind == "table":
        return f"{row.row}, {row.column}"
    statements = read(row.paper).set_index(KEY[1:])["statement"]
    return statements[row.place, row.row, row.column]


def _rows(rows):
    """Return rows as a Markdown table; what all of them share stands above it."""
    lines = []
    if rows["anchor"].iloc[0]:
        lines += [f"Computed under {{ref}}`{rows['anchor'].iloc[0]}`.", ""]
    causes = set(rows["cause"])
    shared = len(causes) == 1 and "" not in causes and len(rows) > 1
    if shared:
        lines += [f"All: {_cell(causes.pop())}.", ""]
    lines += ["| what | published | ours | difference | tolerance | verdict |",
              "|---|---:|---:|---:|---:|---|"]
    for row in rows.itertuples():
        verdict = f"{SYMBOLS[row.verdict]} {row.verdict}"
        if row.cause and not shared:
            verdict += f": {row.cause}"
        cells = [_what(row), row.published, row.reproduced, row.difference, row.tolerance, verdict]
        lines.append("| " + " | ".join(map(_cell, cells)) + " |")
    return lines


def _cell(text):
    """Set minus signs, and escape what Markdown would take for markup in a table cell."""
    text = minus_signs(text)
    for character in "\\|*_<>$`[]@":
        text = text.replace(character, "\\" + character)
    return text


def write(table):
    """Write the committed ledger, its page, and the verdict table of README and landing page."""
    table.to_csv(COMMITTED, index=False, lineterminator="\n")
    (ROOT / "book" / "ledger.md").write_text(page(table), encoding="utf-8")
    for file in (ROOT / "README.md", ROOT / "book" / "intro.md"):
        file.write_text(with_summary(file.read_text(encoding="utf-8"), table), encoding="utf-8")


def with_summary(text, table):
    """Return a text whose verdict table, between two comment lines, is that of the ledger."""
    start, end = "<!-- verdicts -->", "<!-- end of verdicts -->"
    before, _, rest = text.partition(start)
    _, found, after = rest.partition(end)
    if not found:
        raise ValueError(f"the text has no lines {start} and {end}")
    return f"{before}{start}\n\n{summary(table)}\n\n{end}{after}"
