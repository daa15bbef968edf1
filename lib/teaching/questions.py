"""Self-checks: multiple-choice questions that answer each choice, in HTML that needs no script.

Each choice is an HTML ``details``: a keyboard opens it, a page without styles shows it, and of the
choices of one question one is open at a time.
"""

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Question", "SelfCheck"]

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
class Question:
    """A question, and what to say to each choice.

    Attributes
    ----------
    text : str
    right : str
        The choice that is right, one of the choices.
    choices : dict of str to str
        Each choice, and the answer to who takes it, in the order in which they stand.

    Raises
    ------
    ValueError
        The right choice is not among the choices, or one has no answer.
    """

    text: str
    right: str
    choices: Mapping[str, str]

    def __post_init__(self):
        if self.right not in self.choices or len(self.choices) < 2:
            raise ValueError(f"{self.text!r}: {self.right!r} is not one of several choices")
        if missing := [choice for choice, answer in self.choices.items() if not answer.strip()]:
            raise ValueError(f"{self.text!r}: no answer to {missing[0]!r}")


@dataclass(frozen=True)
class SelfCheck:
    """The questions of a chapter, to be displayed as the last value of a cell.

    Attributes
    ----------
    name : str
        Of the chapter; the identifiers of the page begin with it.
    questions : sequence of Question

    Examples
    --------
    >>> asked = SelfCheck("sums", [Question("1 + 1?", "2", {"2": "Yes.", "11": "In words."})])
    >>> asked
    Self-check: 1. 1 + 1? (a) 2 (b) 11
    """

    name: str
    questions: Sequence[Question]

    def __repr__(self) -> str:
        texts = [
            f"{number}. {question.text} "
            + " ".join(f"({letter}) {choice}" for letter, choice in zip("abcdef", question.choices))
            for number, question in enumerate(self.questions, 1)
        ]
        return "Self-check: " + " ".join(texts)

    def _repr_html_(self) -> str:
        items = "".join(map(self._item, range(1, len(self.questions) + 1), self.questions))
        return f'{STYLE}<div class="measures self-check">\n<ol>\n{items}</ol>\n</div>\n'

    def _item(self, number, question):
        this = f"self-check-{self.name}-{number}"
        parts = [f'<li id="{this}">\n<p>{html.escape(question.text)}</p>\n']
        for letter, (choice, answer) in zip("abcdef", question.choices.items()):
            sign = "Right." if choice == question.right else "No."
            parts.append(
                f'<details id="{this}-{letter}" name="{this}">'
                f"<summary>{html.escape(choice)}</summary>\n"
                f"<p><strong>{sign}</strong> {html.escape(answer)}</p>\n</details>\n"
            )
        return "".join(parts) + "</li>\n"
