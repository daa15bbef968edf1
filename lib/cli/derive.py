"""``derive``: runs and judgements -> a collection."""

import shlex
from pathlib import Path

from lib.cli import common


def add(commands):
    """Say the arguments."""
    command = commands.add_parser(
        "derive",
        help="runs and judgements -> a collection",
        description="Reduce TREC runs and judgements to relevance at rank: a collection folder.",
    )
    command.add_argument("runs", metavar="RUNS", help="folder of run files, one a system")
    command.add_argument("qrels", metavar="QRELS", help="file of relevance judgements")
    command.add_argument(
        "--systems",
        metavar="FILE",
        help="tab-separated table with columns run, group, type, pooled",
    )
    common.add_output(command)
    command.add_argument(
        "--rel",
        type=int,
        default=1,
        metavar="N",
        help="documents of grade N or more are relevant, of grade 0 to N-1 "
        "judged non-relevant, of a negative grade not judged "
        "(default: %(default)s)",
    )
    command.add_argument(
        "--scores",
        choices=("double", "single"),
        default="double",
        help="precision in which scores are compared (default: %(default)s; "
        "single is that of trec_eval 9 and pytrec_eval)",
    )
    command.add_argument(
        "--judged", action="store_true", help="keep the judged non-relevant documents too"
    )
    common.add_choice_of_runs(command)
    command.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        help="runs read at a time, -1 for as many as there are processors (default: one); "
        "the collection is the same",
    )
    command.set_defaults(run=run)


def run(options):
    """Derive the collection and save it."""
    from lib.collection import derive

    out = Path(options.out)
    about = common.about(options.about)
    about["command"] = _command(options)
    common.refuse_output(options)
    collection = derive(
        options.runs,
        options.qrels,
        systems=options.systems,
        name=options.name or out.name,
        rel=options.rel,
        scores=options.scores,
        judged=options.judged,
        **common.choice_of_runs(options),
        jobs=options.jobs,
    )
    collection.save(options.out, about=about, replace=options.replace)
    print(f"{out}: {common.contents(collection)}")


def _command(options):
    """Return the command that makes the collection again; folders above the input are left out."""
    words = [Path(options.runs).name, Path(options.qrels).name]
    if options.systems:
        words += ["--systems", Path(options.systems).name]
    if options.rel != 1:
        words += ["--rel", str(options.rel)]
    if options.scores != "double":
        words += ["--scores", options.scores]
    if options.judged:
        words += ["--judged"]
    if options.names != "file":
        words += ["--names", options.names]
    for run in options.skip:
        words += ["--skip", run]
    if options.skip_faulty:
        words += ["--skip-faulty"]
    return f"python -m lib derive {shlex.join([*words, '--out', Path(options.out).name])}"
