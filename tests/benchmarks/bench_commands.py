"""What a user of the commands waits for, beside bare imports."""

import os
import subprocess
import sys

from conftest import children

from lib.paths import ROOT


def python(*words):
    """Run Python with the library that stands here."""
    subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=True,
    )


def imports():
    python("-c", "import numpy, pandas")


def test_help(race):
    race("help", lambda: python("-m", "lib", "--help"), imports, clock=children)


def test_evaluate_a_small_collection(race):
    words = "-m lib evaluate feedback/cf --measures".split()
    race("evaluate", lambda: python(*words, "AP P@10 nDCG"), imports, clock=children)
