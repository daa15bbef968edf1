"""The glossary: each term of the book with its one meaning."""

__all__ = ["TERMS", "page"]

TERMS = {
    "bandit": "A way to choose which {term}`run` the next {term}`judgement` is spent on: the one "
    "that has brought most {term}`relevant` documents for its judgements so far, with some room "
    "for luck.",
    "blind feedback": "A second search with words that were added from the first few documents "
    "of the first one, taken for {term}`relevant` without asking anybody.",
    "concordant pair": "Two systems that two rankings put in the same order; in opposite orders "
    "the pair is discordant.",
    "condensed list": "A ranked list without its {term}`unjudged` documents: what is below them "
    "moves up.",
    "discriminative power": "The share of pairs of systems that a {term}`measure` and a test tell "
    "apart.",
    "effect size": "The mean difference of two systems over the standard deviation of their "
    "differences over {term}`topics <topic>`. It does not grow with the number of topics.",
    "evaluation depth": "The last rank that a {term}`measure` looks at, $k$.",
    "gain": "What a document counts in {term}`nDCG`; here its {term}`grade`.",
    "grade": "The number that a {term}`judgement` gives a document: 0 for not relevant, 1 or more "
    "for relevant.",
    "Holm's method": "A way to test many hypotheses so that the chance of even one false rejection "
    "is at most alpha: ascending p values against alpha/m, alpha/(m \u2212 1), and so on, to the "
    "first that fails.",
    "heterogeneity": "The share of the variance between the numbers of several collections that "
    "their {term}`standard errors <standard error>` do not explain.",
    "inferred AP": "An estimate of AP from a random part of the {term}`pool`; "
    "{ref}`formula <measure-infap>`.",
    "interval": "A range made so that, experiment after experiment, a stated share of such ranges "
    "holds the true value: 95% where nothing else is said. Over topics, unless the text says over "
    "splits or samples.",
    "jackknife": "A way to find the {term}`standard error` of anything that is computed from all "
    "{term}`topics <topic>`: compute it again without some of them.",
    "judgement": "Whether, or how far, one document is relevant to one {term}`topic`, by a person "
    "who read it.",
    "Kendall's tau": "Of all pairs of systems, the share on which two rankings agree less the "
    "share on which they disagree. tau-a divides by all pairs; tau-b by those that are not tied.",
    "margin": "How far behind something may be and still count as as good; named where it is used.",
    "measure": "A rule that turns a ranked list and the {term}`judgements <judgement>` of a "
    "{term}`topic` into a number. Its mean over topics has the same name here: AP, not MAP.",
    "move to front": "A way to choose what is judged: follow a {term}`run` down its list while it "
    "brings {term}`relevant` documents, then another; the one that failed goes to the back.",
    "nDCG": "Discounted cumulative {term}`gain` over that of an ideal list; "
    "{ref}`formula <measure-ndcg>`.",
    "null hypothesis": "What a test assumes in order to compute a {term}`p value`: here, that two "
    "systems have the same mean over all topics that there could be.",
    "p value": "How often data this far from the {term}`null hypothesis`, or further, would come "
    "up if it were true. It is not the chance that it is true.",
    "persistence": "In RBP, the chance that a reader goes on from one document to the next, $p$; "
    "the reader looks at $1/(1 - p)$ documents on average.",
    "pilot": "A {term}`test collection` at hand, from which it is told what another one would buy.",
    "pool": "The documents of a {term}`topic` that were chosen to be judged: the first few of each "
    "list of the systems that fed it, each once.",
    "pool depth": "How many documents of each list went into the {term}`pool`.",
    "power of a test": "The chance that it finds a true difference of a stated size. It grows with "
    "that size and with the number of {term}`topics <topic>`.",
    "precision": "The share of {term}`relevant` documents among those that one looks at.",
    "predictive power": "How well the ranking of systems by one {term}`measure` on some topics "
    "agrees with that by another on other topics: a mean of {term}`Kendall's tau`.",
    "recall": "The share of a topic's {term}`relevant` documents that are among those that one "
    "looks at.",
    "relevant": "Said of a document whose {term}`grade` reaches the {term}`threshold`.",
    "road": "One way through all the choices that a paper leaves open.",
    "run": "All ranked lists of one {term}`system`, one a {term}`topic`.",
    "split": "A random division of {term}`topics <topic>` in two sets that share none.",
    "standard error": "The standard deviation that an estimate would have over many experiments. "
    "Of a mean over $n$ topics it is $s / \\sqrt{n}$.",
    "system": "What turns a topic into a ranked list; known here by one {term}`run`.",
    "test collection": "Documents, {term}`topics <topic>` and {term}`judgements <judgement>`, "
    "kept fixed.",
    "threshold": "The lowest {term}`grade` that counts as {term}`relevant`; 1 where nothing else "
    "is said.",
    "tie": "Two systems with the same score, or two documents of a list.",
    "topic": "What somebody wants to know, written down; its short form is the query.",
    "unjudged": "Said of a document that was not in the {term}`pool`: nobody knows whether it is "
    "relevant, and measures count it as not relevant.",
}


def page() -> str:
    """Return the glossary as a page of the book, in Markdown."""
    lines = [
        "(glossary)=",
        "# Glossary",
        "",
        "Each word has one meaning in this book.",
        "Measures are on {ref}`a page of their own <measures>`.",
        "",
        ":::{glossary}",
    ]
    for term in sorted(TERMS, key=str.lower):
        lines += [term, f"  {TERMS[term]}", ""]
    return "\n".join([*lines, ":::", ""])
