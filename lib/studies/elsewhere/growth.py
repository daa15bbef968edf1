"""Figure 1 of Webber 2008 carried on: AP and P@10 as predictors of P@10, topic by topic more."""

from collections.abc import Iterable, Sequence

import pandas as pd
from joblib import Parallel
from tqdm import tqdm

from lib.papers.webber2008.tables import SPLITS
from lib.paths import DATA
from lib.statistics.jackknife import jackknife
from lib.studies.elsewhere.predictions import HALF, phi_of
from lib.studies.sources import Source, sources
from lib.tasks import task

SIZES = (5, 10, 15, 20, 25, 30, 40, 50, 60, 75, 100, 124)  # of Robust 2004's 249 topics
TARGET, PREDICTOR = "P@10", "AP"
COLUMNS = [
    *("source", "topics", "itself", "by_ap", "lead", "error", "low", "high"),
    *("change", "change_low", "change_high"),
]


def sizes_of(source: Source) -> list[int]:
    """Return the sizes of two sets of topics that a source has room for."""
    half = source.topics // 2
    return sorted({size for size in SIZES if size <= half} | ({half} if half < HALF else set()))


def curve(source: Source, sizes: Sequence[int] | None = None) -> pd.DataFrame:
    """Say how well P@10 is predicted from more and more topics, by itself and by AP."""
    sizes = sizes_of(source) if sizes is None else sizes
    first = max((size for size in sizes if size <= HALF), default=sizes[0])
    phis, leads = {}, {}
    for size in sizes:
        # Smaller sets are drawn more often, so that each topic is in as many.
        names, phi, without = phi_of(
            source, size=size, labels=(TARGET, PREDICTOR), for_error=round(SPLITS * HALF / size)
        )
        a, b = names.index(TARGET), names.index(PREDICTOR)
        phis[size] = phi[a, a], phi[b, a]
        leads[size] = phi[b, a] - phi[a, a], without[:, b, a] - without[:, a, a]
    rows = []
    for size, (lead, without) in leads.items():
        found = jackknife(lead, without)
        change = jackknife(lead - leads[first][0], without - leads[first][1])
        ends = (found.error, found.low, found.high, change.estimate, change.low, change.high)
        numbers = (*phis[size], found.estimate, *ends)
        rows.append([source.name, size, *(round(float(x), 6) + 0.0 for x in numbers)])
    return pd.DataFrame(rows, columns=COLUMNS)


def grown(names: Iterable[str] | None = None) -> pd.DataFrame:
    """Compute the curves of the sources, with a progress bar."""
    wanted = [one for one in sources() if names is None or one.name in set(names)]
    work = Parallel(return_as="generator")(task(curve, source) for source in wanted)
    bar = tqdm(work, total=len(wanted), desc="growth", unit="source", disable=None)
    return pd.concat(list(bar), ignore_index=True)


def committed_growth() -> pd.DataFrame:
    """Return what ``python -m lib elsewhere growth`` found, as it is committed.

    Examples
    --------
    >>> last = committed_growth().query("source == 'robust04'").iloc[-1]
    >>> int(last["topics"]), bool(last["by_ap"] < last["itself"])
    (124, True)
    """
    return pd.read_csv(DATA / "elsewhere" / "growth.csv")
