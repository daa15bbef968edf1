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


@each_seed
def test_ndcg_as_by_hand(seed):
    one = item("1.1", seed)
    rows = re.findall(r"\| \d \| (\d) \|", one.question)
    grades = np.array([int(grade) for grade in rows])
    missed = int(re.search(r"of grade (\d)", one.question)[1])
    best = np.array(sorted([*grades, missed], reverse=True))
    logs = np.log2(np.arange(2, 9))
    assert one.exercise.right["nDCG"] == pytest.approx(
        (grades / logs[:6]).sum() / (best / logs).sum(), abs=1e-6
    )
    printed = np.array([float(x) for x in re.findall(r"\| (\d\.\d{3}) \|", one.question)])
    by_hand = (grades / printed).sum() / (best[:6] / printed).sum()
    assert f"{Written(by_hand)}" == f"{Written(one.exercise.right['nDCG'])}"
    precisions = [(grades[: i + 1] > 0).mean() for i in range(6) if grades[i]]
    assert one.exercise.right["AP"] == pytest.approx(sum(precisions) / (best > 0).sum(), abs=1e-6)
    hits, ranks = grades[:5] > 0, np.flatnonzero(grades) + 1
    others = [hits.mean(), hits.sum() / (best > 0).sum(), 1 / ranks[0], sum(0.5**ranks)]
    right = [one.exercise.right[entry] for entry in ("P@5", "R@5", "RR", "RBP")]
    assert right == pytest.approx(others, abs=1e-6)


@each_seed
def test_the_interval_as_scipy_has_it(seed):
    one = item("2.1", seed)
    differences = numbers(one.question.partition(" topics is ")[2].partition(", with")[0])
    found = stats.ttest_1samp(differences, 0).confidence_interval()
    right = one.exercise.right
    assert (right["low"], right["high"]) == pytest.approx(tuple(found), abs=1e-6)
    assert right["conclusive"] == ("yes" if found.low > 0 or found.high < 0 else "no")
    # On paper, with the deviation and the factor as printed, it has the same digits.
    deviation, factor = numbers(one.question.partition(", with")[2])[0], 2.365
    assert f"t for eight topics is {factor}" in one.question
    error = deviation / 8**0.5
    printed = [error, np.mean(differences) - factor * error, np.mean(differences) + factor * error]
    exact = [right[entry] for entry in ("error", "low", "high")]
    assert [f"{Written(x)}" for x in printed] == [f"{Written(x)}" for x in exact]


@each_seed
def test_the_taus_as_scipy_has_them(seed):
    one = item("2.3", seed)
    rows = re.findall(r"\| [A-E] \| (\S+) \| (\S+) \|", one.question)
    table = np.array(rows, float)
    assert one.exercise.right["tau-b"] == pytest.approx(
        stats.kendalltau(*table.T).statistic, abs=1e-6
    )
    signs = [np.prod(np.sign(a - b)) for a, b in combinations(table, 2)]
    named = {"share": signs.count(1) / 10, "tie": (sum(signs) + 1) / 10, "nine": sum(signs) / 9}
    answers = {wrong["say"]: [*wrong["answer"].values()] for wrong in one.exercise.wrong}
    words = texts()["2.3"]["mistakes"]
    assert answers == {words[name]: pytest.approx([value]) for name, value in named.items()}


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


# The answers to a question, from its words alone, and those that mistakes give, by their names.


def on_two_readers(text):
    lists = [np.array(columns(text)[f"list {side}"]) == "●" for side in "12"]
    ways = [np.argmax, lambda hits: -hits.sum(), lambda hits: -average_precision(hits, 1)]
    ways.append(lambda hits: -sum(0.5 ** np.flatnonzero(hits)))
    leads = [way(lists[1]) - way(lists[0]) for way in ways]
    right = ["neither" if abs(lead) < 1e-9 else "1" if lead > 0 else "2" for lead in leads]
    other = [{"1": "2", "2": "1"}.get(side, side) for side in right]
    return right, {"count": right[:1], "first": right[1:2], "other": other}


def on_bounds(text):
    runs = columns(text)
    pool = {*runs["A"][:2], *runs["B"][:2]}
    relevant = re.search(r"depth 2, (\w) and (\w) are", text).groups()
    least = sum(x in relevant for x in runs["C"]) / 4
    right = [len(pool), least, sum(x in relevant or x not in pool for x in runs["C"]) / 4]
    mistakes = {"least": [least], "all": [1], "twice": [4]}
    return right, mistakes | {"pooled": [len(pool.union(runs["C"][:2]))]}


def on_many_tests(text):
    p = np.sort(numbers(text.partition("p = ")[2].partition(" How")[0]))
    under = p < 0.05 / np.arange(5, 0, -1)
    right = [sum(p < 0.05), sum(p < 0.01), [*under, False].index(False)]
    fdr = sum(stats.false_discovery_control(p) < 0.05 + 1e-9)
    return right, {"bonferroni": right[1:2], "unstopped": [sum(under)], "fdr": [fdr]}


def on_pairs(text):
    scores = {name: np.array(cells, float) for name, cells in columns(text).items()}
    tests = [stats.ttest_rel(scores[one], scores[other]) for one, other in combinations("ABC", 2)]
    t, number = [test.statistic for test in tests], sum(test.pvalue < 0.05 for test in tests)
    mistakes = {"root": np.array(t) / 5**0.5, "number": [number], "rest": [1 - number / 3]}
    return [*t, number / 3], mistakes


def on_depths(text):
    held = [judged(text, *pool)[0] for pool in ((1, "AB"), (3, "AB"), (4, "ABC"))]
    right = [*(hits.mean() for hits in held), held[0][:2].mean()]
    return right, {"judged": [right[2]] * 2, "evaluation": right[:1], "depth": right[:1]}


def on_a_budget(text):
    budget, price, *pools, deviation = numbers(text.replace(",", ""))[:5]
    topics = np.array([budget // (price + documents) for documents in pools])
    errors = deviation / np.sqrt(topics)
    free = [budget // documents for documents in pools]
    return [*topics, *(errors * 2)], {"price": free, "up": topics + 1, "half": errors}


def on_left_out(text):
    (hits, known), (kept, fewer) = (judged(text, 4, by) for by in ("ABC", "AB"))
    runs = columns(text)
    ap, without = average_precision(hits, known), average_precision(kept, fewer)
    mistakes = {"divisor": [average_precision(kept, known)], "judged": [ap]}
    return [ap, without, len({*runs["C"]} - {*runs["A"], *runs["B"]})], mistakes


def on_topics(text):
    cases = re.findall(r"of (\.\d+) with s = (\.\d+)", text)
    roots = [Fraction("2.8") * Fraction(s) / Fraction(d) for d, s in cases]
    squares = [root**2 for root in roots]
    mistakes = {"down": [*map(math.floor, squares)], "root": [*map(math.ceil, roots)]}
    return [*map(math.ceil, squares)], mistakes


def on_plans(text):
    plans, *cells = map(np.array, columns(text).values())
    each, topics, taus = (one.astype(float) for one in cells)
    costs = [each * topics, (each + 20) * topics]
    best = [max(zip(taus[cost <= 2000], plans[cost <= 2000]))[1] for cost in costs]
    return [costs[0][0], costs[1][0], *best], {"tau": ["d", "d"], "once": [costs[0][0] + 20]}


BY_HAND = {"1.2": on_two_readers, "1.3": on_bounds, "2.2": on_many_tests}
BY_HAND |= {goal: lambda text: ([*solved(text).values()], {}) for goal in ("3.1", "3.2", "3.3")}
BY_HAND |= {"4.1": on_pairs, "4.2": on_depths, "4.3": on_a_budget}
BY_HAND |= {"5.1": on_left_out, "5.2": on_topics, "5.3": on_plans}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("goal", BY_HAND)
def test_answers_and_mistakes_as_by_hand(goal, seed):
    one = item(goal, seed)
    right, mistakes = BY_HAND[goal](one.question)
    assert [*one.exercise.right.values()] == pytest.approx([*right], abs=1e-6)
    answers = {wrong["say"]: [*wrong["answer"].values()] for wrong in one.exercise.wrong}
    for name in mistakes:  # one that gives the right answer is no mistake
        found = answers.get(texts()[goal]["mistakes"][name])
        assert found is None or found == pytest.approx([*mistakes[name]], abs=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_solution_tells_what_the_pools_hold(seed):
    one = item("4.2", seed)
    c = np.array(columns(one.question)["C"])
    held = [judged(one.question, *pool)[0] for pool in ((1, "AB"), (3, "AB"), (4, "ABC"))]
    told = "; ".join(", ".join(c[hits]) or "none" for hits in held)
    assert one.solution == f"Of C's relevant documents the pools hold {told}."


def solved(text):
    """Return the answers to a question of session 3, from its words alone."""
    text = text.replace("−", "-")
    if "first half" in text:
        (m1, n1, m2, n2) = (
            one.split(", ") for one in re.findall(r"half: ([A-D](?:, [A-D]){3})", text)
        )

        def tau(one, other):
            return stats.kendalltau(*([x.index(s) for s in "ABCD"] for x in (one, other)))[0]

        itself, across = tau(m1, m2), (tau(n1, m2) + tau(n2, m1)) / 2
        return {"M by M": itself, "M by N": across, "lead": across - itself}
    ends = re.findall(r"(-?\.\d+) to (-?\.\d+)", text)
    pairs = [(float(low), float(high)) for low, high in ends]
    if "as good as" in text:
        words = ["supported" if low > -0.02 else "contradicted" if high < 0 else "inconclusive"
                 for low, high in pairs]  # fmt: skip
        return dict(zip("ABCD", words))
    *leads, _, (low, high) = pairs
    yes, no = sum(one > 0 for one, _ in leads), sum(one < 0 for _, one in leads)
    counts = {"supported": yes, "contradicted": no, "inconclusive": len(leads) - yes - no}
    return counts | {"either sign on a new one": "yes" if low < 0 < high else "no"}


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
            from_words = session == 3 and entry != "choice"
            assert mark(solved(text)[entry] if from_words else right) == (100, "")
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
