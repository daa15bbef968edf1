"""Makes the page of all measures: formula and range from where each is defined, names elsewhere.

``python book/make_measures.py`` writes it; what stands above its table of names is kept.
"""

import re
from functools import partial
from pathlib import Path

import yaml

from lib.display import markdown
from lib.measures import example, known, means, parse
from lib.measures.options import options, summary

PAGE = Path(__file__).with_name("measures.md")
NAMES = yaml.safe_load(PAGE.with_name("measures.yml").read_text(encoding="utf-8"))
OPTIONS = (
    "What a name can say in parentheses or after the @, such as "
    "`RBP(p=0.95,rel=2)@100`:\n\n"
    "| option | of | default | meaning |\n|---|---|---|---|\n"
)
HEAD = "| here | range | worked value | trec_eval | ir-measures |\n|---|---|---:|---|---|\n"


def of(name: str) -> dict[str, str]:
    """Return the names of a measure; one that has none yet goes by its own."""
    return NAMES.get(name, {"name": name, "shown": name, "source": ""})


def worked(name: str) -> float:
    """Return what the page's list scores by a measure, as the page shows it."""
    return float(means(example(), [of(name)["shown"]]).iloc[0, 0])


def sentence(name: str) -> tuple[str, str, str]:
    """Return the first sentence of a measure's documentation, its formula and its range."""
    score = parse(of(name)["shown"]).definition.score
    text = (score.func if isinstance(score, partial) else score).__doc__ or ""
    text = re.sub(r"\s+", " ", text.partition("Examples\n")[0]).strip()
    formula = re.search(r":math:`([^`]*)`", text)
    scope = re.search(r"in [\[(][^\])]*[\])]|0 or 1|0 or more", text)
    if not formula or not scope:
        raise ValueError(f"{name}: its documentation has no formula, or no range")
    return summary(name), formula[1], scope[0]


def page() -> str:
    """Return the page of the measures, in Markdown."""
    text, head, _ = PAGE.read_text(encoding="utf-8").partition(HEAD)
    rows = "".join(f"{_row(name)}\n" for name in known())
    said = "".join(f"{_option(*option)}\n" for option in options())
    return "\n".join([text + head + rows, OPTIONS + said, *map(_section, known())])


def _option(name, measures, default, meaning):
    cells = [f"`{name}`", ", ".join(measures), default, meaning]
    return markdown.row([cell.replace("``", "`") for cell in cells])


def _row(name):
    shown = of(name)["shown"]
    scope = sentence(name)[2].removeprefix("in ")
    cells = [f"{{ref}}`{shown} <measure-{name.lower()}>`", scope, f"{worked(name):.4f}"]
    for other in (of(name).get("trec_eval"), of(name).get("ir_measures")):
        cells.append("the same" if other == shown else f"`{other}`" if other else "\u2013")
    return markdown.row(cells)


def _section(name):
    names, (first, formula, _) = of(name), sentence(name)
    lines = [f"(measure-{name.lower()})=", f"### {name}: {names['name']}", ""]
    definition = parse(names["shown"]).definition
    lines += [first, ""] if definition.about else [first, "", "$$", formula, "$$", ""]
    if "note" in names:
        lines += [names["note"], ""]
    return "\n".join([*lines, f"Source: {names['source']}.", ""])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
