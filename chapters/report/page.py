"""``report.ipynb`` executed for a collection: a page, the notebook, and its tables as CSV."""

import base64
import hashlib
import html
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

import papermill
from papermill.exceptions import PapermillExecutionError

import lib
from lib.atomic import fresh_folder, refuse_existing
from lib.collection import load, read_pairs
from lib.collection.package import folder_of
from lib.display import explorer, figures, tables
from lib.errors import InputError
from lib.paths import DATA, ROOT, AnyPath
from lib.two_judges import same_runs

NOTEBOOK = Path(__file__).with_name("report.ipynb")
_PAGE, _COPY = "index.html", "report.ipynb"
_TITLE = "Measuring the Measures: "
# As in outputs of the kernel, which makes them for a page.
_STYLES = (tables.style_of(tables.__file__), figures.STYLE, explorer.STYLE)
_FACE = ROOT / "book" / "static"  # of the book: its fonts, and the colours of its look
_FONTS = {  # family, and weight
    "serif-400": ("Book Serif", 400),
    "serif-600": ("Book Serif", 600),
    "display-480": ("Book Display", 400),
    "sans-400": ("Book Sans", 400),
    "sans-600": ("Book Sans", 600),
}

# Nothing is fetched, and nothing runs but our own scripts, whatever a name on the page says.
_HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
font-src data:; style-src 'unsafe-inline'; script-src {scripts}">
<title>{title}</title>
{styles}</head>
<body>
<main>
{body}</main>
</body>
</html>
"""


def report(
    name: str,
    folder: AnyPath,
    *,
    title: str | None = None,
    pairs: str | None = None,
    second: str | None = None,
    command: str = "",
    replace: bool = False,
) -> list[str]:
    """Write the report of a collection; return which tables and figures it has to do without.

    The folder is made whole or not at all: ``index.html``, which needs no network;
    ``report.ipynb``, the notebook that made it; and all tables as CSV, ``numbers.csv`` with the
    cells of the papers' tables and their intervals.  ``replace`` writes over a report, and over
    nothing else.  Without ``pairs``, a file of :func:`lib.collection.read_pairs`, the tables on
    blind feedback lack; ``second`` has the same runs by another judge; ``command`` is what was
    typed, to be shown.  An InputError says what cannot be read, or written.
    """
    refuse_existing(folder, made=report_files, kind="report", replace=replace)
    collection = load(name)  # what may have to be refused is, before a kernel is started
    if pairs:
        read_pairs(pairs, collection.systems.index)
    if second:
        same_runs(collection, load(second))
    title = title or collection.title
    given = {"name": _place(name), "title": title, "pairs": pairs and os.path.abspath(pairs)}
    given |= {"second": second and _place(second), "command": command}
    with fresh_folder(folder, made=report_files, kind="report", replace=replace) as fresh:
        notebook = _executed(given, fresh)
        _tidy(notebook, given, folder)
        text = as_page(notebook, f"{_TITLE}{title}")
        (fresh / _PAGE).write_text(text, encoding="utf-8")
        papermill.iorw.write_ipynb(notebook, str(fresh / _COPY))
    # Each stands beneath its heading, in the place of a table or figure.
    found = re.findall(r'<h3[^>]*>([^<]*)(?:(?!<h3).)*?<p class="missing">', text, flags=re.S)
    return [html.unescape(title).strip() for title in found]


def _place(name: str) -> str:
    """Return the name of a collection of the book, or the path of a folder from anywhere."""
    folder = folder_of(name).absolute()
    return name if folder.is_relative_to(DATA) else str(folder)


def _executed(given: Mapping[str, str | None], folder: Path) -> Any:
    """Return the notebook executed in a folder, by a kernel that finds this library."""
    path = [str(Path(lib.__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    with patch.dict(os.environ, MEASURES_STATIC="1", PYTHONPATH=os.pathsep.join(path)):
        try:
            return papermill.execute_notebook(
                NOTEBOOK,
                None,
                parameters=given,
                kernel_name="python3",
                cwd=str(folder),
                progress_bar=sys.stderr.isatty(),
                extra_arguments=["--log-level=ERROR"],
            )
        except PapermillExecutionError as error:
            if error.ename != "InputError":
                raise
            raise InputError(error.evalue) from None


def _tidy(notebook: Any, given: Mapping[str, str | None], folder: AnyPath) -> None:
    """Take out of an executed notebook what differs from one run, or one machine, to the next.

    The paths that it was given are written as they are from the folder in which it will stand.
    """
    here = os.path.abspath(folder)
    shown = {
        name: os.path.relpath(value, here) if value and os.path.isabs(value) else value
        for name, value in given.items()
    }
    notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"]}
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata = {"tags": list(cell.metadata.get("tags", []))}
        if "injected-parameters" in cell.metadata["tags"]:
            cell.source = "\n".join(f"{name} = {value!r}" for name, value in shown.items())
        if cell.cell_type == "code":
            cell.outputs = [one for one in cell.outputs if one.output_type != "stream"]


def as_page(notebook: Any, title: str) -> str:
    """Return an executed notebook as a page without its code, which needs nothing else."""
    from nbconvert import HTMLExporter

    exporter = HTMLExporter(template_name="basic", exclude_input=True, exclude_anchor_links=True)
    exporter.exclude_output_prompt = True
    body, _ = exporter.from_notebook_node(notebook)
    for style in _STYLES:
        body = body.replace(style, "")
    links = []
    for number, label in enumerate(re.findall("<h2>(.*?)</h2>", body), start=1):
        body = body.replace(f"<h2>{label}</h2>", f'<h2 id="section-{number}">{label}</h2>')
        links.append(f'<li><a href="#section-{number}">{label}</a></li>\n')
    scripts = set(re.findall("<script>(.*?)</script>", body, flags=re.DOTALL))
    ours = sorted(_hashed(text) for text in scripts if text.startswith(f"\n{explorer.SCRIPT}"))
    contents = f'</h1>\n<nav aria-label="Contents"><ul>\n{"".join(links)}</ul></nav>\n'
    own_style = _face() + Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
    return _HEAD.format(
        scripts=" ".join(ours) or "'none'",
        title=html.escape(title),
        styles="".join([*_STYLES, f"<style>\n{own_style}</style>\n"]),
        body=body.replace("</h1>", contents, 1),
    )


def _face() -> str:
    """Return the fonts of the book, within the style itself, and the names of its colours.

    The wheel brings no pages, and so neither: its reports are in the reader's own.
    """
    if not _FACE.is_dir():
        return ""
    rules = []
    for name, (family, weight) in _FONTS.items():
        font = base64.b64encode((_FACE / "fonts" / f"{name}.woff").read_bytes()).decode()
        source = f"url(data:font/woff;base64,{font})"
        rules.append(
            f'@font-face {{ font-family: "{family}"; font-weight: {weight}; src: {source} }}\n'
        )
    look = (_FACE / "look.css").read_text(encoding="utf-8")
    (colours,) = re.findall(r"^:root \{\n.*?^\}\n", look, flags=re.DOTALL | re.MULTILINE)
    return "".join([*rules, colours])


def _hashed(script: str) -> str:
    """Return a script as a policy on content names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def report_files(folder: Path) -> set[str]:
    """Return the names of a report's files, if a folder holds one."""
    try:
        text = (folder / _PAGE).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return set()
    if f"<title>{_TITLE}" not in text:
        return set()
    return {_PAGE, _COPY, *re.findall(r'<a href="([a-z0-9-]+\.csv)">', text)}
