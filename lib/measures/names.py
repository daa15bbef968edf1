"""Names of measures: how a measure is defined, and how its name is read."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from inspect import Parameter, signature
from numbers import Real
from typing import Any, TypeAlias

import numpy as np

from lib import pandas_later as pd
from lib.collection import Collection, Relevance, a_collection
from lib.collection.collection import Unframed
from lib.errors import InputError, did_you_mean

Scores: TypeAlias = "pd.DataFrame"  # topics x systems


def arithmetic(total: Any, topics: Any) -> Any:
    """Return the mean of scores over topics, of their sum."""
    return total / topics


def geometric(total: Any, topics: Any) -> Any:
    """Return the geometric mean of scores, of the sum of their logarithms."""
    return np.exp(total / topics)


def summed(total: Any, topics: Any) -> Any:
    """Return the sum of scores itself: of what is counted over all topics."""
    return total


@dataclass(frozen=True)
class Definition:
    """The definition of a measure: what it says about itself.

    Attributes
    ----------
    score : callable
        From a collection and options to scores.
    options : dict of str to Parameter
        Its arguments that may stand in parentheses.
    cutoff : Parameter or None
        Its argument after the ``@``.
    unanswered : float
        Score of a topic that a system did not answer: that of an empty list.
    average : callable
        From the sum of scores over topics, and how many these are, to one number a system.
    most : float
        The highest score, or infinity; the lowest is 0.  Of GMAP it is that of the mean.
    judged : bool
        Whether it asks for the judged non-relevant documents one by one.
    about : str
        What it is, where its function says that of another measure.
    proportional : bool
        Whether twice as many relevant documents score twice as much, wherever they stand.
    """

    score: Callable[..., Scores]
    options: Mapping[str, Parameter]
    cutoff: Parameter | None
    unanswered: float
    average: Callable[[Any, Any], Any]
    most: float
    judged: bool
    proportional: bool
    about: str = ""

    def mean(self, scores: Scores) -> pd.Series:
        """Return one number a system, of the topics that have a score."""
        return self.average(scores.sum(), scores.count())

    def on_scale(self, scores: Scores) -> Scores:
        """Return scores without what rounding adds beyond the scale, of which GMAP's is log AP."""
        if self.average is geometric:
            return scores.clip(None, np.log(self.most))
        # Of a frame np.asarray makes a copy.
        values = scores if isinstance(scores, np.ndarray) else scores.to_numpy()
        low = np.fmin.reduce(values, axis=None, initial=np.inf)  # not NaN
        high = np.fmax.reduce(values, axis=None, initial=-np.inf)
        if low < -_ROUNDING or high > self.most + _ROUNDING:
            raise ValueError(f"scores {low:g} to {high:g}, beyond its scale, 0 to {self.most:g}")
        return scores if 0 <= low and high <= self.most else scores.clip(0, self.most)


# How an argument is written, by its type, and read.  Python reads more as a number than what is one
# everywhere: 1_0, or the digits of other scripts.
_WHOLE = r"[0-9]{1,9}", int
_KINDS: dict[Any, tuple[str, Callable[[str], Any]]] = {
    int: _WHOLE,
    int | None: _WHOLE,
    float: (r"([0-9]+\.?|[0-9]*\.[0-9]+)([eE]-?[0-9]{1,3})?", float),
    str: (r"\w+|'\w+'|\"\w+\"", lambda text: text.strip("'\"")),
}
# The same where a file's annotations are text: from __future__ import annotations.
_AS_TEXT: dict[Any, Any] = {getattr(kind, "__name__", str(kind)): kind for kind in _KINDS}
_ROUNDING = 1e-6  # what a score may lie beyond its scale
_DEFINITIONS: dict[str, Definition] = {}
_ALIASES: dict[str, str] = {}  # what others call them, in small letters
_OTHER_OPTIONS = {"dcg=log2": "", "dcg=exp-log2": "gain=exp"}  # of ir_measures; ours say less
_JUDGED_ONLY = "say --judged-only; in Python, score judged_alone(collection)"
_COUNTS = "counts judgements, and nothing of a run; derive prints them"
_ANSWERS = {"judged_only=true": _JUDGED_ONLY, "num_rel": _COUNTS, "numrel": _COUNTS}
_ANSWERS["ndcg_burges"] = "ranx's, with gain 2^g - 1, is nDCG(gain=exp) here"


def measure(
    name: str,
    *others: str,
    unanswered: float,
    average: Callable[[Any, Any], Any] = arithmetic,
    most: float = 1,
    judged: bool = False,
    about: str = "",
    proportional: bool = False,
    **fixed: Any,
) -> Callable[[Callable[..., Scores]], Callable[..., Scores]]:
    """Return a decorator that makes a measure of a function of a collection, by a name.

    Parameters
    ----------
    name : str
        Letters and digits, such as ``"Found"``; whatever takes measures takes ``"Found"`` then,
        and with a cutoff ``"Found@10"``.
    *others : str
        Names that trec_eval, ir_measures and ranx have for the measure, in small letters.
    unanswered : float
        Score of a topic that a system did not answer: that of an empty list.
    average : callable
        From the sum of scores over topics, and how many these are, to one number a system.
    most : float
        The highest score there can be, or infinity; the lowest is 0.
    judged : bool
        Whether it asks for the judged non-relevant documents one by one.
    about : str
        What it is, where its function says that of another measure.
    proportional : bool
        Whether twice as many relevant documents score twice as much, wherever they stand.
    **fixed
        Arguments of the function that the name stands for, as any that is true or false must be.

    Returns
    -------
    callable
        It returns the function, which takes a Collection and returns scores (topics x
        systems).  Its keyword arguments with a type are what the name can say: ``k`` or ``recall``
        after the ``@``, other numbers and texts in parentheses.

    Raises
    ------
    InputError
        No such name, or that of another measure.

    Examples
    --------
    >>> @measure("Found", unanswered=0)
    ... def found(collection, *, k: int):
    ...     hits = collection.relevance()
    ...     return collection.frame(hits.count(hits.top(k)) > 1)  # two among the first k
    >>> parse("Found@3")(example()).loc["t", "A"]
    np.float64(1.0)
    """

    def define(function: Callable) -> Callable:
        was = getattr(_DEFINITIONS.get(name), "score", function)
        known = getattr(was, "func", was).__module__ != function.__module__
        if known or _ours(name) != name or not re.fullmatch(r"\w+", name, re.ASCII):
            raise InputError(f"measure {name!r}: take another name, of letters, that is not known")
        facts = {}
        for name_of, argument in signature(function).parameters.items():
            kind = _AS_TEXT.get(argument.annotation, argument.annotation)
            if kind in _KINDS and name_of not in fixed:
                facts[name_of] = argument.replace(annotation=kind)
        cutoff = facts.pop("k", None) or facts.pop("recall", None)
        vars(function)["measure_name"] = name
        score = partial(function, **fixed) if fixed else function
        _ALIASES.update(dict.fromkeys(others, name))
        _DEFINITIONS[name] = Definition(
            score, facts, cutoff, unanswered, average, most, judged, proportional, about
        )
        _read.cache_clear()
        return function

    return define


def known() -> tuple[str, ...]:
    """Return the names of all measures, in the order of their definition."""
    return tuple(_DEFINITIONS)


_FORM = re.compile(
    r"(?P<name>[\w-]+?)(\((?P<options>[^()]*)\))?(@(?P<cutoff>[0-9.]+))?", flags=re.ASCII
)


@dataclass(frozen=True)
class Measure:
    """A measure with its options, made by :func:`parse`; ``str`` gives its name back.

    Attributes
    ----------
    name : str
        Ours, such as ``"AP"``.
    options : tuple of (str, object)
        What stands in parentheses, in alphabetical order.
    cutoff : int, float or None
        What stands after the ``@``: a depth, or of IPrec a recall level.

    Examples
    --------
    >>> measure = parse("RBP( p=.95 )@100")
    >>> str(measure), measure.cutoff
    ('RBP(p=0.95)@100', 100)
    >>> parse("P@2")(example()).loc["t", "A"]
    np.float64(0.5)
    """

    name: str
    options: tuple = ()
    cutoff: float | None = None

    def __str__(self) -> str:
        options = ",".join(f"{key}={value}" for key, value in self.options)
        cutoff = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"{self.name}({options}){cutoff}" if options else f"{self.name}{cutoff}"

    @property
    def definition(self) -> Definition:
        """The definition of the measure."""
        return _DEFINITIONS[self.name]

    def __call__(self, collection: Collection) -> Scores:
        """Score a collection.

        Parameters
        ----------
        collection : Collection
            Runs and judgements.

        Returns
        -------
        DataFrame (topics x systems)
            NaN where a system did not answer the topic.

        Raises
        ------
        InputError
            An option out of its range, no collection, or one without what the measure needs.
        """
        a_collection(collection)
        definition, bare = self.definition, isinstance(collection, Unframed)
        arguments = dict(self.options)
        if definition.cutoff and self.cutoff is not None:
            arguments[definition.cutoff.name] = self.cutoff

        def scored(of: Collection) -> Scores:
            scores = definition.score(of, **arguments)
            if not isinstance(scores, np.ndarray if bare else pd.DataFrame):
                what = type(scores).__name__
                raise ValueError(f"returned {what}; return collection.frame(array)")
            return definition.on_scale(scores)

        try:  # one's own can be defined anew
            table, topics = collection.topicwise((self, definition.score), scored)
        except ValueError as error:
            raise InputError(f"measure {str(self)!r}: {error}") from error
        return table if bare else table.iloc[topics]


def parse(text: Any) -> Measure:
    """Return the :class:`Measure` that a name stands for, of ours or as others write it.

    Parameters
    ----------
    text : str or Measure, or what has such a text
        A name, such as ``"AP(rel=2)@100"``; blanks do not count.  A measure of ir_measures has one,
        and so has a function that :func:`measure` named.

    Returns
    -------
    Measure
        What was given, where it is one already.

    Raises
    ------
    InputError
        An unknown measure or option, a cutoff that is missing or too much.

    Examples
    --------
    >>> parse("AP(rel=2)@100")
    Measure(name='AP', options=(('rel', 2),), cutoff=100)
    >>> [str(parse(name)) for name in ("map", "ndcg_cut_10", "P@10(rel=2)", "iprec_at_recall_0.50")]
    ['AP', 'nDCG@10', 'P(rel=2)@10', 'IPrec@0.5']
    >>> parse("nCDG@10")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    lib.errors.InputError: measure 'nCDG@10': unknown name; did you mean 'nDCG'? known are P, ...
    """
    if isinstance(text, Measure):
        return text
    asked, text = text, _label(text)
    if not isinstance(asked, str) and (isinstance(asked, Real) or not _FORM.fullmatch(text)):
        own = ", or a function below @lib.measure(NAME, unanswered=0)"
        shown = getattr(asked, "__name__", asked)
        raise InputError(f"measure {shown!r}: a name is text, such as 'P@10'{own}")
    return _read(text)


@lru_cache
def _read(text: str) -> Measure:
    """Return the measure of a name, which is read once, until a measure is defined."""
    form = _FORM.fullmatch(_ours(text.replace(" ", "")))
    if not form:
        raise InputError(f"measure {text!r}: not of the form Name(option=value)@cutoff")
    for word in (form["name"].lower(), *(form["options"] or "").lower().split(",")):
        if answer := _ANSWERS.get(word):
            raise InputError(f"measure {text!r}: {answer}")
    if form["name"] not in _DEFINITIONS:
        like = did_you_mean(form["name"], [*known(), *_ALIASES]) or ";"
        names = f"known are {', '.join(known())}, and in Python what @lib.measure(NAME) defines"
        raise InputError(f"measure {text!r}: unknown name{like} {names}")
    allowed = _DEFINITIONS[form["name"]].options
    options = {}
    for option in form["options"].split(",") if form["options"] else ():
        option = _OTHER_OPTIONS.get(re.sub("[\"']", "", option), option)
        if not option:
            continue
        key, _, value = option.partition("=")
        if key not in allowed:
            takes = ", ".join(sorted(allowed)) or "no options"
            raise InputError(f"measure {text!r}: takes {takes}, not {key!r}")
        if key in options:
            raise InputError(f"measure {text!r}: says {key} twice")
        pattern, read = _KINDS[allowed[key].annotation]
        if not re.fullmatch(pattern, value, re.ASCII):
            raise InputError(f"measure {text!r}: {key} cannot be {value!r}")
        options[key] = read(value)
    for key, argument in allowed.items():
        if argument.default is Parameter.empty and key not in options:
            raise InputError(f"measure {text!r}: needs {key}, as in {form['name']}({key}=...)")
    return Measure(form["name"], tuple(sorted(options.items())), _cutoff(text, form))


# One measure, several, or several by labels of one's own.
Measures: TypeAlias = str | Measure | Iterable[str | Measure] | Mapping[str, str | Measure]


def labelled(measures: Measures, read: Callable[[Any], Any] = parse) -> dict[str, Any]:
    """Return measures by their labels, or else by their names as they were asked for.

    >>> labelled("map"), list(labelled(["map", "P@10"])), list(labelled({"MAP": "AP"}))
    ({'map': Measure(name='AP', options=(), cutoff=None)}, ['map', 'P@10'], ['MAP'])
    """
    if isinstance(measures, Mapping):
        asked = dict(measures)
    elif isinstance(measures, Iterable) and not isinstance(measures, str):
        asked = {_label(measure): measure for measure in measures}
    else:
        asked = {_label(measures): measures}
    if not asked:
        raise InputError("no measure is named; lib.complete_scores(collection, names) has scores")
    return {label: read(measure) for label, measure in asked.items()}


def _label(measure: Any) -> str:
    """Return the name under which a measure is asked for: of a function, that of its decorator."""
    return str(getattr(measure, "measure_name", measure))


def as_ours(name: Any) -> str | None:
    """Return our name of a measure, as another tool may write it, or None where it is none.

    >>> as_ours("ndcg_cut_10"), as_ours("mine")
    ('nDCG@10', None)
    """
    try:
        return str(parse(name))
    except InputError:
        return None


def scale_of(name: str) -> tuple[float, float]:
    """Return the least and the most that a topic can score; what is no measure of ours has no end.

    Rows of GMAP may be logarithms.

    >>> scale_of("map"), scale_of("mine")
    ((0.0, 1.0), (-inf, inf))
    """
    if (ours := as_ours(name)) is None:
        return -math.inf, math.inf
    return -math.inf if ours == "GMAP" else 0.0, float(parse(ours).definition.most)


def averaged(table: Scores, measure: str) -> Scores:
    """Return scores as they are averaged: by GMAP, whose rows have AP, its logarithms.

    pytrec_eval has the logarithms, which are never above 0.
    """
    gmap = Measure("GMAP")
    if as_ours(measure) != str(gmap) or table.lt(0).any(axis=None):
        return table
    return np.log(table.clip(lower=np.exp(gmap.definition.unanswered)))


def _ours(text: str) -> str:
    """Return the name of a measure as we write it: ``P_10(rel=2)`` is ``P(rel=2)@10``."""
    cutoff = r"^([a-zA-Z_-]+?)(?:_at_|[_.])([0-9]+(\.[0-9]+)?)(?=$|\()"
    text = re.sub(cutoff, r"\1@\2", text, flags=re.ASCII)
    text = re.sub(r"^([a-zA-Z_-]+)-l([0-9]+)(?=$|@)", r"\1(rel=\2)", text, flags=re.ASCII)  # ranx
    text = re.sub(r"^([^(@]+)(@[0-9.]+)(\(.*\))$", r"\1\3\2", text)
    text = re.sub(r"^NumRet(?=\(rel)", "NumRelRet", text)  # ir_measures
    name = re.split("[(@]", text, maxsplit=1)[0]
    if name in _DEFINITIONS:
        return text
    folded = {one.lower(): one for one in reversed(_DEFINITIONS)} | _ALIASES
    return folded.get(name.lower(), name) + text[len(name) :]


def _cutoff(text: str, form: re.Match[str]) -> int | float | None:
    argument, cutoff = _DEFINITIONS[form["name"]].cutoff, form["cutoff"]
    if cutoff is None:
        if argument and argument.default is Parameter.empty:
            raise InputError(f"measure {text!r}: needs a cutoff, as in {form['name']}@...")
        return None
    if not argument:
        raise InputError(f"measure {text!r}: takes no cutoff")
    share = argument.name == "recall"
    try:
        value = float(cutoff) if share else int(cutoff)
    except ValueError:
        value = -1
    if not (0 <= value <= 1 if share else 1 <= value < 2**31):
        raise InputError(f"measure {text!r}: the cutoff cannot be {cutoff!r}")
    return value


# What the equations of the measures share.


def example() -> Collection:
    """Return the collection that the examples of the measures score.

    >>> example()
    Collection('toy': 1 systems, 1 topics, 3 relevant documents, 2 hits)
    """
    judged = {"r": 1, "s": 1, "missed": 1, "x": 0, "y": 0}
    return Collection.from_rankings({"A": {"t": ["r", "x", "s", "u"]}}, {"t": judged}, judged=True)


def bound(k: int | None) -> float:
    """Return k as a bound for ranks; None is no bound."""
    if k is None:
        return np.inf
    if k < 1:
        raise ValueError(f"the depth k must be 1 or more, not {k}")
    return k


def ratio(numerator: Any, divisor: np.ndarray) -> Any:
    """Divide an array or a table; 0 where the divisor, and so the numerator, is 0."""
    return numerator / np.where(divisor > 0, divisor, 1)


def nonrelevant_above(collection: Collection, hits: Relevance, measure: str) -> np.ndarray:
    """Return how many judged non-relevant documents stand above each hit, or say who needs it.

    >>> nonrelevant_above(example(), example().relevance(), "Bpref").tolist()
    [0, 1]
    """
    if hits.nonrelevant is None:
        raise ValueError(
            f"{collection.name}: {measure} needs the judged non-relevant documents, which a "
            "re-pooled collection does not know; derive it with --judged (in Python, load it with "
            "judged=True), or take another measure"
        )
    return hits.nonrelevant


def by_topic(hits: Relevance, values: np.ndarray) -> np.ndarray:
    """Repeat a value of each topic, shape (topics, 1), for each of its hits."""
    return values[:, 0].take(hits.topic)
