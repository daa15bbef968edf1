"""A course made from the kits: what nbgrader takes, and how it marks three students."""

import csv
import os
import re
import subprocess
import sys

import nbformat
import pytest
from nbgrader.nbgraderformat import MetadataValidator

from lib.errors import InputError
from lib.paths import ROOT
from lib.teaching.course import POINTS, SOLUTION, assignments, write
from lib.teaching.myst import Book

LIST, BOUNDS = "foundations-exercise-list", "foundations-exercise-bounds"


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made") / "course"
    write(folder, Book())
    return folder


def known(notebook):
    """Return the cells that nbgrader knows, by their names."""
    return {c.metadata.nbgrader.grade_id: c for c in notebook.cells if "nbgrader" in c.metadata}


def test_each_session_has_an_assignment_that_nbgrader_takes(course):
    solutions = (course / "solutions.md").read_text(encoding="utf-8")
    assert len(assignments(Book())) == 5
    for session, labels in assignments(Book()).items():
        home = course / "source" / session
        notebook = nbformat.read(home / f"{session}.ipynb", as_version=4)
        nbformat.validate(notebook)
        MetadataValidator().validate_nb(notebook)
        cells = known(notebook)
        marks = {name: c.metadata.nbgrader for name, c in cells.items()}
        assert {n: m.points for n, m in marks.items() if m.grade} == dict.fromkeys(labels, POINTS)
        assert {f"{label}-answer" for label in labels} == {n for n in marks if not marks[n].locked}
        assert all(SOLUTION.search(cells[f"{x}-answer"].source)[1] in solutions for x in labels)
        sheet = (home / "sheet.md").read_text(encoding="utf-8")
        assert all(f"| {label} | {POINTS} |" in sheet for label in labels)
        assert "DATE" in sheet and "**The words**" in sheet
        scope = {}
        for name, cell in cells.items():  # a solution needs no other cell of its chapter
            exec(re.sub(r"(?m)^points\(", "score = points(", cell.source), scope)
            assert not marks[name].grade or scope["score"] == POINTS


def test_a_course_is_not_written_over_another(course):
    with pytest.raises(InputError, match="exists already"):
        write(course, Book())


# Made-up students: each changes the cells that were handed out


def right(cells, solutions):
    """Both answers are right; the second one also warns, as numpy would."""
    for label in (LIST, BOUNDS):
        cells[f"{label}-answer"].source = solutions[label]
    lines = solutions[BOUNDS].splitlines()
    lines.insert(2, "    import warnings; warnings.warn('odd')")
    cells[f"{BOUNDS}-answer"].source = "\n".join(lines)


def half(cells, solutions):
    """Half of the first answer is right; an answer was deleted."""
    cells[f"{LIST}-answer"].source = "by_hand = {'P@5': 2 / 5, 'R@10': 2 / 3, 'RR': 2, 'AP': 0.45}"
    del cells[f"{BOUNDS}-answer"]


def hostile(cells, solutions):
    """The check is another, two loops do not end, a test was edited and another deleted."""
    cells[f"{LIST}-answer"].source = "check = points = lambda *a, **k: 4.0\nwhile True: pass"
    cells[LIST].source, cells[LIST].metadata.nbgrader.points = "8.0", 8
    del cells[BOUNDS], cells["setup-00-foundations"]
    cells[f"{BOUNDS}-answer"].source = "while True: pass"


# Long: the kernels of three students, two of whose cells run into the time limit; that nbgrader
# takes the assignments, the test above notices.
@pytest.mark.long
def test_a_course_is_handed_out_collected_and_marked(course, tmp_path):
    home = dict.fromkeys(("HOME", "JUPYTER_CONFIG_DIR", "IPYTHONDIR"), str(tmp_path))
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])  # for alembic
    environment = {**os.environ, **home, "PYTHONPATH": str(ROOT), "PATH": path}

    def nbgrader(*words):
        command = [sys.executable, "-m", "nbgrader", *words]
        done = subprocess.run(command, cwd=course, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    config = course / "nbgrader_config.py"
    config.write_text(config.read_text().replace("timeout = 120", "timeout = 30"))
    nbgrader("generate_assignment", "session-1")
    released = course / "release" / "session-1"
    assert (released / "sheet.md").exists()
    source = known(nbformat.read(course / "source/session-1/session-1.ipynb", as_version=4))
    solutions = {x: SOLUTION.search(source[f"{x}-answer"].source)[1] for x in (LIST, BOUNDS)}
    for student in (right, half, hostile):
        notebook = nbformat.read(released / "session-1.ipynb", as_version=4)
        assert "SOLUTION" not in str(notebook)
        cells = known(notebook)
        student(cells, solutions)
        kept = [id(cell) for cell in cells.values()]
        notebook.cells = [c for c in notebook.cells if id(c) in kept or c.cell_type == "markdown"]
        handed_in = course / "submitted" / student.__name__ / "session-1"
        handed_in.mkdir(parents=True)
        nbformat.write(notebook, handed_in / "session-1.ipynb")
    nbgrader("autograde", "session-1")
    nbgrader("export")
    rows = csv.DictReader((course / "grades.csv").read_text().splitlines())
    marks = {row["student_id"]: (row["score"], row["max_score"]) for row in rows}
    assert marks == {"right": ("8.0", "8.0"), "half": ("2.0", "8.0"), "hostile": ("0.0", "8.0")}
