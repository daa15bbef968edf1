"""Memory that is used again, in place of memory that is asked of the system anew."""

from functools import cache

import numpy as np


@cache
def keep_memory() -> None:
    """Have memory come back sooner for the arrays of all files and of all measures.

    glibc hands large arrays back to the system at once and asks for their pages again one by one,
    until it has freed one as large as this: then it keeps what is smaller for the next array.
    """
    np.empty(30 << 20, np.uint8)
