"""What ``compare`` says of systems on several data sets, or by several seeds."""

from collections.abc import Mapping

import pandas as pd

from lib.conventions import ALPHA
from lib.display.plain import ranging, small
from lib.measures import Scores
from lib.reporting.pair import runs_page, which_is_better
from lib.statistics.data_sets import ANOTHER, APART, LIKE, THESE_SETS, across, beaten, single_seeds

BySystem = Mapping[str, Mapping[str, Scores]]  # data set to system to scores (topics x seeds)
LETTER = "t test at 0.05 over topics and seeds, after Holm for all pairs, by column"


def means_across(scores: BySystem, pairs: pd.DataFrame) -> pd.DataFrame:
    """Return means as :func:`lib.statistics.comparison.leaderboard` has them.

    A data set stands for a measure, their mean before them; ``pairs`` are the rows of
    :func:`lib.statistics.data_sets.all_pairs` by this measure.
    """
    parts = {}
    for system in next(iter(scores.values())):
        one = {data: of[system] for data, of in scores.items()}
        parts[system] = across(one, {data: of.iloc[:, :1] * 0 for data, of in one.items()})
    table = pd.concat(parts, names=["system", "measure"]).reset_index()
    better = {data: beaten(rows) for data, rows in pairs.groupby("data")}
    table = table[table["measure"].isin([THESE_SETS, *scores])]
    table = table.rename(columns={"difference": "mean"})
    keys = table[["measure", "system"]].to_numpy()
    table["better than"] = [better[data][system] for data, system in keys]
    return table.sort_values("measure", key=lambda data: data != THESE_SETS, kind="stable")


def of_the_first(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a table, or of a forest plot: the first system minus each other.

    Of two systems on every data set and on all; of more, on all.
    """
    rows = pairs[(pairs == pairs.iloc[0])[["measure", "run 1"]].all(axis=1)]
    if rows["run 2"].nunique() == 1:
        return rows.set_index("data")
    if THESE_SETS in set(rows["data"]):
        rows = rows[rows["data"].isin([THESE_SETS, LIKE])]
    return rows.set_index(rows["run 2"] + ", " + rows["data"])


def sets_page(scores: BySystem, pairs: pd.DataFrame) -> str:
    """Return what is said of some systems on some data sets, by the first measure of ``pairs``."""
    measure, one = pairs[["measure", "run 1"]].iloc[0]
    means = means_across(scores, pairs[pairs["measure"] == measure])
    columns = list(dict.fromkeys(means["measure"]))
    rows, better = of_the_first(pairs), means[means["measure"] == columns[0]].set_index("system")
    lines = _of_pair(scores, rows, better["mean"]) if len(better) == 2 else []
    ranks = [
        f"{system} {1 + sum(system in of for of in better['better than'])} to "
        f"{len(better) - len(worse)}"
        for system, worse in better["better than"].items()
    ]
    if len(better) > 2:
        lines += [f"Ranks, 95% for all together: {', '.join(ranks)}."]
    lines += [*_seeds(scores), f"\nMeans by {measure}", runs_page(means, columns, LETTER)]
    lines += [f"\nDifferences by {measure}: {one} minus each other", _shown(rows)]
    others = pairs[(pairs["measure"] != measure) & (pairs["data"] == columns[0])]
    if len(better) == 2 and len(others):
        lines += [f"\nBy other measures, {columns[0]}", _shown(others.set_index("measure"))]
    return "\n".join(lines)


def _of_pair(scores: BySystem, rows: pd.DataFrame, means: pd.Series) -> list[str]:
    """Say which of two systems is better, what it says of other data, and what the mean hides."""
    one, other, measure = rows[["run 1", "run 2", "measure"]].iloc[0]
    row = rows.loc[THESE_SETS if THESE_SETS in rows.index else rows.index[0]]
    best, last = (one, other) if row["difference"] > 0 else (other, one)
    lines = [
        f"{which_is_better([best, last], f'{measure} on {row.name}', row['p'])}: {means[best]:.4f} "
        f"against {means[last]:.4f}; {one} minus {other} is {_interval(row)}, p {small(row['p'])}."
    ]
    if LIKE in rows.index:
        lines += [
            f"On data sets like these it is {_interval(rows.loc[LIKE])}, by random effects; the "
            f"standard deviation between them is {_interval(rows.loc[APART])}."
        ]
    if ANOTHER in rows.index:
        lines += [f"Another one like these: {_interval(rows.loc[ANOTHER])}."]
    if THESE_SETS in rows.index:
        alone = rows.loc[[*scores]].sort_values("difference")
        sure = alone.loc[alone["p"] < ALPHA, "difference"]
        lines += [
            f"The mean hides: {alone['difference'].iloc[0]:+.4f} on {alone.index[0]}, "
            f"{alone['difference'].iloc[-1]:+.4f} on {alone.index[-1]}; alone, {len(alone)} data "
            f"sets find {one} better {(sure > 0).sum()} times, {other} {(sure < 0).sum()} times, "
            f"and {len(alone) - len(sure)} settle nothing.",
            f"So few settle little about others: degrees of freedom, {len(alone) - 1}.",
        ]
    return lines


def _seeds(scores: BySystem) -> list[str]:
    """Say what single seeds would have claimed, and which systems have no error over seeds."""
    one, *others = next(iter(scores.values()))
    single = [run for run in (one, *others) if all(of[run].shape[1] == 1 for of in scores.values())]
    if len(single) == 1 + len(others):
        return []
    lines = []
    for other in others:
        claims = (single_seeds(of[one], of[other]) for of in scores.values())
        first, second, number = map(sum, zip(*claims))
        lines += [
            f"Of {number} pairs of single seeds, {first} would claim that {one} is better than "
            f"{other}, {second} the opposite."
        ]
    if single:
        lines += [f"One seed, so no error over seeds: {', '.join(single)}."]
    return lines


def _interval(row: pd.Series) -> str:
    return ranging(row[["difference", "low", "high"]], "+.4f")


def _shown(rows: pd.DataFrame) -> str:
    table = pd.DataFrame({"mean (95% interval)": [_interval(row) for _, row in rows.iterrows()]})
    table["p"], table["p, Holm"] = ([*rows[name].map(small)] for name in ("p", "p Holm"))
    return table.set_axis(rows.index).rename_axis(None).to_string()


def draw_forest(pairs: pd.DataFrame, file: str) -> None:
    """Draw :func:`of_the_first` by the first measure as a forest plot, into a file."""
    from lib.display.figures import INK, draw_rows, measure_style, subplots

    rows = of_the_first(pairs).drop(APART, errors="ignore")
    one, measure = rows[["run 1", "measure"]].iloc[0]
    all_sets = [label.endswith((THESE_SETS, LIKE, ANOTHER)) for label in rows.index]
    looks = [{"color": INK, "marker": "D"} if of else measure_style(measure) for of in all_sets]
    with subplots(width="wide") as (figure, axes):
        draw_rows(axes, rows[["difference", "low", "high"]], looks, at=0)
        last = rows["run 2"].iloc[0] if rows["run 2"].nunique() == 1 else "each other"
        axes.set_title(f"{measure}: {one} minus {last}", parse_math=False)
        figure.savefig(file, dpi=200, facecolor="white")
