"""Make the table of this folder: what shallower pools and lists change (some minutes).

python data/depth/make.py
"""

import chapters  # noqa: F401 isort: skip  Before numpy: it sets one BLAS thread.

import pandas as pd
from joblib import Parallel, parallel_config

from chapters.data_tables import write
from chapters.elsewhere.restricted import collections, restricted_leads
from lib.tasks import task

if __name__ == "__main__":
    with parallel_config(n_jobs=2):
        parts = Parallel()(task(restricted_leads, one) for one in collections())
    write("depth", "restricted", pd.concat(parts, ignore_index=True).round(6))
