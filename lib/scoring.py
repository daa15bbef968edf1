"""From a measure's name to scores, and from scores of topics to one number a system.

Names are those of ir-measures (``P@10``, ``AP(rel=2)@100``, ``RBP(p=0.95)``), and a few that the
papers need beyond them (``aAP@10``, ``enDCG@10``, ``GS10``, ``DCG@10``, ``nRBP(p=0.8)@10``).
"""

import re
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from lib import measures as m
from lib.errors import InputError

__all__ = ["Measure", "evaluate", "means", "parse", "score_tables", "scores"]

# Name: (function, its cutoff: "k" required, "k?" optional, "recall" a share, "" none, options).
_MEASURES = {
    "P": (m.precision, "k", {"rel"}),
    "R": (m.recall, "k", {"rel"}),
    "AP": (m.average_precision, "k?", {"rel"}),
    "aAP": (m.abbreviated_average_precision, "k", {"rel"}),
    "GMAP": (m.log_average_precision, "", {"rel"}),
    "RR": (m.reciprocal_rank, "k?", {"rel"}),
    "Success": (m.success, "k", {"rel"}),
    "GS10": (m.generalized_success, "", {"rel"}),
    "Rprec": (m.r_precision, "", {"rel"}),
    "IPrec": (m.interpolated_precision, "recall", {"rel"}),
    "Bpref": (m.bpref, "", {"rel"}),
    "DCG": (m.dcg, "k?", {"rel", "discount"}),
    "nDCG": (m.ndcg, "k?", {"rel", "discount"}),
    "enDCG": (partial(m.ndcg, ideal="expanded"), "k?", {"rel", "discount"}),
    "RBP": (m.rbp, "k?", {"p", "rel"}),
    "nRBP": (partial(m.rbp, normalized=True), "k?", {"p", "rel"}),
    "RBPresidual": (m.rbp_residual, "k?", {"p"}),
}
_KINDS = {"rel": int, "p": float, "discount": str}
_FORM = re.compile(r"(?P<name>\w+?)(\((?P<options>[^()]*)\))?(@(?P<cutoff>[\d.]+))?")


@dataclass(frozen=True)
class Measure:
    """A measure with its options; ``str`` gives its name back.

    Examples
    --------
    >>> str(parse("RBP( p=.95 )@100"))
    'RBP(p=0.95)@100'
    """

    name: str
    options: tuple = ()
    cutoff: float | None = None

    def __str__(self):
        options = ",".join(f"{key}={value}" for key, value in self.options)
        cutoff = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"{self.name}({options}){cutoff}" if options else f"{self.name}{cutoff}"

    def __call__(self, collection):
        """Score a collection: DataFrame (topics x systems).

        Raises
        ------
        InputError
            An option out of its range, or a collection without what the measure needs.
        """
        function, cutoff, _ = _MEASURES[self.name]
        arguments = dict(self.options)
        if cutoff and self.cutoff is not None:
            arguments[cutoff.rstrip("?")] = self.cutoff
        try:
            return function(collection, **arguments)
        except ValueError as error:
            raise InputError(f"measure {str(self)!r}: {error}") from error


def parse(text):
    """Return the :class:`Measure` that a name stands for.

    Raises
    ------
    InputError
        An unknown measure or option, a cutoff that is missing or too much.

    Examples
    --------
    >>> parse("AP(rel=2)@100")
    Measure(name='AP', options=(('rel', 2),), cutoff=100)
    >>> parse("MAP")
    Traceback (most recent call last):
        ...
    lib.errors.InputError: measure 'MAP': unknown name; known are P, R, AP, aAP, GMAP, RR, \
Success, GS10, Rprec, IPrec, Bpref, DCG, nDCG, enDCG, RBP, nRBP, RBPresidual
    """
    if isinstance(text, Measure):
        return text
    form = _FORM.fullmatch(text.replace(" ", ""))
    if not form:
        raise InputError(f"measure {text!r}: not of the form Name(option=value)@cutoff")
    if form["name"] not in _MEASURES:
        raise InputError(f"measure {text!r}: unknown name; known are {', '.join(_MEASURES)}")
    _, kind, allowed = _MEASURES[form["name"]]
    options = {}
    for option in filter(None, (form["options"] or "").split(",")):
        key, _, value = option.partition("=")
        if key not in allowed:
            raise InputError(f"measure {text!r}: takes {', '.join(sorted(allowed))}, not {key!r}")
        try:
            options[key] = _KINDS[key](value.strip("'\""))
        except ValueError:
            raise InputError(f"measure {text!r}: {key} cannot be {value!r}") from None
    if "p" in allowed and "p" not in options:
        raise InputError(f"measure {text!r}: needs p, as in {form['name']}(p=0.8)")
    return Measure(form["name"], tuple(sorted(options.items())), _cutoff(text, form, kind))


def _cutoff(text, form, kind):
    cutoff = form["cutoff"]
    if cutoff is None:
        if kind in ("k", "recall"):
            raise InputError(f"measure {text!r}: needs a cutoff, as in {form['name']}@...")
        return None
    if not kind:
        raise InputError(f"measure {text!r}: takes no cutoff")
    try:
        value = float(cutoff) if kind == "recall" else int(cutoff)
    except ValueError:
        raise InputError(f"measure {text!r}: the cutoff cannot be {cutoff!r}") from None
    if kind == "recall" and value > 1 or kind != "recall" and value < 1:
        raise InputError(f"measure {text!r}: the cutoff cannot be {cutoff!r}")
    return value


def scores(collection, measure):
    """Score every list of a collection.

    Parameters
    ----------
    collection : Collection
    measure : str or Measure

    Returns
    -------
    DataFrame (topics x systems)
        NaN where a system did not answer a topic.

    Examples
    --------
    >>> from lib.measures import example
    >>> scores(example(), "P@2")
    run      A
    topic     
    t      0.5
    """
    return parse(measure)(collection)


def score_tables(collection, measures):
    """Score a collection by several measures, a table each, as resampling topics needs them.

    Parameters
    ----------
    collection : Collection
    measures : sequence of str, or dict of label to str

    Returns
    -------
    dict of str to DataFrame (topics x systems)
        Without gaps: a topic that a system did not answer scores as an empty list does.

    Examples
    --------
    >>> from lib.measures import example
    >>> list(score_tables(example(), ["P@2", "RR"]))
    ['P@2', 'RR']
    """
    if not isinstance(measures, dict):
        measures = {str(parse(measure)): measure for measure in measures}
    parsed = {label: parse(measure) for label, measure in measures.items()}
    return {label: _as_empty(measure, measure(collection)) for label, measure in parsed.items()}


def _as_empty(measure, of_topics):
    """Score the topics without an answer as an empty list."""
    # That is 0 by every measure; GMAP's logarithm has its floor instead, and nothing retrieved
    # leaves the whole of RBP's weight open.
    empty = {"GMAP": np.log(1e-5), "RBPresidual": 1.0}.get(measure.name, 0.0)
    return of_topics.fillna(empty)


def evaluate(collection, measures):
    """Score a collection by several measures, one row a score, as ir-measures does.

    Returns
    -------
    DataFrame, columns system, topic, measure, score
        Topics that a system did not answer have no row.

    Examples
    --------
    >>> from lib.measures import example
    >>> evaluate(example(), ["P@2", "RR"])
      system topic measure  score
    0      A     t     P@2    0.5
    1      A     t      RR    1.0
    """
    tables = []
    for measure in map(parse, measures):
        long = measure(collection).T.stack()
        long.index.names = ["system", "topic"]
        tables.append(long.dropna().rename("score").reset_index().assign(measure=str(measure)))
    return pd.concat(tables, ignore_index=True)[["system", "topic", "measure", "score"]]


def means(collection, measures, *, missing="zero", decimals=10):
    """Average scores over topics: one row a system, one column a measure.

    Parameters
    ----------
    measures : sequence of str or Measure
    missing : {"zero", "answered"}
        A topic that a system did not answer counts as 0 (trec_eval -c), or not at all (trec_eval
        without -c).
    decimals : int or None
        Means are rounded so.  Two systems with equal scores in another order of topics have means
        that differ in the last bit; unrounded, such true ties look like differences.

    Returns
    -------
    DataFrame (systems x measures)
        GMAP is the exponential of its mean logarithm.

    Examples
    --------
    >>> from lib.measures import example
    >>> means(example(), ["P@4", "GMAP"]).round(4)
         P@4    GMAP
    run             
    A    0.5  0.5556
    """
    if missing not in ("zero", "answered"):
        raise ValueError(f"missing must be 'zero' or 'answered', not {missing!r}")
    columns = {}
    for measure in map(parse, measures):
        of_topics = measure(collection)
        if missing == "zero":
            of_topics = _as_empty(measure, of_topics)
        mean = of_topics.mean()
        columns[str(measure)] = np.exp(mean) if measure.name == "GMAP" else mean
    table = pd.DataFrame(columns)
    return table if decimals is None else table.round(decimals)
