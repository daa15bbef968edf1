"""Every edition runs from an empty folder: the chapters that test_editions_run.py leaves.

These are a file of their own so that two workers can share them.
"""

import pytest
from editions import CHAPTERS, runs_from_an_empty_folder


@pytest.mark.parametrize("chapter", CHAPTERS[4:])
def test_an_edition_runs_from_an_empty_folder(chapter, tmp_path, monkeypatch):
    runs_from_an_empty_folder(chapter, tmp_path, monkeypatch)
