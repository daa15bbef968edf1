"""A course for nbgrader: what each session's kit sets as homework, as assignments with points.

``python -m lib.teaching.course FOLDER`` writes it from the kits and the chapters; what nbgrader
makes of what comes back, ``python -m lib.teaching.marks FOLDER`` lists.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from lib.atomic import fresh_folder
from lib.errors import InputError
from lib.teaching.editions import METADATA, convert
from lib.teaching.myst import Book

RUBRIC = re.compile(r"^\| 0 to (\d) \|.*$", flags=re.MULTILINE)  # its first line: the value
SET = re.compile(r"<([\w-]+-exercise-[\w-]+)>")
CONFIG = """\
c = get_config()
c.CourseDirectory.course_id = "measures"
c.CourseDirectory.include = ["*.ipynb", "*.md"]  # no code of a student's in the book's place
c.Execute.timeout = 120  # seconds a cell: then it is stopped, and the next one runs
c.ClearSolutions.code_stub = {"python": "# Your answer goes in the place of `...`."}
c.ClearSolutions.text_stub = "Your words go here."
# Moodle's zip of an assignment, as it comes, below downloaded/session-1/archive.
c.FileNameCollectorPlugin.named_regexp = (
    r".*/(?P<student_id>[^/]+_[0-9]+)_assignsubmission_file[_/]+(?P<file_id>[^/]+)[.]ipynb"
)
"""
STUDENTS = "number,first name,last name,email\n"  # one row a student, as the LMS has them
SHEET = """\
# {title}

Hand in `{session}.ipynb` by **DATE, TIME**.
Leave the cells where they are: those that give points are restored before they are run.

| exercise | points |
|---|---:|
{rows}
| **all** | **{total}** |

The value of an answer is checked; the words are read, by these lines:

{rubric}
"""
TITLE = """\
# {title}

After the session you can

{goals}
"""
WORDS = """\
**In words** ({points} points).
Take one of your answers: what does it say, and how sure is it?
Which systems, topics and judgements does it rest on?

{rubric}
"""
GOALS = re.compile(r"^## Goals\n.*?\n\n(- .*?)\n\n## ", flags=re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"\*\*Exercise [\d.]+\*\*\s*")  # the number in the chapter
ANSWER = "{blank}\n### BEGIN SOLUTION\n{solution}\n### END SOLUTION"
SOLUTION = re.compile(r"### BEGIN SOLUTION\n(.*?)\n### END SOLUTION", flags=re.DOTALL)
MARK = """\
from lib.teaching.exercises import points

{call}, of={points})"""


def assignments(book: Book) -> dict[str, list[str]]:
    """Return the labels of the exercises that each session's kit names.

    Examples
    --------
    >>> assignments(Book())["session-1"]
    ['foundations-exercise-list', 'foundations-exercise-bounds']
    """
    kits = sorted((book.root / "book" / "kits").glob("session-*.md"))
    return {kit.stem: SET.findall(kit.read_text(encoding="utf-8")) for kit in kits}


def rubric(book: Book) -> dict[str, int]:
    """Return the lines of the rubric, and the most points for each."""
    page = (book.root / "book" / "teaching.md").read_text(encoding="utf-8")
    return {found[0]: int(found[1]) for found in RUBRIC.finditer(page)}


def assignment(session: str, book: Book) -> NotebookNode:
    """Return the notebook of an assignment, with its solutions, as nbgrader's ``source`` has it."""
    labels, cells = assignments(book)[session], []
    value, *words = rubric(book).values()
    for chapter in book.chapters:
        edition = convert(chapter, book, kind="student").cells
        found = [
            cell
            for label in labels
            for cell in _exercise(label, chapter, edition, points=value, at=labels.index(label))
        ]
        if found:
            package, setup = (cell for cell in edition if cell.id in ("package", "setup"))
            package.id, setup.id = f"package-{chapter.stem}", f"setup-{chapter.stem}"
            cells += [_marked(package, package.id), _marked(setup, setup.id), *found]
    kit = (book.root / "book" / "kits" / f"{session}.md").read_text(encoding="utf-8")
    (goals,) = GOALS.findall(kit)
    title = TITLE.format(title=book.labels[session].title, goals=goals)
    asked = WORDS.format(points=sum(words), rubric=_table([*rubric(book)][1:]))
    answer = nbformat.v4.new_markdown_cell(ANSWER.format(blank="", solution="Read by the rubric."))
    ends = [
        nbformat.v4.new_markdown_cell(asked),
        _marked(answer, "words", solution=True, grade=True, locked=False, points=sum(words)),
    ]
    cells = [nbformat.v4.new_markdown_cell(title), *cells, *ends]
    return nbformat.v4.new_notebook(cells=cells, metadata=METADATA)


def _table(lines: Iterable[str]) -> str:
    """Return lines of the rubric with its head."""
    return "\n".join(["| points | for |", "|---:|---|", *lines])


def _exercise(
    label: str, chapter: Path, edition: list[NotebookNode], *, points: int, at: int
) -> Iterator[NotebookNode]:
    """Yield the cells of an exercise, if the chapter has it: its text, the answer, the marks."""
    for text, answer, check in zip(edition, edition[1:], edition[2:]):
        if check.source.startswith(f'check("{label}"'):
            source = nbformat.read(chapter, as_version=4).cells
            solution = next(cell.source for cell in source if cell.id == answer.id)
            said = text.source.partition(f'<a id="{label}"></a>')[2].strip()
            text.source = f"## Exercise {at + 1} ({points} points)\n\n{HEADING.sub('', said)}"
            answer.source = ANSWER.format(blank=answer.source, solution=solution)
            call = check.source.replace("check(", "points(", 1).rstrip(")")
            check.source = MARK.format(call=call, points=points)
            yield text
            yield _marked(answer, f"{label}-answer", solution=True, locked=False)
            yield _marked(check, label, grade=True, points=points)


def _marked(cell: NotebookNode, name: str, **others: Any) -> NotebookNode:
    """Return a cell with what nbgrader has to know of it; it is locked, and gives no points."""
    known = {"schema_version": 3, "grade_id": name, "locked": True, "grade": False}
    cell.metadata["nbgrader"] = {**known, "solution": False, "task": False, **others}
    return cell


def write(folder: Path, book: Book) -> None:
    """Write a course: the assignments, their sheets, the solutions in one file, the settings."""
    value, *words = rubric(book).values()
    solutions = ["# Solutions"]
    with fresh_folder(folder, kind="course") as fresh:
        (fresh / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
        (fresh / "students.csv").write_text(STUDENTS, encoding="utf-8")
        for session, labels in assignments(book).items():
            notebook, home = assignment(session, book), fresh / "source" / session
            home.mkdir(parents=True)
            nbformat.write(notebook, home / f"{session}.ipynb")
            rows = [f"| {i}. {label} | {value} |" for i, label in enumerate(labels, 1)]
            rows.append(f"| in words | {sum(words)} |")
            title = book.labels[session].title
            sheet = SHEET.format(
                title=title,
                session=session,
                rows="\n".join(rows),
                total=value * len(labels) + sum(words),
                rubric=_table(rubric(book)),
            )
            (home / "sheet.md").write_text(sheet, encoding="utf-8")
            solutions.append(f"## {title}")
            for code in SOLUTION.findall("\n".join(cell.source for cell in notebook.cells)):
                solutions.append(f"```python\n{code}\n```")
        (fresh / "solutions.md").write_text("\n\n".join(solutions) + "\n", encoding="utf-8")


if __name__ == "__main__":
    try:
        write(Path(sys.argv[1]), Book())
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
