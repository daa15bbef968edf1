"""Read the pages of the TREC Browser: what runs are, and what NIST printed of them.

    git clone https://github.com/usnistgov/trec-browser
    git -C trec-browser checkout 06c261d091faf0d247e6be9be652753de2f52e97
    python data/trec/parse.py trec-browser --out FOLDER/trec-browser

makes runs.tsv and official.tsv, of which ``make.py`` makes the tables of this folder, and
official_scores.csv, which is data/terabyte06's.  The tables of systems of data/trec5, data/dl19,
data/dl20 and data/dl21 have their groups and types from runs.tsv.
"""

import chapters  # noqa: F401 isort: skip  Before numpy: it sets one BLAS thread.

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

FIELDS = {
    "Run ID": "run",
    "Year": "year",
    "Task": "task",
    "Participant": "participant",
    "Type": "type",
    "Submission": "submitted",
    "MD5": "md5",
}
COLUMNS = "track year task run participant type submitted md5".split()
TERABYTE = "trec15/terabyte"
SCORES = "map bpref recip_rank P_10 P_100 P_1000".split()
TOPICS = (50, 149)  # of the first summary of a Terabyte run, and of the second


def pages(folder: Path, name: str) -> Iterator[tuple[str, str]]:
    """Yield the track and the text of each page of a name."""
    docs = folder / "browser" / "src" / "docs"
    for path in sorted(docs.glob(f"*/*/{name}.md")):
        yield path.parent.relative_to(docs).as_posix(), path.read_text(encoding="utf-8")


def runs(folder: Path) -> pd.DataFrame:
    """Return a row a run: what its page says of it."""
    rows = []
    for track, text in pages(folder, "runs"):
        for part in re.split(r"^#### ", text, flags=re.M)[1:]:
            said = dict(re.findall(r"^- :[\w-]+: \*\*([^*:]+):\*\* (.*?) *$", part, flags=re.M))
            known = {column: said.get(key, "").strip("`") for key, column in FIELDS.items()}
            rows.append({"track": track, **known})
    return pd.DataFrame(rows, columns=COLUMNS)


def summaries(text: str) -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    """Yield each summary of a page of results: run, its name, measures and means as printed."""
    for part in re.split(r"^#### ", text, flags=re.M)[1:]:
        run = part.partition("\n")[0].strip()
        found = re.findall(r'^\?\?\? example "summary \((.*?)\)"\s*```(.*?)```', part, re.M | re.S)
        for summary, lines in found:
            rows = (line.split() for line in lines.splitlines())
            yield run, summary, [(row[0], row[2]) for row in rows if row[1:2] == ["all"]]


def official(folder: Path) -> pd.DataFrame:
    """Return a row a run and summary; of a measure that is printed twice the second."""
    rows = [
        {"track": track, "summary": summary, "run": run, **dict(means)}
        for track, text in pages(folder, "results")
        for run, summary, means in summaries(text)
    ]
    return pd.DataFrame(rows)


def terabyte(folder: Path) -> pd.DataFrame:
    """Return the means of the ad hoc runs of the Terabyte track of 2006, topics by topics."""
    kinds = runs(folder).query("track == @TERABYTE and task == 'adhoc'").set_index("run")["type"]
    rows = []
    for run, _, means in summaries(dict(pages(folder, "results"))[TERABYTE]):
        if run in kinds.index:
            size = len(SCORES)
            for at, topics in enumerate(TOPICS[: len(means) // size]):
                scores = dict(means[at * size : (at + 1) * size])
                rows.append({"run": run, "type": kinds[run], "topics": topics, **scores})
    return pd.DataFrame(rows).sort_values(["run", "topics"], ignore_index=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True)
    runs(asked.checkout).to_csv(asked.out / "runs.tsv", sep="\t", index=False)
    official(asked.checkout).to_csv(asked.out / "official.tsv", sep="\t", index=False)
    terabyte(asked.checkout).to_csv(asked.out / "official_scores.csv", index=False)
