"""A class competition: played by eight teams, sheet by sheet, and the page that leads through it.

``MEASURES_ORIGINALS=... python tests/book/test_competition.py`` writes the outputs into the page.
"""

import io
import json
import os
import re
import sys
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import pandas as pd  # noqa: E402
import pytest  # noqa: E402
from cells import code_cells  # noqa: E402
from strange import write_files  # noqa: E402
from test_your_own_runs import CONSOLE  # noqa: E402
from test_your_own_runs import printed as shown_of  # noqa: E402

from lib.collection import derive, read_qrels, read_run  # noqa: E402
from lib.measures import means  # noqa: E402
from lib.retrieval import Index, run  # noqa: E402
from lib.retrieval.corpus import read_texts  # noqa: E402

PAGE = ROOT / "book" / "competition.md"
TEAMS = {
    "ants": "--system city",
    "bees": "--system city --no-feedback",
    "cats": "--system city --terms 2 --weight 0.3",
    "dogs": "--system umass",
    "eels": "--system cmu --documents 3",
    "foxes": "--system albany",
    "gnus": "--system clarit",
    "hens": "--system waterloo --no-feedback",
}
TOPICS = [str(t) for t in range(1, 21)]


def fill(folder, label, delimiter=","):
    """Write a label into each row of each sheet."""
    for path in Path(folder).glob("*.csv"):
        sheet = pd.read_csv(path, dtype=str, encoding="utf-8-sig", keep_default_na=False)
        sheet["relevant"] = [label(*row) for row in zip(sheet["topic"], sheet["document"])]
        how = {"sep": delimiter, "lineterminator": "\r\n", "encoding": "utf-8-sig"}
        sheet.to_csv(path, index=False, **how)


def relevant(topic, document):
    return int((int(topic) * 7 + int(document[1:])) % 3 == 0)


@pytest.fixture
def played(tmp_path, printed):
    """A folder in which eight teams made runs of made-up texts, and a pool with its sheets."""
    words = "red blue green fish bird tree stone river cloud light".split()
    texts = {
        f"d{i}": " ".join(words[(i * j + i // 7) % 10] for j in range(1, 9 + i)) for i in range(104)
    }
    docs = "".join(f'{{"id": "{name}", "text": "{text}"}}\n' for name, text in texts.items())
    queries = "".join(f"{t}\t{words[int(t) % 10]} {words[int(t) // 2 % 10]}\n" for t in TOPICS)
    write_files(tmp_path / "texts", {"docs.jsonl": docs, "queries.tsv": queries})
    (tmp_path / "runs").mkdir()
    with chdir(tmp_path):
        for team, chosen in TEAMS.items():
            printed(f"search texts {chosen} --out runs/{team}")
        printed("sheets runs texts --depth 5 --judges 8 --out sheets")
        yield tmp_path


def test_a_team_has_the_first_hundred_of_the_system_that_it_chose(played, printed):
    documents, queries = read_texts("texts")
    index = Index.build(documents)
    chosen = {
        "bees": {"system": "city", "feedback": False},
        "cats": {"system": "city", "terms": 2, "weight": 0.3},
        "eels": {"system": "cmu", "documents": 3},
    }
    for team, how in chosen.items():
        ranked = run(index, queries, how.pop("system"), **{"feedback": True, "depth": 100} | how)
        lines = [
            f"{topic} Q0 {document} {rank} {100 - rank} {team}"
            for topic, of in ranked.items()
            for rank, document in enumerate(of, 1)
        ]
        assert Path(f"runs/{team}").read_text(encoding="utf-8").splitlines() == lines
    out = printed("search texts --out ants").out
    assert out == f"ants: {len(Path('ants').read_text('utf-8').splitlines()):,} lines\n"
    assert Path("ants").read_bytes() == Path("runs/ants").read_bytes()  # by default city's
    said = printed("sheets runs texts --depth 5 --judges 8 --out again").out.splitlines()
    rows = {path: len(pd.read_csv(path)) for path in sorted(Path("again").glob("*.csv"))}
    assert said == [f"{path}: {number} documents to judge" for path, number in rows.items()]


def test_eight_teams_play(played, printed):
    # The sheets have the union of the first five, each once, and a topic on one sheet.
    brought = {
        team: {(t, d.decode()) for t, of in read_run(f"runs/{team}").items() for d in of[:5]}
        for team in TEAMS
    }
    pool = set().union(*brought.values())
    sheets = [pd.read_csv(path, dtype=str) for path in sorted(Path("sheets").glob("*.csv"))]
    documents, queries = read_texts("texts")
    assert max(len(text.split()) for text in documents.values()) > 100  # 80 words are shown
    rows = [(t, queries[t], d, " ".join(documents[d].split()[:80]), "") for t, d in sorted(pool)]
    found = pd.concat(sheets).fillna("").itertuples(index=False, name=None)
    assert sorted(found) == rows
    assert sum(sheet["topic"].nunique() for sheet in sheets) == len(TOPICS) and len(sheets) == 8
    # Judged, with the semicolons of some spreadsheets.
    fill("sheets", relevant, delimiter=";")
    printed("qrels sheets --out qrels.txt")
    judged = {
        (t, d.decode()): g for t, of in read_qrels("qrels.txt").items() for d, g in of.items()
    }
    assert judged == {key: relevant(*key) for key in pool}
    # The leaderboard has every team, with an interval.
    rows = printed("compare runs qrels.txt --measure P@5 --format csv").out.splitlines()[1:]
    assert sorted({row.split(",")[1] for row in rows}) == [*TEAMS]
    # Left out, a team loses what it alone had, and never gains by P@5.
    left_out = printed("left-out runs qrels.txt --measure P@5 --format csv").out
    found = pd.read_csv(io.StringIO(left_out), index_col="run")
    for team in TEAMS:
        others = set().union(*(brought[other] for other in TEAMS if other != team))
        lost = sum(relevant(*key) for key in brought[team] - others) / 5 / len(TOPICS)
        assert found.loc[team, "difference"] == pytest.approx(-lost, abs=1e-6)
    assert found["difference"].min() < 0
    whole = means(derive("runs", "qrels.txt"), ["P@5"])["P@5"]
    assert found["mean"].to_dict() == pytest.approx(whole.to_dict(), abs=1e-6)


def test_functions_of_the_exercises_score_a_run_as_the_leaderboard_does(played, printed, capsys):
    (chapter,) = ROOT.glob("chapters/00-*.ipynb")
    names = ("average_precision", "ndcg", "interval")
    own = [c.source for c in code_cells(chapter) if any(f"def {n}(" in c.source for n in names)]
    fill("sheets", relevant)
    printed("qrels sheets --out qrels.txt")
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), flags=re.S)
    exec("\n\n".join([*own, code]), {})
    own_lines = capsys.readouterr().out.splitlines()
    leaders = printed("compare runs qrels.txt --measure AP --measures nDCG").out.splitlines()
    row = next(line for line in leaders if line.startswith("ants "))
    shown = re.findall(r"\d\.\d{4} \(-?\d\.\d{4} to \d\.\d{4}\)", row)
    assert own_lines == [f"{n} {one}" for n, one in zip(("AP", "nDCG"), shown, strict=True)]


def test_no_cell_of_a_sheet_is_a_formula_and_every_name_comes_back(tmp_path, printed):
    names = ["=d", "@d", "-d", "+d", "'=d", "''=d", "'d", "d"]
    texts = "".join(json.dumps({"id": name, "text": "=cat"}) + "\n" for name in names)
    queries = "".join(f"{name}\t=cat\n" for name in names)
    write_files(tmp_path / "texts", {"docs.jsonl": texts, "queries.tsv": queries})
    lists = "".join(f"{t} Q0 {d} {i} {-i} x\n" for t in names for i, d in enumerate(names))
    write_files(tmp_path / "runs", {"ants": lists})
    with chdir(tmp_path):
        printed("sheets runs texts --depth 8 --judges 1 --out sheets")
        for path in Path("sheets").iterdir():
            cells = re.split(r"[\t\n,]", path.read_text(encoding="utf-8"))
            assert not any(cell.startswith(("=", "@", "-", "+")) for cell in cells)
        fill("sheets", lambda topic, document: 1)
        printed("qrels sheets --out qrels.txt")
        lines = Path("qrels.txt").read_text(encoding="utf-8").splitlines()
    judged = {(line.split()[0], line.split()[2]) for line in lines}
    assert judged == {(topic, document) for topic in names for document in names}


def test_a_sheet_with_a_short_line_is_refused(tmp_path, printed):
    (tmp_path / "judge-01.csv").write_text("topic,document,relevant\n1,what\n", encoding="utf-8")
    error = printed(f"qrels {tmp_path} --out {tmp_path}/qrels.txt", 2).err
    assert "cells are missing" in error and error.count("\n") == 1


def test_every_bad_entry_has_a_line(played, printed):
    fill("sheets", relevant, delimiter="\t")
    printed("qrels sheets --out tabs.txt")
    sheets = {"judge-01.csv": "1;d1;\n1;d2;yes\n1;d3;12\n", "judge-02.csv": "1;d3;0\n2;d1;100\n"}
    head = "topic;document;relevant\n"
    write_files(Path("two"), {name: head + rows for name, rows in sheets.items()})
    error = printed("qrels two --out qrels.txt", 2).err
    places = [line.split(": ")[1] for line in error.splitlines()]
    first, second = Path("two/judge-01.csv"), Path("two/judge-02.csv")
    lines = [(first, 2), (first, 3), (second, 2), (second, 3)]
    assert places == [f"{path}, line {number}" for path, number in lines]
    grade = "write 0, or the grade: 1, 2, ..."
    assert f"relevant is empty; {grade}" in error and f"relevant is 'yes'; {grade}" in error
    assert f"topic '1', document 'd3' has 0, but 12 in {first}, line 4; agree on one" in error
    assert not Path("qrels.txt").exists()


def test_lost_rows_and_an_empty_sheet_have_a_line_each(played, printed):
    fill("sheets", relevant)
    lines = Path("sheets/judge-01.csv").read_text(encoding="utf-8").splitlines()
    Path("sheets/judge-01.csv").write_text("\n".join(lines[:-10]), encoding="utf-8")
    head, *filled = Path("sheets/judge-02.csv").read_text(encoding="utf-8").splitlines()
    empty = "\n".join([head, *(line[:-1] for line in filled)])
    Path("sheets/judge-02.csv").write_text(empty, encoding="utf-8")
    first, second = printed("qrels sheets --out qrels.txt", 2).err.splitlines()
    assert f"relevant is empty in every row of {len(filled)}" in first
    topic, document = sorted(tuple(line.split(",")[::2][:2]) for line in lines[-10:])[0]
    lost = f"stand on no sheet: topic {topic!r}, document {document!r}"
    assert second == f"error: sheets: 10 rows of pool.tsv {lost}, ..."


def test_every_faulty_run_has_a_line(played, printed):
    whole = Path("runs/ants").read_text(encoding="utf-8").splitlines()
    broken = {
        "columns": [*whole[:7], "1 Q0 d1"],
        "topics": [line.replace("1 Q0", "77 Q0", 1) for line in whole[:3]],
        "documents": [line.replace(" d", " x") for line in whole[:3]],
        "scores": [*whole[:4], "1 Q0 d1 5 high ants"],
    }
    write_files(Path("runs"), {name: "\n".join(lines) for name, lines in broken.items()})
    error = printed("sheets runs texts --out more", 2).err.splitlines()
    assert all(sum(f"runs/{name}" in line for line in error) == 1 for name in broken)
    assert len(error) == 4 and not Path("more").exists()


def replayed(text, originals):
    """Return the page with the output of each command below it; CISI's judges fill the sheets."""
    with TemporaryDirectory() as folder, chdir(folder):
        cisi = originals / "collections" / "cisi"
        judged = read_qrels(cisi / "qrels.txt")
        for name in ("texts", "runs"):
            Path(name).mkdir()
        Path("texts/docs.jsonl").symlink_to(cisi / "docs.jsonl")
        lines = (cisi / "queries.tsv").read_text(encoding="utf-8").splitlines(keepends=True)
        Path("texts/queries.tsv").write_text("".join(lines[:20]), encoding="utf-8")

        def answer(match):
            if match[1].startswith("qrels"):
                fill("sheets", lambda t, d: min(1, judged[t].get(d.encode(), 0)))
            return f"```console\n$ python -m lib {match[1]}\n{shown_of(match[1])}```"

        return CONSOLE.sub(answer, text)


@pytest.mark.frozen("python tests/book/test_competition.py")
@pytest.mark.long  # nine searches of CISI; the teams above notice most of it
@pytest.mark.posix
def test_the_page_shows_what_the_commands_print(originals):
    text = PAGE.read_text(encoding="utf-8")
    assert len(CONSOLE.findall(text)) == 12
    assert replayed(text, originals) == text


if __name__ == "__main__":
    originals = Path(os.environ["MEASURES_ORIGINALS"])
    PAGE.write_text(replayed(PAGE.read_text(encoding="utf-8"), originals), encoding="utf-8")
