"""How tests open the built book in Chromium: from a file, or from a server of this machine.

The fixtures that go with it, the browser and the server, are in conftest.py.
"""

from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler

import pytest

PHONE, DESKTOP = {"width": 380, "height": 800}, {"width": 1400, "height": 900}
BLOCKED = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"  # no way to any other host

file_and_server = pytest.mark.parametrize("start", ["file", "http"], indirect=True)


class Quiet(SimpleHTTPRequestHandler):
    """A server of files that does not say what it serves."""

    def log_message(self, *_):
        pass


@contextmanager
def opened(browser, address, **options):
    """Open a page in a window of its own, as a reader does who comes for the first time."""
    with browser.new_context(**options) as context:
        page = context.new_page()
        page.goto(address)
        yield page


def address(path, fragment=""):
    """Return the address of a page as a file."""
    return path.as_uri() + (fragment and f"#{fragment}")
