"""Make topic-error.csv: how often intervals over topics hold the truth, where it is known.

    python data/coverage/make.py

Half an hour.  trec8.csv is the output of ``python -m lib coverage``, as datapackage.json says.
"""

import pandas as pd
from joblib import parallel_config

from lib.studies.committed import write
from lib.studies.topic_error import POPULATIONS, population, topic_error

if __name__ == "__main__":
    with parallel_config(n_jobs=2):
        found = {name: topic_error(population(name), seed=2004) for name in POPULATIONS}
    table = pd.concat(found, names=["population"]).round(4).reset_index()
    write("coverage", "topic-error", table)
