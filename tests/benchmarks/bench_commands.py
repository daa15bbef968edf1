"""What a reader waits for: commands and a chapter, beside bare imports and an older commit."""

import csv
import io
import os
import subprocess
import sys
import tarfile

import pytest
from conftest import children

from lib.paths import ROOT

BEFORE = "58c0608"  # when the time that the book takes was first looked at
SAME_ROWS = """
import csv, dataclasses, sys
from lib.claims import findings
from lib.papers import paper
known = {tuple(row) for row in csv.reader(sys.stdin)}
for name in sorted({row[0] for row in known}):
    claims = paper(name).claims
    rows = {
        place: {slug: one for slug, one in of.items() if (name, place, slug) in known}
        for place, of in claims.rows.items()
    }
    findings(name, dataclasses.replace(claims, rows=rows))
"""
NOTEBOOK = """
import sys, nbformat
from nbclient import NotebookClient
path = "chapters/01-precision-at-ten.ipynb"
client = NotebookClient(nbformat.read(path, as_version=4), timeout=900, kernel_name="python3")
client.execute(cwd="chapters")
"""


def python(*words, at=ROOT, **options):
    """Run Python in a folder, with the library that stands there."""
    surroundings = os.environ | {"PYTHONPATH": str(at), "MEASURES_COLLECTION": ""}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=at,
        env=surroundings,
        capture_output=True,
        text=True,
        **options,
    )
    # The ledger's status says whether a verdict got worse, which is not measured here.
    assert done.returncode == 0 or words[:3] == ("-m", "lib", "ledger"), done.stderr
    return done.stdout


def imports():
    return python("-c", "import numpy, pandas")


@pytest.fixture(scope="module")
def before(tmp_path_factory):
    """The project as it was at an older commit: a folder."""
    folder = tmp_path_factory.mktemp("before")
    archive = subprocess.run(["git", "archive", BEFORE], cwd=ROOT, capture_output=True)
    if archive.returncode:
        pytest.skip(f"the history does not go back to commit {BEFORE}")
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        files.extractall(folder, filter="data")
    return folder


def test_help(race):
    race("help", lambda: python("-m", "lib", "--help"), imports, clock=children)


def test_evaluate_a_small_collection(race):
    words = "-m lib evaluate feedback/cf --measures".split()
    race("evaluate", lambda: python(*words, "AP P@10 nDCG"), imports, clock=children)


def seconds(function):
    """Return the CPU seconds of what a function has other processes do."""
    begin = children()
    function()
    return float(f"{children() - begin:.4g}")


def test_ledger(keep, before):
    """The older commit's once, ours twice: whole, and with the rows alone that there were then."""
    text = (before / "data" / "ledger.csv").read_text(encoding="utf-8")
    rows = [(row["paper"], row["place"], row["row"]) for row in csv.DictReader(io.StringIO(text))]
    given = io.StringIO()
    csv.writer(given).writerows(rows)
    peer = seconds(lambda: python("-m", "lib", "ledger", at=before))
    for key, ours in (
        ("ledger", lambda: python("-m", "lib", "ledger")),
        ("ledger-same", lambda: python("-c", SAME_ROWS, input=given.getvalue())),
    ):
        keep(key, {"ours": [seconds(ours)], "peer": [peer]})


def test_chapter_1(race, before):
    def peer():
        python("-c", NOTEBOOK, at=before)

    race("chapter-1", lambda: python("-c", NOTEBOOK), peer, rounds=1, clock=children)
