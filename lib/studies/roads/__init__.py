"""Roads: the choices that the papers leave open, crossed.

A road is one way through all the choices that a paper leaves open.  Which of its printed numbers
come out on each road, which choices matter, and does a headline claim depend on the road?
"""

from lib.studies.roads.claims import CLAIMS, FAMILIES, UNMOVED, asked, walk
from lib.studies.roads.package import read_asked, read_claims, read_place, write
from lib.studies.roads.roads import cross, departures, sample
from lib.studies.roads.table import PAPERS, along, best, effects, matched, place, whole
from lib.studies.roads.words import ALONE, EVERY, NONE, SOME, WORDS, summary, told, word

__all__ = [
    "ALONE",
    "CLAIMS",
    "EVERY",
    "FAMILIES",
    "NONE",
    "PAPERS",
    "SOME",
    "UNMOVED",
    "WORDS",
    "along",
    "asked",
    "best",
    "cross",
    "departures",
    "effects",
    "matched",
    "place",
    "read_asked",
    "read_claims",
    "read_place",
    "sample",
    "summary",
    "told",
    "walk",
    "whole",
    "word",
    "write",
]
