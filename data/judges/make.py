"""Make the collections of this folder, each judged by people and by machines.

    MEASURES_ORIGINALS=FOLDER python data/judges/make.py

FOLDER holds dl19, dl21 (runs, qrels.txt) and judges (YEAR.FILE.qrels for the files of judges.csv).

    python data/judges/make.py --add NAME --qrels FILE --to dl21 --runs FOLDER --relevant-from 1

adds one more judge to a collection; what the others said is taken from the collection itself, and
the names of its documents from the runs.  `python -m lib fetch dl21` downloads these.
"""

import argparse
import json
import os
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import pandas as pd

from lib.collection import about, derive, load, read_qrels, read_run
from lib.collection.trec import run_files
from lib.errors import InputError
from lib.paths import DATA
from lib.studies.committed import read, write

HERE = DATA / "judges"
MISSING = -1


def coded(judgements):
    """Return codes of what all judges say of each document, and the table of the codes.

    Code 0: all say grade 0.  The others are numbered in the order of the grades.
    """
    people, *machines = judgements.values()
    rows = {
        (topic, document): (grade, *(of.get(topic, {}).get(document, MISSING) for of in machines))
        for topic, documents in people.items()
        for document, grade in documents.items()
    }
    zero = (0,) * len(judgements)
    known = [zero, *sorted({*rows.values()} - {zero})]
    code = {row: i for i, row in enumerate(known)}
    qrels = defaultdict(dict)
    for (topic, document), row in rows.items():
        qrels[topic][document] = code[row]
    return qrels, pd.DataFrame(known, columns=list(judgements)).rename_axis("code").reset_index()


def uncoded(year, runs):
    """Return what the judges of a collection said, document by document.

    A document that no run found has a name of its own; so have those that all call irrelevant.
    """
    collection = load(f"judges/{year}")
    codes = read("judges", f"codes-{year}").set_index("code")
    lists = [read_run(runs[name]) for name in collection.systems.index]
    topics = collection.topics.index
    names = {
        (hit.topic, hit.document): lists[hit.system][topics[hit.topic]][hit.rank - 1]
        for hit in collection.hits.itertuples()
    }
    judgements = {judge: defaultdict(dict) for judge in codes}
    for row in collection.relevant.itertuples():
        name = names.get((row.topic, row.document), f"nobody-found-{row.document}".encode())
        for judge, grade in codes.loc[row.grade].items():
            judgements[judge][topics[row.topic]][name] = int(grade)
    return collection, judgements


def with_one_more(year, runs, judge, qrels):
    """Return what all judges of a collection and one more said."""
    collection, judgements = uncoded(year, runs)
    for topic, (judged, relevant) in collection.topics[["judged", "relevant"]].iterrows():
        mine, known = qrels.get(topic, {}), judgements["people"][topic]
        zero = [name for name in mine if name not in known][: judged - relevant]
        zero += [f"irrelevant-{i}".encode() for i in range(judged - relevant - len(zero))]
        for of in judgements.values():
            of[topic] |= dict.fromkeys(zero, 0)
    return judgements | {judge: qrels}


def make(year, runs, judgements):
    """Derive a collection whose grades are codes, and write the table of the codes."""
    qrels, codes = coded(judgements)
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        for topic, documents in qrels.items():
            for document, code in documents.items():
                file.write(f"{topic} 0 {document.decode()} {code}\n")
        file.flush()
        collection = derive(runs, file.name, systems=DATA / year / "systems.tsv", name=year)
    statement = json.loads((HERE / "datapackage.json").read_text(encoding="utf-8"))
    said = {
        "title": f"{about(year)['title']}, judged by people and by machines",
        "short_title": about(year)["short_title"],
        "description": "A grade is a code of what all judges said of a document: codes-"
        f"{year}.csv of the folder above has the grade of each.  Measures mean nothing here: "
        "lib.studies.machines makes the collection of one judge of it.",
        **{key: statement[key] for key in ("sources", "rights", "command")},
    }
    collection.save(HERE / year, about=said, replace=True)
    write("judges", f"codes-{year}", codes)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--add", metavar="NAME", help="what one more judge is called")
    parser.add_argument("--qrels", type=Path, help="what that judge says")
    parser.add_argument("--to", choices=["dl19", "dl21"], help="the collection")
    parser.add_argument("--runs", type=Path, help="the collection's runs, as submitted")
    parser.add_argument("--relevant-from", type=int, default=1, help="lowest relevant grade")
    asked = parser.parse_args(arguments)
    judges = read("judges", "judges")
    if not asked.add:
        folder = Path(os.environ["MEASURES_ORIGINALS"])
        for year in ("dl19", "dl21"):
            said = {"people": read_qrels(folder / year / "qrels.txt")}
            for judge in judges[1:].itertuples():
                said[judge.judge] = read_qrels(folder / "judges" / f"{year}.{judge.file}.qrels")
            make(year, folder / year / "runs", said)
        for name in ("judges", "study"):  # written by hand: their lengths and hashes alone
            write("judges", name, read("judges", name))
        return
    if not (asked.qrels and asked.to and asked.runs):
        parser.error("--add needs --qrels, --to and --runs")
    if asked.add in judges["judge"].to_list():
        parser.error(f"--add: there is a judge {asked.add} already")
    qrels = read_qrels(asked.qrels)
    judgements = with_one_more(asked.to, run_files(asked.runs), asked.add, qrels)
    row = {"judge": asked.add, "file": asked.qrels.name, "relevant_from": asked.relevant_from}
    row |= {"highest": max(max(of.values()) for of in qrels.values()), "says": "added"}
    make(asked.to, asked.runs, judgements)
    write("judges", "judges", pd.concat([judges, pd.DataFrame([row])]))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except InputError as error:
        sys.exit(f"make.py: {error}")
