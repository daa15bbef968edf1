"""Items by seed: right by other routes, mistakes named; quizzes; exams that give nothing away."""

import re
from io import BytesIO
from runpy import run_path
from xml.etree import ElementTree
from zipfile import ZipFile

import numpy as np
import pytest
from built import ROOT
from scipy import stats

from chapters.exercises.draws import MAKERS, Written
from chapters.exercises.items import READY, goals, item, texts, unseen
from chapters.exercises.replies import reply
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
    assert one.exercise.right["tau-b"] == pytest.approx(
        stats.kendalltau(*np.array(rows, float).T).statistic, abs=1e-6
    )


# A question in GIFT: a title, a text, and answers in braces, with nothing of GIFT's own elsewhere.
FREE = r"(?:[^~=#{}:\\\n]|\\[~=#{}:\\])"
NUMERIC = rf"#=%100%-?[\d.]+:[\d.]+(?: =%0%-?[\d.e-]+:[\d.]+#{FREE}+)*"
CHOICE = rf"(?:[=~]{FREE}+(?:#{FREE}+)? ?)+"
QUESTION = re.compile(rf"::{FREE}+::\[html\]{FREE}+ \{{(?:{NUMERIC}|{CHOICE})\}}")


@pytest.mark.parametrize("goal", MAKERS)
def test_a_quiz_is_gift(goal):
    items = {f"{goal}, {at}": one for at, one in enumerate(drawn(goal))}
    questions = EXAM["gift"](items).strip().split("\n\n")
    assert len(questions) == sum(len(one.exercise.right) for one in items.values())
    for question in questions:
        assert QUESTION.fullmatch(question), question
        assert question.count("{#=%100%") or len(re.findall(r"(?<!\\)=", question)) == 1


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


def marked(answers, given):
    """Return the share and the comment that an LMS gives for an answer to a question in GIFT."""
    if answers.startswith("#"):
        parts = re.findall(r"=%(\d+)%([^:]+):([\d.e-]+)(?:#((?:\\.|[^=])*))?", answers)
        near = (one for one in parts if abs(given - float(one[1])) <= float(one[2]))
        share, *_, comment = next(near, ("0", ""))
    else:
        parts = re.findall(r"([=~])((?:\\.|[^=~#])+)(?:#((?:\\.|[^=~])*))?", answers)
        sign, _, comment = next(one for one in parts if one[1].strip() == given)
        share = "100" if sign == "=" else "0"
    return int(share), re.sub(r"\\(.)", r"\1", comment).strip()


def of_gift(path):
    """Return title and text of each question, and what marks an answer to it."""
    found = re.findall(r"::(.+?(?<!\\))::\[html\](.+) \{(.+)\}\n", path.read_text("utf-8"))
    for *told, answers in found:
        title, text = (re.sub(r"\\(.)", r"\1", one) for one in told)
        yield title, text, lambda given, answers=answers: marked(answers, given)


def content(packed):
    """Return what a zip of QTI has, by the name of each file's root."""
    with ZipFile(packed) as whole:
        assert whole.testzip() is None
        roots = {name: ElementTree.fromstring(whole.read(name)) for name in whole.namelist()}
    manifest = roots.pop("imsmanifest.xml")
    listed = [one.get("href") for one in manifest.iter() if one.tag.endswith("}file")]
    assert sorted(listed) == sorted(roots)
    refers = {one.get("identifierref") for one in manifest.iter()} - {None}
    assert refers < {one.get("identifier") for one in manifest.iter()}
    return {root.tag.rpartition("}")[2]: root for root in roots.values()}


def of_qti(path):
    """Return the same of a zip of QTI."""
    root = content(path)["questestinterop"]
    for one in root.iter():
        one.tag = one.tag.rpartition("}")[2]
    for one in root.iter("item"):
        text = one.findtext("presentation/material/mattext")
        yield one.get("title"), text, lambda given, one=one: marked_in_canvas(one, given)


def marked_in_canvas(question, given):
    """Return the share and the comment for an answer, by the conditions in their order."""
    labels = {
        box.findtext("material/mattext"): box.get("ident")
        for box in question.iter("response_label")
    }
    said = {one.get("ident"): one.findtext(".//mattext") for one in question.iter("itemfeedback")}

    def fits(one):
        if one.tag in ("or", "and"):
            return {"or": any, "and": all}[one.tag](map(fits, one))
        if one.tag == "other":
            return True
        if one.tag == "varequal":
            return one.text == labels.get(given) if given in labels else float(one.text) == given
        return float(one.text) <= given if one.tag == "vargte" else given <= float(one.text)

    share, comments = 0, []
    for one in question.iter("respcondition"):
        if fits(one.find("conditionvar")[0]):
            share += int(one.findtext("setvar") or 0)
            comments += [said[shown.get("linkrefid")] for shown in one.iter("displayfeedback")]
            if one.get("continue") == "No":
                break
    return share, " ".join(comments)


@pytest.mark.parametrize("form, read", [("gift", of_gift), ("zip", of_qti)])
def test_the_quiz_of_session_3_is_filled_in_and_marked(form, read, tmp_path):
    EXAM["write_quizzes"](tmp_path / "quizzes")
    questions = list(read(tmp_path / "quizzes" / f"session-3.{form}"))
    assert len(questions) == 10 * (3 + 4 + 4)
    told = ""
    for title, text, mark in questions:
        goal, at, entry = re.fullmatch(r"(3\.\d), (\d+): (.+)", title).groups()
        one = item(goal, READY[int(at) - 1]).exercise
        given = solved(text)[entry]
        assert mark(given) == (100, "")
        for wrong in one.wrong:
            value = wrong["answer"].get(entry, one.right[entry])
            if value != one.right[entry]:
                share, comment = mark(value)
                assert share == 0 and comment
                told += comment
    assert all(say in told for goal in goals(3) for say in texts()[goal]["mistakes"].values())


def elements(root, above=""):
    """Return the elements of a document, below which others each stands, and its attributes."""
    here = f"{above}/{root.tag.rpartition('}')[2]}"
    found = {" ".join([here, *sorted(key for key in root.attrib if "}" not in key)])}
    return found.union(*(elements(one, here) for one in root))


def test_a_quiz_for_canvas_has_the_form_of_text2qti():
    """The file has what text2qti 0.8.0 writes of a number and of a choice, each with replies."""
    expected = (ROOT / "tests" / "text2qti.txt").read_text("utf-8").splitlines()
    items = {goal: item(goal, "a word") for goal in MAKERS}
    packed = EXAM["qti"]("All < & >", items, "practice_quiz")
    assert packed == EXAM["qti"]("All < & >", items, "practice_quiz")
    found = content(BytesIO(packed))
    assert elements(found["questestinterop"]) == set(expected)
    entries = sum(len(one.exercise.right) for one in items.values())
    assert [one.text for one in found["quiz"]] == [
        "All < & >", "false", "practice_quiz", f"{entries}", "-1"
    ]  # fmt: skip
    for one in found["questestinterop"].iter():  # a choice has its replies before the right one
        if one.tag.endswith("}resprocessing"):
            gives = ["SCORE" in str(ElementTree.tostring(part)) for part in one][1:]
            other = ":other" in str(ElementTree.tostring(one))
            assert gives == ([True, False] if other else [False] * (len(gives) - 1) + [True])
    idents = [
        one.get("ident")
        for one in found["questestinterop"].iter()
        if one.tag.endswith(("}item", "}response_label"))
    ]
    assert len(idents) == len(set(idents))
    other = EXAM["qti"]("All", {"5.2": item("5.2", "another")}, "assignment")
    assert not {*idents} & {
        one.get("ident") for one in content(BytesIO(other))["questestinterop"].iter()
    }


def test_an_exam_covers_its_goals_and_gives_nothing_away(tmp_path):
    EXAM["write_exam"](tmp_path / "exam", "Open Sesame", "1, 3")
    items = {goal: unseen(goal, "Open Sesame") for one in (1, 3) for goal in goals(one)}
    assert list(items) == ["1.1", "1.2", "1.3", "3.1", "3.2", "3.3"]
    shown = {one.question for goal in items for one in drawn(goal)[: len(READY)]}
    assert not shown & {one.question for one in items.values()}
    files = {
        p.name: p.read_bytes().decode("utf-8", "replace") for p in (tmp_path / "exam").iterdir()
    }
    assert set(files) == {"paper.html", "key.html", "marking.html", "exam.gift", "exam.zip"}
    assert not any("sesame" in text.casefold() for text in files.values())
    points = sum(len(one.exercise.right) for one in items.values())
    assert f"30 minutes, {points} points" in files["paper.html"]
    assert files["paper.html"].count("<section>") == files["key.html"].count("<section>") == 6
    assert files["marking.html"].count("<td>1</td>\n</tr>") == points
    for one in items.values():
        assert one.solution.split("{")[0][:30] not in files["paper.html"]


@pytest.mark.parametrize("seed", ["", "  ", READY[3], " PAGE 3 "])
def test_a_seed_of_the_pages_is_refused(seed, tmp_path):
    with pytest.raises(InputError, match="none for homework or an exam"):
        EXAM["write_exam"](tmp_path / "exam", seed, "1")
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("sessions", ["", "6", "one"])
def test_other_sessions_are_refused(sessions, tmp_path):
    with pytest.raises(InputError, match="SESSIONS must be some of 1, 2, 3, 4, 5"):
        EXAM["write_exam"](tmp_path / "exam", "a word", sessions)
