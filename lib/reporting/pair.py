"""What ``compare`` says of runs, and ``compare-qrels`` of judges: sentences, tables, a picture."""

import warnings
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from lib.conventions import ALPHA, DECIMALS, POWER
from lib.decisions import FINDING, above, decide, level, worded
from lib.display.plain import digits, ranging, small
from lib.errors import InputWarning
from lib.intervals import Interval
from lib.measures import Scores, parse
from lib.reporting.paper_table import paper_table
from lib.statistics.comparison import DRAWS, EXACT, MANY, best_first, difference_in_print, is_ratio
from lib.statistics.power import detectable, in_topics, needed, power

_SHOWN = 5  # topics each way
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_P = (
    "p: two-sided, of the paired t test; after Holm, for the measures beside {}; of the permutation"
)
_DRAWN = {  # by the number of topics up to which it holds
    EXACT: "exact",
    MANY: f"{DRAWS:,} random draws, standard error 0.0016 at most",
    np.inf: f"up to {DRAWS:,} random draws, standard error 3% of p, or 0.0003 below p = 0.01",
}
_TAUS = {"tau-b": "tau-b", "tau-AP": "tau-AP, symmetric"}
_AGREE = {
    "overlap": "relevant to both, of those relevant to either",
    "agreement": "called the same by both",
    "kappa": "Cohen's kappa, of relevant or not",
    "weighted kappa": "Cohen's kappa of grades, squared weights",
    "bias": "A's mean grade less B's",
    "A's relevant": "relevant to B too, of those relevant to A",
    "B's relevant": "relevant to A too, of those relevant to B",
}
_MEANS, _TEST = "Means with 95% intervals over", "paired t test at 0.05"
TEST_NAMES = {
    "holm": f"{_TEST}, after Holm for all pairs, by measure",
    "tukey": "Tukey's test at 0.05, randomized (10,000 draws), for all pairs, by measure",
}
TEST_OF_ONE = TEST_NAMES | {  # beside all others
    "none": f"{_TEST}, not corrected",
    "holm": f"{_TEST}, after Holm for all runs, by measure",
}
_MARKED = "A letter names a run that this one is significantly better than: {}."


def pair_page(
    comparison: pd.DataFrame,
    scores: Mapping[str, Scores],
    difference: float | None = None,
    margin: float | None = None,
) -> str:
    """Return what is said of two runs: see :func:`lib.statistics.comparison.versus`.

    ``difference`` is one of which is asked how many topics it needs, ``margin`` one by which a run
    may be worse and still count as as good.
    """
    measure, table = next(iter(scores.items()))
    topics = f"{len(table):,} topics"
    shown = comparison[["mean of one", "mean of other"]].set_axis(list(table), axis=1).map(digits)
    said = [
        [_said(row[part], str(name), len(table)) for part in ("difference", "low", "high")]
        for name, row in comparison.iterrows()
    ]
    shown["difference"] = [difference for difference, *_ in said]
    shown["95% interval"] = [f"{low} to {high}" for _, low, high in said]
    for name, column in {"p, t": "p", "p, Holm": "p Holm", "p, perm.": "p permutation"}.items():
        shown[name] = comparison[column].map(small)
    shown = shown.join(comparison[["wins", "ties", "losses"]].astype(str))
    shown["effect"] = comparison["effect"].map(lambda d: "-" if d != d else f"{d:+.2f}")
    shown.index = [f"{name} (ratio)" if is_ratio(name) else name for name in shown.index]
    lines = [
        verdict(comparison.iloc[0], table.columns[0], table.columns[1], len(table)),
        *_agreement(comparison),
        *([] if margin is None else [_within(table, measure, margin)]),
        "",
    ]
    lines += [f"{' minus '.join(table)}, {topics}", shown.rename_axis(None).to_string()]
    drawn = next(words for most, words in _DRAWN.items() if len(table) <= most)
    lines += [f"{_P.format(measure)} test ({drawn})."]
    lines += ["Effect: the mean difference over its standard deviation."]
    table = table.assign(difference=table.iloc[:, 0] - table.iloc[:, 1])
    lines += _topics(table, measure)
    if deviation := float(table["difference"].std()):
        least = detectable(deviation, len(table))
        lines += [
            f"\nWith these {topics} the t test finds a true {_noun(measure)} in {measure} of "
            f"{difference_in_print(least, measure, len(table)):.4f} or more with a statistical "
            f"power of {POWER:.0%}."
        ]
        if difference:
            more = in_topics(needed(difference / deviation))
            lines += [f"A true difference of {difference:g} needs {more} topics."]
    elif comparison["difference"].iloc[0]:
        lines += [f"\nEvery topic has the same difference in {measure}; none tells how they vary."]
    return "\n".join(lines)


def _noun(measure: str) -> str:
    return "ratio" if is_ratio(measure) else "difference"


def _said(difference: float, measure: str, topics: int) -> str:
    """Write a mean difference as that of the two printed means, in their unit."""
    printed = float(difference_in_print(difference, measure, topics))
    return digits(printed) if is_ratio(measure) else f"{printed:+.4f}"


def verdict(row: pd.Series, one: str, other: str, topics: int) -> str:
    """Say which run is better by a measure, in a sentence that can be quoted."""
    measure = str(row.name)
    runs, means = [one, other], row[["mean of one", "mean of other"]].tolist()
    ends, counts = row[["low", "high"]].tolist(), row[["wins", "losses"]].tolist()
    if row["difference"] < 0:
        runs, means, counts = runs[::-1], means[::-1], counts[::-1]
        ends = [-end for end in ends[::-1]]
    p = [small(row[name]) for name in ("p", "p permutation")]
    p[0] = p[0] if p[0].startswith("<") else f"= {p[0]}"
    low, high = (_said(end, measure, topics) for end in ends)
    sure = f"95% interval {low} to {high}; p {p[0]} by the t test, {p[1]}"
    if means[0] != means[1] and row["effect"] != row["effect"]:
        sure = f"the same on every topic, so no interval and no t test; p {p[1]}"
    ahead = difference_in_print(abs(row["difference"]), measure, topics)
    first, last = map(digits, means)
    return (
        f"{which_is_better(runs, measure, row['p'])}: {first} against {last} "
        f"over {topics:,} topics, a {_noun(measure)} of {ahead:.4f} ({sure} by the permutation "
        f"test); better on {counts[0]:.0f} topic{'s' * (counts[0] != 1)}, worse on {counts[1]:.0f}."
    )


def which_is_better(runs: Sequence[str], by: str, p: float) -> str:
    """Say that the first of two runs, which is ahead, is better, or that it is open.

    >>> which_is_better(["A", "B"], "AP", 0.2)
    'Whether A or B is better by AP is inconclusive'
    """
    first, second = runs
    if worded(True, p).word == FINDING:
        return f"{first} is better than {second} by {by}"
    return f"Whether {first} or {second} is better by {by} is inconclusive"


def _within(table: Scores, measure: str, margin: float) -> str:
    """Say whether either run is not worse than the other by a margin, and both equivalent."""
    one, other = table
    difference, topics = table[one] - table[other], len(table)
    interval = Interval.of(difference.mean(), difference.sem(), topics - 1)
    not_worse, worse = "{} is not worse than {}".format, "{} is worse than {} by more".format
    both, loss = f"{one} and {other} are", above(-margin)
    claims = [
        (not_worse(one, other), worse(one, other), interval, loss),
        (not_worse(other, one), worse(other, one), -interval, loss),
        (f"{both} equivalent", f"{both} not equivalent", interval, level(margin)),
    ]
    text = f"The margin is {margin:g} by {measure}."
    for yes, no, of, bound in claims:
        decided = decide(of, bound, bound.p_value(of))
        said = {
            True: f"{yes} ({decided.word})",
            False: f"{no} ({decided.word})",
            None: f"Whether {yes} is {decided}",
        }
        text += f" {said[decided.holds]}."
    if deviation := float(difference.std()):
        chance = float(power(margin, deviation, topics))
        text += (
            f" Were both alike, {topics:,} topics would show that one is not worse with a "
            f"statistical power of {chance:.0%}, and equivalence with {max(0, 2 * chance - 1):.0%}."
        )
    return text


def said_of_unjudged(table: pd.DataFrame, judged: pd.Series) -> str:
    """Say which share of two runs is judged, and warn where that may make their difference.

    ``judged`` is the share of what the primary measure looks at, by run.  By a measure that is
    proportional to what was found, the run that is behind is given as much judged as the other one.
    """
    measure, means = table.index[0], table.iloc[0][["mean of one", "mean of other"]]
    by_mean = sorted(zip(judged.index, means, judged), key=lambda run: run[1])
    (behind, low, less), (ahead, high, more) = by_mean
    if less and low < high <= low * more / less:
        what = f"{ahead} may be ahead for that"
        if parse(measure).definition.proportional:
            what = (
                f"as much judged, and as good as what is, would bring {behind} from {low:.4f} to "
                f"{low * more / less:.4f}, past {ahead}"
            )
        warnings.warn(
            f"of {behind} {less:.1%} is judged, of {ahead} {more:.1%}: {what}; see evaluate "
            "--unjudged, and --judged-only",
            InputWarning,
            stacklevel=2,
        )
    shares = ", ".join(f"{share:.1%} of {run}" for run, share in judged.items())
    return f"\nOf what {measure} looks at, so much is judged: {shares}."


def _agreement(table: pd.DataFrame) -> list[str]:
    """Say whether the other measures agree with the primary one, which stands first."""
    measure = table.index[0]
    words = [worded(row["difference"] > 0, row["p Holm"]).word for _, row in table.iterrows()]
    sign = np.sign(table["difference"]) * (np.array(words) == FINDING)
    first, others = sign.iloc[0], sign.iloc[1:]
    say = {
        ("agrees", "agree", f"with {measure}"): (others == first) & (others != 0),
        ("finds", "find", f"the opposite of {measure}"): others * first < 0,
        ("speaks", "speak", "for the first run"): (others > 0) & (first == 0),
        ("speaks", "speak", "for the second run"): (others < 0) & (first == 0),
        ("is", "are", "inconclusive"): others == 0,
    }
    lines = [
        f"{', '.join(others.index[which])} {many if which.sum() > 1 else one} {what}"
        for (one, many, what), which in say.items()
        if which.any()
    ]
    return [f"Other measures, after Holm: {'; '.join(lines)}."] * bool(lines)


def _topics(table: pd.DataFrame, measure: str) -> list[str]:
    """Return the topics on which two runs differ most, each way."""
    lines = []
    for sign, run in zip((1, -1), table):
        rows = table[table["difference"] * sign > 0]
        rows = rows.sort_values("difference", ascending=sign < 0, kind="stable").head(_SHOWN)
        if is_ratio(measure):
            rows = np.exp(rows).rename(columns={"difference": "ratio"})
        rows = rows.map(digits).rename_axis(index=None, columns=None)
        lines += [f"\n{measure}: the topics that speak most for {run}"]
        lines += [rows.to_string() if len(rows) else "none"]
    return lines


def runs_page(board: pd.DataFrame, measures: Sequence[str], test: str) -> str:
    """Return the table of some runs: see :func:`lib.statistics.comparison.leaderboard`.

    ``test`` is what its letters rest on.
    """
    letter = _letters(board)
    cells = [
        f"{ranging(of)} {''.join(sorted(letter[run] for run in worse)):4}"
        for *of, worse in board[["mean", "low", "high", "better than"]].to_numpy()
    ]
    table = board.assign(cell=cells).pivot(index="system", columns="measure", values="cell")
    table = table.loc[list(letter), list(measures)]
    table.insert(0, "", list(letter.values()))
    lines = table.rename_axis(index=None, columns=None).to_string().splitlines()
    note = f"{_MEANS} topics. {_MARKED.format(test)}"
    return "\n".join([*(line.rstrip() for line in lines), note])


def ranks_page(board: pd.DataFrame, measures: Sequence[str], system: str, test: str) -> str:
    """Return the table of any number of runs beside one of them, best first.

    ``board`` has means with what each run has over ``system``, which ``test`` decides.
    """
    first, *others = measures
    by = {name: of.set_index("system") for name, of in best_first(board, first).groupby("measure")}
    of, over = by[first], ["difference", "low of difference", "high of difference"]
    form, beside = (".4f", "over") if is_ratio(first) else ("+.4f", "minus")
    table = pd.DataFrame({"rank": of["mean"].round(DECIMALS).rank(ascending=False, method="min")})
    table = table.astype(int).rename_axis(None)
    table[first] = [ranging(row) for row in of[["mean", "low", "high"]].to_numpy()]
    table[f"{beside} {system}"] = [ranging(row, form) for row in of[over].to_numpy()]
    table["p"] = of["p"].map(small)
    for name in others:
        of = by[name]
        sign = np.sign(of["mean"] - of.loc[system, "mean"]) * (of["p"] < ALPHA)
        table[name] = of["mean"].map(digits) + sign.map({1: " +", -1: " -", 0: "  "})
    note = f"{_MEANS} topics. p, and + and -, better and worse than {system}: {test}."
    return "\n".join([*(line.rstrip() for line in table.to_string().splitlines()), note])


def _letters(board: pd.DataFrame) -> dict[str, str]:
    """Return the letter of each run, best first by the primary measure, which stands first."""
    first = board[board["measure"] == board["measure"].iloc[0]]
    order = first.sort_values("mean", ascending=False, kind="stable")
    return dict(zip(order["system"], _LETTERS))


def paper_of_runs(
    board: pd.DataFrame, form: str = "latex", over: str = "topics", test: str = TEST_NAMES["holm"]
) -> str:
    r"""Return a leaderboard as a paper has it, with letters for what is significantly better.

    Parameters
    ----------
    board : DataFrame
        What :func:`lib.statistics.comparison.leaderboard` returns, of up to 26 systems.
    form : {"latex", "markdown"}
        LaTeX needs the package booktabs.
    over : str
        What the intervals are over, for the caption.
    test : str
        The test that the letters rest on, for the caption; by default that of ``leaderboard``.

    Returns
    -------
    str
        With its caption.

    Examples
    --------
    >>> one = {"measure": "AP", "system": "A", "mean": 0.5, "low": 0.4, "high": 0.6}
    >>> text = paper_of_runs(pd.DataFrame([one | {"better than": []}]), "markdown")
    >>> print(text.splitlines()[-1])
    | a | A | **0.500** [0.400, 0.600] |
    """
    letter = _letters(board)
    marks = ["".join(sorted(letter[run] for run in worse)) for worse in board["better than"]]
    board = board.assign(mark=marks, letter=board["system"].map(letter))
    board = board.sort_values("letter", kind="stable")
    caption = f"{_MEANS} {over}; the best is bold. {_MARKED.format(test)}"
    return paper_table(board, form, caption)


def paper_of_pair(means: pd.DataFrame, table: pd.DataFrame, form: str, over: str) -> str:
    """Return the means of two runs as a paper has them; see :func:`pair_page`."""
    one, other = means["system"].iloc[:2]
    differs = table[table["p Holm"] < ALPHA]["difference"]
    worse = {(m, one): [other] for m in differs[differs > 0].index}
    worse |= {(m, other): [one] for m in differs[differs < 0].index}
    marks = [worse.get((m, run), []) for m, run in means[["measure", "system"]].to_numpy()]
    test = f"{_TEST}, after Holm for the measures beside {table.index[0]}"
    return paper_of_runs(means.assign(**{"better than": marks}), form, over, test)


def paper_of_means(
    board: pd.DataFrame, form: str, topics: str, against: str | None, correction: str
) -> str:
    """Return what ``evaluate --summary`` finds as a paper has it; a dagger is a difference."""
    caption = f"{_MEANS} {topics}; the best is bold."
    if against is None:
        return paper_table(board.assign(mark=""), form, caption)
    caption += f" †: significantly different from {against}, {TEST_OF_ONE[correction]}."
    return paper_table(board.assign(mark=np.where(board["p"] < ALPHA, "†", "")), form, caption)


def draw_topic_differences(scores: Scores, measure: str, file: str) -> None:
    """Draw how much two runs differ on each topic, sorted, into a file."""
    from lib.display.figures import measure_style, subplots

    one, other = scores
    difference = (scores[one] - scores[other]).sort_values(ascending=False)
    few = difference.index if len(difference) <= 60 else []
    with subplots(width="wide") as (figure, axes):
        axes.bar(range(len(difference)), difference, color=measure_style(measure)["color"])
        axes.axhline(0, color="black", linewidth=0.8)
        axes.axhline(difference.mean(), color="black", linewidth=0.8, linestyle=":")
        shown = f"ln of {measure}" if is_ratio(measure) else measure  # of which topics differ
        axes.set_title(f"{shown}: {one} minus {other}", parse_math=False)
        mean = f"{difference.mean():+.4f}"
        axes.set_xlabel(f"{len(difference):,} topics, sorted; dotted: the mean, {mean}")
        axes.set_xticks(range(len(few)), few, rotation=90, parse_math=False)
        axes.grid(axis="x", visible=False)
        figure.savefig(file, dpi=200, facecolor="white")


def judges_page(
    judged: pd.DataFrame,
    agreed: pd.DataFrame,
    rankings: pd.DataFrame,
    runs: int,
    left: int,
    correction: str,
) -> str:
    """Return what two judges agree on, and how alike they rank the runs.

    The tables are those of :mod:`lib.two_judges`; ``left`` topics only one of them judged.
    """
    total = judged.sum()
    both = total[["yes yes", "yes no", "no yes", "no no"]].sum()
    alone = f" ({left} that only one did are left out)" if left else ""
    lines = [
        f"{len(judged)} topics that both judged{alone}, {runs} runs.",
        f"Documents judged by both: {both:,}; only by A: {total['only A']:,}; only by B: "
        f"{total['only B']:,}.",
        f"Relevant to both: {total['yes yes']:,}; only to A: {total['yes no']:,}; only to B: "
        f"{total['no yes']:,}.\n",
        "Of the documents that both judged (95% interval over topics)",
        *(f"  {words:<46}{ranging(agreed.loc[name], '.2f')}" for name, words in _AGREE.items()),
        "\nRankings of the runs by A and by B (95% interval over topics)",
    ]
    table = rankings[["pairs", "turn", "by A", "by B", "both"]].astype(int)
    for place, name in enumerate(_TAUS):
        ends = rankings[[name, f"low {name}", f"high {name}"]].to_numpy()
        table.insert(place, _TAUS[name], [ranging(values, ".2f") for values in ends])
    corrected = " after Holm" if correction == "holm" else ""
    lines += [table.rename_axis(None).to_string()]
    lines += [f"turn: pairs in opposite order; by A, by B, both: of these significant{corrected}"]
    if rankings.isna().any(axis=None) or agreed.isna().any(axis=None):
        lines += [
            "-: no interval, with fewer than five topics or five runs, or at an end of the scale"
        ]
    return "\n".join(lines)
