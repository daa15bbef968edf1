"""Directives and targets: the blocks of a chapter as HTML that every notebook shows."""

import html
import re

from lib.teaching.editions.roles import Roles
from lib.teaching.editions.sources import LABEL

__all__ = ["details", "numbered", "plain"]

FENCE = re.compile(r"^(?P<fence>:{3,}|`{3,}|~{3,})\s*(?P<rest>.*)$")
DIRECTIVE = re.compile(r"\{(?P<name>[\w:-]+)\}\s*(?P<title>.*)")
OPTION = re.compile(r"^:(?P<name>[\w-]+):\s*(?P<value>.*)$")
EXERCISE = re.compile(r"^:{3,}\{exercise\}.*\n:label: (\S+)$", flags=re.MULTILINE)

# Directives that are an admonition, with a title of their own.
TITLES = {"note": "Note", "tip": "Tip", "important": "Important", "warning": "Warning"}


def numbered(text: str, chapter: str) -> dict[str, str]:
    """Return the number that the book gives each exercise of a chapter, by its label.

    Examples
    --------
    >>> numbered(":::{exercise}\\n:label: sums\\nHow much is 1 + 1?\\n:::", "02-sums")
    {'sums': '2.1'}
    """
    number = re.match(r"0*([1-9]\d*)-", chapter)  # the foundations have none
    before = f"{number[1]}." if number else ""
    return {label: f"{before}{i}" for i, label in enumerate(EXERCISE.findall(text), 1)}


def details(title: str, body: str) -> str:
    """Return a body of Markdown folded under its title.

    Examples
    --------
    >>> details("Hint", "Look *up*.").split("\\n")
    ['<details>', '<summary>Hint</summary>', '', 'Look *up*.', '', '</details>']
    """
    return (
        f"<details>\n<summary>{html.escape(title, quote=False)}</summary>\n\n{body}\n\n</details>"
    )


def plain(text: str, roles: Roles, *, answers: bool) -> str:
    """Return Markdown without directives, targets and roles.

    Parameters
    ----------
    text : str
    roles : Roles
        What the roles of the chapter stand for.
    answers : bool
        Whether solutions are shown, folded.

    Raises
    ------
    ValueError
        A directive or role is not known, or a directive does not end.

    Examples
    --------
    >>> from lib.teaching.editions.sources import Sources
    >>> roles = Roles("00-foundations", {}, Sources(), {})
    >>> plain("(here)=\\n# Title\\n\\n:::{note}\\nWell.\\n:::", roles, answers=True).split("\\n\\n")
    ['<a id="here"></a>', '# Title', '<blockquote>', '**Note**', 'Well.', '</blockquote>']
    """
    parts, lines, before = [], text.splitlines(), []
    while lines:
        line = lines.pop(0)
        fence, label = FENCE.match(line), LABEL.match(line)
        if not (fence or label):
            if re.match(r"\s+(:{3,}|`{3,})\{", line):
                raise ValueError(f"{roles.chapter}: an indented directive: {line.strip()}")
            before.append(line)
            continue
        parts.append(roles.plain("\n".join(before)))
        before = []
        if label:
            parts.append(f'<a id="{label[1]}"></a>')
        elif fence:
            parts.append(_block(fence, _inside(fence, lines, roles), roles, answers))
    parts.append(roles.plain("\n".join(before)))
    return "\n\n".join(part.strip("\n") for part in parts if part.strip())


def _inside(fence, lines, roles):
    """Take the lines of a block, and the one that ends it; return the former."""
    body = []
    while lines:
        line = lines.pop(0)
        if line.rstrip().startswith(fence["fence"]) and not line.strip().strip(fence["fence"][0]):
            return body
        body.append(line)
    raise ValueError(f"{roles.chapter}: a block does not end: {fence[0]}")


def _block(fence, body, roles, answers):
    """Return a block of code as it is, and a directive as HTML around Markdown."""
    directive = DIRECTIVE.fullmatch(fence["rest"])
    if directive is None and fence["fence"].startswith(":"):
        raise ValueError(f"{roles.chapter}: a block that nothing begins: {fence[0]}")
    if directive is None:
        return "\n".join([fence[0], *body, fence["fence"]])
    options = {}
    while body and (option := OPTION.match(body[0])):
        options[option["name"]] = option["value"]
        body = body[1:]
    name, title = directive["name"], roles.plain(directive["title"])
    said = plain("\n".join(body), roles, answers=answers)
    if name == "solution":
        return details("Solution", said) if answers else ""
    if name == "dropdown":
        return details(directive["title"], said)
    if name == "exercise":
        label = options["label"]
        heading = f"**Exercise {roles.exercises[label]}**" + (f" ({title})" if title else "")
        return f'<a id="{label}"></a>\n\n{_quoted(heading, said)}'
    if name == "admonition":
        return _quoted(f"**{title}**", said)
    if name == "margin":
        return _quoted(said)
    if name in TITLES:
        return _quoted(f"**{TITLES[name]}**", said)
    raise ValueError(f"{roles.chapter}: the editions do not know the directive {{{name}}}")


def _quoted(*parts):
    return "\n\n".join(["<blockquote>", *parts, "</blockquote>"])
