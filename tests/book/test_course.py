"""A course made from the kits: what nbgrader takes, how it marks a class, and the list of marks."""

import csv
import os
import re
import shutil
import subprocess
import sys
import zipfile
from types import SimpleNamespace

import nbformat
import pytest
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions

from book.teaching import marks
from book.teaching.course import SOLUTION, assignments, drawn_by, rubric, write
from book.teaching.myst import Book
from chapters.exercises.checks import exercises
from chapters.exercises.draws import MAKERS
from chapters.exercises.items import READY, item, points
from lib.errors import InputError
from lib.paths import ROOT

BOUNDS, HOLM = "foundations-exercise-bounds", "foundations-exercise-holm"
SEED = "Open Sesame"


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made") / "course"
    write(folder, Book(), SEED)
    return folder


def called(label):
    """Return the name in an assignment of an exercise or of the question of a goal."""
    return f"goal-{label.replace('.', '-')}" if label in MAKERS else label


def known(notebook):
    """Return the cells that nbgrader knows, by their names."""
    return {c.metadata.nbgrader.grade_id: c for c in notebook.cells if "nbgrader" in c.metadata}


def test_each_session_has_an_assignment_that_nbgrader_takes(course):
    solutions = (course / "solutions.md").read_text(encoding="utf-8")
    assert len(assignments(Book())) == 5
    value, *words = rubric(Book()).values()
    for session, listed in assignments(Book()).items():
        labels, home = [called(one) for one in listed], course / "source" / session
        assert len(labels) > 3
        notebook = nbformat.read(home / f"{session}.ipynb", as_version=4)
        nbformat.validate(notebook)
        MetadataValidator().validate_nb(notebook)
        cells = known(notebook)
        known_ = {name: c.metadata.nbgrader for name, c in cells.items()}
        worth = {**dict.fromkeys(labels, value), "words": sum(words)}
        assert {n: m.points for n, m in known_.items() if m.grade} == worth
        answers = {f"{label}-answer" for label in labels} | {"words"}
        assert answers == {n for n in known_ if not known_[n].locked}
        assert all(SOLUTION.search(cells[f"{x}-answer"].source)[1] in solutions for x in labels)
        sheet = (home / "sheet.md").read_text(encoding="utf-8")
        rows = re.findall(rf"(?m)^\| \d\. (.+) \| {value} \|$", sheet)
        assert rows == [*assignments(Book())[session].values()]
        assert not any("exercise-" in row for row in rows)
        assert f"| **all** | **{sum(worth.values())}** |" in sheet
        assert "DATE" in sheet and "**The words**" in sheet
        text = "\n".join(cell.source for cell in notebook.cells)
        assert text.startswith(f"# {Book().labels[session].title}") and "\n- " in text
        numbered = re.findall(r"^## Exercise (\d) \(", text, flags=re.M)
        assert numbered == [str(i) for i in range(1, len(labels) + 1)]
        scope = {}
        for name, cell in cells.items():  # a solution needs no other cell of its chapter
            if name != "words":
                exec(re.sub(r"(?m)^points\(", "score = points(", cell.source), scope)
                assert not known_[name].grade or scope["score"] == value


def test_a_course_is_not_written_over_another(course):
    with pytest.raises(InputError, match="exists already"):
        write(course, Book(), SEED)


@pytest.mark.parametrize("seed", ["", READY[0]])
def test_a_course_needs_a_seed_that_nobody_knows(seed, tmp_path):
    with pytest.raises(InputError, match="take a word nobody guesses"):
        write(tmp_path / "course", Book(), seed)
    assert not any(tmp_path.iterdir())


# What a student has, and what is marked


def released(path):
    """Return a notebook of the course as nbgrader hands it out."""
    notebook = nbformat.read(path, as_version=4)
    for preprocessor in (ClearSolutions(), ClearHiddenTests()):
        notebook, _ = preprocessor.preprocess(notebook, {})
    return notebook


def test_a_students_copy_has_neither_the_seed_nor_what_was_drawn_for_the_marks(course, tmp_path):
    write(tmp_path / "course", Book(), "another word")
    for session, labels in assignments(Book()).items():
        one, other = (
            "\n".join(
                c.source for c in released(path / "source" / session / f"{session}.ipynb").cells
            )
            for path in (course, tmp_path / "course")
        )
        assert SEED not in str((course / "source" / session / f"{session}.ipynb").read_bytes())
        for label in labels:
            assert str(drawn_by(SEED, label)) not in one
        parts = [re.split(r"(?m)^## Exercise ", text)[1:4] for text in (one, other)]
        assert all(mine != yours for mine, yours in zip(*parts))
        for goal, part in zip(labels, parts[0]):
            assert not any(item(goal, ready).question in part for ready in READY)


@pytest.mark.parametrize("label", [BOUNDS, HOLM])
def test_a_function_that_knows_what_a_student_can_see_gets_no_points(label):
    """It looks up the listed calls, and those that the copy of the assignment is tried on."""
    seen = {}

    def watched(*arguments):
        seen[repr(arguments)] = found = exercises()[label].drawn.right(*arguments)
        return found

    right = exercises()[label].drawn.right
    assert points(label, watched, of=4) == 4
    assert points(label, lambda *a: seen.get(repr(a), 0), of=4) == 4
    assert points(label, right, of=4, seed=drawn_by(SEED, label)) == 4
    assert points(label, lambda *a: seen.get(repr(a), 0), of=4, seed=drawn_by(SEED, label)) == 0


# A class: each student changes the cells that were handed out


def right(cells, solutions):
    """All answers are right; one also warns, as numpy would."""
    for label, solution in solutions.items():
        lines = solution.splitlines()
        if lines[0].startswith("def "):
            lines.insert(2, "    import warnings; warnings.warn('odd')")
        cells[f"{label}-answer"].source = "\n".join(lines)


def half(cells, solutions):
    """Half of the first answer is right; of the others one was deleted, and the rest are blank."""
    known = dict(re.findall(r"'([^']+)': ([\d.]+)", solutions["goal-1-1"]))
    for entry in ("RR", "AP"):
        answer = cells["goal-1-1-answer"]
        answer.source = answer.source.replace(f"'{entry}': ...", f"'{entry}': {known[entry]}")
    del cells[f"{BOUNDS}-answer"]


def hostile(cells, solutions):
    """The check is another, loops do not end, a test was edited and another deleted."""
    first, last = list(solutions)[0], list(solutions)[-1]
    cells[first].source, cells[first].metadata.nbgrader.points = "20.0", 20
    cells[f"{first}-answer"].source = "check = points = lambda *a, **k: 4.0\nwhile True: pass"
    del cells[last], cells["setup-00-foundations"]


def exits(cells, solutions):
    """The first answer ends the process."""
    cells[f"{list(solutions)[0]}-answer"].source = "import os; os._exit(1)"


def bare(cells, solutions):
    """Nothing by which nbgrader knows the cells is left."""
    for cell in cells.values():
        cell.metadata = {}


# What each made of a session, its file's name, the marks, and what the list says of it.
CLASS = {
    "Ada Lovelace": (right, "", "20.0", None),
    "Alan Turing": (half, "", "2.0", f"has lost {BOUNDS}-answer"),
    "Grace Hopper": (hostile, "", "0.0", "has lost"),
    "Emmy Noether": (exits, "", "", "is not marked"),
    "Mary Somerville": (bare, "", "", "has no cell that nbgrader knows"),
    "George Boole": (right, "final (2).ipynb", "", "final (2).ipynb: rename it"),
    "Blaise Pascal": (None, "", "", "is no notebook that can be read"),
    "Never There": None,
}


def answered(handed_out, solutions, change, file):
    """Write what a student makes of a notebook that was handed out."""
    if change is None:
        file.write_text("{not a notebook", encoding="utf-8")
        return
    notebook = nbformat.read(handed_out, as_version=4)
    assert not {"SOLUTION", "HIDDEN"} & {*str(notebook).split()}
    cells = known(notebook)
    change(cells, solutions)
    kept = [id(cell) for cell in cells.values()]
    notebook.cells = [c for c in notebook.cells if id(c) in kept or c.cell_type == "markdown"]
    nbformat.write(notebook, file)


# Long: kernels, one of which runs into the time limit; that nbgrader takes the assignments of all
# sessions, and what the list says of broken ones, the tests beside this one notice.
@pytest.mark.long
def test_a_course_is_handed_out_collected_marked_and_listed(course, tmp_path):
    course = shutil.copytree(course, tmp_path / "course")
    home = dict.fromkeys(("HOME", "JUPYTER_CONFIG_DIR", "IPYTHONDIR"), str(tmp_path))
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])  # for alembic
    environment = {**os.environ, **home, "PYTHONPATH": str(ROOT), "PATH": path}

    def nbgrader(*words):
        command = [sys.executable, "-m", "nbgrader", *words]
        return subprocess.run(command, cwd=course, env=environment, capture_output=True, text=True)

    config = course / "nbgrader_config.py"
    text = config.read_text(encoding="utf-8").replace("timeout = 120", "timeout = 20")
    config.write_text(text, encoding="utf-8")
    roster = [f"{name},{name.replace(' ', ',')},{name[:3]}@x.org" for name in CLASS]
    lines = ["number,first name,last name,email", *roster]
    (course / "students.csv").write_text("\n".join(lines), encoding="utf-8")
    session, labels = next(iter(assignments(Book()).items()))
    assert nbgrader("generate_assignment", session).returncode == 0
    given = course / "release" / session / f"{session}.ipynb"
    assert (given.parent / "sheet.md").exists()
    source = known(nbformat.read(course / "source" / session / given.name, as_version=4))
    names = [called(label) for label in labels]
    solutions = {x: SOLUTION.search(source[f"{x}-answer"].source)[1] for x in names}
    archive = course / "downloaded" / session / "archive"
    archive.mkdir(parents=True)
    with zipfile.ZipFile(archive / "all.zip", "w") as whole:  # as Moodle hands it out
        for i, (name, (change, file, *_)) in enumerate(filter(all, CLASS.items())):
            answered(given, solutions, change, tmp_path / "one.ipynb")
            inside = f"{name}_{100 + i}_assignsubmission_file_{file or given.name}"
            whole.write(tmp_path / "one.ipynb", inside)
    collected = nbgrader("zip_collect", session)
    assert collected.returncode == 0, collected.stderr
    nbgrader("autograde", session)  # reports what cannot be run, as an error
    assert nbgrader("export").returncode == 0
    said = {line.split("/")[1].rpartition("_")[0]: line for line in marks.write(course)}
    found = list(csv.DictReader((course / "moodle.csv").read_text("utf-8").splitlines()))
    got = {row["ID number"]: row["session-1"] for row in found}
    assert got == {name: one[2] if one else "" for name, one in CLASS.items()}
    told = {name: one[3] for name, one in CLASS.items() if one and one[3]}
    assert said.keys() == told.keys()
    assert all(why in said[name] for name, why in told.items()), said


# The list of marks


STUDENTS = {  # folder below submitted, and what it was given for session 1; None: not marked
    "Ada Lovelace_101": "8.0",
    "Alan Turing_102": "2.0",
    "103": "0.0",
    "grace@example.org": "3.5",
    "Kurt Goedel_105": None,
    "Emmy Noether_106": None,
    "Nobody Known_107": "8.0",
}
ROSTER = """number,first name,last name,email
m1,Ada,Lovelace,ada@example.org
m2,Alan,Turing,alan@example.org
103,Rosa,Luxemburg,rosa@example.org
m4,Grace,Hopper,grace@example.org
m5,Kurt,Goedel,kurt@example.org
m6,Emmy,Noether,emmy@example.org
m8,Never,There,never@example.org
"""


@pytest.fixture
def marked(course, tmp_path):
    """A course whose first session was handed in, in seven ways, and marked."""
    home = tmp_path / "course"
    shutil.copytree(course, home, ignore=shutil.ignore_patterns("submitted"))
    (home / "students.csv").write_text(ROSTER, encoding="utf-8")
    lines = ["assignment,student_id,score"]
    for student, score in STUDENTS.items():
        folder = home / "submitted" / student / "session-1"
        shutil.copytree(home / "source" / "session-1", folder)
        shutil.copytree(home / "source" / "session-1", home / "autograded" / student / "session-1")
        lines += [f"session-1,{student},{score}"] * (score is not None)
        lines += [f"session-2,{student},0.0"]  # as nbgrader exports what nobody handed in
    (home / "grades.csv").write_text("\n".join(lines), encoding="utf-8")
    return home


def handed(home, student):
    return home / "submitted" / student / "session-1" / "session-1.ipynb"


def test_marks_have_a_row_a_student_and_what_was_not_handed_in_is_empty(marked):
    notebook = nbformat.read(handed(marked, "Alan Turing_102"), as_version=4)
    notebook.cells = [c for c in notebook.cells if not c.source.startswith("def ")]
    nbformat.write(notebook, handed(marked, "Alan Turing_102"))
    handed(marked, "Kurt Goedel_105").write_text("{}", encoding="utf-8")
    for cell in (bare := nbformat.read(handed(marked, "103"), as_version=4)).cells:
        cell.metadata = {}
    nbformat.write(bare, handed(marked, "103"))
    handed(marked, "Emmy Noether_106").rename(
        handed(marked, "Emmy Noether_106").with_name("final (2).ipynb")
    )
    told = marks.write(marked)
    rows = list(csv.reader((marked / "moodle.csv").read_text(encoding="utf-8").splitlines()))
    assert rows[0][:5] == ["ID number", "First name", "Last name", "Email address", "session-1"]
    given = {row[0]: row[4:6] for row in rows[1:]}
    assert given == {
        **dict.fromkeys(("103", "m5", "m6", "m8"), ["", ""]),
        "m1": ["8.0", ""],
        "m2": ["2.0", ""],
        "m4": ["3.5", ""],
    }
    said = {line.split("/")[1].split(":")[0]: line for line in told}
    assert set(said) == {*list(STUDENTS)[1:3], *list(STUDENTS)[4:]}
    for student, why in {
        "Alan Turing_102": f"has lost {BOUNDS}-answer",
        "103": "has no cell that nbgrader knows",
        "Kurt Goedel_105": "is no notebook that can be read",
        "Emmy Noether_106": "final (2).ipynb: rename it",
        "Nobody Known_107": "no student of students.csv",
    }.items():
        assert why in said[student]
    canvas = list(csv.reader((marked / "canvas.csv").read_text(encoding="utf-8").splitlines()))
    assert canvas[1][:5] == ["Lovelace, Ada", "", "m1", "", "8.0"]


def test_what_was_handed_in_and_not_marked_is_told(marked):
    told = marks.write(marked)
    assert "submitted/Kurt Goedel_105/session-1/session-1.ipynb: is not marked" in told
    ran = marked / "autograded" / "Ada Lovelace_101"
    assert not any("Ada" in line for line in told)
    shutil.rmtree(ran)  # nbgrader exports a 0 for what it could not run
    assert "submitted/Ada Lovelace_101/session-1/session-1.ipynb: is not marked" in marks.write(
        marked
    )
    (marked / "grades.csv").unlink()
    with pytest.raises(InputError, match="grades.csv: is not there"):
        marks.write(marked)


def test_the_settings_take_moodles_zip_apart(course):
    scope = {"get_config": lambda: SimpleNamespace(**{name: SimpleNamespace() for name in (
        "CourseDirectory", "Execute", "ClearSolutions", "FileNameCollectorPlugin")})}  # fmt: skip
    exec((course / "nbgrader_config.py").read_text(encoding="utf-8"), scope)
    form = scope["c"].FileNameCollectorPlugin.named_regexp
    for between in (
        "_assignsubmission_file_",
        "_assignsubmission_file_/",
        "_assignsubmission_file/",
    ):
        found = re.match(form, f"/x/extracted/all/Ada Lovelace_101{between}session-1.ipynb")
        assert (
            found and found["student_id"] == "Ada Lovelace_101" and found["file_id"] == "session-1"
        )
