"""What all tests share: the originals, the browser; conftest.py above has what chapters need."""

import gc
import json
import os
import shutil
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import hypothesis
import pytest

from lib.paths import DATA

# The first example of a property pays for imports and caches, so single ones are not timed.
# `make test` tries the same examples each time, so that a failure is of the change that was made;
# `make test-all` draws others, and more, for what reads files.
EXAMPLES = os.environ.get("MEASURES_EXAMPLES")
hypothesis.settings.register_profile(
    "measures",
    deadline=None,
    print_blob=True,
    max_examples=int(EXAMPLES or 20),
    derandomize=EXAMPLES is None,
)
hypothesis.settings.load_profile("measures")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """Say of committed results that a test does not find again how they are written anew.

    Its mark ``frozen`` has the command, or the folder of data whose description has it.
    """
    report = yield
    if report.failed and (mark := item.get_closest_marker("frozen")):
        how = mark.args[0].format(**getattr(item, "callspec", SimpleNamespace(params={})).params)
        package = DATA / how / "datapackage.json"
        if package.is_file():
            how = json.loads(package.read_text(encoding="utf-8"))["command"]
        report.sections.append(("committed results", f"Where the new ones are right: {how}"))
    return report


def pytest_collection_modifyitems(items):
    """Begin with the file that takes longest; leave out on Windows what needs POSIX, and say so."""
    items.sort(key=lambda item: item.path.name != "test_pages.py")  # the other worker would wait
    for item in items if os.name == "nt" else ():
        if item.get_closest_marker("posix"):
            item.add_marker(pytest.mark.skip(reason="needs POSIX"))


def pytest_collection_finish():
    """Set tests and parsed pages aside: else each collection of garbage visits them all."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="module")
def _memory_comes_back():
    """Free what a file of tests computed: gigabytes of evidence, whose parts refer to it.

    What is left is kept for other files, and set aside like the tests.
    """
    yield
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def originals():
    """The folder with the original runs and judgements, which are not part of this project.

    The environment variable MEASURES_ORIGINALS names it; tests that need it are skipped without.
    """
    name = os.environ.get("MEASURES_ORIGINALS")
    if not name:
        pytest.skip("the original runs are not at hand: MEASURES_ORIGINALS names no folder")
    folder = Path(name)
    if not folder.is_dir():
        pytest.fail(f"MEASURES_ORIGINALS is {name!r}, which is not a folder")
    return folder


# The shell has no window of its own, and opens pages in half the time.
CHROMIUM = "chromium-headless-shell", "chromium", "google-chrome"
CHROMIUM += ("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",)
CHROMIUM += ("C:/Program Files/Google/Chrome/Application/chrome.exe",)


# One browser for all tests of a module. It ends with the module: while Playwright runs, an event
# loop does too, and notebooks that are tested in the same process could not start theirs.
@pytest.fixture(scope="module")
def browser():
    """Chromium, without a way to any other host."""
    from chromium import BLOCKED
    from playwright.sync_api import sync_playwright

    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM)), None)
    if not program:
        stop = pytest.fail if os.environ.get("CI") else pytest.skip
        stop("chromium is not installed: on Debian and Ubuntu, apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=[BLOCKED])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def served():
    """The address at which a server of this machine offers the book."""
    from built import HTML
    from chromium import Quiet
    from servers import running

    with running(ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=HTML))) as server:
        yield f"http://127.0.0.1:{server.server_port}"


@pytest.fixture
def start(request):
    """The address of the book as a file or on a server, by the test's parameter."""
    from built import HTML

    return HTML.as_uri() if request.param == "file" else request.getfixturevalue("served")


@pytest.fixture(scope="session")
def trec8():
    """TREC-8 ad hoc, as the book has it."""
    from lib import load

    return load("trec8")


@pytest.fixture(scope="session")
def few(trec8):
    """Every sixth system of TREC-8, on its first 20 topics."""
    return trec8.select(systems=trec8.systems.index[::6], topics=trec8.topics.index[:20])


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def printed(capsys):
    """A function that gives a command, in one string or as a list, and returns what it prints."""

    from lib.cli import main

    def ran(words, status=0):
        assert main(words.split() if isinstance(words, str) else words) == status
        return capsys.readouterr()

    return ran
