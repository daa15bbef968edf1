"""Fetch public originals: runs and judgements, scores, or text collections, each file checked.

Nothing that was not checked can be taken for data: files are downloaded into a hidden folder, and
the folder that was asked for appears when all of them are there and right.
"""

import hashlib
import logging
import shutil
from pathlib import Path

import pooch
import requests
from tqdm import tqdm

from lib.atomic import fresh_folder
from lib.errors import InputError, reason
from lib.originals import REGISTRY, SOURCES
from lib.originals.making import made_of
from lib.paths import DATA, AnyPath

SERVER = "https://raw.githubusercontent.com"
TRIES = 4
PATIENCE = 30  # seconds without a byte


def fetch(
    name: str, folder: AnyPath, *, server: str | None = None, tries: int | None = None
) -> str:
    """Download a source's files at their pinned commits and check them; return what to do next.

    Where the SHA-256 of an original is known, the download is checked by it.  Of some runs it is
    not.  Files that are made of originals are checked by theirs, so that what appears is always
    what was expected.

    The folder must not exist; it appears when everything is there and right.  Until then what is
    right stays in a hidden folder beside it, from which the next call goes on.
    """
    source, folder = SOURCES[name], Path(folder)
    originals, made = _registry(name)
    with fresh_folder(folder, kind="download") as fresh:
        partial = folder.absolute().with_name(f".fetching-{folder.name}")
        _download(originals, partial, server or SERVER, tries or TRIES)
        if made:
            _make(name, made, partial, fresh)
        else:
            for file in originals:
                (fresh / file).parent.mkdir(exist_ok=True)
                (partial / file).rename(fresh / file)
        if known := source.get("beside"):  # what the book knows of the runs
            shutil.copy(DATA / known, fresh)
    shutil.rmtree(partial)
    return (
        f"{folder}: {source['title']}, {len(made or originals)} files, all as expected.\n"
        f"{source['terms']}\nNext: {source['next'].format(folder=folder)}"
    )


def _registry(name):
    """Return originals, {file: (SHA-256 or None, address)}, and {file made of them: SHA-256}."""
    originals, made = {}, {}
    for line in (REGISTRY / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        file, known, *address = line.split()
        if address:
            originals[file] = (None if known == "-" else f"sha256:{known}", *address)
        else:
            made[file] = known
    return originals, made


def _download(originals, partial, server, tries):
    pooch.get_logger().setLevel(logging.WARNING)
    downloads = pooch.create(
        partial,
        base_url="",
        retry_if_failed=tries - 1,
        registry={file: known for file, (known, _) in originals.items()},
        urls={file: f"{server}/{address}" for file, (_, address) in originals.items()},
    )
    for file in tqdm(originals, desc="files", unit="file", disable=None):
        try:
            downloads.fetch(file, downloader=pooch.HTTPDownloader(timeout=PATIENCE))
        except (requests.RequestException, OSError, ValueError) as error:
            raise InputError(
                f"{downloads.get_url(file)}: {_reason(error)}; what is complete is kept, so run "
                "the command again"
            ) from None


def _reason(error):
    """Say in a few words why a download failed."""
    if isinstance(error, requests.HTTPError):
        return f"the server answers {error.response.status_code} {error.response.reason}"
    if isinstance(error, requests.RequestException):
        return "the server cannot be reached, is silent, or breaks off"
    if isinstance(error, ValueError) and "hash" in str(error):
        return "not the file that is expected: its SHA-256 differs"
    return f"cannot be kept ({reason(error)})"


def _make(name, made, partial, fresh):
    """Write what is made of the originals; refuse what differs from the book's."""
    try:
        files = made_of(name, partial)
        for file, known in made.items():
            if hashlib.sha256(files.get(file, b"")).hexdigest() != known:
                raise ValueError(f"{name}: {file} does not come out as expected (its SHA-256)")
    except ValueError as error:
        # Which of the originals is to blame is not known: none of them is kept.
        shutil.rmtree(partial)
        raise InputError(f"{error}; nothing is kept") from None
    for file, content in files.items():
        (fresh / file).parent.mkdir(exist_ok=True)
        (fresh / file).write_bytes(content)
