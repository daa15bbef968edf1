"""The packages of lib in a list: `python tests/architecture.py` writes it to CONTRIBUTING.md."""

import ast
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "CONTRIBUTING.md"
START, END = "<!-- architecture -->", "<!-- end of architecture -->"


def layers():
    """The packages of lib from top to bottom, as import-linter is told: lists of names."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = settings["tool"]["importlinter"]["contracts"][0]
    return [[name.strip("() ") for name in layer.split("|")] for layer in contract["layers"]]


def says(path):
    """The first sentence of a module's docstring."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    return " ".join(text.split("\n\n")[0].split())


def picture():
    """Every package of lib, and what it says of itself."""
    lines = []
    for name in (name for layer in layers() for name in layer):
        path = ROOT / "lib" / name
        if path.is_dir():
            lines.append(f"{name}/".ljust(13) + says(path / "__init__.py"))
        else:
            lines.append(name.ljust(13) + says(path.with_suffix(".py")))
    return "\n".join(lines)


def with_picture(text):
    """Return the page with the picture in its place."""
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n```\n{picture()}\n```\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(with_picture(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
