"""What a reader can set: a choice among values, in a list or on a slider."""

import html
import urllib.parse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any


def has_widgets() -> bool:
    """Return whether ipywidgets is there, and as new as what is shown by it."""
    try:
        import ipywidgets
    except ImportError:
        return False
    return int(ipywidgets.__version__.split(".")[0]) >= 8


@dataclass(frozen=True)
class Choice:
    """A control that offers a few values.

    Parameters
    ----------
    label : str
        What a reader sees beside the control.
    options : sequence or mapping
        The values; or a mapping from what a reader sees to the value.
    default : object, optional
        The value to begin with; the first if None.
    slider : bool, default False
        Whether the values have an order that a slider shows.
    format : str, optional
        Format specification of numbers, such as ``".0%"``.

    Raises
    ------
    ValueError
        If there are no options.

    Examples
    --------
    >>> Choice("Splits", [100, 2000], default=2000).text(2000)
    '2,000'
    """

    label: str
    options: Sequence | Mapping
    default: Any = None
    slider: bool = False
    format: str = ""

    def __post_init__(self) -> None:
        if not self.values:
            raise ValueError(f"control {self.label!r} has no options")

    @property
    def start(self) -> Any:
        """The value to begin with."""
        return self.values[0] if self.default is None else self.default

    @property
    def values(self) -> list:
        """All values, in order."""
        return list(self.options.values() if isinstance(self.options, Mapping) else self.options)

    def text(self, value: Any) -> str:
        """Return a value as a reader sees it.

        Parameters
        ----------
        value : object
            One of the options.

        Returns
        -------
        str
            Its name, where the options have names; a number by ``format``.

        Examples
        --------
        >>> Choice("depth", {"shallow": 5, "deep": 1000}).text(1000)
        'deep'
        """
        if isinstance(self.options, Mapping):
            return str(list(self.options)[self.values.index(value)])
        if isinstance(value, Real) and not isinstance(value, bool):
            return format(value, self.format or (",d" if isinstance(value, Integral) else "g"))
        return str(value)

    def widget(self) -> Any:
        """Return the control as it stands in a running notebook.

        Returns
        -------
        ipywidgets.Dropdown or ipywidgets.SelectionSlider
            At the value to begin with.

        Examples
        --------
        >>> Choice("depth", [5, 10]).widget().value
        5
        """
        import ipywidgets

        look = {
            "value": self.start,
            "options": [(self.text(value), value) for value in self.values],
            "description": self.label,
            "style": {"description_width": "initial"},
            "layout": {"width": "24em", "max_width": "100%"},
        }
        if self.slider:
            return ipywidgets.SelectionSlider(continuous_update=False, **look)
        return ipywidgets.Dropdown(**look)


def token(control: Choice, value: Any) -> str:
    """Return a value as it stands in an address.

    >>> token(Choice("measure", ["P@10", "RBP(p=0.8)"]), "RBP(p=0.8)")
    'RBP(p%3D0.8)'
    """
    plain = value if isinstance(value, (str, Real)) else control.text(value)
    return urllib.parse.quote(str(plain), safe="()@.,:")


def field(id: str, name: str, control: Choice, values: Iterable) -> str:
    """Return the HTML of a control: a list to choose from, or a slider.

    >>> print(field("k", "k", Choice("depth", [5, 10]), [5, 10]), end="")
    <div class="control"><label for="k">depth</label><select id="k" data-control="k" \
data-label="depth" data-default="0" autocomplete="off"><option value="0" data-token="5" selected>\
5</option><option value="1" data-token="10">10</option></select></div>
    """
    values = list(values)
    start = values.index(control.start)
    label = html.escape(control.label)
    shown = [(html.escape(control.text(one)), html.escape(token(control, one))) for one in values]
    shared = (
        f'id="{id}" data-control="{name}" data-label="{label}" data-default="{start}"'
        ' autocomplete="off"'
    )
    options = "".join(
        f'<option value="{i}" data-token="{address}"{" selected" * (i == start)}>{text}</option>'
        for i, (text, address) in enumerate(shown)
    )
    body = f"<select {shared}>{options}</select>"
    if control.slider:
        at_first = shown[start][0]
        body = (
            f'<span><input type="range" {shared} min="0" max="{len(values) - 1}"'
            f' value="{start}" list="{id}-values" aria-valuetext="{at_first}">'
            f'<output id="{id}-value" for="{id}" aria-live="off">{at_first}</output>'
            f'</span><datalist id="{id}-values">{options}</datalist>'
        )
    return f'<div class="control"><label for="{id}">{label}</label>{body}</div>\n'
