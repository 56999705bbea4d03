"""The command line: what it tells, in which form, and that nothing hostile comes through."""

import json
import os
import pty
import subprocess
import sys

import jsonschema
import pytest

from cli_answers import ALL, CLEAN, CONTROLS, CUT, HEAD, WARNED, WRONG

# --- what is told ---


def test_text_shows_place_excerpt_caret_breadcrumb_and_fix(call):
    _, out, err = call("check", "warned.json")
    column = WARNED.index("false") + 1
    lines = out.splitlines()
    assert lines[0].startswith(f"warned.json:1:{column}: warning false-state: ")
    assert lines[1] == "  |"
    caret = lines[3].index("^")
    assert lines[2][caret:].startswith("false}]}}")
    assert lines[4] == "  at  Application#app > Window#w-1 > focused"
    assert lines[5].startswith("  fix ")
    assert lines[-2] == ""
    assert err == ""


def test_advice_is_told_once_a_rule(call, here):
    (here / "two.json").write_text(HEAD + ',"hovered":false,"selected":false}}')
    out = call("check", "two.json")[1]
    assert (out.count("false-state"), out.count("  fix ")) == (2, 1)


def test_concise_is_one_line_a_finding_and_nothing_else(call):
    _, out, err = call("check", "--output-format", "concise", "--notes", "all.json")
    columns = [ALL.index(text) + 1 for text in ('"Group"', '""', "[]")]
    assert [line.split(": ")[0] for line in out.splitlines()] == [
        f"all.json:1:{one}" for one in columns
    ]
    assert [line.split(": ")[1].split()[0] for line in out.splitlines()] == [
        "error",
        "note",
        "warning",
    ]
    assert err == "failed: 1 answer, 1 error, 1 warning, 1 note\n"


def test_json_fits_its_schema_and_holds_the_reports(engine, call, here):
    (here / "many.ndjson").write_text(f"{ALL}\n{CUT}\n")
    names = ["clean.json", "all.json", "gone.json", "many.ndjson"]
    code, out, err = call("check", "--output-format", "json", *names)
    whole = json.loads(out)
    validator = jsonschema.Draft202012Validator(engine.schema("report"))
    validator.validate(whole)
    assert not validator.is_valid({**whole, "verdict": "fine"})
    assert whole["tool"]["engine"] == engine.engine
    assert whole["totals"] == {
        "answers": 4,
        "unreadable": 1,
        "errors": 3,
        "warnings": 2,
        "notes": 2,
    }
    assert code == whole["exit_code"] == 2
    assert [item["report"] for item in whole["inputs"] if "report" in item] == [
        engine.check(text).to_dict() for text in (CLEAN, ALL, ALL, CUT)
    ]
    assert [item["error"] for item in whole["inputs"] if "error" in item] == [
        "No such file or directory"
    ]
    assert err.splitlines()[-1].startswith("incomplete: ")


def test_several_formats_each_to_its_place(call, here):
    flags = [f"--output-format={form}" for form in ("json=out.json", "concise=out.txt", "text")]
    code, out, err = call("check", "all.json", "--color", "always", *flags)
    assert code == 1
    assert out.endswith(
        "failed\x1b[0m: 1 answer, 1 error, 1 warning, 1 note (hidden; --notes shows them)\n"
    )
    assert err == ""
    assert json.loads((here / "out.json").read_text())["exit_code"] == 1
    concise = (here / "out.txt").read_text()
    assert len(concise.splitlines()) == 2
    assert "\x1b" not in concise


def test_a_format_in_a_file_alone_leaves_stdout_empty_and_says_the_verdict(call, here):
    code, out, err = call("check", "all.json", "--output-format", "json=out.json")
    assert (code, out) == (1, "")
    assert err == "failed: 1 answer, 1 error, 1 warning, 1 note\n"
    assert json.loads((here / "out.json").read_text())["exit_code"] == 1
    assert call("check", "-q", "all.json", "--output-format", "json=out.json") == (1, "", "")


def test_quiet_leaves_findings_and_faults_alone(call):
    assert call("check", "-q", "clean.json") == (0, "", "")
    code, out, err = call("check", "-q", "wrong.json", "gone.json")
    assert code == 2
    assert "failed" not in out + err
    assert "incomplete" not in out + err
    assert "root-not-application" in out
    assert "gone.json" in err
    assert call("check", "-q", "--output-format", "json", "clean.json")[2] == ""


def test_verbose_tells_of_every_answer_on_stderr(engine, call):
    _, out, err = call("check", "-v", "clean.json", "warned.json")
    assert err.startswith(f"{engine.engine} engine, rules {engine.RULES_VERSION}\n")
    assert "clean.json: no findings (81 bytes, " in err
    assert "warned.json: 1 warning (" in err
    assert out == call("check", "clean.json", "warned.json")[1]


@pytest.mark.parametrize("form", ["text", "concise", "json"])
def test_statistics_count_by_rule(call, here, form):
    (here / "many.ndjson").write_text(f"{ALL}\n{WRONG}\n")
    _, out, err = call("check", "many.ndjson", "--statistics", "--output-format", form)
    told = out if form == "text" else err
    assert told.splitlines()[-5 if form == "text" else -4 :][:3] == [
        "       2  error    root-not-application",
        "       1  note     blank-title",
        "       1  warning  empty-children",
    ]


def test_many_findings_are_cut_and_counted(call, here):
    item = '{"id":"a","role":"Row","hovered":false}'
    (here / "many.json").write_text(HEAD + ',"children":[' + ",".join([item] * 150) + "]}}")
    code, out, _ = call("check", "many.json")
    assert code == 1
    assert "many.json: 199 more findings (limits.findings)" in out
    assert out.splitlines()[-1] == "failed: 1 answer, 149 errors, 150 warnings"
    assert "more findings" not in call("check", "many.json", "--limit", "findings=none")[1]


# --- nothing that is hostile comes through ---

HOSTILE = "\x1b]0;pwned\x07\x1b[2K\x1b[1A\x1b]8;;https://evil.example\x1b\\ok\x9b31m\u202egnp\u2028\r\n\x7f"


@pytest.mark.parametrize("form", ["text", "concise", "json"])
@pytest.mark.parametrize("escapes", [True, False])
def test_nothing_raw_comes_out(run, here, form, escapes):
    # Raw controls would end the answer at the first one: JSON has them escaped, but for those it
    # lets through.
    bad = HOSTILE if escapes else "".join(c for c in HOSTILE if ord(c) >= 0x20)
    child = {"id": bad, "role": bad, "subrole": bad, "title": bad, "url": bad, bad: {"k": bad}}
    child["attributes"] = {bad: bad, "related": [bad]}
    child["content"] = [{"type": bad}, {"type": "image", "data": bad, "mimeType": bad}]
    answer = {
        "protocol": bad,
        "instance": bad,
        "root": {"id": bad, "role": bad, "children": [child, child]},
    }
    text = json.dumps(answer, ensure_ascii=escapes)
    text = text.replace('{"k":', '{"k": 1, "k":')
    (here / "hostile.json").write_text(text, encoding="utf-8", newline="")
    code, out, err = run("check", "hostile.json", "--notes", "-v", "--output-format", form)
    assert code == 1
    assert not CONTROLS.search(out + err)
    assert out.count("duplicate-member") >= 2
    assert not [line for line in (out + err).splitlines() if line.startswith(("gnp", "::"))]


def test_a_role_cannot_forge_a_line(call, here):
    (here / "forged.json").write_text(
        CLEAN.replace("Application", "Row\\u001b[1A\\u001b[2KOK\\npassed: 1 answer")
    )
    code, out, _ = call("check", "forged.json")
    assert code == 1
    assert [line for line in out.splitlines() if line.startswith("passed")] == []


def test_a_long_line_is_cut_to_the_terminal(run, here):
    (here / "long.json").write_text(HEAD + ',"title":"' + "中🚬é" * 400 + '\\n","hovered":false}}')
    for columns in (60, 100, 140):
        _, out, _ = run("check", "long.json", COLUMNS=str(columns))
        excerpts = [line for line in out.splitlines() if line.startswith("1 | ")]
        assert len(excerpts) == 2
        for line in excerpts:
            assert len(line) + sum(line.count(wide) for wide in "中🚬") <= columns
            assert "\ufffd" not in line
            assert "\\x" not in line


@pytest.mark.parametrize("encoding", ["cp1252:strict", "ascii:strict", "utf-8:strict", "utf-16-le"])
@pytest.mark.parametrize("form", ["text", "concise", "json"])
def test_a_console_that_cannot_show_it(environment, here, encoding, form):
    (here / "cjk.json").write_text(WARNED.replace("k3f9x2", "中文🚬"), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "elementguard", "check", "cjk.json", "--output-format", form],
        capture_output=True,
        env={**environment, "PYTHONIOENCODING": encoding, "COLUMNS": "160"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    out = done.stdout.decode(encoding.split(":")[0])
    assert "false-state" in out
    if form == "text":
        shown = "中文🚬" if encoding.startswith("utf") else "\\u4e2d\\u6587\\U0001f6ac"
        assert shown in out
        assert out.splitlines()[-1] == "passed: 1 answer, 1 warning"


# --- colours ---


@pytest.mark.parametrize(
    "setting, terminal, colored",
    [
        (({}, []), False, False),
        (({}, []), True, True),
        (({"NO_COLOR": "1"}, []), True, False),
        (({"NO_COLOR": ""}, []), True, True),
        (({"TERM": "dumb"}, []), True, False),
        (({"FORCE_COLOR": "1"}, []), False, True),
        (({"FORCE_COLOR": "0"}, []), False, False),
        (({"FORCE_COLOR": "1", "NO_COLOR": "1"}, []), True, False),
        (({"NO_COLOR": "1"}, ["--color", "always"]), False, True),
        (({"FORCE_COLOR": "1"}, ["--color", "never"]), True, False),
        (({"FORCE_COLOR": "1"}, ["--output-format", "json"]), True, False),
    ],
)
def test_colours(here, environment, setting, terminal, colored):
    environment_says, flags = setting
    command = [sys.executable, "-m", "elementguard", "check", str(here / "wrong.json"), *flags]
    settings = {**environment, "TERM": "xterm", **environment_says}
    out = in_terminal(command, settings) if terminal else in_pipe(command, settings)
    assert (b"\x1b[" in out) is colored
    assert b"root-not-application" in out
    assert b"\r" not in out.replace(b"\r\n", b"\n")


def in_pipe(command, environment):
    return subprocess.run(command, capture_output=True, env=environment, check=False).stdout


def in_terminal(command, environment):
    controller, terminal = pty.openpty()
    process = subprocess.Popen(command, stdout=terminal, stderr=subprocess.DEVNULL, env=environment)
    os.close(terminal)
    out = b""
    while True:
        try:
            piece = os.read(controller, 65536)
        except OSError:  # how Linux says that the other end is closed
            break
        if not piece:
            break
        out += piece
    os.close(controller)
    process.wait()
    return out
