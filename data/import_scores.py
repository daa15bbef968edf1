"""Make a score matrix, such as data/robust04, from tables of scores, one file a measure.

    python data/import_scores.py AP=ap.csv P@10=p10.csv --about ours.json --out data/ours
    python data/import_scores.py --trec-eval outputs --about ours.json --out data/ours

A file is comma-separated text: a header line with the names of the systems, then a line a topic.
A column ``topic`` names the topics; where there is none they are called 1, 2, ... line by line.
A folder of outputs of ``trec_eval -q``, one a run (RUN.eval), does in their place.
Scores are in [0, 1] and no finer than 0.00001: they are kept as whole numbers, of 0.0001 where all
scores of a measure allow it, else of 0.00001.  ``lib.collection.load_scores`` reads the folder.
"""

import chapters  # noqa: F401 isort: skip  Before numpy: it sets one BLAS thread.

import argparse
import csv
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from lib.collection.by_topic import read_topic_scores, tables_by_topic
from lib.collection.load import FINEST, SCHEMAS, SCORES_FILE, UNIT
from lib.collection.metadata import read_about
from lib.collection.package import LIST, save_tables
from lib.errors import InputError
from lib.paths import AnyPath

UNITS = {
    UNIT: ("int16", "score by {}, in units of 0.0001"),
    FINEST: ("int32", "score by {}, in units of 0.00001"),
}


# The book's names of what trec_eval calls otherwise, before version 9 and since.
TREC_EVAL = {"map": "AP", "recip_rank": "RR", "R-prec": "Rprec", "Rprec": "Rprec", "bpref": "Bpref"}
TREC_EVAL |= {"ndcg_cut_10": "nDCG@10"}


def _name(printed):
    """Return the book's name of a measure of trec_eval, empty where it is none that is kept."""
    depth = printed.removeprefix("P").removeprefix("_")
    is_precision = printed.startswith("P") and depth.isdecimal()
    return f"P@{depth}" if is_precision else TREC_EVAL.get(printed, "")


def read_scores(path: AnyPath) -> pd.DataFrame:
    """Return the table of a file (topics x systems); an InputError names file and line."""
    with open(path, encoding="utf-8", newline="") as file:
        reader = csv.reader(file, strict=True)
        rows = [(f"{path}, line {reader.line_num}", row) for row in reader if row]
    if len(rows) < 2:
        raise InputError(f"{path}: holds no scores; a line of systems, then a line a topic")
    header = rows.pop(0)[1]
    for where, row in rows:
        if len(row) != len(header):
            raise InputError(f"{where}: {len(row)} columns, not {len(header)}")
    scores = [
        [text if column == "topic" else _in_range(text, where) for column, text in zip(header, row)]
        for where, row in rows
    ]
    table = pd.DataFrame(scores, columns=header)
    if "topic" in header:
        table = table.set_index("topic")
    else:
        table.index = pd.Index([str(number) for number in range(1, len(rows) + 1)], name="topic")
    return table.rename_axis(columns="run").astype(float)


def _in_range(text, where):
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if not 0 <= value <= 1:
        raise InputError(f"{where}: score {text!r} is not in [0, 1]")
    return value


def save_scores(
    folder: AnyPath, scores: Mapping[str, pd.DataFrame], *, about: Mapping[str, Any] | None = None
) -> None:
    """Write a score matrix as a data package; an InputError where it cannot be kept."""
    first = next(iter(scores.values()))
    for axis in (first.index, first.columns):
        if axis.empty or axis.has_duplicates or not all(map(str.strip, axis)):
            raise InputError(f"{axis.name}: a name stands twice, or there is none")
    ones, columns = {}, {}
    for measure, table in scores.items():
        if not (table.index.equals(first.index) and table.columns.equals(first.columns)):
            raise InputError(f"{measure}: other topics or systems than the first, or their order")
        ones[measure] = UNIT if _fits(table, UNIT) else FINEST
        if not _fits(table, ones[measure]):
            raise InputError(f"{measure}: a score is not rounded to 5 digits")
        columns[measure] = np.rint(table.to_numpy() * ones[measure]).astype(int).ravel()
    kept = {name: (UNITS[one][0], UNITS[one][1].format(name)) for name, one in ones.items()}
    schemas = {**SCHEMAS, SCORES_FILE: {**LIST, **kept}}
    codes = np.indices(first.shape).reshape(2, -1)
    frames = {
        "systems.tsv": pd.DataFrame({"run": first.columns}).rename_axis("position").reset_index(),
        "topics.tsv": pd.DataFrame({"topic": first.index}).rename_axis("position").reset_index(),
        SCORES_FILE: pd.DataFrame({**dict(zip(LIST, codes)), **columns}),
    }
    tables = {
        file: frame.astype({column: kind for column, (kind, _) in schemas[file].items()})
        for file, frame in frames.items()
    }
    stated = {**(about or {}), "score_of_1": ones}
    save_tables(
        folder, Path(folder).name, tables, schemas=schemas, about=stated, kind="score matrix"
    )


def _fits(table, one):
    """Return whether all scores are whole numbers of a unit."""
    values = table.to_numpy() * one
    return bool((np.abs(values - np.rint(values)) < 1e-6).all())


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the files and save the score matrix."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", metavar="MEASURE=FILE", nargs="*")
    parser.add_argument("--trec-eval", metavar="FOLDER", type=Path, help="outputs, RUN.eval")
    parser.add_argument("--about", help="JSON file: title, sources, licenses, ...")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    # A measure may hold "=" itself, as RBP(p=0.8) does.
    files = {name: Path(file) for name, _, file in (word.rpartition("=") for word in options.files)}
    words = shlex.join(f"{measure}={file.name}" for measure, file in files.items())
    folder = options.trec_eval
    if (folder is None) == (not files):
        parser.error("name MEASURE=FILE, one or more, or --trec-eval FOLDER")
    words = words if folder is None else f"--trec-eval {folder.name}"
    try:
        about = read_about(options.about)
        about["command"] = f"python data/import_scores.py {words} --out {options.out.name}"
        scores = {measure: read_scores(file) for measure, file in files.items()}
        if folder is not None:
            rows = {}
            for path in sorted(folder.glob("*.eval")):
                rows |= read_topic_scores(path, kept=_name)
            if not rows:
                raise InputError(f"{folder}: holds no outputs of trec_eval, RUN.eval")
            scores = {name: of.sort_index() for name, of in sorted(tables_by_topic(rows).items())}
        save_scores(options.out, scores, about=about)
    except (OSError, ValueError) as error:
        parser.exit(2, f"error: {error}\n")


if __name__ == "__main__":
    main()
