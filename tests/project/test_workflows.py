"""What runs on others' machines: pinned, without rights where it need not have any, after tests."""

import re
import runpy

import pytest
import yaml

from lib.paths import ROOT

GITHUB = ROOT / ".github"
TEXTS = [*GITHUB.glob("workflows/*.yml"), *GITHUB.glob("*/action.yml")]
USED = re.compile(r"\buses: (\S+)(.*)")
PINNED = re.compile(r"[\w.-]+(?:/[\w.-]+)+@[0-9a-f]{40}")
WORKFLOWS = {
    path.stem: yaml.safe_load(path.read_text(encoding="utf-8"))
    for path in sorted(GITHUB.glob("workflows/*.yml"))
}
TEST = "./.github/workflows/test.yml"
# Others choose neither their text nor their code; pull_request runs without our rights.
TRIGGERS = {"push", "pull_request", "schedule", "workflow_call", "workflow_dispatch"}
workflows = pytest.mark.parametrize("flow", WORKFLOWS.values(), ids=WORKFLOWS)


def before(flow, name):
    """Return the names of the jobs that a job waits for, itself among them."""
    needs = flow["jobs"][name].get("needs", [])
    needs = [needs] if isinstance(needs, str) else needs
    return {name}.union(*(before(flow, one) for one in needs))


def is_trusted(job):
    """Return whether a job may write, or sign in our name."""
    return set(job.get("permissions", {"all": "write"}).values()) - {"read"} != set()


def test_an_action_is_one_commit_with_its_version_beside_it():
    used = [one for path in TEXTS for one in USED.findall(path.read_text(encoding="utf-8"))]
    assert len(used) > len(TEXTS)
    for action, said in used:
        if action.startswith("./"):
            place = ROOT / action
            assert place.is_file() or (place / "action.yml").is_file(), action
        else:
            assert PINNED.fullmatch(action) and re.fullmatch(r"  # v\d+\.\d+\.\d+", said), action
    assert len(pins := set(used)) == len({action.partition("@")[0] for action, _ in pins})


@workflows
def test_what_may_write_runs_nothing_but_what_publishes_and_waits_for_the_tests(flow):
    assert flow["permissions"] == {}
    for name, job in flow["jobs"].items():
        if is_trusted(job):
            said = yaml.safe_dump(job)
            assert not re.search(r"checkout|prepare|\b(make|python|pip|uv|npm)\b", said), name
            assert TEST in [flow["jobs"][one].get("uses") for one in before(flow, name)], name


@workflows
def test_no_text_of_a_stranger_is_run_and_no_job_keeps_the_key_of_the_repository(flow):
    assert set(flow[True]) <= TRIGGERS  # YAML reads `on` as true
    for step in [step for job in flow["jobs"].values() for step in job.get("steps", [])]:
        assert ("run" in step) != ("uses" in step) and "${{" not in step.get("run", "")
        if "checkout" in step.get("uses", ""):
            assert step["with"]["persist-credentials"] is False


def test_what_publishes_takes_no_packages_that_another_run_kept():
    said = {name: yaml.safe_dump(flow["jobs"]) for name, flow in WORKFLOWS.items()}
    publishing = {name for name, text in said.items() if ": write" in text}
    assert publishing == {"pages", "release"}
    for name in publishing:
        assert said[name].count("prepare") == said[name].count("keep: 'false'") == 1


@workflows
def test_workflows_run_targets_that_there_are(flow):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):.*##", makefile, flags=re.M))
    declared = re.search(r"^\.PHONY: ((?:.*\\\n)*.*)$", makefile, flags=re.M)[1]
    assert targets == set(declared.replace("\\", "").split())
    steps = [step for job in flow["jobs"].values() for step in job.get("steps", [])]
    runs = " ; ".join(step.get("run", "") for step in steps)
    made = set(re.findall(r"\bmake (\S+)", runs))
    assert made and made <= targets
    assert set(re.findall(r"make\.py (\S+)", runs)) <= {
        *runpy.run_path(str(ROOT / "make.py"))["STEPS"]
    }


CHANGES = (
    "# Changes\n\n## 1.1, not yet released\n\n- c\n\n## 1.0, 3 May 2031\n\n- b\n\n## 0.9\n\n- a\n"
)


def test_notes_of_a_release_are_those_of_its_version():
    notes = runpy.run_path(str(ROOT / "book" / "release_notes.py"))["notes"]
    assert (notes("v1.0", CHANGES), notes("v0.9", CHANGES)) == ("- b", "- a")
    for tag, said in {"v1.1": "not yet released", "v1": "nothing of v1:"}.items():
        with pytest.raises(SystemExit, match=said):
            notes(tag, CHANGES)
