"""The data packages: valid for other tools, made of one table of sources, read without lib."""

import csv
import hashlib
import json
import re
import runpy
import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from frictionless import Package

from lib import load, means
from lib.collection import Collection, load_scores
from lib.collection.package import as_json
from lib.originals import ORIGINS
from lib.paths import DATA, ROOT

MAKER = runpy.run_path(str(DATA / "packages.py"))
MAKE = runpy.run_path(str(DATA / "make.py"))
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
    made = MAKER["origins_table"]()
    assert ORIGINS.read_text(encoding="utf-8") == made, "run python data/packages.py"


def test_each_folder_and_each_script_has_its_place_in_the_order_of_making():
    steps = list(csv.DictReader((DATA / "order.csv").read_text(encoding="utf-8").splitlines()))
    made = [folder for step in steps for folder in step["makes"].split()]
    assert {*made} == {*FOLDERS}
    commands = " ".join(step["command"] for step in steps)
    scripts = {path.relative_to(ROOT).as_posix() for path in DATA.rglob("*.py")}
    assert set(re.findall(r"data/[\w/-]+\.py", commands)) == scripts - {"data/make.py"}
    assert MAKE["steps"]() == steps
    # What is decided needs all studies, and what packages say of their files needs all files.
    assert [step["makes"] for step in steps[-2:]] == ["claims .", "."]


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
    limit = None if folder == "published" else 100
    report = Package(str(DATA / folder / "datapackage.json")).validate(limit_rows=limit)
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
        how = {"sep": {"csv": ",", "tsv": "\t"}[entry["format"]], "dtype": text}
        how |= {"keep_default_na": False, "na_values": entry["schema"]["missingValues"]}
        found[entry["name"]] = pd.read_csv(path, **how)
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


def having(table):
    """Return the packages that have a table of a name: a new collection is tested as it comes."""
    resources = {folder: MAKER["read"](folder)["resources"] for folder in FOLDERS}
    return [folder for folder, has in resources.items() if table in [one["name"] for one in has]]


@pytest.mark.parametrize("folder", having("hits"))
def test_a_collection_has_the_means_that_lib_finds(folder):
    """Which are NIST's, as test_thirty_years.py has it."""
    ours, theirs = average_precision(folder), means(load(folder), ["AP"])["AP"]
    # Means have ten decimals, which are few of a run that finds next to nothing.
    np.testing.assert_allclose(ours[theirs.index], theirs, rtol=0, atol=6e-11)


@pytest.mark.parametrize("folder", having("scores"))
def test_a_score_matrix_has_the_means_that_lib_finds(folder):
    """Which are NIST's likewise, or as test_confirmation.py has them."""
    package, found = tables(folder)
    ours = found["scores"].groupby("system")["AP"].mean() / package["score_of_1"]["AP"]
    np.testing.assert_allclose(ours, load_scores(folder)["AP"].mean(), atol=1e-12)
