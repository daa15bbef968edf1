"""What the whole book takes for granted, each once: levels, a margin, a share, decimals."""

ALPHA = 0.05  # of every test and, its complement, of every interval
MARGIN = 0.02  # "as well as", of tau: one pair of systems in a hundred changes its order
POWER = 0.8  # with which a test is to find a difference
SHARE = 0.75  # of the systems, the best by AP: Webber 2008 leaves the weakest quarter out
DECIMALS = 10  # of means by which systems are ranked, so that equal means tie
MINUS, DASH = "\u2212", "\u2013"  # before a number; in place of one
