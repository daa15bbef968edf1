"""A course for nbgrader: what each session's kit sets as homework, as assignments with points.

``python -m lib.teaching.course FOLDER`` writes it from the kits and the chapters.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from lib.atomic import fresh_folder
from lib.errors import InputError
from lib.teaching.editions import METADATA, convert
from lib.teaching.myst import Book

POINTS = 4  # of an exercise: the first line of the rubric
SET = re.compile(r"<([\w-]+-exercise-[\w-]+)>")
CONFIG = """\
c = get_config()
c.CourseDirectory.course_id = "measures"
c.CourseDirectory.include = ["*.ipynb", "*.md"]  # no code of a student's in the book's place
c.Execute.timeout = 120  # seconds a cell: then it is stopped, and the next one runs
c.ClearSolutions.code_stub = {"python": "# Your answer goes in the place of `...`."}
"""
SHEET = """\
# {title}

Hand in `{session}.ipynb` by **DATE, TIME**.
Leave the cells where they are: those that give points are restored before they are run.

| exercise | points |
|---|---:|
{rows}

Beyond the points for the value, an answer is marked for these:

{rubric}
"""
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


def assignment(labels: list[str], book: Book) -> NotebookNode:
    """Return the notebook of an assignment, with its solutions, as nbgrader's ``source`` has it."""
    cells = []
    for chapter in book.chapters:
        edition = convert(chapter, book, kind="student").cells
        found = [exercise for label in labels for exercise in _exercise(label, chapter, edition)]
        if found:
            package, setup = (cell for cell in edition if cell.id in ("package", "setup"))
            package.id, setup.id = f"package-{chapter.stem}", f"setup-{chapter.stem}"
            cells += [_marked(package, package.id), _marked(setup, setup.id), *found]
    return nbformat.v4.new_notebook(cells=cells, metadata=METADATA)


def _exercise(label: str, chapter: Path, edition: list[NotebookNode]) -> Iterator[NotebookNode]:
    """Yield the cells of an exercise, if the chapter has it: its text, the answer, the marks."""
    for text, answer, check in zip(edition, edition[1:], edition[2:]):
        if check.source.startswith(f'check("{label}"'):
            source = nbformat.read(chapter, as_version=4).cells
            solution = next(cell.source for cell in source if cell.id == answer.id)
            text.source = text.source.partition(f'<a id="{label}"></a>')[2].strip()
            answer.source = ANSWER.format(blank=answer.source, solution=solution)
            call = check.source.replace("check(", "points(", 1).rstrip(")")
            check.source = MARK.format(call=call, points=POINTS)
            yield text
            yield _marked(answer, f"{label}-answer", solution=True, locked=False)
            yield _marked(check, label, grade=True, points=POINTS)


def _marked(cell, name, **others):
    """Return a cell with what nbgrader has to know of it; it is locked, and gives no points."""
    known = {"schema_version": 3, "grade_id": name, "locked": True, "grade": False}
    cell.metadata["nbgrader"] = {**known, "solution": False, "task": False, **others}
    return cell


def write(folder: Path, book: Book) -> None:
    """Write a course: the assignments, their sheets, the solutions in one file, the settings."""
    page = (book.root / "book" / "teaching.md").read_text(encoding="utf-8")
    rubric = next(part for part in page.split("\n\n") if part.startswith("| points | for |"))
    solutions = ["# Solutions"]
    with fresh_folder(folder, kind="course") as fresh:
        (fresh / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
        for session, labels in assignments(book).items():
            notebook, home = assignment(labels, book), fresh / "source" / session
            home.mkdir(parents=True)
            nbformat.write(notebook, home / f"{session}.ipynb")
            rows = "\n".join(f"| {label} | {POINTS} |" for label in labels)
            title = book.labels[session].title
            sheet = SHEET.format(title=title, session=session, rows=rows, rubric=rubric)
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
