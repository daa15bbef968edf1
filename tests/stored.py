"""What is wrong with a notebook as it is stored: it must be whole, repeatable and nobody's own."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CELL_LIMIT = 400_000  # bytes of one cell's outputs
NOTEBOOK_LIMIT = 2_000_000  # bytes of all outputs of a notebook

# What differs from one run, or one machine, to the next. A stored output must not hold it.
RANDOM = {
    "an object's address": r"\b0x[0-9a-f]{6,}\b",
    "a random id": r"\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b",
    "a widget's id": r"application/vnd\.jupyter\.widget|IPY_MODEL_",
    "a random id of a styled table": r"\bT_[0-9a-f]{5}\b",
    "the time of drawing": r"<dc:date>",
}
HOME = rf"(?<![\w.-])(?:/(?:home|Users|root)/\w|{re.escape(str(ROOT))}\b)|[A-Z]:\\+Users\\"
MACHINE = {"a path of one machine": rf"{HOME}|/tmp/|/var/folders/|site-packages"}


def strings(value):
    """Yield every string in nested lists and dicts, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings(part)


def complaints(notebook):
    """Return what is wrong with a notebook's stored state, one line each."""
    found = []
    if "widgets" in notebook.metadata:
        found.append("metadata.widgets is saved")
    if notebook.metadata.get("kernelspec", {}).get("name") != "python3":
        found.append("the kernelspec is not python3")

    total = 0
    for number, cell in enumerate(notebook.cells, start=1):
        where = f"cell {number}"
        if "execution" in cell.metadata:
            found.append(f"{where} stores when it was executed")
        if cell.cell_type != "code":
            continue
        if cell.source.strip() and cell.execution_count is None:
            found.append(f"{where} was not executed")
        if any(output.output_type == "error" for output in cell.outputs):
            found.append(f"{where} stores an error")
        if any(output.get("name") == "stderr" for output in cell.outputs):
            found.append(f"{where} stores what went to stderr")

        size = len(json.dumps(cell.outputs, ensure_ascii=False).encode())
        total += size
        if size > CELL_LIMIT:
            found.append(f"{where} stores {size:,} bytes, over {CELL_LIMIT:,}")
        # The letters of a picture in base64 mean nothing.
        text = re.sub(r"[A-Za-z0-9+/=]{200,}", "", "\n".join(strings(cell.outputs)))
        for what, pattern in (RANDOM | MACHINE).items():
            if match := re.search(pattern, text):
                found.append(f"{where} stores {what}: {match.group()}")
    if total > NOTEBOOK_LIMIT:
        found.append(f"the notebook stores {total:,} bytes, over {NOTEBOOK_LIMIT:,}")
    return found
