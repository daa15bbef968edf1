"""What the paper says of discriminative power at all depths: Figures 3 and 4."""

from collections.abc import Callable
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from lib.claims import Why, above, at_least
from lib.papers.webber2010.depth import FORMS
from lib.papers.webber2010.evidence import Evidence
from lib.papers.webber2010.yardsticks import LEVEL, PLAIN

__all__ = ["FIGURE_3", "FIGURE_4", "all_of", "depth_over_measure", "rise", "slight"]


def all_of(differences: Callable[[Evidence], Any]) -> Callable:
    """State that each of several differences is above 0; where that fails, tell of their mean."""

    def mean(e: Evidence) -> str:
        told = above(lambda part: float(np.mean(differences(part))))(e)
        return f"the mean of all settings is {told.over_topics}"

    return above(differences, mean)


def slight(gain: Callable[[Evidence], float], why: Why = "") -> Callable:
    """State that a gain in discriminative power is one, and less than PLAIN."""
    return above(lambda e: pd.Series([gain(e), PLAIN - gain(e)]), why)


# Figure 3: expanded and abbreviated normalization


def in_letters(e: Evidence, abbreviated: str, expanded: str) -> str:
    """Say how the sentence fares without a yardstick."""
    lead = e.gain(expanded, abbreviated)
    behind = lead[lead > 0]
    return f"in {len(behind)} of {len(lead)} settings expanded {expanded} is ahead"


def of_normalization(slug: str, expanded: str, abbreviated: str) -> dict[str, Callable]:
    """Return the claims on one measure."""
    return {
        f"expanded-{slug}-deeper-pool-hurts": all_of(lambda e: -e.deeper[expanded]),
        f"expanded-{slug}-shallower-pool-boosts": above(
            lambda e: e.best_gains[expanded].mean() - PLAIN
        ),
        f"abbreviated-{slug}-deeper-pool-harmless": at_least(
            lambda e: e.deeper[abbreviated], LEVEL
        ),
        f"abbreviated-{slug}-shallower-pool-slight-gain": slight(
            lambda e: e.best_gains[abbreviated].mean()
        ),
        f"abbreviated-{slug}-at-least-expanded": at_least(
            lambda e: e.gain(abbreviated, expanded),
            LEVEL,
            partial(in_letters, abbreviated=abbreviated, expanded=expanded),
        ),
    }


def beyond_the_pool(e: Evidence) -> pd.Series:
    """Return what evaluation beyond the pool changes, for the four measures of Figure 3."""
    return pd.concat([e.beyond[m] for m in ("AP", "aAP", "enDCG", "nDCG")])


FIGURE_3 = {
    **of_normalization("ap", "AP", "aAP"),
    **of_normalization("ndcg", "enDCG", "nDCG"),
    "supports-evaluation-beyond-pool": at_least(beyond_the_pool, LEVEL),
}


# Figure 4: all measures at all depths


def depth_over_measure(e: Evidence) -> float:
    """Return by how much depths differ, mean of the measures, less how much measures do."""
    return (e.full.max(axis=1) - e.full.min(axis=1)).mean() - e.spread.mean()


def rise(e: Evidence, start: int = 5) -> pd.Series:
    """Return what each measure gains under full assessment to depth 100."""
    return e.full[100] - e.full[start]


def over_spread(e: Evidence, start: int) -> np.ndarray:
    """Return each measure's rise less the spread of the measures at each depth."""
    return np.subtract.outer(rise(e, start).to_numpy(), e.spread.to_numpy()).ravel()


def rises_less(e: Evidence, start: int) -> str:
    found, limit = rise(e, start), e.spread.max()
    least = found.idxmin()
    return (
        f"measures differ by {limit:.3f} at depth {e.spread.idxmax()}; "
        f"{(found <= limit).sum()} of {len(found)} rise by less from {start} to 100, {least} by "
        f"{found[least]:.3f}"
    )


def of_spread(start: int) -> Callable:
    """State that every measure's rise to depth 100 exceeds the spread at every depth."""
    return above(lambda e: over_spread(e, start), lambda e: rises_less(e, start))


def recall_alone_falls(e: Evidence) -> pd.Series:
    """Return by how much recall's fall is plain, and by how much others' are not."""
    falls = (e.power.loc[5] - e.power.loc[100]).max()[list(FORMS)]
    return (falls - PLAIN).where(falls.index == "R", PLAIN - falls)


def hardly_ever_falls(measure: str) -> Callable:
    """State that nine in ten steps to the next evaluation depth are no fall."""

    def steps(e: Evidence) -> pd.DataFrame:
        return e.curves(measure).diff(axis=1).iloc[:, 1:]

    def tenth(e: Evidence) -> float:
        return float(np.quantile(steps(e), 0.1))

    def falls(e: Evidence) -> str:
        found = steps(e)
        return f"{(found < -LEVEL).sum(axis=None)} of {found.size} steps fall by more than {LEVEL}"

    return at_least(tenth, LEVEL, falls)


def still_rises(measure: str) -> Callable:
    """State that on a pool of depth 5 no deeper evaluation lies below a shallower one."""

    def later(e: Evidence) -> np.ndarray:
        curve = e.curves(measure).loc[5].to_numpy()
        return np.array([after - before for before, after in combinations(curve, 2)])

    return at_least(later, LEVEL, lambda e: f"the deepest fall is {-later(e).min():.4f}")


def falls_far_beyond(measure: str) -> Callable:
    """State that at depth 1000 power is below its highest, on a pool of any depth."""

    def fall(e: Evidence) -> pd.Series:
        curves = e.curves(measure)
        return curves.max(axis=1) - curves[1000] - LEVEL

    return above(fall)


def helps_dcg(measure: str) -> Callable:
    """State that an adjusted DCG separates slightly more pairs than DCG, mean of all settings."""

    def ahead(e: Evidence) -> str:
        gain = e.gain(measure, "DCG")
        return f"{measure} is ahead of DCG in {(gain > 0).sum()} of {len(gain)} settings"

    return slight(lambda e: e.gain(measure, "DCG").mean(), ahead)


def tends_to_rise(family: str) -> Callable:
    """State that evaluation beyond the pool adds power on the whole, in every form."""
    forms = [m for m, (of, _) in FORMS.items() if of == family]
    return above(lambda e: e.beyond[forms].mean())


PRECISION_ROW = [m for m, (of, _) in FORMS.items() if of == "precision/recall"]


def of_precision(e: Evidence) -> str:
    found = ", ".join(
        f"{m} {e.beyond[m].mean():+.3f} (more in {(e.beyond[m] > 0).mean():.0%} of the settings)"
        for m in PRECISION_ROW
    )
    return f"evaluation beyond the pool changes power on average so: {found}"


def gain_is_common(e: Evidence) -> pd.Series:
    """Return the mean best gain at each depth, and by how much each measure's is not plain.

    Recall, which gains much, is left out.
    """
    gains = e.best_gains[[m for m in FORMS if m != "R"]]
    return pd.concat([gains.mean(axis=1), PLAIN - gains.mean()])


def gain_of_adjusted(e: Evidence) -> float:
    """Return the best gain of adjusted measures less that of raw ones, recall aside."""
    best = e.best_gains[[m for m in FORMS if m != "R"]].mean()
    of_raw = np.array([FORMS[m][1] == "raw" for m in best.index])
    return best[~of_raw].mean() - best[of_raw].mean()


FIGURE_4 = {
    "depth-matters-more-than-metric": above(depth_over_measure),
    "all-metrics-rise-with-depth": all_of(lambda e: rise(e) - PLAIN),
    "depth-100-against-5-exceeds-metric-spread": of_spread(5),
    "depth-100-against-10-exceeds-metric-spread": of_spread(10),
    "strongest-at-100-is-standardized-ap": above(
        lambda e: e.full.loc["sAP", 100] - e.full[100].drop("sAP")
    ),
    "weakest-at-100-is-recall": above(lambda e: e.full[100].drop("R") - e.full.loc["R", 100]),
    "only-recall-falls-with-deeper-pool": above(recall_alone_falls),
    "normalized-dcg-hardly-ever-falls": hardly_ever_falls("nDCG"),
    "standardized-dcg-hardly-ever-falls": hardly_ever_falls("sDCG"),
    "normalized-ap-hardly-ever-falls": hardly_ever_falls("aAP"),
    "standardized-ap-hardly-ever-falls": hardly_ever_falls("sAP"),
    "normalized-dcg-pool-5-still-rises": still_rises("nDCG"),
    "standardized-dcg-pool-5-still-rises": still_rises("sDCG"),
    "normalized-ap-pool-5-still-rises": still_rises("aAP"),
    "standardized-ap-pool-5-still-rises": still_rises("sAP"),
    "precision-falls-far-beyond-pool": falls_far_beyond("P"),
    "rbp-falls-far-beyond-pool": falls_far_beyond("RBP"),
    "normalized-rbp-falls-far-beyond-pool": falls_far_beyond("nRBP"),
    "standardized-rbp-falls-far-beyond-pool": falls_far_beyond("sRBP"),
    "standardized-precision-falls-far-beyond-pool": falls_far_beyond("sP"),
    "normalization-helps-dcg-slightly": helps_dcg("nDCG"),
    "standardization-helps-dcg-slightly": helps_dcg("sDCG"),
    "dcg-rises-with-pool-fixed": tends_to_rise("DCG"),
    "ap-rises-with-pool-fixed": tends_to_rise("AP"),
    "rbp-rises-with-pool-fixed": tends_to_rise("RBP"),
    "precision-recall-row-excepted": above(lambda e: -e.beyond[PRECISION_ROW].mean(), of_precision),
    "shallower-pool-slight-gain-is-common": above(gain_is_common),
    "shallower-pool-gain-mostly-adjusted-metrics": above(gain_of_adjusted),
}
