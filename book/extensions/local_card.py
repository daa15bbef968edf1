"""Sphinx extension: the picture that goes with a link to the book, drawn from the ledger."""

from pathlib import Path

from matplotlib.figure import Figure

from lib.display.figures import PALETTE, style
from lib.ledger import committed, totals

SIZE = 12, 6.3  # inches of 100 pixels: what Open Graph asks for
SHOWN = {  # verdict: (how many have it, in words; colour; where the words stand)
    "reproduced": ("{} reproduced", PALETTE[0], "left"),
    "inconclusive": ("{} inconclusive", "#a8a8a8", "left"),
    "differs": ("{} differ", PALETTE[1], "right"),
}
GROUND = "#ffffff"


def draw(project, path):
    """Draw the title of the book, and what became of the numbers computed from data."""
    counts = totals(committed()).loc["all"]
    with style():
        figure = Figure(figsize=SIZE, dpi=100, facecolor=GROUND, layout="none")
        figure.text(0.06, 0.74, project["title"], size=50, weight="bold")
        figure.text(0.06, 0.55, "Four papers on information-retrieval evaluation,", size=26)
        figure.text(0.06, 0.46, "run again on their data where it is public", size=26)
        axes = figure.add_axes((0.06, 0.14, 0.88, 0.2))
        axes.set_axis_off()
        left = 0
        for kind, (words, colour, side) in SHOWN.items():
            right = left + counts[kind]
            axes.barh(0, counts[kind], left=left, color=colour, height=0.5)
            at = left if side == "left" else right
            axes.text(at, 0.45, words.format(counts[kind]), size=20, ha=side)
            left = right
        axes.set(xlim=(0, left), ylim=(-0.3, 1))
        figure.savefig(path, facecolor=GROUND)


def write_card(app, exception):
    """Draw the picture into the static files."""
    if not exception and app.builder.format == "html":
        draw(app.config.html_context["project"], Path(app.outdir, "_static", "card.png"))


def setup(app):
    """Register the step."""
    app.connect("build-finished", write_card)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
