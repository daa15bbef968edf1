"""Every edition runs from an empty folder, and its checks know blanks from solutions.

A chapter's two editions have the same code, so it is run once; the solutions are taken from the
folds of the reading edition, and tried in the place of the blanks.
"""

import pytest
from editions import CHAPTERS, code, for_its_checks, runs_from_an_empty_folder, solved

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)


@each_chapter
def test_the_two_editions_of_a_chapter_have_the_same_code(chapter):
    assert code("student", chapter) == code("editions", chapter)


# Long but for a chapter: nbval runs the same cells, and test_no_cell_that_is_removed_sets_what_
# another_reads notices most of what the editions could lose.
@pytest.mark.parametrize(
    "chapter", [CHAPTERS[0], *(pytest.param(one, marks=pytest.mark.long) for one in CHAPTERS[1:])]
)
def test_the_exercises_of_an_edition_run_from_an_empty_folder(chapter, tmp_path, monkeypatch):
    notebook = for_its_checks(solved(chapter))
    assert len(notebook.cells) < len(solved(chapter).cells)
    runs_from_an_empty_folder(notebook, tmp_path, monkeypatch)


# Long: every cell of every edition; the test before notices most of it.
@pytest.mark.long
@each_chapter
def test_a_whole_edition_runs_from_an_empty_folder(chapter, tmp_path, monkeypatch):
    runs_from_an_empty_folder(solved(chapter), tmp_path, monkeypatch)
