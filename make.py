"""Do what make does where there is none, as on Windows: python make.py book, test or lab.

    book  make the environment in .venv, and build the book into _build/html
    test  build the book, then run the tests
    lab   write the chapters' editions into notebooks, and open them in JupyterLab

It needs nothing but Python 3.11 to 3.14.  The Makefile has the same steps; a test compares them.
"""

import os
import re
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
LOCK, PLACE = ROOT / "requirements.lock", zlib.crc32(os.fsencode(ROOT))
MADE_FROM = VENV / "lock-{}.{}-{:x}".format(*sys.version_info[:2], PLACE)
INSTALL = (
    # setuptools builds the one package that comes as source; uv takes a fifth of pip's time, and
    # pip, which may know another index, takes over where it fails.
    "python -m pip install --quiet --no-compile --require-hashes -r .venv/first.lock",
    "uv pip install --quiet --system-certs --require-hashes --no-build-isolation "
    "-r requirements.lock",
    "python -m pip install --progress-bar off --no-compile --require-hashes --no-build-isolation "
    "-r requirements.lock",
    "python -m pip install --quiet --no-deps --no-build-isolation -e .",
)
STEPS = {
    "book": ("python -m book.make_book",),
    "test": ("python -m pytest -n 2 --dist loadfile",),
    "lab": ("python -m book.teaching.editions notebooks", "jupyter lab notebooks"),
}


def run(step: str, *, otherwise: str = "") -> None:
    """Run a program of the environment; where it fails another, or stop with its exit status."""
    program, *words = step.split()
    own = {"MPLCONFIGDIR": VENV / "matplotlib", "IPYTHONDIR": VENV / "ipython"}
    settings = os.environ | {name: str(folder) for name, folder in own.items()}
    if os.environ.get("LC_ALL") in ("C", "POSIX"):  # there Python reads no path with an umlaut
        settings["LC_ALL"] = "C.UTF-8"
    settings |= {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "VIRTUAL_ENV": str(VENV)}
    done = subprocess.run([shutil.which(program, path=str(BIN)), *words], cwd=ROOT, env=settings)
    if done.returncode and not otherwise:
        sys.exit(done.returncode)
    if done.returncode:
        run(otherwise)


def make_environment() -> None:
    """Make the environment, if it is not that of this Python, of the lock and of this place."""
    if MADE_FROM.exists() and MADE_FROM.read_bytes() == LOCK.read_bytes():
        return
    if VENV.is_symlink():
        sys.exit(f"{VENV} is a link, and what it leads to would be emptied. Remove the link.")
    print(f"Making the environment in {VENV}: half a minute, 1.2 GB.", flush=True)
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], check=True)
    pins = r"^(?:setuptools|uv)==.*(?:\n +--hash.*)+\n"
    first = "".join(re.findall(pins, LOCK.read_text("utf-8"), re.M))
    (VENV / "first.lock").write_text(first, encoding="utf-8")
    tools, fast, sure, ours = INSTALL
    run(tools)
    run(fast, otherwise=sure)
    run(ours)
    shutil.copy(LOCK, MADE_FROM)


def main(words: list[str]) -> None:
    """Do what is asked for, and what it needs first."""
    if len(words) != 1 or words[0] not in STEPS:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    make_environment()
    (asked,) = words
    for target in ("book", "test") if asked == "test" else (asked,):
        for step in STEPS[target]:
            run(step)
    if asked == "book":
        print("The book:", ROOT / "_build" / "html" / "index.html")


if __name__ == "__main__":
    if not (3, 11) <= sys.version_info < (3, 15):
        print("Python 3.11, 3.12, 3.13 or 3.14 is needed.", file=sys.stderr)
        sys.exit(2)
    main(sys.argv[1:])
