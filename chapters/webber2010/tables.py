"""The three tables of the paper, and Figure 1, the weights of ranks.

Every choice that the paper leaves open is a keyword argument; the defaults are the one set with
which all tables come out as printed (``CHOICES`` of :mod:`chapters.webber2010.depth` has the
others).
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from chapters.ledger.published import cells, half_digit
from lib.collection import Collection, load_scores
from lib.conventions import ALPHA
from lib.measures import Scores, complete_scores, dcg_discount, persistence
from lib.statistics.correlation import tau_matrix
from lib.statistics.significance import TESTS, discriminative_power, same_scores

LEADING_POOL = 10  # depth of the pool behind the measures of depth 10 in Table 2
RESIDUAL = 0.1
# The persistence at which RBP leaves that residual, as the paper prints it.
PRINTED_P = {10: 0.8, 100: 0.977, 1000: 0.9977}
# Data package: the column of Table 1 that was computed from its runs.
COLUMN_OF = {"trec8": "TREC-8 ad hoc", "trec5": "TREC-5 ad hoc"}
# Of these runs scores by AP and P@10 are public; of the paper's two other collections nothing is.
ROBUST = "TREC 2004 Robust"
_NEW_TOPICS = 651, 700  # of Robust 2004, which section 3.3 says the paper takes


def table1(collection: Collection, *, discount: str = "2002", **decided: Any) -> pd.DataFrame:
    """Discriminative power of five measures and their mean, as :func:`separated` decides: Table 1.

    The column is the paper's when the collection is what it was computed from, else the
    collection's name.
    """
    column = collection.memoize("column of Table 1", _column)
    powers = powers_of_table1(complete_scores(collection, measures_of_table1(discount)), **decided)
    return cells((row, column, value) for row, value in powers.items())


def separated(
    scores: ArrayLike, *, alpha: float = ALPHA, identical: str = "left out", **how: Any
) -> float:
    """Return the share of pairs of systems that differ, decided as in the paper or as is said.

    By the t test at 5%.  The paper does not say what becomes of ``identical`` pairs, systems with
    the same score on every topic; three numbers of its text tell that it leaves them out.
    """
    return discriminative_power(scores, alpha=alpha, identical=identical, **how)


def _column(collection: Collection) -> str:
    ours = (column for package, column in COLUMN_OF.items() if collection.is_package(package))
    return next(ours, collection.name)


def powers_of_table1(scores: Mapping[str, Scores], **decided: Any) -> pd.Series:
    """Return the discriminative power by each of some scores, and their "mean"."""
    powers = {row: separated(table, **decided) for row, table in scores.items()}
    return pd.Series(powers | {"mean": float(np.mean(list(powers.values())))})


def measures_of_table1(discount: str = "2002") -> dict[str, str]:
    """Return the measures of Table 1: the paper's name to that of the library."""
    alike = {name: name for name in ("P@10", "RBP(p=0.8)", "RBP(p=0.95)", "AP@1000")}
    return alike | {"nDCG@1000": f"nDCG(discount={discount},gain=binary)@1000"}


def robust_scores() -> dict[str, pd.DataFrame]:
    """Return what the runs of Robust 2004 score on the topics of the paper, by row of Table 1.

    Lists end at rank 1,000, so that AP is AP@1000.

    >>> {row: table.shape for row, table in robust_scores().items()}
    {'P@10': (49, 110), 'AP@1000': (49, 110)}
    """
    matrix = load_scores("robust04")
    first, last = _NEW_TOPICS
    new = [topic for topic in matrix["AP"].index if first <= int(topic) <= last]
    return {"P@10": matrix["P@10"].loc[new], "AP@1000": matrix["AP"].loc[new]}


def robust(scores: Mapping[str, Scores] | None = None) -> pd.DataFrame:
    """Return the cells of Table 1 that scores of Robust 2004's runs give, by default those public.

    >>> [(cell.row, f"{cell.value:.4f}") for cell in robust().itertuples()]
    [('P@10', '0.5164'), ('AP@1000', '0.6803')]
    """
    return cells(
        (row, ROBUST, separated(table)) for row, table in (scores or robust_scores()).items()
    )


def most_by_mean(column: pd.Series, printed_mean: str, row: str) -> float:
    """Return what a row of our numbers may be at most, by the printed mean of the column.

    >>> round(most_by_mean(pd.Series({"a": 0.2, "b": 0.5}), "0.30", "b"), 3)
    0.41
    """
    highest = float(printed_mean) + half_digit(printed_mean)
    return float(len(column) * highest - column.drop(row).sum())


def table2(
    collection: Collection, *, variant: str = "b", decimals: int | None = 10, **options: Any
) -> pd.DataFrame:
    """Kendall's tau between ten measures' rankings of systems, above the diagonal: Table 2.

    Means are rounded to some ``decimals`` before they rank; the options are those of
    :func:`scores_of_table2`.
    """
    tables = scores_of_table2(collection, **options)
    means = pd.DataFrame({label: scores.mean() for label, scores in tables.items()})
    return upper(tau_matrix(means if decimals is None else means.round(decimals), variant=variant))


def scores_of_table2(
    collection: Collection,
    *,
    discount: str = "2002",
    by: str | Sequence[str] = "all",
    pool: int | None = LEADING_POOL,
    average: str = "AP",
    rbp: str = "printed",
    rbp_pool: int | None = None,
    rbp_cut: bool = False,
) -> dict[str, Scores]:
    """Score every system by the ten measures of Table 2.

    ``pool`` is the depth of the pool behind the measures of depth 10 (None: all judgements), made
    from the systems ``by``.  The caption says that RBP with p = .8 has that pool too; only all
    judgements (``rbp_pool``) and whole lists (``rbp_cut``) give the printed numbers.  p is as
    ``printed``, .8 and .9977, or as equation (7) gives it, .7943 and .99770006.
    """
    stay = _persistence(rbp)

    def pooled(depth: int | None) -> Collection:
        return collection if depth is None else collection.pooled(depth, by=by)

    def names(k: int) -> dict[str, str]:
        return {
            f"P@{k}": f"P@{k}",
            f"R@{k}": f"R@{k}",
            f"AP@{k}": f"{average}@{k}",
            f"nDCG@{k}": f"nDCG(discount={discount},gain=binary)@{k}",
        }

    geometric = f"RBP(p={stay[10]!r})" + ("@10" if rbp_cut else "")
    deepest = f"RBP(p={stay[1000]!r})@1000"
    return {
        **complete_scores(pooled(pool), names(10)),
        **complete_scores(pooled(rbp_pool), {"RBP(p=0.8)": geometric}),
        **complete_scores(collection, names(1000) | {"RBP(p=0.9977)": deepest}),
    }


def _persistence(rbp: str) -> dict[int, float]:
    """Return RBP's p for each depth, "printed" or "exact"."""
    exact = {k: persistence(residual=RESIDUAL, k=k) for k in PRINTED_P}
    return PRINTED_P if rbp == "printed" else exact


def groups_of(tau: pd.DataFrame) -> dict[str, pd.Series]:
    """Sort the taus of Table 2 into those within depth 10 ("short"), within 1000 ("deep"),
    "across" the two, and of a measure with "itself"; index the two measures."""
    short, deep = tau.columns[:5], tau.columns[5:]
    pairs = {
        "short": combinations(short, 2),
        "deep": combinations(deep, 2),
        "across": product(short, deep),
        "itself": zip(short, deep),
    }
    return {group: tau.stack()[list(of)] for group, of in pairs.items()}


def upper(table: pd.DataFrame) -> pd.DataFrame:
    """Return what stands above the diagonal of a square table, as cells."""
    return cells((a, b, table.loc[a, b]) for a, b in combinations(table, 2))


def table3(
    collection: Collection, *, test: str = "t", p_decimals: int | None = None, **options: Any
) -> pd.DataFrame:
    """Kendall's tau-b between nine settings' orderings of system pairs by p value: Table 3.

    Settings are named as in "10/100 aAP": pool depth 10, evaluation depth 100.  The options are
    those of :func:`p_values`.
    """
    p = p_values(collection, TESTS[test], **options)
    named = pd.DataFrame({f"{pool}/{depth} {label}": of for (pool, depth, label), of in p.items()})
    # Eight thousand values have 34 million pairs: counted by sorting, not one by one.
    rounded = named if p_decimals is None else named.round(p_decimals)
    return upper(rounded.corr(method="kendall"))


def p_values(
    collection: Collection,
    test: Callable[..., np.ndarray],
    *,
    discount: str = "2002",
    by: str | Sequence[str] = "all",
    average: str = "aAP",
    rbp: str = "exact",
    rbp_cut: bool = True,
    identical: str = "kept",
    **options: Any,
) -> dict[tuple[int, int, str], np.ndarray]:
    """Return the p values of all pairs of systems by pool depth, evaluation depth and measure.

    Pairs with the same score on every topic are "kept", with the p value 1, or "left out".  Table 3
    does not tell these two apart, nor the "exact" p of RBP from the "printed".
    """
    p_of, stay = {}, _persistence(rbp)
    for pool, depth in ((10, 10), (10, 100), (100, 100)):
        judged = collection.pooled(pool, by=by)
        names = {
            "aAP": f"{average}@{depth}",
            "nDCG": f"nDCG(discount={discount},gain=binary)@{depth}",
            "RBP": f"RBP(p={stay[depth]!r})" + (f"@{depth}" if rbp_cut else ""),
        }
        for label, table in complete_scores(judged, names).items():
            p = test(table, **options)
            if identical == "left out":
                p[same_scores(table)] = np.nan
            p_of[pool, depth, label] = p
    return p_of


def figure1() -> pd.DataFrame:
    """Weights of ranks by DCG and by RBP: Figure 1, a row a rank and a column a measure."""
    rank = np.arange(1, 1001)
    weights: dict[str, np.ndarray] = {"DCG": 1 / dcg_discount(rank, "2002")}
    weights |= {f"RBP(p={p})": (1 - p) * p ** (rank - 1.0) for p in (0.8, 0.95, 0.977, 0.9977)}
    return pd.DataFrame(weights, index=pd.Index(rank, name="rank"))


def weight_shares() -> pd.DataFrame:
    """Return the share of each measure's weight at ranks 101 to 1,000.

    Once of the weight down to rank 1,000 ("of base") and once of that of all ranks ("of all").
    """
    weights = figure1()
    tail, base = weights.loc[101:].sum(), weights.sum()
    # RBP's weights add up to 1, DCG's grow without end.
    return pd.DataFrame({"of base": tail / base, "of all": tail.drop("DCG")}).loc[list(weights)]
