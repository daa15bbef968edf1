"""Numbers in the text of a chapter: a cell computes them, the text names them."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import pandas as pd

from lib.display.tables import is_static
from lib.errors import InputError
from lib.intervals import between, minus_signs

if TYPE_CHECKING:
    from IPython.display import Markdown

T = TypeVar("T")
_GLUED = "application/papermill.record/"  # where MyST-NB looks for what the text names
_MARK = re.compile("⟦([^|⟧]+)[|]([^⟧]*)⟧")  # a name, and what the book shows under it
_here: dict[str, Any] = {}  # what this notebook glued


def glue_all(numbers: Mapping[str, Any]) -> None:
    """Give values the names under which the text of a chapter shows them.

    In the text stands ``{glue:text}`name```.

    Parameters
    ----------
    numbers : dict of str to object
        Name to value, as a rule a string.

    Examples
    --------
    >>> glue_all({"tau": ".52"})  # a chapter that says {glue:text}`tau` shows .52
    """
    from IPython.core.formatters import format_display_data
    from IPython.display import display

    _here.update(numbers)
    if not is_static():  # where no text asks for it, and some programs show it as noise
        return
    # What myst_nb.glue does, whose import takes two seconds of every chapter.
    for name, value in numbers.items():
        data, metadata = format_display_data(value)
        metadata["scrapbook"] = {"name": name, "mime_prefix": _GLUED}
        display({_GLUED + kind: part for kind, part in data.items()}, raw=True, metadata=metadata)


def here(text: str) -> "Markdown | None":
    """Show the sentences of the book in which a running notebook has other numbers, with both.

    The text is Markdown, a line a sentence, with ``⟦name|value⟧`` for what the book shows by a
    name.

    Examples
    --------
    >>> glue_all({"tau": ".5", "runs": 40})
    >>> print(here("Tau is ⟦tau|.9⟧.\\nThere are ⟦runs|40⟧ runs.").data)
    > *The numbers of these data, in the book's words:* Tau is **.5** (in the book: .9).
    """
    from IPython.display import Markdown

    def both(mark: re.Match[str]) -> str:
        book = mark[2]
        now = escaped_value(str(_here[mark[1]])) if mark[1] in _here else book
        return book if now == book else f"**{now}** (in the book: {book})"

    shown = {line: _MARK.sub(both, line) for line in text.split("\n")}
    others = [now for line, now in shown.items() if now != _MARK.sub(r"\2", line)]
    if not others:
        return None
    return Markdown("> *The numbers of these data, in the book's words:* " + "  \n> ".join(others))


def or_told(make: Callable[..., T], *args: Any) -> "T | Markdown":
    """Return what a function makes, or the line that says what the data lack for it.

    So a notebook goes on where one of its cells cannot follow its data.

    Parameters
    ----------
    make : function
        It raises InputError where the data lack what it needs.
    *args : object
        What it takes.

    Examples
    --------
    >>> def places():
    ...     raise InputError("mine: no groups; name them in systems.tsv")
    >>> print(or_told(places).data)
    > mine: no groups; name them in systems.tsv
    """
    from IPython.display import Markdown

    try:
        return make(*args)
    except InputError as error:
        return Markdown(f"> {escaped_value(str(error))}")


def escaped_value(text: str) -> str:
    """Return a text in which Markdown has nothing to say.

    >>> print(escaped_value("A*"))
    A\\*
    """
    return re.sub(r"([\\`*_<$])", r"\\\1", text)


def glue_table(name: str, table: pd.DataFrame | pd.Series, form: str = "") -> None:
    """Give each cell of a table the name of the table, its row and its column: see :func:`named`.

    Parameters
    ----------
    name : str
        Of the table.
    table : DataFrame or Series
        Of numbers.
    form : str
        How a cell is written, as a format specification such as ``".3f"`` or ``".1%"``.

    Examples
    --------
    >>> table = pd.DataFrame({"P@10": [0.514]}, index=["TREC-8"])
    >>> glue_table("tau", table, ".2f")  # {glue:text}`tau-trec-8-p-10` shows 0.51
    """
    glue_all(named(name, table, form))


def named(name: str, table: pd.DataFrame | pd.Series, form: str = "") -> dict[str, str]:
    """Return the cells of a table by name.

    >>> named("tau", pd.DataFrame({"P@10": [-0.514]}, index=["TREC-8"]), ".2f")
    {'tau-trec-8-p-10': '−0.51'}
    """
    cells = table.stack() if isinstance(table, pd.DataFrame) else table
    places = (labels if isinstance(labels, tuple) else (labels,) for labels in cells.index)
    texts = (minus_signs(format(value, form)) for value in cells)
    return {"-".join([name, *map(slug, place)]): text for place, text in zip(places, texts)}


def slug(label: object) -> str:
    """Return a label as part of a name.

    >>> slug("P@10, AP")
    'p-10-ap'
    """
    return re.sub(r"[^a-z0-9]+", "-", str(label).lower()).strip("-")


def enumeration(items: Iterable[str], last: str = "and") -> str:
    """Return a list as a sentence has it; of nothing, an empty text.

    >>> enumeration(["1", "2", "5"]), enumeration(["A", "B"], "or")
    ('1, 2 and 5', 'A or B')
    """
    *most, end = [*items] or [""]
    return f"{', '.join(most)} {last} {end}" if most else end


def clauses(names: Mapping[tuple[str, str], Sequence[str]]) -> str:
    """Say of names what is so: each verb, as it stands after one name and after many, with its own.

    >>> clauses({("is good", "are good"): ["A"], ("stays", "stay"): ["B", "C"]})
    'A is good, and B and C stay'
    """
    said = [f"{enumeration(own)} {verb[len(own) > 1]}" for verb, own in names.items() if len(own)]
    *most, end = said or [""]
    return f"{', '.join(most)}, and {end}" if most else end


def intervals(table: pd.DataFrame, value: str = "mean") -> pd.Series:
    """Write each row's number with its interval, from the columns low and high; see `between`."""
    return table.apply(lambda row: between(row[value], row["low"], row["high"]), axis=1)
