"""The roads through Thom 2007's Table 1: of its seven taus the two that official means give."""

from lib.papers.thom2007.tables import TREATMENTS, table1
from lib.studies.roads.roads import Choice, Place

PLACES = (
    Place(
        "thom2007",
        "Table 1",
        (
            Choice("topics", "treatment", {name: name for name in TREATMENTS}),
            Choice("runs", "only", {"all": None, "automatic": "automatic"}),
            Choice("Kendall's tau", "variant", {"tau-b": "b", "tau-a": "a"}),
            Choice("means", "decimals", {"4 decimals": 4, "3 decimals": 3, "2 decimals": 2}),
        ),
        table1,
    ),
)
