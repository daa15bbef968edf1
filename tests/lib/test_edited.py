"""A file that was changed after it was written is not computed with; metadata may be edited."""

import json

import pandas as pd
import pytest

from lib import load
from lib.collection import Collection, load_scores
from lib.collection.package import TABLES, sha256
from lib.errors import InputError
from lib.paths import DATA

RUNS = {
    "A": {"1": ["n1", "r1", "u", "r2"], "2": ["r1", "n2", "n1"], "3": []},
    "B": {"1": ["r2", "n2", "r1"], "2": ["u", "r2"]},
    "C": {"1": ["n1", "n2"], "2": ["r1"], "3": ["r1", "n1", "r2"]},
}
QRELS = {topic: {"r1": 1, "r2": 2, "n1": 0, "n2": 0, "u": -1} for topic in "123"}
MADE = "python -m lib derive runs qrels --judged --out c"


@pytest.fixture
def folder(tmp_path):
    """The folder of a sound collection."""
    whole = Collection.from_rankings(RUNS, QRELS, judged=True)
    whole.save(tmp_path / "c", about={"command": MADE})
    return tmp_path / "c"


def refused(folder, *, judged=True):
    with pytest.raises(InputError) as error:
        load(folder, judged=judged)
    assert str(error.value).isprintable()
    return str(error.value)


@pytest.mark.parametrize("file", sorted(TABLES.keys() - {"systems.tsv"}))
def test_a_file_that_was_changed_is_refused_with_the_command_that_makes_it(file, folder):
    with open(folder / file, "ab") as table:
        table.write(b"\n")
    message = refused(folder)
    assert message.startswith(f"{folder}: {file} is not as it was written")
    assert message.endswith(f"restore it, or make it again: {MADE}")


def test_a_file_that_is_missing_is_named(folder):
    (folder / "judged.parquet").unlink()
    assert load(folder).judged is None
    assert "holds no judged.parquet; derive it with --judged" in refused(folder)
    (folder / "unsampled.parquet").unlink()
    assert "no collection there (unsampled.parquet is missing)" in refused(folder, judged=False)


def test_a_record_that_was_changed_is_refused(folder):
    path = folder / "datapackage.json"
    package = json.loads(path.read_text(encoding="utf-8"))
    del package["resources"][1]["hash"]
    path.write_text(json.dumps(package), encoding="utf-8")
    assert "topics.tsv is not as it was written" in refused(folder)


def test_a_table_holds_no_more_than_it_seems_to(folder, monkeypatch):
    """A small file may unpack to gigabytes: of rows, or of a column that nobody asked for."""
    table, package = folder / "lists.parquet", folder / "datapackage.json"
    kept = pd.read_parquet(table)

    def written(changed):
        before = sha256(table.read_bytes())
        changed.to_parquet(table)
        said = package.read_text(encoding="utf-8").replace(before, sha256(table.read_bytes()))
        package.write_text(said, encoding="utf-8")

    written(kept.assign(more="a" * 1000))
    assert load(folder).lists.equals(kept)
    written(kept.assign(retrieved="1"))
    assert "lists.parquet: column retrieved holds no whole numbers" in refused(folder)
    written(kept)
    monkeypatch.setattr("lib.collection.package._MOST_ROWS", 4)
    assert f"lists.parquet: has {len(kept)} rows, more than 4" in refused(folder)


# Metadata.


def test_the_table_of_systems_may_be_edited(folder):
    text = "pooled\trun\tnote\ttype\nyes\tA\tx\tmanual\nno\tB\ty\t\n\tC\tz\tautomatic\n"
    (folder / "systems.tsv").write_text(text, encoding="utf-8")
    systems = load(folder).systems
    assert systems.index.tolist() == ["A", "B", "C"]
    assert systems["pooled"].tolist() == ["yes", "no", ""]
    assert systems["type"].tolist() == ["manual", "", "automatic"]
    assert (systems["group"] == "").all()
    assert len(load(folder).pooled(1, by="pooled").relevant) < len(load(folder).relevant)


@pytest.mark.parametrize(
    ("runs", "said"),
    [
        ("AB", "names 2 runs, not 3"),
        ("ABCD", "names 4 runs, not 3"),
        ("BAC", "the runs are not in the order of their names"),
    ],
)
def test_an_edited_table_has_the_runs_that_it_had(runs, said, folder):
    (folder / "systems.tsv").write_text("\n".join(["run", *runs, ""]), encoding="utf-8")
    assert refused(folder) == f"{folder / 'systems.tsv'}: {said}"


def test_a_score_matrix_is_refused_likewise(tmp_path):
    for file in (DATA / "robust04").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    assert load_scores(tmp_path)["AP"].equals(load_scores("robust04")["AP"])
    pd.DataFrame({"run": range(110)}).to_csv(tmp_path / "systems.tsv", index=False)
    with pytest.raises(InputError, match="systems.tsv is not as it was written .* make it again: "):
        load_scores(tmp_path)
