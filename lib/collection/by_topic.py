"""Scores by topic as trec_eval prints them, one output a run: where the runs are not at hand."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from lib.errors import InputError
from lib.paths import AnyPath

# The book's names of what trec_eval calls otherwise, before version 9 and since.
NAMES = {"map": "AP", "recip_rank": "RR", "R-prec": "Rprec", "Rprec": "Rprec", "bpref": "Bpref"}


def read_by_topic(files: Mapping[str, AnyPath]) -> dict[str, pd.DataFrame]:
    """Read what ``trec_eval -q`` printed of each run.

    Parameters
    ----------
    files : dict of str to path
        From the name of a run to its output.

    Returns
    -------
    dict of str to DataFrame (topics x runs)
        The scores by each measure of :data:`NAMES`, and by precision at each printed depth, under
        the names of the book.

    Raises
    ------
    InputError
        A file that is empty or cannot be read as such, a value outside its range, or topics or
        measures other than those of the first file: it names the file, and the line.
    """
    if not files:
        raise InputError("no outputs of trec_eval")
    parts = {run: _of_run(Path(path)) for run, path in files.items()}
    first = next(iter(parts.values()))
    for run, part in parts.items():
        for axis, what in ((first.index, "topics"), (first.columns, "measures")):
            other = axis.symmetric_difference(part.axes[axis is first.columns])
            if len(other):
                named = ", ".join(map(str, other[:3]))
                raise InputError(f"{files[run]}: other {what} than in the first file: {named}")
    table = pd.concat(parts, axis="columns", names=["run", "measure"]).loc[first.index]
    return {name: table.xs(name, axis="columns", level="measure") for name in first.columns}


def _of_run(path):
    """Return the scores of a run (topics x measures)."""
    values = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    for number, line in enumerate(lines, start=1):
        words = line.split()
        if len(words) != 3 or words[1] == "all" or not (name := _name(words[0])):
            continue
        if (words[1], name) in values:
            raise InputError(
                f"{path}, line {number}: {name} of topic {words[1]} stands there twice"
            )
        try:
            value = float(words[2])
        except ValueError:
            value = -1.0
        if not 0 <= value <= 1:
            raise InputError(f"{path}, line {number}: {words[2]} is no {name}")
        values[words[1], name] = value
    if not values:
        raise InputError(f"{path}: no scores by topic, as trec_eval -q prints them")
    table = pd.Series(values).unstack()
    if table.isna().any(axis=None):
        topic, name = table.stack(future_stack=True).isna().idxmax()
        raise InputError(f"{path}: no {name} of topic {topic}")
    return table.rename_axis(index="topic")


def _name(printed):
    """Return the book's name of a measure, empty where it is none that is read."""
    depth = printed.removeprefix("P_") if printed.startswith("P_") else printed[1:]
    is_precision = printed.startswith("P") and depth.isdecimal()
    return f"P@{depth}" if is_precision else NAMES.get(printed, "")


def restored(scores: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Return printed scores as what they were rounded from, so that ties stay ties.

    P@k is a number of documents over k, RR one over a rank; other measures stay as printed.

    Examples
    --------
    >>> restored(pd.DataFrame({"A": [0.0667]}), "P@15").loc[0, "A"] == 1 / 15
    np.True_
    >>> restored(pd.DataFrame({"A": [0.3333, 0.0]}), "RR")["A"].tolist() == [1 / 3, 0]
    True
    """
    if measure.startswith("P@"):
        depth = int(measure.removeprefix("P@"))
        return (scores * depth).round() / depth
    if measure == "RR":
        return (1 / scores.where(scores > 0)).round().rdiv(1).fillna(0.0)
    return scores
