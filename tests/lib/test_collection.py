"""Collections: deriving, selecting, pooling, saving; against brute force on small judgements."""

import hashlib
import json
import shutil
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strange import run_of, write_files
from strategies import SYSTEMS, judgements, qrels, rankings, runs

from lib.collection import Collection, about, derive, load, read_systems
from lib.collection.lists_to_tables import Derivation
from lib.collection.names import as_judged
from lib.collection.package import TABLES
from lib.errors import InputError
from lib.measures import scores
from lib.paths import DATA

# One of each kind: of ranks, of R, of grades, of an ideal list, of the length; Bpref needs more.
MEASURES = "AP R(rel=2)@3 IPrec@0.4 nDCG@3 enDCG(gain=binary)@3 nRBP(p=0.8,rel=2)@3".split()
MEASURES.append("RBPtail(p=0.8)")
BPREF = ["Bpref", "Bpref(rel=2)"]


def derivation(runs, qrels, **options):
    """Return the collection of rankings, with the options of a Derivation."""
    made = Derivation(as_judged(qrels), **options)
    for system, lists in runs.items():
        made.add(system, lists)
    return Collection(name="toy", **made.tables())


def assert_same_scores(one, other, measures=(*MEASURES, *BPREF)):
    assert_equal({m: scores(one, m) for m in measures}, {m: scores(other, m) for m in measures})


def assert_equal(one, other):
    """Compare tables by measure: same topics, same systems, same scores to the last bit."""
    for measure in one:
        a, b = one[measure], other[measure]
        assert (list(a.index), list(a.columns)) == (list(b.index), list(b.columns)), measure
        np.testing.assert_array_equal(a, b, err_msg=measure)


def assert_same_tables(one, other):
    one, other = one.tables(), other.tables()
    assert one.keys() == other.keys()
    for file in one:
        pd.testing.assert_frame_equal(one[file], other[file], check_exact=True, obj=file)


# ---------------------------------------------------------------- deriving

# Topic 1 has three relevant documents, r1 and r2 (grade 1) and r3 (grade 2), two judged
# non-relevant ones, n1 and n2, and x, whose negative grade is no judgement.  Topic 2 has nothing
# relevant.  Documents are numbered in the order of their names, relevant ones and others apart.
QRELS = {"1": {"n2": 0, "r3": 2, "r1": 1, "n1": 0, "r2": 1, "x": -1}, "2": {"r1": 0}}
RUNS = {
    "B": {"1": ["n1", "r2", "x", "n2", "r1"], "2": ["a", "r1"]},  # two judged above r1, x is not
    "A": {"1": ["u", "r3"], "3": ["r1"]},  # topic 2 is not answered
}


def test_topics_are_ordered_as_numbers_then_as_text():
    c = derivation({"A": {}}, {t: {"d": 1} for t in ["b", "10", "a", "9", "010", "2"]})
    assert list(c.topics.index) == ["2", "9", "010", "10", "a", "b"]


@given(runs(), qrels(), st.tuples(*[st.sampled_from(["yes", "no", "yes", "no", ""])] * 4))
def test_hits_and_pools_equal_a_count_by_hand(lists, judged, pooled):
    said = dict(zip(SYSTEMS, pooled))
    metadata = pd.DataFrame(
        {"group": "", "type": "", "pooled": [said[s] for s in lists]},
        index=pd.Index(list(lists), name="run"),
    )
    c = derivation(lists, judged, judged=True, metadata=metadata)
    topic_at = {topic: code for code, topic in enumerate(c.topics.index)}
    system_at = {system: code for code, system in enumerate(c.systems.index)}
    hits, nonrelevant, retrieved = set(), set(), set()
    for system, answers in lists.items():
        for topic, documents in answers.items():
            if topic not in judged:
                continue
            cell = topic_at[topic], system_at[system]
            grades = [judged[topic].get(document, -1) for document in documents]
            retrieved.add((*cell, len(documents)))
            for i, grade in enumerate(grades):
                if grade > 0:
                    hits.add((*cell, i + 1, grades[:i].count(0), grade))
                elif grade == 0:
                    nonrelevant.add((*cell, i + 1))
    columns = ["topic", "system", "rank", "nonrelevant", "grade"]
    assert {tuple(row) for row in c.hits[columns].to_numpy()} == hits
    assert {tuple(row) for row in c.judged[columns[:3]].to_numpy()} == nonrelevant
    assert {tuple(row) for row in c.lists.to_numpy()} == retrieved
    assert (len(c.hits), len(c.judged)) == (len(hits), len(nonrelevant))
    by = {"all": SYSTEMS, "pooled": [s for s in SYSTEMS if said[s] == "yes"]}
    sizes = [
        [t, k, *(len(pool(lists, topic, k, members)) for members in by.values())]
        for t, topic in enumerate(c.topics.index)
        for k in range(1, 101)
    ]
    expected = pd.DataFrame(sizes, columns=["topic", "depth", *by]).astype(float)
    if any(said[s] == "" for s in lists):  # so nobody knows which runs made the pool
        expected["pooled"] = np.nan
    pd.testing.assert_frame_equal(c.pools.astype(float), expected)
    # One document has one number, and the number its grade.
    known = set(map(tuple, c.relevant.to_numpy()))
    assert set(map(tuple, c.hits[["topic", "document", "grade"]].to_numpy())) <= known


# ---------------------------------------------------------------- pooling


def pool(lists, topic, depth, members=SYSTEMS):
    """Return the union of the members' top ranks."""
    return {
        document for system in members for document in lists.get(system, {}).get(topic, [])[:depth]
    }


@settings(max_examples=60)  # judgements that no list has and a shallow pool are rare together
@given(runs(), qrels() | qrels(judgements(low=0)), st.integers(1, 5), st.data())
def test_pooled_equals_judgements_restricted_to_the_pool(lists, judged, depth, data):
    named = data.draw(st.lists(st.sampled_from(list(lists)), unique=True, min_size=1))
    by, members = data.draw(st.sampled_from([("all", SYSTEMS), ("pooled", named), (named, named)]))
    metadata = pd.DataFrame(
        {"group": "", "type": "", "pooled": ["yes" if s in named else "no" for s in lists]},
        index=pd.Index(list(lists), name="run"),
    )
    restricted = {
        topic: {d: g for d, g in grades.items() if d in pool(lists, topic, depth, members)}
        for topic, grades in judged.items()
    }
    expected = derivation(lists, restricted, metadata=metadata)

    unpooled = derivation(lists, judged, metadata=metadata)
    without = unpooled.pooled(depth, by=by)
    assert_same_scores(without, expected, MEASURES)
    strict, strictly = (replace(c, relevant_from=2) for c in (unpooled, expected))
    assert_same_scores(strict.pooled(depth, by=by), strictly, MEASURES)
    assert without.topics["relevant"].tolist() == expected.topics["relevant"].tolist()
    with pytest.raises(ValueError, match="Bpref needs the judged non-relevant documents"):
        scores(without, "Bpref")

    # With the judged non-relevant documents at hand, their number and place follow too.
    whole = derivation(lists, judged, metadata=metadata, judged=True).pooled(depth, by=by)
    assert_same_scores(whole, expected)
    assert whole.topics["judged"].tolist() == expected.topics["judged"].tolist()


# ---------------------------------------------------------------- selecting


@given(runs(), qrels(), st.integers(1, 15), st.integers(1, 15), st.data())
def test_laws_of_selecting_and_pooling(lists, judged, depth, other, data):
    c = derivation(lists, judged, judged=True)
    systems, topics = (
        data.draw(st.lists(st.sampled_from(list(names)), unique=True, min_size=1))
        for names in (c.systems.index, c.topics.index)
    )
    some, measures = c.select(systems=systems, topics=topics), [*MEASURES, *BPREF]
    selected = {m: scores(c, m).loc[topics, systems] for m in measures}
    assert_equal({m: scores(some, m) for m in measures}, selected)
    pool, own = c.pooled(depth), c.pooled(depth, by=systems)
    assert_same_scores(pool.pooled(other), c.pooled(min(depth, other)))
    assert_same_scores(c.select(topics=topics).pooled(depth), pool.select(topics=topics))
    assert_same_scores(c.select(systems=systems).pooled(depth), own.select(systems=systems))


# ---------------------------------------------------------------- saving and loading

AWKWARD = ["NA", "nan", "007", "1e3", '"', "a 'b\" c", "\u00e9", "True", "-", "null", "#1", "a,b"]


@given(st.data(), st.booleans())
def test_loading_gives_back_what_was_saved(tmp_path_factory, data, judged):
    systems = data.draw(st.lists(st.sampled_from(AWKWARD), unique=True, min_size=1, max_size=3))
    topics = data.draw(st.lists(st.sampled_from(AWKWARD), unique=True, min_size=1, max_size=3))
    metadata = pd.DataFrame(
        {
            column: [data.draw(st.sampled_from([*AWKWARD, ""])) for _ in systems]
            for column in ("group", "type")
        },
        index=pd.Index(systems, name="run"),
    ).assign(pooled=[data.draw(st.sampled_from(["yes", "no", ""])) for _ in systems])
    lists = {s: data.draw(st.dictionaries(st.sampled_from(topics), rankings())) for s in systems}
    c = derivation(
        lists, {t: data.draw(judgements()) for t in topics}, metadata=metadata, judged=judged
    )
    folder = tmp_path_factory.getbasetemp() / "saved"
    shutil.rmtree(folder, ignore_errors=True)
    c.save(folder)
    again = load(folder, judged=judged)
    assert again.name == c.name
    assert_same_tables(again, c)
    assert_same_scores(again, c)
    # The systems.tsv of a collection is a table of systems that another derivation can read.
    read = read_systems(folder / "systems.tsv")
    assert read.reset_index().to_numpy().tolist() == again.systems.reset_index().to_numpy().tolist()


def test_the_package_describes_every_column_and_hashes_every_table(tmp_path):
    c = derivation(RUNS, QRELS, judged=True)
    c.save(tmp_path / "c", about={"title": "Toy", "sources": [{"title": "none"}]})
    package = json.loads((tmp_path / "c" / "datapackage.json").read_text(encoding="utf-8"))
    assert (package["name"], package["title"]) == ("toy", "Toy")
    assert {file.name for file in (tmp_path / "c").iterdir()} == {*TABLES, "datapackage.json"}
    assert [resource["path"] for resource in package["resources"]] == list(TABLES)
    for resource in package["resources"]:
        file = tmp_path / "c" / resource["path"]
        table = pd.read_csv(file, sep="\t") if file.suffix == ".tsv" else pd.read_parquet(file)
        assert resource["rows"] == len(table)
        assert [f["name"] for f in resource["schema"]["fields"]] == list(table.columns)
        assert all(field["description"] for field in resource["schema"]["fields"])
        codes = {"topic", "system"} & set(table) if resource["format"] == "parquet" else ()
        keys = resource["schema"].get("foreignKeys", [])
        assert {key["fields"]: key["reference"]["resource"] for key in keys} == {
            code: f"{code}s" for code in codes
        }
    # SHA-256 of the table as text with commas, by any other tool
    text = b"position,topic,judged,relevant\n0,1,5,3\n1,2,1,0\n"
    assert package["resources"][1]["table_hash"] == "sha256:" + hashlib.sha256(text).hexdigest()


@pytest.mark.parametrize("name, why", [("\x1b", "what cannot be printed"), (" ", "no name")])
def test_what_could_not_be_loaded_is_not_saved(tmp_path, name, why):
    with pytest.raises(InputError, match=f"c: could not be loaded again .*{why}"):
        replace(derivation(RUNS, QRELS), name=name).save(tmp_path / "c")
    assert not list(tmp_path.iterdir())


def test_a_repooled_collection_is_saved_only_with_its_judged_documents(tmp_path):
    with pytest.raises(ValueError, match="re-pooled collection cannot be saved"):
        derivation(RUNS, QRELS).pooled(3).save(tmp_path / "c")
    assert not list(tmp_path.iterdir())
    c = derivation(RUNS, QRELS, judged=True).pooled(3)
    c.save(tmp_path / "c")
    assert_same_scores(load(tmp_path / "c", judged=True), c)


def test_a_collection_takes_the_place_of_another_and_of_no_package_of_others(tmp_path):
    one, other = (derivation(RUNS, QRELS, judged=judged) for judged in (True, False))
    one.save(tmp_path / "c")
    other.save(tmp_path / "c", replace=True)
    assert_same_tables(load(tmp_path / "c"), other)
    (tmp_path / "c" / "datapackage.json").write_text('{"resources": [{"path": "x"}]}', "utf-8")
    with pytest.raises(InputError, match=r"c: exists already .* \(it is no collection\)$"):
        one.save(tmp_path / "c", replace=True)


# ---------------------------------------------------------------- deriving from files


@pytest.fixture
def files(tmp_path):
    """A folder of two runs, and judgements."""
    runs = {"runs/input.b": run_of({"1": ["d1", "d2"]}), "runs/a": run_of({"1": ["d1"]})}
    write_files(tmp_path, {**runs, "qrels": "1 0 d1 1\n1 0 d2 0\n2 0 d1 1\n"})
    return tmp_path


def test_without_pools_a_collection_is_scored_and_not_saved(files):
    paths = files / "runs", files / "qrels"
    whole, scored = (derive(*paths, judged=True, pools=pools) for pools in (True, False))
    assert_same_scores(scored, whole)
    assert_same_scores(scored.pooled(1), whole.pooled(1))
    assert len(whole.pools) == 200 and not scored.is_package("trec8")
    with pytest.raises(InputError, match="derived without pools, a collection cannot be saved"):
        scored.save(files / "c")


@pytest.mark.parametrize(
    "text",
    [
        "run\tpooled\r\nb\tyes\r\na\tno\r\n",
        "\ufeffrun\tpooled\nb\tyes\na\tno\n",
        "run\tgroup\tpooled\nb\t\tyes\na\t\tno\n",
        "pooled\trun\tgroup\nyes\tb\nno\ta\n",
    ],
)
def test_spellings_of_a_table_of_systems(files, text):
    (files / "systems").write_bytes(text.encode())
    c = derive(files / "runs", files / "qrels", systems=files / "systems")
    assert c.systems["pooled"].to_dict() == {"a": "no", "b": "yes"}
    assert (c.systems[["group", "type"]] == "").all(axis=None)


# ---------------------------------------------------------------- titles and identity

OWN = sorted(path.parent.relative_to(DATA).as_posix() for path in DATA.rglob("hits.parquet"))


@pytest.mark.parametrize("name", OWN)
def test_a_collection_of_the_book_is_its_own_package_and_says_how_its_name_is_written(name):
    c = load(name)
    another = OWN[OWN.index(name) - 1]
    assert c.is_package(name) and not c.is_package(another)
    assert c.title and c.title == about(name)["short_title"]


def test_what_a_collection_says_of_itself_stays_and_is_saved(tmp_path):
    c = derivation(RUNS, QRELS, judged=True)
    c.save(tmp_path / "none")
    said = json.loads((tmp_path / "none" / "datapackage.json").read_text(encoding="utf-8"))
    assert not {"short_title", "relevant_from", "skipped_runs"} & set(said)
    assert (load(tmp_path / "none").title, load(tmp_path / "none").relevant_from) == ("toy", 1)
    c = replace(c, short_title="The Toy", relevant_from=2, skipped_runs={"Z": "faulty"})
    c.save(tmp_path / "c")
    c.save(tmp_path / "other", about={"short_title": "Another"})
    assert load(tmp_path / "other").title == "Another"
    kept = np.ones(len(c.relevant), dtype=bool)
    parts = (c.select(systems=["A"]), c.select(topics=["2"]), c.pooled(2), c.rejudged(kept, None))
    for other in (load(tmp_path / "c"), *parts):
        assert (other.title, other.relevant_from) == ("The Toy", 2)
        assert other.skipped_runs == {"Z": "faulty"}


def test_a_package_is_known_by_its_tables_alone(tmp_path):
    c = load("trec8")
    assert replace(c, name="mine", short_title="").is_package("trec8")
    replace(c, name="mine").save(tmp_path / "mine")
    assert load(tmp_path / "mine").is_package("trec8")
    hits = c.hits
    changed = {
        "re-pooled": c.pooled(10),
        "systems in another order": c.select(systems=c.systems.index[::-1]),
        "a hit at another rank": replace(
            c, hits=hits.assign(rank=hits["rank"] + (hits.index == 77))
        ),
        "a system renamed": replace(c, systems=c.systems.rename({"mds08a3": "mine"})),
    }
    assert [what for what, other in changed.items() if other.is_package("trec8")] == []


def test_judged_documents_are_no_part_of_what_a_package_is_known_by(tmp_path, monkeypatch):
    monkeypatch.setattr("lib.paths.DATA", tmp_path)
    c = derivation(RUNS, QRELS, judged=True)
    c.save(tmp_path / "c")
    assert c.is_package("c") and load(tmp_path / "c").is_package("c")
    assert not c.pooled(2).is_package("c")


# ---------------------------------------------------------------- what was not judged


def test_a_list_without_hits_counts_for_no_unjudged_document():
    lists = {"A": {"t": ["u", "r"], "s": ["x"]}, "B": {"t": ["x"], "s": ["u", "v", "r"]}}
    judged = {"t": {"r": 1, "x": 0}, "s": {"r": 1, "x": 0}}
    hits = Collection.from_rankings(lists, judged, judged=True).relevance()
    unjudged, documents = hits.unjudged(3)  # A's list for s and B's for t hold nothing relevant
    assert (unjudged.tolist(), documents.tolist()) == ([1, 2], [2, 3])
