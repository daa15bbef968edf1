"""Make means.csv, the official means of the tasks that tasks.csv lists, agreement.csv and md5.csv.

    MEASURES_ORIGINALS=FOLDER python data/trec/make.py

FOLDER/trec-browser holds what parse.py makes of the pages of TREC's runs: runs.tsv, official.tsv.
"""

import chapters  # noqa: F401 isort: skip  Before numpy: it sets one BLAS thread.

import os
from pathlib import Path

import pandas as pd

from chapters.data_tables import read, write
from chapters.elsewhere import trec
from chapters.elsewhere.trec import MEASURES, TASK_KEY, TERABYTE_TASK
from lib.collection import load


def means(folder: Path) -> pd.DataFrame:
    """Return a row a run of the listed tasks, from the one summary that each task names."""
    runs = pd.read_csv(folder / "runs.tsv", sep="\t", dtype=str, keep_default_na=False)
    scores = pd.read_csv(folder / "official.tsv", sep="\t", dtype={"run": str})
    scores = scores[["track", "summary", "run", *MEASURES]]
    tasks = read("trec", "tasks").fillna({"task": ""})[["track", "task", "summary"]]
    table = tasks.merge(scores).merge(runs, on=["track", "task", "run"], validate="one_to_one")
    table = table.rename(columns=MEASURES)
    # In the form of the early tracks, which alone prints R-precision, the column of P@10 holds
    # P@15: the book's own scores of TREC-5 and TREC-8 say so (tests/chapters/test_thirty_years.py).
    early = table["Rprec"].notna()
    table["P@15"] = table["P@10"].where(early)
    table["P@10"] = table["P@10"].mask(early)
    columns = ["track", "task", "run", "participant", "type"]
    return table[[*columns, "P@15", *MEASURES.values()]].sort_values(columns)


def agreement() -> pd.DataFrame:
    """Return how alike measures rank the runs of every task, and Terabyte's automatic runs."""
    tables = {(*key, "all"): trec.task_means(*key) for key in trec.tasks().index}
    tables[*TERABYTE_TASK, "automatic"] = trec.task_means(*TERABYTE_TASK, type="automatic")
    every = {key: trec.rank_agreement(table) for key, table in tables.items()}
    return pd.concat(every, names=[*TASK_KEY, "of"]).round(6).reset_index()


def sums(folder: Path) -> pd.DataFrame:
    """Return the published MD5 of the runs of the Deep Learning tracks of which the book has runs.

    They are recorded, and cannot be checked: the copies at hand were normalised since.
    """
    runs = pd.read_csv(folder / "runs.tsv", sep="\t", dtype=str, keep_default_na=False)
    packages = {}
    for track, name in {"trec28/deep": "dl19", "trec30/deep": "dl21"}.items():
        known = runs[(runs["track"] == track) & (runs["task"] == "passages")]
        known = known[known["run"].isin(load(name).systems.index)]
        packages[name] = known.set_index("run")["md5"]
    table = pd.concat(packages, names=["collection"]).reset_index()
    return table.sort_values(["collection", "run"])


if __name__ == "__main__":
    write("trec", "tasks", read("trec", "tasks"))  # its length and hash alone
    write("trec", "means", means(Path(os.environ["MEASURES_ORIGINALS"]) / "trec-browser"))
    write("trec", "agreement", agreement())
    write("trec", "md5", sums(Path(os.environ["MEASURES_ORIGINALS"]) / "trec-browser"))
