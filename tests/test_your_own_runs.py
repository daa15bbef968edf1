"""The page on your own runs: its commands are run, and print what it shows.

They begin with a download, which here comes from a server on this machine that has the originals.
``MEASURES_ORIGINALS=... python tests/test_your_own_runs.py`` writes what they print into the page.
"""

import gzip
import os
import re
import shlex
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

import pytest  # noqa: E402
from test_fetch import serving  # noqa: E402

from lib.cli import main  # noqa: E402
from lib.originals import fetch  # noqa: E402

PAGE = ROOT / "book" / "your-own-runs.md"
CONSOLE = re.compile(r"```console\n\$ python -m lib (.*)\n(?:.*\n)*?```")
TSV = re.compile(r"```text\n(system\t.*\n(?:.*\n)*?)```")


def printed(command):
    """Run a command as it is typed; return what a terminal shows."""
    out = StringIO()
    terminal = SimpleNamespace(write=out.write, flush=out.flush, isatty=lambda: True)
    with redirect_stdout(terminal), redirect_stderr(out):
        main(shlex.split(command))
    return out.getvalue()


def replayed(text, originals):
    """Return the page with the output of each command below it, run in turn."""
    files = {
        address: gzip.decompress((originals / "trec8" / f"{file}.gz").read_bytes())
        if file.startswith("inputs/")
        else (originals / "trec8" / file).read_bytes()
        for file, (_, address) in fetch._registry("trec8")[0].items()
    }
    with TemporaryDirectory() as folder, serving(files) as server, chdir(folder):
        Path("data").symlink_to(ROOT / "data")
        Path("pairs.tsv").write_text(TSV.search(text)[1])
        fetch.SERVER, real = server.url, fetch.SERVER
        try:
            return CONSOLE.sub(
                lambda m: f"```console\n$ python -m lib {m[1]}\n{printed(m[1])}```", text
            )
        finally:
            fetch.SERVER = real


# Long: minutes of a user's day; test_cli.py and test_report.py notice most of it.
@pytest.mark.frozen("python tests/test_your_own_runs.py")
@pytest.mark.long
def test_the_commands_print_what_the_page_shows(originals):
    text = PAGE.read_text(encoding="utf-8")
    assert len(CONSOLE.findall(text)) == 8
    assert replayed(text, originals) == text


def test_the_page_names_every_source():
    text = PAGE.read_text(encoding="utf-8")
    assert not [
        name for name in fetch.SOURCES if f"`{name}`" not in text and f"fetch {name}" not in text
    ]


if __name__ == "__main__":
    PAGE.write_text(
        replayed(PAGE.read_text(encoding="utf-8"), Path(os.environ["MEASURES_ORIGINALS"])),
        encoding="utf-8",
    )
