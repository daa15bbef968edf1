"""pytrec_eval, and the book's own data, on all runs of five test collections.

The originals are not part of this project; where they are not at hand, these tests are skipped.
Each run is read once by pytrec_eval, and once by us in each precision.
"""

import csv
import gzip
import json
import lzma
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from peers import peers, supported

from lib.collection import derive, load
from lib.collection.package import digest
from lib.measures import means, scores
from lib.paths import DATA

RUNS = {
    "trec8": "trec8/inputs",
    "trec5": "trec5/inputs",
    "trec-covid": "trec-covid-r5/runs",
    "dl19": "dl19/runs",
    "dl20": "dl20/runs",
    "dl21": "dl21/runs",
}
QRELS = {
    "trec8": "trec8/qrels.trec8.adhoc.txt",
    "trec5": "trec5/qrels.txt.gz",
    "trec-covid": "trec-covid-r5/qrels.covid-round5.txt",
    "dl19": "dl19/qrels.txt",
    "dl20": "dl20/qrels.txt",
    "dl21": "dl21/qrels.txt",
}
LEVELS = dict.fromkeys(RUNS, 1) | {"dl19": 2, "dl20": 2, "dl21": 2}  # the lowest relevant grade
OPENERS = {".gz": gzip.open, ".xz": lzma.open, ".txt": open}
DEPTHS = [1, 5, 10, 20, 100, 1000]
PEERS = peers(DEPTHS)


# Long: 475 runs, read by pytrec_eval and twice by us; the 37 of DL 2019, whose grades need a
# threshold, notice most of it.
LONG = [pytest.param(name, marks=pytest.mark.long) for name in RUNS if name != "dl19"]


@pytest.fixture(scope="session", params=["dl19", *LONG])
def case(request, originals):
    """All that the tests of one test collection share.

    ``ours`` and ``double`` are the collections derived in single and in double precision,
    ``theirs`` pytrec_eval's scores by measure (topics x systems).
    """
    name = request.param
    runs, qrels = originals / RUNS[name], originals / QRELS[name]
    if not runs.is_dir():  # DL 2020's are 160 MB
        pytest.skip(f"these originals have no {RUNS[name]}")
    with OPENERS[qrels.suffix](qrels, "rt", encoding="utf-8") as file:
        judged = pytrec_eval.parse_qrel(file)
    evaluator = pytrec_eval.RelevanceEvaluator(
        judged, supported(DEPTHS), relevance_level=LEVELS[name]
    )
    results = {}
    for path in sorted(runs.iterdir()):
        system = path.name.removeprefix("input.").removesuffix(path.suffix)
        with OPENERS[path.suffix](path, "rt", encoding="utf-8") as file:
            results[system] = evaluator.evaluate(pytrec_eval.parse_run(file))
    theirs = {
        key: pd.DataFrame(
            {
                system: {topic: values[key] for topic, values in of_topics.items()}
                for system, of_topics in results.items()
            }
        )
        for key in PEERS.values()
    }
    systems = DATA / name / "systems.tsv"
    if name in ("trec8", "trec-covid"):  # of the others as tests/lib/test_thirty_years.py says
        systems = request.getfixturevalue("tmp_path_factory").mktemp(name) / "systems.tsv"
        systems.write_text(table_of_systems(name, originals), encoding="utf-8")
    return SimpleNamespace(
        name=name,
        theirs=theirs,
        ours=derive(runs, qrels, scores="single", relevant_from=LEVELS[name]),
        double=derive(runs, qrels, systems=systems, name=name, relevant_from=LEVELS[name]),
    )


def table_of_systems(name, originals):
    """Return the facts about the systems as their sources have them."""
    if name == "trec8":
        return (originals / "trec8" / "systems.tsv").read_text(encoding="utf-8")
    columns = {"run": "tag", "group": "team", "type": "runtype", "pooled": "contributed judgments"}
    rows = leaderboard(originals)
    return "".join(
        "\t".join(row) + "\n"
        for row in [columns, *([row[column] for column in columns.values()] for row in rows)]
    )


def leaderboard(originals):
    with open(originals / "trec-covid-r5" / "leaderboard.csv", encoding="utf-8") as file:
        return list(csv.DictReader(file))


# ---------------------------------------------------------------- pytrec_eval


def test_every_score_of_every_topic_equals_that_of_pytrec_eval(case):
    """And so do the means; what runs that skip topics get is in test_measures.py."""
    found = means(case.ours, list(PEERS), decimals=None)
    for measure, key in PEERS.items():
        ours, theirs = scores(case.ours, measure), case.theirs[key]
        assert ours.shape == theirs.shape
        theirs = theirs.loc[ours.index, ours.columns]
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-9, err_msg=measure)
        expected = [
            pytrec_eval.compute_aggregated_measure(key, list(theirs[system]))
            for system in found.index
        ]
        np.testing.assert_allclose(found[measure], expected, rtol=0, atol=1e-9, err_msg=measure)


# ---------------------------------------------------------------- data/


def test_a_collection_counts_relevance_as_its_track_does(case):
    kept = load(case.name)
    assert kept.relevant_from == LEVELS[case.name]
    graded = {"nDCG", *(f"nDCG@{k}" for k in DEPTHS)}
    for measure in PEERS:
        same = scores(kept, measure).equals(scores(replace(kept, relevant_from=1), measure))
        assert same == (measure in graded or LEVELS[case.name] == 1), measure


@pytest.mark.frozen("{case}")
def test_data_equals_a_fresh_derivation(case):
    package = json.loads((DATA / case.name / "datapackage.json").read_text(encoding="utf-8"))
    recorded = {resource["path"]: resource["table_hash"] for resource in package["resources"]}
    kept, fresh = load(case.name).tables(), case.double.tables()
    assert kept.keys() == fresh.keys() == recorded.keys()
    for file, table in fresh.items():
        pd.testing.assert_frame_equal(kept[file], table, check_exact=True, obj=file)
        assert recorded[file] == digest(table), file
    grades = {"relevant_from": package.get("relevant_from", 1)}
    grades["highest_grade"] = package.get("highest_grade")
    assert replace(case.double, name="another", **grades).is_package(case.name)


OFFICIAL = {
    "map": "AP",
    "P@20": "P@20",
    "ndcg@20": "nDCG@20",
    "bpref": "Bpref",
    "rbp_p5": "RBP(p=0.5,gain=grade)",
}


@pytest.mark.long  # only the original runs have what the leaderboard's precision needs
@pytest.mark.parametrize("case", ["trec-covid"], indirect=True)
def test_means_print_as_on_the_official_leaderboard(case, originals):
    # Graded RBP gains grade/2: the highest grade is 2.
    for column, measure in OFFICIAL.items():
        printed = {row["tag"]: row[column] for row in leaderboard(originals)}
        ours = means(replace(case.ours, highest_grade=2), [measure]).iloc[:, 0]
        assert len(printed) == 126
        assert {system: f"{mean:.4f}" for system, mean in ours.items()} == printed, column
