"""What is said to an answer of values: entry by entry, with its known mistakes and common slips.

The fields on the pages say the same: their script has the sentences and the names from here.
"""

import math
import operator
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from numbers import Real
from typing import Any, NamedTuple

WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
SAID = {
    "blank": "There is no answer yet.",
    "right": "Right.",
    "else": "Not right yet. The hint of the exercise may help.",
}
SIGNS = {True: "✓", False: "✗", None: "○"}
_FEWER = {str(n): f"Right so far, but give {word} decimals" for n, word in enumerate(WORDS[2:5], 2)}
REPLIES = {  # of an entry, in the order in which they are said
    "right": "Right",
    "percent": "As a share, please, not in percent",
    "sign": "Right but for the sign",
    **_FEWER,
    "exchanged": "Exchanged",
    "nan": "Not a number (nan)",
    "unread": "I cannot read this as a number (write .25, 1/4 or 25%)",
    "unlisted": "I cannot read this as a list of as many as asked (write .2; 1/4; 3)",
    "wrong": "Not right yet",
    "missing": "Missing",
    "more": "Not asked for",
}
WORTH = {"right": 1.0, **dict.fromkeys(_FEWER, 0.5)}  # of an entry: the one rule for marks
RULE = (
    "All answers of a question count the same: one that is right counts whole, one that is right "
    "in fewer decimals than asked counts half, any other counts nothing."
)
# Other names of measures, trec_eval's among them, and of a choice, as `fold` leaves them.
SYNONYMS = {
    "map": "ap",
    "mrr": "rr",
    "reciprank": "rr",
    "precision": "p",
    "recall": "r",
    "ndcgcut": "ndcg",
    "hitrate": "success",
    "iprecatrecall": "iprec",
    "yes": "true",
    "y": "true",
    "no": "false",
    "n": "false",
    "nope": "false",
}
# How a text is rewritten until it is a formula: patterns that Python and a page's script share.
_RAISED = "[⁻⁰¹²³⁴-⁹]"
RAISED = [(f"(?<!{_RAISED})(?={_RAISED})", "^")]
REWRITTEN = [
    (r"^\s*[a-z][-a-z@0-9]*\s*:", ""),  # the answer's name
    (r"[−‐-―]|\bminus\s", "-"),
    ("[⁄÷:]", "/"),
    (r"\*\*", "^"),
    (r"[×∗]|[·⋅](?=\s*10\^)", "*"),
    ("[·⋅٫]", "."),
    ("sqrt", "√"),
    (r"(?:per ?cent|pct)\b", "%"),
    ("['\"`’‘$\\[\\]]", ""),
    (r"^.*=|^\s*[~≈≥≤<>]+", ""),  # what stands before the number, its name or a sign
    (r"^\s*(?:[a-z]{2,}\s+)+(?=[-+.0-9√(])", ""),
    (r"(?<=[0-9a-z%)])(?:[.,;!]|\.{3})\s*$", ""),  # what stands after it: a stop,
    (r"(?<=[0-9%])\s+\(.*\)\s*$", ""),  # a remark or a unit
    (r"(?<=[0-9%)])\s*[a-z]{2,}(?: [a-z]+)?\s*$", ""),
    (r"\b(?:over|(?:out )?of)\b", "/"),
    (r"(?<=[0-9])_(?=[0-9])|\s", ""),
]
LISTED = [(r"^\s*(?:array|from)?[\s\[({]+|[\s\])},;.]+$", ""), (r",?\s+(?:and|to|&)\s+", ", ")]
SEPARATORS = [r"\s*;\s*", r"\s*,\s+|\s+,", ",", r"\s+/\s+", "/", r"\s+[–—-]\s+", r"\s+"]
FORMULA = {
    "token": r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|[-+*/^()√%]",
    # Thousands; they are told from decimals where both are there, or a large number is asked for.
    "grouped": r"^[+-]?[1-9][0-9]{0,2}([.,])[0-9]{3}(?:\1[0-9]{3})*((?!\1)[.,][0-9]+)?$",
}
_OPERATIONS: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


class Reply(NamedTuple):
    """Whether an answer is right, None of none, what to say to it, and how much of it is right.

    >>> Reply(True, "Right.")
    ✓ Right.
    """

    right: bool | None
    message: str
    share: float = 0.0

    def __repr__(self) -> str:
        return f"{SIGNS[self.right]} {self.message}"


def reply(given: Any, right: Any, within: float, wrong: Sequence[Mapping[str, Any]]) -> Reply:
    """Return what to say to an answer of values.

    A mistake of ``wrong`` is recognized by the entries in which its answer is not the right one,
    by half of them if the others are right or blank: so two of them may be named at once.

    >>> right = {"AP": 0.3, "RR": 0.5, "P@5": 0.4}
    >>> rank = {"answer": {"RR": 2}, "say": "RR is 1 over the rank."}
    >>> reply({"AP": "3/10", "RR": "2", "P@5": "40"}, right, 0.0005, [rank]).message
    'RR is 1 over the rank. Right: AP. As a share, please, not in percent: P@5. Not right yet: RR.'
    """
    if not isinstance(right, Mapping):
        wrong = [{"answer": {"": each["answer"]}, "say": each["say"]} for each in wrong]
        given, right = {"": given}, {"": right}
    names = [*right, *(name for name in given if name not in right)]
    if all(blank(given.get(name, ...)) for name in names):
        return Reply(None, SAID["blank"])
    kinds = {name: kind(given.get(name, ...), right.get(name, ...), within) for name in names}
    if all(kinds[name] == "right" for name in right):
        return Reply(True, SAID["right"], 1.0)
    share = sum(WORTH.get(kinds[name], 0) for name in right) / len(right)
    message, explained = _mistakes(given, right, within, wrong)
    kinds |= dict.fromkeys(explained, "wrong")
    for one, other in combinations(right, 2):
        if "right" in (kinds[one], kinds[other]) or {one, other} & explained:
            continue
        pairs = [(given.get(one), right[other]), (given.get(other), right[one])]
        if all(same(*pair, within) for pair in pairs):
            kinds[one] = kinds[other] = "exchanged"
    if "" not in right:
        parts = {each: [str(name) for name in names if kinds[name] == each] for each in REPLIES}
        message += [f"{REPLIES[each]}: {', '.join(some)}." for each, some in parts.items() if some]
    elif kinds[""] != "wrong":
        message.append(f"{REPLIES[kinds['']]}.")
    return Reply(False, " ".join(message) or SAID["else"], share)


def _mistakes(
    given: Any, right: Mapping[str, Any], within: float, wrong: Any
) -> tuple[list[str], set[str]]:
    """Return what is said to the mistakes of an answer, and the entries that they explain."""
    messages: list[str] = []
    explained: set[str] = set()
    for mistake in wrong:
        answer = mistake["answer"]
        entries = {name for name in answer if not same(answer[name], right[name], within)}
        unlike = {name for name in entries if not same(given.get(name), answer[name], within)}
        known = entries - unlike
        others = all(blank(given.get(n)) or same(given[n], right[n], within) for n in unlike)
        if known - explained and others and len(known) >= len(unlike):
            messages.append(mistake["say"])
            explained |= known
    return messages, explained


def kind(given: Any, right: Any, within: float) -> str:
    """Return what is known of one entry, a key of ``REPLIES``.

    >>> answers = ("1/3", ".33", "33", -1 / 3, 0.5, ..., float("nan"))
    >>> [kind(given, 1 / 3, 0.0005) for given in answers]
    ['right', '3', 'percent', 'sign', 'wrong', 'missing', 'nan']
    """
    if right is ...:
        return "more"
    if blank(given):
        return "missing"
    if same(given, right, within):
        return "right"
    given = read(given, right)
    if is_list(given) and is_list(right) and len(given := list(given)) == len(list(right)):
        kinds = {kind(*pair, within) for pair in zip(given, right)} - {"right"}
        return kinds.pop() if len(kinds) == 1 else "wrong"
    if isinstance(given, str) and (is_list(right) or _is_number(right)):
        return "unlisted" if is_list(right) else "unread"
    if not (_is_number(given) and _is_number(right)):
        return "wrong"
    given = float(given)
    if not math.isfinite(given):
        return "nan" if math.isnan(given) else "wrong"
    rounded = 0.5 if abs(given) > 1 else 0
    near = max(100 * within, rounded)
    if right % 1 and abs(right) <= 1 and math.isclose(given, 100 * right, rel_tol=0, abs_tol=near):
        return "percent"
    if same(given, -right, within):
        return "sign"
    asked = decimals(within)
    return str(asked) if any(abs(given - one) < 1e-9 for one in shorter(right, asked)) else "wrong"


def decimals(within: float) -> int:
    """Return how many decimals are asked for where a number may be so far from the right one."""
    return round(-math.log10(2 * within))


def cut(number: float, digits: int) -> float:
    """Return a number without what comes after some decimals."""
    return math.trunc(round(number * 10**digits, 6)) / 10**digits


def shorter(right: float, asked: int) -> list[float]:
    """Return a number with fewer decimals than asked: rounded, a half to either side, or cut off.

    >>> shorter(0.6666, 3), shorter(0.125, 3), shorter(2, 3)
    ([0.7, 0.6, 0.67, 0.66], [0.1, 0.12, 0.13], [])
    """
    if not right % 1:
        return []
    ways = (
        (round(right - 1e-9, n), round(right + 1e-9, n), cut(right, n)) for n in range(1, asked)
    )
    found = dict.fromkeys(one for each in ways for one in each)
    return [one for one in found if one and abs(one - right) > 0.5 * 10**-asked]


def same(given: Any, right: Any, within: float) -> bool:
    """Return whether an answer is the right one, in any form, numbers as far as asked."""
    given = read(given, right)
    if isinstance(given, Mapping) and isinstance(right, Mapping):
        return all(name in given and same(given[name], right[name], within) for name in right)
    if is_list(given) and is_list(right):
        given, right = list(given), list(right)
        return len(given) == len(right) and all(same(*pair, within) for pair in zip(given, right))
    if _is_number(given) and _is_number(right):
        # A little more: the files have six decimals.  Digits may be cut off after those asked for.
        near = math.isclose(given, right, rel_tol=0, abs_tol=within + 1e-6)
        return near or (right % 1 and abs(given - cut(right, decimals(within))) < 1e-9)
    texts = [str(one) for one in (given, right) if isinstance(one, str) or _is_truth(one)]
    return len(texts) == 2 and fold(texts[0]) == fold(texts[1])


def read(given: Any, right: Any) -> Any:
    """Return an answer in the form of the right one: a number that is written, a list of them.

    >>> [read(text, 0.5) for text in ("2/5", "−.5", "0,25", "40 %", "= √.25", "half")]
    [0.4, -0.5, 0.25, 0.4, 0.5, 'half']
    >>> read("1.812 topics.", 1812), read("[1,2, 3]", [1, 2, 3]), read(4, "4")
    (1812.0, [1.0, 2.0, 3.0], '4')
    """
    if isinstance(given, str) and is_list(right):
        plain = _rewritten(given, LISTED)
        for separator in SEPARATORS:
            parts = re.split(separator, plain)
            if len(parts) == len(right):
                values = [read(*pair) for pair in zip(parts, right)]
                if not any(_is_number(one) and isinstance(v, str) for v, one in zip(values, right)):
                    return values
    if isinstance(given, str) and _is_number(right):
        number = _number(given, right)
        return given if number is None else number
    return f"{given:g}" if _is_number(given) and isinstance(right, str) else given


def _rewritten(text: str, patterns: Iterable[tuple[str, str]]) -> str:
    for pattern, by in patterns:
        text = re.sub(pattern, by, text)
    return text


def _number(text: str, right: Any) -> float | None:
    """Return the number that a text writes, if it writes one."""
    plain = unicodedata.normalize("NFKC", _rewritten(text, RAISED)).lower()
    if right > 1 and not right % 1:  # of a count, "4 of 5" says 4
        plain = re.sub(r"\s+(?:out )?of\b.*", "", plain)
    plain = _rewritten(plain, REWRITTEN)
    if plain in WORDS:
        return WORDS.index(plain)
    grouped = re.search(FORMULA["grouped"], plain)
    if grouped and (grouped[2] or (right >= 1000 and not right % 1)):
        plain = plain.replace(grouped[1], "")
    return _value(plain.replace(",", "."))


def _value(formula: str) -> float | None:
    """Return what a formula comes to; None if it is none, or comes to nothing."""
    tokens = re.findall(FORMULA["token"], formula)
    rest = tokens[::-1]

    def single() -> float:
        token = rest.pop()
        if token in "-+√":
            value = single()
            return {"-": -value, "+": value}[token] if token != "√" else math.sqrt(value)
        value = chain("+-") if token == "(" else float(token)
        if token == "(" and rest.pop() != ")":
            raise ValueError
        while rest[-1:] == ["%"]:
            rest.pop()
            value /= 100
        return math.pow(value, single()) if rest[-1:] == ["^"] and rest.pop() else value

    def chain(signs: str) -> float:
        part = single if signs == "*/" else lambda: chain("*/")
        value = part()
        while rest and rest[-1] in signs:
            value = _OPERATIONS[rest.pop()](value, part())
        return value

    try:
        value = chain("+-")
    except (IndexError, ValueError, ArithmeticError, RecursionError):
        return None
    whole = not rest and "".join(tokens) == formula
    return value if whole and math.isfinite(value) else None


def fold(name: str) -> str:
    """Return a name without what may be written in several ways.

    >>> [fold(name) for name in ("P@5", "P_5", "recall_10", "MAP", "Yes")]
    ['p5', 'p5', 'r10', 'ap', 'true']
    """
    plain = re.sub(r"[\s@_.!\-'\"`()\[\]]", "", unicodedata.normalize("NFKC", name).lower())
    word = re.match("[^0-9]*", plain)[0]  # type: ignore[index]
    return SYNONYMS.get(word, word) + plain[len(word) :]


def blank(value: Any) -> bool:
    """Return whether nothing was answered, or anything that was asked for is missing.

    >>> [blank(one) for one in (None, ..., " ", {"AP": 1, "RR": ""}, [1, ..., 3])]
    [True, True, True, True, True]
    >>> [blank(one) for one in (0, "0", {"AP": 0}, [0, 0], {}, False)]
    [False, False, False, False, False, False]
    """
    if value is None or value is ... or (isinstance(value, str) and not value.strip()):
        return True
    if isinstance(value, Mapping):
        return any(map(blank, value.values()))
    return is_list(value) and any(map(blank, value))


def is_list(value: Any) -> bool:
    """Return whether a value is a list, a tuple, an array, or the like of these."""
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping))


def _is_truth(value: object) -> bool:
    return isinstance(value, bool) or type(value).__name__ == "bool"  # numpy's, too


def _is_number(value: object) -> bool:
    return isinstance(value, (Real, Decimal, Fraction)) and not _is_truth(value)
