"""Makes the page of all measures: formula and range from where each is defined, names elsewhere.

``python book/make_measures.py`` writes it.
"""

import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from lib.measures import example, known, means, parse

PAGE = Path(__file__).with_name("measures.md")


@dataclass(frozen=True)
class Names:
    """Where a measure is from, what others call it, and what else there is to say.

    Attributes
    ----------
    name : str
        In full.
    shown : str
        The measure as the page works it, with its options and cutoff.
    source : str
        Markdown.
    trec_eval, ir_measures : str
        The same measure there; empty where it does not exist.
    note : str
        What the formula does not say, or what tells it from the measure that shares its definition.
    """

    name: str
    shown: str
    source: str
    trec_eval: str = ""
    ir_measures: str = ""
    note: str = ""


_DEEP = "{cite:t}`webber2010pooling`"
_BOTH = "the Cranfield experiments {cite:p}`cleverdon1967cranfield`"

NAMES: dict[str, Names] = {
    "P": Names("Precision", "P@4", _BOTH, "P_4", "P@4"),
    "R": Names("Recall", "R@4", _BOTH, "recall_4", "R@4"),
    "AP": Names("Average precision", "AP", "TREC, 1993; trec_eval", "map", "AP"),
    "aAP": Names("Abbreviated average precision", "aAP@2", _DEEP),
    "GMAP": Names(
        "Geometric mean of AP",
        "GMAP",
        "{cite:t}`robertson2006gmap`",
        "gm_map",
        note="That is a topic's; the mean over topics is turned back by the exponential, and the "
        "floor is 0.00001.",
    ),
    "RR": Names(
        "Reciprocal rank", "RR", "TREC's question answering track, 1999", "recip_rank", "RR"
    ),
    "Success": Names("Success", "Success@1", "TREC; trec_eval", "success_1", "Success@1"),
    "GS10": Names(
        "Generalized Success@10",
        "GS10",
        "{cite:t}`tomlinson2006early`",
        note="Here $r$ is the rank of the first relevant document; 0 if there is none.",
    ),
    "Rprec": Names("R-precision", "Rprec", "TREC; trec_eval", "Rprec", "Rprec"),
    "IPrec": Names(
        "Interpolated precision",
        "IPrec@0.5",
        "TREC; trec_eval",
        "iprec_at_recall_0.50",
        "IPrec@0.5",
    ),
    "Bpref": Names(
        "Binary preference", "Bpref", "{cite:t}`buckley2004retrieval`", "bpref", "Bpref"
    ),
    "DCG": Names("Discounted cumulative gain", "DCG@4", "{cite:t}`jarvelin2002cumulated`"),
    "nDCG": Names(
        "Normalized DCG", "nDCG@2", "{cite:t}`jarvelin2002cumulated`", "ndcg_cut_2", "nDCG@2"
    ),
    "enDCG": Names(
        "Expanded nDCG",
        "enDCG@2",
        _DEEP,
        note="The ideal list holds all R relevant documents, however small k is.",
    ),
    "RBP": Names(
        "Rank-biased precision",
        "RBP(p=0.5,rel=1)",
        "{cite:t}`moffat2008rank`",
        ir_measures="RBP(p=0.5,rel=1)",
    ),
    "nRBP": Names(
        "Normalized RBP",
        "nRBP(p=0.5)@2",
        _DEEP,
        note="RBP divided by the RBP of the best list of k documents.",
    ),
    "RBPresidual": Names(
        "Residual of RBP",
        "RBPresidual(p=0.5)",
        "{cite:t}`moffat2008rank`",
        note="Here $n$ is the smaller of $k$ and the length of the list.",
    ),
    "infAP": Names(
        "Inferred average precision",
        "infAP",
        "{cite:t}`yilmaz2006estimating`",
        "infAP",
        "infAP",
        note="Of the documents above rank $i$, $d_i$ are in the pool, $r_{<i}$ judged relevant and "
        "$n_{<i}$ judged non-relevant; $\\epsilon$ is 0.00001, and a document that is in the pool "
        "but was not drawn has a negative grade.",
    ),
}

SYMBOLS = {
    r"$i$": "a rank, from 1 for the first document",
    r"$k$": "the evaluation depth: the last rank that counts; without it the whole list does",
    r"$r_i$": "1 if the document at rank $i$ is relevant, else 0",
    r"$g_i$": "the grade of that document",
    r"$R$": "how many relevant documents the topic has, found or not",
    r"$N$": "how many judged non-relevant documents it has",
    r"$d(i)$": "what DCG divides a gain at rank $i$ by: $\\log_2(i + 1)$",
    r"$p$": "the persistence of RBP's reader, or the p value of a test",
    r"$n$": "the number of topics, or of documents in a list",
    r"$\bar d$, $s_d$": "mean and standard deviation of differences over topics",
    r"$\tau$": "Kendall's tau",
    r"$\phi$": "predictive power: the mean tau over splits of the topics",
    r"$\alpha$": "the level of a test",
}


def worked(name: str) -> float:
    """Return what the page's list scores by a measure, as the page shows it.

    Examples
    --------
    >>> worked("AP")
    0.5555555556
    """
    return float(means(example(), [_shown(name)]).iloc[0, 0])


def sentence(name: str) -> tuple[str, str, str]:
    """Return the first sentence of a measure's documentation, its formula and its range.

    Parameters
    ----------
    name : str
        As in :func:`lib.measures.known`.

    Returns
    -------
    tuple of str
        The sentence in Markdown, the formula in LaTeX, the range in words.

    Raises
    ------
    ValueError
        A documentation without formula or range.

    Examples
    --------
    >>> sentence("P")
    ('Precision at depth k.', '\\\\sum_{i \\\\le k} r_i / k', 'in [0, 1]')
    """
    score = parse(_shown(name)).definition.score
    text = (score.func if isinstance(score, partial) else score).__doc__ or ""
    text = re.sub(r"\s+", " ", text.partition("Examples\n")[0]).strip()
    formula = re.search(r":math:`([^`]*)`", text)
    scope = re.search(r"in [\[(][^\])]*[\])]|0 or 1|0 or more", text)
    if not formula or not scope:
        raise ValueError(f"{name}: its documentation has no formula, or no range")
    first = re.split(r"[,:]? :math:|[;.] |\.$", text)[0]
    return f"{first}.", formula[1], scope[0]


def _shown(name):
    return NAMES[name].shown if name in NAMES else name


def page() -> str:
    """Return the page of the measures, in Markdown."""
    lines = [
        "(measures)=",
        "# Measures and notation",
        "",
        "Every measure of the book: its formula, its range, what it scores on one small list, "
        "where it is from, and what others call it.",
        "{ref}`foundations-list` works six of them by hand.",
        "This page is generated from the library: `python book/make_measures.py` makes it.",
        "",
        "## Notation",
        "",
        "| symbol | meaning |",
        "|---|---|",
        *(f"| {symbol} | {meaning} |" for symbol, meaning in SYMBOLS.items()),
        "",
        "A topic without relevant documents scores 0, a list shorter than $k$ counts as followed "
        "by non-relevant documents, and unjudged documents count as non-relevant; "
        "{ref}`conventions` has what other tools do.",
        "",
        "## Names",
        "",
        "The worked value is that of a list of four documents, relevant at ranks 1 and 3, judged "
        "non-relevant at 2, unjudged at 4, with a third relevant document not found.",
        "",
        "| here | worked value | trec_eval | ir-measures |",
        "|---|---:|---|---|",
        *(_row(name) for name in known()),
        "",
    ]
    for name in known():
        lines += _section(name)
    return "\n".join(lines)


def _row(name):
    names = NAMES.get(name, Names(name, name, ""))
    cells = [f"{{ref}}`{names.shown} <measure-{name.lower()}>`", f"{worked(name):.4f}"]
    for other in (names.trec_eval, names.ir_measures):
        cells.append("the same" if other == names.shown else f"`{other}`" if other else "\u2013")
    return "| " + " | ".join(cells) + " |"


def _section(name):
    names, (first, formula, scope) = NAMES.get(name, Names(name, name, "")), sentence(name)
    lines = [f"(measure-{name.lower()})=", f"### {name}: {names.name}", ""]
    if not isinstance(parse(_shown(name)).definition.score, partial):  # a definition of its own
        lines += [first, "", "$$", formula, "$$", ""]
    if names.note:
        lines += [names.note, ""]
    return [*lines, f"Range: {scope.removeprefix('in ')}. Source: {names.source}.", ""]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
