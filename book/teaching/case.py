"""The box of the running case: what was decided so far and why, a line a chapter."""

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import yaml  # type: ignore[import-untyped]

from chapters.spending.prose import of_the_case
from lib.paths import ROOT

EARLIER = "What was decided before"


class Box(NamedTuple):
    """What a chapter's box says, each part as Markdown: its head, the lines before, and its own."""

    head: str
    before: list[str]
    own: str


@cache
def _said() -> Mapping[str, Any]:
    return yaml.safe_load((ROOT / "book" / "case.yml").read_text(encoding="utf-8"))


def box(chapter: str) -> Box:
    """Return the box of a chapter, by the name of its notebook.

    >>> box("01-precision-at-ten").before[0][:28]
    '**0.** **Name the reader fir'
    """
    said, numbers = _said(), of_the_case()
    names = list(said["lines"])
    *before, own = (
        f"**{number}.** {said['lines'][name].format_map(numbers)}"
        for number, name in enumerate(names[: names.index(chapter) + 1])
    )
    return Box(said["head"].strip(), before, own)
