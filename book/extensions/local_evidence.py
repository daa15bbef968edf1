"""Sphinx extension: the mark after a sentence, and what the evidence says of a choice, a row each.

The role ``{mark}`` stands after the sentence that a verdict is about, and names its row
(:func:`chapters.ledger.registry.mark_of`): a small square, one shape a word, and the word, which
leads to what it means.  One in bold at the beginning of a line of a list, as in a chapter's answer,
stands beside it.  The role ``{means}`` says that, a sentence for each word that it names.

``{evidence}`` says in its first line what is compared, and has a choice a line: a claim of the
registry, its population and the two measures.  The word, the number and the collections are those
of the registry.  Instead of a claim, ``gain`` has the numbers of :mod:`chapters.elsewhere.single`
and ``lead`` those of :mod:`chapters.elsewhere.growth`: these were not registered.
"""

from docutils import nodes
from docutils.utils import unescape
from local_cover import marked_square, verdict
from sphinx.addnodes import pending_xref
from sphinx.util.docutils import SphinxDirective

from chapters.data_tables import claims_everywhere
from chapters.elsewhere import confirmed, growth, single
from chapters.elsewhere.summaries import POPULATIONS, mean_of_collections, of_population
from chapters.ledger.claims import NEW, SETS
from chapters.ledger.registry import known_words, mark_of, with_marks
from lib.decisions import CONTRADICTS, INCONCLUSIVE, SUPPORTS, meaning
from lib.display import markdown
from lib.errors import InputError
from lib.intervals import between

HEAD = ["", "difference [95%]", "on"]
TINTED = "; tinted: within .02"  # where a claim says "as well as"
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
    if population == "these":
        return f"{len(rows)} older collections"
    return f"{', '.join(rows['title']) if population in NAMED else title} ({len(rows)})"


def spoken_for(one, other, what, row):
    """Return which of the two measures a row of the registry speaks for.

    "As good" says that the first may stand for the second: its number is not lower by more than the
    margin.
    """
    sides = {
        SUPPORTS: "as good" if what.startswith("predict") else one,
        CONTRADICTS: other,
        INCONCLUSIVE: "",
    }
    return f"{sides[row['side']]}{with_marks(row)}".removeprefix(", ")


def unregistered(kind, of, one, other):
    """Return an interval that no claim is about, its collections, its place and its topics."""
    if kind == "gain":
        told = f"{single.SIZES[-1]} topics a set; {of}"
        return single.means_of_gains()[one, other, of], SETS[NEW], "webber2008-single", told
    name, topics = of.rsplit(" ", 1)
    told = f"{topics} topics a set"
    if name in POPULATIONS:
        of = "lead_over", one, other, other
        interval = mean_of_collections(name, *of, topics=int(topics), systems="all")
        return interval, where("p10-AP", name), "elsewhere-paths", told
    row = growth.leads_of(name, other).loc[int(topics)].rename({"lead": "estimate"})
    return row, growth.title_of(name), "elsewhere-p10", told


class Evidence(SphinxDirective):
    """Choices, a line each: claim, population and the two measures; what for stands first."""

    has_content = True
    required_arguments = 1
    final_argument_whitespace = True

    def run(self):
        words, rows, what = known_words(), [], self.arguments[0]
        for line in self.content:
            claim, population, measures = (part.strip() for part in line.split("|"))
            one, other = measures.split(" or ")
            if claim in ("gain", "lead"):
                row, on, anchor, told = unregistered(claim, population, one, other)
                numbers, word = (row.estimate, row.low, row.high), "<small>looked at later</small>"
            else:
                row = words.loc[(claim, SETS.get(population, population))]
                numbers, anchor = row[["estimate", "low", "high"]], row["anchor"]
                word = f"{verdict(row)} <small>{spoken_for(one, other, what, row)}</small>"
                known = row["sets"], confirmed.each_of_new(claim).rpartition("; ")[2]
                on, told = where(claim, population), "; ".join(filter(None, known))
            number = "{} <small>{}</small>".format(*between(*numbers).split(" ", 1))
            place = f"{{ref}}`{on} <{anchor}>` <small>{told}</small>"
            rows.append([f"**{one}** or {other}", word, "", number, place])
        head = [what, "evidence speaks for", *HEAD]
        head[3] += TINTED * what.startswith("predict")
        lines = [markdown.row(head), "|---|---|---|---|---|", *map(markdown.row, rows)]
        table = self.parse_text_to_nodes("\n".join(lines))
        return [nodes.container("", *table, classes=["evidence"])]


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
    """Let no line end before a mark; set one in bold beside the line of a list that it begins."""
    for sure in [one for one in doctree.findall(nodes.inline) if "sure" in one["classes"]]:
        before, strong, line = sure.previous_sibling(), sure.parent, sure.parent.parent.parent
        if isinstance(before, nodes.Text) and before.endswith(" "):
            before.parent.replace(before, nodes.Text(f"{before[:-1]}\N{NO-BREAK SPACE}"))
        if isinstance(strong, nodes.strong) and isinstance(line, nodes.list_item):
            strong.parent.remove(strong)
            line.insert(0, sure)
            line.parent["classes"] = ["verdicts"]


def setup(app):
    app.connect("doctree-resolved", keep_beside)
    app.add_directive("evidence", Evidence)
    app.add_role("mark", mark)
    app.add_role("means", means)
