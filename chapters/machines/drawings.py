"""The figures of the chapter: a panel a measure or question, a row a judge; and runs with names."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from chapters.ledger.published import in_words
from chapters.machines import judging, people, questions, strictness
from chapters.machines.judging import PEOPLE, TRACKS, judged_by, machines, scores_by
from lib.conventions import ALPHA, MARGIN
from lib.decisions import above
from lib.display import figures
from lib.display.figures import INK, PALE, REFERENCE, measure_style
from lib.display.prose import enumeration
from lib.errors import InputError
from lib.intervals import ENDS, Interval, between
from lib.two_judges import sign_reversals

_ROW, _HEAD = 0.2, 0.85  # inches
_PAIR = 0.2  # rows that each of two variants stands off the middle of theirs
_EDGE = 3.0  # standard deviations over runs; what lies beyond stands at the edge
_HEAVY: dict[str, Any] = {"linewidth": 2.4, "markersize": 7}
_THIN: dict[str, Any] = {"linewidth": 1, "color": PALE}
# What becomes of documents that second people did not label; those kept are not relevant.
UNLABELLED = {judging.ZERO: "kept", judging.LEFT_OUT: "left out"}
_LABELS, _ORDER = "labels: the track's cut", f"{people.MEASURE}: order of runs"
_BESIDE = {_LABELS: "kappa", "labels: best cuts": strictness.BEST_CUT, _ORDER: "order"}


def _grid(
    columns: Mapping[str, pd.DataFrame],
    axis: str,
    caption: str,
    *,
    at: float = 0.0,
    form: str = "+.3f",
    alt: str = "",
) -> figures.Figure:
    """Draw a panel a column and a row a judge; of two variants the second is hollow, below.

    Heavy are intervals that exclude the dotted line.
    """
    rows = len(next(iter(columns.values())))
    titles = [name.replace(": ", ":\n") for name in columns]  # of five beside each other
    height = _ROW * rows + _HEAD
    shown = figures.panels(titles, height=height, sharex=True, xlabel=axis)
    with shown as (drawing, panels):
        for axes, (name, table) in zip(panels, columns.items()):
            axes.axvline(at, **REFERENCE)
            _draw_judges(axes, table, at, partial(between, form=form), measure_style(name))
    data = pd.concat(columns, names=["panel"])[ENDS]
    if len(columns) == 1:
        data = data.droplevel("panel")
    counts = "; ".join(
        f"{name}: {int(_excluding(table, at).sum())} of {rows} intervals exclude it"
        for name, table in columns.items()
    )
    alt = alt or f"{axis[0].upper()}{axis[1:]}, dotted line at {at:g}. {counts}."
    return figures.Figure(drawing, caption=caption, alt=alt, data=data, formats=form)


def _draw_judges(
    axes: Axes, table: pd.DataFrame, at: float, words: Callable[..., str], own: dict[str, Any]
) -> None:
    """Draw a row a judge, and on it a dot with its interval for each of its variants."""
    judges = list(dict.fromkeys(table.index.get_level_values(0)))
    for key, ends, out in zip(table.index, table[ENDS].to_numpy(), _excluding(table, at)):
        judge, *variant = [key] if isinstance(key, str) else key
        second = variant == [UNLABELLED[judging.LEFT_OUT]]
        place = judges.index(judge) + bool(variant) * (_PAIR if second else -_PAIR)
        look = own | (_HEAVY if out else _THIN) | ({"markerfacecolor": "white"} if second else {})
        figures.draw_row(axes, place, ", ".join([judge, *variant]), ends, words=words, **look)
    figures.label_rows(axes, judges)


def _excluding(table: pd.DataFrame, at: float) -> np.ndarray:
    return above(at).decides(Interval.read(table))


def draw_people(track: str) -> figures.Figure | str:
    """Draw what machines have minus what second people have, each beside the track's own people."""
    try:
        judging.judged_again(track)
    except InputError as error:
        return f"<p>{error}.</p>"
    judges, columns = machines(track), {}
    for title, question in _BESIDE.items():
        rows = {
            (judge, word): people.beside_second_people(track, judge, question, on).row()
            for judge in judges
            for on, word in UNLABELLED.items()
        }
        table = pd.DataFrame.from_dict(rows, orient="index")
        table.index = pd.MultiIndex.from_tuples(table.index, names=["judge", "others"])
        columns[title] = table
    labels, orders = (of.loc["UMBRELA"] for of in (columns[_LABELS], columns[_ORDER]))
    found = "UMBRELA's labels are nearer the track's than another person's"
    if not (labels["low"] > 0).all():
        found = "Not in every row are UMBRELA's labels nearer the track's than another person's"
    elif not _excluding(orders, 0).any():
        found += ", and its order is not settled"
    return _grid(
        columns,
        "machine minus second people",
        f"{found}. Machine minus second people, 95% intervals over topics. Heavy: the interval "
        "excludes 0. Documents without a second label: filled, kept as not relevant; hollow, left "
        "out.",
    )


def draw_grades(grades: pd.Series) -> figures.Figure:
    """Draw the grades of one passage by eight people, by TREC's person and by UMBRELA."""
    given = grades.rename({PEOPLE: "TREC's person"})
    places, eight = given.groupby(given).cumcount(), given[[*people.EIGHT]]
    with figures.subplots(height=2.2) as (drawing, axes):
        for judge, grade in given.items():
            look = {"color": PALE} if judge in eight else {"color": INK, "marker": "D"}
            figures.draw_dots(axes, grade, places[judge], [judge], markersize=7, **look)
            shift, side = (9, "left") if judge in eight else (-9, "right")
            beside = {"textcoords": "offset points", "va": "center", "ha": side}
            axes.annotate(judge, (grade, places[judge]), (shift, 0), **beside)
        axes.set(xticks=range(4), xlim=(-0.3, 3.5), yticks=[], ylim=(-0.7, places.max() + 0.7))
        axes.set_xlabel("grade")
    machine, track = ((eight == given[one]).sum() for one in ("UMBRELA", "TREC's person"))
    return figures.Figure(
        drawing,
        data=given.rename("grade").rename_axis("judge").to_frame(),
        alt=f"Dots: {', '.join(f'{judge} {grade}' for judge, grade in given.items())}.",
        caption=f"{in_words(machine).capitalize()} of eight people give UMBRELA's grade, "
        f"and {in_words(track) if track else 'none'} that of TREC's person. Grades of one passage; "
        "A to H are the eight.",
    )


def draw_eight() -> figures.Figure:
    """Draw how far each judge agrees with eight people, from the least to the most like it."""
    table = people.among_eight()
    own, umbrela, track = table.loc[[people.AMONG, "UMBRELA", PEOPLE], "estimate"]
    found = "On three topics UMBRELA agrees with the eight as they agree with one another"
    if abs(umbrela - own) > MARGIN:
        less = "less" if umbrela < own else "more"
        found = f"On three topics UMBRELA agrees {less} with the eight than they with one another"
    below = enumeration(list(table.index[table["high"] < own])) or "none"
    return _grid(
        {"": table.rename(index={PEOPLE: "the track's people"})},
        "Cohen's kappa with one of the eight",
        f"{found}. UMBRELA has a mean kappa of {umbrela:.2f} beside {own:.2f} (dotted), the "
        f"track's people have {track:.2f}. Dots are means; lines reach from the least to the most "
        "similar.",
        alt="Cohen's kappa with one of the eight: a dot and a line for the eight together, for "
        "each of them, the track's people and the machines. Wholly left of the dotted line: "
        f"{below}.",
        at=own,
        form=".2f",
    )


def _many(apart: int, every: int) -> str:
    return f"{apart} of {every} intervals exclude" if apart else "every interval includes"


def draw_favours() -> figures.Figure:
    """Draw how much more than people machines favour runs that models of their kind have made."""
    columns = {
        "nDCG@10: GPT": ("GPT", judging.ALL),
        "nDCG@10: GPT, judged only": ("GPT", judging.JUDGED_ONLY),
        "nDCG@10: RankZephyr": ("RankZephyr", judging.ALL),
    }
    every = [judge for judge in machines("dl19") if judge in machines("dl20")]
    tables = {}
    for name, asked in columns.items():
        rows = {judge: people.favours(judge, *asked).row() for judge in every}
        tables[name] = pd.DataFrame.from_dict(rows, orient="index").rename_axis("judge")
    apart = sum(int(_excluding(table, 0).sum()) for table in tables.values())
    right = int((tables["nDCG@10: GPT"]["estimate"] > 0).sum())
    return _grid(
        tables,
        "standard deviations more by the machine than by people",
        f"{in_words(right).capitalize()} of {in_words(len(every))} machines lean towards GPT's "
        f"runs, and {_many(apart, len(every) * len(columns))} no lean. Re-rankings by GPT, or by "
        "RankZephyr, minus those by other models; DL 2019 and 2020, 95% intervals over topics and, "
        "for GPT, re-rankers.",
        form="+.2f",
    )


def draw_runs(track: str, judge: str, measure: str) -> figures.Figure | str:
    """Draw the runs' means by people and by a machine, and the pairs that change order."""
    if judge not in machines(track):
        return f"<p>{judge} did not judge {TRACKS[track]}.</p>"
    means = [scores_by(track, by, measure).mean() for by in (PEOPLE, judge)]
    words = pd.Series([f"{a:.3f} by people, {b:.3f} by {judge}" for a, b in zip(*means)])
    x, y = (((mean - mean.mean()) / mean.std()).clip(-_EDGE, _EDGE) for mean in means)
    turned = sign_reversals(judged_by(track, PEOPLE), judged_by(track, judge), measure)
    sure = turned[turned["p by A"] < ALPHA]
    tau = questions.orders(track).loc[(judge, measure)]
    ends = (-_EDGE - 0.1, _EDGE + 0.1)
    with figures.subplots(height=3.9) as (drawing, axes):
        axes.set(xlim=ends, ylim=ends, xlabel=f"{measure} by people", ylabel=f"by {judge}")
        axes.plot(ends, ends, **REFERENCE)
        two = sure[["better by A", "better by B"]]
        figures.draw_pieces(axes, two.map(x.get), two.map(y.get), color=PALE, linewidth=0.6)
        figures.draw_dots(axes, x, y, x.index, words=words)
    interval = between(tau["tau-b"], tau["low tau-b"], tau["high tau-b"]).replace("+", "")
    return figures.Figure(
        drawing,
        caption=f"{TRACKS[track]}, {judge}, {measure}: {len(turned):,} of {int(tau['pairs']):,} "
        f"pairs of runs change order, tau-b {interval}. Lines join those that differ "
        f"significantly by the people's labels: {len(sure)}. Beyond {_EDGE:g} standard deviations "
        "runs stand at the edge.",
        alt=f"A dot a run. {len(turned):,} of {int(tau['pairs']):,} pairs change order.",
    )
