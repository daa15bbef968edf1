"""Make the collections of this folder, each judged by people and by machines.

    MEASURES_ORIGINALS=FOLDER python data/judges/make.py

FOLDER holds dl19, dl20, dl21 (runs, qrels.txt), newer/dl19 and newer/dl20 (runs), judges
(YEAR.FILE.qrels for the files of judges.csv), and of the eight who judged DL 2019 again a file each
in second (their share of the documents) and in eight (the documents that all of them judged).

    python data/judges/make.py --add NAME --qrels FILE --to dl21 --runs FOLDER --relevant-from 1

adds one more judge to a collection; what the others said is taken from the collection itself, and
the names of its documents from the runs.  `python -m lib fetch dl21` downloads these.
"""

import chapters  # noqa: F401 isort: skip  Before numpy: it sets one BLAS thread.

import argparse
import json
import os
import re
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import pandas as pd

from chapters.data_tables import read, write
from chapters.machines.judging import MISSING, NEWER, SECOND, TRACKS, codes, numbered, with_judge
from lib.collection import about, derive, load, read_qrels
from lib.collection.package import sha256
from lib.collection.trec import run_files
from lib.errors import InputError
from lib.paths import DATA

HERE = DATA / "judges"
NEWER_RUN = re.compile(r"(?:[a-z]+-[a-z]+-)?(.+?)(?:-run|_msmarco-.*)")


def coded(judgements):
    """Return codes of what all judges say of each document, and the table of the codes."""
    people, *others = judgements.values()
    rows = {
        (topic, document): (grade, *(of.get(topic, {}).get(document, MISSING) for of in others))
        for topic, documents in people.items()
        for document, grade in documents.items()
    }
    code, table = numbered(pd.DataFrame([*rows.values()], columns=list(judgements)))
    qrels = defaultdict(dict)
    for (topic, document), number in zip(rows, code):
        qrels[topic][document] = number
    return qrels, table


def saved(year, collection, table):
    """Write a collection whose grades are codes, and the table of the codes."""
    statement = json.loads((HERE / "datapackage.json").read_text(encoding="utf-8"))
    said = {
        "title": f"{about(year)['title']}, judged by people and by machines",
        "short_title": f"{about(year)['short_title']}, codes of judgements",
        "description": "A grade is a code of what all judges said of a document: codes-"
        f"{year}.csv of the folder above has the grade of each.  Measures mean nothing here: "
        "chapters.machines makes the collection of one judge of it.",
        **{key: statement[key] for key in ("sources", "rights", "command", "again")},
    }
    collection.save(HERE / year, about=said, replace=True)
    write("judges", f"codes-{year}", table.reset_index())


def make(year, folder, judgements):
    """Derive a collection of submitted and newer runs whose grades are codes."""
    qrels, codes = coded(judgements)
    systems = pd.read_csv(DATA / year / "systems.tsv", sep="\t", dtype=str, keep_default_na=False)
    newer = run_files(folder / "newer" / year) if (folder / "newer" / year).is_dir() else {}
    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        for name, path in newer.items():
            run = NEWER_RUN.match(name)[1].replace("tirex_", "bm25_")
            (place / "runs").mkdir(exist_ok=True)
            (place / "runs" / run).write_bytes(path.read_bytes())
            systems.loc[len(systems)] = [str(len(systems)), run, NEWER, "automatic", ""]
        systems.to_csv(place / "systems.tsv", sep="\t", index=False)
        with open(place / "qrels", "w", encoding="utf-8") as file:
            for topic, documents in qrels.items():
                for document, code in documents.items():
                    file.write(f"{topic} 0 {document.decode()} {code}\n")
        runs = [folder / year / "runs", *([place / "runs"] if newer else [])]
        saved(year, derive(runs, place / "qrels", systems=place / "systems.tsv", name=year), codes)


def by_hash(folder):
    """Return judges' files, those who shared topics together: pairs and people by their hashes."""
    files = sorted(folder.glob("*.txt"), key=lambda path: sha256(path.read_bytes()))
    topics = {path: frozenset(read_qrels(path)) for path in files}
    first = {topics[path]: i for i, path in reversed([*enumerate(files)])}
    return sorted(files, key=lambda path: first[topics[path]])


def second(files):
    """Return the judgements of the first, and of the second, of each pair of people."""
    said = {}
    for name, mine in zip(SECOND, (files[::2], files[1::2])):
        said[name] = defaultdict(dict)
        for path in reversed(mine):  # where two have judged a document the first one counts
            for topic, grades in read_qrels(path).items():
                said[name][topic] |= grades
    return said


def eight(files, judgements):
    """Return what eight people and all judges say of the documents that the eight judged.

    Of each topic one document is named, that on which the eight are furthest apart.
    """
    people = {chr(ord("A") + i): read_qrels(path) for i, path in enumerate(files)}
    judges = {judge: of for judge, of in judgements.items() if judge not in SECOND} | people
    table = pd.DataFrame(
        {"topic": topic, "document": document.decode()}
        | {judge: of[topic].get(document, MISSING) for judge, of in judges.items()}
        for topic, documents in people["A"].items()
        for document in documents
    ).sort_values(["topic", "document"])
    apart = table[list(people)].std(axis=1)
    table.loc[~table.index.isin(apart.groupby(table["topic"]).idxmax()), "document"] = ""
    return table.sort_values(["topic", *judges, "document"], ignore_index=True)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--add", metavar="NAME", help="what one more judge is called")
    parser.add_argument("--qrels", type=Path, help="what that judge says")
    parser.add_argument("--to", choices=list(TRACKS), help="the collection")
    parser.add_argument("--runs", type=Path, help="the collection's runs, as submitted")
    parser.add_argument("--relevant-from", type=int, default=1, help="lowest relevant grade")
    asked = parser.parse_args(arguments)
    judges = read("judges", "judges")
    if not asked.add:
        folder = Path(os.environ["MEASURES_ORIGINALS"])
        for year in TRACKS:
            said = {"people": read_qrels(folder / year / "qrels.txt")}
            for judge in judges.dropna(subset="file").itertuples():
                said[judge.judge] = read_qrels(folder / "judges" / f"{year}.{judge.file}.qrels")
            if year == "dl19":
                files = by_hash(folder / "second")
                said |= second(files)
                write("judges", "eight", eight([folder / "eight" / f.name for f in files], said))
            make(year, folder, said)
        for name in ("judges", "study"):  # written by hand: their lengths and hashes alone
            write("judges", name, read("judges", name))
        return
    if not (asked.qrels and asked.to and asked.runs):
        parser.error("--add needs --qrels, --to and --runs")
    if asked.add in judges["judge"].to_list():
        parser.error(f"--add: there is a judge {asked.add} already")
    qrels = read_qrels(asked.qrels)
    row = {"judge": asked.add, "file": asked.qrels.name, "relevant_from": asked.relevant_from}
    row |= {"highest": max(max(of.values()) for of in qrels.values()), "says": "added"}
    every, runs = load(f"judges/{asked.to}"), run_files(asked.runs)
    saved(asked.to, *with_judge(every, codes(asked.to), asked.add, qrels, runs))
    write("judges", "judges", pd.concat([judges, pd.DataFrame([row])]))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except InputError as error:
        sys.exit(f"make.py: {error}")
