"""Sphinx extension: the mark after a sentence, and what the evidence says of a choice, a row each.

The role ``{mark}`` stands after the sentence that a verdict is about, and names its row
(:func:`chapters.ledger.registry.mark_of`): a small square, one shape a word, and the word, which
leads to what it means.  The role ``{means}`` says that, a sentence for each word that it names.

``{evidence}`` has a choice a line, of four parts: a claim of the registry, its population, the two
measures, and what for.  The word, the number and the collections are those of the registry.
"""

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from docutils.utils import unescape
from local_cover import marked_square, verdict
from sphinx.addnodes import pending_xref

from chapters.data_tables import claims_everywhere
from chapters.elsewhere import confirmed
from chapters.elsewhere.summaries import POPULATIONS, of_population
from chapters.ledger.claims import SETS
from chapters.ledger.registry import known_words, mark_of, with_marks
from lib.decisions import CONTRADICTS, INCONCLUSIVE, SUPPORTS, meaning
from lib.display import markdown
from lib.errors import InputError
from lib.intervals import between

HEAD = ["choose between", "evidence speaks for", "difference [95%]; tinted: within .02", "on"]
# Where the words of marks are defined.
_MEANS = {
    "refdomain": "std",
    "reftype": "ref",
    "reftarget": "foundations-answer",
    "refexplicit": True,
    "refwarn": True,
}
NAMED = ("shallow", "deep")  # pools of their depth alone do not make what is found on these


def where(claim, population):
    """Return what a population is called, with the number of its collections where it is a set."""
    title = SETS.get(population, population)
    if population not in POPULATIONS:
        return title
    rows = of_population(claims_everywhere(), claim, population)
    return f"{', '.join(rows['title']) if population in NAMED else title} ({len(rows)})"


def spoken_for(one, other, purpose, row):
    """Return which of the two measures a row of the registry speaks for.

    "As well" says that the first may stand for the second: its number is not lower by more than the
    margin.
    """
    as_well = f"{one}, as well as {other}" if purpose.startswith("predict") else one
    sides = {SUPPORTS: as_well, CONTRADICTS: other, INCONCLUSIVE: ""}
    same = ", the same within .02" * (row["level"] == "yes")
    return f"{sides[row['side']]}{same}{with_marks(row)}".removeprefix(", ")


class Evidence(Directive):
    """Choices, a line each: claim, population, the two measures, and what for."""

    has_content = True

    def run(self):
        words, rows = known_words(), []
        for line in self.content:
            claim, population, measures, purpose = (part.strip() for part in line.split("|"))
            one, other = measures.split(" or ")
            row = words.loc[(claim, SETS.get(population, population))]
            choice = f"**{one}** or {other} <small>to {purpose}</small>"
            word = f"{verdict(row)} <small>{spoken_for(one, other, purpose, row)}</small>"
            number = between(row["estimate"], row["low"], row["high"])
            place = f"{{ref}}`{where(claim, population)} <{row['anchor']}>`"
            told = filter(None, [row["told"], confirmed.each_of_new(claim).rpartition("; ")[2]])
            place += f" <small>{', '.join(told)}</small>"
            rows.append([choice, word, number, place])
        lines = [markdown.row(HEAD), "|---|---|---|---|", *map(markdown.row, rows)]
        node = nodes.container(classes=["evidence"])
        self.state.nested_parse(StringList(lines, "evidence"), 0, node)
        return [node]


def mark(role, rawtext, text, lineno, inliner, options=None, content=()):
    """Return the mark of a sentence: its square, which names its rows, and its word, a link."""
    try:
        found = mark_of(unescape(text))
    except InputError as error:
        return [], [inliner.reporter.error(str(error), line=lineno)]
    link = pending_xref(
        "", nodes.inline("", found.says), **_MEANS, refdoc=inliner.document.settings.env.docname
    )
    return [nodes.inline("", "", marked_square(found), link, classes=["sure"])], []


def means(role, rawtext, text, lineno, inliner, options=None, content=()):
    """Return what words of a verdict mean; each stands emphasized in its sentence."""
    try:
        parts = meaning(text).split("*")
    except KeyError as error:
        return [], [inliner.reporter.error(f"no word of a verdict: {error}", line=lineno)]
    return [(nodes.emphasis if at % 2 else nodes.inline)("", x) for at, x in enumerate(parts)], []


def keep_beside(app, doctree, docname):
    """Let no line end between a sentence and its mark."""
    for sure in [one for one in doctree.findall(nodes.inline) if "sure" in one["classes"]]:
        before = sure.previous_sibling()
        if isinstance(before, nodes.Text) and before.endswith(" "):
            before.parent.replace(before, nodes.Text(f"{before[:-1]}\N{NO-BREAK SPACE}"))


def setup(app):
    app.connect("doctree-resolved", keep_beside)
    app.add_directive("evidence", Evidence)
    app.add_role("mark", mark)
    app.add_role("means", means)
