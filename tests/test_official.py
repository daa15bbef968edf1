"""The official scores of TREC 2006 Terabyte: whole, consistent, as described."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from lib.papers.thom2007.tables import official_scores

DATA = Path(__file__).parents[1] / "data"
TABLES = ["terabyte06", "judged", "coverage", "trec"]


def test_every_run_has_the_new_topics_and_the_automatic_runs_all_topics():
    scores = official_scores()
    few, many = scores.xs(50, level="topics"), scores.xs(149, level="topics")
    assert (len(few), len(many)) == (80, 61)
    assert set(many.index) == set(few.index[few["type"] == "automatic"])
    assert (few["type"] == "manual").sum() == 19
    assert scores.drop(columns="type").stack().between(0, 1).all()


@pytest.mark.parametrize(("topics", "depth"), [(50, 10), (149, 10), (50, 100)])
def test_precision_times_depth_and_topics_is_a_whole_number_of_documents(topics, depth):
    """So the number of topics of each row is right.  Four digits tell where they are enough."""
    hits = official_scores().xs(topics, level="topics")[f"P@{depth}"] * depth * topics
    assert (np.abs(hits - hits.round()) <= 0.00005 * depth * topics + 1e-9).all()


@pytest.mark.parametrize("folder", TABLES)
def test_the_data_package_describes_its_table(folder):
    package = json.loads((DATA / folder / "datapackage.json").read_text(encoding="utf-8"))
    assert package["command"] and package["rights"] and package["sources"]
    for resource in package["resources"]:
        raw = (DATA / folder / resource["path"]).read_bytes()
        assert resource["hash"] == "sha256:" + hashlib.sha256(raw).hexdigest()
        header, *rows = raw.decode("utf-8").splitlines()
        assert header.split(",") == [field["name"] for field in resource["schema"]["fields"]]
        assert len(rows) == resource["rows"]
        assert all(field["description"] for field in resource["schema"]["fields"])
    assert f"`data/{folder}/`" in (DATA.parent / "DATA.md").read_text(encoding="utf-8")
