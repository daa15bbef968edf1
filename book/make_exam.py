"""Writes exams and quizzes of the items by seed: ``make exam`` and ``make quizzes``.

``python book/make_exam.py exam FOLDER`` reads the seed and the sessions from the environment, SEED
and SESSIONS, so that neither a command nor a file shows the seed, and writes a paper to print, its
key and its marking scheme.  ``python book/make_exam.py quizzes FOLDER`` writes the pages' items of
each session.  Both write a question an entry, with the known mistakes, as GIFT, which Moodle and
others import, and as the zip of QTI 1.2 that Canvas imports.
"""

import io
import os
import re
import sys
from hashlib import sha256
from html import escape
from pathlib import Path
from zipfile import ZipFile, ZipInfo

from markdown_it import MarkdownIt

from chapters.exercises.draws import MAKERS, Written
from chapters.exercises.items import READY, Item, goals, item, secret, texts, unseen
from lib.atomic import fresh_folder
from lib.errors import InputError

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
# What QTI 1.2 and Canvas beside it want to know.
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
FIELD = (
    "<qtimetadatafield><fieldlabel>{}</fieldlabel><fieldentry>{}</fieldentry></qtimetadatafield>"
)
QTI = {
    "imsmanifest.xml": """\
<manifest identifier="{home}-all" xmlns="http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1">
<metadata><schema>IMS Content</schema><schemaversion>1.1.3</schemaversion></metadata>
<organizations/><resources>
<resource identifier="{home}" type="imsqti_xmlv1p2">
<file href="{home}/{home}.xml"/><dependency identifierref="{home}-meta"/></resource>
<resource identifier="{home}-meta" href="{home}/assessment_meta.xml"
 type="associatedcontent/imscc_xmlv1p1/learning-application-resource">
<file href="{home}/assessment_meta.xml"/></resource>
</resources></manifest>
""",
    "{home}/{home}.xml": f"""\
<questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2">
<assessment ident="{{home}}" title="{{title}}">
<qtimetadata>{FIELD.format("cc_maxattempts", "{attempts}")}</qtimetadata>
<section ident="root_section">
{{questions}}
</section></assessment></questestinterop>
""",
    "{home}/assessment_meta.xml": """\
<quiz identifier="{home}" xmlns="http://canvas.instructure.com/xsd/cccv1p0">
<title>{title}</title><shuffle_answers>false</shuffle_answers><quiz_type>{kind}</quiz_type>
<points_possible>{points}</points_possible><allowed_attempts>{attempts}</allowed_attempts></quiz>
""",
}
QUESTION = """\
<item ident="{ident}" title="{title}">
<itemmetadata><qtimetadata>{about}</qtimetadata></itemmetadata>
<presentation>{text}
<response_{form} ident="response1" rcardinality="Single">{asked}</response_{form}></presentation>
<resprocessing>
<outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>
{conditions}</resprocessing>
{said}</item>"""
RIGHT = """\
<respcondition continue="No"><conditionvar>{}</conditionvar>
<setvar action="Set" varname="SCORE">100</setvar></respcondition>
"""
REPLY = """\
<respcondition continue="Yes"><conditionvar>{}</conditionvar>
<displayfeedback feedbacktype="Response" linkrefid="{}"/></respcondition>
"""
SAID = '<itemfeedback ident="{}"><flow_mat>{}</flow_mat></itemfeedback>\n'


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
    right, mistakes = one.exercise.right[entry], known_mistakes(one, entry)
    if not isinstance(right, str):
        near = nearness(one, right)
        known = [f"=%0%{value}:{near}#{guarded(say)}" for value, say in mistakes.items()]
        return " ".join([f"#=%100%{right}:{near}", *known])
    parts = [
        f"={guarded(choice)}"
        if choice == right
        else f"~{guarded(choice)}#{guarded(mistakes.get(choice, 'No.'))}"
        for choice in one.choices
    ]
    return " ".join(parts)


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
    """Return a text with a backslash before what GIFT reads as its own."""
    return re.sub(r"([~=#{}:\\])", r"\\\1", text)


def qti(title: str, items: dict[str, Item], kind: str) -> bytes:
    """Return items as a zip of QTI 1.2 in the dialect of Canvas: a question an entry."""
    home = f"quiz-{sha256(repr(items).encode()).hexdigest()[:12]}"  # others are no new version
    entries = [(name, one, entry) for name, one in items.items() for entry in one.exercise.right]
    questions = (qti_question(f"{home}-{at}", *each) for at, each in enumerate(entries, 1))
    filled = {"home": home, "title": escape(title), "kind": kind, "points": len(entries)}
    filled |= {"questions": "\n".join(questions), "attempts": 1 if kind == "assignment" else -1}
    packed = io.BytesIO()
    with ZipFile(packed, "w") as whole:
        for name, text in QTI.items():  # without the time: twice the same is the same
            whole.writestr(ZipInfo(name.format(**filled)), XML + text.format(**filled))
    return packed.getvalue()


def qti_question(ident, name, one, entry):
    """Return a question; Canvas replies to each wrong choice, but to all wrong numbers alike."""
    right, mistakes = one.exercise.right[entry], known_mistakes(one, entry)
    if isinstance(right, str):
        labels = {f"{ident}-{at}": choice for at, choice in enumerate(one.choices, 1)}
        (fits,) = (equal(label) for label, choice in labels.items() if choice == right)
        boxes = (
            f'<response_label ident="{label}">{material(escape(choice))}</response_label>'
            for label, choice in labels.items()
        )
        form, asked = "lid", f"<render_choice>{''.join(boxes)}</render_choice>"
        replies = {
            f"{label}_fb": (equal(label), mistakes.get(choice, "No."))
            for label, choice in labels.items()
            if choice != right
        }
    else:
        labels, near = [f"{ident}-1"], nearness(one, right)
        ends = equal(right - near, "gte") + equal(right + near, "lte")
        fits = f"<or>{equal(right)}<and>{ends}</and></or>"
        form, box = "str", f'<response_label ident="{labels[0]}"/>'
        asked = f'<render_fib fibtype="Decimal">{box}</render_fib>'
        known = " ".join(f"{written(value)}: {say}" for value, say in mistakes.items())
        replies = {"general_incorrect_fb": ("<other/>", known or "No.")}
    about = {
        "question_type": {"lid": "multiple_choice", "str": "numerical"}[form] + "_question",
        "points_possible": 1,
        "original_answer_ids": ",".join(labels),
        "assessment_question_identifierref": f"{ident}-ref",
    }
    told = [REPLY.format(when, label) for label, (when, _) in replies.items()]
    told.insert(len(told) if form == "lid" else 0, RIGHT.format(fits))  # as Canvas has them
    return QUESTION.format(
        ident=ident,
        title=escape(f"{name}: {entry}"),
        about="".join(FIELD.format(*each) for each in about.items()),
        text=material(shown(one, entry)),
        form=form,
        asked=asked,
        conditions="".join(told),
        said="".join(SAID.format(k, material(escape(say))) for k, (_, say) in replies.items()),
    )


def material(text):
    """Return a text in HTML as QTI has it."""
    return f'<material><mattext texttype="text/html">{escape(text)}</mattext></material>'


def equal(value, how="equal"):
    """Return the condition that an answer is a value, or not below it, or not above it."""
    value = value if isinstance(value, str) else f"{value:.6f}"
    return f'<var{how} respident="response1">{value}</var{how}>'


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
        (fresh / "exam.zip").write_bytes(qti("Exam", items, "assignment"))


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
            packed = qti(f"Session {session}", items, "practice_quiz")
            (fresh / f"session-{session}.zip").write_bytes(packed)


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
