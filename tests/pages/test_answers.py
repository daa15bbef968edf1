"""The fields of exercises on a page: their replies are those of Python, and what a page keeps."""

import re
import sys
from itertools import zip_longest

import pytest
from built import CHAPTERS, HTML, needs_book
from chromium import PHONE, opened, watched
from playwright.sync_api import expect

from chapters.exercises.answers import SIGNS, is_list, reply
from chapters.exercises.checks import exercises, lesson
from chapters.exercises.drawn_items import READY, item, practised
from chapters.exercises.drawn_numbers import MAKERS
from lib.paths import ROOT

sys.path.append(str(ROOT / "book" / "extensions"))
from local_answers import by_values, field, note, practice  # noqa: E402

ASKED = {label: one for label, one in exercises().items() if by_values(one)}
ITEMS = {goal: item(goal, READY[0]) for goal in MAKERS}
EVERY = {**ASKED, **{goal: one.exercise for goal, one in ITEMS.items()}}
LIST, TAU = "foundations-exercise-list", "foundations-exercise-tau"


def page_of(folder, fields):
    """Write a page of nothing but fields; return its address."""
    static = ROOT / "book" / "static"
    # What all scripts share comes first.
    texts = [(static / name).read_text(encoding="utf-8") for name in ("page.js", "answers.js")]
    scripts = "".join(f"<script>{text}</script>" for text in texts)
    page = folder / "page.html"
    page.write_text(f'<!doctype html><meta charset="utf-8">{note()}{fields}{scripts}', "utf-8")
    return page.as_uri()


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A page of all fields of the book."""
    fields = "".join(field(label, one) for label, one in ASKED.items())
    fields += "".join(field(goal, one.exercise, one.choices) for goal, one in ITEMS.items())
    return page_of(tmp_path_factory.mktemp("fields"), fields)


def entries(answer):
    return answer if isinstance(answer, dict) else {"": answer}


def written(value):
    """Return a value as somebody types it."""
    if is_list(value):
        return "; ".join(map(written, value))
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def each(change, value):
    if isinstance(value, list):
        return "; ".join(each(change, one) for one in value)
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return change(value) if number else written(value)


FORMS = [
    lambda x: f"{x:.3f}".replace("0.", ".", 1),
    lambda x: f" {x:.4f} ".replace(".", ","),
    lambda x: f"{x:+.6f}".replace("-", "−"),
    lambda x: f"{round(x * 1000)} / 1000",
    lambda x: f"{100 * x:.2f} %",
    lambda x: f"{x:,.4f}",
    lambda x: f"{x:e}",
]
SLIPS = [
    lambda x: f"{100 * x:.4g}",
    lambda x: f"{-x}",
    lambda x: f"{1 - x}",
    lambda x: f"{x:.1f}",
    lambda x: f"{x:.2f}",
    lambda x: f"{int(100 * x) / 100}",
    lambda x: f"{x + 0.0006}",
    lambda x: f"1/{x}",
]
ODD = ["", " ", *"abc 1/0 <b>.5</b> ½ ٣ nan 1e999 1e999/1e999 --1 1.2.3 …".split()]
ODD += [
    "P@5 = 2÷5",
    "√.25 (so)",
    "10⁻¹·4",
    "4·10^-1",
    "3 of 5",
    "(7–3)/10.",
    "1.812,5 topics.",
    "40 %.",
    "two",
    "P@5: 40pct!",
    "it is $2$ out of 5",
    "10**-1·4",
    ".6666…",
    "from .2 to .25",
    "1 & 2",
    "1 – 2",
    "2^",
    "(1",
]


def tried(exercise):
    """Yield answers, a text an entry: right in many forms, wrong by name, by slip and oddly."""
    right = entries(exercise.right)
    texts = [written(value) for value in right.values()]
    yield texts
    yield [text.swapcase() for text in texts]
    yield [f"[{text}]" for text in texts]
    known = [{**right, **entries(one["answer"])} for one in exercise.wrong]
    yield from ([written(value) for value in answer.values()] for answer in known)
    for one, other in zip(known, known[1:]):  # two mistakes at once, as far as they go together
        both = {name: one[name] if one[name] != right[name] else other[name] for name in right}
        yield [written(value) for value in both.values()]
    for answer in known[:1]:
        yield ["" if answer[name] == right[name] else written(answer[name]) for name in right]
    for change in FORMS + SLIPS:
        changed = [each(change, value) for value in right.values()]
        yield changed
        yield [*changed[:1], *texts[1:]]
    yield texts[1:] + texts[:1]
    yield [*texts[1::-1], *texts[2:]]
    yield ["", *texts[1:]]
    for odd in ODD:
        yield [odd, *texts[1:]]
        yield [odd] * len(texts)


# What the page says when each field has been given one answer: what is in them, and the replies.
ANSWER = """async answers => {
  const forms = [...document.querySelectorAll("form")];
  const own = form => [...form.querySelectorAll("input, select")];
  answers.forEach((texts, i) => texts && own(forms[i]).forEach((one, j) => one.value = texts[j]));
  forms.forEach(form => form.requestSubmit());
  await new Promise(done => setTimeout(done, 20));
  const said = form => form.querySelector("[role=status]").textContent;
  return forms.map(form => [own(form).map(one => one.value), said(form)]);
}"""


# Long: every form and slip in every field; the quick ones notice most of what goes wrong.
@pytest.mark.parametrize("step", [9, pytest.param(1, marks=pytest.mark.long)])
def test_the_page_replies_as_python_does(browser, address, step):
    rounds = list(zip_longest(*map(tried, EVERY.values())))
    rounds = rounds[:8] + rounds[8::step]
    said = set()
    with opened(browser, address) as page:
        for answers in rounds:
            shown = page.evaluate(ANSWER, answers)
            for (label, exercise), (texts, status) in zip(EVERY.items(), shown, strict=True):
                right = entries(exercise.right)
                given = dict(zip(right, texts)) if "" not in right else texts[0]
                found = reply(given, exercise.right, exercise.within, exercise.wrong)
                assert status == f"{SIGNS[found.right]} {found.message}", (label, texts)
                said.add((label, status))
    for label, exercise in EVERY.items():
        of_it = " ".join(status for each, status in said if each == label)
        assert "✓ Right." in of_it and all(wrong["say"] in of_it for wrong in exercise.wrong)


def test_an_answer_is_given_by_keyboard_kept_and_cleared(browser, address):
    with opened(browser, address, viewport=PHONE) as page:
        form = page.locator(f'[data-label="{LIST}"] form')
        status, progress = form.get_by_role("status"), page.locator(".answers-note [role=status]")
        form.get_by_label("P@5").focus()
        for text in ("2/5", ".667", ",5"):
            page.keyboard.type(text)
            page.keyboard.press("Tab")
        page.keyboard.type("30%")
        page.keyboard.press("Enter")
        expect(status).to_have_text("✓ Right.")
        expect(progress).to_have_text(f"1 of {len(EVERY)} on this page are right.")
        for _ in range(5):  # what was kept a moment ago Chromium may not know yet
            page.reload()
            if status.inner_text():
                break
        expect(status).to_have_text("✓ Right.")
        expect(form.get_by_label("AP")).to_have_value("30%")
        page.get_by_role("button", name="Clear all answers").click()
        expect(status).to_have_text("")
        expect(form.get_by_label("AP")).to_have_value("")
        page.reload()
        expect(status).to_have_text("")


def test_a_window_that_keeps_nothing_says_so(browser, address):
    with browser.new_context() as context:
        context.add_init_script("delete Storage.prototype.setItem")
        page = context.new_page()
        page.goto(address)
        expect(page.locator(".answers-note")).to_contain_text("This browser keeps nothing")
        form = page.locator(f'[data-label="{TAU}"] form')
        form.get_by_label("Answer").fill("2/5")
        form.get_by_role("button", name="Check").click()
        expect(form.get_by_role("status")).to_have_text("✓ Right.")


def test_practice_counts_all_items_numbers_them_and_comes_back(browser, tmp_path):
    asked = practised("1.3")
    with opened(browser, page_of(tmp_path, practice("1.3"))) as page:
        box, seen = page.locator("#goal-1-3"), set()
        progress = page.locator(".answers-note [role=status]")

        def answer(one):
            for entry, value in one.exercise.right.items():
                field = box.get_by_label(entry)
                act = field.select_option if entry == "choice" else field.fill
                act(str(value))
            box.get_by_role("button", name="Check").click()
            expect(box.get_by_role("status")).to_have_text("✓ Right.")

        for at, one in enumerate(asked, 1):
            expect(box).to_contain_text(f"{at} of {len(asked)}")
            seen.add(box.locator(".question").inner_text())
            if at in (1, 2, len(asked)):
                answer(one)
            if at < len(asked):
                box.get_by_role("button", name="Another one").press("Enter")
                assert page.evaluate("document.activeElement.className") == "question"
        assert len(seen) == len(asked)
        expect(progress).to_have_text(f"3 of {len(asked)} on this page are right.")
        assert page.url.endswith(f"#goal-1-3:{len(asked)}")
        for _ in range(5):  # what was kept a moment ago Chromium may not know yet
            page.reload()
            if progress.inner_text().startswith("3 "):
                break
        expect(progress).to_have_text(f"3 of {len(asked)} on this page are right.")
        expect(box).to_contain_text(f"{len(asked)} of {len(asked)}")


@needs_book
def test_every_exercise_of_values_has_its_fields_on_its_page():
    box, found = r'id="(\S+-exercise-\S+)">(?:(?!id="\S+-exercise-).)*?<div class="answer" ', []
    for path in CHAPTERS:
        text = path.read_text("utf-8")
        places = re.findall(rf'{box}data-label="(\S+)"', text, flags=re.S)
        assert all(exercise == label for exercise, label in places)
        assert text.count('class="answers-note"') == 1
        assert not any(one["say"] in text for _, label in places for one in ASKED[label].wrong)
        found += [label for _, label in places]
    assert sorted(found) == sorted(ASKED)


@needs_book
def test_session_1_is_done_on_a_phone_without_a_network(browser):
    """What a student does at home, from the kit's page on: links, fields, practice, a control."""
    faults, start = [], HTML.as_uri()
    kit = "book/sessions.html"
    with watched(browser, start, kit, faults, viewport=PHONE, has_touch=True) as page:

        def follow(name):
            page.goto(f"{start}/{kit}")
            link = page.get_by_role("link", name=name).first
            target = link.evaluate("link => link.href")
            link.click()
            page.wait_for_url(target, wait_until="networkidle")

        def answer(place, values):
            for entry, value in values.items():
                place.get_by_label(entry, exact=False).first.fill(str(value))
            place.get_by_role("button", name="Check").tap()
            expect(place.get_by_role("status")).to_have_text("✓ Right.")
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

        follow("the exercises on one list")
        box = page.locator(f'[data-label="{LIST}"]')
        answer(box, {"P@5": "2/5", "R@10": "2/3", "RR": "1/2", "AP": ".3"})
        follow("practice")
        box = page.locator("#goal-1-1")
        expect(box.locator(".question")).to_be_visible()
        answer(box, ITEMS["1.1"].exercise.right)
        box.locator(".worked > summary").tap()
        expect(box.locator(".worked > div")).to_be_visible()
        follow("with the control")
        page.get_by_role("slider").first.press("ArrowRight")
        questions = page.locator(".self-check li")
        assert questions.count() == len(lesson("foundations")["questions"])
        for question in questions.all():
            question.locator("summary").first.tap()
            expect(question.locator("details > p").first).to_be_visible()
    assert not faults
