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
from lib.statistics.correlation import kendall
from lib.statistics.impact import differences
from lib.statistics.multiplicity import holm
from lib.statistics.power import power
from lib.statistics.random_effects import random_effects
from lib.statistics.significance import discriminative_power, t_test


def power_of_ap(collection):
    """Return how many more pairs of systems AP tells apart than P@10, as a share."""
    return CLAIM_OF["power-AP-P@10"].of(yours(collection)).value


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
