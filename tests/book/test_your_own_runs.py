"""The page on your own runs and that of all commands: they are run, and print what is shown.

A download comes from a server on this machine that has the originals.
``MEASURES_ORIGINALS=... python tests/book/test_your_own_runs.py`` writes what they print into the
page.
"""

import gzip
import os
import re
import runpy
import shlex
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

ROOT = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import pandas as pd  # noqa: E402
import pytest  # noqa: E402
from servers import serving  # noqa: E402

from lib.cli import main  # noqa: E402
from lib.originals import fetch  # noqa: E402

BOOK = ROOT / "book"
WALK, CASE = BOOK / "commands.md", BOOK / "your-own-runs.md"
PICTURE = BOOK / "forest.png"
RUNS, DRAWN = ("idst_bert_p1", "p_bert", "bm25base_p"), "correct three umbrela.qrels --draw 15"
CONSOLE = re.compile(r"```console\n\$ python -m lib (.*)\n(?:.*\n)*?```")
TSV = re.compile(r"```text\n(system\t.*\n(?:.*\n)*?)```")


def printed(command):
    """Run a command as it is typed; return what a terminal shows."""
    out = StringIO()
    terminal = SimpleNamespace(write=out.write, flush=out.flush, isatty=lambda: True)
    with redirect_stdout(terminal), redirect_stderr(out):
        main(shlex.split(command))
    return out.getvalue()


def replayed(text):
    """Return a page with the output of each command below it, run in turn where one stands.

    A report takes minutes, and says how many of its parts cannot be computed: test_report.py.
    """

    def answer(match):
        again = f"```console\n$ python -m lib {match[1]}\n"
        return match[0] if match[1].startswith("report ") else f"{again}{printed(match[1])}```"

    return CONSOLE.sub(answer, text)


def walk(text, originals):
    """Return the commands' page, replayed: it begins with a download of TREC-8."""
    files = {
        address: gzip.decompress((originals / "trec8" / f"{file}.gz").read_bytes())
        if file.startswith("inputs/")
        else (originals / "trec8" / file).read_bytes()
        for file, (_, address) in fetch._registry("trec8")[0].items()
    }
    with TemporaryDirectory() as folder, serving(files) as server, chdir(folder):
        Path("data").symlink_to(ROOT / "data")
        Path("pairs.tsv").write_text(TSV.search(text)[1], encoding="utf-8")
        fetch.SERVER, real = server.url, fetch.SERVER
        try:
            return replayed(text)
        finally:
            fetch.SERVER = real


def case(text, originals):
    """Return the case's page, replayed with its originals, and the picture that it draws."""
    with TemporaryDirectory() as folder, chdir(folder):
        for name, original in (("cisi", "cisi"), ("cran", "cran"), ("nfcorpus", "nftest")):
            Path(name).symlink_to(originals / "collections" / original)
        with redirect_stderr(StringIO()):
            runpy.run_path(str(BOOK / "runs_with_seeds.py"))
        Path("three").mkdir()
        for run in RUNS:
            Path("three", f"{run}.xz").symlink_to(originals / "dl19" / "runs" / f"{run}.xz")
        Path("umbrela.qrels").symlink_to(originals / "judges" / "dl19.umbrela-gpt-4.qrels")
        drawn = re.search(rf"{DRAWN} --seed 1\n((?:\d+\n)+)", text)
        topics = (drawn[1] if drawn else printed(f"{DRAWN} --seed 1")).split()
        judged = (
            (originals / "dl19" / "qrels.txt").read_text(encoding="utf-8").splitlines(keepends=True)
        )
        Path("people.qrels").write_text(
            "".join(x for x in judged if x.split()[0] in topics), encoding="utf-8"
        )
        return replayed(text), Path("forest.png").read_bytes(), pd.read_csv("runs.tsv", sep="\t")


# Long: a download and tables of 129 runs; test_cli.py notices most of it.
@pytest.mark.frozen("python tests/book/test_your_own_runs.py")
@pytest.mark.long
@pytest.mark.posix
def test_the_commands_print_what_the_page_shows(originals):
    text = WALK.read_text(encoding="utf-8")
    assert len(CONSOLE.findall(text)) == 9
    assert walk(text, originals) == text


# Long: a minute; test_data_sets.py, test_correct.py and test_paper_table.py notice most of it.
@pytest.mark.frozen("python tests/book/test_your_own_runs.py")
@pytest.mark.long
@pytest.mark.posix
def test_the_case_goes_from_texts_to_a_table_as_its_page_shows(originals):
    text = CASE.read_text(encoding="utf-8")
    assert len(CONSOLE.findall(text)) == 5
    again, picture, table = case(text, originals)
    assert again == text
    assert picture[:8] == PICTURE.read_bytes()[:8] and len(picture) > 10_000
    assert len(table) == 3 * 6 and "| head -3" not in text
    head = re.search(r"head -3 runs.tsv\n((?:.*\n){3})", text)[1]
    assert head.split() == table.head(2).to_csv(sep="\t", index=False).replace(".0", "").split()


def test_what_the_case_says_in_words_is_what_its_table_says():
    """Ahead on these data sets, open for others; ahead by AP and nDCG, behind by RR."""
    text = CASE.read_text(encoding="utf-8")
    ends = {
        name: (float(low), float(high))
        for name, low, high in re.findall(r"^(\w[\w ]*?) +[+-]\S+ \((\S+) to (\S+)\)", text, re.M)
    }
    assert max(ends["these data sets"]) < 0 < max(ends["data sets like these"])
    assert all(max(ends[name]) > 0 for name in ("cran", "nfcorpus")) and max(ends["cisi"]) < 0
    assert max(ends["nDCG"]) < 0 < min(ends["RR"])
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    assert len(prose.split()) <= 900


def test_the_page_names_every_source():
    text = WALK.read_text(encoding="utf-8")
    assert not [
        name for name in fetch.SOURCES if f"`{name}`" not in text and f"fetch {name}" not in text
    ]


if __name__ == "__main__":
    kept = Path(os.environ["MEASURES_ORIGINALS"])
    text, drawn, _ = case(CASE.read_text(encoding="utf-8"), kept)
    CASE.write_text(text, encoding="utf-8")
    PICTURE.write_bytes(drawn)
    WALK.write_text(walk(WALK.read_text(encoding="utf-8"), kept), encoding="utf-8")
