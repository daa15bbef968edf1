"""A laboratory of conventions: tiny runs that score otherwise under each rule that a tool may have.

What tools say to the same runs is kept in ``data/conventions``: they are not needed to read on.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TypeAlias

import numpy as np
import pandas as pd

from lib.collection import Collection
from lib.measures import means
from lib.paths import DATA

__all__ = ["CASES", "Case", "TOOLS", "page", "who"]

Run: TypeAlias = Mapping[str, Sequence[tuple[str, float]]]  # topic to (document, score)
Judgements: TypeAlias = Mapping[str, Mapping[str, int]]

TOOLS = DATA / "conventions" / "tools.csv"
CLOSE = 6e-5  # scores that differ by less are the same: some tools print four or five decimals


@dataclass(frozen=True)
class Case:
    """A question that tools answer in more than one way, and a run that shows which way.

    Attributes
    ----------
    title, text : str
        The question, and why the answer matters.
    measures : tuple of str
        What the run is scored by.
    run : dict of str to sequence of (str, float)
        Topic to documents and scores, in the order of the file.
    judgements : dict of str to dict of str to int
    rules : dict of str to callable
        The possible answers; each gives the score by a measure.
    """

    title: str
    text: str
    measures: tuple[str, ...]
    run: Run
    judgements: Judgements
    rules: Mapping[str, Callable[[str], float]]


def _score(lists, judgements, measure, missing="zero"):
    """Return the mean score of one system's lists."""
    toy = Collection.from_rankings({"A": lists}, judgements)
    return float(means(toy, [measure], missing=missing).iloc[0, 0])


def _by(lists, judgements, *, name="{}", missing="zero"):
    """Return a rule: the score of some lists, by a measure or by a variant of it."""
    return lambda measure: _score(lists, judgements, name.format(measure), missing)


def _any_order(measure):
    """Return the mean over all orders of the three tied documents."""
    return float(np.mean([_score({"1": list(o)}, TIED, measure) for o in permutations("abc")]))


TIED = {"1": {"a": 1, "b": 0, "c": 0}}
CLOSE_CALL = {"1": {"a": 1, "b": 0}}
TWO_TOPICS = {"1": {"a": 1, "b": 0}, "2": {"c": 1}}
NOTHING = {"1": {"a": 1, "b": 0}, "2": {"c": 0, "d": 0}}
SECOND = {"1": {"b": 1}}
GRADES = {"1": {"a": 1, "b": 2}}
THREE = {"1": {"a": 1, "b": 0, "c": 1, "d": 1}}
AT_TWO = {"1": {"a": 0, "b": 1}}


def _exponential(_):
    """nDCG of grades 1, 2 with gains 2**grade - 1."""
    discount = np.log2([2, 3])
    return float((np.array([1, 3]) / discount).sum() / (np.array([3, 1]) / discount).sum())


CASES: dict[str, Case] = {
    "ties": Case(
        "Equal scores",
        "Which of several documents with one score stands first? Runs with few distinct scores "
        "(Boolean search, rounded scores) hang on it.",
        ("RR", "RBP(p=0.5,rel=1)"),
        {"1": [("b", 1.0), ("a", 1.0), ("c", 1.0)]},
        TIED,
        {
            "by name, last first": _by({"1": ["c", "b", "a"]}, TIED),
            "by name, first first": _by({"1": ["a", "b", "c"]}, TIED),
            "as in the file": _by({"1": ["b", "a", "c"]}, TIED),
            "the mean over all orders": _any_order,
        },
    ),
    "precision": Case(
        "Precision of scores",
        "Are 1.00000001 and 1 equal? As floating-point numbers of 32 bits they are, and then the "
        "rule for ties decides.",
        ("RR",),
        {"1": [("a", 1.00000001), ("b", 1.0)]},
        CLOSE_CALL,
        {
            "double: they differ": _by({"1": ["a", "b"]}, CLOSE_CALL),
            "single: they tie": _by({"1": ["b", "a"]}, CLOSE_CALL),
        },
    ),
    "missing": Case(
        "A topic without an answer",
        "The run has no line for topic 2. Does it count in the mean? If not, a system does well to "
        "keep quiet on hard topics. (pytrec_eval gives scores of topics; here is their mean.)",
        ("RR",),
        {"1": [("a", 2.0), ("b", 1.0)]},
        TWO_TOPICS,
        {
            "it scores 0": _by({"1": ["a", "b"]}, TWO_TOPICS),
            "it is left out": _by({"1": ["a", "b"]}, TWO_TOPICS, missing="answered"),
        },
    ),
    "nothing": Case(
        "A topic without a relevant document",
        "Nobody can do well on topic 2, and nobody badly.",
        ("RR",),
        {"1": [("a", 2.0), ("b", 1.0)], "2": [("c", 2.0), ("d", 1.0)]},
        NOTHING,
        {
            "it scores 0": _by({"1": ["a", "b"], "2": ["c", "d"]}, NOTHING),
            "it is left out": _by({"1": ["a", "b"]}, {"1": NOTHING["1"]}),
        },
    ),
    "unjudged": Case(
        "Unjudged documents",
        "The first document was never judged.",
        ("RR",),
        {"1": [("a", 2.0), ("b", 1.0)]},
        SECOND,
        {
            "not relevant": _by({"1": ["a", "b"]}, SECOND),
            "taken out of the list": _by({"1": ["b"]}, SECOND),
        },
    ),
    "threshold": Case(
        "The threshold",
        "From which grade on is a document relevant, for a measure that knows yes and no only? "
        "The first document has grade 1.",
        ("P@1",),
        {"1": [("a", 2.0), ("b", 1.0)]},
        GRADES,
        {
            "grade 1": _by({"1": ["a", "b"]}, GRADES),
            "grade 2": _by({"1": ["a", "b"]}, GRADES, name="P(rel=2)@1"),
        },
    ),
    "denominator": Case(
        "What AP divides by",
        "AP at depth 2. Three documents are relevant, one of them is among the first two.",
        ("AP@2",),
        {"1": [("a", 4.0), ("b", 3.0), ("c", 2.0)]},
        THREE,
        {
            "all relevant documents": _by({"1": ["a", "b", "c"]}, THREE),
            "as many as two ranks can hold": _by({"1": ["a", "b", "c"]}, THREE, name="a{}"),
            "those found": lambda m: 3 * _score({"1": ["a", "b", "c"]}, THREE, m),
        },
    ),
    "discount": Case(
        "nDCG's discount",
        "The only relevant document is at rank 2. Does rank 2 cost anything?",
        ("nDCG",),
        {"1": [("a", 2.0), ("b", 1.0)]},
        AT_TWO,
        {
            "log2(rank + 1)": _by({"1": ["a", "b"]}, AT_TWO),
            "log2(rank), none before rank 3": _by(
                {"1": ["a", "b"]}, AT_TWO, name="{}(discount=2002)"
            ),
        },
    ),
    "gain": Case(
        "nDCG's gain",
        "Grade 1 stands above grade 2. Is grade 2 worth twice as much, or three times?",
        ("nDCG@2",),
        {"1": [("a", 2.0), ("b", 1.0)]},
        GRADES,
        {"the grade": _by({"1": ["a", "b"]}, GRADES), "2^grade - 1": _exponential},
    ),
}


def who(name: str, *, tools: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return the rules of a case, what they score, and who has each.

    Parameters
    ----------
    name : str
        Of the case.
    tools : DataFrame, columns case, tool, call, measure, score, optional
        What tools say; by default the committed table.

    Returns
    -------
    DataFrame
        Columns measure, rule, score and tools: a list of calls, "tool: call".

    Raises
    ------
    ValueError
        A tool's score is that of no rule, or two rules score the same.

    Examples
    --------
    >>> who("missing").set_index("rule")["score"].to_dict()
    {'it scores 0': 0.5, 'it is left out': 1.0}
    """
    tools = pd.read_csv(TOOLS, keep_default_na=False) if tools is None else tools
    case, rows = CASES[name], []
    for measure in case.measures:
        said = tools[(tools["case"] == name) & (tools["measure"] == measure)]
        scores = {rule: score(measure) for rule, score in case.rules.items()}
        values = sorted(scores.values())
        if np.diff(values).min() < 2 * CLOSE:
            raise ValueError(f"{name}, {measure}: two rules score the same")
        for rule, score in scores.items():
            same = said[(said["score"] - score).abs() < CLOSE]
            calls = [f"{tool}: `{call}`" for tool, call in zip(same["tool"], same["call"])]
            rows.append((measure, rule, score, calls))
        if sum(len(row[3]) for row in rows[-len(scores) :]) < len(said):
            raise ValueError(f"{name}, {measure}: a tool follows none of the rules")
    return pd.DataFrame(rows, columns=["measure", "rule", "score", "tools"])


def page() -> str:
    """Return the laboratory as a page of the book, in Markdown."""
    lines = [
        "(conventions)=",
        "# A laboratory of conventions",
        "",
        "Two tools can print two numbers for the same run and the same judgements, and both can be "
        "right: they follow different rules.",
        "Each run here is so small that its score tells the rule.",
        "The tools were called, not read: "
        "[pytrec_eval](https://github.com/terrierteam/pytrec_eval), which is the code of "
        "trec_eval 9 behind Python, and [ir_measures](https://ir-measur.es), which calls others "
        "in turn.",
        "*This book* is its library on the same files.",
        "A rule without a name beside it is one that none of these has.",
        "",
        "This page is generated: `python -m lib reference --write` makes it; what the tools say is "
        "in `data/conventions`.",
        "",
    ]
    for name, case in CASES.items():
        lines += [f"(conventions-{name})=", f"## {case.title}", "", case.text, ""]
        lines += [*_given(case), ""]
        for measure, rows in who(name).groupby("measure", sort=False):
            lines += [f"By {measure}:", "", "| rule | score | who |", "|---|---:|---|"]
            for row in rows.itertuples():
                tools = "; ".join(row.tools) or "\u2013"
                lines.append(f"| {_plain(row.rule)} | {row.score:.3f} | {tools} |")
            lines.append("")
    return "\n".join(lines)


def _given(case):
    """Return the run and the judgements as two sentences."""
    run = "; ".join(
        f"topic {topic}: " + ", ".join(f"{document} {score!r}" for document, score in lines)
        for topic, lines in case.run.items()
    )
    judged = "; ".join(
        f"topic {topic}: " + ", ".join(f"{document} {grade}" for document, grade in of.items())
        for topic, of in case.judgements.items()
    )
    return [
        f"The run, documents with scores, in the order of the file: {run}."
        f"\nThe judgements, documents with grades: {judged}."
    ]


def _plain(text):
    """Set a rule in Markdown: a power as a power."""
    return text.replace("2^grade - 1", "2^grade \u2212 1").replace("^", "\\^")
