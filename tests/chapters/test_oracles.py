"""pytrec_eval, NIST, and the book's own data, on all runs of five test collections.

The originals are not part of this project; where they are not at hand, these tests are skipped.
What is asked of runs as they were read stands together, since reading takes the time.
"""

import csv
import gzip
import json
import lzma
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from peers import peers, supported
from test_spending_tables import assert_committed
from test_thirty_years import differences, other_ndcg, printed_ndcg

from chapters.webber2010.depth import in_single_precision
from lib.collection import derive, load
from lib.collection.package import digest
from lib.measures import means, scores
from lib.paths import DATA
from lib.statistics.significance import discriminative_power

FILES = {  # folders of runs, and judgements
    "trec8": ("trec8/inputs", "trec8/qrels.trec8.adhoc.txt"),
    "trec5": ("trec5/inputs", "trec5/qrels.txt.gz"),
    "trec-covid": ("trec-covid-r5/runs", "trec-covid-r5/qrels.covid-round5.txt"),
    **{name: (f"{name}/runs", f"{name}/qrels.txt") for name in ("dl19", "dl20", "dl21")},
}
LEVELS = {name: 2 if name.startswith("dl") else 1 for name in FILES}  # the lowest relevant grade
OPENERS = {".gz": gzip.open, ".xz": lzma.open, ".txt": open}
DEPTHS = [1, 5, 10, 20, 100, 1000]
PEERS = peers(DEPTHS)


# Long: 475 runs, read by pytrec_eval and twice by us; the 37 of DL 2019, whose grades need a
# threshold, notice most of it.
LONG = [pytest.param(name, marks=pytest.mark.long) for name in FILES if name != "dl19"]
each_collection = pytest.mark.parametrize("name", ["dl19", *LONG])


def files(name, originals):
    """Return the folder of a collection's runs and the file of its judgements."""
    runs, qrels = (originals / path for path in FILES[name])
    if not runs.is_dir():  # DL 2020's are 160 MB
        pytest.skip(f"these originals have no {FILES[name][0]}")
    return runs, qrels


def evaluated(name, runs, qrels):
    """Return pytrec_eval's scores by measure (topics x systems)."""
    with OPENERS[qrels.suffix](qrels, "rt", encoding="utf-8") as file:
        judged = pytrec_eval.parse_qrel(file)
    evaluator = pytrec_eval.RelevanceEvaluator(
        judged, supported(DEPTHS), relevance_level=LEVELS[name]
    )
    results = {}
    for path in sorted(runs.iterdir()):
        system = path.name.removeprefix("input.").removesuffix(path.suffix)
        with OPENERS[path.suffix](path, "rt", encoding="utf-8") as file:
            results[system] = pd.DataFrame(evaluator.evaluate(pytrec_eval.parse_run(file))).T
    return {key: pd.DataFrame({s: of[key] for s, of in results.items()}) for key in PEERS.values()}


def table_of_systems(name, originals):
    """Return the facts about the systems as their sources have them."""
    if name == "trec8":
        return (originals / "trec8" / "systems.tsv").read_text(encoding="utf-8")
    columns = {"tag": "run", "team": "group", "runtype": "type", "contributed judgments": "pooled"}
    rows = leaderboard(originals)[[*columns]].rename(columns=columns)
    return rows.to_csv(sep="\t", index=False, quoting=csv.QUOTE_NONE)


def leaderboard(originals):
    file = originals / "trec-covid-r5" / "leaderboard.csv"
    return pd.read_csv(file, dtype=str, keep_default_na=False)


# ---------------------------------------------------------------- in single precision


@each_collection
def test_every_score_of_every_topic_equals_that_of_pytrec_eval(name, originals):
    """And so do the means; what runs that skip topics get is in test_measures.py."""
    runs, qrels = files(name, originals)
    single = derive(runs, qrels, scores="single", name=name, relevant_from=LEVELS[name])
    found, all_theirs = means(single, list(PEERS), decimals=None), evaluated(name, runs, qrels)
    for measure, key in PEERS.items():
        ours, theirs = scores(single, measure), all_theirs[key]
        assert ours.shape == theirs.shape
        theirs = theirs.loc[ours.index, ours.columns]
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-9, err_msg=measure)
        expected = [
            pytrec_eval.compute_aggregated_measure(key, list(theirs[system]))
            for system in found.index
        ]
        np.testing.assert_allclose(found[measure], expected, rtol=0, atol=1e-9, err_msg=measure)
    MORE.get(name, lambda *_: None)(single, originals)


def as_nist_printed(single, originals):
    """No mean is off, not of the runs whose scores tie either."""
    assert differences(single.name, single).empty
    if single.name in ("dl19", "dl21"):
        assert not other_ndcg(single, printed_ndcg(originals)[single.name])


def as_the_package_has_it(single, originals):
    """What is kept in double precision tells the ranks in single precision."""
    as_nist_printed(single, originals)
    ours = in_single_precision(load("trec8"))
    pd.testing.assert_frame_equal(ours.hits, single.hits[ours.hits.columns], check_dtype=False)


def gives_no_printed_ap(single, originals):
    """Webber et al. 2010, Table 1, has .638: 1,164 of 1,830 pairs differ by each path, .636."""
    as_nist_printed(single, originals)
    ap = scores(load("trec5"), "AP@1000")
    paths = {
        "double precision": ap,
        "single precision": scores(single, "AP@1000"),
        "abbreviated": scores(load("trec5"), "aAP@1000"),
        "four decimals": ap.round(4),
        "scored by others": pd.read_csv(originals / "matrices" / "adhoc5_ap.csv"),
    }
    powers = {path: discriminative_power(table, alpha=0.05) for path, table in paths.items()}
    assert powers == pytest.approx(dict.fromkeys(paths, 1164 / 1830))


OFFICIAL = {
    "map": "AP",
    "P@20": "P@20",
    "ndcg@20": "nDCG@20",
    "bpref": "Bpref",
    "rbp_p5": "RBP(p=0.5,gain=grade)",
}


def as_on_the_leaderboard(single, originals):
    """Graded RBP gains grade/2: the highest grade is 2."""
    for column, measure in OFFICIAL.items():
        printed = leaderboard(originals).set_index("tag")[column].to_dict()
        ours = means(replace(single, highest_grade=2), [measure]).iloc[:, 0]
        assert len(printed) == 126
        assert {system: f"{mean:.4f}" for system, mean in ours.items()} == printed, column


MORE = {
    "trec8": as_the_package_has_it,
    "trec5": gives_no_printed_ap,
    "trec-covid": as_on_the_leaderboard,
    "dl21": as_nist_printed,
}


# ---------------------------------------------------------------- data/


def test_a_collection_counts_relevance_as_its_track_does():
    kept = load("dl19")
    graded = {"nDCG", *(f"nDCG@{k}" for k in DEPTHS)}
    for measure in PEERS:
        same = scores(kept, measure).equals(scores(replace(kept, relevant_from=1), measure))
        assert same == (measure in graded), measure


@pytest.mark.frozen("{name}")
@each_collection
def test_data_equals_a_fresh_derivation(name, originals, tmp_path):
    runs, qrels = files(name, originals)
    systems = DATA / name / "systems.tsv"
    if name in ("trec8", "trec-covid"):  # of the others as tests/chapters/test_thirty_years.py says
        systems = tmp_path / "systems.tsv"
        systems.write_text(table_of_systems(name, originals), encoding="utf-8")
    double = derive(
        runs, qrels, systems=systems, name=name, relevant_from=LEVELS[name], judged=True
    )
    package = json.loads((DATA / name / "datapackage.json").read_text(encoding="utf-8"))
    recorded = {resource["path"]: resource["table_hash"] for resource in package["resources"]}
    kept, fresh = load(name).tables(), double.tables()
    assert kept.keys() == recorded.keys()
    for file, table in kept.items():
        pd.testing.assert_frame_equal(table, fresh[file], check_exact=True, obj=file)
        assert recorded[file] == digest(fresh[file]), file
    grades = {"relevant_from": package.get("relevant_from", 1)}
    grades["highest_grade"] = package.get("highest_grade")
    assert replace(double, name="another", **grades).is_package(name)
    if name == "trec8":  # which keeps no judged non-relevant documents
        measures = ["Bpref", "condensed AP", "RBP residual", "unjudged@10"]
        assert_committed(double, "READWARE", measures)
