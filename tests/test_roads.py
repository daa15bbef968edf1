"""Roads: the choices crossed, the committed package, and a handful of roads walked again."""

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib import load
from lib.collection.package import about, digest
from lib.papers import webber2008
from lib.papers.thom2007 import tables as thom2007
from lib.papers.webber2010.choices import reproduced
from lib.papers.webber2010.tables import table1
from lib.paths import DATA, ROOT
from lib.published import lookup
from lib.statistics.significance import TESTS, discriminative_power
from lib.studies.committed import read
from lib.studies.roads import claims as along_paths
from lib.studies.roads import shown
from lib.studies.roads.claims import ALONE, CLAIMS, EVERY, FAMILIES, NONE, SOME, UNMOVED
from lib.studies.roads.drawings import draw_claim, draw_paths, draw_place, panel
from lib.studies.roads.places import PAPERS, place
from lib.studies.roads.roads import (
    Choice,
    along,
    cross,
    departures,
    drawn,
    effects,
    options,
    p_without,
    power,
    sample,
    whole,
)
from lib.studies.roads.shown import read_place
from lib.studies.sources import of_collection, sources

PLACES = [given for of in PAPERS.values() for given in of]
NAMES = [f"{given.paper}, {given.name}" for given in PLACES]
SOURCES = {source.name: source for source in sources()}
SEED = 20  # of the roads that are walked again

choices = st.lists(st.integers(1, 4), min_size=1, max_size=4).map(
    lambda sizes: [
        Choice(f"choice {i}", f"option{i}", {f"value {v}": v for v in range(size)})
        for i, size in enumerate(sizes)
    ]
)


def names_of(given):
    return [choice.name for choice in given.choices]


# Roads, crossed


@given(choices)
def test_a_cross_has_every_combination_once_and_ours_first(made):
    roads = cross(made)
    assert len(roads) == np.prod([len(choice.values) for choice in made])
    assert not roads.duplicated().any()
    assert options(made, roads.iloc[0]) == dict.fromkeys((c.argument for c in made), 0)
    away = departures(roads)
    assert away.iloc[0] == 0 and (away.iloc[1:] > 0).all()
    assert (away == 1).sum() == sum(len(choice.values) - 1 for choice in made)


@given(choices, st.integers(1, 60), st.integers(0, 9))
def test_a_sample_holds_ours_and_every_single_departure(made, number, seed):
    roads = cross(made)
    drawn_ = sample(roads, number, seed=seed)
    near = departures(roads) <= 1
    assert set(roads.index[near]) <= set(drawn_)
    assert len(drawn_) == len(set(drawn_)) == min(len(roads), max(number, near.sum()))
    assert list(drawn_) == sorted(drawn_) == list(sample(roads, number, seed=seed))


@given(choices, st.data())
def test_effects_are_differences_of_means_as_all_combinations_are_there(made, data):
    roads = cross(made)
    matched = st.lists(st.integers(0, 9), min_size=len(roads), max_size=len(roads))
    table = roads.assign(matched=data.draw(matched))
    found = effects(made, table) if len(roads) > 1 else None
    for choice in made:
        means = table.groupby(choice.name)["matched"].mean()
        for label in list(choice.values)[1:]:
            lost = means[choice.ours] - means[label]
            assert found.loc[(choice.name, label), "mean"] == pytest.approx(lost)


def test_places_are_put_together_over_shared_choices():
    a, b, c = (Choice(x, x, {"0": 0, "1": 1}) for x in "abc")
    one = cross([a, b]).assign(cells=2, matched=[2, 1, 1, 0])
    two = cross([b, c]).assign(cells=3, matched=[3, 0, 2, 0])
    found = whole([([a, b], one), ([b, c], two)]).set_index(["a", "b", "c"])
    assert len(found) == 8 and (found["cells"] == 5).all()
    assert found.loc[("0", "0", "0"), "matched"] == 5
    assert found.loc[("1", "1", "0"), "matched"] == 0 + 2
    assert found.loc[("0", "1", "1"), "matched"] == 1 + 0


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


@pytest.mark.parametrize("given", PLACES, ids=NAMES)
def test_roads_walked_again_are_those_committed(given):
    """Means that are not rounded hang on the order of a sum, which is the machine's."""
    table = read_place(given.paper, given.name)
    plain = table[table["means"] != "not rounded"] if "means" in table else table
    few = plain.sample(3, random_state=SEED)
    pd.testing.assert_frame_equal(
        along(given, few[names_of(given)]), few, check_dtype=False, check_exact=True
    )


def test_table_1_of_webber_2008_on_the_books_road_is_chapter_1s():
    ours = lookup(webber2008.tables.table1(load("trec8")))
    given = place("webber2008", "Table 1")
    road = options(given.choices, cross(given.choices).iloc[0])
    assert lookup(given.cells(**road)).to_dict() == ours.to_dict()


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


def test_single_departures_match_what_chapter_4_counts():
    """Two of its rows: pools from the judged runs, and the discount of trec_eval."""
    for name in ("Table 2", "Figure 2"):
        table = read_place("webber2010", name)
        others = departures(table[names_of(place("webber2010", name))]) == 1
        for column, label, made in (
            ("pools made from", "the 71 judged", {"by": "pooled"}),
            ("DCG's discount", "log2(i + 1)", {"discount": "trec_eval"}),
        ):
            rows = table[others & (table[column] == label)]
            assert rows["matched"].item() == reproduced(load("trec8"), (name,), **made)[name]


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


def test_what_is_asked_is_there_along_all_roads_and_nothing_else(claims):
    said = read("roads", "asked.tsv")
    assert (said["asked"].str.len() > 0).all()
    every = {*CLAIMS, *UNMOVED}
    assert len(said) == len(SOURCES) * len(every) * len(FAMILIES)
    assert set(said["claim"]) == every and set(said["source"]) == set(SOURCES)
    assert not said.duplicated(["source", "claim", "roads"]).any()
    count = claims.groupby(["source", "claim"]).size()
    for row in said.itertuples():
        if row.asked == "asked":
            assert CLAIMS[row.claim].family == row.roads
            assert count[row.source, row.claim] == len(cross(FAMILIES[row.roads]))
            assert not SOURCES[row.source].lacks(CLAIMS[row.claim].labels)
        else:
            assert row.asked.startswith("not askable: ") and len(row.asked) > 20
    assert len(count) == (said["asked"] == "asked").sum()


def test_what_is_asked_is_what_is_committed():
    now = pd.concat([along_paths.asked(source) for source in SOURCES.values()], ignore_index=True)
    pd.testing.assert_frame_equal(now, read("roads", "asked.tsv"), check_dtype=False)


def test_every_claim_and_family_is_asked_somewhere(claims):
    assert set(claims["claim"]) == set(CLAIMS)
    assert claims["error"].max() < 0.01  # Monte-Carlo, of every estimate
    assert (claims["low"] <= claims["estimate"]).all()
    assert (claims["estimate"] <= claims["high"]).all()


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


def test_a_source_of_ones_own_is_walked_as_well():
    trec8 = load("trec8")
    small = trec8.select(topics=trec8.topics.index[:8], systems=trec8.systems.index[::9])
    near = {name: cross(of) for name, of in FAMILIES.items()}
    near = {name: paths[departures(paths) <= 1] for name, paths in near.items()}
    mine = along_paths.walk(of_collection(small, name="mine"), near)
    assert set(mine["source"]) == {"mine"}
    assert mine.groupby("claim").size().to_dict() == {
        name: len(near[claim.family]) for name, claim in CLAIMS.items()
    }
    assert "mine" in draw_claim("p10-AP", mine).svg


# Words


def test_the_four_words():
    assert along_paths.word([True, True, True]) == EVERY
    assert along_paths.word([True, False, False]) == ALONE
    assert along_paths.word([False, False]) == NONE
    assert along_paths.word([False, True]) == along_paths.word([True, True, False]) == SOME
    assert along_paths.word([True]) == EVERY


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


def test_the_table_of_printed_numbers_counts_the_roads():
    table = shown.printed_by_path()
    assert table["roads"].xs("all places", level="place").tolist() == [2**17 * 4]
    assert (table["ours"] == table["numbers"]).all() and (table["best"] == table["ours"]).all()
    whole_of_2010 = table.loc[("webber2010", "all places")]
    assert whole_of_2010["numbers"] == table.loc["webber2010"]["numbers"][:-1].sum()
    every = shown.through("webber2010")
    assert whole_of_2010["as many"] == (every["matched"] == every["cells"]).sum()


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


def test_claims_are_counted_by_words(claims):
    table = shown.claims_by_words(claims)
    assert len(table) == len(CLAIMS)
    assert (table[[EVERY, SOME, ALONE, NONE]].sum(axis=1) == table["collections"]).all()
    held = claims[claims["claim"] == "p10-AP"].groupby("source")["estimate"].min() > -0.02
    assert table.loc[CLAIMS["p10-AP"].number, EVERY] == held.sum()


def test_the_text_quotes_the_tables(claims):
    numbers = shown.quoted(claims)
    on_trec8 = claims[(claims["source"] == "trec8") & (claims["claim"] == "p10-AP")]["estimate"]
    assert numbers["paths-p10-ap-trec8"] == f"\u2212{-on_trec8.min():.3f} and +{on_trec8.max():.3f}"
    asked = shown.claims_by_words(claims)["collections"].sum()
    assert int(numbers["paths-wider"]) < int(numbers["paths-asked"]) == asked


# Drawings, command, package


def test_a_drawing_of_a_place_tells_its_roads():
    figure = draw_place(place("webber2010", "Figure 2"))
    assert "3 of 3" in figure.caption and figure.svg.count("<svg") == 1
    for choice in place("webber2010", "Figure 2").choices:
        assert choice.name in figure.svg.replace("&#39;", "'").replace("&#x27;", "'")
    many = draw_place(place("webber2010", "Table 2"), number=30)
    assert "30 drawn at random" in many.caption and len(many.svg) < 60_000


def test_a_drawing_of_a_claim_has_a_line_for_every_collection():
    figure = draw_claim("p10-AP")
    for source in SOURCES.values():
        assert (source.title in figure.svg) == (not source.lacks(CLAIMS["p10-AP"].labels))
    one = draw_paths("power-AP-P@10", "web2012")
    assert "64 roads" in one.caption and "Web 2012" in one.caption
    with pytest.raises(ValueError, match="families-four was not asked of web2012"):
        draw_paths("families-four", "web2012")


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


def test_a_panel_has_the_roads_of_one_source_or_says_that_it_was_not_asked():
    table = read("roads", "claims.parquet")
    part = table.query("claim == 'p10-AP' and source == 'web2010'")
    shown = panel(table, "p10-AP", "web2010")
    least, most = -part["estimate"].min(), -part["estimate"].max()
    assert f"between \u2212{least:.3f} and \u2212{most:.3f} on {len(part)} roads" in shown.caption
    assert panel(table, "p10-RBP", "trec6").endswith("was not asked of TREC-6.</p>")
