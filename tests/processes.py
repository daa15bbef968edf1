"""Python in a process of its own, for tests of what it prints and how it ends."""

import os
import subprocess
import sys

from lib.paths import ROOT


def run_python(*words, cwd=ROOT, **more):
    """Run Python in a folder until it ends; more variables of its environment may be given."""
    words = [sys.executable, *map(str, words)]
    return subprocess.run(words, cwd=cwd, env=os.environ | more, capture_output=True, text=True)
