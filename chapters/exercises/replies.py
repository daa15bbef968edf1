"""What is said to an answer of values: entry by entry, with its known mistakes and common slips.

The fields on the pages say the same: their script has the sentences and the names from here.
"""

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from numbers import Real
from typing import Any, NamedTuple

SAID = {
    "blank": "There is no answer yet.",
    "right": "Right.",
    "else": "Not right yet. The hint of the exercise may help.",
}
_DECIMALS = [f"To {number} decimals, please" for number in ("two", "three", "four")]
SIGNS = {True: "✓", False: "✗", None: "○"}
REPLIES = {  # of an entry, in the order in which they are said
    "right": "Right",
    "percent": "As a share, please, not in percent",
    "sign": "Right but for the sign",
    **dict(zip(("2", "3", "4"), _DECIMALS)),
    "exchanged": "Exchanged",
    "nan": "Not a number (nan)",
    "wrong": "Not right yet",
    "missing": "Missing",
    "more": "Not asked for",
}
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
    "no": "false",
}
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?"
_FORM = re.compile(rf"({_NUMBER})(?:/({_NUMBER}))?(%?)", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+", re.ASCII)


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
        answers = [{"answer": {"": each["answer"]}, "say": each["say"]} for each in wrong]
        return _of_entries({"": given}, {"": right}, within, answers)
    return _of_entries(given, right, within, wrong)


def _of_entries(given: Any, right: Mapping[str, Any], within: float, wrong: Any) -> Reply:
    names = [*right, *(name for name in given if name not in right)]
    if all(blank(given.get(name, ...)) for name in names):
        return Reply(None, SAID["blank"])
    kinds = {name: kind(given.get(name, ...), right.get(name, ...), within) for name in names}
    correct = sum(kinds[name] == "right" for name in right)
    if correct == len(right):
        return Reply(True, SAID["right"], 1.0)
    message, explained = _mistakes(given, right, within, wrong)
    kinds |= dict.fromkeys(explained, "wrong")
    for one, other in combinations(right, 2):
        if not kinds[one] == kinds[other] == "wrong" or {one, other} & explained:
            continue
        pairs = [(given[one], right[other]), (given[other], right[one])]
        if all(same(*pair, within) for pair in pairs):
            kinds[one] = kinds[other] = "exchanged"
    if "" not in right:
        parts = {each: [str(name) for name in names if kinds[name] == each] for each in REPLIES}
        message += [f"{REPLIES[each]}: {', '.join(some)}." for each, some in parts.items() if some]
    elif kinds[""] != "wrong":
        message.append(f"{REPLIES[kinds['']]}.")
    return Reply(False, " ".join(message) or SAID["else"], correct / len(right))


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
    """Return what is known of one entry, a key of ``KINDS``.

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
    return _too_few(given, right, round(-math.log10(2 * within)))


def _too_few(given: float, right: float, digits: int) -> str:
    """Return how many digits were asked for, if a number was rounded, or cut off, before them."""
    for fewer in range(1, digits):
        scale = 10**fewer
        written = abs(given * scale - round(given * scale)) < 1e-6
        cut = abs(given - math.trunc(right * scale) / scale) < 1e-9
        if given and right % 1 and written and (cut or abs(given - right) <= 0.5 / scale + 1e-9):
            return str(digits)
    return "wrong"


def same(given: Any, right: Any, within: float) -> bool:
    """Return whether an answer is the right one, in any form, numbers as far as asked."""
    given = read(given, right)
    if isinstance(given, Mapping) and isinstance(right, Mapping):
        return all(name in given and same(given[name], right[name], within) for name in right)
    if is_list(given) and is_list(right):
        given, right = list(given), list(right)
        return len(given) == len(right) and all(same(*pair, within) for pair in zip(given, right))
    if _is_number(given) and _is_number(right):
        # A little more: the files have six decimals.
        return math.isclose(given, right, rel_tol=0, abs_tol=within + 1e-6)
    texts = [str(one) for one in (given, right) if isinstance(one, str) or _is_truth(one)]
    return len(texts) == 2 and fold(texts[0]) == fold(texts[1])


def read(given: Any, right: Any) -> Any:
    """Return an answer in the form of the right one: a number that is written, a list of them.

    >>> [read(text, 0.5) for text in ("2/5", "−.5", "0,25", "1,812", "40%", "half")]
    [0.4, -0.5, 0.25, 1.812, 0.4, 'half']
    >>> read("(1/2; 1,812)", [0.5, 1812])
    [0.5, 1812.0]
    """
    if isinstance(given, str) and is_list(right):
        parts = re.split(r"\s*;\s*|,\s+|\s+", given.strip("()[] \t\n"))
        return [read(*pair) for pair in zip(parts, right)] if len(parts) == len(right) else given
    if isinstance(given, str) and _is_number(right):
        return _number(given, whole=not right % 1)
    return given


def _number(text: str, *, whole: bool) -> Any:
    """Return the number that a text writes, or else the text; thousands are of whole ones."""
    plain = unicodedata.normalize("NFKC", text).replace("−", "-").replace("⁄", "/")
    plain = re.sub(r"\s", "", plain).lower()
    plain = plain.replace(",", "" if whole and _THOUSANDS.fullmatch(plain) else ".")
    match = _FORM.fullmatch(plain)
    if not match or (match[2] and not float(match[2])):
        return text
    return float(match[1]) / float(match[2] or 1) / (100 if match[3] else 1)


def fold(name: str) -> str:
    """Return a name without what may be written in several ways.

    >>> [fold(name) for name in ("P@5", "P_5", "recall_10", "MAP", "Yes")]
    ['p5', 'p5', 'r10', 'ap', 'true']
    """
    plain = re.sub(r"[\s@_.-]", "", unicodedata.normalize("NFKC", name).lower())
    word = re.match("[^0-9]*", plain)[0]  # type: ignore[index]
    return SYNONYMS.get(word, word) + plain[len(word) :]


def blank(value: Any) -> bool:
    """Return whether nothing was answered, or anything that was asked for is missing."""
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
