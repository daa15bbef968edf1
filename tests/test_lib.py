"""The library's face: what it offers, and how little it loads before it is asked."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import lib

ROOT = Path(__file__).resolve().parent.parent
HEAVY = ("numpy", "pandas", "scipy", "matplotlib", "seaborn", "pooch", "requests")


def loaded(statement):
    """Return which heavy packages a statement loads in a fresh interpreter."""
    script = f"import sys\n{statement}\nprint(*[m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, text=True, capture_output=True, check=True
    )
    return done.stdout.split()


@pytest.mark.parametrize("name", lib.__all__)
def test_every_name_of_the_face_is_there(name):
    assert getattr(lib, name) is not None
    assert name in dir(lib)


def test_the_face_has_no_other_name():
    with pytest.raises(AttributeError, match="module 'lib' has no attribute 'nothing'"):
        lib.nothing  # noqa: B018


@pytest.mark.parametrize("statement", ["import lib", "import lib.errors", "import lib.paths"])
def test_nothing_heavy_is_loaded_before_it_is_asked_for(statement):
    assert loaded(statement) == []


def test_the_sources_of_originals_are_light():
    assert loaded("from lib.originals.sources import SOURCES") == []
    assert "pooch" in loaded("from lib.originals.fetch import fetch")


def test_blas_threads_are_set_before_numpy_is_loaded():
    script = "import os, lib; print(os.environ['OPENBLAS_NUM_THREADS'], lib.load('trec8').title)"
    bare = {k: v for k, v in os.environ.items() if not k.endswith("_NUM_THREADS")}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, text=True, capture_output=True, env=bare
    )
    assert done.stdout == "1 TREC-8\n", done.stderr
