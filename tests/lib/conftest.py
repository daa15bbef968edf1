"""What several tests of the library share: TREC-8's collection, and what a command prints."""

import pytest

from lib import load
from lib.cli import main


@pytest.fixture(scope="session")
def trec8():
    return load("trec8")


@pytest.fixture
def printed(capsys):
    """A function that gives a command, in one string or as a list, and returns what it prints."""

    def ran(words, status=0):
        assert main(words.split() if isinstance(words, str) else words) == status
        return capsys.readouterr()

    return ran
