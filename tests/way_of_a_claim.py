"""Print which files a claim enters on its way from its row to its word, in the order of entry.

``python tests/way_of_a_claim.py ID POPULATION``, such as ``new-p10-AP new``: the table where it
stands, the files of the chapters with their lines of code, and the word.
"""

import sys
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from chapters.ledger import deciding  # noqa: E402  The project is on the path only now.
from chapters.ledger.claims import answer  # noqa: E402
from chapters.ledger.registry import known_words  # noqa: E402

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


def now_and_then(study):
    """Return what rows are answered by the functions of a study, and what is kept of them."""
    asked, slow = {}, [("across", name) for name in ("TREC-8", "TREC-5", "TREC-COVID", "DL 2021")]
    for row in deciding.checked_rows():
        of, key = deciding.quantities()[row.call()[0]].__module__, (row.id, row.title)
        if of.startswith(f"chapters.{study}.") and key not in slow:
            asked[key] = vars(answer(deciding.asked_of_population(row), row.bound))
    now = pd.DataFrame.from_dict(asked, orient="index")[["estimate", "low", "high"]].astype(float)
    return now, known_words().loc[now.index, [*now]].rename_axis([None, None])


if __name__ == "__main__":
    found, way = way_of(*sys.argv[1:])
    print("data/claims/claims.csv", *way, found.over_topics, sep="\n")
