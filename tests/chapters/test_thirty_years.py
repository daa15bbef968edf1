"""NIST's official means: the oracle of the book's own scores, and what is computed from them."""

import runpy

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal
from scipy.stats import kendalltau, t
from strange import write_files

from chapters.elsewhere import trec
from lib.collection import load, load_scores
from lib.measures import means
from lib.paths import DATA

TASKS = trec.tasks()
COLLECTIONS = TASKS[TASKS["collection"] != ""].reset_index().set_index("collection")
# Runs with scores that are equal in single precision, in which trec_eval compares them.
TIED = {
    "trec5": {"uwgcx1"},
    "trec8": {"uwmt8a0"},
    "dl21": {
        "Fast_ForwardP_2",
        "Fast_ForwardP_5",
        "Fast_Forward_3",
        "ielab-uniCOIL",
        "pass_full_1000",
    },
}
PRINTED = 0.00005 + 1e-6
LOOK = "look closer: python -m lib evaluate {} --measures {} --summary"


def differences(folder, collection):
    """Return the runs and measures whose mean is not the printed one, and how far it is off."""
    theirs = trec.task_means(*COLLECTIONS.loc[folder, ["track", "task"]]).rename(index=str.lower)
    ours = means(collection, theirs.columns)
    called = {run.lower(): run for run in ours.index}
    assert set(called) == set(theirs.index)
    off = (ours - theirs.rename(index=called)).stack()
    return off[off.abs() > PRINTED]


@pytest.mark.parametrize("folder", ["trec5", "trec8", "trec-covid", "dl19", "dl21"])
def test_each_run_scores_what_nist_printed(folder):
    """To the printed digit, but for runs whose scores tie in trec_eval's single precision."""
    off = differences(folder, load(folder))
    runs = set(off.index.get_level_values(0))
    assert runs == TIED.get(folder, set()), f"{off}\n{LOOK.format(folder, 'AP P@10')}"


@pytest.mark.parametrize("folder", ["trec6", "trec7", "robust04", "web2010", "web2011", "web2012"])
def test_matrices_hold_the_means_that_nist_printed(folder):
    """Their systems have no names: the sorted means are the same, to what rounding leaves."""
    row = COLLECTIONS.loc[folder]
    rows = trec.read("trec", "means").query(f"track == {row['track']!r}")
    if not folder.startswith("web"):  # a matrix holds both tasks of its Web track
        rows = rows[rows["task"].fillna("") == row["task"]]
    for measure, scores in load_scores(folder).items():
        if measure in rows and rows[measure].notna().all():
            ours, theirs = np.sort(scores.mean()), np.sort(rows[measure])
            np.testing.assert_allclose(ours, theirs, atol=0.0001, err_msg=f"{folder} {measure}")


def printed_ndcg(originals):
    """Return the nDCG@10 that NIST printed, by collection: a summary apart."""
    table = pd.read_csv(originals / "trec-browser" / "official.tsv", sep="\t")
    table = table[table["summary"] == "passages-eval"].set_index(["track", "run"])["ndcg_cut_10"]
    return {name: table.loc[COLLECTIONS.loc[name, "track"]] for name in ("dl19", "dl21")}


def other_ndcg(collection, theirs):
    """Return the runs whose nDCG@10 is not the printed one."""
    ours = means(collection, ["nDCG@10"])["nDCG@10"]
    return set(ours.index[~((ours - theirs.reindex(ours.index)).abs() <= PRINTED)])


@pytest.mark.parametrize("folder", ["dl19", "dl21"])
def test_ndcg_at_10_of_the_deep_learning_tracks(originals, folder):
    tied = {"pass_full_1000e", *TIED["dl21"]} if folder == "dl21" else set()
    assert other_ndcg(load(folder), printed_ndcg(originals)[folder]) <= tied


@pytest.mark.frozen("trec")
def test_the_committed_means_are_made_from_the_pages(originals):
    make = runpy.run_path(str(DATA / "trec" / "make.py"))["means"]
    made = make(originals / "trec-browser").reset_index(drop=True)
    made = made.replace({"": np.nan})
    assert_frame_equal(made, trec.read("trec", "means"))


@pytest.mark.frozen("trec")
@pytest.mark.parametrize(
    "task", [("trec3/adhoc", ""), ("trec28/news", "entity"), ("trec31/neuclir", "zho")]
)
def test_the_committed_agreement_is_computed_from_the_committed_means(task):
    found = trec.rank_agreement(trec.task_means(*task))
    held = trec.committed_agreement().loc[(*task, "all")].reindex(found.index)
    assert_frame_equal(found, held, atol=1e-6, check_exact=False)


def test_the_interval_of_a_task_is_that_of_fishers_z():
    row = trec.of_pair("P@10", "AP", of="automatic").loc[trec.TERABYTE_TASK]
    runs = trec.task_means(*trec.TERABYTE_TASK, type="automatic")
    tau = kendalltau(runs["P@10"], runs["AP"]).statistic
    assert (row["runs"], row["tau"]) == (len(runs), pytest.approx(tau, abs=1e-6))
    reach = t.ppf(0.975, len(runs) - 1) * row["tau_error"] / (1 - tau**2)
    ends = np.tanh(np.arctanh(tau) + [-reach, reach])
    assert (row["low"], row["high"]) == pytest.approx((*ends,), abs=1e-6)
    others = trec.of_pair("P@10", "AP")["tau"].drop(trec.TERABYTE_TASK)
    assert row["below"] == (others < row["tau"]).mean()


PAGE = """# Runs - Toy 2031

#### first
[**`Results`**](./results.md#first)

- :material-rename: **Run ID:** first
- :fontawesome-solid-user-group: **Participant:** nobody
- :material-calendar: **Year:** 2031
- :fontawesome-solid-user-gear: **Type:** automatic
- :material-text-search: **Task:** adhoc
- :material-text: **Run description:** with a **word:** in it

---
#### second
- :material-rename: **Run ID:** second
"""
RESULTS = """# Results - Toy 2031

#### first
[**`Metadata`**](./runs.md#first)
??? example "summary (trec_eval)"
\t```
\tmap\t\t\tall\t0.0646
\tP_10\t401\t0.1
\tmap\t\t\tall\t0.0835

\t```
??? example "summary (gdeval)"
\t```
\terr all 0.1
\t```
"""


def test_pages_of_the_browser_are_read(tmp_path):
    parse = runpy.run_path(str(DATA / "trec" / "parse.py"))
    pages = tmp_path / "browser" / "src" / "docs" / "trec40" / "toy"
    write_files(pages, {"runs.md": PAGE, "results.md": RESULTS})
    first, second = parse["runs"](tmp_path).to_dict("records")
    key = {"track": "trec40/toy", "run": "first"}
    said = {"year": "2031", "task": "adhoc", "participant": "nobody", "type": "automatic"}
    assert first == {**key, **said, "submitted": "", "md5": ""}
    assert second["run"] == "second" and second["participant"] == ""
    found = parse["official"](tmp_path).fillna("").to_dict("records")
    assert found == [
        {**key, "summary": "trec_eval", "map": "0.0835", "err": ""},
        {**key, "summary": "gdeval", "map": "", "err": "0.1"},
    ]
    assert [len(means) for *_, means in parse["summaries"](RESULTS)] == [2, 1]
