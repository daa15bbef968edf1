"""What a reader can set: a choice among values, a number in a range, a yes or no."""

import html
import math
import urllib.parse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from numbers import Integral, Real
from typing import Any


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

    def __post_init__(self):
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

    def accepts(self, value: Any) -> bool:
        """Return whether `value` is one of the options."""
        return value in self.values

    def text(self, value: Any) -> str:
        """Return a value, one of the options, as a reader sees it."""
        if isinstance(self.options, Mapping):
            return str(list(self.options)[self.values.index(value)])
        if isinstance(value, Real) and not isinstance(value, bool):
            return format(value, self.format or (",d" if isinstance(value, Integral) else "g"))
        return str(value)

    def widget(self) -> Any:
        """Return the ipywidgets control."""
        import ipywidgets

        look = {"options": [(self.text(value), value) for value in self.values]} | _look(self.label)
        if self.slider:
            return ipywidgets.SelectionSlider(value=self.start, continuous_update=False, **look)
        return ipywidgets.Dropdown(value=self.start, **look)


@dataclass(frozen=True)
class Range:
    """A control for numbers from `low` to `high`, both included, in steps.

    Parameters
    ----------
    label : str
        What a reader sees beside the control.
    low, high : int or float
        The ends.
    step : int or float, default 1
        The distance of neighbours.
    default : int or float, optional
        The value to begin with; `low` if not given.
    format : str, optional
        Format specification, such as ``".0%"``; else as many decimals as the step needs.

    Raises
    ------
    ValueError
        If no step fits between the ends.

    Examples
    --------
    >>> Range("Share of systems", 0.25, 1, 0.05, default=0.75, format=".0%").text(0.5)
    '50%'
    """

    label: str
    low: float
    high: float
    step: float = 1
    default: float | None = None
    format: str = ""

    slider = True

    def __post_init__(self):
        if not (self.low < self.high and self.step > 0):
            span = f"from {self.low} to {self.high} in steps of {self.step}"
            raise ValueError(f"control {self.label!r} runs {span}")

    @property
    def start(self) -> float:
        """The value to begin with."""
        return self.low if self.default is None else self.default

    @property
    def decimals(self) -> int:
        """How many decimals the values have; 0 for whole numbers."""
        numbers = (Decimal(str(x)).normalize() for x in (self.low, self.step, 0))
        return max(-int(number.as_tuple().exponent) for number in numbers)

    def accepts(self, value: Any) -> bool:
        """Return whether `value` lies in the range, on a step."""
        is_number = isinstance(value, Real)
        if not is_number or not self.low <= value <= self.high:
            return False
        steps = (value - self.low) / self.step
        return math.isclose(steps, round(steps), abs_tol=1e-6)

    def text(self, value: Any) -> str:
        """Return a value as a reader sees it."""
        return format(value, self.format or f",.{self.decimals}f")

    def widget(self) -> Any:
        """Return the ipywidgets control."""
        import ipywidgets

        whole = all(isinstance(x, Integral) for x in (self.low, self.high, self.step, self.start))
        kind = ipywidgets.IntSlider if whole else ipywidgets.FloatSlider
        return kind(
            min=self.low,
            max=self.high,
            step=self.step,
            value=self.start,
            continuous_update=False,
            readout_format=self.format or (",d" if whole else f".{self.decimals}f"),
            **_look(self.label),
        )


def token(control: Choice | Range, value: Any) -> str:
    """Return a value as it stands in an address.

    >>> token(Choice("measure", ["P@10", "RBP(p=0.8)"]), "RBP(p=0.8)")
    'RBP(p%3D0.8)'
    """
    plain = value if isinstance(value, (str, Real)) else control.text(value)
    return urllib.parse.quote(str(plain), safe="()@.,:")


def field(id: str, name: str, control: Choice | Range, values: Iterable) -> str:
    """Return the HTML of a control: a list to choose from, or a slider.

    >>> print(field("k", "k", Choice("depth", [5, 10]), [5, 10]), end="")
    <div class="control"><label for="k">depth</label><select id="k" data-control="k" \
data-label="depth" data-default="0" autocomplete="off"><option data-token="5" selected>5</option>\
<option data-token="10">10</option></select></div>
    """
    values = list(values)
    start = values.index(control.start)
    label = html.escape(control.label)
    texts = [html.escape(control.text(value)) for value in values]
    tokens = [html.escape(token(control, value)) for value in values]
    shared = (
        f'id="{id}" data-control="{name}" data-label="{label}" data-default="{start}"'
        ' autocomplete="off"'
    )
    if control.slider:
        options = "".join(
            f'<option value="{i}" label="{text}" data-token="{said}"></option>'
            for i, (text, said) in enumerate(zip(texts, tokens))
        )
        body = (
            f'<span><input type="range" {shared} min="0" max="{len(values) - 1}"'
            f' value="{start}" list="{id}-values" aria-valuetext="{texts[start]}">'
            f'<output id="{id}-value" for="{id}" aria-live="off">{texts[start]}</output>'
            f'</span><datalist id="{id}-values">{options}</datalist>'
        )
    else:
        options = "".join(
            f'<option data-token="{said}"{" selected" * (i == start)}>{text}</option>'
            for i, (text, said) in enumerate(zip(texts, tokens))
        )
        body = f"<select {shared}>{options}</select>"
    return f'<div class="control"><label for="{id}">{label}</label>{body}</div>\n'


def _look(label):
    """Return the options that all ipywidgets controls share."""
    return {
        "description": label,
        "style": {"description_width": "initial"},
        "layout": {"width": "24em", "max_width": "100%"},
    }
