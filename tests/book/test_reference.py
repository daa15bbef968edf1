"""The reference pages: current, complete, and true of the tools that they name."""

import re
import sys

import ir_measures
import pytest
import pytrec_eval

from lib.paths import ROOT

sys.path.insert(0, str(ROOT / "book"))
import make_measures  # noqa: E402  They stand beside their pages.
from make_measures import NAMES, worked  # noqa: E402

GLOSSARY = (ROOT / "book" / "glossary.md").read_text(encoding="utf-8")
TERMS = {*re.findall(r"^(\S.*)\n  ", GLOSSARY.partition(":::{glossary}")[2], flags=re.M)}
QRELS = {"1": {"r": 1, "s": 1, "missed": 1, "x": 0, "y": 0}}
RUN = {"1": {"r": 4.0, "x": 3.0, "s": 2.0, "u": 1.0}}


@pytest.mark.frozen(f"python {make_measures.__file__}")
def test_the_committed_page_of_measures_is_what_its_maker_makes():
    assert make_measures.page() == make_measures.PAGE.read_text(encoding="utf-8")


# Measures


@pytest.mark.parametrize("name", [name for name in NAMES if NAMES[name].get("trec_eval")])
def test_trec_eval_has_the_measure_under_that_name(name):
    key = NAMES[name].get("trec_eval")
    kind = re.sub(r"_(\d+)$", r".\1", key) if re.search(r"_\d+$", key) else key
    kind = "iprec_at_recall" if key.startswith("iprec") else kind
    found = pytrec_eval.RelevanceEvaluator(QRELS, {kind}).evaluate(RUN)["1"][key]
    score = pytrec_eval.compute_aggregated_measure(key, [found])
    assert score == pytest.approx(worked(name), abs=1e-6)


@pytest.mark.parametrize("name", [name for name in NAMES if NAMES[name].get("ir_measures")])
def test_ir_measures_has_the_measure_under_that_name(name):
    measure = ir_measures.parse_measure(NAMES[name].get("ir_measures"))
    run = [ir_measures.ScoredDoc("1", document, score) for document, score in RUN["1"].items()]
    found = ir_measures.calc_aggregate([measure], QRELS, run)[measure]
    assert found == pytest.approx(worked(name), abs=1e-6)


@pytest.mark.parametrize("name", [name for name in NAMES if not NAMES[name].get("ir_measures")])
def test_what_ir_measures_is_said_not_to_have_it_does_not_know(name):
    with pytest.raises((NameError, ValueError, SyntaxError)):
        ir_measures.parse_measure(NAMES[name]["shown"])


# Glossary


def test_every_term_has_one_entry_and_links_lead_to_entries():
    assert len(TERMS) == GLOSSARY.count("\n  ") >= 40
    for path in [ROOT / "book" / "glossary.md", *(ROOT / "chapters").glob("*.ipynb")]:
        for link in re.findall(r"\{term\}`([^`]+)`", path.read_text(encoding="utf-8")):
            target = re.search(r"<([^>]+)>$", link)
            assert (target[1] if target else link) in TERMS, f"{path.name}: {link}"
