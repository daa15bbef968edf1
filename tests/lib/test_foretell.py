"""The command ``foretell``: on runs that no book has, with the book's collections and without."""

import io

import numpy as np
import pandas as pd
import pytest
from strange import write_collection, write_files

from chapters.data_tables import read
from chapters.elsewhere.older import older_laws, older_leads
from lib import derive, load
from lib.measures import complete_scores
from lib.statistics.law import foretell, lead
from lib.statistics.predictivity import predictivity, splits


def table(printed, *words):
    done = printed(["foretell", *words, "--format", "csv"])
    return pd.read_csv(io.StringIO(done.out)), done.err.splitlines()


def test_runs_that_no_book_has_are_asked(tmp_path, printed):
    """Of a collection of 24 made-up runs of 21 topics."""
    write_collection(tmp_path, systems=24)
    derive(tmp_path / "runs", tmp_path / "qrels", judged=True).save(tmp_path / "mine")
    mine = str(tmp_path / "mine")
    rows, notes = table(printed, mine, "--measures", "AP nDCG@10", "--topics", "10,5,30")
    kinds = [["noise"], *[["noise", "validity", "lead", "lead", "lead", "n*"]] * 2]
    assert rows["number"].tolist() == sum(kinds, [])
    assert rows["measure"].unique().tolist() == ["P@10", "AP", "nDCG@10"]
    assert len(notes) == 1 and "leads of nDCG@10 for P@10 come from these runs alone" in notes[0]
    leads = rows[rows["number"] == "lead"].set_index(["measure", "topics"])
    scores = complete_scores(load(mine), ["P@10", "AP", "nDCG@10"])
    own = foretell(scores, "P@10", [5, 10, 30]).lead
    assert leads["alone"].to_numpy() == pytest.approx(own.estimate.ravel(), abs=1e-6)
    # nDCG@10 has no older leads: every number is that of these runs, with its interval.
    ends = ["estimate", "low", "high"]
    own = foretell(scores, "P@10", range(1, 1001))
    rows = rows.set_index(["number", "measure"])
    for name, part, place in [("noise", own.noise, 2), ("validity", own.validity, 1)]:
        expected = [getattr(part, end)[place] for end in ends]
        assert rows.loc[(name, "nDCG@10"), ends].astype(float).squeeze().tolist() == pytest.approx(
            expected, abs=1e-6
        )
    noise = rows.loc[("noise", "P@10"), ends].squeeze().tolist()
    assert noise == pytest.approx([getattr(own.noise, end)[0] for end in ends], abs=1e-6)
    most = rows.loc[("n*", "nDCG@10"), ["low", "high"]].squeeze().tolist()
    assert most == [*own.ends()[1]]
    for at in (5, 10, 30):
        expected = [getattr(own.lead, end)[1, at - 1] for end in ends]
        assert leads.loc[("nDCG@10", at), ends].tolist() == pytest.approx(expected, abs=1e-6)
    # What is seen stands for up to half of the topics, as other splits of the same ones have it.
    assert leads["seen"].isna().tolist() == 2 * [False, False, True]
    other = splits(21, size=10, number=4000, rng=np.random.default_rng(7))
    seen = lead(predictivity(scores, other).phi).loc[["AP", "nDCG@10"], "P@10"]
    assert leads["seen"].xs(10, level="topics").to_dict() == pytest.approx(seen.to_dict(), abs=0.01)
    rows, _ = table(printed, mine, "--target", "RR", "--measures", "AP", "--topics", "10")
    seen = lead(predictivity(complete_scores(load(mine), ["RR", "AP"]), other).phi).at["AP", "RR"]
    assert rows.loc[rows["number"] == "lead", "seen"].item() == pytest.approx(seen, abs=0.01)
    assert seen > 0.05
    # AP is weighed with the book's collections, nDCG@10 is not.
    alone, weighed = (leads.loc["AP", name].to_numpy() for name in ("alone", "estimate"))
    mean = older_leads(load(mine), ["AP"], "P@10", [5, 10, 30])[0][0]
    share = (weighed - mean) / (alone - mean)
    assert ((0 < share) & (share < 1)).all()
    assert leads.loc["nDCG@10", "estimate"].tolist() == leads.loc["nDCG@10", "alone"].tolist()


def test_a_collection_of_the_book_is_weighed_with_the_others():
    """TREC-8's own law is not among them, under its name or another; of RR 14 others have one."""
    rows = read("law", "foretold").query("runs == 'without copies' and fitted > 10")
    for target, number in (("P@10", 15), ("RR", 14)):
        of = rows[(rows["target"] == target) & (rows["collection"] != "trec8")]
        first = of.drop_duplicates("collection")
        assert len(first) == number
        r, r_ap = (100 / (100 + first[name]) for name in ("noise", "noise_ap"))
        told = 2 / np.pi * (np.arcsin(first["validity"] * np.sqrt(r * r_ap)) - np.arcsin(r))
        mean, deviation = older_leads(load("trec8"), ["AP"], target, [100])
        assert mean.ravel() == pytest.approx([told.mean()])
        assert deviation.ravel() == pytest.approx([told.std()])
        # The other way the target's own reliability is AP's.
        back = 2 / np.pi * (np.arcsin(first["validity"] * np.sqrt(r * r_ap)) - np.arcsin(r_ap))
        assert older_leads(load("trec8"), [target], "AP", [100])[0] == pytest.approx(back.mean())
    assert older_laws("P@10", "RR") == {} == older_laws("AP", "AP")


RUN = "".join(f"{topic} Q0 d{topic} 1 1 r\n" for topic in range(20))
QRELS = "".join(f"{topic} 0 d{topic} 1\n" for topic in range(20))


def test_level_runs_are_refused_in_a_line(tmp_path, printed):
    write_files(tmp_path, {f"runs/{i:02}": RUN for i in range(20)} | {"qrels": QRELS})
    derive(tmp_path / "runs", tmp_path / "qrels").save(tmp_path / "out")
    done = printed(["foretell", f"{tmp_path}/out", "--measures", "AP"], 2)
    assert done.out == "" and done.err.startswith("error: P@10: its rankings on two sets of 8")
    assert done.err.count("\n") == 1
