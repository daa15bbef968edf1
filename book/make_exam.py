"""Writes exams and quizzes of the items by seed: ``make exam`` and ``make quizzes``.

``python book/make_exam.py exam FOLDER`` reads the sessions from the environment, SESSIONS, and the
seed from a file beside the folder, and writes a paper to print, and its key for who marks.
``python book/make_exam.py quizzes FOLDER`` writes the practice of each session.  Both write XML for
Moodle, a question an item, and the text from which text2qti makes what Canvas imports, a question
an entry; what is said to known mistakes is in them.
"""

import math
import os
import re
import sys
from html import escape
from pathlib import Path
from random import Random
from xml.etree.ElementTree import Element, SubElement, tostring

from markdown_it import MarkdownIt

from book.teaching.seed import kept_seed, stop
from chapters.exercises.answers import REPLIES, RULE, decimals, shorter
from chapters.exercises.drawn_items import Item, concepts, goals, practised, texts, unseen
from chapters.exercises.drawn_numbers import MAKERS, Written
from lib.atomic import fresh_folder
from lib.errors import InputError

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
    minutes = sum(one.minutes for one in items.values())
    whole = f"{minutes} minutes, {points} points: one for each answer."
    parts = [f"<p>{whole} {RULE} Name and number: …………………………</p>"]
    for number, one in enumerate(items.values(), 1):
        worth = f"{len(one.exercise.right)} points, {one.minutes} minutes"
        head = f"<h2><span>{number}</span><span>{worth}</span></h2>"
        choices = f" ({', '.join(one.choices)})" if one.choices else ""
        blanks = " &emsp; ".join(f"{escape(name)} = ……………" for name in one.exercise.right)
        work = f"<div class='work'></div><p>{blanks}{choices}</p>"
        parts.append(f"<section>{head}{MARKDOWN.render(one.question)}{work}</section>")
    return PAGE.format(title="Exam", body="\n".join(parts))


def key(items: dict[str, Item]) -> str:
    """Return the key, a point an answer: the goal, the way, and what known mistakes give."""
    parts = [f"<p>{RULE}</p>"]
    for number, (goal, one) in enumerate(items.items(), 1):
        lines = [f"Session {goal[0]}: {texts()[goal[:3]]['goal']}.", ""]
        for name, value in one.exercise.right.items():
            asked = decimals(one.exercise.within)
            near = f" ({asked} decimals)" if isinstance(value, float) else ""
            lines.append(f"- {name} = **{written(value)}**{near}: 1 point")
        lines += ["", one.solution, ""]
        for wrong in one.exercise.wrong:
            answer = ", ".join(f"{n} = {written(v)}" for n, v in wrong["answer"].items())
            lines.append(f"- Known mistake: {answer}. {wrong['say']}")
        text = MARKDOWN.render("\n".join(lines))
        parts.append(f"<section><h2>{number}</h2>{text}</section>")
    return PAGE.format(title="Key", body="\n".join(parts))


def moodle(items: dict[str, Item]) -> str:
    """Return items as XML of Moodle: of each a Cloze question, in the category of its goal.

    Examples
    --------
    >>> moodle({"5.2": unseen("5.2", "a seed")}).count(":NUMERICAL:")
    2
    """
    quiz, category = Element("quiz"), ""
    for name, one in items.items():
        if category != (category := texts()[name[:3]]["goal"].replace("*", "")):
            place = {"category": f"$course$/top/Session {name[0]}/{category}"}
            quiz.append(of_moodle("category", place))
        blanks = [f"<p>{escape(x)} = {{1:{blank(one, x)}}}</p>" for x in one.exercise.right]
        text = MARKDOWN.render(one.question) + "".join(blanks)
        way = MARKDOWN.render(one.solution)
        parts = {"name": name, "questiontext": text, "generalfeedback": way}
        quiz.append(of_moodle("cloze", parts))
    return tostring(quiz, encoding="unicode", xml_declaration=True)


def of_moodle(kind, parts):
    """Return a question of Moodle with the texts of its parts."""
    question = Element("question", type=kind)
    for part, text in parts.items():
        SubElement(SubElement(question, part, format="html"), "text").text = text
    return question


def blank(one, entry):
    """Return the answers of an entry as Cloze has them: known mistakes give nothing, and why."""
    right, mistakes = one.exercise.right[entry], known_mistakes(one, entry)
    if isinstance(right, str):
        said = {choice: mistakes.get(choice, "No.") for choice in one.choices if choice != right}
        return "~".join([f"MULTICHOICE:={right}", *(f"{x}#{guarded(said[x])}" for x in said)])
    near, asked = nearness(one, right), decimals(one.exercise.within)
    told = REPLIES.get(str(asked), "")
    half = [f"%50%{value}:0.000001#{told}." for value in shorter(right, asked)]
    known = [f"%0%{value}:{near}#{guarded(say)}" for value, say in mistakes.items()]
    return "~".join([f"NUMERICAL:={right}:{near}", *half, *known])


def known_mistakes(one, entry):
    """Return what known mistakes make of an entry, and what is said to each."""
    right, found = one.exercise.right[entry], {}
    for wrong in one.exercise.wrong:
        if wrong["answer"].get(entry, right) != right:
            found.setdefault(wrong["answer"][entry], wrong["say"])
    return found


def nearness(one, right):
    """Return how far from the right number an answer may be: a whole one must be exact."""
    return one.exercise.within if isinstance(right, float) else 0


def guarded(text):
    """Return a text without what ends an answer in Cloze."""
    return re.sub(r"([}#])", r"\\\1", escape(text)).replace("~", "&#126;")


def canvas(title: str, items: dict[str, Item]) -> str:
    """Return items as text2qti reads them: of a number Canvas says one thing to all that is wrong.

    >>> print(canvas("A quiz", {"5.2": unseen("5.2", "a seed")}).partition("\\n")[0])
    Quiz title: A quiz
    """
    parts = [f"Quiz title: {title}"]
    for name, one in items.items():
        for entry, right in one.exercise.right.items():
            mistakes = known_mistakes(one, entry)
            page = MARKDOWN.render(f"{one.question}\n\n**{entry}** = ?")  # on one line of HTML
            text = re.sub(r"\s*\n\s*", " ", page).strip()
            lines = [f"Title: {name}: {entry}", f"1. {text}"]
            if isinstance(right, str):
                for letter, choice in zip("abcdef", one.choices):
                    lines.append(f"{'*' * (choice == right)}{letter}) {choice}")
                    lines += [f"... {mistakes.get(choice, 'No.')}"] * (choice != right)
            else:
                known = " ".join(f"{written(value)}: {say}" for value, say in mistakes.items())
                lines += [f"- {known or 'No.'}", *of_canvas(one, right)]
            parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def of_canvas(one, right):
    """Return the lines of what Canvas takes for right; text2qti knows no number of 0, but texts."""
    if not right:
        return [f"* {zero}" for zero in ("0", "0.0", "0.00", "0.000", ".0", ".00", ".000")]
    if not isinstance(right, float):
        return [f"= {right}"]
    least, most = (abs(right) + sign * nearness(one, right) for sign in (-1, 1))
    ends = sorted(math.copysign(end, right) for end in (max(least, 0.0001), most))
    return ["= [{:.6f}, {:.6f}]".format(*ends)]


def write_exam(folder, sessions):
    """Write an exam of some sessions: a folder whose files do not say the seed."""
    found = sessions.replace(",", " ").split()
    known = sorted({goal[0] for goal in MAKERS})
    if not found or not set(found) <= set(known):
        raise InputError(f"SESSIONS must be some of {', '.join(known)}, such as SESSIONS=1,2,3")
    seed, items = kept_seed(folder), {}
    for goal in (goal for session in sorted(set(found)) for goal in goals(session)):
        items[goal] = unseen(goal, seed)
        if known := concepts(goal):
            items[f"{goal}, in words"] = Random(f"{goal} {seed}").choice(known)
    with fresh_folder(folder, kind="exam") as fresh:
        (fresh / "paper.html").write_text(paper(items), encoding="utf-8")
        (fresh / "key.html").write_text(key(items), encoding="utf-8")
        (fresh / "exam.xml").write_text(moodle(items), encoding="utf-8")
        (fresh / "exam.txt").write_text(canvas("Exam", items), encoding="utf-8")


def write_quizzes(folder):
    """Write a quiz a session, of what the pages show."""
    with fresh_folder(folder, kind="quizzes") as fresh:
        for session in sorted({goal[0] for goal in MAKERS}):
            items = {
                f"{goal}, {at}": one
                for goal in goals(session)
                for at, one in enumerate(practised(goal), 1)
            }
            title = f"Session {session}"
            (fresh / f"session-{session}.xml").write_text(moodle(items), encoding="utf-8")
            (fresh / f"session-{session}.txt").write_text(canvas(title, items), encoding="utf-8")


if __name__ == "__main__":
    try:
        what, target = sys.argv[1:]
        if what == "exam":
            write_exam(Path(target), os.environ.get("SESSIONS", ""))
        else:
            write_quizzes(Path(target))
    except InputError as error:
        stop(error)
