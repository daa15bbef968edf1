"""A rule that the page itself works out: a reader moves its parts and sees what comes of it."""

import html
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from lib.display import explorer, figures, tables
from lib.display.controls import Check

STYLE = tables.style_of(__file__)
SCRIPT = Path(__file__).with_suffix(".js").read_text()


@dataclass(repr=False, eq=False)
class JsWidget:
    """Boxes to tick, a drawing and some numbers, and the rule that leads from one to the other.

    What is given here is the state that a reader sees first, and all that there is without
    JavaScript.  From then on the rule of ``js_widget.js`` says the same in the same form.

    >>> widget = JsWidget("double", "Twice", inputs={"x": Check("one more")},
    ...     said="Twice 0 is 0.", numbers=pd.DataFrame({"twice": ["0"]}, index=["x"]),
    ...     picture='<svg viewBox="0 0 9 9" role="img" aria-label="0"></svg>')
    >>> widget
    JsWidget double: Twice. Twice 0 is 0.
    """

    name: str
    title: str
    inputs: Mapping[str, Check]
    said: str
    numbers: pd.DataFrame
    picture: str
    data: Any = None
    caption: str = ""

    @property
    def id(self) -> str:
        """The figure's identifier on its page."""
        return f"touch-{self.name}"

    def __repr__(self):
        return f"JsWidget {self.name}: {self.title}. {self.said}"

    def to_html(self) -> str:
        """Return the figure as it is shown first, with the script that makes it move."""
        inputs = "".join(self._input(name, control) for name, control in self.inputs.items())
        given = json.dumps([self.id, self.data], separators=(",", ":"))
        given = given.replace("</", r"<\/")  # whatever a name is, it ends no script
        return (
            f"{tables.STYLE}{figures.STYLE}{explorer.STYLE}{STYLE}"
            f'<figure class="measures explore touch" id="{self.id}"'
            f' aria-labelledby="{self.id}-title">\n<figcaption>'
            f'<strong id="{self.id}-title">{html.escape(self.title)}</strong>'
            f"\n{html.escape(self.caption)}</figcaption>\n"
            f'<fieldset disabled aria-labelledby="{self.id}-title">\n{inputs}'
            '<button type="button" class="pin">Reset</button>\n</fieldset>\n'
            '<noscript><p class="state">To move anything needs JavaScript.</p></noscript>\n'
            f'<p class="state said" role="status" aria-live="polite">{html.escape(self.said)}</p>\n'
            f'<div class="picture">{self.picture}</div>\n'
            f"{tables.table(self.numbers, caption='').to_html()}</figure>\n"
            f"<script>\n{SCRIPT}measuresTouch(...{given});\n</script>\n"
        )

    def _input(self, name, control):
        """Return the HTML of one input."""
        ticked = " checked" * control.start
        return (
            f'<label class="check"><input type="checkbox" id="{self.id}-{name}"'
            f' autocomplete="off"{ticked}> {html.escape(control.label)}</label>\n'
        )

    def _repr_html_(self):
        return self.to_html()
