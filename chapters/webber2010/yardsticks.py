"""What the words of the paper are measured by, one yardstick for each, with its reason."""

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
NEARLY_ALL = 0.95
# Of mean nDCG: two dots of Figure 2 that lie on each other.
TIED = 0.005
# The leading runs are as many as section 3.3 counts.
TOP = 11
