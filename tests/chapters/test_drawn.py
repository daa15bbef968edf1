"""The figures of the papers' chapters: each number behind one is where a mark of it stands."""

import numpy as np
import pytest

from chapters.foundations import drawings as foundations
from chapters.thom2007 import drawings as thom2007
from chapters.tomlinson2006 import drawings as tomlinson2006
from chapters.tomlinson2006 import tables as changed
from chapters.webber2008 import drawings as webber2008
from chapters.webber2008 import quantities, tables
from chapters.webber2010 import depth
from chapters.webber2010 import drawings as webber2010

FIGURES = {
    "phi by topics": lambda c: webber2008.draw_figure1(tables.figure1(c, number=50)),
    "the finding on P@10": lambda c: webber2008.draw_finding({"all": c, "less": less(c)}),
    "leads": lambda c: webber2008.draw_leads(tables.leads(c), "P@10", "T"),
    "phi": lambda c: webber2008.panel(c, "P@10", 4, share=1.0, number=50),
    "phi by depth": lambda c: webber2008.draw_by_depth({"all": tables.phi_by_depth(c)}),
    "conflicts": lambda c: webber2008.draw_conflicts(quantities.disagreements(c)),
    "depths and tau": lambda c: thom2007.draw_depths({"all": c}),
    "scatters": thom2007.draw_figures,
    "power": webber2010.draw_finding,
    "power by normalization": lambda c: webber2010.draw_figure3(depth.figure3(c)),
    "power by form": lambda c: webber2010.draw_figure4(depth.figure4(c)),
    "places": lambda c: webber2010.draw_places("Flab8as", 5, collection=c),
    "a setting": lambda c: webber2010.panel("AP", "raw", 10, 20, 0.01, "Wilcoxon", collection=c),
    "Success@k and P@k": lambda c: tomlinson2006.draw_depths(changed.depths()),
    "the finding on feedback": lambda c: tomlinson2006.draw_finding(),
    "relevant documents": lambda c: tomlinson2006.draw_by_relevant(),
    "a list": lambda c: foundations.list_panel(1, "graded"),
    "weights": lambda c: foundations.draw_weights(),
}
UNDRAWN = {"error", "deviation", "unjudged", "topics"}


def less(collection):
    return collection.select(topics=collection.topics.index[4:])


def coordinates(figure):
    """Return all numbers at which the lines, dots and bands of a figure stand."""
    parts = []
    for axes in figure.drawing.axes:
        parts += [line.get_xydata() for line in axes.lines]
        parts += [path.vertices for many in axes.collections for path in many.get_paths()]
        parts += [patch.get_path().vertices for patch in axes.patches]  # of bands
    return np.unique(np.concatenate([np.ravel(part) for part in parts]))


@pytest.mark.parametrize("name", FIGURES)
def test_each_number_behind_a_figure_is_where_a_mark_stands(name, few):
    figure = FIGURES[name](few)
    shown, at = figure.data.shown, coordinates(figure)
    if "deviation" in shown:  # to each side of phi
        phi, reach = (shown[key].astype(float).to_numpy() for key in ("phi", "deviation"))
        assert (np.abs(np.subtract.outer([phi - reach, phi + reach], at)).min(axis=2) < 2e-3).all()
    shown = shown.drop(columns="phi") if "lead" in shown else shown
    kept = [key for key in shown if not {key, *np.atleast_1d(key)} & UNDRAWN]
    assert kept and len({name is None for name in shown.index.names}) == 1
    assert "dotted" not in (figure.caption + figure.svg).lower() or "dasharray" in figure.svg
    for text in shown[kept].to_numpy().ravel():
        if text not in ("–", ""):
            number = float(text.replace("−", "-").replace(",", "").rstrip("%"))
            half = 0.5001 * 10.0 ** -len(text.rstrip("%").partition(".")[2])
            scale = 100 if text.endswith("%") else 1
            assert (np.abs(at * scale - number) <= half).any(), (name, text)
