"""The figures of the chapter: rows with intervals for both tracks, grades, and runs with names."""

from collections.abc import Callable, Mapping
from functools import partial

import pandas as pd

from lib.conventions import ALPHA
from lib.decisions import above
from lib.display import figures
from lib.display.figures import PALETTE, REFERENCE, measure_style
from lib.intervals import Interval, between
from lib.studies.judges import sign_reversals
from lib.studies.machines import budget, questions
from lib.studies.machines.judging import PEOPLE, TRACKS, grading, judged, machines, scored

ENDS = ["estimate", "low", "high"]
ROW, HEAD = 0.2, 0.85  # inches
NOTHING = dict.fromkeys(TRACKS.values(), 0.0)
WIDE = (-6.5, 3)  # standard deviations over runs


def judge_style(judge: str) -> dict[str, str]:
    """Return a judge's colour and marker, those of judges that were added after the four's."""
    every = list(dict.fromkeys(name for track in TRACKS for name in machines(track)))
    place = every.index(judge) if judge in every else -1
    markers = "os^Dv<>h"
    return {"color": PALETTE[place % len(PALETTE)], "marker": markers[place % len(markers)]}


def _rows(
    table_of: Callable[[str], pd.DataFrame],
    axis: str,
    caption: str,
    *,
    style: Callable[[tuple], dict],
    at: Mapping[str, float] = NOTHING,
    form: str = "+.3f",
) -> figures.Figure:
    """Draw a row with its interval for each row of a table, a panel a track, and a dotted line."""
    tables = {title: table_of(track) for track, title in TRACKS.items()}
    height = ROW * max(map(len, tables.values())) + HEAD
    with figures.panels([*tables], height=height, sharex=True, xlabel=axis) as (drawing, panels):
        for axes, (title, table) in zip(panels, tables.items()):
            words, looks = partial(between, form=form), map(style, table.index)
            figures.draw_rows(axes, table[ENDS], looks, words=words, at=at[title])
    data = pd.concat(tables, names=["track"])[ENDS]
    said = "; ".join(f"{title}: {_apart(table, at[title])}" for title, table in tables.items())
    alt = f"{axis[0].upper()}{axis[1:]}. {said}."
    caption = f"Intervals that exclude the dotted line: {said}. {caption}"
    return figures.Figure(drawing, caption=caption, alt=alt, data=data, formats=form)


def _apart(table, at):
    """Say how many intervals of each judge lie right and left of a line."""
    found, right = Interval.read(table), above(at)
    sides = {"right": right.supported(found), "left": right.contradicted(found)}
    sides = pd.DataFrame(sides, table.index)
    counts = sides.groupby(level="judge", sort=False).sum()
    words = [
        f"{judge} {' and '.join(f'{number} {side}' for side, number in row.items() if number)}"
        for judge, row in counts.iterrows()
        if row.any()
    ]
    return ", ".join(words) or "none"


def draw_halves() -> figures.Figure:
    """Draw machine against people beside people against people, on the same halves of topics."""
    return _rows(
        questions.halves,
        "tau-b of machine and people minus tau-b of people and people",
        "How well a machine's order of runs goes with the people's on other topics, beside how "
        "well the people's own does (dotted). One half of the topics is ranked by the machine, the "
        f"other half by people; means over {questions.SPLITS} random halvings, 95% intervals over "
        "the topics of each track.",
        style=lambda key: measure_style(key[1]),
    )


def draw_grading() -> figures.Figure:
    """Draw which share of the documents of each of the people's grades a machine calls relevant."""
    tables = {title: grading(track) for track, title in TRACKS.items()}
    with figures.panels([*tables], height=2.9, sharex=True, ylabel="share") as (drawing, panels):
        for axes, table in zip(panels, tables.values()):
            for judge, row in table.iterrows():
                figures.draw_line(axes, row.index, row, str(judge), **judge_style(str(judge)))
            axes.axvline(1.5, **REFERENCE)
            axes.set(ylim=(0, 1.03), xlim=(-0.2, 3.2), xticks=range(4), xlabel="grade by people")
        figures.label_lines(panels[-1])
    data = pd.concat(tables, names=["track"])
    (track, judge), ends = max(data.iterrows(), key=lambda row: row[1][0])
    return figures.Figure(
        drawing,
        caption=f"Of the documents that people grade 0 machines call {data[0].min():.0%} to "
        f"{data[0].max():.0%} relevant. The share of documents that each "
        "machine calls relevant, by the people's grade. People count grades right of the dotted "
        "line as relevant.",
        alt=f"A line a machine by grade, 0 to 3; highest at 0 is {judge}'s on {track}, which goes "
        f"from {ends[0]:.2f} to {ends[3]:.2f}.",
        data=data,
        formats=".2f",
    )


def draw_answers() -> figures.Figure:
    """Draw each machine's answer to the book's questions minus the people's."""

    def gaps(track):
        table = questions.answers(track).drop(PEOPLE, level="judge")
        names = {"difference": "estimate", "difference low": "low", "difference high": "high"}
        return table[[*names]].rename(columns=names)

    return _rows(
        gaps,
        "by the machine minus by people",
        "Each machine's answer to the book's questions minus the people's, from the same topics "
        "and runs, with 95% intervals over topics.",
        style=lambda key: judge_style(key[1]),
    )


def draw_bought() -> figures.Figure:
    """Draw how many topics people alone would need for what they and a machine achieve."""
    sizes = {title: len(judged(track, PEOPLE).topics) for track, title in TRACKS.items()}
    judge = {title: round(budget.SHARE * n) for title, n in sizes.items()}
    said = " and ".join(f"{judge[title]} of {n}" for title, n in sizes.items())
    return _rows(
        lambda track: budget.bought(track).reindex(questions.halves(track).index),
        "topics that people alone would have to judge",
        "People judge a quarter of the topics "
        f"({said}: the dotted line), a machine all of them: so many topics "
        "would people alone have to judge to compare two runs as well (median over pairs "
        "of runs, 95% intervals over topics).",
        style=lambda key: measure_style(key[1]),
        at=judge,
        form=".1f",
    )


def draw_runs(track: str, judge: str, measure: str) -> figures.Figure | str:
    """Draw the runs' means by people and by a machine, and the pairs that change order."""
    if judge not in machines(track):
        return f"<p>{judge} did not judge {TRACKS[track]}.</p>"
    means = [scored(track, by, measure).mean() for by in (PEOPLE, judge)]
    x, y = ((mean - mean.mean()) / mean.std() for mean in means)
    words = pd.Series([f"{a:.3f} by people, {b:.3f} by {judge}" for a, b in zip(*means)], x.index)
    turned = sign_reversals(judged(track, PEOPLE), judged(track, judge), measure)
    sure = turned[turned["p by A"] < ALPHA]
    tau = questions.orders(track).loc[(judge, measure)]
    with figures.subplots(height=3.9) as (drawing, axes):
        axes.set(xlim=WIDE, ylim=WIDE, xlabel=f"{measure} by people", ylabel=f"by {judge}")
        axes.plot(WIDE, WIDE, **REFERENCE)
        two = sure[["better by A", "better by B"]]
        figures.draw_pieces(axes, two.map(x.get), two.map(y.get), color="#8a8a8a", linewidth=0.6)
        figures.draw_dots(axes, x, y, x.index, words=words)
    said = between(tau["tau-b"], tau["low tau-b"], tau["high tau-b"]).replace("+", "")
    return figures.Figure(
        drawing,
        caption=f"{TRACKS[track]}, {judge}, {measure}: {len(turned):,} of {int(tau['pairs']):,} "
        f"pairs of runs change order, tau-b {said}. Joined by lines: the {len(sure)} of them that "
        "differ significantly by the people's labels. In standard deviations over runs.",
        alt=f"A dot a run. {len(turned):,} of {int(tau['pairs']):,} pairs change order.",
    )
