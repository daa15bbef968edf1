"""Do measures of early precision and of the whole list rank systems each in their own way?"""

from collections.abc import Mapping

import numpy as np

from lib.papers.thom2007.tables import BROAD, EARLY
from lib.statistics.correlation import taus_of_rows
from lib.statistics.families import within_less_across, without_noise
from lib.statistics.jackknife import Interval, jackknife
from lib.studies.elsewhere.predictions import phi_of
from lib.studies.elsewhere.sets import alike
from lib.studies.sources import Source

FEW = (*EARLY, BROAD[0])  # R-precision is public of few collections
ALL = (*EARLY, *BROAD)
SPLITS, FOR_ERROR, SEED = 500, 200, 2007  # as in chapter 2; for the error fewer


def raw(source: Source, labels: tuple[str, ...] = FEW) -> Interval:
    """Say how much higher tau is within the families than across, on the same topics."""
    early = [label in EARLY for label in labels]

    def statistic(tables: Mapping[str, np.ndarray]) -> float:
        means = np.stack([tables[label].mean(axis=0).round(10) for label in labels])
        return float(within_less_across(taus_of_rows(means, means, variant="b"), early))

    return alike({label: source.scores[label] for label in labels}, statistic)


def corrected(source: Source, labels: tuple[str, ...] = FEW) -> Interval:
    """Say the same of rankings on separate topics, corrected for what the topics' noise takes."""
    names, phi, without = phi_of(
        source, labels=labels, number=SPLITS, for_error=FOR_ERROR, share=1.0, seed=SEED
    )
    order = [names.index(label) for label in labels]
    taus = without_noise(np.concatenate([phi[np.newaxis], without])[:, order][:, :, order])
    if np.isnan(taus).any():
        raise ValueError("a measure does not rank systems like itself on other topics")
    found = within_less_across(taus, [label in EARLY for label in labels])
    return jackknife(found[0], found[1:])
