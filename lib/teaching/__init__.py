"""What the book teaches with: foundations, exercises, editions."""

from lib.teaching.exercises import check, my, self_check
