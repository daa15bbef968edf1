"""An explorer's two faces: the stored page, complete and escaped, and the running widget."""

import json
import re
import sys
from types import SimpleNamespace

import ipywidgets
import pytest
from bs4 import BeautifulSoup

from lib.display.controls import Choice
from lib.display.explorer import MAX_BYTES, explore


def power(base, exponent, times):
    """Return a panel with a number that tells the setting."""
    return f"<p>{times * base**exponent}</p>"


CONTROLS = {
    "base": Choice("base <b>", {"two & a bit": 2, "ten": 10}),
    "exponent": Choice("exponent", range(10), default=3, slider=True),
    "times": Choice("times", [0.5, 1.0, 2.0], default=1.0, slider=True, format=".0%"),
}
GIVEN = {
    "id": "power",
    "title": "Powers <of> numbers",
    "controls": CONTROLS,
    "static": {"exponent": [1, 3, 5], "base": [2, 10]},
}


def make(render=power, **changes):
    """Return the explorer of the tests, with some arguments changed."""
    return explore(render, **(GIVEN | changes))


def page(explorer):
    """Return an explorer's page as a tree."""
    return BeautifulSoup(explorer.to_html(), "html.parser")


# The page.


def test_each_setting_has_one_panel_and_only_the_default_is_visible():
    """Panels that are the same are stored once."""
    panels = page(make()).select("[data-at]")
    assert {p["data-at"]: p.get_text(strip=True) for p in panels} == {
        f"base={base}&exponent={exponent}": str(1.0 * base**exponent)
        for base in (2, 10)
        for exponent in (1, 3, 5)
    }
    assert [p["data-at"] for p in panels if not p.has_attr("hidden")] == ["base=2&exponent=3"]
    (panel,) = page(make(lambda base, exponent, times: exponent % 2 * "<p>1</p>")).select(
        "[data-at]"
    )
    assert len(panel["data-at"].split(" ")) == 6 and not panel.has_attr("hidden")


def test_the_page_says_what_it_shows_and_what_cannot_be_moved():
    tree, text = page(make(caption="Mind the <gap>.")), make().to_html()
    title = tree.find(id=tree.figure["aria-labelledby"])
    assert tree.figure["id"] == "explore-power" and title.text == "Powers <of> numbers"
    assert "Mind the <gap>." in title.parent.text
    shown = tree.find(id="explore-power-shown")
    assert shown.text == "Shown: base <b> two & a bit; exponent 3."
    assert tree.find(role="status").text == ""  # nothing came out anew
    assert "In all settings: times 100%." in tree.get_text()
    assert tree.find("fieldset").has_attr("disabled")
    note = tree.find("noscript").get_text()
    assert "JavaScript" in note and "base <b> two & a bit; exponent 3" in note
    assert "<of>" not in text and "base <b>" not in text and "two & a" not in text


def test_an_error_names_the_setting():
    with pytest.raises(ZeroDivisionError) as caught:
        make(lambda **values: 1 / 0).to_html()
    (note,) = caught.value.__notes__
    assert note == "explore-power at base <b> two & a bit; exponent 1; times 100%"


def test_panels_are_computed_when_needed_and_once():
    calls = []

    def count(**values):
        calls.append(values)
        return str(len(calls))

    explorer = make(count)
    repr(explorer)
    assert calls == []
    explorer.to_html()
    explorer.to_html()
    assert len(calls) == 6


# What is refused: (what is changed, what the message says).
REFUSED = [
    ({"id": "Power 1"}, "lower-case"),
    ({"static": {"bias": [1]}}, "there is no control bias"),
    ({"static": {"exponent": [1, 5]}}, "lack the default 3"),
    ({"static": {"exponent": [3, 10]}}, "10 is not among the values"),
    ({"static": {"base": [2, 10, 2]}}, "given twice"),
]


@pytest.mark.parametrize(("change", "message"), REFUSED, ids=[m for _, m in REFUSED])
def test_refused(change, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        make(**change)


def test_what_is_too_much_for_a_page_is_refused():
    options = list(range(2, 63))
    controls = CONTROLS | {"base": Choice("base", options)}
    assert len(make(controls=controls, static={"base": options[:60]}).settings()) == 60
    with pytest.raises(ValueError, match="61 panels, at most 60"):
        make(controls=controls, static={"base": options})
    large = make(lambda base, exponent, times: f"{base}{exponent}" + "x" * 70_000)
    with pytest.raises(ValueError, match=r"4\d\d kB of HTML, at most 400"):
        large.to_html()
    with pytest.raises(ValueError, match="cannot be made of float"):
        make(lambda **_: 0.5).panel()


# The running face.


@pytest.fixture
def live(monkeypatch):
    """Switch the running face on."""
    monkeypatch.delenv("MEASURES_STATIC", raising=False)


def controls_of(view):
    """Return the controls of a widget by their label, then the line of state and the panel."""
    *_, row, status, panel = view.children
    return {control.description: control for control in row.children}, status, panel


def test_the_stored_face_comes_alone(monkeypatch):
    monkeypatch.setenv("MEASURES_STATIC", "1")
    bundle = make()._repr_mimebundle_()
    assert bundle.keys() == {"text/html", "text/plain"}
    assert bundle["text/html"] == make().to_html()
    assert len(json.dumps(bundle["text/html"])) <= MAX_BYTES


def test_the_running_face_computes_the_default_panel_only(live):
    calls = []
    bundle = make(lambda **values: str(calls.append(values)))._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert calls == [{"base": 2, "exponent": 3, "times": 1.0}]
    assert "<script" not in bundle["text/html"] and "<select" not in bundle["text/html"]
    assert "exponent 3; times 100%" in bundle["text/html"]


@pytest.mark.parametrize("there", [None, SimpleNamespace(__version__="7.7.1")])
def test_without_new_widgets_the_running_face_is_a_picture_and_a_line(live, monkeypatch, there):
    monkeypatch.setitem(sys.modules, "ipywidgets", there)
    bundle = make()._repr_mimebundle_()
    assert bundle.keys() == {"text/html", "text/plain"}
    assert "<p>8.0</p>" in bundle["text/html"] and "<script" not in bundle["text/html"]
    for text in bundle.values():
        assert text.count("need ipywidgets 8") == 1


def test_every_control_of_the_running_face_changes_the_panel(live):
    controls, status, panel = controls_of(make().widget())
    assert isinstance(controls["base <b>"], ipywidgets.Dropdown)
    assert isinstance(controls["times"], ipywidgets.SelectionSlider)
    assert not controls["times"].continuous_update and controls["times"].label == "100%"
    assert panel.value == "<p>8.0</p>\n"
    controls["exponent"].value = 4  # not among the page's values
    assert panel.value == "<p>16.0</p>\n"
    controls["base <b>"].value = 10
    assert panel.value == "<p>10000.0</p>\n"
    controls["times"].value = 0.5
    assert panel.value == "<p>5000.0</p>\n"
    assert status.value == ""


def test_the_running_face_shows_an_error_as_one_escaped_line(live):
    def fail(base, exponent, times):
        if exponent > 5:
            raise ValueError("exponent <6>\nis too large")
        return "fine"

    controls, status, panel = controls_of(make(fail).widget())
    said = []
    status.observe(lambda change: said.append(change["new"]), "value")
    controls["exponent"].value = 6
    assert said[0] == "computing..."
    assert (status.value, panel.value) == ("ValueError: exponent &lt;6&gt;", "")
    controls["exponent"].value = 5
    assert (status.value, panel.value) == ("", "fine\n")
