"""A course for nbgrader: the homework of each session, as an assignment with points.

That is a question for each goal, and the exercises of the kit that need a notebook.  The questions
are drawn from the lecturer's seed, and so are the calls that functions are tried on when they are
marked: a student's copy has neither the seed nor what was drawn for the marks.

``python -m book.teaching.course FOLDER`` writes it from the kits and the chapters, with the seed
of a file beside it; what nbgrader could not mark, or must not, ``python -m book.teaching.marks
FOLDER`` lists.
"""

import re
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from book.teaching.editions import METADATA, convert
from book.teaching.myst import Book
from book.teaching.seed import kept_seed, stop
from chapters.exercises.answers import RULE
from chapters.exercises.checks import exercises
from chapters.exercises.drawn_items import goals, texts, unseen
from lib.atomic import fresh_folder
from lib.errors import InputError

# Points, for what, and the first session that has taught it; the first line is of the value.
_RUBRIC = re.compile(r"^\| 0 to (\d) \| (.*) \| (\d) \|$", flags=re.MULTILINE)
_SET = re.compile(r"\{ref\}`[^`<]+ <([\w-]+-exercise-[\w-]+)>`")
_CONFIG = """\
from book.teaching.marks import SANITIZED

c = get_config()
c.Autograde.sanitize_preprocessors = SANITIZED  # what copies or patches the book gets no points
c.CourseDirectory.course_id = "measures"
c.CourseDirectory.include = ["*.ipynb"]  # no code of a student's in the book's place
c.Execute.timeout = 120  # seconds a cell: then it is stopped, and the next one runs
c.ClearSolutions.code_stub = {"python": "# Your answer goes in the place of `...`."}
c.ClearSolutions.text_stub = "Your words go here."
# Moodle's zip of an assignment, as it comes, below downloaded/session-1/archive.
c.FileNameCollectorPlugin.named_regexp = (
    r".*/(?P<student_id>[^/]+_[0-9]+)_assignsubmission_file[_/]+(?P<file_id>[^/]+)[.]ipynb"
)
"""
_TITLE = """\
# {title}

After the session you can

{goals}

Leave the cells where they are: those that give points are restored before they are run.
{rule}
"""
_WORDS = """\
**In words** ({points} points).
Take one of your answers: what does it say, and how sure is it?
Which systems, topics and judgements does it rest on?

{rubric}
"""
_HEADING = re.compile(r"\*\*Exercise [\d.]+\*\*\s*")  # the number in the chapter
_ANSWER = "{blank}\n### BEGIN SOLUTION\n{solution}\n### END SOLUTION"
SOLUTION = re.compile(r"### BEGIN SOLUTION\n(.*?)\n### END SOLUTION", flags=re.DOTALL)
# A student's copy has no line from BEGIN HIDDEN to END: nbgrader puts them back before it marks.
_MARK = """\
{shown}
### BEGIN HIDDEN TESTS
points("{label}", {name}, of={points}, seed={seed})
### END HIDDEN TESTS"""
_FORM = """\
# This says whether the answers can be read; they are marked when they are handed in.
from chapters.exercises.homework import form, points

form("{label}", {name})"""
_TRIED = """\
from chapters.exercises.homework import points

points("{label}", {name}, of={points})"""


def assignments(book: Book) -> dict[str, list[str]]:
    """Return what each session sets: the numbers of its goals, and the exercises its kit names.

    Those with fields on their page are left out: there is no mark for what stands on a page.

    >>> assignments(Book())["session-2"]
    ['2.1', '2.2', '2.3', 'foundations-exercise-interval', 'foundations-exercise-holm']
    """
    sets = {}
    for kit in sorted((book.root / "book" / "kits").glob("session-*.md")):
        named = _SET.findall(kit.read_text(encoding="utf-8"))
        kept = [x for x in named if exercises()[x].arguments or exercises()[x].holds]
        sets[kit.stem] = goals(kit.stem[-1]) + kept
    return sets


def rubric(book: Book, session: str) -> dict[str, int]:
    """Return the lines of a session's rubric, of what was taught, and the most points for each."""
    page = (book.root / "book" / "teaching.md").read_text(encoding="utf-8")
    rows = [row for row in _RUBRIC.finditer(page) if row[3] <= session[-1]]
    if len(rows) < 2:
        raise InputError(f"book/teaching.md: says no points for the answers of {session}")
    return {f"| 0 to {row[1]} | {row[2]} |": int(row[1]) for row in rows}


def assignment(session: str, book: Book, seed: str) -> NotebookNode:
    """Return the notebook of an assignment, with its solutions, as nbgrader's ``source`` has it."""
    labels = assignments(book)[session]
    value, *words = rubric(book, session).values()
    cells = [
        cell
        for at, goal in enumerate(goals(session[-1]), 1)
        for cell in _question(goal, drawn_by(seed, goal), head=_head(at, value), points=value)
    ]
    for chapter in book.chapters:
        wanted = [x for x in labels if x in book.labels and book.labels[x].file == chapter.stem]
        edition = convert(chapter, book, kind="student").cells if wanted else []
        for cell in edition:
            if cell.id in ("package", "setup"):
                cell.id = f"{cell.id}-{chapter.stem}"
                cells.append(_marked(cell, cell.id))
        for label in wanted:
            head, at = _head(labels.index(label) + 1, value), drawn_by(seed, label)
            cells += _exercise(label, chapter, edition, at, head=head, points=value)
    listed = "\n".join(f"- {texts()[goal]['goal']}" for goal in goals(session[-1]))
    title = _TITLE.format(title=book.labels[session].title, goals=listed, rule=RULE)
    table = "\n".join(["| points | for |", "|---:|---|", *[*rubric(book, session)][1:]])
    asked = _WORDS.format(points=sum(words), rubric=table)
    answer = nbformat.v4.new_markdown_cell(_ANSWER.format(blank="", solution="Read by the rubric."))
    _marked(answer, "words", solution=True, grade=True, locked=False, points=sum(words))
    head, task = map(nbformat.v4.new_markdown_cell, (title, asked))
    cells = [head, *cells, task, answer]
    return nbformat.v4.new_notebook(cells=cells, metadata=METADATA)


def drawn_by(seed: str, label: str) -> int:
    """Return what a part of the homework is drawn by: from it nobody knows the lecturer's seed."""
    return int(sha256(f"{seed} {label}".encode()).hexdigest()[:32], 16)


def _question(goal: str, seed: int, *, head: str, points: int) -> list[NotebookNode]:
    """Return the cells of a goal's question."""
    one, name = unseen(goal, str(seed)), f"answer_{goal.replace('.', '_')}"
    choices = f"\n\nAnswer in these words: {', '.join(one.choices)}." if one.choices else ""
    way = f"# {' '.join(one.solution.split())}\n{name} = {dict(one.exercise.right)}"
    blank = f"{name} = {{{', '.join(f'{entry!r}: ...' for entry in one.exercise.right)}}}"
    shown = _FORM.format(label=goal, name=name)
    mark = _MARK.format(shown=shown, label=goal, name=name, points=points, seed=seed)
    answer = _ANSWER.format(blank=blank, solution=way)
    label = f"goal-{goal.replace('.', '-')}"
    return _cells(label, head + one.question + choices, answer, mark, points)


def _head(at: int, points: int) -> str:
    return f"## Exercise {at} ({points} points)\n\n"


def _exercise(
    label: str, chapter: Path, edition: list[NotebookNode], seed: int, *, head: str, points: int
) -> list[NotebookNode]:
    """Return the cells of an exercise of a chapter."""
    asks = f'check("{label}", '
    (last,) = (at for at, cell in enumerate(edition) if cell.source.startswith(asks))
    text, blank, check = edition[last - 2 : last + 1]
    source = nbformat.read(chapter, as_version=4).cells
    solution = next(cell.source for cell in source if cell.id == blank.id)
    question = text.source.partition(f'<a id="{label}"></a>')[2].strip()
    name = check.source.removeprefix(asks).removesuffix(")")
    shown = _TRIED.format(label=label, name=name, points=points)
    mark = _MARK.format(shown=shown, label=label, name=name, points=points, seed=seed)
    answer = _ANSWER.format(blank=blank.source, solution=solution)
    return _cells(label, head + _HEADING.sub("", question), answer, mark, points)


def _cells(label: str, text: str, answer: str, mark: str, points: int) -> list[NotebookNode]:
    """Return the cells of what is asked: its text, the answer, the marks."""
    code = nbformat.v4.new_code_cell
    return [
        nbformat.v4.new_markdown_cell(text),
        _marked(code(answer), f"{label}-answer", solution=True, locked=False),
        _marked(code(mark), label, grade=True, points=points),
    ]


def _marked(cell: NotebookNode, name: str, **others: Any) -> NotebookNode:
    """Return a cell with what nbgrader has to know of it; it is locked, and gives no points."""
    known = {"schema_version": 3, "grade_id": name, "locked": True, "grade": False}
    cell.metadata["nbgrader"] = {**known, "solution": False, "task": False, **others}
    return cell


def write(folder: Path, book: Book, seed: str) -> None:
    """Write a course: the assignments, with their solutions, and the settings."""
    with fresh_folder(folder, kind="course") as fresh:
        (fresh / "nbgrader_config.py").write_text(_CONFIG, encoding="utf-8")
        for session in assignments(book):
            home = fresh / "source" / session
            home.mkdir(parents=True)
            nbformat.write(assignment(session, book, seed), home / f"{session}.ipynb")


if __name__ == "__main__":
    try:
        target = Path(sys.argv[1])
        write(target, Book(), kept_seed(target))
    except InputError as error:
        stop(error)
