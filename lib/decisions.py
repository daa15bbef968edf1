"""What an interval decides of a claim: the one place where an interval meets a bound.

Three words say it everywhere (:data:`MEANINGS`).
"""

from dataclasses import dataclass

import numpy as np

from lib.conventions import ALPHA, MARGIN
from lib.intervals import Interval

FINDING, HINT, INCONCLUSIVE = "finding", "hint", "inconclusive"
SUPPORTS, CONTRADICTS = "supports", "contradicts"
WORDS = FINDING, HINT, INCONCLUSIVE
# What they mean, in Markdown: the one source, which every page takes from here (:func:`meaning`).
MEANINGS = {
    FINDING: "A *finding* is settled by its 95% interval, after correction for everything that was "
    "asked with it.",
    HINT: "A *hint* is settled only before correction, or answers a question that neither a paper "
    "nor a registration asked.",
    INCONCLUSIVE: "It is *inconclusive* if the interval holds both answers: we do not know, which "
    "is not the same as no difference.",
    CONTRADICTS: "A finding or a hint that shows the opposite of a claim *contradicts* it.",
}
_NEAR = 0.1  # of an interval's half-width
_NOTHING = 1e-12  # an error that is one of rounding


@dataclass(frozen=True)
class Bound:
    """The range in which a claim puts its number."""

    least: float = 0.0  # an interval from here
    most: float = np.inf  # to here supports the claim
    refuted_below: float = 0.0  # one that is wholly below contradicts it, if it does not support it
    refuted_above: float = np.inf  # and so does one above

    @property
    def ends(self) -> list[float]:
        """Where intervals begin to decide.

        >>> at_least(0.02).ends, below(0.9).ends
        ([-0.02, 0.0], [0.9])
        """
        ends = {self.least, self.most, self.refuted_below, self.refuted_above}
        return sorted(end for end in ends if np.isfinite(end))

    def supported(self, interval: Interval) -> np.ndarray:
        """Return whether each interval supports the claim."""
        return (np.asarray(interval.low) > self.least) & (np.asarray(interval.high) < self.most)

    def contradicted(self, interval: Interval) -> np.ndarray:
        """Return whether each interval contradicts the claim."""
        outside = (np.asarray(interval.high) <= self.refuted_below) | (
            np.asarray(interval.low) >= self.refuted_above
        )
        return outside & ~self.supported(interval)

    def near(self, low: float, high: float) -> bool:
        """Return whether an interval decides, and ends close to the bound that it has cleared.

        Nearer than a tenth of its half-width.

        >>> above().near(0.004, 0.1), above().near(0.006, 0.1), at_least(0.02).near(-0.0199, 0.01)
        (True, False, True)
        """
        one = Interval(np.nan, np.nan, low, high)
        ends = [end for end in (self.least, self.most) if self.supported(one)]
        ends += [end for end in (self.refuted_below, self.refuted_above) if self.contradicted(one)]
        gaps = [abs(reached - end) for reached in (low, high) for end in ends]
        return any(gap <= _NEAR * (high - low) / 2 for gap in gaps)

    def decides(self, interval: Interval) -> np.ndarray:
        """Return whether each interval supports the claim or contradicts it."""
        return self.supported(interval) | self.contradicted(interval)

    def p_value(self, interval: Interval) -> float:
        """Return the two-sided p value of what an interval decides, or several together.

        Twice the smaller one of two one-sided values: of supporting, which all of several must do,
        the largest of theirs; of contradicting, which one of them does, their smallest times their
        number.

        Examples
        --------
        >>> at_least(0.02).p_value(Interval.of(0.01, 0.015, 49)) < 0.06
        True
        """
        if np.isnan(interval.error).any():  # it is not known
            return np.nan
        if np.all(np.asarray(interval.error) < _NOTHING):  # no topic moves it: others still may
            return 1.0
        yes = np.maximum(interval.exceeds(self.least), (-interval).exceeds(-self.most))
        no = np.minimum(
            (-interval).exceeds(-self.refuted_below), interval.exceeds(self.refuted_above)
        )
        return float(min(1.0, 2 * min(np.max(yes), np.size(no) * np.min(no))))


def above(bound: float = 0.0) -> Bound:
    """Return the claim that a number is above a bound.

    Parameters
    ----------
    bound : float
        In the unit of the number.

    Returns
    -------
    Bound
        An interval wholly above the bound supports the claim; one wholly at or below contradicts
        it.

    Examples
    --------
    >>> above(0.5).supported(Interval.of(0.7, 0.05)).item()
    True
    """
    return Bound(bound, refuted_below=bound)


def below(bound: float = 0.0) -> Bound:
    """Return the claim that a number is below a bound."""
    return Bound(-np.inf, bound, -np.inf, bound)


def at_least(margin: float = MARGIN) -> Bound:
    """Return the claim of non-inferiority, "as well as": above minus the margin.

    A number below 0 contradicts it: one that is worse, by however little.

    Parameters
    ----------
    margin : float
        How much less is still as well, 0 or more, in the unit of the number.

    Returns
    -------
    Bound
        An interval wholly above minus the margin supports the claim.

    Examples
    --------
    >>> at_least(0.02).supported(Interval.of(0.0, 0.005)).item()
    True
    """
    return Bound(-margin)


def level(margin: float = MARGIN) -> Bound:
    """Return the claim of equivalence, "about the same": within the margin on either side.

    Parameters
    ----------
    margin : float
        How far from 0 is still the same, above 0, in the unit of the number.

    Returns
    -------
    Bound
        An interval wholly within the margin supports the claim; one wholly outside contradicts it.

    Examples
    --------
    >>> level(0.02).contradicted(Interval.of(0.1, 0.02)).item()
    True
    """
    return Bound(-margin, margin, -margin, margin)


BOUNDS = {"above": above, "below": below, "at least": at_least, "within": level}


@dataclass(frozen=True)
class Decision:
    """A word, and which way it goes: True supports, False contradicts, None where it is open."""

    word: str
    holds: bool | None

    @property
    def side(self) -> str:
        """What is done to the claim: supports, contradicts, or inconclusive."""
        return {True: SUPPORTS, False: CONTRADICTS, None: INCONCLUSIVE}[self.holds]

    def __str__(self) -> str:
        return as_text(self.word, self.side)


def as_text(word: str, side: str) -> str:
    """Return a word as it stands after "is", with what was done to the claim.

    >>> as_text("hint", "contradicts"), as_text("inconclusive", "inconclusive")
    ('contradicted (hint)', 'inconclusive')
    """
    passive = {SUPPORTS: "supported", CONTRADICTS: "contradicted"}
    return f"{passive[side]} ({word})" if side in passive else word


def meaning(words: str) -> str:
    """Return what words of a verdict mean, a sentence each, as Markdown.

    >>> meaning("contradicts")
    'A finding or a hint that shows the opposite of a claim *contradicts* it.'
    """
    return " ".join(MEANINGS[word] for word in words.split(", "))


def decide(interval: Interval, bound: Bound, adjusted: float | None = None) -> Decision:
    """Decide a claim by its interval, or by several, all of which are meant.

    Parameters
    ----------
    interval : Interval
    bound : Bound
    adjusted : float, optional
        The p value (:meth:`Bound.p_value`) after correction; the greatest one where it has several,
        of paths or draws.  Without one no one had asked the question before the data were seen.

    Examples
    --------
    >>> clear, open_ = Interval.of(0.1, 0.02, 49), Interval.of(0.01, 0.02, 49)
    >>> [str(decide(interval, above(), 0.01)) for interval in (clear, -clear, open_)]
    ['supported (finding)', 'contradicted (finding)', 'inconclusive']
    >>> str(decide(clear, above())), str(decide(clear, above(), 0.2))
    ('supported (hint)', 'supported (hint)')
    """
    holds = None
    if bound.supported(interval).all():
        holds = True
    elif bound.contradicted(interval).any():
        holds = False
    return worded(holds, adjusted)


def worded(holds: bool | None, adjusted: float | None = None) -> Decision:
    """Return the word for a claim that its interval supports, contradicts or leaves open."""
    if holds is None:
        return Decision(INCONCLUSIVE, None)
    return Decision(FINDING if adjusted is not None and adjusted < ALPHA else HINT, holds)
