"""What ``compare`` was given: data sets, seeds of a system, or what other tools scored."""

from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path

from lib.cli import common
from lib.collection import Collection
from lib.collection.by_topic import read_topic_scores, restored, tables_by_topic
from lib.collection.metadata import read_runs_table
from lib.collection.trec import run_files
from lib.errors import InputError
from lib.measures import Scores
from lib.measures.names import as_ours, averaged, scale_of

Seeds = Mapping[str, Mapping[str, Path]]  # of each system the run files, by seed


def data_sets(options: Namespace) -> dict[str, tuple[Path, Seeds]]:
    """Return the judgements and the named runs of each data set that ``compare`` was given.

    There are none where the words are files without names, or runs of a collection.
    """
    by_data: dict[str, tuple[Path, Seeds]] = {}
    if (options.table or options.data) and (options.runs or options.collection):
        raise InputError("--runs TABLE and --data NAME=FOLDER say it all; give no other runs")
    if options.table:
        by_data |= read_runs_table(options.table)
    for name, folder in map(_named, options.data):
        if name in by_data:
            raise InputError(f"--data: {name!r} stands twice")
        files = run_files(folder, names=options.names)
        qrels = [system for system in files if system.startswith("qrels")]
        if len(qrels) != 1:
            raise InputError(f"{folder}: holds {len(qrels)} files named qrels, not 1")
        judged = files.pop(qrels[0])
        by_data[name] = judged, {system: {"": path} for system, path in files.items()}
    *words, last = options.runs or [""]
    if not options.collection and any("=" in word and not Path(word).exists() for word in words):
        seeds: dict[str, dict[str, Path]] = {}
        for name, path in map(_named, words):
            known = seeds.setdefault(name, {})
            for file in run_files(path).values() if Path(path).is_dir() else [Path(path)]:
                known[str(len(known) + 1)] = file
        by_data[Path(last).name] = Path(last), seeds
    systems = {system: data for data, (_, of) in by_data.items() for system in of}
    for data, (_, of) in by_data.items():
        for system in systems.keys() - of.keys():
            raise InputError(
                f"data {data!r}, system {system!r}: no run, as {systems[system]!r} has"
            )
    return by_data


def _named(word: str) -> tuple[str, str]:
    name, _, path = word.partition("=")
    if not (name and path):
        raise InputError(f"{word}: name it too, as in NAME={word.strip('=')}")
    return name, path


def topic_scores(options: Namespace) -> dict[str, Scores]:
    """Return the scores of ``--per-topic`` by the measures asked for, the primary one first.

    Those that are asked for by default may be missing; what is no measure of ours keeps its name.
    """
    rows: dict[tuple[str, str, str], float] = {}
    for word in options.per_topic:
        name, path = _named(word) if "=" in word and not Path(word).exists() else ("", word)
        scores = read_topic_scores(path, name, known=as_ours)
        for (measure, topic, system), score in scores.items():
            if (key := (_ours(measure), topic, system)) in rows:
                raise InputError(f"{path}: {', '.join(key)} stands in another file too")
            least, most = scale_of(measure)
            if not least <= score <= most:
                raise InputError(f"{path}: score {score:g}, of {', '.join(key)}, is not in [0, 1]")
            rows[key] = score
    known, first = tables_by_topic(rows), _ours(options.measure)
    asked = [first, *map(_ours, common.measures(options.measures))]
    chosen = options.measures != options.command.get_default("measures")
    if missing := [one for one in asked if one not in known and (chosen or one == first)]:
        some = ", ".join(known)
        raise InputError(f"--per-topic: no scores by {missing[0]!r}; there are those by {some}")
    systems = list(dict.fromkeys(system for *_, system in rows))  # as they were given
    tables = {one: restored(known[one][systems], one) for one in asked if one in known}
    return {one: averaged(table, one) for one, table in tables.items()}


def _ours(name: str) -> str:
    return as_ours(name) or name


def derived(options: Namespace, qrels: str | Path, seeds: Seeds) -> tuple[Collection, dict]:
    """Return the collection of a data set, and the names of each system's runs in it."""
    runs: dict[str, Path] = {}
    of: dict[str, list[str]] = {}
    for system, files in seeds.items():
        names = [f"{system}, seed {seed}" for seed in files] if len(files) > 1 else [system]
        runs.update(zip(names, files.values()))
        of[system] = names
    return common.given(options, runs, str(qrels), []), of
