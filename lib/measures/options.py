"""What a measure's name can say: its form and its options, read from where each is defined."""

import re
import textwrap
from functools import partial
from inspect import Parameter, getdoc
from typing import NamedTuple

from lib.measures.names import Definition, Measure, known

_REQUIRED = "required"  # in place of a default
_SECTION = re.compile(r"^Parameters\n-+\n(.*?)(?=^\w+\n-+\n|\Z)", re.MULTILINE | re.DOTALL)
_ENTRY = re.compile(r"^(\w+) : .*\n((?:    .*\n?)+)", re.MULTILINE)


class Option(NamedTuple):
    """An option of some measures: its name, theirs, its default as text, and what it means."""

    name: str
    measures: tuple[str, ...]
    default: str
    meaning: str


def summary(name: str) -> str:
    """Return what a measure is, in a sentence.

    >>> summary("P"), summary("SetR")
    ('Precision at depth k.', 'Recall of the whole list.')
    """
    definition = Measure(name).definition
    text = definition.about or re.sub(r"\s+", " ", _documentation(definition))
    return re.split(r"[,:]? :math:|[;.] |\.$", text)[0] + "."


def form(name: str) -> str:
    """Return how the name of a measure is written, with all that it can say.

    >>> form("RBP"), form("IPrec"), form("GS10")
    ('RBP(p,rel,gain)@k', 'IPrec(rel,trec_eval)@recall', 'GS10(rel)')
    """
    definition = Measure(name).definition
    options = f"({','.join(definition.options)})" if definition.options else ""
    return name + options + (f"@{definition.cutoff.name}" if definition.cutoff else "")


def options() -> list[Option]:
    """Return all options, each meaning once with the measures that it belongs to.

    >>> next(option for option in options() if option.name == "p")[:3]
    ('p', ('RBP', 'nRBP', 'RBPtail', 'RBPresidual'), 'required')
    """
    found: dict[tuple[str, str, str], list[str]] = {}
    for name in known():
        definition = Measure(name).definition
        meanings = _meanings(definition)
        cutoff = [definition.cutoff] if definition.cutoff else []
        for argument in [*cutoff, *definition.options.values()]:
            key = argument.name, _default(argument), meanings.get(argument.name, "")
            found.setdefault(key, []).append(name)
    every = [Option(name, tuple(of), default, says) for (name, default, says), of in found.items()]
    return sorted(every, key=lambda option: [one.name for one in every].index(option.name))


def listing() -> str:
    """Return all measures and their options as text, for a terminal.

    >>> print(listing()[:61])
    Measures:
      P(rel)@k                    Precision at depth k.
    >>> "IPrec(rel,trec_eval)@recall The highest" in listing(), ":math:" in listing()
    (True, False)
    """
    lines = ["Measures:", *(f"  {form(name):<28}{summary(name)}" for name in known())]
    lines += ["", "Options, in parentheses or after the @, with the measures that have them:"]
    for name, measures, default, meaning in options():
        of = ", ".join(measures) + (f" ({_said(default)})" if default else "")
        lines.append(textwrap.fill(f"  {name:<9} {of}: {meaning}", 100, subsequent_indent=" " * 12))
    return "\n".join(lines)


def _said(default: str) -> str:
    return default if default == _REQUIRED else f"default: {default}"


def _documentation(definition: Definition) -> str:
    score = definition.score
    return getdoc(score.func if isinstance(score, partial) else score) or ""


def _meanings(definition: Definition) -> dict[str, str]:
    """Return what each parameter means, without the marks of its documentation."""
    section = _SECTION.search(_documentation(definition))
    entries = _ENTRY.findall(section[1]) if section else []
    return {name: re.sub(r"\s+", " ", text).strip() for name, text in entries}


def _default(argument: Parameter) -> str:
    if argument.default is Parameter.empty:
        return _REQUIRED
    return "" if argument.default is None else str(argument.default)
