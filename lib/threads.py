"""One BLAS thread for programs that begin with us; a library leaves its user's process alone."""

import os

_VARIABLES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")


def one_thread() -> None:
    """Have numpy compute in one thread: to be called before numpy is imported.

    The matrices here are small: one thread is as fast as several, and its timing is steadier.  A
    variable that the user has set stays as it is.
    """
    for variable in _VARIABLES:
        os.environ.setdefault(variable, "1")
