"""What was measured of speed: complete, without a name of a machine, and as the book says it."""

import json

import numpy as np
import pytest

from lib.paths import DATA, ROOT

FOUND = json.loads((DATA / "bench.json").read_text(encoding="utf-8"))
FIGURES = FOUND["figures"]
PAGE = (ROOT / "book" / "commands.md").read_text(encoding="utf-8")
SAID = PAGE.partition("(speed)=\n")[2].partition("\n(")[0]


def digits(number, count=2):
    """Return a number with so many digits that count."""
    rounded = float(f"{number:.{count}g}")
    return f"{rounded:,.0f}" if rounded >= 10 ** (count - 1) else f"{rounded:.{count}g}"


def ratio(key):
    ours, peer = (np.array(FIGURES[key][who]) for who in ("ours", "peer"))
    return digits(np.median(peer / ours))


LINES = min(FIGURES["growth-lines"], key=lambda row: abs(row["size"] - 8_000_000))
SENTENCES = [
    f"in {digits(np.median(FIGURES['files-pytrec_eval']['ours']))} seconds",
    f"{ratio('files-pytrec_eval')} times as fast as pytrec_eval",
    f"{ratio('files-ir_measures')} times as fast as ir_measures, {ratio('files-ranx')} times as",
    f"{ratio('evaluation')} times as fast as pytrec_eval from the files",
    f"permutation tests of all its pairs {ratio('permutation')} times",
    f"of {LINES['size']:,} lines, `derive` needs {LINES['megabytes']:.0f} MB",
    f"measured on {FOUND['machine']['processor']}, with one processor",
]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_book_says_what_was_measured(sentence):
    assert sentence in SAID, "book/commands.md, below (speed)="
