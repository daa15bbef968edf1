"""What the book teaches with: foundations, exercises, editions."""

from lib.teaching.exercises import check
from lib.teaching.questions import self_check

__all__ = ["check", "self_check"]
