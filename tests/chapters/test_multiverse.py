"""The headline claims along every path on every collection: committed, and as in the chapters."""

import runpy
from io import StringIO

import numpy as np
import pandas as pd
import pytest
from strange import write_collection

from chapters.data_tables import claims_everywhere, read
from chapters.elsewhere import engine, quantities
from chapters.elsewhere.claims import BY_AP, CLAIM_OF, claims_of
from chapters.elsewhere.engine import ESTIMATE_COLUMNS, all_paths, ask, everywhere
from chapters.elsewhere.sources import sources
from chapters.ledger.paper import options, paths
from chapters.thom2007 import tables as thom2007
from chapters.thom2007.noise import noise
from chapters.tomlinson2006.robustness import TREC8_PAIRS, natural
from chapters.webber2008 import tables as webber2008
from chapters.webber2010.tables import table1
from lib import load
from lib.collection import derive
from lib.paths import DATA

SOURCES = {source.name: source for source in sources()}


@pytest.fixture(scope="module")
def found():
    return claims_everywhere()


def one(found, claim, source, part="", **path):
    """Return the row of a path that makes some choices otherwise than the leading one."""
    of = paths(CLAIM_OF[claim].choices)
    labels = of.iloc[0].to_dict() | path if len(of) else {}
    (number,) = np.flatnonzero((of == pd.Series(labels)).all(axis=1)) if len(of) else (0,)
    rows = found.query(
        "claim == @claim and source == @source and part == @part and path == @number"
    )
    (row,) = rows.itertuples()
    return row


# What is committed


def test_every_claim_has_every_path_on_every_source_or_says_why_not(found):
    assert list(found) == ESTIMATE_COLUMNS
    assert not found.duplicated(["claim", "source", "part", "path"]).any()
    whole = found[found["part"] == ""]
    kept = pd.read_csv(DATA / "multiverse" / "paths.csv", dtype=str, keep_default_na=False)
    pd.testing.assert_frame_equal(kept, all_paths().astype(str), check_dtype=False)
    every = all_paths()[["claim", "path"]].merge(pd.DataFrame({"source": list(SOURCES)}), "cross")
    assert (found["freedom"].notna() == found["estimate"].notna()).all()
    both = found.dropna(subset="both")
    assert {CLAIM_OF[name].primary for name in both["claim"]} == {True}
    assert (both["both"] > both["error"]).all() and set(both["path"]) == {0}
    assert {*both["source"]} == {s for s, one in SOURCES.items() if one.collection is not None}
    own = {(claim.name, 0, s) for claim in claims_of("feedback") for s in quantities.OWN}
    assert {*whole[["claim", "path", "source"]].itertuples(index=False, name=None)} == {
        *every.itertuples(index=False, name=None),
        *own,
    }
    assert (found["estimate"].isna() == (found["why"] != "")).all()
    asked = found[found["estimate"].notna()]
    assert (asked["low"] <= asked["estimate"]).all() and (asked["estimate"] <= asked["high"]).all()
    assert all_paths().groupby("claim").size().max() <= 48
    for choice in (choice for claim in CLAIM_OF.values() for choice in claim.choices):
        assert len(set(map(repr, choice.values.values()))) == len(choice.values), choice.name


# Long: a source along all paths; a claim of each kind notices most of it.
@pytest.mark.frozen("multiverse")
@pytest.mark.parametrize(
    "names", [("p10-nDCG@20", "families-three-raw"), pytest.param(None, marks=pytest.mark.long)]
)
def test_what_is_asked_again_is_what_is_committed(found, names):
    """Means that are not rounded hang on the order of a sum, which is the machine's."""
    claims = [CLAIM_OF[name] for name in names or CLAIM_OF]
    again = ask(SOURCES["web2014"], claims, leading=names is not None, precise=True)
    exact = all_paths().query("means != 'not rounded'")[["claim", "path"]]
    expected = found[found["source"] == "web2014"].merge(exact)
    both = again.merge(expected, on=["claim", "part", "path"], suffixes=("", "_then"))
    assert len(both) == len(again.merge(exact))
    for column in ("estimate", "error", "low", "high"):
        np.testing.assert_allclose(both[column], both[f"{column}_then"], rtol=0, atol=2e-6)
    assert list(both["why"]) == list(both["why_then"])


@pytest.mark.frozen("multiverse")
def test_growth_is_what_is_committed():
    points = read("multiverse", "growth").query("source == 'web2014'").reset_index(drop=True)
    growth = runpy.run_path(str(DATA / "multiverse" / "make.py"))["growth"]
    pd.testing.assert_frame_equal(growth(SOURCES["web2014"]), points, atol=2e-6, rtol=0)


@pytest.mark.parametrize("place", engine.PLACES, ids=lambda place: place.table)
def test_each_choice_that_a_paper_leaves_open_moves_a_number(place, monkeypatch, trec8):
    """On every sixth system of TREC-8 and a twin of one: rounding alone moves none."""
    few = trec8.select(systems=[*trec8.systems.index[3::6], "Mer8Adtd2"])
    monkeypatch.setattr(engine, "_trec8", lambda scores: few)
    first = paths(place.choices).iloc[0].to_dict()

    def values(**otherwise):
        return place.cells(**options(place.choices, first | otherwise))["value"].tolist()

    leading, idle = values(), {"single", "not rounded"}
    for choice in place.choices:
        for label in {*list(choice.values)[1:]} - idle:
            found = values(**{choice.name: label})
            assert found != leading, (choice.name, label)
            assert label != "permutation" or found == values(test=label)  # drawn alike again


# The rows of TREC-8 are the numbers of chapters 1 to 4


def test_chapter_1_has_the_same_leads_on_its_path(found):
    """Its path keeps the best 75% by AP; its error is from twice as many splits."""
    theirs = webber2008.leads(load("trec8"), "P@10")
    for ours, name in {"RBP": "RBP(p=0.95)", "AP": "AP", "nDCG": "nDCG"}.items():
        row = one(found, f"p10-{ours}", "trec8", systems=BY_AP)
        lead, low, high = theirs.loc[name, ["lead", "low", "high"]]
        assert row.estimate == pytest.approx(lead, abs=1e-6)
        assert row.high - row.low == pytest.approx(high - low, rel=0.05)


def test_chapter_2_has_the_same_taus(found):
    cells = thom2007.table1(load("trec8")).set_index(["row", "column"])["value"].astype(float)
    across = cells["P@1", "AP"], cells["AP", "RR"]
    row = one(found, "families-three-raw", "trec8")
    assert row.estimate == pytest.approx(cells["P@1", "RR"] - np.mean(across), abs=1e-6)
    assert CLAIM_OF["families-three-raw"].printed == round(0.865 - (0.386 + 0.350) / 2, 3)
    free = noise(load("trec8"))["corrected"]
    across = free["P@1", "AP"], free["AP", "RR"]
    row = one(found, "families-three-corrected", "trec8")
    assert row.estimate == pytest.approx(free["P@1", "RR"] - np.mean(across), abs=1e-6)


def test_chapter_3_has_the_same_pairs(found):
    theirs = natural()
    for measure in ("AP", "P@10", "RR", "GS10"):
        for pair, _, _ in TREC8_PAIRS:
            row = one(found, f"feedback-{measure}", "trec8", pair)
            expected = theirs.loc[(pair, measure), ["difference", "low", "high"]]
            assert [row.estimate, row.low, row.high] == pytest.approx(list(expected), abs=1e-6)
        mean = theirs.xs(measure, level="measure")["difference"].mean()
        assert one(found, f"feedback-{measure}", "trec8").estimate == pytest.approx(mean, abs=1e-6)
    own = quantities.change(quantities.own_systems("feedback/cacm"), "GS10")
    row = one(found, "feedback-GS10", "feedback/cacm")
    assert own.value == pytest.approx(row.estimate, abs=1e-6)


def test_chapter_4_has_the_same_power(found):
    table = table1(load("trec8")).set_index("row")["value"].astype(float)
    row = one(found, "power-AP-P@10", "trec8")
    assert row.estimate == pytest.approx(table["AP@1000"] - table["P@10"], abs=1e-6)


# A collection of one's own


def test_a_collection_of_ones_own_has_its_row_and_its_curve(tmp_path, printed):
    write_collection(tmp_path, topics=8)
    mine = derive(tmp_path / "runs", tmp_path / "qrels", name="mine")
    mine.save(tmp_path / "mine")
    rows = everywhere(mine)
    own = rows[rows["source"] == "yours"]
    assert set(own["claim"]) == set(CLAIM_OF) and set(own["title"]) == {"mine (yours)"}
    asked = own[~own["claim"].str.startswith("feedback")]
    assert (asked["why"] == "").all()
    pd.testing.assert_frame_equal(rows.iloc[: -len(own)], claims_everywhere())
    theirs = own.set_index("claim")["estimate"].dropna().to_dict()
    for words in ([], ["--paths"]):
        said = printed(["elsewhere", "--collection", str(tmp_path / "mine"), *words])
        assert said.err == ""  # no warning of another's library either
        table = pd.read_csv(StringIO(said.out)).set_index("claim")
        assert table["estimate"].dropna().to_dict() == theirs
        assert ("paths" in table) == bool(words)
    assert table.loc["p10-AP", "paths"] == 24
    assert (table["least"].dropna() <= table["most"].dropna()).all()
    assert "nowhere" in printed("elsewhere --collection nowhere", 2).err
