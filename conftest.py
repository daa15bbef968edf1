"""What the chapters need when they run as tests, alone or among all; tests/ has its own beside."""

import os

import pytest

import chapters  # noqa: F401  Before numpy: it sets one BLAS thread, for notebooks' kernels too.

# Stored outputs hold the static face of a control; a live one would carry random widget ids.
os.environ["MEASURES_STATIC"] = "1"


def pytest_configure(config):
    """Build matplotlib's font cache before notebooks run: building it writes to stderr."""
    if not hasattr(config, "workerinput"):
        import matplotlib.font_manager  # noqa: F401


@pytest.fixture(autouse=True)
def own_measures_end(monkeypatch):
    """Have a measure that a test or an example defines end with it."""
    from lib.measures import names

    monkeypatch.setattr(names, "_DEFINITIONS", names._DEFINITIONS.copy())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """Call a cell of a notebook that fails by its name, too: nbval has its number alone."""
    report = yield
    if report.failed and hasattr(item, "cell"):
        path, line, described = report.location  # its heading; workers need its id as it is
        report.location = path, line, f"{described} ({item.cell.id})"
    return report
