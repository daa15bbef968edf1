"""The public names of the library, as editors and type checkers read them."""

from lib.analysis import forest as forest
from lib.analysis import phi as phi
from lib.collection import Collection as Collection
from lib.collection import derive as derive
from lib.collection import load as load
from lib.collection import load_scores as load_scores
from lib.collection import read_qrels as read_qrels
from lib.collection import read_run as read_run
from lib.display.figures import Figure as Figure
from lib.errors import InputError as InputError
from lib.estimates import Estimate as Estimate
from lib.estimates import without_each_topic as without_each_topic
from lib.intervals import Interval as Interval
from lib.measures import Measure as Measure
from lib.measures import complete_scores as complete_scores
from lib.measures import evaluate as evaluate
from lib.measures import export as export
from lib.measures import means as means
from lib.measures import scores as scores
from lib.measures.names import measure as measure
from lib.reporting.pair import paper_of_runs as paper_of_runs
from lib.statistics.comparison import compare as compare
from lib.statistics.comparison import leaderboard as leaderboard
from lib.statistics.comparison import means_with_intervals as means_with_intervals
from lib.statistics.comparison import versus as versus
from lib.statistics.correlation import kendall as kendall
from lib.statistics.correlation import rbo as rbo
from lib.statistics.correlation import tau_ap as tau_ap
from lib.statistics.correlation import tau_matrix as tau_matrix
from lib.statistics.law import foretell as foretell
from lib.statistics.law import law as law
from lib.statistics.law import lead as lead
from lib.statistics.law import reliability as reliability
from lib.statistics.law import validity as validity
from lib.statistics.multiplicity import holm as holm
from lib.statistics.power import half_width as half_width
from lib.statistics.power import needed as needed
from lib.statistics.power import power as power
from lib.statistics.random_effects import random_effects as random_effects
from lib.statistics.significance import discriminative_power as discriminative_power
from lib.statistics.significance import permutation_test as permutation_test
from lib.statistics.significance import t_test as t_test
from lib.two_judges import compare_qrels as compare_qrels

__version__: str
