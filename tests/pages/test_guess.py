"""A guess before a figure, on a page of its own: without a book."""

import io
import sys

import pytest
from chromium import opened
from playwright.sync_api import expect
from sphinx.application import Sphinx

from lib.paths import ROOT

STATIC = ROOT / "book" / "static"
TEXT = """
Title
=====

Guess
-----

.. guess::

   {}

.. raw:: html

   <figure class="measures"><p>It fell.</p></figure>
   <figure class="measures"><p>Another one.</p></figure>
"""


def built(folder, *choices):
    """Build a page with a guess; return its address and what Sphinx says of it."""
    text = TEXT.format("\n   ".join(choices))
    (folder / "index.rst").write_text(text, encoding="utf-8")
    said, places = io.StringIO(), [str(folder / name) for name in ("out", "trees")]
    more = {
        "extensions": ["local_guess"],
        "html_static_path": [str(STATIC)],
        "html_css_files": ["book.css", "print.css"],
        "html_js_files": [[f"{name}.js", {"defer": "defer"}] for name in ("page", "guess")],
    }
    sys.path.append(str(ROOT / "book" / "extensions"))
    told = {"confoverrides": more, "status": None, "warning": said}
    Sphinx(str(folder), None, *places, "html", **told).build()
    return (folder / "out" / "index.html").as_uri(), said.getvalue()


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("guess")
    return built(folder, "- *It rises & stays.* No, it falls.", "- *It falls.* So it does.")[0]


def test_a_choice_uncovers_the_figure_and_is_answered_and_kept_for_the_session(browser, address):
    with opened(browser, address) as page:
        figure, other = page.get_by_text("It fell."), page.get_by_text("Another one.")
        expect(other).to_be_visible()
        expect(figure).to_be_hidden()
        rises = page.get_by_role("button", name="It rises & stays.")
        rises.focus()
        page.keyboard.press("Enter")
        expect(figure).to_be_visible()
        status = page.get_by_role("status")
        assert status.inner_text() == "You said: It rises & stays. No, it falls."
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
        assert status.inner_text() == "You said: It falls. So it does."
        assert page.url == address
        page.reload()
        expect(figure).to_be_visible()
        assert status.inner_text() == "You said: It falls. So it does."
        assert rises.get_attribute("aria-pressed") == "false"


def test_nobody_has_to_guess(browser, address):
    """By a button, on paper, at an address of a place, and where no script runs."""
    with opened(browser, address) as page:
        figure = page.get_by_text("It fell.")
        page.emulate_media(media="print")
        expect(figure).to_be_visible()
        page.emulate_media(media="screen")
        expect(figure).to_be_hidden()
        page.get_by_role("button", name="Just show it").click()
        expect(figure).to_be_visible()
        assert page.get_by_role("status").inner_text() == ""
    with opened(browser, f"{address}#guess") as page:
        expect(page.get_by_text("It fell.")).to_be_visible()
    with opened(browser, address, java_script_enabled=False) as page:
        expect(page.get_by_text("It fell.")).to_be_visible()
        expect(page.locator("noscript p")).to_have_text("Write it down, then read on.")
        expect(page.locator(".guess button:visible")).to_have_count(0)


@pytest.mark.parametrize(
    "choices", [["- *One.* Alone."], ["- *One.* Yes.", "- Two."], ["One or two."]]
)
def test_what_is_no_choice_is_refused(tmp_path, choices):
    assert (
        "a list of two or three items: *a choice*, and its answer" in built(tmp_path, *choices)[1]
    )
