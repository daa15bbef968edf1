"""Reading runs and judgements: what messages quote, and which file is which system's."""

import pytest

from lib.collection import derive, read_run
from lib.collection.by_topic import read_topic_scores
from lib.collection.trec import run_files
from lib.errors import InputError, InputWarning


# What else is wrong with a file is in bad_input.py.
@pytest.mark.parametrize(
    ("score", "shown"), [(b"9" * 80 + b"x", "9" * 56 + "..."), (b"\xff", r"\\xff")]
)
def test_a_message_quotes_what_is_wrong_in_short(score, shown, tmp_path):
    (tmp_path / "run").write_bytes(b"1 Q0 a 1 " + score + b" t\n")
    with pytest.raises(InputError) as caught:
        read_run(tmp_path / "run")
    message = str(caught.value).removeprefix(f"{tmp_path / 'run'}")
    assert message.startswith(f", line 1: score '{shown}") and len(message) < 120


@pytest.mark.parametrize("topic", ["\x1b[31m1", "\u202e1", "1\u200b1"])
def test_a_topic_that_a_terminal_would_obey_is_refused(topic, tmp_path):
    """So that it stands in no table, however that is written."""
    (tmp_path / "run").write_text(f"1 Q0 a 1 1 t\n{topic} Q0 a 1 1 t\n", encoding="utf-8")
    (tmp_path / "qrels").write_text("1 0 a 1\n", encoding="utf-8")
    (tmp_path / "scores").write_text(f"map\t{topic}\t0.5\n", encoding="utf-8")
    readers = (
        lambda: derive(tmp_path / "run", tmp_path / "qrels"),
        lambda: read_run(tmp_path / "run"),
        lambda: read_topic_scores(tmp_path / "scores"),
    )
    for reads in readers:
        with pytest.raises(InputError, match="holds what cannot be printed"):
            reads()


def test_entries_that_begin_with_a_hash_are_noted_once_a_file(tmp_path):
    (tmp_path / "run").write_text("1 Q0 a 1 1 t\n#2 Q0 a 1 1 t\n#2 Q0 b 2 0 t\n# me\n", "utf-8")
    with pytest.warns(InputWarning) as said:
        assert read_run(tmp_path / "run") == {"1": [b"a"]}
    assert len(said) == 1
    assert str(said[0].message).endswith(
        "line 2: begins with #, so it is passed over, and 1 more like it"
    )


def test_a_message_counts_the_entries_of_json(tmp_path):
    (tmp_path / "run").write_text('{"1": {"a": 1, "b": "x"}}', encoding="utf-8")
    with pytest.raises(InputError, match="entry 2: score 'x'"):
        read_run(tmp_path / "run")


def test_a_folder_lists_its_runs_in_the_order_of_their_systems(tmp_path):
    for name in ["input.b", "c.gz", "a", ".hidden", "input.B"]:
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "folder").mkdir()
    assert list(run_files(tmp_path).items()) == [
        ("B", tmp_path / "input.B"),
        ("a", tmp_path / "a"),
        ("b", tmp_path / "input.b"),
        ("c", tmp_path / "c.gz"),
    ]
