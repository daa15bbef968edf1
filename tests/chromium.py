"""How tests open pages in Chromium, and what they find wrong with them.

The fixtures that go with it, the browser and the server, are in conftest.py; what is looked for in
a page as it stands is in faults.js.
"""

from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

PHONE, DESKTOP = {"width": 380, "height": 800}, {"width": 1400, "height": 900}
PAPER = {"width": 703, "height": 1000}  # what the margins of print.css leave of a sheet of A4
STILL = {"reduced_motion": "reduce"}  # half of a transition is no state of a page
BLOCKED = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"  # no way to any other host
FAULTS = Path(__file__).with_name("faults.js").read_text("utf-8")

# Long: from a server; the same from files notices most of it.
file_and_server = pytest.mark.parametrize(
    "start", ["file", pytest.param("http", marks=pytest.mark.long)], indirect=True
)


class Quiet(SimpleHTTPRequestHandler):
    """A server of files that does not say what it serves."""

    def log_message(self, *_):
        pass


@contextmanager
def opened(browser, address, **options):
    """Open a page in a window of its own, as a reader does who comes for the first time."""
    with browser.new_context(**STILL, **options) as context:
        page = context.new_page()
        page.goto(address)
        yield page


@contextmanager
def watched(browser, start, address, faults, *, asked=None, **options):
    """Open a page below a start, and note what it cannot load, logs, or asks of anybody else.

    ``asked`` takes all addresses that it asks for.
    """
    asked, at_home = [] if asked is None else asked, (start, "data:", "about:")
    with browser.new_context(**STILL, **options) as context:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("request", lambda r: r.url.startswith(at_home) or faults.append(f"asks {r.url}"))
        page.on("requestfailed", lambda request: faults.append(f"not loaded: {request.url}"))
        page.on("response", lambda r: r.status < 400 or faults.append(f"{r.status}: {r.url}"))
        page.on("pageerror", lambda error: faults.append(f"exception: {error}"))
        page.on("console", lambda m: m.type != "error" or faults.append(f"console: {m.text}"))
        page.goto(f"{start}/{address}")
        yield page


def address(path, fragment=""):
    """Return the address of a page as a file."""
    return path.as_uri() + (fragment and f"#{fragment}")


def look(page, size, theme):
    """Give a page a window and a theme; return what is wrong with it."""
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=theme)
    page.wait_for_function(
        "theme => (document.documentElement.dataset.theme ?? theme) === theme", arg=theme
    )
    found = page.evaluate(FAULTS, False)
    return [f"{size['width']} px, {theme}: {fault}" for fault in found]


def look_at_paper(page):
    """Return what is wrong with a page as it is printed, and that it is not as before then."""
    theme = "document.documentElement.dataset.theme"
    before = page.evaluate(theme)
    page.set_viewport_size(PAPER)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    found = page.evaluate(FAULTS, True)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    if page.evaluate(theme) != before:
        found.append("the theme is another one afterwards")
    return [f"on paper: {fault}" for fault in found]


# Folded parts are checked too, but of many that follow each other only the first. What is like
# something checked goes, and what drawings hold, which faults.js looks at: axe compares the colours
# of every pair of elements.
UNFOLD = """() => {
  document.querySelectorAll("details:not(details ~ details)").forEach(e => { e.open = true });
  const alike = "[data-at][hidden], tbody tr:nth-child(n+5), .measures svg *,"
    + "dl.py ~ dl.py ~ dl.py, .cell ~ .cell ~ .cell .cell_input, pre span:nth-child(n+20)";
  document.querySelectorAll(alike).forEach(e => e.remove());
  return new Promise((done) => setTimeout(done, 400));  // after 300 the theme has seen what scrolls
}"""


def violations(page, **options):
    """Return what axe finds in a page as it stands, of any impact; of what is alike, the first."""
    page.evaluate(UNFOLD)
    options |= {"resultTypes": ["violations"], "preload": False}
    found = Axe().run(page, options=options)
    return [
        f"axe: {finding['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for finding in found.response["violations"]
        for node in finding["nodes"]
    ]


def assert_none(faults, page):
    """Fail with all faults of a page and what to do about them."""
    if faults:
        advice = (
            "Look at it in Chromium with that window and theme, or as print (F12: Rendering).",
            "Styles are in book/static and lib/display; tests/faults.js says what is looked for.",
        )
        pytest.fail("\n".join([f"{page}:", *faults, *advice]), pytrace=False)
