"""Sphinx extension: a guess before a figure is a choice, and each choice has its answer.

``{guess}`` is a list: of each item the emphasized beginning is a choice, and the rest is what is
answered to it.  The first figure after it in its section is covered until somebody chooses
(static/guess.js).  Without JavaScript nothing is covered, and a line asks to write the guess down.
"""

from html import escape

from docutils import nodes
from local_figures import set_apostrophe
from sphinx.util.docutils import SphinxDirective

NO_SCRIPT = "<noscript><p>Write it down, then read on.</p></noscript>"
LOOK = "Just show it"


class Guess(SphinxDirective):
    """Two or three choices, an item of a list each."""

    has_content = True

    def run(self):
        """Return a button a choice and one that only uncovers, and what is answered to each."""
        parsed = nodes.container("", *self.parse_content_to_nodes())
        answers = [item.next_node() for item in parsed.findall(nodes.list_item)]
        if not 2 <= len(answers) <= 3 or any(
            not isinstance(answer.next_node(), nodes.emphasis) for answer in answers
        ):
            raise self.error("a guess is a list of two or three items: *a choice*, and its answer")
        buttons = "".join(
            f'<button type="button">{escape(set_apostrophe(said))}</button>'
            for said in [*(answer[0].astext() for answer in answers), LOOK]
        )
        group = f'<div role="group" aria-label="Your guess">{buttons}</div>{NO_SCRIPT}'
        box = nodes.container("", nodes.raw("", f'{group}<div role="status">', format="html"))
        for answer in answers:
            answer["classes"].append("reply")
            answer.insert(0, nodes.Text("You said: "))
            box += answer
        box += nodes.raw("", "</div>", format="html")
        box["classes"].append("guess")
        return [box]


def setup(app):
    app.add_directive("guess", Guess)
