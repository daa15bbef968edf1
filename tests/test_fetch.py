"""Fetching: from a server on this machine that is right, wrong, slow, broken or dead."""

import contextlib
import gzip
import hashlib
import json
import lzma
import re
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest

from lib import load, means
from lib.cli import main
from lib.errors import InputError
from lib.originals import fetch as module
from lib.originals.fetch import _registry, fetch
from lib.originals.making import EXCERPTS, MAKERS, made_of
from lib.originals.sources import REGISTRY, SOURCES
from lib.originals.texts import CONVERTERS
from lib.retrieval import read_corpus
from lib.retrieval.experiment import experiment

ROOT = Path(__file__).resolve().parent.parent
COMMIT = "0" * 40
FILES = {
    "inputs/input.a": b"1 Q0 d1 1 1 a\n" * 3,
    "inputs/input.b": b"1 Q0 d2 1 1 b\n" * 20_000,
    "qrels": b"1 0 d1 1\n",
}


# In place of the module that pooch waits with between tries; the servers wait with the real one.
NO_TIME = SimpleNamespace(sleep=lambda seconds: None)


def sha(content):
    return hashlib.sha256(content).hexdigest()


class Server(ThreadingHTTPServer):
    """Serves ``files`` (address to bytes or path); ``faults`` (address to list) spoil answers."""

    daemon_threads = True

    def __init__(self, files):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.faults, self.asked = files, {}, []
        self.url = f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, request, client_address):
        pass  # a client that hangs up is part of the tests


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *words):
        pass

    def do_GET(self):
        address = self.path.lstrip("/")
        self.server.asked.append(address)
        faults = self.server.faults.get(address, [])
        fault = faults.pop(0) if faults else None
        content = self.server.files[address]
        content = content_of(content) if isinstance(content, Path) else content
        if fault in (404, 500):
            self.send_error(fault)
            return
        if fault == "drop":
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        if fault == "silence":
            time.sleep(5)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if fault == "wrong":
            content = content[:-2] + b"x\n"
        if fault == "short":
            content = content[: len(content) // 2]
        if fault == "stall":
            self.wfile.write(content[: len(content) // 2])
            self.wfile.flush()
            time.sleep(5)
            return
        self.wfile.write(content)


@contextlib.contextmanager
def serving(files):
    server = Server(files)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def registry(tmp_path, monkeypatch):
    """Three small files in place of those of TREC-8; no waiting between tries."""
    folder = tmp_path / "registry"
    folder.mkdir()
    (folder / "trec8.txt").write_text(
        "# comment\n"
        + "".join(
            f"{file} {sha(content)} some/where/{COMMIT}/{file}\n" for file, content in FILES.items()
        )
    )
    monkeypatch.setattr(module, "REGISTRY", folder)
    monkeypatch.setattr("pooch.core.time", NO_TIME)
    return folder


@pytest.fixture
def server(registry):
    with serving(
        {f"some/where/{COMMIT}/{file}": content for file, content in FILES.items()}
    ) as server:
        yield server


@pytest.fixture
def home(tmp_path):
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def tree(folder):
    """Return every file below a folder, hidden ones too, with its content."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def address(file):
    return f"some/where/{COMMIT}/{file}"


def test_what_is_fetched_is_whole_and_alone(server, home):
    text = fetch("trec8", home / "t", server=server.url)
    assert tree(home) == {f"t/{file}": content for file, content in FILES.items()}
    assert "3 files" in text and f"derive {home}/t/inputs" in text
    assert len(server.asked) == 3


def test_the_command(server, home, monkeypatch, capsys):
    monkeypatch.setattr(module, "SERVER", server.url)
    assert main(["fetch", "trec8", "--to", str(home / "t")]) == 0
    out, err = capsys.readouterr()
    assert "no licence" in out and err == ""
    assert main(["fetch", "trec8", "--to", str(home / "t")]) == 2
    assert "exists already" in capsys.readouterr().err
    assert len(server.asked) == 3


GONE = "cannot be reached, is silent, or breaks off"
FAULTS = {
    "wrong": "SHA-256 differs",
    "short": GONE,
    "drop": GONE,
    "silence": GONE,
    "stall": GONE,
    404: "answers 404 Not Found",
    500: "answers 500 Internal Server Error",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_server_that_misbehaves_leaves_nothing_to_trust(fault, server, home, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 1)
    server.faults[address("inputs/input.b")] = [fault] * 9
    with pytest.raises(InputError, match=FAULTS[fault]) as error:
        fetch("trec8", home / "t", server=server.url, tries=2)
    assert "\n" not in str(error.value) and "input.b" in str(error.value)
    assert server.asked == [address("inputs/input.a")] + [address("inputs/input.b")] * 2
    assert not (home / "t").exists()
    # What is kept is hidden, whole and right; the next call asks for the rest only.
    assert tree(home) == {".fetching-t/inputs/input.a": FILES["inputs/input.a"]}
    server.faults.clear()
    server.asked.clear()
    fetch("trec8", home / "t", server=server.url)
    assert server.asked == [address("inputs/input.b"), address("qrels")]
    assert tree(home) == {f"t/{file}": content for file, content in FILES.items()}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_that_passes_is_tried_again(fault, server, home, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 1)
    server.faults[address("qrels")] = [fault, fault]
    fetch("trec8", home / "t", server=server.url, tries=3)
    assert tree(home) == {f"t/{file}": content for file, content in FILES.items()}
    assert server.asked.count(address("qrels")) == 3


def test_a_dead_server(registry, home):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(InputError, match="cannot be reached"):
        fetch("trec8", home / "t", server=url, tries=2)
    assert tree(home) == {}
    assert not (home / "t").exists()


def test_what_was_kept_is_checked_again(server, home):
    server.faults[address("qrels")] = [404] * 9
    with pytest.raises(InputError):
        fetch("trec8", home / "t", server=server.url, tries=1)
    (home / ".fetching-t" / "inputs" / "input.a").write_bytes(b"1 Q0 d9 1 1 a\n")
    server.faults.clear()
    fetch("trec8", home / "t", server=server.url)
    assert tree(home)["t/inputs/input.a"] == FILES["inputs/input.a"]


def in_a_process(registry, url, home, limit=None):
    """Start a fetch in a process of its own, which may write files of ``limit`` bytes only."""
    script = textwrap.dedent(f"""
        import resource, sys
        import lib.originals.fetch
        from lib.cli import main
        lib.originals.fetch.REGISTRY = type(lib.originals.fetch.REGISTRY)({str(registry)!r})
        lib.originals.fetch.SERVER, lib.originals.fetch.TRIES = {url!r}, 1
        if {limit!r}:
            resource.setrlimit(resource.RLIMIT_FSIZE, ({limit!r}, {limit!r}))
        sys.exit(main(["fetch", "trec8", "--to", {str(home / "t")!r}]))
    """)
    return subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_a_full_disk(registry, server, home):
    process = in_a_process(registry, server.url, home, limit=100_000)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert err.count("\n") == 1 and "File too large" in err
    assert tree(home) == {".fetching-t/inputs/input.a": FILES["inputs/input.a"]}


def test_a_kill_in_the_middle(registry, server, home):
    server.faults[address("inputs/input.b")] = ["stall"]
    process = in_a_process(registry, server.url, home)
    deadline = time.monotonic() + 60
    # Once the second file is asked for, the first is whole, and what is half there is the second.
    while address("inputs/input.b") not in server.asked and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    left = tree(home)
    assert any("tmp" in name for name in left), "the kill came too late"
    assert all(name.startswith(".") for name in left)  # half a file is there, hidden
    fetch("trec8", home / "t", server=server.url)
    assert {name: content for name, content in tree(home).items() if name[0] != "."} == {
        f"t/{file}": content for file, content in FILES.items()
    }


# The sources and their registries.


def test_every_source_has_its_registry():
    assert {path.stem for path in REGISTRY.glob("*.txt")} == set(SOURCES)
    made = [name for name in SOURCES if _registry(name)[1]]
    assert sorted(made) == sorted(MAKERS)


def test_sources_are_data_in_the_order_shown():
    assert list(SOURCES) == [
        *("trec8", "trec-covid", "trec5", "dl19", "dl21", "robust04", "trec6", "trec7"),
        *("web2010", "web2011", "web2012", "web2013", "web2014", "terabyte06"),
        *("cf", "cisi", "npl", "nfcorpus", "cran", "cacm"),
    ]
    for name, entry in SOURCES.items():
        assert entry["title"] and entry["terms"].endswith(".")
        command = entry["next"].format(folder="somewhere").split()
        importer = ["python", "data/import_scores.py"]
        assert command[:3] == ["python", "-m", "lib"] or command[:2] == importer
        # Of the Terabyte track no package can be made: its table is compared with the paper.
        assert command[-2:] == (["--out", "mine"] if name != "terabyte06" else ["thom2007", "1"])
        # The next command reads what was fetched.
        files = {f"somewhere/{file}" for files in _registry(name) for file in files}
        folders = {file.rpartition("/")[0] for file in files}
        for word in command:
            word = word.rpartition("=")[2]
            assert not word.startswith("somewhere") or word in files | folders, word


@pytest.mark.parametrize("name", SOURCES)
def test_a_registry_pins_and_checks_everything(name):
    originals, made = _registry(name)
    for file, (known, place) in originals.items():
        assert re.fullmatch(r"[\w-]+/[\w.-]+/[0-9a-f]{40}/[\w./-]+", place), place
        # Nothing can be written outside of the folder.
        assert not file.startswith("/") and ".." not in Path(file).parts
        assert (known is None) == (name in EXCERPTS)
        assert known is None or re.fullmatch("sha256:[0-9a-f]{64}", known)
    if name in CONVERTERS:
        assert list(made) == ["docs.jsonl", "queries.tsv", "qrels.txt"]
    if made:
        assert all(re.fullmatch("[0-9a-f]{64}", known) for known in made.values())
    assert not any(file.endswith((".zip", ".tar", ".tgz", ".tar.gz")) for file in originals)


OPENERS = {".gz": gzip.decompress, ".xz": lzma.decompress}


def content_of(path):
    return OPENERS.get(path.suffix, bytes)(path.read_bytes())


# The sources whose originals may be at hand, whole: the rest is known by what is made of it.
WHOLE = [
    *("trec8", "trec-covid", "trec5", "robust04", "trec6", "trec7"),
    *("web2010", "web2011", "web2012", "web2013", "web2014", "cacm", "npl"),
]


@pytest.fixture(scope="module")
def by_checksum(originals):
    """The original files that are at hand, by the SHA-256 of what is in them."""
    folders = ("trec8", "trec-covid-r5", "trec5", "matrices", "originals")
    paths = (path for folder in folders for path in (originals / folder).rglob("*"))
    return {sha(content_of(path)): path for path in paths if path.is_file()}


@pytest.mark.parametrize("name", WHOLE)
def test_originals_at_their_addresses_are_fetched_whole(name, by_checksum, home, monkeypatch):
    expected, made = _registry(name)
    at_hand = {
        place: by_checksum.get(known.removeprefix("sha256:")) for known, place in expected.values()
    }
    assert None not in at_hand.values(), "an original is at hand in another form than is expected"
    monkeypatch.setattr("pooch.core.time", NO_TIME)
    with serving(at_hand) as server:
        text = fetch(name, home / "there", server=server.url)
    assert sorted(server.asked) == sorted(at_hand)
    assert sorted(tree(home)) == sorted(f"there/{file}" for file in made or expected)
    assert f"{len(made or expected)} files, all as expected" in text


def test_no_run_at_hand_is_forgotten(originals):
    for name, folder in {"trec8": "trec8/inputs", "trec-covid": "trec-covid-r5/runs"}.items():
        files = [file for file in _registry(name)[0] if "/" in file]
        assert len(files) == len(list((originals / folder).iterdir()))


# Excerpts: the lines of judged topics, and means.


@pytest.mark.parametrize("name", ["dl19", "dl21"])
def test_runs_cut_to_judged_topics_are_what_the_registry_expects(name, originals, tmp_path):
    """Originals like those published: other topics before and between, other white space.

    The published files are not at hand; what is, are the lines of the judged topics.
    """
    kept = {file: content_of(path) for file, path in at_hand(originals / name).items()}
    for file in _registry(name)[0]:
        if file.startswith("qrels"):
            content = kept["qrels.txt"]
        else:
            run = file.removeprefix("input.").removesuffix(".gz").removesuffix(".txt")
            lines = kept[f"runs/{run}"].replace(b" ", b"\t").splitlines()
            lines = [b"000 Q0 x 1 1 other", *lines, b"000 Q0 y 2 0 other"]
            content = b" \r\n".join(lines) + b"\r\n"
        packed = gzip.compress(content, 1) if file.endswith(".gz") else content
        (tmp_path / file).write_bytes(packed)
    found = made_of(name, tmp_path)
    assert {file: sha(content) for file, content in found.items()} == _registry(name)[1]


def at_hand(folder):
    return {
        "qrels.txt": folder / "qrels.txt",
        **{f"runs/{path.stem}": path for path in (folder / "runs").iterdir()},
    }


def test_runs_are_cut_to_judged_topics(tmp_path):
    (tmp_path / "qrels.x.txt").write_text("7 0 d1 3\n7\t0  d2 0\n9 0 d1 1\n")
    (tmp_path / "input.a.gz").write_bytes(gzip.compress(b"7\tQ0\td1 1 .5 a\n8 Q0 d1 1 .4 a\n"))
    (tmp_path / "input.b.2.txt").write_text("9 Q0 d3 1 1e-5 b\n77 Q0 d1 1 1 b\n")
    assert made_of("dl19", tmp_path) == {
        "qrels.txt": b"7 0 d1 3\n7 0 d2 0\n9 0 d1 1\n",
        "runs/a": b"7 Q0 d1 1 .5 a\n",
        "runs/b.2": b"9 Q0 d3 1 1e-5 b\n",
    }


def trec_eval_output(rr, **means):
    """Return an output by topic, as trec_eval 8 wrote it, with the blank lines at its end."""
    topics = [("recip_rank", topic, f"{value:.4f}") for topic, value in rr.items()]
    whole = [(name, "all", value) for name, value in {"num_q": len(rr), **means}.items()]
    return (
        "".join(f"{name:15}\t{topic}\t{value}\n" for name, topic, value in topics + whole) + "\n\n"
    )


def test_means_of_outputs_by_topic(tmp_path):
    means = {"map": "0.1000", "R-prec": "0.2000", "recip_rank": "0.8333", "P10": "0.3000"}
    text = trec_eval_output({701: 1, 702: 0.5, 703: 1}, **means)
    (tmp_path / "b.eval").write_text(text)
    (tmp_path / "A.eval").write_text(text.replace("701\t1.0000", "701\t0.3333"))
    assert made_of("terabyte06", tmp_path)["automatic_runs.csv"].decode().splitlines() == [
        "run,topics,P_1,Rprec,map,recip_rank,P_10",
        "A,3,0.3333,0.2000,0.1000,0.8333,0.3000",
        "b,3,0.6667,0.2000,0.1000,0.8333,0.3000",
    ]
    (tmp_path / "b.eval").write_text(text.replace("num_q          \tall\t3", "num_q \tall\t4"))
    with pytest.raises(ValueError, match="terabyte06: .*b.eval does not have every topic"):
        made_of("terabyte06", tmp_path)


def test_the_means_of_the_automatic_runs_are_those_of_the_book():
    data = ROOT / "data" / "terabyte06" / "automatic_runs.csv"
    assert _registry("terabyte06")[1] == {data.name: sha(data.read_bytes())}
    runs = [line.partition(",")[0] for line in data.read_text().splitlines()[1:]]
    assert [file.removesuffix(".eval") for file in _registry("terabyte06")[0]] == runs


@pytest.mark.parametrize("name", EXCERPTS)
def test_originals_of_excerpts_that_are_not_of_the_form_are_refused(name, tmp_path):
    for file in _registry(name)[0]:
        (tmp_path / file).write_bytes(b"<html>\x00 404: Not Found \xff</html>\n")
    with pytest.raises(ValueError, match=name):
        made_of(name, tmp_path)


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
    "npl": (
        {
            "doc-text": "1\nsome words\nand more  words\n   /\n2\nrest\n   /\n",
            "query-text": "1\nWHAT IS\nIT\n/\n2\nNOT JUDGED\n/\n",
            "rlv-ass": "1\n    2   1\n    10\n   /\n",
        },
        [("1", "", "some words and more words"), ("2", "", "rest")],
        [("1", "what is it")],
        ["1 0 1 1", "1 0 10 1", "1 0 2 1"],
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
    assert [tuple(row.values()) for row in rows] == documents
    assert [list(row) for row in rows] == [["id", "title", "text"]] * len(rows)
    assert [tuple(line.split("\t")) for line in found["queries.tsv"].decode().splitlines()] == (
        queries
    )
    assert found["qrels.txt"].decode().splitlines() == judgements


@pytest.mark.parametrize("name", CONVERTERS)
def test_what_is_not_the_expected_form_is_refused_or_fails_the_check(name, tmp_path):
    for file in SAMPLES[name][0]:
        (tmp_path / file).write_bytes(b"<html>\x00 404: Not Found \xff</html>\n")
    try:
        found = made_of(name, tmp_path)
    except ValueError as error:
        assert name in str(error)
    else:
        assert {file: sha(text) for file, text in found.items()} != _registry(name)[1]


@pytest.fixture
def texts(tmp_path, monkeypatch):
    """A server with the sample of CACM, and a registry that expects what comes out of it."""
    files, documents, queries, judgements = SAMPLES["cacm"]
    for file, text in files.items():
        (tmp_path / file).write_text(text)
    folder = tmp_path / "registry"
    folder.mkdir()
    (folder / "cacm.txt").write_text(
        "".join(f"{file} - some/where/{COMMIT}/{file}\n" for file in files)
        + "".join(f"{file} {sha(text)}\n" for file, text in made_of("cacm", tmp_path).items())
    )
    monkeypatch.setattr(module, "REGISTRY", folder)
    monkeypatch.setattr("pooch.core.time", NO_TIME)
    with serving({address(file): text.encode() for file, text in files.items()}) as server:
        yield server


def test_runs_whose_originals_are_not_known_are_cut_and_checked(registry, home):
    originals = {"qrels.txt": b"7 0 d1 3\n", "input.a.txt": b"7 Q0 d1 1 .5 a\n8 Q0 d 1 1 a\n"}
    made = {"qrels.txt": b"7 0 d1 3\n", "runs/a": b"7 Q0 d1 1 .5 a\n"}
    (registry / "dl21.txt").write_text(
        "".join(f"{file} - some/where/{COMMIT}/{file}\n" for file in originals)
        + "".join(f"{file} {sha(content)}\n" for file, content in made.items())
    )
    with serving({address(file): content for file, content in originals.items()}) as server:
        text = fetch("dl21", home / "d", server=server.url)
        assert tree(home) == {f"d/{file}": content for file, content in made.items()}
        assert "2 files, all as expected" in text
        server.files[address("input.a.txt")] = b"7 Q0 d2 1 .5 a\n"
        with pytest.raises(InputError, match="runs/a does not come out as expected"):
            fetch("dl21", home / "e", server=server.url)
    assert sorted(path.name for path in home.iterdir()) == ["d"]


def test_a_text_collection_is_converted_and_checked(texts, home):
    fetch("cacm", home / "c", server=texts.url)
    assert sorted(tree(home)) == ["c/docs.jsonl", "c/qrels.txt", "c/queries.tsv"]
    assert tree(home)["c/qrels.txt"] == b"1 0 1 1\n1 0 2 1\n"


@pytest.mark.parametrize(
    "file, old, new",
    [("cacm.all", b"Two", b"Tow"), ("query.text", b"about", b"of"), ("qrels.text", b"02 ", b"03 ")],
)
def test_a_text_collection_that_comes_out_differently_is_not_kept(file, old, new, texts, home):
    texts.files[address(file)] = texts.files[address(file)].replace(old, new)
    with pytest.raises(InputError, match="does not come out as expected.*nothing is kept"):
        fetch("cacm", home / "c", server=texts.url)
    assert list(home.iterdir()) == []


# Of NPL: the copy that can be fetched lacks them.  Nobody judged them relevant.
NOT_IN_THE_COPY = {"6984", "8139", "8143"}


def test_what_the_copy_of_npl_lacks_changes_the_means_by_as_little_as_is_said(originals):
    statement = (ROOT / "DATA.md").read_text(encoding="utf-8")
    said = re.search(r"the means of the 16 systems by (.*) differ by (\S+) at most", statement)
    measures, most = re.split(r", | and ", said[1]), float(said[2])
    assert f"no mean differs by more than {most}." in SOURCES["npl"]["terms"]
    whole = read_corpus(originals / "collections" / "npl")
    kept = {name: text for name, text in whole.documents.items() if name not in NOT_IN_THE_COPY}
    assert len(kept) == 11_426 == len(whole.documents) - 3
    assert not any(NOT_IN_THE_COPY & judged.keys() for judged in whole.qrels.values())
    fewer = experiment(replace(whole, documents=kept), "npl")
    change = (means(fewer, measures) - means(load("feedback/npl"), measures)).abs().to_numpy()
    assert change.shape == (16, 8)
    assert most - 0.001 < change.max() <= most
