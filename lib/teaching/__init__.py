"""What the book teaches with: its foundations, exercises, questions, reference pages."""

from lib.teaching.lessons import check, self_check

__all__ = ["check", "self_check"]
