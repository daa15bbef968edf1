"""How long a chapter takes: to read and work through, by a rule, and to run, as measured."""

import json
import math
import re
from pathlib import Path

import pandas as pd

_CHAPTERS = Path(__file__).parent
_RUNNING = _CHAPTERS / "times.csv"  # `make notebooks` writes it

_WORDS = 200  # a minute: unhurried, as for a textbook
_LOOKING = 0.5  # minutes for each figure, table or control
_STEP = 5  # minutes, to which reading is rounded up

EXERCISES = {"Recall": 5, "Code": 15, "Investigate": 30}  # minutes for one, by its level

# What is marked but not read: directives and their options, labels, the rows of a verdict's mark,
# and the names of roles.
MARKUP = re.compile(
    r"^:{3,}.*$|^`{3,}.*$|^:[a-z-]+:.*$|^\(.*\)=$|\{mark\}`[^`]*`|\{[a-z:]+\}", flags=re.MULTILINE
)


def reading(chapter: Path) -> int:
    """Return the minutes that a chapter takes to read, by words and by what there is to look at."""
    words = looked = 0
    # Not by nbformat, whose import alone would take a second of every chapter.
    for cell in json.loads(chapter.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            if re.search(r"^## (Self-check|Exercises)$", source, flags=re.MULTILINE):
                break
            words += len(MARKUP.sub(" ", source).split())
        else:
            looked += any("text/html" in output.get("data", {}) for output in cell["outputs"])
    return _STEP * math.ceil((words / _WORDS + _LOOKING * looked) / _STEP)


def working(chapter: Path) -> int:
    """Return the minutes that the exercises of a chapter take, by the rule for each level."""
    cells = json.loads(chapter.read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    parts = re.split(rf"^### ({'|'.join(EXERCISES)})$", text, flags=re.MULTILINE)
    return sum(EXERCISES[a] * b.count(":::{exercise}") for a, b in zip(parts[1::2], parts[2::2]))


def running(name: str) -> int:
    """Return the seconds in which a chapter ran when it was last executed, in steps of ten."""
    return int(pd.read_csv(_RUNNING, index_col="chapter")["seconds"][name])


def times(name: str) -> dict[str, str]:
    """Return how long a chapter takes, for its text; nothing where the chapters are not at hand."""
    chapter = _CHAPTERS / f"{name}.ipynb"
    if not chapter.is_file():  # with the wheel
        return {}
    return {
        "time-read": f"{reading(chapter)} minutes",
        "time-run": _in_half_minutes(running(name)),
        "time-exercises": f"{working(chapter)} minutes",
    }


def _in_half_minutes(seconds: float) -> str:
    """Return a time in words, rounded up.

    >>> [_in_half_minutes(seconds) for seconds in (20, 50, 80, 150)]
    ['half a minute', 'a minute', 'a minute and a half', '2 minutes and a half']
    """
    minutes, more = divmod(math.ceil(seconds / 30), 2)
    if not minutes:
        return "half a minute"
    return ("a minute" if minutes == 1 else f"{minutes} minutes") + more * " and a half"
