"""Sphinx extension: squares, each a statement of the ledger, on the cover and in the ledger.

``{cover}`` has a paper a line with its question, ``{found}`` a claim a line with its population;
the role ``{strip}`` draws the rows of a place of a paper, ``{square}`` a verdict: the counts,
numbers and words come from the committed ledger and registry. A kind of verdict has its shape, so
that no colour is needed, and one path, so that 904 squares are 30 nodes.
"""

import json
import re
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from chapters.elsewhere import confirmed
from chapters.ledger import paper_names, registry
from chapters.ledger import rows as ledger
from chapters.ledger.page import (
    CANNOT_BE_CHECKED,
    COMES_OUT,
    address,
    as_line,
    counted,
    kinds,
    sorted_rows,
    title_of,
)
from chapters.ledger.published import DIFFERS, in_words
from lib.decisions import CONTRADICTS, FINDING, HINT, INCONCLUSIVE, SUPPORTS
from lib.intervals import between

SIDE, PITCH = 14, 17  # of a square and of their grid, in the units of the drawing
# Rows of a wide window and of a strip, filled by columns; columns of a narrow window, by rows.
LINES = {"wide": 16, "strip": 4, "narrow": 28}

FRAME = "h14v14h-14zm1.2 1.2h11.6v11.6h-11.6z"
RISING = (
    "m0 3l3-3h1.6l-4.6 4.6zm0 5l8-8h1.6l-9.6 9.6zm1.6 3.6l10-10v1.6l-8.4 8.4zm5 0l5-5v1.6l-3.4 3.4z"
)
FALLING = (
    "m8.6 0l3 3v-1.6l-1.4-1.4zm-5 0l8 8v-1.6l-6.4-6.4z"
    "m-3.6 1.6l10 10h-1.6l-8.4-8.4zm0 5l5 5h-1.6l-3.4-3.4z"
)
CROSS = (
    "m7 5.4l2.6-2.6 1.6 1.6-2.6 2.6 2.6 2.6-1.6 1.6"
    "-2.6-2.6-2.6 2.6-1.6-1.6 2.6-2.6-2.6-2.6 1.6-1.6z"
)
# What a square says: its class, and its shape, drawn from its upper left corner.
SQUARES = {
    f"{COMES_OUT} ({FINDING})": ("out", "h14v14h-14z"),
    f"{COMES_OUT} ({HINT})": ("out", FRAME + RISING),
    COMES_OUT: ("out", "m2.5 2.5h9v9h-9z"),
    INCONCLUSIVE: ("inc", "h14v14h-14zm2.7 5.8v2.4h8.6v-2.4z"),
    f"{DIFFERS} ({FINDING})": ("dif", "h14v14h-14z" + CROSS),
    f"{DIFFERS} ({HINT})": ("dif", FRAME + FALLING),
    DIFFERS: ("dif", "h14v14h-14z" + CROSS),
    ledger.ON_PRINT[True]: ("out", FRAME + "v11.6h11.6z"),
    ledger.ON_PRINT[False]: ("dif", FRAME + "h11.6v11.6z"),
    ledger.BY_DEFINITION: ("def", FRAME + "m3 3h5.6v5.6h-5.6z"),
    CANNOT_BE_CHECKED: ("non", FRAME),
}
# What static/squares.js fills, a row each.
CARD = """<p class="who"><span data-says></span><span data-says></span></p>
<h2 id="card-says" data-says></h2>
<div class="two"><svg viewBox="0 0 14 14" aria-hidden="true"><path fill-rule="evenodd"/></svg>
<p>printed<b data-says></b></p><p>ours<b data-says></b></p></div>
<p class="kind" data-says></p><p class="why" data-says></p>
<form method="dialog"><button type="button">Copy link</button>
<button type="button">Copy citation</button><a>Its row</a>
<button type="button" value="-1" aria-label="Previous">←</button>
<button type="button" value="1" aria-label="Next">→</button><button>Close</button></form>"""
# The way to what stands for a claim where it is shared (make_pictures.py).
SHARED = '<a class="headerlink" href="../_static/claims/{}.html" title="Address to share">#</a>'
# What "not blind" means, where nothing explains it.
_SEEN = "registered after part of the answer was seen"
# The word of a claim's square, by its side.
SIDES = {SUPPORTS: COMES_OUT, CONTRADICTS: DIFFERS}


def of_claim(word, side):
    """Return what the square of a claim says, by its word and side."""
    return word if word == INCONCLUSIVE else f"{SIDES[side]} ({word})"


def square(kind):
    """Return one square as it stands in a line of text."""
    tone, shape = SQUARES[kind]
    path = f'<path fill-rule="evenodd" d="M0 0{shape}"/>'
    return f'<svg class="sq {tone}" viewBox="0 0 14 14" aria-hidden="true">{path}</svg>'


def marked_square(mark):
    """Return the square of a mark, which has the shape of its word alone, and its rows' names."""
    drawn = square(mark.word if mark.word == INCONCLUSIVE else of_claim(mark.word, SUPPORTS))
    drawn = drawn.replace("<svg ", f'<svg data-rows="{escape(mark.told)}" ')
    return nodes.raw("", drawn, format="html")


def coloured(kind, text):
    """Return what is said of a claim in the colour of its kind, after its square."""
    return f'<span class="verdict {SQUARES[kind][0]}-word">{square(kind)}{text}</span>'


def verdict(row, more=""):
    """Return the word of a row of the registry in its colour, after its square."""
    return coloured(of_claim(row["word"], row["side"]), row["word"] + more)


def drawing(each, name, shown):
    """Draw squares in their order; `name` says what they are to who listens."""
    lines, wide = LINES[shown], shown != "narrow"
    paths = []
    for kind, (tone, shape) in SQUARES.items():
        places = [divmod(i, lines) for i, one in enumerate(each) if one == kind]
        corners = [(x, y) if wide else (y, x) for x, y in places]
        squares = "".join(f"M{x * PITCH} {y * PITCH}{shape}" for x, y in corners)
        if squares:
            paths.append(f'<path class="{tone}" fill-rule="evenodd" d="{squares}"/>')
    long = -(-len(each) // lines)
    width, height = (n * PITCH - PITCH + SIDE for n in ((long, lines) if wide else (lines, long)))
    return (
        f'<svg class="{shown}" data-lines="{lines}" data-count="{len(each)}" role="img"'
        f' aria-label="{escape(name)}" viewBox="0 0 {width} {height}" style="--units:{width}">'
        f"{''.join(paths)}</svg>"
    )


def legend(counts):
    """Return the sentence that is the legend, with its counts, and the key of what comes out."""

    def number(*kinds):
        return sum(n for kind, n in counts.items() if kind.partition(" (")[0] in kinds)

    def marked(kind, words):
        return f'<b class="one {SQUARES[kind][0]}-word">{square(kind)}{words}</b>'

    def one(kind, words):
        return f'<span class="one">{square(kind)}{counts[kind]} {words}</span>'

    finding, hint = (f"{COMES_OUT} ({word})" for word in (FINDING, HINT))
    agree, contradict = ledger.ON_PRINT[True], ledger.ON_PRINT[False]
    out, differ, open_ = number(COMES_OUT), number(DIFFERS), counts[INCONCLUSIVE]
    intervals = out + differ + open_ - counts[COMES_OUT] - counts[DIFFERS]
    papers = in_words(len(paper_names())).capitalize()
    return (
        f'<p class="legend">{papers} papers on search evaluation make <b>{counts.sum()}</b> '
        "statements; each square is one of them. "
        f"Of the {out + differ + open_} that we could recompute, "
        f"{marked(COMES_OUT, f'{out} come out')}, {marked(DIFFERS, f'{differ} differ')}, and "
        f"{marked(INCONCLUSIVE, f'{open_} are inconclusive')}, all among the {intervals} "
        "that have an interval over topics. "
        f'Of the others, <span class="one">{square(agree)}{number(agree, contradict)}</span> '
        "could only be held against the paper’s own print "
        f'<span class="one">({square(contradict)}{number(contradict)} contradict it)</span>, '
        f"{one(ledger.BY_DEFINITION, 'are definitions')}, and "
        f"{one(CANNOT_BE_CHECKED, 'cannot be checked')}, mostly because their data are closed.</p>"
        f'<p class="key">What comes out: {one(finding, "findings")}, settled after correction; '
        f"{one(hint, 'hints')}, before it only; {one(COMES_OUT, 'that need no interval')}. "
        '<a href="ledger.html#how-many-of-each">All verdicts</a></p>'
    )


class Cover(SphinxDirective):
    """The squares: a paper a line, its name, a bar and its question."""

    has_content = True

    def run(self):
        table = sorted_rows(ledger.committed())
        blocks = []
        for line in self.content:
            name, question = (part.strip() for part in line.split("|"))
            rows, title = table[table["paper"] == name], title_of(name)
            said = f"{title}, {len(rows)} statements: {counted(rows)}"
            first = address(next(rows.itertuples()))
            blocks.append(
                f'<a class="block" href="ledger.html#{first}">'
                f'<span class="head"><b>{title}</b><span>{question}</span></span>'
                f"{drawing(rows['says'], said, 'wide')}{drawing(rows['says'], said, 'narrow')}"
                f'<span class="count">{len(rows)}</span></a>'
            )
        misprint = (table["paper"] == "webber2010") & (table["says"] == DIFFERS)
        shown = as_line(next(table[misprint].itertuples()))
        markup = (
            f"{legend(table['says'].value_counts())}"
            f'<div class="blocks">{"".join(blocks)}</div>{line_of(shown)}'
        )
        return [nodes.raw("", f'<div class="cover">{markup}</div>', format="html")]


def line_of(row):
    """Return the line beneath the squares as HTML; static/squares.js fills it again."""
    title, what, printed, ours, over_topics, kind, cause, place = map(escape, row)
    return (
        f'<p class="stated"><span aria-live="polite"><b>{title}</b> <span>{what}</span> '
        f"<span>printed {printed}, ours {ours}</span> <span>{over_topics}</span> "
        f'<b class="{SQUARES[kind][0]}-word">{kind}</b> <span class="why">{cause}</span></span> '
        f'<a href="ledger.html#{place}">See the row</a></p>'
    )


def strip(role, rawtext, text, lineno, inliner, options=None, content=()):
    """Draw the rows of a place of a paper, in its order, with its name and their number."""
    name, place = text.split(", ")
    rows = ledger.committed(name)
    rows = rows.assign(says=kinds(rows))[rows["place"] == place]
    drawn = drawing(rows["says"], f"{len(rows)} statements: {counted(rows)}", "strip")
    markup = f'<b>{place}</b> <span class="count">{len(rows)}</span> {drawn}'
    return [nodes.raw("", markup, format="html")], []


def marked(role, rawtext, text, lineno, inliner, options=None, content=()):
    """Return a verdict in its colour, after its square."""
    return [nodes.raw("", coloured(text, text), format="html")], []


class Found(SphinxDirective):
    """A list of claims: id, population and, after a second bar, what else is to be said."""

    has_content = True

    def run(self):
        words = registry.known_words()
        lines = ["::::{div} found"]
        for line in self.content:
            claim, population, *more = (part.strip() for part in line.split("|"))
            row = words.loc[(claim, population)]
            told = ""
            if row["source"] != registry.OURS:
                whose = title_of(row["source"])
                told = whose if row["word"] == INCONCLUSIVE else f"{row['side']} {whose}"
            elif row["side"] == CONTRADICTS:
                told = "contradicted"
            whom = row["whom"] + registry.with_marks(row)
            at = between(row["estimate"], row["low"], row["high"])
            whom = whom.replace("as registered, not blind", _SEEN)
            each = confirmed.each_of_new(claim).partition("; ")[0]
            if each:  # which names the collections
                whom = f"{re.sub(r' [(][^)]*[)]', '', whom, count=1)}: {each}"
            lines += [
                ":::{div} claim",
                f":name: {nodes.make_id(claim)}",
                "",
                verdict(row, f" <small>{told}</small>"),
                f"**{row['says']}**",
                f'<span class="at">{at}</span>',
                "",
                f"On {whom}. {' '.join(more)} {{ref}}`{row['anchor']}`"
                + SHARED.format(nodes.make_id(claim)),
                ":::",
            ]
        return self.parse_text_to_nodes("\n".join([*lines, "::::"]))


def write_rows(app, exception):
    """Write what squares are and say, in the order of the cover, which pages fetch when asked."""
    if exception is None and app.builder.format == "html":
        project = app.config.html_context["project"]
        of = ", ".join(project["authors"]), project["year"], project["title"], project["version"]
        known = {
            "squares": SQUARES,
            "card": CARD,
            "cited": "{} ({}). {}, version {}.".format(*of),
            "rows": [*map(as_line, sorted_rows(ledger.committed()).itertuples())],
        }
        text = f"window.told = {json.dumps(known, ensure_ascii=False)};\n"
        Path(app.outdir, "_static", "squares-rows.js").write_text(text, encoding="utf-8")


def setup(app):
    app.add_directive("cover", Cover)
    app.add_directive("found", Found)
    app.add_role("strip", strip)
    app.add_role("square", marked)
    app.connect("build-finished", write_rows)
