"""Which measures tell systems apart: discriminative power by measure and by depth."""

from collections.abc import Mapping

import numpy as np

from lib.papers.webber2010.tables import ALPHA
from lib.statistics.jackknife import Interval
from lib.statistics.significance import discriminative_power
from lib.studies.elsewhere.sets import alike
from lib.studies.sources import Source


def gain(source: Source, measure: str, other: str) -> Interval:
    """Say how much larger the share of pairs of systems is that one measure tells apart."""

    def statistic(tables: Mapping[str, np.ndarray]) -> float:
        one, two = (
            discriminative_power(tables[label], alpha=ALPHA, identical="left out")
            for label in (measure, other)
        )
        return one - two

    return alike({label: source.scores[label] for label in (measure, other)}, statistic)
