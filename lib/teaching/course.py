"""The chapters as a lecturer plans with them: how long they take, and what there is to do."""

import re
from pathlib import Path

import nbformat

from lib.paths import ROOT
from lib.teaching.times import chapters, reading, running

__all__ = ["LEVELS", "counted", "page"]

LEVELS = ("Recall", "Code", "Investigate")
PAGE = ROOT / "book" / "teaching.md"
PART = r"(?<=<!-- {0} -->\n\n).*?(?=\n\n<!-- end of {0} -->)"


def counted(chapter: Path) -> dict[str, int]:
    """Return how much there is in a chapter.

    Parameters
    ----------
    chapter : path
        The notebook.

    Returns
    -------
    dict of str to int
        Minutes to read, seconds to run, controls, the exercises of each level, questions of the
        self-check.
    """
    cells = nbformat.read(chapter, as_version=4).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    code = [cell for cell in cells if cell.cell_type == "code"]
    parts = re.split(rf"^### ({'|'.join(LEVELS)})$", text, flags=re.MULTILINE)
    by_level = dict(zip(parts[1::2], parts[2::2]))
    asked = [str(output) for cell in code for output in cell.outputs if "self_check" in cell.source]
    return {
        "minutes": reading(chapter),
        "seconds": running(chapter.stem),
        "controls": sum("explore(" in cell.source for cell in code),
        **{level.lower(): by_level.get(level, "").count(":::{exercise}") for level in LEVELS},
        "questions": len(re.findall(r'<li id="self-check-', "".join(asked))),
    }


def page() -> str:
    """Return the page for lecturers, with the chapters and their decks of slides as they are."""
    text = PAGE.read_text(encoding="utf-8")
    return _put(_put(text, "chapters", _table()), "decks", _decks())


def _put(text: str, name: str, lines: list[str]) -> str:
    """Put lines between the marks of a part."""
    return re.sub(PART.format(name), lambda _: "\n".join(lines), text, flags=re.DOTALL)


def _table() -> list[str]:
    rows = {_link(chapter): counted(chapter) for chapter in chapters()}
    heads = list(next(iter(rows.values())))
    rows["all"] = {head: sum(numbers[head] for numbers in rows.values()) for head in heads}
    lines = ["| chapter | " + " | ".join(heads) + " |", "|---|" + "---:|" * len(heads)]
    for title, numbers in rows.items():
        lines.append(f"| {title} | " + " | ".join(map(str, numbers.values())) + " |")
    return lines


def _link(chapter: Path) -> str:
    """Return a reference to a chapter, by its label and its title."""
    label = re.match(r"\(([a-z-]+)\)=", nbformat.read(chapter, as_version=4).cells[0].source)
    if label is None:
        raise ValueError(f"{chapter.name} does not begin with a label")
    return f"{{ref}}`{_title(chapter)} <{label[1]}>`"


def _title(chapter: Path) -> str:
    (title,) = re.findall(r"^# (.*)$", nbformat.read(chapter, as_version=4).cells[0].source, re.M)
    number = int(chapter.stem[:2])
    return f"{number}. {title}" if number else title


def _decks() -> list[str]:
    return [f'- <a href="../slides/{path.stem}.html">{_title(path)}</a>' for path in chapters()]
