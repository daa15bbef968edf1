"""What the book teaches with: foundations, exercises, reference pages, editions, slides."""

from lib.teaching.lessons import check, self_check

__all__ = ["check", "self_check"]
