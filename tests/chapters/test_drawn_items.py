"""Items by seed: right by other routes, mistakes named; quizzes; exams that give nothing away."""

import html
import math
import re
from collections import Counter
from fractions import Fraction
from itertools import combinations
from runpy import run_path
from xml.etree import ElementTree

import numpy as np
import pytest
from built import ROOT
from scipy import stats

from chapters.exercises import drawn_items
from chapters.exercises.answers import RULE, reply
from chapters.exercises.checks import LESSONS, exercises, lesson
from chapters.exercises.drawn_items import READY, concepts, goals, item, practised, texts, unseen
from chapters.exercises.drawn_numbers import MAKERS, Written
from lib.errors import InputError

EXAM = run_path(str(ROOT / "book" / "make_exam.py"))
SEEDS = [*READY, "a word", "another"]
each_seed = pytest.mark.parametrize("seed", [*SEEDS, *(f"word {at}" for at in range(20))])


def drawn(goal):
    return [item(goal, seed) for seed in SEEDS]


def test_each_goal_of_the_kits_has_its_items():
    goals = {}
    for path in sorted((ROOT / "book" / "kits").glob("session-*.md")):
        listed = re.search(r"student can\n\n((?:- .*\n)+)", path.read_text("utf-8"))[1]
        found = enumerate(re.findall(r"- (.*?)[;.]\n", listed), 1)
        goals |= {f"{path.stem[-1]}.{at}": words for at, words in found}
    assert goals == {goal: words["goal"] for goal, words in texts().items()}
    assert set(MAKERS) == set(goals)


def test_the_page_for_lecturers_says_what_there_is_for_each_goal():
    page = (ROOT / "book" / "teaching.md").read_text("utf-8")
    by_goal = Counter(one.goal for one in exercises().values())
    for goal, words in texts().items():
        n = len(practised(goal))
        counts = [by_goal[goal], n, 1, n, 1 + bool(concepts(goal))]
        assert all(counts)
        assert f"| {goal} {words['goal']} | {' | '.join(map(str, counts))} |" in page
    asked = [one for file in LESSONS.glob("*.yml") for one in lesson(file.stem)["questions"]]
    assert len(asked) == sum(len(concepts(goal)) for goal in MAKERS)


@pytest.mark.parametrize("goal", MAKERS)
def test_an_item_knows_its_answer_and_its_mistakes(goal):
    items, named = drawn(goal), set()
    assert len({one.question for one in items}) == len(items)
    for one in items:
        asked = one.exercise
        right = {entry: str(value) for entry, value in asked.right.items()}
        assert reply(right, asked.right, asked.within, asked.wrong).right
        words = {value for value in asked.right.values() if isinstance(value, str)}
        assert words <= set(one.choices)
        for wrong in asked.wrong:
            given = right | {entry: str(value) for entry, value in wrong["answer"].items()}
            found = reply(given, asked.right, asked.within, asked.wrong)
            assert found.right is False
            if wrong["say"] in found.message:  # another mistake may give the same answer
                named.add(wrong["say"])
    assert named == set(texts()[goal]["mistakes"].values())


def numbers(text):
    return [float(one) for one in re.findall(r"-?\d*\.?\d+", text.replace("−", "-"))]


def same_digits(by_hand, right, digits=3):
    assert [f"{Written(x):{digits}}" for x in by_hand] == [f"{Written(x):{digits}}" for x in right]


@each_seed
def test_with_what_is_printed_an_answer_has_the_same_digits(seed):
    """On paper: with rounded logarithms, deviations and factors."""
    text, right = item("1.1", seed).question, item("1.1", seed).exercise.right
    (grades, best), logs = graded(text), np.array(columns(text)["log₂(rank + 1)"], float)
    same_digits([(grades / logs).sum() / (best[:6] / logs).sum()], [right["nDCG"]])
    text, right = item("2.1", seed).question, item("2.1", seed).exercise.right
    mean, error = differences(text).mean(), numbers(text.partition(", with")[2])[0] / 8**0.5
    assert "t for eight topics is 2.365" in text
    by_hand = [error, mean - 2.365 * error, mean + 2.365 * error]
    same_digits(by_hand, [right[entry] for entry in ("error", "low", "high")])
    text, right = item("4.1", seed).question, item("4.1", seed).exercise.right
    mean = {pair: gap.mean() for pair, gap in gaps(text).items()}
    said = re.findall(r"([A-C] − [A-C]) (\d?\.\d{4})", text)
    by_hand = [mean[pair] / (float(deviation) / 5**0.5) for pair, deviation in said]
    same_digits(by_hand, [right[pair] for pair in mean], 2)


@pytest.mark.parametrize("goal", MAKERS)
def test_what_a_question_shows_can_be(goal):
    """Scores are from 0 to 1, so no difference or deviation of them is further from 0."""
    for text in (one.question for one in drawn(goal)):
        shown = re.sub(r"2\.365|2\.776|2\.8 s|\| \d\.\d{3} \|", "", text)  # the last: logarithms
        assert all(abs(float(number)) <= 1 for number in re.findall(r"\d*\.\d+", shown))
        if goal in ("2.2", "2.3", "4.1", "5.3"):  # p, scores, and taus of good plans
            assert "−." not in text
        if goal == "4.3":
            budget, price, shallow, deep, deviation = numbers(text.replace(",", ""))[:5]
            assert shallow < deep and budget > 2 * (deep + price) and 0 < deviation <= 0.5
        if goal == "5.3":  # what takes more documents a topic has fewer topics, and promises more
            documents, topics, taus = (np.diff(one) for one in on_cells(text))
            assert min(documents) > 0 > max(topics) and min(taus) > 0


def columns(text):
    """Return the columns of a question's table, by their heads."""
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    return {head: cells for head, *cells in zip(rows[0], *rows[2:])}


def judged(text, depth, by):
    """Return which of C's documents a pool tells to be relevant, and how many it tells in all."""
    runs = columns(text)
    relevant = re.search(r"^(\w(?:, \w)*) are relevant", text, re.MULTILINE)[1].split(", ")
    known = {x for run in by for x in runs[run][:depth]}.intersection(relevant)
    return np.array([x in known for x in runs["C"]]), len(known)


def average_precision(hits, known):
    ranks = np.flatnonzero(hits) + 1
    return (np.arange(1, len(ranks) + 1) / ranks).sum() / known


def graded(text):
    """Return the grades of a list, and those of the ideal one."""
    grades = np.array(columns(text)["grade"], int)
    missed = int(re.search(r"of grade (\d)", text)[1])
    return grades, np.array(sorted([*grades, missed], reverse=True))


def differences(text):
    return np.array(numbers(text.partition(" topics is ")[2].partition(", with")[0]))


def gaps(text):
    scores = {run: np.array(cells, float) for run, cells in columns(text).items()}
    return {f"{a} − {b}": scores[a] - scores[b] for a, b in combinations("ABC", 2)}


def joined(values, digits=3, by=", "):
    return by.join(f"{Written(value):{digits}}" for value in values)


# The answers to a question, from its words alone, those that mistakes give, by their names, and
# what its solution tells.


def on_one_list(text):
    grades, best = graded(text)
    hits, logs, ranks = grades > 0, np.log2(np.arange(2, 9)), np.flatnonzero(grades) + 1
    known, gain, ideal = sum(best > 0), (grades / logs[:6]).sum(), (best / logs).sum()
    found = hits[:5].sum()
    ap = average_precision(hits, known)
    right = [found / 5, found / known, 1 / ranks[0], ap, gain / ideal, sum(0.5**ranks)]
    mistakes = {"found": [ap * known / (known - 1)], "gain": [gain], "rank": [ranks[0]]}
    mistakes |= {"ideal": [gain / (np.sort(grades)[::-1] / logs[:6]).sum()]}
    mistakes |= {"divisor": [found / 5], "stops": [2 * sum(0.5**ranks)]}
    told = [", ".join(f"{at}/{rank}" for at, rank in enumerate(ranks, 1)) + f", over {known}:"]
    ideal_list = ", ".join(map(str, best[best > 0]))
    return right, mistakes, [*told, f"DCG {Written(gain)} over", f"{ideal_list}, {Written(ideal)}:"]


def on_an_interval(text):
    d = differences(text)
    found = stats.ttest_1samp(d, 0).confidence_interval()
    deviation, error = d.std(ddof=1), stats.sem(d)
    word = "yes" if found.low > 0 or found.high < 0 else "no"
    ends = {"topics": 2.365 * deviation, "normal": 1.96 * error}
    mistakes = {name: [d.mean() - reach, d.mean() + reach] for name, reach in ends.items()}
    mistakes |= {"deviation": [deviation], "number": [deviation / 8]}
    mistakes |= {"word": [{"yes": "no", "no": "yes"}[word]]}
    told = f"errors of {Written(deviation)} / √8 = {Written(error)}"
    return [d.mean(), error, found.low, found.high, word], mistakes, [told]


def on_taus(text):
    one, other = (np.array(columns(text)[by], float) for by in ("one", "other"))
    signs = [np.prod(np.sign(a - b)) for a, b in combinations(np.transpose([one, other]), 2)]
    agree, disagree, total = signs.count(1), signs.count(-1), sum(signs)
    mistakes = {"share": [agree / 10], "tie": [(total + 1) / 10], "nine": [total / 9]}
    told = f"{agree} pairs agree, {disagree} disagree, 1 is tied: tau-a = ({agree} − {disagree})"
    return [total / 10, stats.kendalltau(one, other).statistic], mistakes, [told]


def on_two_readers(text):
    lists = [np.array(columns(text)[f"list {side}"]) == "●" for side in "12"]
    ways = [np.argmax, lambda hits: -hits.sum(), lambda hits: -average_precision(hits, 1)]
    ways.append(lambda hits: -sum(0.5 ** np.flatnonzero(hits)))
    leads = [way(lists[1]) - way(lists[0]) for way in ways]
    right = ["neither" if abs(lead) < 1e-9 else "1" if lead > 0 else "2" for lead in leads]
    other = [{"1": "2", "2": "1"}.get(side, side) for side in right]
    known = sum(map(sum, lists))
    scores = {"RR": [1 / (1 + np.argmax(hits)) for hits in lists]}
    scores |= {"P@5": [hits.mean() for hits in lists]}
    scores |= {"AP": [average_precision(hits, known) for hits in lists]}
    told = [f"{name}: {joined(of, by=' against ')}" for name, of in scores.items()]
    return right, {"count": right[:1], "first": right[1:2], "other": other}, told


def on_bounds(text):
    runs = columns(text)
    pool = {*runs["A"][:2], *runs["B"][:2]}
    relevant = re.search(r"depth 2, (\w) and (\w) are", text).groups()
    least = sum(x in relevant for x in runs["C"]) / 4
    right = [len(pool), least, sum(x in relevant or x not in pool for x in runs["C"]) / 4]
    mistakes = {"least": [least], "all": [1], "twice": [4]}
    told = [f"The pool is {', '.join(sorted(pool))}."]
    told += [f"Unjudged in C: {', '.join(x for x in runs['C'] if x not in pool)}."]
    return right, mistakes | {"pooled": [len(pool.union(runs["C"][:2]))]}, told


def on_many_tests(text):
    p = np.sort(numbers(text.partition("p = ")[2].partition(" How")[0]))
    under = p < 0.05 / np.arange(5, 0, -1)
    right = [sum(p < 0.05), sum(p < 0.01), [*under, False].index(False)]
    fdr = sum(stats.false_discovery_control(p) < 0.05 + 1e-9)
    mistakes = {"bonferroni": right[1:2], "unstopped": [sum(under)], "fdr": [fdr]}
    bars = [f"against .05/{m} = {Written(0.05 / m):4}" for m in range(5, 0, -1)]
    steps = ", ".join(f"{Written(x)} {bar}" for x, bar in zip(p, bars[: right[2] + 1]))
    return right, mistakes | {"plain": right[:1]}, [f"Holm: {steps}; it stops"]


def on_halves(text):
    m1, n1, m2, n2 = (x.split(", ") for x in re.findall(r"half: ([A-D](?:, [A-D]){3})", text))

    def tau(one, other):
        return stats.kendalltau(*([x.index(s) for s in "ABCD"] for x in (one, other)))[0]

    itself, one, other = tau(m1, m2), tau(n1, m2), tau(n2, m1)
    across = (one + other) / 2
    mistakes = {"way": [one], "same": [(tau(n1, m1) + tau(n2, m2)) / 2], "sign": [itself - across]}
    told = f"M by N one way {Written(one)}, the other {Written(other)}: mean {Written(across)}"
    return [itself, across, across - itself], mistakes, [told]


def words_on(intervals, bound):
    return [
        "supported" if low > bound else "contradicted" if high < 0 else "inconclusive"
        for low, high in intervals
    ]


def on_verdicts(text):
    ends = re.findall(r"(-?\.\d+) to (-?\.\d+)", text.replace("−", "-"))
    intervals = [(float(low), float(high)) for low, high in ends]
    right = words_on(intervals, -0.02)
    middle = ["supported" if sum(one) / 2 > -0.02 else "contradicted" for one in intervals]
    told = ", ".join(f"{name} {word}" for name, word in zip("ABCD", right))
    return right, {"stricter": words_on(intervals, 0), "middle": middle}, [told]


def on_a_forest(text):
    number, text = r"(-?\.\d+)", text.replace("−", "-")
    rows = re.findall(rf"{number} \({number} to {number}\)", text)[:6]
    low, high = map(float, re.search(f"prediction interval {number} to {number}", text).groups())
    words = words_on([(float(low), float(high)) for _, low, high in rows], 0)
    above = sum(float(estimate) > 0 for estimate, *_ in rows)
    below = sum(float(estimate) < 0 for estimate, *_ in rows)
    right = [words.count(word) for word in ("supported", "contradicted", "inconclusive")]
    either = ["yes", "no"] if low < 0 < high else ["no", "yes"]
    mistakes = {"signs": [above, below, 6 - above - below], "mean": either[1:]}
    told = f"above 0: {right[0]}; below: {right[1]}. Does the prediction interval hold both signs?"
    return [*right, either[0]], mistakes, [f"{told} {either[0]}."]


def on_pairs(text):
    of = {pair: (gap.mean(), stats.ttest_1samp(gap, 0)) for pair, gap in gaps(text).items()}
    t, number = [x.statistic for _, x in of.values()], sum(x.pvalue < 0.05 for _, x in of.values())
    mistakes = {"root": np.array(t) / 5**0.5, "number": [number], "rest": [1 - number / 3]}
    steps = [f"{pair} {Written(m):2}, t = {Written(x.statistic):2}" for pair, (m, x) in of.items()]
    return [*t, number / 3], mistakes, [f"{', '.join(steps)}; {number} of 3 pairs"]


def on_depths(text):
    held = [judged(text, *pool)[0] for pool in ((1, "AB"), (3, "AB"), (4, "ABC"))]
    right = [*(hits.mean() for hits in held), held[0][:2].mean()]
    told = "; ".join(", ".join(np.array(columns(text)["C"])[hits]) or "none" for hits in held)
    mistakes = {"judged": [right[2]] * 2, "evaluation": right[:1], "depth": right[:1]}
    return right, mistakes, [f"the pools hold {told}."]


def on_a_budget(text):
    budget, price, *pools, deviation = numbers(text.replace(",", ""))[:5]
    topics = np.array([budget // (price + documents) for documents in pools])
    errors = deviation / np.sqrt(topics)
    free = [budget // documents for documents in pools]
    told = [f"give {topics[0]:.0f} and {topics[1]:.0f}; 2 · {Written(deviation):2} / √n"]
    return [*topics, *(errors * 2)], {"price": free, "up": topics + 1, "half": errors}, told


def on_left_out(text):
    (hits, known), (kept, fewer) = (judged(text, 4, by) for by in ("ABC", "AB"))
    runs = columns(text)
    ap, without = average_precision(hits, known), average_precision(kept, fewer)
    mistakes = {"divisor": [average_precision(kept, known)], "judged": [ap]}
    alone = [x for x in runs["C"] if x not in runs["A"] + runs["B"]]
    told = f"With C {known} relevant documents are known, without {fewer}; unjudged in C: "
    return [ap, without, len(alone)], mistakes, [f"{told}{', '.join(alone)}."]


def on_topics(text):
    cases = re.findall(r"of (\.\d+) with s = (\.\d+)", text)
    roots = [Fraction("2.8") * Fraction(s) / Fraction(d) for d, s in cases]
    squares = [root**2 for root in roots]
    mistakes = {"down": [*map(math.floor, squares)], "root": [*map(math.ceil, roots)]}
    mistakes |= {"test": [math.ceil(square * Fraction("0.49")) for square in squares]}  # 1.96/2.8
    return [*map(math.ceil, squares)], mistakes, [f"{joined(squares, 1, ' and ')}, rounded up."]


def on_cells(text):
    return [np.array(cells, float) for cells in [*columns(text).values()][1:]]


def on_plans(text):
    (each, topics, taus), plans = on_cells(text), np.array([*"abcd"])
    costs = [each * topics, (each + 20) * topics]
    best = [max(zip(taus[cost <= 2000], plans[cost <= 2000]))[1] for cost in costs]
    told = [f"{', '.join(f'{x:.0f}' for x in cost)}: {b}" for cost, b in zip(costs, best)]
    mistakes = {"tau": ["d", "d"], "once": [costs[0][0] + 20]}
    return [costs[0][0], costs[1][0], *best], mistakes, told


BY_HAND = {"1.1": on_one_list, "1.2": on_two_readers, "1.3": on_bounds}
BY_HAND |= {"2.1": on_an_interval, "2.2": on_many_tests, "2.3": on_taus}
BY_HAND |= {"3.1": on_halves, "3.2": on_verdicts, "3.3": on_a_forest}
BY_HAND |= {"4.1": on_pairs, "4.2": on_depths, "4.3": on_a_budget}
BY_HAND |= {"5.1": on_left_out, "5.2": on_topics, "5.3": on_plans}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("goal", BY_HAND)
def test_answers_mistakes_and_solutions_as_by_hand(goal, seed):
    one = item(goal, seed)
    right, mistakes, told = BY_HAND[goal](one.question)
    assert all(words in one.solution for words in told)
    assert [*one.exercise.right.values()] == pytest.approx([*right], abs=1e-6)
    answers = {wrong["say"]: [*wrong["answer"].values()] for wrong in one.exercise.wrong}
    for name in mistakes:  # one that gives the right answer is no mistake
        found = answers.get(texts()[goal]["mistakes"][name])
        assert found is None or found == pytest.approx([*mistakes[name]], abs=1e-6)


def marked(listed, given):
    """Return the share and the comment that Moodle gives for an answer to a blank of Cloze."""
    for answer in re.finditer(r"(=|%50%|%0%|)([^~#]+)(?:#([^~]*))?(?:~|$)", listed):
        sign, value, said = answer.groups()
        value, _, near = value.partition(":")
        fits = abs(given - float(value)) <= float(near) if near else given == value
        if fits:
            share = {"=": 100, "%50%": 50}.get(sign, 0)
            return share, html.unescape(re.sub(r"\\([}#])", r"\1", said or ""))
    assert not isinstance(given, str), f"{given} is no choice of {listed}"
    return 0, ""


def of_moodle(path):
    """Return title and text of each blank, and what marks an answer to it."""
    for question in ElementTree.parse(path).iterfind("question[@type='cloze']"):
        text = question.findtext("questiontext/text")
        named = re.findall(r"<p>([^<]+) = \{1:\w+:((?:\\\}|[^}])*)\}</p>", text)
        for entry, listed in named:
            title = f"{question.findtext('name/text')}: {html.unescape(entry)}"
            yield title, text, lambda given, listed=listed: marked(listed, given)


def of_text2qti(path):
    """Return the same of a text for text2qti."""
    title, *parts = path.read_text("utf-8").split("\n\n")
    assert title.startswith("Quiz title: ")
    for part in parts:
        named, text, *lines = part.split("\n")
        told = {line[:1]: line[2:] for line in lines}

        def mark(given, lines=lines, told=told):
            if "* 0" in lines:
                return (100, "") if not given else (0, told["-"])
            if "=" in told:
                least, most = (numbers(told["="]) * 2)[:2]
                fits = least <= given <= most
                return (100, "") if fits else (0, told["-"])
            (at,) = (at for at, line in enumerate(lines) if line.endswith(f") {given}"))
            return (100, "") if lines[at][0] == "*" else (0, lines[at + 1].removeprefix("... "))

        yield named.removeprefix("Title: "), text.removeprefix("1. "), mark


@pytest.mark.parametrize("form, read", [("xml", of_moodle), ("txt", of_text2qti)])
def test_a_quiz_is_filled_in_and_marked(form, read, tmp_path):
    """That of session 3 by answers from its words alone."""
    EXAM["write_quizzes"](tmp_path / "quizzes")
    for session in range(1, 6):
        questions, told = list(read(tmp_path / "quizzes" / f"session-{session}.{form}")), ""
        asked = [
            (f"{goal}, {at}: {entry}", one, entry)
            for goal in goals(session)
            for at, one in enumerate(practised(goal), 1)
            for entry in one.exercise.right
        ]
        for (name, one, entry), (title, text, mark) in zip(asked, questions, strict=True):
            assert title == name
            right, within = one.exercise.right[entry], one.exercise.within
            if session == 3 and entry != "choice":
                by_hand = dict(zip(one.exercise.right, BY_HAND[name[:3]](text)[0]))
                assert mark(by_hand[entry]) == (100, "")
            assert mark(right) == (100, "")
            if isinstance(right, str):
                assert [choice for choice in one.choices if mark(choice)[0]] == [right]
            elif right:
                near = math.copysign(within, right) if isinstance(right, float) else 0
                assert mark(right + 0.9 * near) == (100, "") != mark(right + (1.1 * near or 0.5))
            for wrong in one.exercise.wrong:
                value = wrong["answer"].get(entry, right)
                if value != right:
                    share, comment = mark(value)
                    assert share == 0 and comment
                    told += comment
        mistakes = [say for goal in goals(session) for say in texts()[goal]["mistakes"].values()]
        assert all(say in told for say in mistakes)


def test_a_quiz_of_moodle_has_a_category_a_goal():
    items = {f"{goal}, {at}": practised(goal)[at] for goal in MAKERS for at in (0, 1)}
    quiz, expected = ElementTree.fromstring(EXAM["moodle"](items)), []
    for goal in MAKERS:
        words = texts()[goal]["goal"].replace("*", "")
        expected += [f"$course$/top/Session {goal[0]}/{words}", None, None]
    assert [question.findtext("category/text") for question in quiz] == expected


def test_an_exam_covers_its_goals_and_gives_nothing_away(tmp_path):
    EXAM["write_exam"](tmp_path / "exam", "1, 3")
    seed = (tmp_path / "exam.seed").read_text("utf-8")
    assert re.fullmatch("[0-9a-f]{32}", seed)
    items = {goal: unseen(goal, seed) for one in (1, 3) for goal in goals(one)}
    assert list(items) == ["1.1", "1.2", "1.3", "3.1", "3.2", "3.3"]
    shown = {one.question for goal in items for one in drawn(goal)[: len(READY)]}
    assert not shown & {one.question for one in items.values()}
    files = {p.name: p.read_text("utf-8") for p in (tmp_path / "exam").iterdir()}
    assert set(files) == {"paper.html", "key.html", "exam.xml", "exam.txt"}
    assert not any(seed in text for text in files.values())
    in_words = sum(bool(concepts(goal)) for goal in items)
    points = sum(len(one.exercise.right) for one in items.values()) + in_words
    assert f"{30 + 2 * in_words} minutes, {points} points" in files["paper.html"]
    assert RULE in files["paper.html"] and RULE in files["key.html"]
    sections = [files[name].count("<section>") for name in ("paper.html", "key.html")]
    assert sections == [6 + in_words] * 2
    assert files["key.html"].count(": 1 point</li>") == points
    for one in items.values():
        assert one.solution.split("{")[0][:30] not in files["paper.html"]


def test_a_seed_is_drawn_once_kept_and_missed(tmp_path):
    folder, file = tmp_path / "exam", tmp_path / "exam.seed"
    EXAM["write_exam"](folder, "2")
    seed, paper = file.read_text("utf-8"), (folder / "paper.html").read_text("utf-8")
    with pytest.raises(InputError, match="not written over: move it away$"):
        EXAM["write_exam"](folder, "2")
    folder.rename(tmp_path / "first")
    EXAM["write_exam"](folder, "2")
    assert file.read_text("utf-8") == seed and file.stat().st_mode & 0o077 == 0
    assert (folder / "paper.html").read_text("utf-8") == paper
    file.unlink()
    with pytest.raises(InputError, match="is lost, so nobody can make this one again"):
        EXAM["write_exam"](folder, "2")
    folder.rename(tmp_path / "second")
    EXAM["write_exam"](folder, "2")
    assert (folder / "paper.html").read_text("utf-8") != paper
    folder.rename(tmp_path / "third")
    for wrong in (b"a word", f"{seed}, nearly".encode(), f"{seed}\xff".encode("latin-1")):
        file.write_bytes(wrong)
        with pytest.raises(InputError, match="is no seed of 32 hexadecimal digits") as error:
            EXAM["write_exam"](folder, "2")
        assert seed not in str(error.value)
        assert file.read_bytes() == wrong and not folder.exists()


@pytest.mark.parametrize("key", ["digits", "goal", "mistakes"])
def test_an_item_without_a_part_is_told(key, monkeypatch):
    known = {goal: {k: v for k, v in one.items() if k != key} for goal, one in texts().items()}
    monkeypatch.setattr(drawn_items.yaml, "safe_load", lambda text: known)
    monkeypatch.setattr(drawn_items, "texts", texts.__wrapped__)
    with pytest.raises(InputError, match=f"drawn_items.yml: 1.1 has no `{key}`"):
        item("1.1", f"without {key}")


def test_a_question_without_a_goal_is_told(monkeypatch):
    class Asked:
        questions = [{"question": "Why?", "choices": []}]

    monkeypatch.setattr(drawn_items, "self_check", lambda name: Asked)
    with pytest.raises(InputError, match="yml: 'Why\\?' has no `goal` of a session"):
        concepts.__wrapped__("1.1")


@pytest.mark.parametrize("sessions", ["", "6", "one"])
def test_other_sessions_are_refused(sessions, tmp_path):
    with pytest.raises(InputError, match="SESSIONS must be some of 1, 2, 3, 4, 5"):
        EXAM["write_exam"](tmp_path / "exam", sessions)
    assert not any(tmp_path.iterdir())
