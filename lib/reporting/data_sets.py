"""What ``compare`` says of systems on several data sets, or by several seeds."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from lib.conventions import ALPHA
from lib.decisions import FINDING, worded
from lib.display.plain import digits, signed
from lib.measures import Scores
from lib.reporting.pair import runs_page, small
from lib.statistics.data_sets import ANOTHER, APART, LIKE, THESE, across, beaten, single_seeds

BySystem = Mapping[str, Mapping[str, Scores]]  # data set to system to scores (topics x seeds)
RANKS = "Ranks, at 95% for all together"
LETTER = "p over topics and seeds, of all pairs after Holm, by column"


def means_across(scores: BySystem, pairs: pd.DataFrame) -> pd.DataFrame:
    """Return means as :func:`lib.statistics.comparison.leaderboard` has them.

    A data set stands for a measure, their mean before them; ``pairs`` are the rows of
    :func:`lib.statistics.data_sets.all_pairs` by this measure.
    """
    parts = []
    for system in next(iter(scores.values())):
        one = {data: of[system] for data, of in scores.items()}
        found = across(one, {data: table.iloc[:, :1] * 0 for data, table in one.items()})
        found = found.drop([LIKE, APART, ANOTHER], errors="ignore").rename_axis("measure")
        parts.append(found.reset_index().assign(system=system))
    table = pd.concat(parts).rename(columns={"difference": "mean"}).drop(columns="p")
    better = {data: beaten(rows) for data, rows in pairs.groupby("data")}
    keys = table[["measure", "system"]].to_numpy()
    table["better than"] = [better[data][system] for data, system in keys]
    return table.sort_values("measure", key=lambda data: data != THESE, kind="stable")


def differences(pairs: pd.DataFrame, best: str) -> pd.DataFrame:
    """Return what a table or a forest plot shows of :func:`lib.statistics.data_sets.all_pairs`.

    Of two systems every row; of more the best one minus each other, by what all data sets say.
    """
    if pairs["run 1"].nunique() == 1 == pairs["run 2"].nunique():
        return pairs.set_index("data")
    last = [THESE, LIKE] if THESE in set(pairs["data"]) else [*pairs["data"]]
    found = pairs[pairs["data"].isin(last) & (pairs[["run 1", "run 2"]] == best).any(axis=1)].copy()
    turned = found["run 2"] == best
    found.loc[turned, "run 2"] = found.loc[turned, "run 1"]
    found.loc[turned, ["difference", "low", "high"]] = -found.loc[
        turned, ["difference", "high", "low"]
    ].to_numpy()
    return found.set_index(best + " minus " + found["run 2"] + ", " + found["data"])


def _order(scores):
    """Return the systems, best first by the mean over data sets."""
    systems = next(iter(scores.values()))
    mean = {run: np.mean([of[run].to_numpy().mean() for of in scores.values()]) for run in systems}
    return sorted(mean, key=lambda run: -mean[run])


def sets_page(scores: BySystem, pairs: pd.DataFrame) -> str:
    """Return what is said of some systems on some data sets, by the first measure of ``pairs``."""
    measure = pairs["measure"].iloc[0]
    first = pairs[pairs["measure"] == measure]
    means = means_across(scores, first)
    columns = list(dict.fromkeys(means["measure"]))
    over = means[means["measure"] == columns[0]].set_index("system")
    order = _order(scores)
    rows = differences(first, order[0])
    lines = []
    if len(order) == 2:
        lines += _of_pair(scores, rows, over["mean"], measure)
    lines += [*_ranks(over["better than"]), *_seeds(scores), "", f"{measure}:"]
    lines += [runs_page(means, columns, LETTER), "", f"Differences by {measure}"]
    lines += [_shown(rows)]
    others = pairs[(pairs["measure"] != measure) & (pairs["data"] == columns[0])]
    if len(order) == 2 and len(others):
        lines += ["", f"Differences by other measures, {columns[0]}"]
        lines += [_shown(others.set_index("measure"))]
    return "\n".join(lines)


def _of_pair(scores, rows, means, measure):
    """Say which of two systems is better, what it says of other data, and what the mean hides."""
    one, other = rows["run 1"].iloc[0], rows["run 2"].iloc[0]
    row = rows.loc[THESE if THESE in rows.index else rows.index[0]]
    where = f"these {len(scores)} data sets" if len(scores) > 1 else f"{row.name}"
    best, last = (one, other) if row["difference"] > 0 else (other, one)
    begin = f"{best} is better than {last} by {measure} on {where}"
    if worded(True, row["p"]).word != FINDING:
        begin = f"Whether {best} or {last} is better by {measure} on {where} is inconclusive"
    lines = [
        f"{begin}: {means[best]:.4f} against {means[last]:.4f}; {one} minus {other} is "
        f"{_interval(row)}, p {small(row['p'])}."
    ]
    if LIKE in rows.index:
        like = f"On data sets like these: {_interval(rows.loc[LIKE])}, by random effects"
        like += f"; their true differences vary by {_interval(rows.loc[APART], digits)}"
        if ANOTHER in rows.index:
            like += f"; another one is to be expected within {_ends(rows.loc[ANOTHER])}"
        lines += [f"{like}."]
    if len(scores) > 1:
        alone = rows.loc[[*scores]]
        sure = alone[alone["p"] < ALPHA]["difference"]
        ends = alone["difference"].agg(["idxmin", "idxmax"])
        lines += [
            f"The mean hides: alone, {one} is better on {(sure > 0).sum()}, {other} on "
            f"{(sure < 0).sum()}, and {len(alone) - len(sure)} of {len(alone)} settle nothing; "
            + " and ".join(f"{signed(alone['difference'][data])} on {data}" for data in ends)
            + " are the ends.",
            f"{len(scores)} data sets settle little about others: their spread has "
            f"{len(scores) - 1} degree{'s' * (len(scores) > 2)} of freedom.",
        ]
    return lines


def _ends(row, form=signed):
    return f"{form(row['low'])} to {form(row['high'])}"


def _interval(row, form=signed):
    return f"{form(row['difference'])} (95% interval {_ends(row, form)})"


def _ranks(better):
    """Say between which ranks each system lies, given which others each is better than."""
    said = []
    for system, worse in better.items():
        least = 1 + sum(system in of for of in better)
        most = len(better) - len(worse)
        said.append(f"{system} {least}" + f" to {most}" * (most > least))
    return [f"{RANKS}: {', '.join(said)}."]


def _seeds(scores):
    """Say what single seeds would have claimed, and of which systems no error over seeds is known.

    Nothing is said where no system has several seeds.
    """
    systems = next(iter(scores.values()))
    alone = {run for of in scores.values() for run in of if of[run].shape[1] == 1}
    if not any(of[run].shape[1] > 1 for of in scores.values() for run in of):
        return []
    lines = []
    for one, other in combinations(systems, 2):
        claims = [single_seeds(of[one], of[other]) for of in scores.values()]
        for_one, for_other, number = (sum(each) for each in zip(*claims))
        lines += [
            f"Of {number} pairs of single seeds, {for_one} would claim that {one} is better than "
            f"{other}, {for_other} the opposite."
        ]
    if alone:
        lines += [f"One seed, so no error over seeds: {', '.join(sorted(alone))}."]
    return lines


def _shown(rows):
    table = pd.DataFrame({"difference": rows["difference"].map(signed)})
    table["95% interval"] = [_ends(row) for _, row in rows.iterrows()]
    for name, column in {"p": "p", "p, Holm": "p Holm"}.items():
        table[name] = ["-" if p != p else small(p) for p in rows[column]]
    return table.rename_axis(None).to_string()


def draw_forest(scores: BySystem, pairs: pd.DataFrame, file: str) -> None:
    """Draw the :func:`differences` by the first measure as a forest plot, into a file."""
    from lib.display.figures import INK, draw_rows, measure_style, subplots

    measure = pairs["measure"].iloc[0]
    first = pairs[pairs["measure"] == measure]
    rows = differences(first, _order(scores)[0])
    rows = rows[rows["low"].notna() & (rows.index != APART)]
    alone = [label in scores for label in rows.index]
    looks = [measure_style(measure) if one else {"color": INK, "marker": "D"} for one in alone]
    with subplots(width="wide") as (figure, axes):
        draw_rows(axes, rows[["difference", "low", "high"]], looks, at=0)
        runs = " minus ".join(rows[["run 1", "run 2"]].iloc[0]) if any(alone) else "the best one"
        axes.set_title(f"{measure}: {runs}", parse_math=False)
        axes.set_xlabel("mean difference with its 95% interval")
        figure.savefig(file, dpi=200, facecolor="white")
