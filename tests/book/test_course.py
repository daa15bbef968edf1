"""A course made from the kits: what nbgrader takes, how it marks a class, and what it cannot."""

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

from book.teaching.course import SOLUTION, assignments, drawn_by, rubric, write
from book.teaching.marks import faults
from book.teaching.myst import Book
from chapters.exercises.answers import RULE
from chapters.exercises.checks import exercises
from chapters.exercises.drawn_items import READY, item, unseen
from chapters.exercises.drawn_numbers import MAKERS
from chapters.exercises.homework import form, points
from lib.errors import InputError
from lib.paths import ROOT

BOUNDS, HOLM = "foundations-exercise-bounds", "foundations-exercise-holm"
SEED = "0123456789abcdef" * 2


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
    assert len(assignments(Book())) == 5
    asked = [len(rubric(Book(), session)) for session in assignments(Book())]
    assert asked == [3, 4, 5, 5, 5]  # of what was taught
    for session, listed in assignments(Book()).items():
        value, *words = rubric(Book(), session).values()
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
        text = "\n".join(cell.source for cell in notebook.cells)
        assert text.startswith(f"# {Book().labels[session].title}") and "\n- " in text
        assert RULE in text and "**The reader**" in text
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


def test_a_session_without_points_is_told(tmp_path):
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "teaching.md").write_text("| 0 to 4 | x | 2 |", encoding="utf-8")
    with pytest.raises(InputError, match="says no points for the answers of session-1"):
        rubric(Book(tmp_path), "session-1")


# What a student has, and what is marked


def released(path):
    """Return a notebook of the course as nbgrader hands it out."""
    notebook = nbformat.read(path, as_version=4)
    for preprocessor in (ClearSolutions(), ClearHiddenTests()):
        notebook, _ = preprocessor.preprocess(notebook, {})
    return notebook


def test_a_students_copy_has_neither_the_seed_nor_what_was_drawn_for_the_marks(course, tmp_path):
    write(tmp_path / "course", Book(), "f" * 32)
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
def test_a_function_that_knows_what_a_student_can_see_gets_no_points(label, course):
    """It looks up the listed calls, and those that the copy of the assignment is tried on."""
    (file,) = (x for x in course.rglob("*.ipynb") if label in x.read_text(encoding="utf-8"))
    scope, seen = {}, {}
    name = {BOUNDS: "bounds_of_precision", HOLM: "rejected"}[label]
    exec(known(nbformat.read(file, as_version=4))[f"{label}-answer"].source, scope)
    right = scope[name]

    def watched(*arguments):
        seen[repr(arguments)] = found = right(*arguments)
        return found

    assert points(label, watched, of=4) == 4
    assert points(label, lambda *a: seen.get(repr(a), 0), of=4) == 4
    assert points(label, right, of=4, seed=drawn_by(SEED, label)) == 4
    assert points(label, lambda *a: seen.get(repr(a), 0), of=4, seed=drawn_by(SEED, label)) == 0


@pytest.mark.parametrize("wrapped", [lambda right: right, lambda right: lambda *a: right(*a)])
def test_a_function_of_the_book_gets_no_points(wrapped, capsys):
    assert points(HOLM, wrapped(exercises()[HOLM].drawn.right), of=4) == 0
    assert "is the book's: write what it does yourself" in capsys.readouterr().out


def test_a_student_who_rounds_is_told_so_and_gets_half(capsys):
    right = unseen("2.3", "7").exercise.right  # tau-a has one decimal
    assert round(right["tau-b"], 3) != round(right["tau-b"], 2)
    assert points("2.3", {name: round(x, 2) for name, x in right.items()}, of=4, seed=7) == 3
    assert "Right so far, but give three decimals: tau-b." in capsys.readouterr().out


@pytest.mark.parametrize(
    "answer, said",
    [
        ({"RR": 1, "P@5": "2", "AP": "neither", "RBP(p=0.5)": "first"}, "None of the words 1, 2"),
        ({"RR": 1, "P@5": "2", "AP": "neither"}, "Missing: RBP(p=0.5)"),
        ({"RR": 1, "P@5": "2", "AP": "neither", "RBP(p=0.5)": 2}, "All answers can be read"),
        ("1, 2", "must be a dict"),
    ],
)
def test_a_student_sees_whether_answers_can_be_read(answer, said, capsys):
    form("1.2", answer)
    assert said in capsys.readouterr().out


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
    for entry in ("RR", "AP", "nDCG"):
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


def patches(cells, solutions):
    """The first answer changes the check; the others are right."""
    right(cells, solutions)
    cells[
        f"{list(solutions)[0]}-answer"
    ].source = (
        "import chapters.exercises.homework as homework\nhomework.points = lambda *a, **k: 4.0"
    )


def bare(cells, solutions):
    """Nothing by which nbgrader knows the cells is left."""
    for cell in cells.values():
        cell.metadata = {}


# What each made of a session, its file's name, the exported score, and what the list says of it.
CLASS = {
    "Ada Lovelace": (right, "", "20.0", None),
    "Alan Turing": (half, "", "2.0", f"has lost {BOUNDS}-answer"),
    "Kathleen Booth": (patches, "", "16.0", "reaches into the book by chapters"),
    "Grace Hopper": (hostile, "", "0.0", "has lost"),
    "Emmy Noether": (exits, "", "0.0", "is not marked"),
    "Mary Somerville": (bare, "", "0.0", f"has lost {BOUNDS}"),
    "George Boole": (right, "final (2).ipynb", "0.0", "there is final (2).ipynb: rename it"),
    "Blaise Pascal": (None, "", "0.0", "is not marked; there is session-1.ipynb"),
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
    session, labels = next(iter(assignments(Book()).items()))
    assert nbgrader("generate_assignment", session).returncode == 0
    given = course / "release" / session / f"{session}.ipynb"
    source = known(nbformat.read(course / "source" / session / given.name, as_version=4))
    names = [called(label) for label in labels]
    solutions = {x: SOLUTION.search(source[f"{x}-answer"].source)[1] for x in names}
    archive = course / "downloaded" / session / "archive"
    archive.mkdir(parents=True)
    with zipfile.ZipFile(archive / "all.zip", "w") as whole:  # as Moodle hands it out
        for i, (name, (change, file, *_)) in enumerate(CLASS.items()):
            answered(given, solutions, change, tmp_path / "one.ipynb")
            inside = f"{name}_{100 + i}_assignsubmission_file_{file or given.name}"
            whole.write(tmp_path / "one.ipynb", inside)
    collected = nbgrader("zip_collect", session)
    assert collected.returncode == 0, collected.stderr
    nbgrader("autograde", session)  # reports what cannot be run, as an error
    assert nbgrader("export", "--assignment", session, "--to", "marks.csv").returncode == 0
    said = {line.split("/")[1].rpartition("_")[0]: line for line in faults(course)}
    found = list(csv.DictReader((course / "marks.csv").read_text("utf-8").splitlines()))
    got = {row["student_id"].rpartition("_")[0]: row["score"] for row in found}
    assert got == {name: one[2] for name, one in CLASS.items()}
    told = {name: one[3] for name, one in CLASS.items() if one[3]}
    assert said.keys() == told.keys()
    assert not {name: said[name] for name, why in told.items() if why not in said[name]}


# What could not be marked


def test_what_could_not_be_marked_has_a_line(course, tmp_path):
    home = shutil.copytree(course, tmp_path / "course")
    handed, marked = (home / part / "103" / "session-1" for part in ("submitted", "autograded"))
    for folder in (handed, marked):
        shutil.copytree(home / "source" / "session-1", folder)
    file = handed / "session-1.ipynb"
    assert list(faults(home)) == []
    notebook = nbformat.read(file, as_version=4)
    notebook.cells = [c for c in notebook.cells if not c.source.startswith("def ")]
    nbformat.write(notebook, file)
    where = "submitted/103/session-1/session-1.ipynb: "
    (told,) = faults(home)
    assert told.startswith(f"{where}has lost {BOUNDS}-answer")
    (marked / "session-1.ipynb").unlink()
    file.rename(handed / "final (2).ipynb")
    (told,) = faults(home)
    assert told.startswith(f"{where}is not marked; there is final (2).ipynb: rename it")


def test_a_course_of_which_nothing_was_collected_is_told(course):
    with pytest.raises(InputError, match="submitted: is not there"):
        list(faults(course))


def test_the_settings_take_moodles_zip_apart(course):
    parts = "Autograde CourseDirectory Execute ClearSolutions FileNameCollectorPlugin".split()
    config = SimpleNamespace(**{name: SimpleNamespace() for name in parts})
    scope = {"get_config": lambda: config}
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
