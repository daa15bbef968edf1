"""Print which files a claim enters on its way from its row to its word, in the order of entry.

``python tests/way_of_a_claim.py ID POPULATION``, such as ``new-p10-AP new``: the table where it
stands, the files of the chapters with their lines of code, and the word.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from chapters.ledger import deciding  # noqa: E402  The project is on the path only now.
from chapters.ledger.claims import answer  # noqa: E402

CHAPTERS = str(ROOT / "chapters")


def entered(work):
    """Do some work; return what it returns, and the files of chapters that it enters, in order."""
    files = []

    def note(frame, event, _):
        name = frame.f_code.co_filename
        if event == "call" and name.startswith(CHAPTERS) and name not in files:
            files.append(name)

    sys.setprofile(note)
    try:
        return work(), [Path(name).relative_to(ROOT).as_posix() for name in files]
    finally:
        sys.setprofile(None)


def way_of(claim, population):
    """Return what a claim on a population is answered, and the files on the way."""
    (row,) = (r for r in deciding.checked_rows() if (r.id, r.population) == (claim, population))
    return entered(lambda: answer(deciding.asked_of_population(row), row.bound))


if __name__ == "__main__":
    found, way = way_of(*sys.argv[1:])
    print("data/claims/claims.csv", *way, found.over_topics, sep="\n")
