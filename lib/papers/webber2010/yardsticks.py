"""What the paper's words are measured by: one yardstick for each, with its reason."""

import pandas as pd

__all__ = ["CLOSE", "LEVEL", "MUCH", "NEARLY", "PLAIN", "SHARE", "TIED", "TOP", "yardsticks"]

# Of discriminative powers.  The paper calls the step from .669 to .675 small.
LEVEL = 0.006
# A gain is slight below it, strong or well above from it on: twice the gain of .005 that comes of
# changing one pair in two hundred, and a quarter of the .040 by which the paper's measures differ.
PLAIN = 0.01
# Of taus.  The paper calls .86 "as close" as taus whose mean is .85, and .773 hardly above .767.
CLOSE = 0.02
# The paper calls .905 and .860 much above .767; half of the smaller gap is plenty.
MUCH = 0.05
# A tau from which two rankings are nearly the same: 95 of 100 pairs stand in the same order.
NEARLY = 0.9
# Of pairs of systems: nearly all of them.
SHARE = 0.95
# Of mean nDCG: two dots of Figure 2 that lie on each other.
TIED = 0.005
# The leading runs are as many as section 3.3 counts.
TOP = 11


def yardsticks() -> pd.DataFrame:
    """Return how the paper's words are read: index words, columns are and yardstick."""
    rows = [
        ("level, as good as", "discriminative powers at most so far apart", LEVEL),
        ("falls, damage", "a discriminative power lower by more than", LEVEL),
        ("slight", "a gain in discriminative power above 0 and below", PLAIN),
        ("strong, well above, much more", "a difference in discriminative power of", PLAIN),
        ("as close as, hardly above", "taus at most so far apart", CLOSE),
        ("much more similar", "taus that differ by", MUCH),
        ("nearly the same, reliable", "a tau of", NEARLY),
        ("almost all, very similar", "a share of pairs of", SHARE),
        ("tied", "mean nDCG that differs by less than", TIED),
        ("leading runs", "number of runs", TOP),
    ]
    return pd.DataFrame(rows, columns=["word", "means", "yardstick"]).set_index("word")
