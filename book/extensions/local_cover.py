"""Sphinx extension: the cover, a square a statement of the ledger, and the list of what was found.

``{cover}`` has a paper a line with its question, ``{found}`` a claim a line with its population:
the counts, numbers and words come from the committed ledger and registry. A kind of verdict has
its shape, so that no colour is needed, and one path, so that 904 squares are 30 nodes. A line of a
chapter's answer that begins with a bold verdict has it beside itself, with its square.
"""

import json
import re
from html import escape
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList

from chapters.ledger import page as ledger_page
from chapters.ledger import paper_names, registry
from chapters.ledger import rows as ledger
from chapters.ledger.papers import paper
from chapters.ledger.published import DIFFERS, REPRODUCED, SAMPLING, in_words
from lib.decisions import CONTRADICTS, FINDING, HINT, INCONCLUSIVE, SUPPORTS, as_text
from lib.intervals import between, minus_signs

SIDE, PITCH = 14, 17  # of a square and of their grid, in the units of the drawing
WIDE, NARROW = 16, 28  # rows of a wide window, filled by columns; columns of a narrow one, by rows

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
    "comes out": ("out", "h14v14h-14z"),
    "comes out (hint)": ("out", FRAME + RISING),
    INCONCLUSIVE: ("inc", "h14v14h-14zm2.7 5.8v2.4h8.6v-2.4z"),
    DIFFERS: ("dif", "h14v14h-14z" + CROSS),
    "differs (hint)": ("dif", FRAME + FALLING),
    ledger.ON_PRINT[True]: ("out", FRAME + "v11.6h11.6z"),
    ledger.ON_PRINT[False]: ("dif", FRAME + "h11.6v11.6z"),
    ledger.BY_DEFINITION: ("def", FRAME + "m3 3h5.6v5.6h-5.6z"),
    "cannot be checked": ("non", FRAME),
}
# A verdict word with its side, as the square of a claim.
WORDS = {
    (FINDING, SUPPORTS): "comes out",
    (HINT, SUPPORTS): "comes out (hint)",
    (FINDING, CONTRADICTS): DIFFERS,
    (HINT, CONTRADICTS): "differs (hint)",
    (INCONCLUSIVE, INCONCLUSIVE): INCONCLUSIVE,
}


def kinds(table):
    """Return what the square of each row of the ledger says."""
    counted = ledger.counted_as(table)
    kind = counted.replace({REPRODUCED: "comes out", SAMPLING: "comes out"})
    kind[counted.isin(ledger.UNKNOWN)] = "cannot be checked"
    hints = (table["word"] == HINT) & kind.isin(["comes out", DIFFERS])
    kind[hints] += " (hint)"
    return kind


def square(kind):
    """Return one square as it stands in a line of text."""
    tone, shape = SQUARES[kind]
    path = f'<path fill-rule="evenodd" d="M0 0{shape}"/>'
    return f'<svg class="sq {tone}" viewBox="0 0 14 14" aria-hidden="true">{path}</svg>'


def coloured(kind, text):
    """Return what is said of a claim in the colour of its kind, after its square."""
    return f'<span class="verdict {SQUARES[kind][0]}-word">{square(kind)}{text}</span>'


def verdict(row, more=""):
    """Return the word of a row of the registry in its colour, after its square."""
    return coloured(WORDS[row["word"], row["side"]], row["word"] + more)


def drawing(each, name, shown):
    """Draw the squares of a paper, which are sorted; `name` says what they are to who listens."""
    wide = shown == "wide"
    lines = WIDE if wide else NARROW
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
        f'<svg class="{shown}" data-lines="{lines}" viewBox="0 0 {width} {height}" role="img"'
        f' aria-label="{escape(name)}" style="--units:{width}">{"".join(paths)}</svg>'
    )


def title_of(name):
    """Return a paper's title with "et al." for all authors but the first of three or more."""
    return re.sub(r",.* and \w+ (?=\d)", " et al. ", paper(name).title)


def sorted_rows():
    """Return the ledger with the kind of each row, by paper and kind."""
    table = ledger.committed()
    table = table.assign(kind=kinds(table))
    order = {kind: number for number, kind in enumerate(SQUARES)}
    return table.sort_values("kind", key=lambda kind: kind.map(order), kind="stable")


def legend(counts):
    """Return the sentence that is the legend, with its counts."""
    n = counts.get
    out = n("comes out", 0) + n("comes out (hint)", 0)
    differ = n(DIFFERS, 0) + n("differs (hint)", 0)
    agree, contradict = (n(ledger.ON_PRINT[yes], 0) for yes in (True, False))
    public = out + n(INCONCLUSIVE, 0) + differ

    def marked(kind, tone, words):
        return f'<span class="one {tone}-word">{square(kind)}<b>{words}</b></span>'

    def counted(kind, number):
        return f'<span class="one">{square(kind)} {number}</span>'

    papers = in_words(len(paper_names())).capitalize()
    return (
        f"{papers} papers on search evaluation make <b>{counts.sum()}</b> "
        f"statements; each square is one of them. For {public} the data are public: "
        f"{marked('comes out', 'out', f'{out} come out')}, "
        f"{marked(INCONCLUSIVE, 'inc', f'{n(INCONCLUSIVE, 0)} are inconclusive')} once the luck of "
        f"the topics is counted, and {marked(DIFFERS, 'dif', f'{differ} differ')}. "
        f"Of the others, {counted(ledger.ON_PRINT[True], agree + contradict)} could only be held "
        f'against the paper\'s own print <span class="one">({square(ledger.ON_PRINT[False])} '
        f"{contradict} contradict it)</span>, "
        f"{counted(ledger.BY_DEFINITION, n(ledger.BY_DEFINITION, 0))} are definitions, and "
        f"{counted('cannot be checked', n('cannot be checked', 0))} cannot be checked, mostly "
        "because their data are closed."
    )


def as_line(row):
    """Return what the line beneath the squares says of a row: title, texts, class, address."""
    numbers = f"printed {row.published}, ours {row.reproduced}" if row.reproduced else ""
    over_topics = between(*map(float, (row.estimate, row.low, row.high))) if row.low else ""
    texts = [ledger_page.what(row), numbers, over_topics, row.kind, row.cause]
    title = f"{title_of(row.paper)}, {row.place}"
    words = [minus_signs(text) for text in (title, *texts)]
    return [*words, SQUARES[row.kind][0], ledger_page.address(row)]


class Cover(Directive):
    """The squares: a paper a line, its name, a bar and its question."""

    has_content = True

    def run(self):
        table = sorted_rows()
        blocks = []
        for line in self.content:
            name, question = (part.strip() for part in line.split("|"))
            rows, title = table[table["paper"] == name], title_of(name)
            counts = ", ".join(f"{kind} {n}" for kind, n in rows["kind"].value_counts().items())
            said = f"{title}, {len(rows)} statements: {counts}"
            first = ledger_page.address(next(rows.itertuples()))
            blocks.append(
                f'<a class="block" href="ledger.html#{first}" data-paper="{name}">'
                f'<span class="head"><b>{title}</b><span>{question}</span></span>'
                f"{drawing(rows['kind'], said, 'wide')}{drawing(rows['kind'], said, 'narrow')}"
                f'<span class="count">{len(rows)}</span></a>'
            )
        misprint = (table["paper"] == "webber2010") & (table["kind"] == DIFFERS)
        shown = as_line(next(table[misprint].itertuples()))
        markup = (
            f'<p class="legend">{legend(table["kind"].value_counts())}</p>'
            f'<div class="blocks">{"".join(blocks)}</div>{line_of(shown)}'
        )
        return [nodes.raw("", f'<div class="cover">{markup}</div>', format="html")]


def line_of(row):
    """Return the line beneath the squares as HTML; static/cover.js fills it again."""
    title, what, numbers, over_topics, kind, cause, tone, address = map(escape, row)
    return (
        f'<p class="stated"><span aria-live="polite"><b>{title}</b> <span>{what}</span> '
        f"<span>{numbers}</span> <span>{over_topics}</span> "
        f'<b class="{tone}-word">{kind}</b> <span class="why">{cause}</span></span> '
        f'<a href="ledger.html#{address}">See the row</a></p>'
    )


class Found(Directive):
    """A list of claims: id, population and, after a second bar, what else is to be said."""

    has_content = True

    def run(self):
        words = registry.committed()
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
            whom = row["whom"] + registry.with_systems(row)
            at = between(row["estimate"], row["low"], row["high"])
            lines += [
                ":::{div} claim",
                verdict(row, f" <small>{told}</small>"),
                f"**{row['says']}**",
                f'<span class="at">{at}</span>',
                "",
                f"On {whom}. {' '.join(more)} {{ref}}`{row['anchor']}`",
                ":::",
            ]
        node = nodes.container()
        self.state.nested_parse(StringList([*lines, "::::"], "found"), 0, node)
        return node.children


def write_rows(app, exception):
    """Write what the line beneath the squares says of each, which a page fetches when asked."""
    if exception is None and app.builder.format == "html":
        table = sorted_rows()
        rows = {name: [*map(as_line, of.itertuples())] for name, of in table.groupby("paper")}
        text = f"window.coverRows = {json.dumps(rows, ensure_ascii=False)};\n"
        Path(app.outdir, "_static", "cover-rows.js").write_text(text, encoding="utf-8")


def set_beside(app, doctree, docname):
    """Set a bold verdict that a line of a list begins with beside the line."""
    kinds = {as_text(*decided): kind for decided, kind in WORDS.items()}
    for strong in [*doctree.findall(nodes.strong)]:
        words, paragraph, line = strong.astext(), strong.parent, strong.parent.parent
        kind = kinds.get(words.partition(",")[0])  # "..., with these systems"
        if kind and isinstance(line, nodes.list_item) and paragraph.astext().startswith(words):
            paragraph.remove(strong)
            told = re.sub(r"(\w+) \((\w+)\)(.*)", r"\2 <small>\1\3</small>", words)
            line.insert(0, nodes.raw("", coloured(kind, told), format="html"))
            line.parent["classes"] = ["verdicts"]


def setup(app):
    app.connect("doctree-resolved", set_beside)
    app.add_directive("cover", Cover)
    app.add_directive("found", Found)
    app.connect("build-finished", write_rows)
