"""Sphinx extension: a chapter's code is folded, and stands below what it shows.

Imports are not on the page. Solutions keep their code: they are folded as a whole.
"""

import ast

from docutils import nodes

SOLUTION = {"tag_solution", "tag_check"}


def fold(app, doctree):
    """Fold the code of every cell but those of solutions; take imports off the page.

    On the page of names examples have one colour: by token they were 5,600 elements of the page.
    """
    if app.env.docname == "book/api":
        for example in doctree.findall(nodes.doctest_block):
            example["language"] = "text"
    if not app.env.docname.startswith("chapters/"):
        return
    for cell in list(doctree.findall(nodes.container)):
        if cell.get("nb_element") != "cell_code" or SOLUTION & set(cell["classes"]):
            continue
        if not cell.children or cell[0].get("nb_element") != "cell_code_source":
            continue  # its code is not on the page
        code, *shown = cell.children
        cell["hide_mode"] = None
        kinds = {type(part) for part in ast.parse(code.astext()).body if not shown}
        if kinds and kinds <= {ast.Import, ast.ImportFrom}:
            cell.parent.remove(cell)
            continue
        opening = nodes.raw("", '<details class="code"><summary>code</summary>', format="html")
        cell.children = []
        cell.extend([*shown, opening, code, nodes.raw("", "</details>", format="html")])


def setup(app):
    app.connect("doctree-read", fold)
