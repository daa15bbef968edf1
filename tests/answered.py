"""The answers of answers.yml: what students hand in, by exercise and by what they are told."""

# ruff: noqa: F401  An answer may use whatever is imported here.

import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from scipy import stats

from chapters.elsewhere.claims import CLAIM_OF
from chapters.elsewhere.sources import yours
from chapters.exercises import drawn_calls
from chapters.spending.pilot import pilot
from chapters.spending.planner import Budget, choose
from chapters.webber2008 import tables as w8
from lib.measures import complete_scores, means
from lib.statistics.correlation import kendall, tau_ap
from lib.statistics.impact import differences
from lib.statistics.multiplicity import holm
from lib.statistics.power import power
from lib.statistics.random_effects import random_effects
from lib.statistics.significance import discriminative_power, t_test


def power_of_ap(collection):
    """Return how many more pairs of systems AP tells apart than P@10, as a share."""
    return CLAIM_OF["power-AP-P@10"].of(yours(collection)).value


def lost(ranking, grades, alone):
    """Return what AP of a ranking loses without the documents that it alone brought in."""
    ap, left = drawn_calls._average_precision, {x: g for x, g in grades.items() if x not in alone}
    before, after = (
        ap([known.get(x, 0) for x in ranking], sum(g > 0 for g in known.values()))
        for known in (grades, left)
    )
    return before - after


def five_outcomes(changes):
    """Return how many columns fall for sure, fall, stay, rise and rise for sure."""
    mean, sure = changes.mean().round(10), stats.ttest_1samp(changes, 0).pvalue < 0.05
    falls, rises = mean < 0, mean > 0
    parts = (falls & sure, falls & ~sure, mean == 0, rises & ~sure, rises & sure)
    return [int(part.sum()) for part in parts]


KNOWN = dict(globals())
ANSWERS = yaml.safe_load(Path(__file__).with_name("answers.yml").read_text(encoding="utf-8"))


def value_of(text):
    """Return the value that an answer has, or the function that it defines."""
    scope = dict(KNOWN)
    if not text.startswith("def "):
        return eval(text, scope)
    exec(text, scope)
    return scope[text.partition("(")[0].removeprefix("def ")]


def rows():
    """Return each answer with its exercise and what it is: right, named or wrong."""
    return [
        (label, kind, text)
        for label, kinds in ANSWERS.items()
        for kind, texts in kinds.items()
        for text in texts
    ]
