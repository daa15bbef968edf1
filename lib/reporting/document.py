"""A report as one HTML page: its style, its contents, and its sections one after the other."""

import html
import re
from collections.abc import Mapping
from math import inf

from lib.display import figures, tables

__all__ = ["page"]

# The page's own colours are those of the book's theme, which the styles of figures and tables name.
STYLE = """<style>
:root { color-scheme: light dark; --pst-color-border: light-dark(#c9c9c9, #555);
  --pst-color-background: light-dark(#fff, #14181e);
  --pst-color-surface: light-dark(#f3f4f5, #222832);
  --pst-color-accent: light-dark(#8045e5, #b794f6) }
body { background: var(--pst-color-background); color: light-dark(#222832, #ced6dd);
  font: 1rem/1.6 system-ui, sans-serif; max-width: 66rem; margin: 0 auto; padding: 1rem }
h1, h2, h3 { line-height: 1.25; margin: 2rem 0 .5rem }
h1 { margin-top: 1rem; overflow-wrap: anywhere }
a { color: light-dark(#0a7d91, #3fb1c5) }
summary { cursor: pointer }
@media screen { details:not([open]) + .folded { display: none } }
.missing { border-left: .3em solid var(--pst-color-border); padding-left: .7em }
li, .files { overflow-wrap: anywhere }
.files { font-size: .8em }
@media (min-width: 577px), print { body .measures td { white-space: normal } }
@media screen and (max-width: 576px) {
  body .measures td.t:not(.good, .bad, .none) { white-space: nowrap }
}
@page { size: A4; margin: 15mm }
@media print {
  :root { color-scheme: light }
  body { font-size: 10pt; line-height: 1.4; padding: 0; max-width: none }
  h2, h3, caption, thead, details { break-after: avoid }
  summary { list-style: none }
  summary::-webkit-details-marker { display: none }
  figure, tr, caption, table:not(:has(tr:nth-child(25))) { break-inside: avoid }
  .fold:not(:has(tr:nth-child(25))) { break-inside: avoid }
  body .measures.drawing:has(.folded) { break-inside: auto }
  .canvas, .canvas + figcaption { break-inside: avoid; break-after: avoid }
  body .measures.scroll { overflow: visible }
  body .measures table { font-size: 7.5pt; line-height: 1.25 }
  body .measures td, body .measures th { padding: .15em .35em }
  body .measures svg { min-width: 0 !important; max-width: 15.5cm !important }
  .long { columns: 2; column-gap: 8mm }
  .long .measures.scroll { container-type: normal; margin: 0 }
  .long .measures caption span { margin: 0; max-width: none }
}
</style>
"""

# A table of more rows and fewer letters is set in two columns on paper; cells stand apart.
MANY, NARROW, SPACE = 40, 53, 1.2
CELL, TAG = re.compile("</t[hd]>"), re.compile("<[^>]*>")
FOLD = re.compile("<details>\\n<summary>(.*?)</summary>\\n(.*?)</details>", re.DOTALL)

# Nothing is fetched and nothing runs, whatever a name on the page says.
HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
"""


def page(title: str, bodies: Mapping[str, str], titles: Mapping[str, str]) -> str:
    """Return a page that needs no network and no script.

    Parameters
    ----------
    title : str
    bodies : dict of str to str
        Section to its HTML.
    titles : dict of str to str
        Section to its heading, in the order of the page; those without a body are left out.
    """
    shown = {name: html.escape(label) for name, label in titles.items() if name in bodies}
    sections = "".join(
        f'<section id="{name}">\n<h2>{label}</h2>\n{_open_on_paper(bodies[name])}</section>\n'
        for name, label in shown.items()
    )
    contents = "".join(f'<li><a href="#{name}">{label}</a></li>\n' for name, label in shown.items())
    return (
        HEAD.format(title=html.escape(title))
        + tables.STYLE
        + figures.STYLE
        + STYLE
        + f"</head>\n<body>\n<main>\n<h1>{html.escape(title)}</h1>\n"
        + f'<nav aria-label="Contents"><ul>\n{contents}</ul></nav>\n'
        + sections
        + "</main>\n</body>\n</html>\n"
    )


def _open_on_paper(text):
    """Put what folds beside its fold, where a style can show it on paper without a script.

    >>> print(_open_on_paper("<details>\\n<summary>More</summary>\\n<p>It</p></details>"))
    <div class="fold">
    <details><summary>More</summary></details>
    <div class="folded">
    <p>It</p></div>
    </div>
    """
    return FOLD.sub(_beside_its_fold, text)


def _beside_its_fold(found):
    line, folded = found.groups()
    rows = folded.partition("</table>")[0].split("<tr>")[1:]
    long = len(rows) > MANY and _letters(rows) <= NARROW
    return (
        f'<div class="fold">\n<details><summary>{line}</summary></details>\n'
        f'<div class="folded{" long" * long}">\n{folded}</div>\n</div>'
    )


def _letters(rows):
    """Return how wide a table is, about, in letters: its heads break between words."""
    cells = [[html.unescape(TAG.sub("", cell)) for cell in CELL.split(row)[:-1]] for row in rows]
    if len(set(map(len, cells))) > 1:
        return inf  # heads that span columns
    head, *body = cells
    heads = [max(map(len, cell.split()), default=0) for cell in head]
    widest = (max(map(len, column)) for column in zip(*body))
    return sum(map(max, heads, widest)) + SPACE * len(heads)
