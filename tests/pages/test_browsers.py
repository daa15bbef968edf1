"""Each page of the built book in Firefox and in WebKitGTK, on a phone and on a screen.

Chromium, in which test_pages.py and the others look at more, notices most of it.
"""

from functools import partial
from http.server import ThreadingHTTPServer

import browsers
import pytest
from built import HTML, PAGES, name, needs_book
from chromium import DESKTOP, FAULTS, PHONE
from servers import running

pytestmark = [needs_book, pytest.mark.long, pytest.mark.posix]

# Drivers read no result of a promise alike, so what is found is asked for until it is there.
START = """window.found = null;
look(...arguments).catch((error) => [String(error)]).then((all) => { window.found = all; });"""
CHECKS = [FAULTS.rstrip().removesuffix(";"), browsers.CONTROLS]


@pytest.fixture(scope="module", params=["firefox", "webkit"])
def look(request, tmp_path_factory):
    """What opens a page in a browser that wide, and says what is wrong with it."""
    folder = tmp_path_factory.mktemp(request.param)
    handler = partial(browsers.Recording, directory=HTML)
    with (
        getattr(browsers, request.param)(folder) as (visit, execute),
        running(ThreadingHTTPServer(("127.0.0.1", 0), handler)) as server,
    ):
        visit(f"http://127.0.0.1:{server.server_port}/")

        def found(path, width):
            execute(START, f"/{name(path)}", width, *CHECKS)
            return browsers.waited(lambda: execute("return window.found"))

        yield found


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_a_page_on_a_phone_and_on_a_screen(look, path):
    found = [fault for size in (PHONE, DESKTOP) for fault in look(path, size["width"])]
    assert found == []
