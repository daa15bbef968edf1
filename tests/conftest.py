"""What all tests share: the folder of originals, the notebooks' surroundings, the list of links."""

import gc
import os
from pathlib import Path

import hypothesis
import pytest

import lib  # noqa: F401  Before numpy: it sets one BLAS thread, for the notebooks' kernels too.

# Stored outputs hold the static face of a control; a live one would carry random widget ids.
os.environ["MEASURES_STATIC"] = "1"

# The first example of a property pays for imports and caches, so single ones are not timed.
# `make test-long` asks for more examples.
EXAMPLES = int(os.environ.get("MEASURES_EXAMPLES", 20))
hypothesis.settings.register_profile(
    "measures", deadline=None, print_blob=True, max_examples=EXAMPLES
)
hypothesis.settings.load_profile("measures")


def pytest_configure(config):
    """Build matplotlib's font cache before notebooks run: building it writes to stderr."""
    if not hasattr(config, "workerinput"):
        import matplotlib.font_manager  # noqa: F401


@pytest.fixture(autouse=True, scope="module")
def _memory_comes_back():
    """Free what a file of tests computed: gigabytes of evidence, whose parts refer to it."""
    yield
    gc.collect()


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


def pytest_terminal_summary(terminalreporter):
    """List the external links that test_links.py collected: they are not fetched."""
    links = {
        value
        for report in terminalreporter.getreports("passed")
        for key, value in report.user_properties
        if key == "external link"
    }
    if links:
        terminalreporter.section(f"{len(links)} external links, not fetched")
        for link in sorted(links):
            terminalreporter.write_line(link)
