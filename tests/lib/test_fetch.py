"""Fetching: from a server on this machine that is right, wrong, slow, broken or dead."""

import gzip
import hashlib
import json
import re
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import servers
from servers import content_of
from strange import files_below as tree

from lib import load, means
from lib.cli import main
from lib.errors import InputError
from lib.originals import REGISTRY, SOURCES
from lib.originals import fetch as module
from lib.originals.fetch import CONVERTED, EXCERPTS, HOME, _registry, fetch, made_of, origins
from lib.paths import DATA, ROOT
from lib.retrieval import experiment, read_corpus

COMMIT = "0" * 40
FILES = {
    "inputs/input.a": b"1 Q0 d1 1 1 a\n" * 3,
    "inputs/input.b": b"1 Q0 d2 1 1 b\n" * 20_000,
    "qrels": b"1 0 d1 1\n",
}
# What comes to stand in the folder t, with what the book knows of TREC-8's runs.
WHOLE = {f"t/{file}": content for file, content in FILES.items()}
WHOLE["t/systems.tsv"] = (DATA / "trec8" / "systems.tsv").read_bytes()


# In place of the module that pooch waits with between tries; the servers wait with the real one.
NO_TIME = SimpleNamespace(sleep=lambda seconds: None)


def sha(content):
    return hashlib.sha256(content).hexdigest()


def said(originals, made=None):
    """Return a registry: of originals that are known, or of what is made of others."""
    known = {file: sha(content) if made is None else "-" for file, content in originals.items()}
    lines = [f"{file} {known[file]} {address(file)}" for file in originals]
    lines += [f"{file} {sha(content)}" for file, content in (made or {}).items()]
    return "# comment\n" + "\n".join(lines)


@pytest.fixture
def registry(tmp_path, monkeypatch):
    """Three small files in place of those of TREC-8; no waiting between tries."""
    folder = tmp_path / "registry"
    folder.mkdir()
    (folder / "trec8.txt").write_text(said(FILES), encoding="utf-8")
    monkeypatch.setattr(module, "REGISTRY", folder)
    monkeypatch.setattr("pooch.core.time", NO_TIME)
    return folder


@contextmanager
def serving(files):
    """Serve files at their addresses, in place of GitHub."""
    with servers.serving(files) as server, pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SERVER", server.url)
        yield server


def offered(files):
    return serving({address(file): content for file, content in files.items()})


@pytest.fixture
def server(registry):
    with offered(FILES) as server:
        yield server


@pytest.fixture
def home(tmp_path):
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def address(file):
    return f"some/where/{COMMIT}/{file}"


def test_what_the_command_fetches_is_whole_and_alone(server, home, capsys):
    words = ["fetch", "trec8", "--to", str(home / "t")]
    assert (main(words), main(words)) == (0, 2)
    out, err = capsys.readouterr()
    assert "3 files" in out and f"\nNext: python -m lib derive {home}/t/inputs" in out
    assert "exists already" in err
    assert tree(home) == WHOLE and len(server.asked) == 3


GONE = "cannot be reached, is silent, or breaks off"
FAULTS = {"wrong": "SHA-256 differs", "short": GONE, "stall": GONE, 404: "answers 404 Not Found"}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_server_that_misbehaves_leaves_nothing_to_trust(fault, server, home, monkeypatch):
    if fault == "stall":
        monkeypatch.setattr(module, "PATIENCE", 1)
    monkeypatch.setattr(module, "_TRIES", 2)
    server.faults[address("inputs/input.b")] = [fault] * 9
    with pytest.raises(InputError, match=FAULTS[fault]) as error:
        fetch("trec8", home / "t")
    assert "\n" not in str(error.value) and "input.b" in str(error.value)
    assert server.asked == [address("inputs/input.a")] + [address("inputs/input.b")] * 2
    assert not (home / "t").exists()
    # What is kept is hidden, whole and right; the next call asks for the rest only.
    assert tree(home) == {".fetching-t/inputs/input.a": FILES["inputs/input.a"]}
    monkeypatch.setattr(module, "PATIENCE", 60)
    server.faults.clear()
    server.asked.clear()
    fetch("trec8", home / "t")
    assert server.asked == [address("inputs/input.b"), address("qrels")]
    assert tree(home) == WHOLE


def test_a_fault_that_passes_is_tried_again(server, home):
    server.faults[address("qrels")] = ["wrong", "short"]
    fetch("trec8", home / "t")
    assert tree(home) == WHOLE
    assert server.asked.count(address("qrels")) == 3


def test_what_was_kept_is_checked_again(server, home):
    server.faults[address("qrels")] = [404] * 9
    with pytest.raises(InputError):
        fetch("trec8", home / "t")
    (home / ".fetching-t" / "inputs" / "input.a").write_bytes(b"1 Q0 d9 1 1 a\n")
    server.faults.clear()
    fetch("trec8", home / "t")
    assert tree(home)["t/inputs/input.a"] == FILES["inputs/input.a"]


# The sources and their registries.


def test_every_source_has_its_registry_and_a_command_that_reads_what_was_fetched():
    assert {path.stem for path in REGISTRY.glob("*.txt")} == set(SOURCES)
    assert sorted(name for name in SOURCES if _registry(name)[1]) == sorted(CONVERTED)
    for name, entry in SOURCES.items():
        assert entry["title"]
        places = {place.rsplit("/", 1)[0] for _, place in _registry(name)[0].values()}
        known = {f"{one['path']}/{one['commit']}".removeprefix(f"{HOME}/") for one in origins(name)}
        assert known == {"/".join(place.split("/")[:3]) for place in places}
        assert all(one["terms"].endswith(".") for one in origins(name))
        files = {f"somewhere/{file}" for files in _registry(name) for file in files}
        files |= {f"somewhere/{entry.get('beside', '').rpartition('/')[2]}"}
        known = files | {file.rpartition("/")[0] for file in files}
        for word in entry["next"].format(folder="somewhere").split():
            word = word.rpartition("=")[2]
            assert not word.startswith("somewhere") or word in known, word


@pytest.mark.parametrize("name", SOURCES)
def test_a_registry_pins_and_checks_everything(name):
    originals, made = _registry(name)
    for file, (known, place) in originals.items():
        assert re.fullmatch(r"[\w-]+/[\w.-]+/[0-9a-f]{40}/[\w./-]+", place), place
        # Nothing can be written outside of the folder.
        assert not file.startswith("/") and ".." not in Path(file).parts
        assert name in EXCERPTS if known is None else re.fullmatch("sha256:[0-9a-f]{64}", known)
    assert all(re.fullmatch("[0-9a-f]{64}", known) for known in made.values())


LARGE = {
    name: f"{name}{more}" for name, more in (("trec8", ""), ("trec-covid", "-r5"), ("trec5", ""))
}
SMALL = {"cacm": "originals", "npl": "originals"} | dict.fromkeys(
    ["robust04", "trec6", "trec7", *(f"web{year}" for year in range(2010, 2015))], "matrices"
)


def checksums(folder):
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {f"sha256:{sha(content_of(path))}": path for path in files}


# Long: hundreds of megabytes; what is fetched of the small ones notices most of it.
@pytest.mark.long
@pytest.mark.parametrize("name, folder", LARGE.items())
def test_a_registry_knows_the_originals(name, folder, originals):
    known = {checksum for checksum, _ in _registry(name)[0].values()}
    assert known <= checksums(originals / folder).keys()


@pytest.mark.parametrize("name, folder", SMALL.items())
def test_originals_at_their_addresses_are_fetched_whole(name, folder, originals, home):
    expected, made = _registry(name)
    by_checksum = checksums(originals / folder)
    at_hand = {place: by_checksum[known] for known, place in expected.values()}
    with serving(at_hand) as server:
        text = fetch(name, home / "there")
    assert sorted(server.asked) == sorted(at_hand)
    beside = [Path(SOURCES[name]["beside"]).name] if "beside" in SOURCES[name] else []
    assert sorted(tree(home)) == sorted(f"there/{file}" for file in [*(made or expected), *beside])
    assert f"{len(made or expected)} files, all as expected" in text
    assert all(one["terms"] in text for one in origins(name))


# Excerpts: the lines of judged topics, and means.


def test_runs_are_cut_to_judged_topics_and_checked(registry, home):
    originals = {
        "qrels.x.txt": b"7 0 d1 3\n7\t0  d2 0\n9 0 d1 1\n",
        "input.a.gz": gzip.compress(b"7\tQ0\td1 1 .5 a\n8 Q0 d1 1 .4 a\n"),
        "input.b.2.txt": b"9 Q0 d3 1 1e-5 b\n77 Q0 d1 1 1 b\n",
    }
    made = {
        "qrels.txt": b"7 0 d1 3\n7 0 d2 0\n9 0 d1 1\n",
        "runs/a": b"7 Q0 d1 1 .5 a\n",
        "runs/b.2": b"9 Q0 d3 1 1e-5 b\n",
    }
    (registry / "dl21.txt").write_text(said(originals, made), encoding="utf-8")
    with offered(originals):
        text = fetch("dl21", home / "d")
    found = tree(home)
    assert found.pop("d/systems.tsv") == (DATA / "dl21" / "systems.tsv").read_bytes()
    assert found == {f"d/{file}": content for file, content in made.items()}
    assert "3 files, all as expected" in text


EVAL = """recip_rank\t701\t1.0000
recip_rank\t702\t0.5000
recip_rank\t703\t1.0000
num_q          \tall\t3
map\tall\t0.1000
R-prec\tall\t0.2000
recip_rank\tall\t0.8333
P10\tall\t0.3000


"""


def test_means_of_outputs_by_topic(tmp_path):
    (tmp_path / "b.eval").write_text(EVAL, encoding="utf-8")
    (tmp_path / "A.eval").write_text(EVAL.replace("701\t1.0000", "701\t0.3333"), encoding="utf-8")
    assert made_of("terabyte06", tmp_path)["automatic_runs.csv"].decode().splitlines() == [
        "run,topics,P_1,Rprec,map,recip_rank,P_10",
        "A,3,0.3333,0.2000,0.1000,0.8333,0.3000",
        "b,3,0.6667,0.2000,0.1000,0.8333,0.3000",
    ]
    (tmp_path / "b.eval").write_text(EVAL.replace("all\t3", "all\t4"), encoding="utf-8")
    with pytest.raises(ValueError, match="terabyte06: .*b.eval does not have every topic"):
        made_of("terabyte06", tmp_path)


def test_the_means_of_the_automatic_runs_are_those_of_the_book():
    data = DATA / "terabyte06" / "automatic_runs.csv"
    assert _registry("terabyte06")[1] == {data.name: sha(data.read_bytes())}
    runs = [line.partition(",")[0] for line in data.read_text(encoding="utf-8").splitlines()[1:]]
    assert [file.removesuffix(".eval") for file in _registry("terabyte06")[0]] == runs


# Conversion: small samples, made up, in each original format, quirks included.

SAMPLES = {
    "cacm": (
        {
            "cacm.all": ".I 1\n.T\nA title\n.B\nCACM May, 1960\n.A\nAuthor, A.\n.X\n1\t5\t1\n"
            ".I 2\n.T\n   Two\nlines\n.W\n  The  text \nof it.\n.K\nkeys\n.C\n3.1\n",
            "query.text": ".I 1\n.W\n What about\nit?\n\n.N\n 1. Somebody\n.I 2\n.W\nNot judged\n"
            ".I 0\n",
            "qrels.text": "01 0002  0 0\n01 0001  0 0\n",
        },
        [("1", "A title", ""), ("2", "Two lines", "The text of it.")],
        [("1", "What about it?")],
        ["1 0 1 1", "1 0 2 1"],
    ),
    "cisi": (
        {
            "CISI.ALL": ".I 1\n.T \nTitle\n.A \nA.\n.A\nB.\n.W\n   Text.\nMore.\n.X\n1\t5\t1\n",
            "CISI.QRY": ".I 9\n.W\nPlain one\n"
            ".I 10\n.T\nWith title\n.A\nX\n.W\nand text\n.B\n(J)\n\n",
            "CISI.REL": "    10      1\t0\t0.000000\n     9     1\t0\t0.000000\n",
        },
        [("1", "Title", "Text. More.")],
        [("9", "Plain one"), ("10", "With title and text")],
        ["9 0 1 1", "10 0 1 1"],
    ),
    "cran": (
        {
            "cran.all.1400": ".I 1\n.T\na wing .\n.A\n.B\n.W\na wing .\nit was seen .\n"
            ".I 2\n.T\nno text\n.A\n.B\n.W\n.I 3\n.T\na\n.W\na a b\n",
            "cran.qry": ".I 001\n.W\nfirst\nquery .\n.I 004\n.W\nsecond\n",
            "cranqrel": "1 2 1 \n1 1 4\n2 3 5\n2 1 -1\n2 2  3\n",
        },
        [("1", "a wing .", "it was seen ."), ("2", "no text", ""), ("3", "a", "a b")],
        [("1", "first query ."), ("2", "second")],
        ["1 0 1 1", "1 0 2 4", "2 0 1 0", "2 0 2 2", "2 0 3 0"],
    ),
    "cf": (
        {
            **{f"cf{year}": "" for year in range(75, 80)},
            "cf74": "PN 74001\nRN 00001 \nAU A-B.\nTI A title of\n   lungs limited limited.\n"
            "MJ CF: co.\nAB The first\n   abstract.\nRF 001   X\n   002   TI Y\nCT   1   Z\n\n"
            "PN 74002\nRN 00002 \nTI Other.\nEX An extract.\n\n",
            "cfquery": "QN 00001\nQU What of\n   it?\nNR 00002\nRD   1 1222    2 0010\n\n"
            "QN 00002\nQU Again?\nNR 00001\nRD   2 0001\n\n",
        },
        [("1", "A title of lungs.", "The first abstract."), ("2", "Other.", "An extract.")],
        [("1", "What of it?"), ("2", "Again?")],
        ["1 0 1 7", "1 0 2 1", "2 0 2 1"],
    ),
    "nfcorpus": (
        {
            "test.docs": "MED-2\tsome words \nMED-10\tother  words\n",
            "dev.docs": "MED-1\tmore\nMED-2\tsome words \n",
            "test.titles.queries": "PLAIN-2\tb\nPLAIN-10\ta query \nPLAIN-3\tnot judged\n",
            "test.2-1-0.qrel": "PLAIN-2\t0\tMED-2\t2\nPLAIN-10\t0\tMED-10\t1\n",
        },
        [("MED-2", "", "some words"), ("MED-10", "", "other words"), ("MED-1", "", "more")],
        [("PLAIN-10", "a query"), ("PLAIN-2", "b")],
        ["PLAIN-10 0 MED-10 1", "PLAIN-2 0 MED-2 2"],
    ),
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("name", SAMPLES)
def test_conversion(name, newline, tmp_path):
    files, documents, queries, judgements = SAMPLES[name]
    for file, text in files.items():
        (tmp_path / file).write_bytes(text.replace("\n", newline).encode())
    found = made_of(name, tmp_path)
    rows = [json.loads(line) for line in found["docs.jsonl"].splitlines()]
    assert rows == [dict(zip(("id", "title", "text"), row)) for row in documents]
    read = {file: text.decode().splitlines() for file, text in found.items()}
    assert read["queries.tsv"] == ["\t".join(query) for query in queries]
    assert read["qrels.txt"] == judgements


@pytest.mark.parametrize("name", CONVERTED)
def test_what_is_not_the_expected_form_is_refused_or_fails_the_check(name, tmp_path):
    for file in SAMPLES[name][0] if name in SAMPLES else _registry(name)[0]:
        (tmp_path / file).write_bytes(b"<html>\x00 404: Not Found \xff</html>\n")
    try:
        found = made_of(name, tmp_path)
    except ValueError as error:
        assert name in str(error)
    else:
        assert {file: sha(text) for file, text in found.items()} != _registry(name)[1]


@pytest.mark.parametrize(
    "file, old, new",
    [("cacm.all", b"Two", b"Tow"), ("query.text", b"about", b"of"), ("qrels.text", b"02 ", b"03 ")],
)
def test_a_text_collection_that_comes_out_differently_is_not_kept(
    file, old, new, registry, home, tmp_path
):
    files = {file: text.encode() for file, text in SAMPLES["cacm"][0].items()}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    (registry / "cacm.txt").write_text(said(files, made_of("cacm", tmp_path)), encoding="utf-8")
    files[file] = files[file].replace(old, new)
    with (
        offered(files),
        pytest.raises(InputError, match="does not come out as expected.*nothing is kept"),
    ):
        fetch("cacm", home / "c")
    assert list(home.iterdir()) == []


# Long: runs all systems; the rebuilding of NPL's runs notices most of it.
@pytest.mark.long
def test_what_the_copy_of_npl_lacks_changes_the_means_by_as_little_as_is_said(originals):
    statement = (ROOT / "DATA.md").read_text(encoding="utf-8")
    said = re.search(r"the means of the 16 systems by (.*) differ by (\S+) at most", statement)
    measures, most = re.split(r", | and ", said[1]), float(said[2])
    assert f"no mean differs by more than {most}." in SOURCES["npl"]["note"]
    whole = read_corpus(originals / "collections" / "npl")
    lacks = {"6984", "8139", "8143"}
    kept = {name: text for name, text in whole.documents.items() if name not in lacks}
    fewer = experiment(replace(whole, documents=kept), "npl")
    change = (means(fewer, measures) - means(load("feedback/npl"), measures)).abs().to_numpy()
    assert change.shape == (16, 8)
    assert most - 0.001 < change.max() <= most
