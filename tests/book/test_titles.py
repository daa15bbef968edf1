"""What somebody typed into titles of figures, held against the tables and the marks below them.

Where the words of a title are computed they change with their figure, and a chapter that is run
again is compared with what it stored, in each setting.
"""

import re
from functools import cache
from itertools import combinations
from statistics import median
from typing import NamedTuple
from urllib.parse import parse_qsl

import nbformat
import numpy as np
import pytest
from built import ROOT
from cells import code_cells, glued, pages
from scipy import stats

from chapters.elsewhere import growth
from chapters.thom2007.tables import MEASURE_PAIRS
from lib.paths import short_title

# Titles that say how to read their figure, and nothing of what came out.
READING = {"00-foundations#tau-figure", "02-audit#tree", "04-audit#figure3"}


class Shown(NamedTuple):
    """A drawing: its title, the names of its marks, the table behind it."""

    title: str
    marks: list[tuple[str, str]]
    heads: list[str]
    rows: list[list[str]]

    def column(self, head):
        """Return a column of the table as numbers."""
        place = self.heads.index(head) - len(self.heads)
        return [number(row[place]) for row in self.rows]


def plain(tag):
    """Return the text of an element, in one line."""
    return " ".join(tag.get_text().split())


def number(text):
    """Return the first number of a text."""
    return float(re.search(r"[+\-−]?\d[\d,]*(\.\d+)?", text)[0].replace("−", "-").replace(",", ""))


def falls(values):
    return all(a >= b for a, b in zip(values, values[1:]))


def shown_by(tag):
    """Return the drawing that a figure or a setting of a control shows."""
    rows = [[plain(cell) for cell in row.select("th, td")] for row in tag.select("tr")] or [[]]
    marks = [plain(one).partition(": ")[::2] for one in tag.select("title")]
    return Shown(plain(tag.select_one("figcaption strong")), marks, rows[0], rows[1:])


def shown_by_cells():
    """Yield what the cells of all notebooks show, by the notebook and the cell."""
    for path in sorted((ROOT / "chapters").glob("*.ipynb")):
        yield from ((f"{path.stem}#{cell}", page) for cell, page in pages(path))


@cache
def drawings():
    """Return the first drawing of each cell."""
    found = ((place, page.select_one("figure.drawing")) for place, page in shown_by_cells())
    return {place: shown_by(figure) for place, figure in found if figure}


HELD = {}


def says(place, words):
    """Register words with which the title of a figure begins, and when they are true."""

    def register(function):
        HELD[place] = words, function

    return register


@says("00-foundations#weights", "P@10 counts ten ranks alike, nDCG and RBP each rank less than")
def _(shown):
    precision = shown.column("P@10")
    alike = len(set(precision[:10])) == 1 and set(precision[10:]) == {0}
    return alike and all(falls(shown.column(h)) for h in shown.heads if re.match("nDCG|RBP", h))


@says("00-foundations#top-figure", "The best systems change places with the measure.")
def _(shown):
    return shown.column("AP") == sorted(shown.column("AP")) != shown.column("nDCG")


@says("02-audit#figures-terabyte", "Most manual runs (triangles) lie above the line of AP and RR.")
def _(shown):
    ap, rr = shown.column("AP"), shown.column("RR")
    slope, start = np.polyfit(ap, rr, 1)
    manual = [y - slope * x for x, y, row in zip(ap, rr, shown.rows) if row[-1] == "manual"]
    return median(manual) > start


@says("02-audit#figures-trec8", "On TREC-8 some of the seven clouds are curved")
def _(shown):
    fits = [np.polyfit(*map(shown.column, pair), 2, cov=True) for pair in MEASURE_PAIRS]
    curved = [abs(fit[0]) > 4 * error[0, 0] ** 0.5 for fit, error in fits]
    return len(fits) == 7 and 2 <= sum(curved) < 7


@says("03-blind-feedback#relevant", "AP gains where topics have many relevant documents, and not")
def _(shown):
    rows = [(row[1], number(row[-2]) > 0) for row in shown.rows if row[2] == "AP"]
    gains = {group: [rises for of, rises in rows if of == group] for group, _ in rows}
    return all(gains["41 or more"]) and not any(gains["1 to 3"])


@says(
    "03-blind-feedback#query-moves", "Five other pages rise, and simpson, which is relevant, falls"
)
def _(shown):
    moves = [(number(after) - number(before), yes) for _, before, after, yes in shown.rows]
    risen = [yes for change, yes in moves if change < 0]
    return risen == [""] * 5 and any(change > 0 for change, yes in moves if yes)


@says("05-elsewhere#finding", "With few topics AP predicts the P@10 ranking better than P@10 does")
def _(shown):
    leads = {}
    for name, *_, lead, _, _, _ in shown.rows:
        leads.setdefault(name, []).append(number(lead))
    return len(leads) == 3 and all(own[0] > 0 > own[-1] for own in leads.values())


@says(
    "05-elsewhere#law-misses", "Where a machine judged (hollow) the law foretells too deep a fall"
)
def _(shown):
    by = {"P@10": [], "RR": []}
    for lead, name, miss, *_ in shown.rows:
        if "machine" in name:
            by[lead.removeprefix("AP for ")].append(number(miss))
    return max(by["P@10"] + by["RR"]) < 0 and np.mean(by["RR"]) < np.mean(by["P@10"])


@says(
    "05-elsewhere#new-picture",
    "Three new collections do not repeat what older ones hinted about AP.",
)
def _(shown):
    older, new = (
        [number(high) for _, on, *_, high in shown.rows if on == of]
        for of in ("older ones", "the three")
    )
    return max(older) < 0 < min(new)


@says("05-audit#restricted-picture", "Judging ten ranks hardly changes AP's lead on TREC-5 and")
def _(shown):
    judged = {(row[0], row[2]): row for row in shown.rows if row[1] == "pools"}
    ten = (judged[name, "10"] for name in ("TREC-5", "TREC-8"))
    little = all(number(row[-2]) < 0 < number(row[-1]) for row in ten)
    return little and number(judged["TREC-5", "2"][-1]) < 0


@says("06-left-out#by-hand", "d3 leaves the pool, and C falls from")
def _(shown):
    ((inside, outside),) = ([number(x) for x in row[1:3]] for row in shown.rows if row[0] == "C")
    return outside < inside


@says("08-spending-judgements#placed", "A shallow pool flatters the systems in it")
def _(shown):
    own = [number(row[2]) - number(row[3]) for row in shown.rows if row[0] == "TREC-8"]
    twenty = own[4]
    return own[0] > 0 and twenty < own[0] / 3


@says("08-spending-judgements#ways-figure", "Choosing documents cleverly helps on")
def _(shown):
    gains = [number(cell) for row in shown.rows for cell in row[1:]]
    return min(gains) < 0 < max(gains)


@pytest.mark.parametrize("place", HELD)
def test_what_a_title_says_in_typed_words_its_figure_shows(place):
    words, holds = HELD[place]
    shown = drawings()[place]
    assert shown.title.startswith(words)
    assert holds(shown), shown


def test_a_title_that_is_typed_as_a_whole_is_held():
    """One that says how to read its figure is among those of READING."""
    sources = [
        path.read_text(encoding="utf-8")
        for top in ("lib", "chapters")
        for path in (ROOT / top).rglob("*.py")
    ]
    for path in (ROOT / "chapters").glob("*.ipynb"):
        sources += [cell.source for cell in code_cells(path)]
    code = re.sub(r'"\s*\n\s*f?"', "", "\n".join(sources))  # strings go on in the next line
    typed = {place for place, shown in drawings().items() if f"{shown.title} " in code}
    assert typed - HELD.keys() == READING


# In each setting of a control that is on its page, the title is that of the setting's own numbers.


@cache
def settings():
    """Return what each setting of each control shows, on its page: by cell, with the setting."""
    return [
        (place, dict(parse_qsl(panel["data-at"])), shown_by(panel))
        for place, page in shown_by_cells()
        for panel in page.select("[data-at]")
    ]


IN_SETTINGS = {}


def follows(place):
    """Register what the titles of a control have to be, from their setting and what it shows."""

    def register(function):
        IN_SETTINGS[place] = function
        return function

    return register


def listed(words):
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


# Names of the measures of a family: raw, normalized, standardized.
FORMS = {
    "precision/recall": "P R sP".split(),
    "DCG": "DCG nDCG sDCG".split(),
    "AP": "SP aAP sAP".split(),
    "RBP": "RBP nRBP sRBP".split(),
}


@follows("00-foundations#differences")
def _(at, shown):
    value = {name: number(said) for name, said in shown.rows}
    reach = stats.t.ppf(0.975, int(at["topics"]) - 1) * value["error"]
    verb = "includes" if abs(value["mean"]) < reach else "excludes"
    return f"The interval of the mean difference {verb} 0."


@follows("00-foundations#list-explore")
def _(at, shown):
    moved = {"rise": [], "fall": []}
    for name, first, now in shown.rows:
        if first != now:
            moved["rise" if number(now) > number(first) else "fall"].append(name.split("(")[0])
    parts = [f"{listed(of)} {way}{'s' * (len(of) == 1)}" for way, of in moved.items() if of]
    put = f"Put c at rank {at['place']}" if at["place"] != "0" else "Leave c out"
    return f"{put}, and {' and '.join(parts) or 'no score changes'}."


@follows("01-precision-at-ten#explore")
def _(at, shown):
    best = max(shown.rows, key=lambda row: number(row[1]))[0]
    of = at["target"]
    says = "is its own best predictor" if best == of else f"predicts {of} best"
    return f"On these topics {best} {says}."


@follows("02-measure-correlations#explore")
def _(at, shown):
    (tau,) = (said for name, said in shown.rows if name == "tau-b")
    paper = "Terabyte 2006, the paper's runs"
    where = paper if at["collection"] == "terabyte06" else short_title(at["collection"])
    return f"AP and {at['other']} have a tau-b of {tau} on {where}."


@follows("03-blind-feedback#explore")
def _(at, shown):
    ((of, up, down, same, _, _, change),) = shown.rows
    system, measure = of.split(", ")
    assert (system, measure) == (at["system"], {"MAP": "AP"}.get(at["measure"], at["measure"]))
    topics = sum(map(int, (up, down, same)))
    start = f"{up} of {topics} topics gain by {measure} and {down} lose, and the mean changes by "
    assert shown.title.startswith(start)
    mean, low, high = (number(n) for n in re.findall(r"[+−][\d.]+", shown.title))
    assert abs(mean - number(change)) < 0.0015 and low < mean < high
    return shown.title


@follows("04-audit#explore")
def _(at, shown):
    assert shown.rows[-1][0] in {"1000", "1,000"}
    share = number(shown.rows[-1][shown.heads.index(f"pool {at['pool']}")])
    name, said = re.match(r"By (\w+) the t test tells ([\d.]+)%", shown.title).groups()
    assert name == dict(zip(("raw", "normalized", "standardized"), FORMS[at["family"]]))[at["form"]]
    assert abs(float(said) / 100 - share) < 0.00051  # the table has three decimals
    return f"By {name} the t test tells {said}% of the pairs of systems apart."


@follows("04-pooling-depth#places")
def _(at, shown):
    places = dict(zip(shown.heads, shown.rows[-1]))
    full, short = places["pool 100"], places["lists as short"]
    ends = " as before" if short == full else f", not {full}"
    return f"Cut all lists to {at['run']}'s length, and it ends in place {short}{ends}."


@follows("05-audit#paths-explore")
def _(at, shown):
    choices = [at["kept"]] * (at["kept"] != "all")
    choices += [f"topics in a set {at['size']}"] * (at["size"] != "25")
    path, ringed = ", ".join(choices) or "leading path", shown.marks[-1]
    assert ringed[0] == path
    return f"AP's lead is {ringed[1].partition(', adjusted')[0]}: {path}."


@follows("05-elsewhere#law-explore")
def _(at, shown):
    name, size = re.match(r"(.*): with (\d+) ", shown.title).groups()
    assert name == growth.title_of(at["collection"])
    row = dict(zip(shown.heads, next(row for row in shown.rows if row[0] == size)))
    return (
        f"{name}: with {size} topics AP's lead for {at['target']} is {row['lead']}, "
        f"and the law foretells {row['law']}."
    )


@follows("06-left-out#falls")
def _(at, shown):
    ((_, before, after),) = (row for row in shown.rows if row[0] == at["run"])
    way = "falls" if number(after) > number(before) else "rises"
    moved = (
        f"{way} from place {before} to {after}" if after != before else f"stays in place {after}"
    )
    few = re.search(r", and \d+% of the runs fall two places or fewer\.$", shown.title)[0]
    return f"{at['run']} {moved}{few}"


@follows("07-judged-by-machines#explore")
def _(at, shown):
    means = [re.findall(r"(\d\.\d+) by", said) for _, said in shown.marks]  # of three decimals
    people, machine = ([number(one[side]) for one in means] for side in (0, 1))
    pairs = list(combinations(zip(people, machine), 2))
    turned = np.array([((a - c), (b - d)) for (a, b), (c, d) in pairs])
    said, of = re.search(r"([\d,]+) of ([\d,]+) pairs of runs change order", shown.title).groups()
    assert number(of) == len(pairs)
    opposite, tied = sum(turned.prod(axis=1) < 0), turned == 0  # some tie by rounding alone
    assert opposite <= number(said) <= opposite + sum(tied.any(axis=1))
    without = 1 - 2 * number(said) / len(pairs)
    with_ties = (sum(~tied.any(axis=1)) - 2 * number(said)) / np.sqrt((~tied).sum(axis=0).prod())
    tau = float(re.search(r"tau-b ([\d.]+)", shown.title)[1])
    assert min(without, with_ties) - 0.001 <= tau <= max(without, with_ties) + 0.001
    where = f"{short_title(at['track'])}, {at['judge']}, {at['measure']}: "
    assert shown.title.startswith(where)
    return shown.title


@follows("08-spending-judgements#explore-plan")
def _(at, shown):
    depths = {number(row[0].split("depth ")[1]): row[-1] == "no" for row in shown.rows}
    alike = [f"{depth:.0f}" for depth, so in depths.items() if so]
    if len(alike) == 1:
        found = f"a pool of depth {alike[0]} is expected to be better than all others"
    elif all(depths.values()):
        found = "no depth of the pool can be told apart from the best"
    elif all([*depths.values()][: len(alike)]):
        found = f"no plan down to depth {alike[-1]} can be told apart from the best"
    else:
        found = f"plans of depth {listed(alike)} cannot be told apart from the best"
    return f"On {short_title(at['pilot'])} {found}."


def test_every_control_is_held():
    assert {place for place, *_ in settings()} == IN_SETTINGS.keys()


@pytest.mark.parametrize("place", IN_SETTINGS)
def test_a_title_is_that_of_its_setting(place):
    shown = [(at, one) for cell, at, one in settings() if cell == place]
    assert len(shown) > 1
    wrong = [(at, one.title, IN_SETTINGS[place](at, one)) for at, one in shown]
    assert [each for each in wrong if each[1] != each[2]] == []


def test_what_the_frame_of_a_control_says_is_so_in_all_its_settings():
    """By AP most topics gain; by GS10 most stay, and fewer than half lose."""
    for place, at, shown in settings():
        if place == "03-blind-feedback#explore":
            ((_, up, down, same, *_),) = shown.rows
            most = up if at["measure"] == "MAP" else same
            assert int(most) > sum(map(int, (up, down, same))) / 2, at


def nearest(value, choices):
    return min(choices.items(), key=lambda one: abs(one[1] - value))[0]


SHARES = {"Half": 1 / 2, "Three in five": 3 / 5, "Four in five": 4 / 5}
# Of a guess, the choice whose reply begins with "So", from what is glued.
GUESSED = {
    ("00-foundations", "title"): lambda of: nearest(of["ahead"] / of["topics"], SHARES),
    ("04-pooling-depth", "title"): lambda of: (
        "Higher" if of["rank-1000-pool-10"] < of["rank-1000-pool-100"] else "Lower"
    ),
    ("06-left-out", "title"): lambda of: nearest(
        of["sp-mean-places"], {"Two": 2, "Five": 5, "Ten": 10}
    ),
}


@pytest.mark.parametrize("place", GUESSED, ids=str)
def test_the_reply_to_a_guess_that_says_so_is_the_right_one(place):
    notebook = nbformat.read(ROOT / "chapters" / f"{place[0]}.ipynb", as_version=4)
    (text,) = (cell.source for cell in notebook.cells if cell.id == place[1])
    right = re.findall(r"^- \*([\w ]+)\.\* So ", text, flags=re.M)
    said = glued(ROOT / "chapters" / f"{place[0]}.ipynb").items()
    values = {name: float(one) for name, one in said if re.fullmatch(r"[\d.]+", one)}
    assert right == [GUESSED[place](values)]
