"""What was handed in and could not be marked: nbgrader exports a 0 for it, or says nothing of it.

``python -m book.teaching.marks FOLDER`` lists it, a line each, from the folders of a course.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from lib.errors import InputError


def faults(course: Path) -> Iterator[str]:
    """Yield a line for each notebook of a course that nbgrader could not mark, or not whole."""
    for part in ("source", "submitted"):
        if not (course / part).is_dir():
            raise InputError(f"{course / part}: is not there, or is no folder")
    for source in sorted((course / "source").glob("*/*.ipynb")):
        for folder in sorted((course / "submitted").glob(f"*/{source.stem}")):
            handed = folder / source.name
            run = course / "autograded" / handed.relative_to(course / "submitted")
            # nbgrader keeps nothing of a notebook that it cannot run to its end.
            wrong = _fault(handed, source) or ("" if run.is_file() else "is not marked")
            if wrong:
                yield f"{handed.relative_to(course)}: {wrong}"


def _fault(handed: Path, source: Path) -> str:
    """Say what is wrong with a notebook that was handed in, beside the one of the course."""
    try:
        own, asked = (json.loads(one.read_text(encoding="utf-8")) for one in (handed, source))
        kept, given = (
            {cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in notebook["cells"]}
            for notebook in (own, asked)
        )
    except FileNotFoundError:
        others = ", ".join(sorted(path.name for path in handed.parent.glob("*.ipynb"))) or "nothing"
        return f"is not there, but {others}: rename it"
    except (ValueError, KeyError, TypeError, AttributeError):
        return "is no notebook that can be read"
    if not kept - {None}:
        return "has no cell that nbgrader knows: copy the answers into a fresh notebook"
    lost = sorted(given - kept - {None})
    return f"has lost {', '.join(lost)}" if lost else ""


if __name__ == "__main__":
    try:
        for line in faults(Path(sys.argv[1])):
            print(line)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
