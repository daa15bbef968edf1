"""The data packages: valid for other tools, made of one table of sources, read without lib."""

import hashlib
import json
import runpy
import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from frictionless import Package
from scipy.stats import kendalltau
from scipy.stats import t as student

from lib import load, means
from lib.collection import Collection, load_scores
from lib.collection.package import as_json
from lib.papers.webber2008.tables import predictive_power
from lib.paths import DATA, ROOT

MAKER = runpy.run_path(str(DATA / "packages.py"))
FOLDERS = MAKER["folders"]()
KINDS = {"string": "OT", "integer": "iu", "number": "fiu", "boolean": "b"}


# What a package says.


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_package_says_of_sources_and_files_what_the_table_of_sources_says(folder):
    made = as_json(MAKER["described"](folder))
    text = (DATA / folder / "datapackage.json").read_text(encoding="utf-8")
    assert text == made, f"data/{folder} is not as it is described: run python data/packages.py"


def test_the_statement_is_made_of_the_same_table():
    made = MAKER["statement"]()
    assert (ROOT / "DATA.md").read_text(encoding="utf-8") == made, "run python data/packages.py"


def test_sources_name_packages_that_are_there_and_say_all_that_is_asked():
    table = MAKER["sources"]()
    assert table["source"].is_unique
    for row in table.itertuples():
        assert all([row.title, row.by, row.taken, row.terms, row.may, row.ask, row.packages])
        assert row.licence in ("", *MAKER["LICENCES"])
        for package in row.packages:
            folder, _, name = package.partition(":")
            names = [entry["name"] for entry in MAKER["read"](folder)["resources"]]
            assert folder in FOLDERS and (not name or name in names), package


@pytest.mark.parametrize("name", ["NIST", "Urbano", "MS MARCO", "NutritionFacts", "1989"])
def test_whose_terms_hold_stands_in_the_statement(name):
    assert name in (ROOT / "DATA.md").read_text(encoding="utf-8")


def test_each_file_of_the_data_has_the_licence_that_its_package_says():
    rules = tomllib.loads((ROOT / "REUSE.toml").read_text(encoding="utf-8"))["annotations"]
    rules = [
        (path.removesuffix("**"), rule["SPDX-License-Identifier"])
        for rule in rules
        for path in ([rule["path"]] if isinstance(rule["path"], str) else rule["path"])
        if path.startswith("data/") and not path.endswith("py")
    ]
    for folder in FOLDERS:
        package = MAKER["read"](folder)
        whole = package["licenses"][:1]
        for entry in package["resources"]:
            file = (Path("data") / folder / entry["path"]).as_posix()
            said = " AND ".join(one["name"] for one in entry.get("licenses", whole))
            assert [name for path, name in rules if file.startswith(path)][-1] == said, file


# Other tools.


@pytest.mark.parametrize("folder", FOLDERS)
def test_frictionless_finds_a_package_valid(folder):
    # A hundred rows of each table: it takes minutes for all of a large one, which follow below.
    report = Package(str(DATA / folder / "datapackage.json")).validate(limit_rows=100)
    assert report.valid, report.flatten(["type", "note"])


def test_a_package_of_ones_own_is_valid_too(tmp_path):
    c = Collection.from_rankings({"A": {"t": ["d2", "d1"]}}, {"t": {"d1": 1, "d2": 0}}, judged=True)
    c.save(tmp_path / "c")
    assert Package(str(tmp_path / "c" / "datapackage.json")).validate().valid


# A second reader: pandas and what datapackage.json says, nothing else of ours.


def tables(folder):
    """Return what a package says, and its tables by their names."""
    package = json.loads((DATA / folder / "datapackage.json").read_text(encoding="utf-8"))
    found = {}
    for entry in package["resources"]:
        path = DATA / folder / entry["path"]
        if entry["format"] == "json":
            continue
        if entry["format"] == "parquet":
            found[entry["name"]] = pd.read_parquet(path)
            continue
        fields = entry["schema"]["fields"]
        text = {field["name"]: str for field in fields if field["type"] == "string"}
        missing = entry["schema"]["missingValues"]
        found[entry["name"]] = pd.read_csv(
            path,
            sep={"csv": ",", "tsv": "\t"}[entry["format"]],
            dtype=text,
            keep_default_na=False,
            na_values=missing,
        )
    return package, found


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_table_is_as_its_package_says(folder):
    package, found = tables(folder)
    for entry in package["resources"]:
        data = (DATA / folder / entry["path"]).read_bytes()
        assert entry["hash"] == "sha256:" + hashlib.sha256(data).hexdigest(), entry["path"]
        if entry["name"] not in found:
            continue
        table, schema = found[entry["name"]], entry["schema"]
        assert [field["name"] for field in schema["fields"]] == list(table), entry["path"]
        assert len(table) == entry["rows"], entry["path"]
        for field in schema["fields"]:
            assert field["description"]
            values = table[field["name"]].dropna()
            whole = field["type"] == "integer" and values.dtype.kind == "f"
            assert len(values) == 0 or values.dtype.kind in KINDS[field["type"]] or whole, field
            assert not whole or (values == values.round()).all(), field
        if "primaryKey" in schema:
            assert not table.duplicated(schema["primaryKey"]).any(), entry["path"]
        for key in schema.get("foreignKeys", []):
            there = key["reference"]
            mine, theirs = (
                pd.MultiIndex.from_frame(of[[names] if isinstance(names, str) else names])
                for of, names in (
                    (table, key["fields"]),
                    (found[there["resource"]], there["fields"]),
                )
            )
            assert mine.isin(theirs).all() and theirs.is_unique, (entry["path"], key)


def average_precision(folder):
    """Return the mean average precision of each run, by its name."""
    package, found = tables(folder)
    relevant = found["relevant"]
    relevant = relevant[relevant["grade"] >= package.get("relevant_from", 1)]
    hits = found["hits"].merge(relevant, on=["topic", "document"]).sort_values("rank")
    number = hits.groupby(["system", "topic"]).cumcount() + 1
    total = relevant.groupby("topic").size()
    hits["part"] = number / hits["rank"] / hits["topic"].map(total).to_numpy()
    name = found["systems"].set_index("position")["run"]
    return (hits.groupby("system")["part"].sum() / len(found["topics"])).rename(name)


def official(track, measure="AP"):
    """Return NIST's means of the runs of a track."""
    means = tables("trec")[1]["means"]
    return means[means["track"] == track].set_index("run")[measure].dropna()


def having(table):
    """Return the packages that have a table of a name: a new collection is tested as it comes."""
    resources = {folder: MAKER["read"](folder)["resources"] for folder in FOLDERS}
    return [folder for folder, has in resources.items() if table in [one["name"] for one in has]]


# The track that has the official means of each run, and how many there are.
TRACKS = {
    "trec8": ("trec8/adhoc", 129),
    "trec5": ("trec5/adhoc", 61),
    "trec-covid": ("trec-covid/round5", 126),
}


@pytest.mark.parametrize("folder", TRACKS)
def test_a_collection_has_its_official_means(folder):
    track, runs = TRACKS[folder]
    ours, theirs = average_precision(folder), official(track)
    assert len(ours) == runs == len(theirs)
    assert (ours - theirs).abs().max() < 0.00015  # NaN, a run that is not there, is not


@pytest.mark.parametrize("folder", [one for one in having("hits") if one not in TRACKS])
def test_a_collection_has_the_means_that_lib_finds(folder):
    ours, theirs = average_precision(folder), means(load(folder), ["AP"])["AP"]
    np.testing.assert_allclose(ours[theirs.index], theirs, atol=1e-12)


# The track whose official means, whichever system has which, a matrix must have.
MATRICES = {
    "robust04": "trec13/robust",
    "trec6": "trec6/adhoc",
    "trec7": "trec7/adhoc",
    "web2010": "trec19/web",
    "web2011": "trec20/web",
    "web2012": "trec21/web",
}


@pytest.mark.parametrize("folder", having("scores"))
def test_a_score_matrix_has_official_means(folder):
    """As often as each stands there: which system is which is not asked."""
    package, found = tables(folder)
    ours = found["scores"].groupby("system")["AP"].mean() / package["score_of_1"]["AP"]
    if folder == "terabyte06-by-topic":
        theirs = tables("terabyte06")[1]["automatic_runs"]["map"]
    elif folder in MATRICES:
        theirs = official(MATRICES[folder])
    else:  # NIST's means by AP are not here
        theirs = load_scores(folder)["AP"].mean()
    np.testing.assert_allclose(np.sort(ours), np.sort(theirs), atol=0.00015)


def tau(table, one, other):
    """Return Kendall's tau of two columns."""
    return kendalltau(table[one], table[other]).statistic


def row(table, **keys):
    """Return the one row of a table that has some keys."""
    (found,) = table[np.logical_and.reduce([table[k] == v for k, v in keys.items()])].itertuples()
    return found


def of_papers(found):
    return row(found["webber2008"], place="Table 1", row="AP", column="nDCG", kind="table").printed


def of_ledger(found):
    keys = {"paper": "webber2008", "place": "Table 1", "row": "AP", "column": "nDCG"}
    return row(found["ledger"], **keys).published


def of_claims(found):
    """Return how many findings do not lie on one side of their bound: "at least" is less it."""
    verdicts = found["verdicts"].merge(found["claims"][["id", "bound", "asked"]], on="id")
    bound = verdicts["bound"].where(verdicts["asked"] != "at least", -verdicts["bound"])
    clear = (verdicts["low"] > bound) | (verdicts["high"] < bound)
    return ((verdicts["word"] == "finding") & ~clear).sum()


def of_confirmation(found):
    """Return how far intervals lie from those that the errors make, to five digits."""
    known = found["estimates"].dropna()
    reach = student.ppf(0.975, known["freedom"]) * known["error"]
    return (known["high"] - known["estimate"] - reach).abs().max().round(5)


def of_terabyte(found):
    # Thom and Scholer print .583 for the 80 runs, some over 50 topics and some over 149.
    scores = found["official_scores"].sort_values("topics").drop_duplicates("run", keep="last")
    return len(scores), round(tau(scores, "P_10", "map"), 3)


def of_trec(found):
    terabyte = found["means"].query("track == 'trec15/terabyte' and type == 'automatic'")
    known = row(found["agreement"], track="trec15/terabyte", of="automatic", one="P@10", other="AP")
    return len(terabyte), round(tau(terabyte, "P@10", "AP") - known.tau, 6)


def of_grid(found):
    """Return how many settings a grid has: 36 of each of seven systems."""
    grid = found["grid"]
    return grid.groupby(["system", "documents", "terms", "weight"]).ngroups


def of_coverage(found):
    """Return the lowest coverage of intervals of power on Robust 2004's topics."""
    rows = found["topic-error"].query("population == 'robust04' and method == 'one'")
    return rows[rows["quantity"] == "power"]["coverage"].min()


def of_spending(found):
    keys = {"collection": "trec8", "kind": "automatic", "depth": 100, "measure": "AP"}
    return round(row(found["losses"], **keys).share, 4)


def of_depth(found):
    """Return AP's lead for P@10 on TREC-8, as chapter 5 has it."""
    return round(row(found["restricted"], collection="trec8", depth=0).lead, 3)


def of_moved(found):
    """Return how many hits stand at another rank than in data/trec8, or below other documents."""
    both = found["moved"].merge(tables("trec8")[1]["hits"], on=["topic", "system", "document"])
    places = both[["rank_x", "nonrelevant_x"]].to_numpy(), both[["rank_y", "nonrelevant_y"]]
    return (places[0] != places[1]).any(axis=1).sum()


# What a stranger finds, and what the book, a paper or arithmetic says.
FOUND = {
    ".": (of_ledger, "0.60"),
    "claims": (of_claims, 0),
    "confirmation": (of_confirmation, 0),
    "conventions": (
        lambda t: row(t["tools"], case="ties", call="recip_rank").score,
        round(1 / 3, 4),
    ),
    "coverage": (of_coverage, 0.966),
    "depth": (of_depth, 0.006),
    "judges": (lambda t: len(t["eight"]), 188),
    "multiverse": (lambda t: t["paths"].groupby("claim")["path"].nunique().sum(), 524),
    "poster06": (lambda t: t["differences"].groupby("system").ngroups, 7),
    "published": (of_papers, "0.60"),
    "spending": (of_spending, 0.0014),
    "terabyte06": (of_terabyte, (80, 0.583)),
    "trec": (of_trec, (61, 0)),
    "trec8-single": (of_moved, 1029),
} | {f"feedback/{name}-grid": (of_grid, 252) for name in "cf cisi nftest npl".split()}


@pytest.mark.parametrize("folder", FOUND)
def test_a_stranger_finds_a_known_number(folder):
    find, known = FOUND[folder]
    assert find(tables(folder)[1]) == known


def test_a_stranger_finds_what_is_kept_of_each_topic():
    kept = tables("replicates")[1]["trec8"]
    ours = kept[kept["what"].str.fullmatch("[^@]*P@10[^@]*: size None, 400 splits, share 0.75")]
    square = ours.pivot(index="topic", columns="pair", values="value").to_numpy()
    theirs = predictive_power(load("trec8")).topics
    np.testing.assert_array_equal(square.ravel(), np.ravel(theirs))


def test_every_package_is_read_by_a_stranger():
    known = {*FOUND, *having("hits"), *having("scores"), "replicates"}
    assert set(FOLDERS) == known, "a package that is no collection has its number in FOUND"
