"""Writes exams and quizzes of the items by seed: ``make exam`` and ``make quizzes``.

``python book/make_exam.py exam FOLDER`` reads the seed and the sessions from the environment, SEED
and SESSIONS, so that neither a command nor a file shows the seed, and writes a paper to print, its
key and its marking scheme.  ``python book/make_exam.py quizzes FOLDER`` writes the pages' items of
each session as GIFT, which Moodle and others import: a question an entry, with the known mistakes.
"""

import os
import re
import sys
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt

from lib.atomic import fresh_folder
from lib.errors import InputError
from lib.teaching.draws import MAKERS, Written
from lib.teaching.items import READY, Item, goals, item, secret, texts, unseen

MINUTES = 5  # of an item, as of any task on paper
MARKDOWN = MarkdownIt("commonmark").enable("table")
PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>{title}</title>
<style>
body {{ font: 11pt/1.5 Georgia, serif; max-width: 17cm; margin: 1.5cm auto }}
table {{ border-collapse: collapse; margin: .6em 0 }}
th, td {{ border-bottom: 1px solid #888; padding: .15em .7em; text-align: right }}
section {{ break-inside: avoid; margin: 1.6em 0 }}
h2 {{ font-size: 1em; display: flex; justify-content: space-between }}
.work {{ height: 4.5cm }}
@media print {{ body {{ margin: 0 }} }}
</style>
<h1>{title}</h1>
{body}
</html>
"""


def written(value):
    """Return a right answer as a key has it."""
    return f"{Written(value)}" if isinstance(value, float) else str(value)


def paper(items: dict[str, Item]) -> str:
    """Return the paper: no answer, and no word of where its numbers are from."""
    points = sum(len(one.exercise.right) for one in items.values())
    whole = f"{MINUTES * len(items)} minutes, {points} points: one for each answer."
    parts = [f"<p>{whole} Name and number: …………………………</p>"]
    for number, one in enumerate(items.values(), 1):
        worth = f"{len(one.exercise.right)} points, {MINUTES} minutes"
        head = f"<h2><span>{number}</span><span>{worth}</span></h2>"
        choices = f" ({', '.join(one.choices)})" if one.choices else ""
        blanks = " &emsp; ".join(f"{escape(name)} = ……………" for name in one.exercise.right)
        work = f"<div class='work'></div><p>{blanks}{choices}</p>"
        parts.append(f"<section>{head}{MARKDOWN.render(one.question)}{work}</section>")
    return PAGE.format(title="Exam", body="\n".join(parts))


def key(items: dict[str, Item]) -> str:
    """Return the key: each goal, its answers, and the way to them."""
    parts = []
    for number, (goal, one) in enumerate(items.items(), 1):
        answers = ", ".join(f"{n} = **{written(v)}**" for n, v in one.exercise.right.items())
        aim = f"Session {goal[0]}: {texts()[goal]['goal']}."
        text = MARKDOWN.render(f"{aim}\n\n{answers}\n\n{one.solution}")
        parts.append(f"<section><h2>{number}</h2>{text}</section>")
    return PAGE.format(title="Key", body="\n".join(parts))


def marking(items: dict[str, Item]) -> str:
    """Return the marking scheme: a point an answer, how near it must be, half for what is known."""
    lines = ["| question | answer | right | within | points |", "|---|---|---|---|---|"]
    known = []
    for number, one in enumerate(items.values(), 1):
        for name, value in one.exercise.right.items():
            near = f"{one.exercise.within:g}" if isinstance(value, float) else "exact"
            lines.append(f"| {number} | {name} | {written(value)} | {near} | 1 |")
        for wrong in one.exercise.wrong:
            answer = ", ".join(f"{n} = {written(v)}" for n, v in wrong["answer"].items())
            known.append(f"- {number}: {answer}. {wrong['say']}")
    rule = "Half a point for what one of these mistakes gives, if the rest of the way is right:"
    text = "\n".join([*lines, "", rule, "", *known])
    return PAGE.format(title="Marking scheme", body=MARKDOWN.render(text))


def gift(items: dict[str, Item]) -> str:
    """Return items as GIFT: a question an entry, numbers with their tolerance.

    Examples
    --------
    >>> gift({"5.2": item("5.2", "a word")}).count("::5.2")
    2
    """
    parts = []
    for name, one in items.items():
        for entry in one.exercise.right:
            title, text = guarded(f"{name}: {entry}"), guarded(shown(one, entry))
            parts.append(f"::{title}::[html]{text} {{{answers(one, entry)}}}")
    return "\n\n".join(parts) + "\n"


def shown(one, entry):
    """Return what an entry of an item asks, on one line of HTML: an empty line ends a question."""
    page = MARKDOWN.render(f"{one.question}\n\n**{entry}** = ?")
    return re.sub(r"\s*\n\s*", " ", page).strip()


def answers(one, entry):
    """Return the answers of an entry: those of known mistakes give nothing, and say why."""
    right, mistakes = one.exercise.right[entry], {}
    for wrong in one.exercise.wrong:
        if wrong["answer"].get(entry, right) != right:
            mistakes.setdefault(wrong["answer"][entry], wrong["say"])
    if not isinstance(right, str):
        near = one.exercise.within if isinstance(right, float) else 0
        known = [f"=%0%{value}:{near}#{guarded(say)}" for value, say in mistakes.items()]
        return " ".join([f"#=%100%{right}:{near}", *known])
    parts = [
        f"={guarded(choice)}"
        if choice == right
        else f"~{guarded(choice)}#{guarded(mistakes.get(choice, 'No.'))}"
        for choice in one.choices
    ]
    return " ".join(parts)


def guarded(text):
    """Return a text with a backslash before what GIFT reads as its own."""
    return re.sub(r"([~=#{}:\\])", r"\\\1", text)


def write_exam(folder, seed, sessions):
    """Write an exam of some sessions: a folder whose files do not say the seed."""
    found = sessions.replace(",", " ").split()
    known = sorted({goal[0] for goal in MAKERS})
    if not found or not set(found) <= set(known):
        raise InputError(f"SESSIONS must be some of {', '.join(known)}, such as SESSIONS=1,2,3")
    items = {goal: unseen(goal, secret(seed)) for one in sorted(set(found)) for goal in goals(one)}
    with fresh_folder(folder, kind="exam") as fresh:
        for make in (paper, key, marking):
            (fresh / f"{make.__name__}.html").write_text(make(items), encoding="utf-8")
        (fresh / "exam.gift").write_text(gift(items), encoding="utf-8")


def write_quizzes(folder):
    """Write a quiz a session, of what the pages show."""
    with fresh_folder(folder, kind="quizzes") as fresh:
        for session in sorted({goal[0] for goal in MAKERS}):
            items = {
                f"{goal}, {at}": item(goal, seed)
                for goal in goals(session)
                for at, seed in enumerate(READY, 1)
            }
            (fresh / f"session-{session}.gift").write_text(gift(items), encoding="utf-8")


if __name__ == "__main__":
    try:
        what, target = sys.argv[1:]
        if what == "exam":
            write_exam(Path(target), os.environ.get("SEED", ""), os.environ.get("SESSIONS", ""))
        else:
            write_quizzes(Path(target))
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
