"""Two systems on the same topics: the mean difference, its error, its test, its effect size."""

import numpy as np
import pandas as pd
from scipy import stats

from lib.collection import Collection
from lib.display.figures import PALETTE, Figure, draw_band, label_lines, style, subplots
from lib.display.svg import add_tooltips
from lib.measures import best, complete_scores, means
from lib.statistics.impact import topics_needed

__all__ = [
    "ALPHA",
    "compared",
    "draw_differences",
    "draw_p_by_topics",
    "field",
    "rivals",
    "topics_panel",
]

ALPHA = 0.05
PLACES = (2, 5, 20)  # those whom the best is compared with
EFFECTS = (0.1, 0.25, 0.5)  # mean difference over its standard deviation


def rivals(collection: Collection, measure: str = "AP") -> dict[int, str]:
    """Return the systems that the best is compared with: place by mean score to system.

    Place 1 is the best itself; equal means are ordered by name.

    Examples
    --------
    >>> from lib import load
    >>> rivals(load("trec8"))
    {1: 'READWARE2', 2: 'orcl99man', 5: 'CL99XTopt', 20: 'apl8c221'}
    """
    order = best(means(collection, [measure]).iloc[:, 0], 1.0)
    return {place: order[place - 1] for place in (1, *PLACES) if place <= len(order)}


def compared(differences: pd.Series) -> pd.Series:
    """Return what can be said of the mean of differences over topics.

    Parameters
    ----------
    differences : Series
        Score of the one system less that of the other, a topic each.

    Returns
    -------
    Series
        mean, deviation (standard), error (standard error of the mean), low, high (95% interval),
        t, p (paired, two-sided) and effect (mean over deviation).

    Examples
    --------
    >>> compared(pd.Series([0.3, 0.1, 0.2])).round(3).to_dict()
    {'mean': 0.2, 'deviation': 0.1, 'error': 0.058, 'low': -0.048, 'high': 0.448, 't': 3.464, \
'p': 0.074, 'effect': 2.0}
    """
    n, mean, deviation = len(differences), differences.mean(), differences.std()
    error = deviation / np.sqrt(n)
    reach = stats.t.ppf(1 - ALPHA / 2, n - 1) * error
    t = mean / error
    return pd.Series(
        {
            "mean": mean,
            "deviation": deviation,
            "error": error,
            "low": mean - reach,
            "high": mean + reach,
            "t": t,
            "p": 2 * stats.t.sf(abs(t), n - 1),
            "effect": mean / deviation,
        }
    )


def field(collection: Collection, measure: str = "AP") -> pd.DataFrame:
    """Compare the best system with those at some places behind it.

    Returns
    -------
    DataFrame
        One row a rival; columns system, those of :func:`compared`, and topics: how many a test
        would need to see an effect of this size in four of five experiments.

    Examples
    --------
    >>> from lib import load
    >>> field(load("trec8"))["topics needed"].tolist()
    [119.0, 44.0, 24.0]
    """
    scores, systems = complete_scores(collection, measure), rivals(collection, measure)
    rows = {}
    for place in list(systems)[1:]:
        differences = scores[systems[1]] - scores[systems[place]]
        needed = topics_needed(differences.to_frame("d"))["d"]
        rows[place] = pd.concat(
            [pd.Series({"system": systems[place]}), compared(differences), pd.Series({"n": needed})]
        )
    table = pd.DataFrame(rows).T.rename_axis("place").rename(columns={"n": "topics needed"})
    return table.astype(dict.fromkeys(table.columns[1:], float))


def draw_differences(
    collection: Collection, *, place: int = 2, topics: int | None = None, measure: str = "AP"
) -> Figure:
    """Draw the best system's score less another's, topic by topic, with the mean's interval.

    Parameters
    ----------
    collection : Collection
    place : int
        Of the other system, by mean score: 2, 5 or 20.
    topics : int, optional
        The first so many; all by default.
    measure : str
    """
    scores, systems = complete_scores(collection, measure), rivals(collection, measure)
    one, other = systems[1], systems[place]
    differences = (scores[one] - scores[other]).iloc[:topics].sort_values(ascending=False)
    found = compared(differences)
    with style():
        drawing, axes = subplots(height=2.7)
        x = np.arange(1, len(differences) + 1)
        low, high = ([found[end]] * 2 for end in ("low", "high"))
        draw_band(axes, [0, len(x) + 1], low, high, PALETTE[0])
        axes.axhline(found["mean"], color=PALETTE[0])
        axes.axhline(0, color="black", linewidth=0.8)
        axes.vlines(x, 0, differences, color="black", linewidth=1)
        dots = axes.plot(x, differences, "o", color="black", ms=2.5)
        add_tooltips(dots, [f"topic {topic}" for topic in differences.index], tell="y")
        axes.set(xlabel="topics, by difference", ylabel=f"difference in {measure}")
        axes.set(xlim=(0, len(scores) + 1), ylim=(-1, 1))  # the same for any number of topics
    wins, n = (differences > 0).sum(), len(differences)
    said = (
        f"mean {found['mean']:+.3f}, 95% interval {found['low']:+.3f} to {found['high']:+.3f}, "
        f"p = {found['p']:.3f}, effect size {found['effect']:.2f}"
    ).replace("-", "\u2212")
    return Figure(
        drawing,
        caption=f"{one} less {other} on {n} topics: better on {wins}, {said}. "
        "Line: the mean; band: its interval.",
        alt=f"Differences from {differences.max():.2f} to {differences.min():.2f}; {said}.",
        data=found.rename("value").to_frame().rename_axis("of the difference"),
    )


def topics_panel(place: int, topics: int, collection: Collection) -> Figure:
    """Draw :func:`draw_differences` for a control: place of the rival, number of topics."""
    place = max(known for known in rivals(collection) if known <= place)
    return draw_differences(collection, place=place, topics=topics)


def draw_p_by_topics() -> Figure:
    """Draw the p value of a paired t test by the number of topics, at a few fixed effect sizes."""
    n = np.arange(5, 251, 5)
    lines = pd.DataFrame(
        {f"d = {d}": 2 * stats.t.sf(d * np.sqrt(n), n - 1) for d in EFFECTS},
        index=pd.Index(n, name="topics"),
    )
    with style():
        drawing, axes = subplots(height=2.9)
        for name, color in zip(lines, PALETTE):
            shown = lines[name][lines[name] > 1e-6]
            axes.semilogy(shown.index, shown, color=color, label=name)
        axes.axhline(ALPHA, color="black", linewidth=0.8, linestyle=":")
        axes.set(xlabel="topics", ylabel="p", ylim=(1e-6, 1), xlim=(0, 250))
        label_lines(axes)
    return Figure(
        drawing,
        caption="p at a fixed effect size d, were the sample to show just that effect. "
        "The dotted line is p = .05.",
        alt="Three falling lines: the larger the effect the faster p falls with topics; "
        "each crosses .05 sooner or later.",
        data=lines.loc[[10, 25, 50, 100, 250]],
        formats=".2g",
    )
