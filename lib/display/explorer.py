"""One call, two faces: controls that work in a running notebook and on a page without one.

In a running notebook an explorer is an ipywidgets view that computes what is asked for. On a page
it holds panels computed in advance, chosen by plain HTML controls. A notebook that is to be stored
is run with the environment variable ``MEASURES_STATIC=1``, which leaves only the second face.
"""

import html
import itertools
import json
import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

import pandas as pd

from lib.display import figures, tables
from lib.display.controls import Choice, field, has_widgets, token

Controls: TypeAlias = Mapping[str, Choice]

_MAX_PANELS = 60
MAX_BYTES = 400_000  # as a notebook stores it

STYLE = tables.style_of(__file__)
SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def explore(
    render: Callable[..., Any],
    *,
    id: str,
    title: str,
    controls: Controls,
    static: Mapping[str, Sequence],
    caption: str = "",
) -> "Explorer":
    """Return a display object that lets a reader turn the knobs of a function.

    Parameters
    ----------
    render : callable
        ``render(**values)``, one value a control, returns what to show: HTML as a string, a data
        frame, an object with ``to_html`` or ``_repr_html_`` (such as
        `lib.display.figures.Figure` or `lib.display.tables.Table`), or a list of these.
    id : str
        Name of the explorer on its page: lower-case letters, digits and hyphens. The figure's
        identifier is ``explore-<id>``, and an address ending in ``#explore-<id>:name=value&...``
        opens the page at that setting.
    title : str
        What can be explored.
    controls : mapping of str to Choice
        The parameters of `render` and how each is set.
    static : mapping of str to sequence
        The controls that work on a page, usually two, with the values to be computed in advance.
        Each must hold its control's default. All other controls stand at their default there.
    caption : str, optional
        What to look for.

    Returns
    -------
    Explorer
        To be displayed as the last value of a cell. Panels are computed when they are needed.

    Raises
    ------
    ValueError
        If a name or a value does not fit, or there are more than 60 panels; on display, if their
        HTML exceeds 400 kB.

    Examples
    --------
    >>> def power(base, exponent):
    ...     return f"<p>{base ** exponent:,}</p>"
    >>> from lib.display.controls import Choice
    >>> explorer = explore(power, id="power", title="Powers", static={"base": [2, 10]}, controls={
    ...     "base": Choice("base", [2, 3, 10]), "exponent": Choice("exponent", [3, 4])})
    >>> explorer
    Explorer power: Powers (2 panels: base 2 or 10; exponent 3)
    >>> explorer.panel(base=10)
    '<p>1,000</p>\\n'
    """
    if not re.fullmatch("[a-z][a-z0-9-]*", id):
        raise ValueError(f"explorer {id!r}: an id is lower-case letters, digits and hyphens")
    where = f"explorer {id!r}"
    if unknown := set(static) - set(controls):
        raise ValueError(f"{where}: there is no control {', '.join(sorted(unknown))}")
    for name, control in controls.items():
        _check(f"{where}, {name}", control, static.get(name, [control.start]))
    count = math.prod(map(len, static.values()))
    if count > _MAX_PANELS:
        raise ValueError(f"{where}: {count} panels, at most {_MAX_PANELS}")
    return Explorer(render, id, title, dict(controls), dict(static), caption)


def _check(where: str, control: Choice, values: Sequence) -> None:
    """Raise if a control's default, or one of its values for the page, does not fit."""
    for value in values:
        if value not in control.values:
            raise ValueError(f"{where}: {value!r} is not among the values")
    if control.start not in values:
        raise ValueError(f"{where}: the page's values lack the default {control.start!r}")
    tokens = [token(control, value) for value in values]
    if len(set(tokens)) < len(tokens):
        raise ValueError(f"{where}: a value is given twice")


@dataclass(repr=False, eq=False)
class Explorer:
    """What `explore` returns; see there."""

    render: Callable[..., Any]
    name: str
    title: str
    controls: Controls
    static: Mapping[str, Sequence]
    caption: str

    def __post_init__(self) -> None:
        self.id = f"explore-{self.name}"
        self.live = [name for name in self.controls if name in self.static]  # on a page
        self.defaults = {name: control.start for name, control in self.controls.items()}
        self._panels: dict[str, str] = {}

    def __repr__(self) -> str:
        offered = ((c, self.static.get(name, [c.start])) for name, c in self.controls.items())
        offers = [f"{c.label} {' or '.join(map(c.text, values))}" for c, values in offered]
        panels = f"{len(self.settings())} panels: {'; '.join(offers)}"
        return f"Explorer {self.name}: {self.title} ({panels})"

    def settings(self) -> list[dict[str, Any]]:
        """Return the settings of the panels on the page, each a dict of all values."""
        products = itertools.product(*(self.static[name] for name in self.live))
        return [self.defaults | dict(zip(self.live, values)) for values in products]

    def panel(self, **changes: Any) -> str:
        """Return the HTML of the panel at a setting; what is not given stands at its default."""
        setting = self.defaults | changes
        key = repr(setting)
        if key not in self._panels:
            try:
                self._panels[key] = _fragment(self.render(**setting))
            except Exception as error:
                error.add_note(f"{self.id} at {self.describe(setting, self.controls)}")
                raise
        return self._panels[key]

    def key(self, setting: Mapping[str, Any]) -> str:
        """Return a setting as the address holds it: ``name=value&...``, of the page's controls."""
        return "&".join(f"{n}={token(self.controls[n], setting[n])}" for n in self.live)

    def describe(self, setting: Mapping[str, Any], names: Collection[str]) -> str:
        """Return the values of some controls in words."""
        asked = ((c, setting[name]) for name, c in self.controls.items() if name in names)
        return "; ".join(f"{c.label} {c.text(value)}" for c, value in asked)

    def to_html(self) -> str:
        """Return the page's face: all panels, the default one visible, and the controls."""
        text = self._page()
        size = len(json.dumps(text, ensure_ascii=False).encode())
        if size > MAX_BYTES:
            kilobytes = f"{size / 1000:,.0f} kB of HTML, at most {MAX_BYTES // 1000}"
            raise ValueError(f"{self.id}: {kilobytes}; offer fewer values or draw less")
        return text

    def _page(self) -> str:
        """Return the figure with its panels and the controls of a page."""
        keys: dict[str, list[str]] = {}  # panels that are the same are stored once
        for setting in self.settings():
            keys.setdefault(self.panel(**setting), []).append(self.key(setting))
        start = self.key(self.defaults)
        hidden = ' hidden="hidden"'  # the short form JupyterLab drops where it does not trust
        panels = "".join(
            f'<div data-at="{html.escape(" ".join(at))}"{hidden * (start not in at)}>\n'
            f"{panel}</div>\n"
            for panel, at in keys.items()
        )
        shown = html.escape(self.describe(self.defaults, self.live))
        fixed = html.escape(self.describe(self.defaults, self.controls.keys() - set(self.live)))
        caption = f"\n<span>{html.escape(self.caption)}</span>" if self.caption else ""
        parts = [
            tables.STYLE + figures.STYLE + STYLE,
            f'<figure class="measures explore" id="{self.id}" aria-labelledby="{self.id}-title">\n',
            f'<figcaption><strong id="{self.id}-title">{html.escape(self.title)}</strong>',
            f"{caption}</figcaption>\n",
        ]
        if self.live:  # the controls are disabled until the script is there to serve them
            controls = "".join(
                field(f"{self.id}-{name}", name, self.controls[name], self.static[name])
                for name in self.live
            )
            parts += [
                f'<fieldset disabled aria-labelledby="{self.id}-title">\n',
                f"{controls}</fieldset>\n",
                '<noscript><p class="state">These controls need JavaScript. ',
                f"Without it, the page shows {shown}.</p></noscript>\n",
                f'<p class="state" id="{self.id}-shown">Shown: {shown}.</p>\n',
                '<p class="visually-hidden" role="status"></p>\n',  # the title, when it changes
            ]
        parts += ['<div class="panels">\n', panels, "</div>\n"]
        if fixed:
            parts.append(f'<p class="state">In all settings: {fixed}.</p>\n')
        parts.append("</figure>\n")
        if self.live:
            parts.append(f'<script>\n{SCRIPT}measuresExplore("{self.id}");\n</script>\n')
        return "".join(parts)

    def widget(self) -> Any:
        """Return the running face: an ipywidgets view with all controls."""
        import ipywidgets

        heading = f"<strong>{html.escape(self.title)}</strong> {html.escape(self.caption)}"
        top = ipywidgets.HTML(tables.STYLE + figures.STYLE + heading)
        controls = {name: control.widget() for name, control in self.controls.items()}
        status, panel = ipywidgets.HTML(), ipywidgets.HTML()

        def show(_: Any = None) -> None:
            setting = {name: control.value for name, control in controls.items()}
            status.value = "computing..."
            try:
                panel.value = self.panel(**setting)
                status.value = ""
            except Exception as error:  # a reader can ask for what a function refuses
                panel.value = ""
                status.value = html.escape(f"{type(error).__name__}: {error}".splitlines()[0])

        for control in controls.values():
            control.observe(show, "value")
        show()
        row = ipywidgets.Box([*controls.values()], layout={"flex_flow": "row wrap"})
        return ipywidgets.VBox([top, row, status, panel])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        if tables.is_static():
            return {"text/html": self.to_html(), "text/plain": repr(self)}
        # JupyterLab takes the widget. What else may read a notebook saved now gets the default
        # panel: to compute them all would keep a reader waiting.
        alone = replace(self, static={})
        alone._panels = self._panels
        page = alone._page()
        if not has_widgets():
            advice = "Controls need ipywidgets 8: pip install 'ipywidgets>=8', and a new kernel."
            return {"text/html": f"{page}<p>{advice}</p>\n", "text/plain": f"{self!r}\n{advice}"}
        view = self.widget()._repr_mimebundle_()
        return view | {"text/html": page, "text/plain": repr(self)}


def _fragment(shown: Any) -> str:
    """Return as HTML what a function gives to be shown."""
    if isinstance(shown, str):
        return shown if shown.endswith("\n") else shown + "\n"
    if isinstance(shown, (list, tuple)):
        return "".join(map(_fragment, shown))
    if isinstance(shown, pd.DataFrame):
        return tables.table(shown, caption="").to_html()
    for method in ("to_html", "_repr_html_"):
        if hasattr(shown, method):
            return _fragment(getattr(shown, method)())
    raise ValueError(f"a panel cannot be made of {type(shown).__name__}")
