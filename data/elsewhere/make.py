"""Make estimates.csv and growth.csv: the headline claims asked of every collection of the book.

    python data/elsewhere/make.py

Some minutes.
"""

from joblib import parallel_config

from lib.studies.committed import write
from lib.studies.elsewhere.estimates import everything, grown

if __name__ == "__main__":
    with parallel_config(n_jobs=2):
        write("elsewhere", "estimates", everything())
        write("elsewhere", "growth", grown())
