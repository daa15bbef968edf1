"""Nothing damaged is believed: each rule of a collection's tables is broken, and each file."""

import json
import math
import shutil
from contextlib import chdir

import bad_input
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib import load, scores
from lib.cli import main
from lib.collection import Collection, load_scores, save_scores, seal
from lib.collection.invariants import INVARIANTS, broken
from lib.collection.package import TABLES, read_table, sha256
from lib.collection.seals import read_package, write_seal
from lib.errors import InputError
from lib.paths import DATA

RUNS = {
    "A": {"1": ["n1", "r1", "u", "r2"], "2": ["r1", "n2", "n1"], "3": []},
    "B": {"1": ["r2", "n2", "r1"], "2": ["u", "r2"]},
    "C": {"1": ["n1", "n2"], "2": ["r1"], "3": ["r1", "n1", "r2", "r3"]},
}
QRELS = {
    topic: {"r1": 1, "r2": 2, "n1": 0, "n2": 0, "u": -1} | ({"r3": 3} if topic == "3" else {})
    for topic in "123"
}
WHOLE = Collection.from_rankings(RUNS, QRELS, judged=True).tables()


def cell(file, row, column, value):
    """A change of one cell; a row is counted from 1."""

    def change(tables):
        table = tables[file].copy()
        table.loc[row - 1, column] = value
        return tables | {file: table}

    return change


def rows(file, edit):
    """A change of a table."""
    return lambda tables: tables | {file: edit(tables[file]).reset_index(drop=True)}


def last_twice(table):
    return pd.concat([table, table.tail(1)])


def one_taken(table):
    return table.iloc[:-1]


def first_two_swapped(table):
    return table.iloc[[1, 0, *range(2, len(table))]]


def another_place(tables):
    """A judged document comes to where a hit is, in order."""
    judged = tables["judged.parquet"].copy()
    judged.loc[0, "rank"] = 2  # A's first relevant document of topic 1 is there
    return tables | {"judged.parquet": judged}


def all_judged(tables):
    """A third non-relevant document in place of one of two."""
    return cell("judged.parquet", 1, "document", 2)(tables)


def twice_in_a_list(tables):
    """The document of a list's first rank is that of its second, which no judged one holds."""
    unsampled = tables["unsampled.parquet"]
    lists = tables["lists.parquet"].copy()
    lists.loc[0, "retrieved"] = 5
    again = pd.concat([unsampled.head(1), unsampled.head(1).assign(rank=5), unsampled.tail(1)])
    return tables | {"lists.parquet": lists, "unsampled.parquet": again.reset_index(drop=True)}


# What is done, and the table, row and words that the answer has.
BREAKS = [
    (cell("systems.tsv", 2, "run", "A"), "systems.tsv", 2, "a name that no other has"),
    (cell("systems.tsv", 2, "run", " "), "systems.tsv", 2, "a name that no other has"),
    (cell("systems.tsv", 3, "pooled", "YES"), "systems.tsv", 3, "pooled must be yes, no or empty"),
    (cell("topics.tsv", 2, "topic", "1"), "topics.tsv", 2, "a name that no other has"),
    (cell("topics.tsv", 3, "judged", 1), "topics.tsv", 3, "judged no less than relevant"),
    (cell("topics.tsv", 1, "relevant", -2), "topics.tsv", 1, "relevant must be 0 or more"),
    (cell("topics.tsv", 1, "judged", pd.NA), "topics.tsv", 1, "judged no less than relevant"),
    (cell("topics.tsv", 1, "relevant", 3), "topics.tsv", 1, "rows in relevant.parquet"),
    (rows("relevant.parquet", one_taken), "topics.tsv", 3, "rows in relevant.parquet"),
    (cell("lists.parquet", 8, "topic", 3), "lists.parquet", 8, "positions in topics.tsv"),
    (cell("lists.parquet", 1, "system", -1), "lists.parquet", 1, "positions in topics.tsv"),
    (rows("lists.parquet", last_twice), "lists.parquet", 9, "none twice"),
    (rows("lists.parquet", first_two_swapped), "lists.parquet", 2, "by topic and system"),
    (cell("lists.parquet", 7, "retrieved", -1), "lists.parquet", 7, "0 documents or more"),
    (cell("relevant.parquet", 7, "topic", 3), "relevant.parquet", 7, "a position in topics.tsv"),
    (cell("relevant.parquet", 1, "document", -1), "relevant.parquet", 1, "from 0 to 2,097,151"),
    (cell("relevant.parquet", 7, "document", 1 << 21), "relevant.parquet", 7, "from 0 to"),
    (cell("relevant.parquet", 2, "document", 0), "relevant.parquet", 2, "none twice"),
    (rows("relevant.parquet", first_two_swapped), "relevant.parquet", 2, "topic and document"),
    (cell("relevant.parquet", 3, "grade", 0), "relevant.parquet", 3, "grade must be 1 or more"),
    (cell("hits.parquet", 1, "topic", 9), "hits.parquet", 1, "positions in topics.tsv"),
    (cell("hits.parquet", 4, "system", 3), "hits.parquet", 4, "positions in topics.tsv"),
    (cell("hits.parquet", 3, "rank", 0), "hits.parquet", 3, "the length of the list"),
    (cell("hits.parquet", 4, "rank", 4), "hits.parquet", 4, "the length of the list"),
    (cell("lists.parquet", 2, "retrieved", 2), "hits.parquet", 4, "the length of the list"),
    (cell("hits.parquet", 2, "rank", 2), "hits.parquet", 2, "none twice"),
    (rows("hits.parquet", first_two_swapped), "hits.parquet", 2, "topic, system and rank"),
    (cell("hits.parquet", 1, "document", -1), "hits.parquet", 1, "from 0 to 2,097,151"),
    (cell("hits.parquet", 1, "document", 7), "hits.parquet", 1, "must be in relevant.parquet"),
    (cell("hits.parquet", 2, "document", 0), "hits.parquet", 2, "in the same list at another"),
    (cell("hits.parquet", 1, "nonrelevant", 2), "hits.parquet", 1, "between two hits"),
    (cell("hits.parquet", 2, "nonrelevant", 0), "hits.parquet", 2, "between two hits"),
    (cell("hits.parquet", 1, "nonrelevant", -1), "hits.parquet", 1, "between two hits"),
    (cell("topics.tsv", 1, "judged", 2), "hits.parquet", 1, "has judged non-relevant"),
    (cell("hits.parquet", 2, "nonrelevant", 2), "hits.parquet", 2, "of judged.parquet above"),
    (rows("judged.parquet", lambda t: t.iloc[1:]), "hits.parquet", 1, "of judged.parquet above"),
    (cell("pools.parquet", 300, "topic", 3), "pools.parquet", 300, "a position in topics.tsv"),
    (cell("pools.parquet", 7, "depth", 8), "pools.parquet", 7, "the depths 1 to 100 of each"),
    (rows("pools.parquet", one_taken), "topics.tsv", 3, "must have 100 rows in pools.parquet"),
    (cell("pools.parquet", 2, "all", 1), "pools.parquet", 2, "not fall with the depth"),
    (cell("pools.parquet", 1, "pooled", 9), "pools.parquet", 1, "pooled not exceed all"),
    (cell("pools.parquet", 1, "pooled", -1), "pools.parquet", 1, "sizes must be 0 or more"),
    (cell("judged.parquet", 1, "system", 3), "judged.parquet", 1, "positions in topics.tsv"),
    (cell("judged.parquet", 1, "rank", 5), "judged.parquet", 1, "the length of the list"),
    (rows("judged.parquet", last_twice), "judged.parquet", 8, "none twice"),
    (cell("judged.parquet", 1, "document", -3), "judged.parquet", 1, "from 0 to 2,097,151"),
    (cell("judged.parquet", 4, "document", 0), "judged.parquet", 4, "in the same list at another"),
    (another_place, "judged.parquet", 1, "no hit must stand at the same rank"),
    (all_judged, "topics.tsv", 1, "judged.parquet must not hold more documents"),
    (cell("unsampled.parquet", 1, "system", 3), "unsampled.parquet", 1, "positions in topics.tsv"),
    (cell("unsampled.parquet", 1, "rank", 5), "unsampled.parquet", 1, "the length of the list"),
    (rows("unsampled.parquet", last_twice), "unsampled.parquet", 3, "none twice"),
    (cell("unsampled.parquet", 1, "document", -3), "unsampled.parquet", 1, "from 0 to 2,097,151"),
    (twice_in_a_list, "unsampled.parquet", 2, "in the same list at another"),
    (cell("unsampled.parquet", 1, "rank", 2), "unsampled.parquet", 1, "no judged document"),
]
LABELS = [f"{file} row {row} {words}" for _, file, row, words in BREAKS]


@pytest.fixture
def folder(tmp_path):
    """The folder of a sound collection."""
    Collection.from_rankings(RUNS, QRELS, judged=True).save(tmp_path / "c")
    return tmp_path / "c"


def write(tables, folder):
    """Write tables into a folder; what it records of them stays as it is."""
    for file, table in tables.items():
        if file.endswith(".tsv"):
            table.to_csv(folder / file, sep="\t", index=False, lineterminator="\n")
        else:
            table.to_parquet(folder / file, index=False)


def forge(tables, folder):
    """Write tables into a folder, and the right hashes of the wrong tables beside them."""
    write(tables, folder)
    write_seal(folder, read_package(folder), tables)


def refused(folder, *, judged=True):
    with pytest.raises(InputError) as error:
        load(folder, judged=judged)
    assert str(error.value).isprintable()
    return str(error.value)


@pytest.mark.parametrize("change, file, row, words", BREAKS, ids=LABELS)
def test_a_broken_rule_is_named_with_table_and_row(change, file, row, words, folder):
    forge(change(WHOLE), folder)
    message = refused(folder)
    assert message.startswith(f"{folder}: not a collection ({file}, row {row}: ")
    assert words in message
    with pytest.raises(InputError, match="not a collection"):
        seal(folder)


def test_each_rule_is_broken_by_one_of_these_at_least():
    told = {broken(change(WHOLE)) for change, *_ in BREAKS}
    rules = {f"{of.file}: {of.rule}" for of in INVARIANTS}
    assert {f"{text.split(',')[0]}: {text.split(': ', 1)[1]}" for text in told} == rules


def test_what_is_sound_breaks_none():
    assert broken(WHOLE) == ""
    assert broken({file: table for file, table in WHOLE.items() if file != "judged.parquet"}) == ""


# Changes that break no rule: only the hash of the file tells.
UNTOLD = {
    "systems.tsv": lambda t: t.assign(group=["x", "", ""]),
    "topics.tsv": lambda t: t.assign(judged=t["judged"] + 1),
    "lists.parquet": lambda t: t.assign(retrieved=t["retrieved"] + 1),
    "relevant.parquet": lambda t: t.assign(grade=5),
    "hits.parquet": lambda t: t.iloc[:-1],
    "pools.parquet": lambda t: t.assign(all=t["all"] + 1),
    "judged.parquet": lambda t: t.assign(document=1 - t["document"]),
    "unsampled.parquet": lambda t: t.assign(document=t["document"] + 1),
}


@pytest.mark.parametrize("file", TABLES)
def test_a_file_that_was_changed_is_refused_until_it_is_sealed(file, folder, capsys):
    table = UNTOLD[file](WHOLE[file])
    write({file: table}, folder)
    assert broken(WHOLE | {file: table}) == ""
    message = refused(folder)
    assert f"{folder}: {file} is not as it was written" in message
    assert message.endswith(f"run: python -m lib seal {folder}")
    assert main(["seal", str(folder)]) == 0
    assert capsys.readouterr().out == f"{folder}: sealed; recorded anew: {file}\n"
    again = load(folder, judged=True).tables()[file]
    assert again.astype(object).equals(table.astype(object))


def test_a_file_that_was_only_written_anew_is_refused_too(folder):
    path = folder / "hits.parquet"
    pd.read_parquet(path).to_parquet(path, index=False, compression="gzip")
    assert "hits.parquet is not as it was written" in refused(folder)
    assert seal(folder) == ["hits.parquet"]
    assert load(folder).tables()["hits.parquet"].equals(WHOLE["hits.parquet"])


def test_a_package_from_before_the_files_were_hashed_is_known_by_its_tables(folder):
    path = folder / "datapackage.json"
    package = json.loads(path.read_text())
    for entry in package["resources"]:
        del entry["file_hash"]
    path.write_text(json.dumps(package))
    assert load(folder).tables()["hits.parquet"].equals(WHOLE["hits.parquet"])
    write({"hits.parquet": WHOLE["hits.parquet"].iloc[:-1]}, folder)
    assert "hits.parquet is not as it was written" in refused(folder)
    for entry in package["resources"]:
        del entry["hash"]
    path.write_text(json.dumps(package))
    assert "systems.tsv is not as it was written" in refused(folder)


def test_a_record_that_was_changed_is_refused(folder):
    path = folder / "datapackage.json"
    package = json.loads(path.read_text())
    package["resources"][0]["rows"] = 4
    path.write_text(json.dumps(package))
    assert "systems.tsv has 3 rows, and datapackage.json says 4" in refused(folder)
    del package["resources"][0]
    path.write_text(json.dumps(package))
    assert "datapackage.json does not name systems.tsv" in refused(folder)
    assert seal(folder) == ["systems.tsv"]
    assert load(folder).systems.index.tolist() == ["A", "B", "C"]


def test_the_judged_documents_can_be_taken_away_and_brought_back(folder):
    path = folder / "judged.parquet"
    data = path.read_bytes()
    path.unlink()
    assert "holds no judged.parquet" in refused(folder)
    assert seal(folder) == []
    path.write_bytes(data)
    assert "datapackage.json does not name judged.parquet" in refused(folder)
    assert seal(folder) == ["judged.parquet"]
    assert load(folder, judged=True).tables()["judged.parquet"].equals(WHOLE["judged.parquet"])


def test_a_number_of_another_type_is_no_number_of_this_one(folder):
    hits = WHOLE["hits.parquet"]
    for wrong in (
        hits["rank"] + 0.5,
        hits["rank"].astype("int64") + 2**32,
        hits["rank"].astype(str),
    ):
        write({"hits.parquet": hits.assign(rank=wrong)}, folder)
        with pytest.raises(InputError, match="hits.parquet: rank is not a column of 32-bit int"):
            seal(folder)
    write({"hits.parquet": hits.astype("int64")}, folder)
    assert seal(folder) == ["hits.parquet"]


RANGES = {"AP": (0, 1), "P@3": (0, 1), "RR": (0, 1), "nDCG": (0, 1), "Bpref": (0, 1)}


@st.composite
def cells(draw):
    """A cell of a table, and what comes to stand there."""
    file = draw(st.sampled_from(list(TABLES)))
    column = draw(st.sampled_from(list(TABLES[file])))
    row = draw(st.integers(1, len(WHOLE[file])))
    if TABLES[file][column][0] == "string":
        value = draw(st.one_of(st.sampled_from(["", "A", "1", "yes"]), st.text(max_size=3)))
    else:
        value = draw(st.one_of(st.integers(-2, 5), st.integers(-(2**31), 2**31 - 1)))
    return file, row, column, value


@given(cells())
@settings(max_examples=max(100, settings().max_examples // 10))
def test_a_random_cell_is_refused_or_what_another_collection_could_have(tmp_path_factory, change):
    file, row, column, value = change
    folder = tmp_path_factory.getbasetemp() / "broken"
    shutil.rmtree(folder, ignore_errors=True)
    Collection.from_rankings(RUNS, QRELS, judged=True).save(folder)
    tables = cell(file, row, column, value)(WHOLE)
    if tables[file].equals(WHOLE[file]):
        return
    try:
        write({file: tables[file]}, folder)
    except UnicodeEncodeError:  # half of a pair of UTF-16
        return
    assert f"{file} is not as it was written" in refused(folder)
    try:
        seal(folder)
        again = load(folder, judged=True)
    except InputError as error:
        assert str(error).startswith(f"{folder}: not a collection (") and str(error).isprintable()
        return
    for measure, (low, high) in RANGES.items():
        table = scores(again, measure)
        assert table.shape == (3, 3)
        values = table.to_numpy()[~np.isnan(table.to_numpy())]
        assert ((values >= low) & (values <= high + 1e-12)).all(), measure
        assert math.isfinite(values.sum())


@pytest.mark.parametrize(
    "folder", sorted({path.parent.relative_to(DATA).as_posix() for path in DATA.rglob("*.parquet")})
)
def test_every_package_of_the_book_is_as_it_was_written(folder):
    package = read_package(DATA / folder)
    for entry in package["resources"]:
        data = (DATA / folder / entry["path"]).read_bytes()
        assert entry["file_hash"] == sha256(data)
    if (DATA / folder / "hits.parquet").is_file():
        frames = {of["path"]: read_table(DATA / folder / of["path"]) for of in package["resources"]}
        assert broken(frames) == ""


def test_unjudged_documents_of_a_sample_that_are_named_must_be_there(folder):
    (folder / "unsampled.parquet").unlink()
    (folder / "judged.parquet").unlink()
    assert "no collection there (unsampled.parquet is missing)" in refused(folder, judged=False)
    assert "holds no judged.parquet; derive it with --judged" in refused(folder)


def test_a_score_matrix_is_sealed_likewise(tmp_path, capsys):
    matrix = {"AP": pd.DataFrame([[0.25, 0.5], [0.75, 1.0]], index=["1", "2"], columns=["A", "B"])}
    folder = tmp_path / "m"
    save_scores(folder, matrix)
    systems = folder / "systems.tsv"
    systems.write_text("run\nA\nC\n")
    with pytest.raises(InputError, match="systems.tsv is not as it was written"):
        load_scores(folder)
    assert main(["seal", str(folder)]) == 0
    assert "recorded anew: systems.tsv" in capsys.readouterr().out
    assert load_scores(folder)["AP"].columns.tolist() == ["A", "C"]
    systems.write_text("run\nA\nA\n")
    with pytest.raises(InputError, match="systems.tsv has a name twice"):
        seal(folder)


def test_what_is_no_package_is_not_sealed(tmp_path):
    with chdir(tmp_path):
        bad_input.prepare(bad_input.Case(""), tmp_path)
        before = sorted(tmp_path.rglob("*"))
        assert main(["seal", "runs"]) == 2
        assert sorted(tmp_path.rglob("*")) == before
