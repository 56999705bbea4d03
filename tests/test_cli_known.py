"""The command line: what `check` knows before it begins: the baseline, the configuration."""

import json
import os
from pathlib import Path
from threading import Thread

import pytest

from cli_answers import ALL, WARNED, WRONG
from elementguard.cli import main

CODES = {"root-not-application", "blank-title", "empty-children"}  # of ALL

# --- the baseline ---


def test_what_the_baseline_has_is_known_and_what_is_new_is_told(call, here):
    assert call("check", "all.json")[0] == 1
    written = ("check", "all.json", "--baseline", "known.json", "--write-baseline")
    assert call(*written)[0] == 0
    entries = json.loads((here / "known.json").read_bytes())["findings"]
    assert {entry["code"] for entry in entries} == CODES
    code, out, err = call("check", "all.json", "warned.json", "--baseline", "known.json")
    assert (code, err) == (0, "")
    assert out.splitlines()[-1] == "passed: 2 answers, 1 warning, 3 in the baseline"
    assert out.startswith("warned.json:1:131: warning false-state: ")
    assert "all.json" not in out
    assert call("check", "all.json", "wrong.json", "--baseline", "known.json")[0] == 1


def test_other_parts_may_change(call, here):
    call("check", "all.json", "--baseline", "known.json", "--write-baseline")
    (here / "all.json").write_text(ALL.replace('{"id"', '{\n\n  "x-new":[1,2],"id"'))
    code, out, _ = call("check", "all.json", "--baseline", "known.json", "--notes")
    assert code == 0
    assert out.splitlines()[-1].endswith("1 warning, 3 in the baseline")


def test_of_two_alike_one_that_is_new_is_told(call, here):
    twice = WRONG.replace("}}", ',"focused":1,"children":[{"id":"x","role":"Group","title":1}]}}')
    (here / "wrong.json").write_text(twice)
    call("check", "wrong.json", "--baseline", "known.json", "--write-baseline")
    more = twice.replace('"title":1', '"title":1,"hovered":1')
    (here / "wrong.json").write_text(more)
    code, out, _ = call("check", "wrong.json", "--baseline", "known.json")
    assert code == 1
    assert out.splitlines()[-1] == "failed: 1 answer, 1 error, 3 in the baseline"


def test_stale_entries_are_told_where_their_answer_was_checked(call, here):
    call("check", "all.json", "warned.json", "--baseline", "known.json", "--write-baseline")
    (here / "all.json").write_text(ALL.replace("Group", "Application"))
    code, _, err = call("check", "all.json", "--baseline", "known.json")
    assert code == 0
    assert err.splitlines() == [
        "all.json: root-not-application: in the baseline, not found any more",
        "baseline: 1 of 4 entries stale; --write-baseline drops what is gone",
    ]
    call("check", ".", "--baseline", "known.json", "--write-baseline")
    assert call("check", ".", "--baseline", "known.json")[2] == ""


def test_lines_have_entries_of_their_own(call, here):
    (here / "many.jsonl").write_text(f"{ALL}\n{WARNED}\n{ALL}\n")
    call("check", "many.jsonl", "--baseline", "known.json", "--write-baseline")
    entries = json.loads((here / "known.json").read_bytes())["findings"]
    assert sorted(entry["line"] for entry in entries) == [1, 1, 1, 2, 3, 3, 3]
    assert call("check", "many.jsonl", "--baseline", "known.json", "--notes")[0] == 0


def test_what_was_only_counted_is_never_known(call):
    one = ("check", "all.json", "--limit", "findings=1", "--baseline", "known.json")
    assert call(*one, "--write-baseline")[0] == 0
    code, out, _ = call(*one, "--fail-level", "note")
    assert code == 1
    assert out.splitlines()[-1] == "failed: 1 answer, 1 warning, 1 note, 1 in the baseline"


def test_a_report_without_some_is_a_report(engine):
    from elementguard._report import without

    report = engine.check(ALL)
    left = without(report, {0})
    assert left.findings == report.findings[1:]
    assert left.ok
    assert not report.ok
    assert left.counts == {one.code: 1 for one in report.findings[1:]}
    assert without(report, {1}).ok is False
    assert (left.summary, left.complete) == (report.summary, report.complete)


def test_nothing_is_written_of_a_run_that_missed_something(call, here):
    (here / "known.json").write_text("as it was")
    arguments = ("--baseline", "known.json", "--write-baseline")
    code, _, err = call("check", "all.json", "gone.json", *arguments)
    assert code == 2
    assert "baseline: not written" in err
    assert (here / "known.json").read_text() == "as it was"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"version":2,"findings":[]}',
        '{"version":1}',
        '{"version":1,"findings":[7]}',
        '{"version":1,"findings":[{"file":"a"}]}',
        '{"version":1,"findings":[{"file":1,"line":null,"code":"c","fingerprint":"f"}]}',
        '{"version":1,"findings":[{"file":"a","line":"1","code":"c","fingerprint":"f"}]}',
        "[" * 100_000,
        "\0\x1b",
    ],
)
def test_what_is_no_baseline_is_wrong_usage(call, here, text):
    (here / "known").write_text(text)
    code, out, err = call("check", "clean.json", "--baseline", "known")
    assert (code, out) == (2, "")
    assert "error: --baseline: " in err.splitlines()[-1]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--write-baseline",),
        ("--baseline", "gone.json"),
        ("--baseline", "."),
        ("--baseline", "all.json", "--write-baseline"),
    ],
)
def test_a_baseline_that_cannot_be(call, arguments):
    code, out, err = call("check", "all.json", *arguments)
    assert (code, out) == (2, "")
    assert "baseline: " in err.splitlines()[-1]


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no endless device here")
@pytest.mark.parametrize("flag, most", [("--baseline", 64), ("--config", 1)])
def test_an_endless_file_is_not_read_to_its_end(run, flag, most):
    code, out, err = run("check", "clean.json", flag, "/dev/zero")
    assert (code, out) == (2, "")
    assert err.endswith(f"it has more than {most} MiB\n")


def test_a_baseline_may_come_through_a_pipe(call, here):
    call("check", "all.json", "--baseline", "known.json", "--write-baseline")
    known = (here / "known.json").read_bytes()
    os.mkfifo(here / "pipe")
    writer = Thread(target=(here / "pipe").write_bytes, args=(known,))
    writer.start()
    code, out, _ = call("check", "all.json", "--baseline", "pipe")
    writer.join()
    assert (code, out) == (0, "passed: 1 answer, no findings, 3 in the baseline\n")


# --- the configuration ---

CONFIG = """
notes = true
fail-level = "warning"
ignore = ["blank-title"]
level = { false-state = "off" }
limits = "recommended"
limit = { elements = 1 }
"""


def test_the_configuration_stands_before_what_is_typed(call, here):
    (here / "elementguard.toml").write_text(CONFIG)
    code, out, _ = call("check", "all.json", "warned.json")
    assert code == 1
    assert out.splitlines()[-1] == "failed: 2 answers, 2 errors, 1 warning"
    code, out, _ = call("check", "warned.json", "--limit", "elements=2")
    assert (code, out) == (0, "passed: 1 answer, no findings\n")
    code, out, _ = call(
        "check", "all.json", "--ignore", "empty-children", "--level=false-state=off"
    )
    assert out.splitlines()[-1] == "failed: 1 answer, 1 error, 1 note"


@pytest.mark.usefixtures("engine")
def test_it_is_found_upwards_and_the_nearest_one_counts(here, monkeypatch):
    inner = here / "a" / "b"
    inner.mkdir(parents=True)
    (here / "pyproject.toml").write_text('[tool.elementguard]\nfail-level = "warning"\n')
    (here / "a" / "pyproject.toml").write_text('[tool.other]\nfail-level = "no such"\n')
    monkeypatch.chdir(inner)
    assert main(["check", str(here / "warned.json")]) == 1
    (here / "a" / "elementguard.toml").write_text('fail-level = "error"\n')
    assert main(["check", str(here / "warned.json")]) == 0


def test_a_named_file_is_read_instead(call, here):
    (here / "elementguard.toml").write_text('fail-level = "warning"\n')
    (here / "other.toml").write_text("")
    assert call("check", "warned.json")[0] == 1
    assert call("check", "warned.json", "--config", "other.toml")[0] == 0


def test_its_baseline_stands_beside_it(call, here):
    folder = here / "ci"
    folder.mkdir()
    (folder / "eg.toml").write_text('baseline = "known.json"\n')
    assert call("check", "all.json", "--config", "ci/eg.toml", "--write-baseline")[0] == 0
    assert (folder / "known.json").is_file()
    assert call("check", "all.json", "--config", "ci/eg.toml")[0] == 0


def test_other_commands_take_no_configuration(call, here):
    (here / "elementguard.toml").write_text("no-such-key = 1\n")
    assert call("show", "clean.json")[0] == 0
    assert call("check", "clean.json")[0] == 2


@pytest.mark.parametrize(
    "text, reason",
    [
        ("bad = 1", "there is no key 'bad'"),
        ('exit_zero = "x"', "there is no key 'exit_zero'"),
        ("notes = 1", "notes: true or false is needed"),
        ("kind = true", "kind: a string is needed"),
        ('select = "id-taken"', "select: a list of strings is needed"),
        ("select = [1]", "select: a list of strings is needed"),
        ('level = "off"', "level: a table is needed"),
        ("limit = { elements = true }", "limit: a table is needed"),
        ("limit = { elements = 1.5 }", "limit: a table is needed"),
        ("= 1", "it is no TOML"),
        ('kind = "no such"', "invalid choice: 'no such'"),
        ("limit = { no-such = 1 }", "no such limit"),
        ('level = { no-such = "off" }', "there is no rule 'no-such'"),
    ],
)
def test_what_the_configuration_cannot_say(call, here, text, reason):
    (here / "elementguard.toml").write_text(text)
    code, out, err = call("check", "clean.json")
    assert (code, out) == (2, "")
    assert reason in err.splitlines()[-1]
    assert "elementguard.toml" in err.splitlines()[-1]


def test_a_file_that_is_no_toml_is_never_passed_over(call, here):
    (here / "pyproject.toml").write_text('[tool.elementguard]\nfail-level = "warn\x1bing"\n')
    code, out, err = call("check", "clean.json")
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].endswith("pyproject.toml': it is no TOML (at line 2, column 19)")
    assert "\x1b" not in err


def test_a_named_file_has_to_say_something_of_us(call, here):
    (here / "pyproject.toml").write_text("[tool.other]\n")
    assert call("check", "clean.json")[0] == 0
    code, out, err = call("check", "clean.json", "--config", "pyproject.toml")
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].endswith("'pyproject.toml': there is no [tool.elementguard] in it")


def test_a_configuration_that_is_not_there(call):
    code, out, err = call("check", "clean.json", "--config", "gone.toml")
    assert (code, out) == (2, "")
    assert "'gone.toml': No such file or directory" in err.splitlines()[-1]
