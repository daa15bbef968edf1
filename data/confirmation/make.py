"""Make the tables of this folder: seven registered claims on three collections.

    python data/confirmation/make.py [TABLE ...]

TABLE: estimates, groups, beside, single, powers (the default), or topics, which needs --outputs, a
folder with the outputs of trec_eval of which data/terabyte06-by-topic and data/blog08 were made.
"""

import chapters  # noqa: F401 isort: skip  Before numpy: it sets one BLAS thread.

import argparse
from pathlib import Path

import pandas as pd
from joblib import Parallel, parallel_config

from chapters.data_tables import write
from chapters.elsewhere import confirmation, single
from lib.tasks import task

DIGITS = 6
OUTPUTS = {"T": "trec15.terabyte-adhoc", "B": "trec17.blog-topicrel"}


def estimates() -> pd.DataFrame:
    """Return the claims on each path."""
    parts = Parallel()(task(confirmation.estimates, [claim]) for claim in confirmation.CONFIRMED)
    return pd.concat(parts, ignore_index=True)


def groups() -> pd.DataFrame:
    """Return the claims without each group of runs."""
    claims = [*confirmation.CONFIRMED]
    parts = Parallel()(task(confirmation.without_each_group, claim) for claim in claims)
    return pd.concat(dict(zip(claims, parts)), names=["claim"]).reset_index(level=0)


def topics(outputs: Path) -> pd.DataFrame:
    """Return the number of relevant documents of each topic, as trec_eval counted them."""
    rows = []
    for name, folder in OUTPUTS.items():
        first = min((outputs / folder).glob("*.eval"))
        lines = (line.split() for line in first.read_text(encoding="utf-8").splitlines())
        counts = (words[1:] for words in lines if words[:1] == ["num_rel"])
        rows += [(name, topic, int(number)) for topic, number in counts if topic != "all"]
    return pd.DataFrame(rows, columns=["collection", "topic", "relevant"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "tables",
        nargs="*",
        default=["estimates", "groups", "beside", "single", "powers"],
        metavar="TABLE",
    )
    parser.add_argument("--outputs", type=Path, metavar="FOLDER")
    given = parser.parse_args()
    made = {"estimates": estimates, "groups": groups, "beside": confirmation.single_measures}
    made |= {"single": single.gains, "powers": single.told_of_seven}
    made["topics"] = lambda: topics(given.outputs)
    with parallel_config(n_jobs=2):
        for name in given.tables:
            write("confirmation", name, made[name]().round(DIGITS))
