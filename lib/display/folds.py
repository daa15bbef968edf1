"""What is in view, and what a reader opens beneath it."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

from lib.display.tables import STYLE, Note, Table

__all__ = ["Folded"]

# The theme of the book draws a box around what folds; beneath a table a line is enough.
FOLDS = """<style>
.measures.folds details { margin: .4rem 0; border: 0; padding: 0; box-shadow: none }
.measures.folds summary { cursor: pointer; font-size: .9em; width: max-content;
  max-width: 100% }
</style>
"""


@dataclass(frozen=True, repr=False)
class Folded:
    """A table or a sentence in view, and tables folded beneath it.

    Parameters
    ----------
    shown : Table or Note
        What is in view.
    hidden : sequence of (str, Table)
        A line that says what is folded, and the table beneath it.

    Examples
    --------
    >>> import pandas as pd
    >>> from lib.display.tables import table
    >>> rest = table(pd.DataFrame({"tau": [0.5]}, index=["AP"]), caption="")
    >>> Folded(Note("Nothing fails."), [("1 that holds", rest)])
    Nothing fails.
    <BLANKLINE>
    1 that holds:
          tau
    AP  0.500
    """

    shown: Table | Note
    hidden: Sequence[tuple[str, Table]] = ()

    def to_html(self) -> str:
        """Return it as HTML without its style, to stand within something larger."""
        folds = "".join(
            f"<details>\n<summary>{html.escape(line)}</summary>\n{table.to_html()}</details>\n"
            for line, table in self.hidden
        )
        return f'<div class="measures folds">\n{self.shown.to_html()}{folds}</div>\n'

    def _repr_html_(self):
        return STYLE + FOLDS + self.to_html()

    def __repr__(self):
        return "\n\n".join([repr(self.shown), *(f"{line}:\n{t!r}" for line, t in self.hidden)])
