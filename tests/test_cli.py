"""The command line: what it is asked, its exit codes, its smaller commands.

`call` runs it in this process; `run` starts a process of its own, where streams, terminals and code
pages matter (both conftest.py).
"""

import importlib
import json
import tomllib
from pathlib import Path

import jsonschema
import pytest

from cli_answers import ALL, CLEAN, WARNED, unread
from elementguard import RULES, Limits, Validator, schema
from elementguard.cli import main

# --- the exit code, and the verdict that says the same ---


@pytest.mark.parametrize(
    "arguments, code, verdict",
    [
        (["clean.json"], 0, "passed: 1 answer, no findings"),
        (["warned.json"], 0, "passed: 1 answer, 1 warning"),
        (["noted.json"], 0, "passed: 1 answer, 1 note (hidden; --notes shows them)"),
        (["wrong.json"], 1, "failed: 1 answer, 1 error"),
        (
            ["all.json"],
            1,
            "failed: 1 answer, 1 error, 1 warning, 1 note (hidden; --notes shows them)",
        ),
        (["all.json", "--notes"], 1, "failed: 1 answer, 1 error, 1 warning, 1 note"),
        (["clean.json", "warned.json"], 0, "passed: 2 answers, 1 warning"),
        (["cut.json", "clean.json"], 1, "failed: 2 answers, 1 error"),
        (["warned.json", "--fail-level", "warning"], 1, "failed: 1 answer, 1 warning"),
        (
            ["noted.json", "--fail-level", "warning"],
            0,
            "passed: 1 answer, 1 note (hidden; --notes shows them)",
        ),
        (["noted.json", "--fail-level", "note"], 1, "failed: 1 answer, 1 note"),
        (["wrong.json", "--exit-zero"], 0, "failed: 1 answer, 1 error, exit code 0 by --exit-zero"),
        (["clean.json", "--exit-zero"], 0, "passed: 1 answer, no findings"),
        (["gone.json"], 2, "incomplete: 0 answers, 1 could not be checked, no findings"),
        (
            ["gone.json", "--exit-zero"],
            2,
            "incomplete: 0 answers, 1 could not be checked, no findings",
        ),
        (["gone.json", "wrong.json"], 2, "incomplete: 1 answer, 1 could not be checked, 1 error"),
    ],
)
@pytest.mark.parametrize("form", ["text", "concise", "json"])
def test_exit_codes_and_verdicts(call, arguments, code, verdict, form):
    got, out, err = call("check", "--output-format", form, *arguments)
    assert got == code
    told = out if form == "text" else err
    expected = verdict if form != "json" else verdict.split(" (hidden")[0]
    assert told.splitlines()[-1] == expected
    if form == "json":
        whole = json.loads(out)
        assert (whole["exit_code"], whole["verdict"]) == (code, verdict.split(":")[0])


@pytest.mark.parametrize(
    "arguments, says",
    [
        ([], "COMMAND"),
        (["chekc"], "chekc"),
        (["check", "--no-such"], "--no-such"),
        (["check", "clean.json", "--kind", "tree"], "tree"),
        (["check", "clean.json", "--limit", "bytes"], "--limit: NAME=VALUE"),
        (["check", "clean.json", "--limit", "bytes=-1"], "bytes"),
        (["check", "clean.json", "--limit", "bytes=1.5"], "bytes"),
        (["check", "clean.json", "--limit", "nodes=1"], "nodes: no such limit"),
        (["check", "clean.json", "--limit", "media_types=png"], "media_types"),
        (["check", "clean.json", "--level", "focus-gap"], "--level: NAME=VALUE"),
        (["check", "clean.json", "--level", "focus-gap=loud"], "'loud'"),
        (["check", "clean.json", "--level", "focus-gab=off"], "did you mean 'focus-gap'"),
        (["check", "clean.json", "--level", "json-syntax=off"], "cannot be moved"),
        (
            ["check", "clean.json", "--select", "focus-gab"],
            "--select: there is no rule 'focus-gab'",
        ),
        (
            ["check", "clean.json", "--ignore", "focus-gab"],
            "--ignore: there is no rule 'focus-gab'",
        ),
        (["check", "clean.json", "--ignore", "duplicate-member"], "cannot be moved"),
        (["check", "clean.json", "--output-format", "yaml"], "'yaml'"),
        (["check", "clean.json", "--output-format", "json="], "a file is missing"),
        (
            ["check", "clean.json", "--output-format", "json", "--output-format", "text"],
            "FORMAT=FILE",
        ),
        (["check", "clean.json", "--fail-level", "off"], "off"),
        (["rule", "focus-gab"], "did you mean 'focus-gap'"),
        (["schema", "tree"], "tree"),
    ],
)
def test_wrong_usage_is_code_2_and_says_what(call, arguments, says):
    code, out, err = call(*arguments)
    assert (code, out) == (2, "")
    assert says in err


def test_a_file_for_output_that_cannot_be_written_is_code_2(call):
    code, out, err = call("check", "clean.json", "--output-format", "json=no/such/folder.json")
    assert (code, out) == (2, "")
    assert "no/such/folder.json: No such file" in err


# --- what is asked ---


def test_kind_limits_and_levels(call, here):
    (here / "element.json").write_text('{"id":"a","role":"Row","title":"ab","hovered":false}')
    flags = ["check", "element.json", "--output-format", "concise"]
    assert call(*flags)[0] == 1
    assert call(*flags, "--kind", "element")[0] == 0
    assert "limit-title" in call(*flags, "--kind", "element", "--limit", "title_characters=1")[1]
    assert "limit-title" in call(*flags, "--kind", "element", "--limit", "title-characters=1")[1]
    assert call(*flags, "--kind", "element", "--limit", "title_characters=2")[0] == 0
    assert call(*flags, "--kind", "element", "--level", "false-state=error")[0] == 1
    assert call(*flags, "--kind", "element", "--level", "false-state=off")[1] == ""
    assert call(*flags, "--kind", "element", "--ignore", "false-state,focus-gap")[1] == ""
    assert call(*flags, "--kind", "element", "--select", "focus-gap")[1] == ""
    assert "false-state" in call(*flags, "--kind", "element", "--select", "false-state")[1]
    both = ["--select", "focus-gap", "--level", "false-state=error", "--ignore", "focus-gap"]
    assert call(*flags, "--kind", "element", *both)[1] == ""


def test_selecting_leaves_what_cannot_be_switched_off(call):
    assert "json-truncated" in call("check", "cut.json", "--select", "focus-gap")[1]


def test_recommended_limits_are_a_base(call, here):
    deep = '{"id":"a%d","role":"Group","children":[' * 65 % tuple(range(65))
    (here / "deep.json").write_text(deep + '{"id":"z","role":"Group"}' + "]}" * 65)
    flags = ["check", "deep.json", "--kind", "element", "--output-format", "concise"]
    assert call(*flags)[0] == 0
    assert "limit-depth" in call(*flags, "--limits", "recommended")[1]
    assert call(*flags, "--limits", "recommended", "--limit", "depth=none")[0] == 0


def test_no_more_is_read_than_shows_that_it_is_too_much(engine, call, here):
    (here / "large.json").write_text(CLEAN + " " * 1_000_000)
    _, out, _ = call("check", "large.json", "--limit", "bytes=100", "--output-format", "json")
    (item,) = json.loads(out)["inputs"]
    whole = engine.check((CLEAN + " " * 1_000_000).encode(), limits=Limits(bytes=100))
    assert item["report"] == whole.to_dict()


# --- when things go wrong ---


@pytest.mark.parametrize("form", ["text", "concise", "json"])
def test_a_fault_of_ours_in_one_answer_hides_no_other(engine, call, monkeypatch, form):
    check = engine.Validator.check

    def faulty(self, data):
        if data == WARNED.encode():
            raise ZeroDivisionError("of our own\x1b[2J")
        return check(self, data)

    monkeypatch.setattr(engine.Validator, "check", faulty)
    code, out, err = call(
        "check", "clean.json", "warned.json", "wrong.json", "--exit-zero", "--output-format", form
    )
    assert code == 2
    assert "warned.json: internal error: ZeroDivisionError: of our own\\u001b[2J" in err
    assert "root-not-application" in out
    assert "1 could not be checked" in out + err


def test_a_fault_of_ours_elsewhere_is_code_2(call, monkeypatch):
    monkeypatch.setattr("elementguard.cli.rule.RULES", None)
    code, out, err = call("rule")
    assert (code, out) == (2, "")
    assert err.startswith("elementguard: internal error: AttributeError: ")


def test_an_interrupt_is_code_130_behind_what_was_found(call, monkeypatch):
    check = Validator.check

    def interrupted(validator, data):
        if data == CLEAN.encode():
            raise KeyboardInterrupt
        return check(validator, data)

    monkeypatch.setattr("elementguard.Validator.check", interrupted)
    names = ("wrong.json", "clean.json", "warned.json")
    code, out, err = call("check", *names, "--output-format", "concise")
    assert (code, len(out.splitlines())) == (130, 1)
    assert err == "interrupted: 1 answer, 1 error\n"
    code, out, _ = call("check", *names, "--output-format", "json")
    whole = json.loads(out)
    assert (code, whole["exit_code"], whole["verdict"]) == (130, 130, "interrupted")
    assert [item["name"] for item in whole["inputs"]] == ["wrong.json"]
    jsonschema.Draft202012Validator(schema("report")).validate(whole)
    code, _, _ = call("check", *names, "--baseline", "known.json", "--write-baseline")
    assert code == 130
    assert not Path("known.json").exists()


@pytest.mark.parametrize(
    "command", ["check many.ndjson", "check many.ndjson --output-format json", "rule", "schema"]
)
def test_a_reader_that_goes_away_ends_it_quietly(environment, here, command):
    (here / "many.ndjson").write_text(f"{ALL}\n" * 3000)
    code, told = unread(environment, *command.split())
    assert told == b""
    # What fits into the pipe before the reader goes is written, and then nothing went wrong.
    assert code == (2 if "many" in command else code)


# --- the other commands ---


def test_rule_lists_and_shows(call):
    code, out, _ = call("rule")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == list(RULES)
    for rule_code, rule in RULES.items():
        code, out, _ = call("rule", rule_code)
        assert code == 0
        assert out.startswith(f"# {rule_code}\n\n{rule.summary} ({rule.level}")
        assert rule.fix in out
        assert "## Near miss" in out


def test_schema_prints_the_schemas(engine, call):
    assert json.loads(call("schema")[1]) == engine.schema("answer")
    for name in ("answer", "report", "sizes"):
        assert json.loads(call("schema", name)[1]) == engine.schema(name)


def test_selftest_tells_which_engines_ran(engine, call, monkeypatch):
    from elementguard import _selftest_run

    code, out, _ = call("selftest")
    result = engine.selftest()
    assert code == (0 if result.ok else 1)
    assert f"engines: rust, python (in use: {engine.engine})" in out
    assert (
        f"{result.vectors} vectors, {result.checks} checks, {len(result.differences)} differences"
        in out
    )
    monkeypatch.setattr(_selftest_run, "_packed", lambda: iter(()))
    monkeypatch.setattr(_selftest_run, "_as_expected", lambda *_: False)
    code, out, _ = call("selftest")
    assert code == 1
    assert "focus-gap, example: rust: the report\n" in out


def test_version_tells_engine_and_rules(engine, run):
    code, out, _ = run("--version")
    assert code == 0
    assert out.startswith(
        f"elementguard {engine.__version__} ({engine.engine} engine, rules {engine.RULES_VERSION},"
    )


def test_help_tells_the_exit_codes(call):
    for arguments in (["--help"], ["check", "--help"]):
        code, out, _ = call(*arguments)
        assert code == 0
        assert "exit codes:" in out


def test_the_script_is_this_command_line():
    project = Path(__file__).parent.parent / "pyproject.toml"
    scripts = tomllib.loads(project.read_text("utf-8"))["project"]["scripts"]
    assert list(scripts) == ["elementguard"]
    module, _, name = scripts["elementguard"].partition(":")
    assert getattr(importlib.import_module(module), name) is main
