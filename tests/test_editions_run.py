"""Every edition runs from an empty folder: the first chapters (see test_editions_run_more.py).

A chapter's two editions have the same code, so it is run once; the solutions are taken from the
folds of the reading edition, and tried in the place of the blanks.
"""

import pytest
from editions import CHAPTERS, code, runs_from_an_empty_folder


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_two_editions_of_a_chapter_have_the_same_code(chapter):
    assert code("student", chapter) == code("editions", chapter)


@pytest.mark.parametrize("chapter", CHAPTERS[:4])
def test_an_edition_runs_from_an_empty_folder(chapter, tmp_path, monkeypatch):
    runs_from_an_empty_folder(chapter, tmp_path, monkeypatch)
