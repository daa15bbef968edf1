"""Hypothesis strategies that the property tests share: small judgements, rankings and runs."""

from hypothesis import strategies as st

# In byte order d10 stands before d9, and an accented letter after every plain one.
DOCUMENTS = [*(f"d{number}" for number in range(13)), "\u00e9"]
TOPICS = ["2", "10"]
SYSTEMS = ["A", "B", "C", "D"]

# Doubles that tie as 32-bit floats, that overflow them, that underflow them; zeros of both signs.
SCORES = [0.0, -0.0, 1.0, 1 + 2**-30, 1 - 2**-30, 7.25, -3.5, 16777216.0, 16777217.0]
SCORES += [1e39, 1e300, -1e39, -1e300, 1e-46, 5e-324]


def judgements(low=-1, high=3):
    """Judgements of one topic: document to grade; a grade below 0 is no judgement."""
    return st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(low, high), min_size=1)


def rankings():
    """One ranked list, from empty to every document."""
    return st.builds(
        lambda documents, length: documents[:length],
        st.permutations(DOCUMENTS),
        st.integers(0, len(DOCUMENTS)),
    )


def qrels(of_topic=None):
    """Judgements of one or two topics; some topics have no relevant document."""
    of_topic = judgements() if of_topic is None else of_topic
    return st.dictionaries(st.sampled_from(TOPICS), of_topic, min_size=1)


def runs():
    """Ranked lists of one to four systems; some topics are not answered."""
    answers = st.dictionaries(st.sampled_from(TOPICS), rankings())
    return st.dictionaries(st.sampled_from(SYSTEMS), answers, min_size=1)


def scored_lists():
    """A run as its file says it: topic to document to score, many scores equal or nearly so."""
    scores = st.dictionaries(st.sampled_from(DOCUMENTS), st.sampled_from(SCORES), min_size=1)
    return st.dictionaries(st.sampled_from(TOPICS), scores, min_size=1)


def run_text(lists, *, order=lambda lines: lines):
    """Return the run file of a :func:`scored_lists`, its lines put in another order."""
    lines = [
        f"{topic} Q0 {document} 0 {score!r} tag\n"
        for topic, scores in lists.items()
        for document, score in scores.items()
    ]
    return "".join(order(lines))


def qrels_text(judged):
    """Return the qrels file of :func:`qrels`."""
    return "".join(
        f"{topic} 0 {document} {grade}\n"
        for topic, grades in judged.items()
        for document, grade in grades.items()
    )
