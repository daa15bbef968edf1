"""Sphinx extension: an exercise that is answered by numbers or words has its fields on the page.

``{practice}`` has for each goal of a session ten items by seed, and the chapters' questions of it.
What is right and what is said to a wrong answer come from the lessons and the items, encoded, so
that nobody reads them at a glance; static/answers.js makes the fields of it, and replies as
``check`` does.
"""

import base64
import json
from collections.abc import Mapping

from docutils import nodes
from local_figures import parsed, set_apostrophes
from markdown_it import MarkdownIt
from sphinx.util.docutils import SphinxDirective

from chapters.exercises import answers
from chapters.exercises.answers import REPLIES, SAID, SIGNS, SYNONYMS, WORDS, decimals
from chapters.exercises.checks import exercises
from chapters.exercises.drawn_items import goals, practised, texts

NO_SCRIPT = (
    '<p class="answers-said">The fields for an answer need JavaScript; in a notebook '
    "<code>check</code> replies without.</p>"
)
MARKDOWN = MarkdownIt("commonmark").enable("table")


def encoded(data):
    """Return data as a page holds them."""
    return base64.b64encode(json.dumps(data, ensure_ascii=False).encode()).decode()


def listed(value):
    """Return the values of an entry, which may be one."""
    return value if isinstance(value, list) else [value]


def by_values(exercise):
    """Return whether an exercise has fields: not a function, and one right answer."""
    return not exercise.arguments and not exercise.holds


def asked(exercise, choices=()):
    """Return what a page knows of an exercise: entries, what each may be, what to reply."""
    right = exercise.right if isinstance(exercise.right, Mapping) else {"": exercise.right}
    if all(isinstance(value, str) for value in right.values()):
        choices = choices or dict.fromkeys(right.values())

    def offered(value):
        if isinstance(value, bool):
            return "yes", "no"
        return list(choices) if value in choices else None

    def of_entries(answer):
        answer = answer if isinstance(answer, Mapping) else {"": answer}
        return [answer.get(key) for key in right]

    return {
        "entries": [[str(key), value, offered(value)] for key, value in right.items()],
        "within": exercise.within,
        "wrong": [[of_entries(wrong["answer"]), wrong["say"]] for wrong in exercise.wrong],
    }


def field(label, exercise, choices=()):
    """Return the place of an exercise's fields."""
    data = encoded(asked(exercise, choices))
    right = asked(exercise)["entries"]
    decimal = any(isinstance(x, float) and x % 1 for _, value, _ in right for x in listed(value))
    told = f"Numbers to {WORDS[decimals(exercise.within)]} decimals."
    digits = f'<p class="answers-said">{told}</p>' * decimal
    return (
        f'{digits}<div class="answer" data-label="{label}" data-answer="{data}">{NO_SCRIPT}</div>'
    )


def rendered(text):
    """Return Markdown as HTML, with tables that look like those of the book."""
    return MARKDOWN.render(text).replace("<table>", '<table class="table">')


def practice(goal):
    """Return the box of a goal: its first item, fields, the worked solution, and the others."""
    items = practised(goal)
    shown = [(rendered(each.question), rendered(each.solution)) for each in items]
    data = [
        asked(each.exercise, each.choices) | {"question": question, "solution": solution}
        for each, (question, solution) in zip(items, shown)
    ]
    label = f"goal-{goal.replace('.', '-')}"
    aim = MARKDOWN.renderInline(texts()[goal]["goal"])
    return (
        f'<div class="practice" id="{label}"><h3>{aim[0].upper()}{aim[1:]}</h3>'
        f'<div class="question" tabindex="-1">{shown[0][0]}</div>'
        f'<div class="answer" data-label="{label}" data-title="goal {goal}"'
        f' data-answer="{encoded(data)}">{NO_SCRIPT}</div><details class="worked">'
        f"<summary>Worked solution</summary><div>{shown[0][1]}</div></details></div>"
    )


class Practice(SphinxDirective):
    """The goals of the session that is its argument, each with its items."""

    required_arguments = 1

    def run(self):
        """Return a box a goal; before those of session 1, what is said of all fields."""
        session = self.arguments[0]
        boxes = [practice(goal) for goal in goals(session)]
        first = [note()] if session == "1" else []
        page = parsed("".join([*first, *boxes]))
        set_apostrophes(page)
        return [nodes.raw("", str(page), format="html")]


def note():
    """Return the place of what is said of all fields of a page, before the first."""
    signs = {str(right).lower().replace("none", "null"): sign for right, sign in SIGNS.items()}
    said = SAID | {"kinds": list(REPLIES.items()), "signs": signs}
    reading = {
        name.lower(): getattr(answers, name)
        for name in ("RAISED", "REWRITTEN", "LISTED", "SEPARATORS", "FORMULA", "WORDS")
    }
    data = encoded({"said": said, "names": SYNONYMS, "reading": reading})
    return (
        f'<p class="answers-note" data-said="{data}">The fields below reply as <code>check</code>'
        " does in a notebook. It is practice and no exam: the answers are in the page. Nothing is"
        " sent. <span>Your answers stay in this browser, for all pages of the book.</span>"
        ' <span role="status">None on this page is right yet.</span>'
        ' <button type="button">Clear all answers</button></p>'
    )


def add_fields(app, doctree):
    """Put its fields into the box of each exercise that has some, and the note before the first."""
    asks = [one for one in doctree.findall(nodes.Admonition) if one.get("type") == "exercise"]
    boxes = [box for box in asks if by_values(exercises()[box["label"]])]
    for box in boxes:
        # What is said to those alone who answer in a notebook: lines of code, after the fields.
        code = [one for one in box.findall(nodes.literal_block) if "check(" in one.astext()][-1]
        code["classes"].append("in-notebook")
        fields = field(box["label"], exercises()[box["label"]])
        code.parent.insert(code.parent.index(code), nodes.raw("", fields, format="html"))
    for box in boxes[:1]:
        box.parent.insert(box.parent.index(box), nodes.raw("", note(), format="html"))


def setup(app):
    app.add_directive("practice", Practice)
    app.connect("doctree-read", add_fields)
