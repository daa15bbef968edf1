"""Self-checks: multiple-choice questions that answer each choice, in HTML that needs no script.

Each choice is an HTML ``details``: a keyboard opens it, a page without styles shows it, and of the
choices of one question one is open at a time.
"""

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lib.teaching.exercises import lesson

STYLE = """<style>
.self-check > ol { padding-left: 1.4em }
.self-check > ol > li { margin: 0 0 1.2rem }
.self-check > ol > li > p { margin: 0 0 .4rem }
.self-check details { margin: .15rem 0; padding: 0 0 0 .2rem; border: 0; box-shadow: none }
.measures.self-check summary { cursor: pointer; width: auto; font-size: 1em }
.self-check details > p { margin: .2rem 0 .6rem 1.1rem; padding-left: .8rem;
  border-left: 3px solid var(--pst-color-border, #888) }
</style>
"""


@dataclass(frozen=True)
class SelfCheck:
    """The questions of a chapter, to be displayed as the last value of a cell.

    Examples
    --------
    >>> choices = [{"choice": "2", "say": "Yes.", "right": True}, {"choice": "11", "say": "No."}]
    >>> SelfCheck("sums", [{"question": "1 + 1?", "choices": choices}])
    Self-check: 1. 1 + 1? (a) 2 (b) 11
    """

    name: str
    questions: Sequence[Mapping[str, Any]]

    def __repr__(self) -> str:
        texts = [
            f"{number}. {asked['question']} "
            + " ".join(
                f"({letter}) {each['choice']}" for letter, each in zip("abcdef", asked["choices"])
            )
            for number, asked in enumerate(self.questions, 1)
        ]
        return "Self-check: " + " ".join(texts)

    def _repr_html_(self) -> str:
        items = "".join(self._item(i, asked) for i, asked in enumerate(self.questions, 1))
        return f'{STYLE}<div class="measures self-check">\n<ol>\n{items}</ol>\n</div>\n'

    def _item(self, number, asked):
        this = f"self-check-{self.name}-{number}"
        parts = [f'<li id="{this}">\n<p>{html.escape(asked["question"])}</p>\n']
        for letter, each in zip("abcdef", asked["choices"]):
            sign = "Right." if each.get("right") else "No."
            parts.append(
                f'<details id="{this}-{letter}" name="{this}">'
                f"<summary>{html.escape(each['choice'])}</summary>\n"
                f"<p><strong>{sign}</strong> {html.escape(each['say'])}</p>\n</details>\n"
            )
        return "".join(parts) + "</li>\n"


def self_check(name: str) -> SelfCheck:
    """Return the questions of a chapter's lesson, each choice with its answer.

    Examples
    --------
    >>> len(self_check("foundations").questions)
    5
    """
    return SelfCheck(name, lesson(name)["questions"])
