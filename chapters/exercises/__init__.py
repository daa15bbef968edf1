"""The exercises of all chapters: their checks, the replies to answers, items drawn for practice."""

from chapters.exercises.checks import check, self_check
