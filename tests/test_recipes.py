"""What others run of us: the GitHub action, the pre-commit hook, the recipes of docs/ci.md.

Comes in: the files as they are shipped. Goes out: a failure where a command in them does not do
what it is there for. The commands run in a shell of this machine, in a folder with answers; what
only a server can do (upload, show) is not tested here.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from cli_answers import CLEAN, WARNED, WRONG

ROOT = Path(__file__).parent.parent
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
RECIPES = [
    yaml.safe_load(text)
    for text in re.findall(
        r"^```yaml\n(.*?)^```$", (ROOT / "docs/ci.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
]


@pytest.fixture
def shell(environment, here):
    """Runs a script here, with `elementguard` as an installed package would have it."""
    folder = here / "programs"
    folder.mkdir()
    program = folder / "elementguard"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m elementguard "$@"\n')
    program.chmod(0o755)

    def shell(script, **variables):
        return subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", script],  # as a runner starts it
            cwd=here,
            env={**environment, "PATH": f"{folder}:{environment['PATH']}", **variables},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    return shell


# --- the action ---


def step(name):
    (found,) = (one for one in ACTION["runs"]["steps"] if one["id"] == name)
    return found


@pytest.fixture
def act(shell, here):
    """Runs the action's check with these inputs: what ran, and the step's summary."""

    def act(paths, arguments=""):
        summary = here / "summary.md"
        summary.write_text("before\n")
        known = {"RUNNER_TEMP": str(here), "GITHUB_STEP_SUMMARY": str(summary)}
        done = shell(step("check")["run"], PATHS=paths, ARGUMENTS=arguments, **known)
        return done, summary.read_text()

    return act


@pytest.mark.parametrize(
    "paths, arguments, code",
    [
        ("clean.json", "", 0),
        ("clean.json\n\n  \nwarned.json\n", "", 0),
        ("clean.json\nwarned.json", "--fail-level warning", 1),
        ("wrong.json", "  --exit-zero\n--notes ", 0),
        ("wrong.json", "", 1),
        ("gone.json", "", 2),
        ("clean.json", "--no-such-flag", 2),
    ],
)
def test_the_action_ends_as_the_check_does(act, paths, arguments, code):
    done, _ = act(paths, arguments)
    assert done.returncode == code, done.stderr


def test_the_action_annotates_and_adds_to_the_summary(act):
    done, summary = act("wrong.json\nclean.json")
    assert done.stdout.startswith("::error file=wrong.json,line=1,")
    assert summary.startswith("before\n")
    assert "root-not-application" in summary


def test_no_input_of_the_action_is_a_script(act, here):
    odd = "$(touch made) `touch made`; touch made"
    (here / odd).write_text(WRONG)
    (here / "-x").write_text(WRONG)
    done, _ = act(f"{odd}\n-x", "--level $(touch${IFS}made)=off")
    assert done.returncode == 2
    done, _ = act(f"{odd}\n-x")
    assert done.returncode == 1
    assert done.stdout.count("::error") == 2
    assert not (here / "made").exists()


def test_every_input_of_the_action_is_a_variable_of_a_step():
    scripts = "".join(one["run"] for one in ACTION["runs"]["steps"])
    assert "${{" not in scripts
    given = [value for one in ACTION["runs"]["steps"] for value in one["env"].values()]
    assert sorted(given) == sorted(f"${{{{ inputs.{name} }}}}" for name in ACTION["inputs"])


def test_the_action_installs_a_wheel(shell, here):
    """With a `pip` that says what it is told to do."""
    python = here / "python"
    python.write_text(
        '#!/bin/sh\nmkdir -p "$3/bin"; printf "#!/bin/sh\\necho pip \\$*\\n"'
        ' > "$3/bin/pip"; chmod +x "$3/bin/pip"\n'
    )
    python.chmod(0o755)
    known = {"RUNNER_TEMP": str(here), "GITHUB_PATH": str(here / "path")}
    done = shell(step("install")["run"], PYTHON=str(python), VERSION="==0.1.0", **known)
    assert done.stdout == "pip install --quiet --only-binary elementguard elementguard==0.1.0\n"
    assert (here / "path").read_text() == f"{here}/elementguard/bin\n"


# --- the hook ---


def test_the_hook_checks_the_files_it_is_given(shell, here):
    (hook,) = HOOKS
    (here / "a b.json").write_text(WRONG)
    done = shell(f"{hook['entry']} clean.json 'a b.json'")
    assert done.returncode == 1
    assert done.stdout.startswith("a b.json:1:")
    assert done.stderr == ""
    assert shell(f"{hook['entry']} clean.json warned.json").returncode == 0


def test_the_hook_gets_what_may_be_answers():
    (hook,) = HOOKS
    chosen = re.compile(hook["files"])
    assert all(map(chosen.search, ["a.json", "b/c.jsonl", "d.ndjson"]))
    assert not any(map(chosen.search, ["a.json5", "json", "a.json.gz"]))


# --- the recipes ---


def test_the_recipe_for_gitlab(shell, here):
    (job,) = (one["elementguard"] for one in RECIPES if "elementguard" in one)
    install, check = job["script"]
    assert install.startswith("pip install ")
    (here / "answers").mkdir()
    (here / "answers" / "a.json").write_text(WARNED)
    assert shell(check).returncode == 0
    (here / "answers" / "b.json").write_text(WRONG)
    assert shell(check).returncode == 1
    reports = job["artifacts"]["reports"]
    found = json.loads((here / reports["codequality"]).read_text())
    assert [one["check_name"] for one in found] == ["false-state", "root-not-application"]
    assert "root-not-application" in (here / reports["junit"]).read_text()


def test_the_recipe_for_github_names_inputs_that_there_are(act, here):
    (used,) = (one["steps"][1]["with"] for one in RECIPES if "steps" in one)
    assert set(used) < set(ACTION["inputs"])
    (here / "answers").mkdir()
    (here / "answers" / "a.json").write_text(CLEAN)
    (here / "fixtures").mkdir()
    (here / "fixtures" / "window.json").write_text(WARNED)
    assert act(used["paths"], used["arguments"])[0].returncode == 1


def test_the_recipe_for_the_hook_names_it():
    (used,) = (one["repos"][0]["hooks"] for one in RECIPES if "repos" in one)
    assert [one["id"] for one in used] == [one["id"] for one in HOOKS]


def test_the_hook_is_one_for_pre_commit():
    manifest = str(ROOT / ".pre-commit-hooks.yaml")
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", manifest]
    subprocess.run(command, check=True, timeout=60)
