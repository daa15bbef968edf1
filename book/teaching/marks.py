"""The list of marks of a course: a row a student, as Moodle and Canvas import it.

``python -m book.teaching.marks FOLDER`` writes it from ``students.csv``, what was handed in, and
what ``nbgrader export`` wrote; what cannot be marked is told, a line each, and has no mark.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from lib.errors import InputError

_WHO = ["number", "first name", "last name", "email"]


def names(student: pd.Series) -> set[str]:
    """Return the folders that a student may have: the number, the address, the name."""
    full = f"{student['first name']} {student['last name']}"
    return {one.casefold() for one in (student["number"], student["email"], full) if one.strip()}


def owners(course: Path, students: pd.DataFrame) -> tuple[dict[str, str], list[str]]:
    """Return whose each folder of ``submitted`` is, by number; and what is to be told of others."""
    by_number: dict[str, str] = {}
    notes = []
    for folder in sorted(path for path in (course / "submitted").glob("*") if path.is_dir()):
        called = {folder.name.casefold(), folder.name.rpartition("_")[0].casefold()}
        whose = [row["number"] for _, row in students.iterrows() if called & names(row)]
        if len(whose) == 1 and whose[0] not in by_number.values():
            by_number[folder.name] = whose[0]
        else:
            why = "more than one student has it" if whose else "no student of students.csv has it"
            notes.append(f"submitted/{folder.name}: is nobody's: {why}")
    return by_number, notes


def faults(handed: Path, source: Path) -> Iterator[str]:
    """Yield what is wrong with a notebook that was handed in, beside the one of the course."""
    try:
        own, asked = (json.loads(one.read_text(encoding="utf-8")) for one in (handed, source))
        kept, given = (
            {cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in notebook["cells"]}
            for notebook in (own, asked)
        )
    except FileNotFoundError:
        others = ", ".join(sorted(path.name for path in handed.parent.glob("*.ipynb"))) or "nothing"
        yield f"is not there, but {others}: rename it"
    except (ValueError, KeyError, TypeError, AttributeError):
        yield "is no notebook that can be read"
    else:
        lost = sorted(given - kept - {None})
        if not kept - {None}:
            yield "has no cell that nbgrader knows: copy the answers into a fresh notebook"
        elif lost:
            yield f"has lost {', '.join(lost)}"


def marks(course: Path) -> tuple[pd.DataFrame, list[str]]:
    """Return the marks, a row a student and a column a session, and what is to be told.

    A session that a student did not hand in, or that could not be marked, is empty; one that lost
    cells has the points of the others.
    """
    students = _read(course / "students.csv", _WHO)
    if students["number"].duplicated().any():
        raise InputError(f"{course}/students.csv: two students have one number")
    rows = _read(course / "grades.csv", ["assignment", "student_id", "score"])
    scores = rows.set_index(["student_id", "assignment"])["score"]
    known, notes = owners(course, students)
    table = students.set_index("number")
    for source in sorted((course / "source").glob("*/*.ipynb")):
        session = source.stem
        table[session] = ""
        for folder, number in known.items():
            handed = course / "submitted" / folder / session / source.name
            if not handed.parent.is_dir():
                continue
            wrong = list(faults(handed, source))
            notes += [f"{handed.relative_to(course)}: {one}" for one in wrong]
            # Of a notebook that it cannot run to its end nbgrader keeps nothing, and exports a 0.
            run = course / "autograded" / folder / session / source.name
            if (folder, session) not in scores or not run.is_file():
                notes += [f"{handed.relative_to(course)}: is not marked"] * (not wrong)
            elif not wrong or wrong[0].startswith("has lost "):
                table.loc[number, session] = scores[folder, session]
    return table.reset_index(), notes


def _read(path: Path, columns: Sequence[str]) -> pd.DataFrame:
    if not path.is_file():
        raise InputError(f"{path}: is not there")
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    if missing := [name for name in columns if name not in table]:
        raise InputError(f"{path}: has no column {', '.join(missing)}")
    return table


def write(course: Path) -> list[str]:
    """Write ``moodle.csv`` and ``canvas.csv``; return what is to be told."""
    table, notes = marks(course)
    sessions = list(table.columns[len(_WHO) :])
    moodle = dict(zip(_WHO, ["ID number", "First name", "Last name", "Email address"]))
    table.rename(columns=moodle).to_csv(course / "moodle.csv", index=False)
    full = table["last name"] + ", " + table["first name"]
    who = {"Student": full, "ID": "", "SIS User ID": table["number"], "Section": ""}
    canvas = pd.DataFrame(who)
    pd.concat([canvas, table[sessions]], axis=1).to_csv(course / "canvas.csv", index=False)
    return notes


if __name__ == "__main__":
    try:
        for line in write(Path(sys.argv[1])):
            print(line)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
