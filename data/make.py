"""Run the scripts of this folder that anybody can run from what stands here, in their order.

``make data`` calls it.  ``order.csv`` has all of them, and all folders: what each makes, what it
needs that is not here, and its minutes on two quiet cores.
"""

import csv
import shlex
import subprocess
import sys
from pathlib import Path

ORDER = Path(__file__).with_name("order.csv")


def steps() -> list[dict[str, str]]:
    """Return the rows of ``order.csv``."""
    with open(ORDER, encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table))


if __name__ == "__main__":
    here = [step for step in steps() if not step["needs"]]
    for number, step in enumerate(here, start=1):
        print(f"{number} of {len(here)}: {step['command']}, {step['minutes']} minutes", flush=True)
        _, *words = shlex.split(step["command"])
        done = subprocess.run([sys.executable, *words], cwd=ORDER.parents[1])
        if done.returncode:
            sys.exit(f"{step['command']} failed, and what comes after it was not run")
