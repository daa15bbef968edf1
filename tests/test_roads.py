"""Roads: the committed package, a handful of roads walked again, and what the chapters say."""

import json
import subprocess
import sys

import pandas as pd
import pytest

from lib import load
from lib.collection.package import about, digest
from lib.papers import webber2008
from lib.papers.thom2007 import tables as thom2007
from lib.papers.webber2010.tables import table1
from lib.paths import DATA, ROOT
from lib.published import lookup
from lib.statistics.significance import TESTS, discriminative_power
from lib.studies.committed import read
from lib.studies.roads import claims as along_paths
from lib.studies.roads import shown
from lib.studies.roads.claims import ALONE, FAMILIES, SOME
from lib.studies.roads.places import PAPERS, place
from lib.studies.roads.roads import along, cross, departures, drawn, p_without, power
from lib.studies.roads.shown import read_place
from lib.studies.sources import sources

PLACES = [given for of in PAPERS.values() for given in of]
NAMES = [f"{given.paper}, {given.name}" for given in PLACES]
SOURCES = {source.name: source for source in sources()}
SEED = 20  # of the roads that are walked again


def names_of(given):
    return [choice.name for choice in given.choices]


# The committed package


@pytest.mark.parametrize("given", PLACES, ids=NAMES)
def test_every_road_is_there_and_ours_matches_every_number(given):
    table = read_place(given.paper, given.name)
    roads = cross(given.choices)
    pd.testing.assert_frame_equal(table[names_of(given)], roads, check_dtype=False)
    assert table["matched"].between(0, table["cells"]).all() and table["cells"].nunique() == 1
    assert table.loc[0, "matched"] == table.loc[0, "cells"] > 0
    if given.estimate is not None:
        assert (table["low"] <= table["estimate"]).all()
        assert (table["estimate"] <= table["high"]).all()


# Long: three roads through each place; one notices most of it.
@pytest.mark.parametrize("number", [1, pytest.param(3, marks=pytest.mark.long)])
@pytest.mark.parametrize("given", PLACES, ids=NAMES)
def test_roads_walked_again_are_those_committed(given, number):
    """Means that are not rounded hang on the order of a sum, which is the machine's."""
    table = read_place(given.paper, given.name)
    plain = table[table["means"] != "not rounded"] if "means" in table else table
    few = plain.sample(number, random_state=SEED)
    pd.testing.assert_frame_equal(
        along(given, few[names_of(given)]), few, check_dtype=False, check_exact=True
    )


def test_single_departures_match_what_chapter_1_counts():
    table = read_place("webber2008", "Table 1")
    counted = webber2008.tables.choices(load("trec8"))["agree"]
    near = table[departures(table[names_of(place("webber2008", "Table 1"))]) <= 1]

    def matched(**made):
        rows = near[(near[list(made)] == pd.Series(made)).all(axis=1)] if made else near.iloc[:1]
        return rows["matched"].item()

    assert counted.to_dict() == {
        "as reproduced here": matched(),
        "97 systems (75% rounded up)": matched(systems="75%, up"),
        "tau-a instead of tau-b": matched(**{"Kendall's tau": "tau-a"}),
        "means not rounded before ranking": matched(means="not rounded"),
        "nDCG with discount log2(i + 1)": matched(**{"DCG's discount": "log2(i + 1)"}),
        "all 129 systems": matched(systems="all"),
    }


def test_the_roads_of_thom_2007_match_what_chapter_2_counts():
    table = read_place("thom2007", "Table 1")
    agreed = thom2007.treatments().filter(like="as printed").eq("yes").sum(axis=1)
    plain = table[(table["Kendall's tau"] == "tau-b") & (table["means"] == "4 decimals")]
    for name, text in thom2007.TREATMENTS.items():
        rows = plain[(plain["topics"] == name) & (plain["runs"] == "all")]
        assert rows["matched"].item() == agreed[text]


def test_power_from_p_values_is_discriminative_power():
    scores = SOURCES["dl19"].scores["AP"]
    for test in ("t", "Wilcoxon", "permutation", "sign"):
        p, same = p_without(scores, test)
        assert p.shape == same.shape == (len(scores) + 1, 37 * 36 // 2)
        for sides, identical in ((1, "kept"), (2, "left out")):
            ours = power(p, same, alpha=0.05, sides=sides, identical=identical)
            for topics, found in ((scores, ours[0]), (scores.iloc[1:], ours[1])):
                assert found == discriminative_power(
                    topics, alpha=0.05, test=test, sides=sides, identical=identical, **drawn(test)
                )
    assert set(FAMILIES["power"][0].values) <= set(TESTS)


# Headline claims


@pytest.fixture(scope="module")
def claims():
    return read("roads", "claims.parquet")


def test_what_is_asked_is_what_is_committed():
    now = pd.concat([along_paths.asked(source) for source in SOURCES.values()], ignore_index=True)
    pd.testing.assert_frame_equal(now, read("roads", "asked.tsv"), check_dtype=False)


@pytest.mark.parametrize("family", FAMILIES)
def test_claims_walked_again_are_those_committed(claims, family):
    source = SOURCES["dl19"]
    roads = cross(FAMILIES[family])
    plain = roads[roads["means"] != "not rounded"] if "means" in roads else roads
    few = plain.sample(3, random_state=SEED)
    found = along_paths.walk(source, {family: few})
    theirs = claims[(claims["source"] == "dl19") & claims["claim"].isin(found["claim"])]
    keys = ["claim", *roads]
    both = found[keys].merge(theirs, on=keys, how="left", validate="one_to_one")
    pd.testing.assert_frame_equal(found, both[list(found)], check_dtype=False, check_exact=True)


def test_trec8_on_the_papers_road_is_what_the_chapters_say(claims):
    first = claims[claims["source"] == "trec8"].groupby("claim").first()["estimate"]
    phi = webber2008.tables.phi(load("trec8")).phi
    for claim, (measure, target) in {
        "p10-AP": ("AP", "P@10"),
        "p10-RBP": ("RBP(p=0.95)", "P@10"),
        "rr-nDCG": ("nDCG", "RR"),
    }.items():
        lead = phi.loc[measure, target] - phi.loc[target, target]
        assert first[claim] == round(lead, 4)
    powers = table1(load("trec8")).set_index("row")["value"].astype(float)
    assert first["power-AP-P@10"] == round(powers["AP@1000"] - powers["P@10"], 4)
    tau = lookup(thom2007.table1(load("trec8")))
    within = tau["P@1", "RR"]
    assert first["families-three"] == round(within - (tau["P@1", "AP"] + tau["AP", "RR"]) / 2, 4)


# Words


def test_a_summary_by_hand():
    rows = [(0.03, 0.01, 0.05), (0.01, -0.01, 0.03), (-0.02, -0.04, -0.001)]
    table = pd.DataFrame(rows, columns=["estimate", "low", "high"]).assign(
        claim="power-AP-P@10", source="x"
    )
    assert along_paths.told(table).tolist() == ["yes", "inconclusive", "no"]
    row = along_paths.summary(table).iloc[0]
    assert (row["roads"], row["estimate"], row["least"], row["most"]) == (3, 0.03, -0.02, 0.03)
    assert (row["holds"], row["told yes"], row["told no"]) == (SOME, ALONE, SOME)


# Numbers of the book's section


# Long: half a million roads; the outputs of chapter 5 notice most of it.
@pytest.mark.long
def test_choices_cost_over_all_places_what_they_cost_on_the_whole_road():
    """The mean over all roads through the paper is the sum of the means of its places."""
    cost, every = shown.choices_that_matter("webber2010"), shown.through("webber2010")
    for choice, otherwise in (("pools made from", "the 71 judged"), ("Kendall's tau", "tau-a")):
        means = every.groupby(choice)["matched"].mean()
        lost = means.drop(otherwise).item() - means[otherwise]
        assert cost.loc[(choice, otherwise), "mean"] == pytest.approx(lost)
        near = departures(every.drop(columns=["cells", "matched"])) == 1
        alone = every[near & (every[choice] == otherwise)]["matched"].item()
        assert cost.loc[(choice, otherwise), "on the book's road"] == every["matched"][0] - alone


# Drawings, command, package


# Long: a place of a paper walked whole; the roads walked again notice most of it.
@pytest.mark.long
def test_the_script_makes_the_package(tmp_path):
    out = tmp_path / "roads"
    subprocess.run(
        [sys.executable, DATA / "roads" / "make.py", "thom2007", "--out", out], cwd=ROOT, check=True
    )
    package = json.loads((out / "datapackage.json").read_text(encoding="utf-8"))
    (entry,) = package.pop("resources")
    known = about("roads")
    (same,) = (part for part in known.pop("resources") if part["path"] == entry["path"])
    assert entry | {"file_hash": ""} == same | {"file_hash": ""}
    assert package == known


def test_the_package_is_described_as_it_is():
    entries = {entry["path"]: entry for entry in about("roads")["resources"]}
    files = {path.name for path in (DATA / "roads").iterdir()}
    assert files == {*entries, "datapackage.json", "make.py"}
    for file, entry in entries.items():
        table = read("roads", file)
        assert (len(table), digest(table)) == (entry["rows"], entry["hash"])
        assert [field["name"] for field in entry["schema"]["fields"]] == list(table)
        assert f"{entry['name']}.{entry['format']}" == file
