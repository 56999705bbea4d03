"""The command line: `salvage`, `fix`, `excerpt`: what they give, where it goes, what they tell."""

import gzip
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from cli_answers import CLEAN, CONTROLS, CUT, HEAD, NOTED, WRONG, unread

BROKEN = HEAD + ',"children":[{"id":"w 1","role":"Window"},{"id":"w-2","role":"Window"}]}}'
HALF = BROKEN.replace('"Window"', '"Window","title":""', 1)
TREE = HEAD + ',"children":[{"id":"w-1","role":"Window"},{"id":"w-2","role":"Window"}]}}'
HOSTILE = "\x1b[2J\x9b31m\u202egnp\u2028\r\n::error::\x7f"
COMMANDS = ("salvage", "fix", "excerpt --max-bytes 900")


@pytest.fixture(autouse=True)
def written(here):
    (here / "broken.json").write_text(BROKEN)
    (here / "half.json").write_text(HALF)
    (here / "tree.json").write_text(TREE)


# --- what they give ---


def test_salvage_gives_what_the_api_gives_and_says_what_went(engine, call):
    saved = engine.salvage(BROKEN)
    code, out, err = call("salvage", "broken.json")
    assert (code, out.encode()) == (0, saved.data)
    first, verdict = err.splitlines()
    assert first.startswith("removed /root/children/0 (1 element, 0 blocks): malformed-id: ")
    assert verdict == "saved: 1 change, 1 element and 0 blocks gone; no findings"


def test_what_cannot_be_saved_is_code_1_and_says_why(call):
    code, out, err = call("salvage", "cut.json", "--kind", "element")
    assert (code, out) == (1, "")
    assert err.startswith("elementguard: cut.json: nothing can be saved: error ")


def test_salvage_keeps_to_the_limits(call):
    code, out, err = call("salvage", "tree.json", "--limit", "elements=2")
    assert code == 0
    assert out.count('"id"') == 2
    assert "limit-elements" in err
    titled = CLEAN.replace('"Application"', '"Application","title":"' + "x" * 5000 + '"')
    Path("titled.json").write_text(titled)
    assert call("salvage", "titled.json")[1] == titled
    assert "limit-title" in call("salvage", "titled.json", "--limits", "recommended")[2]


def test_fix_gives_what_the_api_gives(engine, call):
    code, out, err = call("fix", "noted.json")
    fixed = engine.fix(NOTED)
    assert (code, out.encode()) == (0, fixed.data)
    assert out != NOTED
    assert [line.split(":")[0] for line in err.splitlines()] == ["removed /root/title", "fixed"]


def test_errors_that_remain_are_code_1_and_told_and_the_rest_is_fixed_all_the_same(engine, call):
    code, out, err = call("fix", "half.json")
    assert (code, out.encode()) == (1, engine.fix(HALF).data)
    first, second, verdict = err.splitlines()
    assert first.startswith("removed /root/children/0/title: blank-title: ")
    assert second.startswith("error malformed-id at /root/children/0/id: ")
    assert verdict == "partly fixed: 1 fix; 1 error left; --unsafe may mend more"


def test_unsafe_fixes_have_to_be_asked_for(engine, call):
    assert call("fix", "broken.json")[:2] == (1, BROKEN)
    code, out, _ = call("fix", "broken.json", "--unsafe")
    assert (code, out.encode()) == (0, engine.fix(BROKEN, unsafe=True).data)


def test_unsafe_fixes_are_named_where_there_are_any(call, here):
    assert call("fix", "broken.json")[2].endswith("left; --unsafe may mend more\n")
    (here / "foreign.json").write_text(CLEAN.replace('"0.2.0"', '"9"'))
    for flags in ([], ["--unsafe"]):
        verdict = call("fix", "foreign.json", *flags)[2].splitlines()[-1]
        assert verdict == "not fixed: 0 fixes; 1 error left"


def test_a_diff_is_all_that_stdout_has(call, here):
    (here / "lines.json").write_text(NOTED.replace(",", ",\n"))
    code, out, _ = call("fix", "lines.json", "--diff")
    assert code == 0
    lines = out.splitlines()
    assert lines[:2] == ["--- lines.json", "+++ lines.json (fixed)"]
    assert '-"title":""}}' in lines
    assert lines.count("\\ No newline at end of file") == 2
    assert call("fix", "clean.json", "--diff")[:2] == (0, "")
    assert (here / "lines.json").read_text() == NOTED.replace(",", ",\n")


def test_salvage_has_a_diff_as_well(call, here):
    (here / "lines.json").write_text(BROKEN.replace(",", ",\n"))
    code, out, err = call("salvage", "lines.json", "--diff")
    assert (code, err.splitlines()[-1].split(":")[0]) == (0, "saved")
    assert out.splitlines()[:2] == ["--- lines.json", "+++ lines.json (salvaged)"]
    assert '-"children":[{"id":"w 1",' in out.splitlines()
    assert (here / "lines.json").read_text() == BROKEN.replace(",", ",\n")


def test_a_diff_applies(call, here):
    before = NOTED.replace(",", ",\n") + "\n"
    (here / "lines.json").write_text(before)
    (here / "a.patch").write_text(call("fix", "lines.json", "--diff")[1])
    after = call("fix", "lines.json")[1]
    subprocess.run(["git", "apply", "-p0", "a.patch"], cwd=here, check=True)
    assert (here / "lines.json").read_text() == after != before


@pytest.mark.parametrize(
    "flags, budgets",
    [
        (["--max-bytes", "110"], {"max_bytes": 110}),
        (["--max-elements", "2"], {"max_elements": 2}),
        (["--max-elements", "2", "--keep", "w-2"], {"max_elements": 2, "keep": ["w-2"]}),
        (
            ["--max-elements", "3", "--keep", "hovered,w-2", "--keep", "w-1"],
            {"max_elements": 3, "keep": ["hovered", "w-2", "w-1"]},
        ),
        (["--max-blob-bytes", "0"], {"max_blob_bytes": 0}),
    ],
)
def test_excerpt_gives_what_the_api_gives(engine, call, flags, budgets):
    made = engine.load(TREE).excerpt(**budgets)
    code, out, err = call("excerpt", "tree.json", *flags)
    assert (code, out.encode()) == (0, made.data)
    lines = err.splitlines()
    assert len(lines) == 1 + len(made.removed)
    assert lines[-1].startswith(f"excerpt: {len(made.data)} bytes, {len(made.removed)} element")
    for line, gone in zip(lines, made.removed, strict=False):
        assert line.startswith(f"left out {gone.pointer} {gone.name} ({gone.bytes} bytes, 1 ")


def test_selection_and_pointer_stay_unless_keep_says_otherwise(call, here):
    text = TREE.replace('"w-2","role":"Window"', '"w-2","role":"Window","selected":true')
    (here / "selected.json").write_text(text)
    flags = ["excerpt", "selected.json", "--max-elements", "2"]
    assert '"w-2"' in call(*flags)[1]
    assert '"w-1"' in call(*flags, "--keep", "")[1]


def test_a_budget_that_nothing_fits_is_code_1_and_says_which_would(call):
    code, out, err = call("excerpt", "tree.json", "--max-bytes", "9")
    assert (code, out) == (1, "")
    assert err.startswith("elementguard: tree.json: --max-bytes: what must stay")
    assert "at least, not 9" in err


def test_no_excerpt_of_an_answer_with_errors(call):
    code, out, err = call("excerpt", "broken.json", "--max-bytes", "900")
    assert (code, out) == (1, "")
    assert "elementguard salvage" in err.splitlines()[0]
    assert "error malformed-id at /root/children/0/id" in err.splitlines()[1]


@pytest.mark.parametrize("command", ["excerpt --max-bytes 900", "show", "sizes"])
def test_nobody_is_sent_to_salvage_with_what_it_cannot_save(call, here, command):
    name, *flags = command.split()
    (here / "cut.json").write_text(CUT)
    assert "salvage" not in "".join(call(name, "cut.json", *flags)[1:])
    assert "salvage" in "".join(call(name, "broken.json", *flags)[1:])


def test_errors_that_are_not_kept_are_counted(call):
    flags = ["--max-bytes", "900", "--limit", "findings=0"]
    assert "1 more error (limits.findings)" in call("excerpt", "broken.json", *flags)[2]


@pytest.mark.parametrize("command", COMMANDS)
def test_single_elements(call, here, command):
    text = '{"id":"a","role":"Row"}'
    (here / "element.json").write_text(text)
    assert call(*command.split(), "element.json")[0] == 1
    assert call(*command.split(), "element.json", "--kind", "element")[:2] == (0, text)


# --- where it goes ---


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_of_ones_choice(call, here, command):
    code, out, _ = call(*command.split(), "clean.json", "-o", "new.json")
    assert (code, out, (here / "new.json").read_text()) == (0, "", CLEAN)
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE((here / "new.json").stat().st_mode) == 0o666 & ~umask
    assert call(*command.split(), "clean.json", "-o", "-")[1] == CLEAN
    assert not list(here.glob(".elementguard*"))


def test_the_input_stays_unless_it_is_named(call, here):
    call("fix", "noted.json")
    assert (here / "noted.json").read_text() == NOTED
    (here / "noted.json").chmod(0o640)
    assert call("fix", "noted.json", "-i")[:2] == (0, "")
    assert (here / "noted.json").read_text() == call("fix", "noted.json")[1] != NOTED
    assert stat.S_IMODE((here / "noted.json").stat().st_mode) == 0o640
    (here / "noted.json").write_text(NOTED)
    assert call("fix", "noted.json", "-o", "noted.json")[:2] == (0, "")
    assert (here / "noted.json").read_text() != NOTED


def test_in_place_touches_nothing_that_is_right(call, here):
    os.utime(here / "clean.json", ns=(5, 5))
    assert call("fix", "clean.json", "--in-place")[0] == 0
    assert (here / "clean.json").stat().st_mtime_ns == 5


def test_links_are_followed_and_stay(call, here):
    (here / "link.json").symlink_to("noted.json")
    assert call("fix", "link.json", "-i")[0] == 0
    assert (here / "link.json").is_symlink()
    assert (here / "noted.json").read_text() != NOTED


def test_a_result_that_cannot_be_written_leaves_the_old_bytes(call, here, monkeypatch):
    def full(_descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    code, out, err = call("fix", "noted.json", "-i")
    assert (code, out) == (2, "")
    assert err == "elementguard: noted.json: No space left on device\n"
    assert (here / "noted.json").read_text() == NOTED
    assert not list(here.glob(".elementguard*"))


def test_a_file_that_may_not_be_written_is_not_moved_over(call, here, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    code, _, err = call("fix", "noted.json", "-i")
    assert (code, (here / "noted.json").read_text()) == (2, NOTED)
    assert err == "elementguard: noted.json: Permission denied\n"


# No device of the system is named here: a fault would move a file over it where tests run as root.
@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_no_regular_file_is_written_to_as_it_is(call, here, command):
    os.mkfifo(here / "pipe")
    reader = os.open(here / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert call(*command.split(), "clean.json", "-o", "pipe")[0] == 0
    assert os.read(reader, 4096).decode() == CLEAN
    os.close(reader)
    assert (here / "pipe").is_fifo()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
@pytest.mark.parametrize("stream", ["> /dev/full", ">&-"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_result_that_stdout_does_not_take_is_code_2(environment, here, command, stream):
    script = f"'{sys.executable}' -m elementguard {command} clean.json {stream}"
    done = subprocess.run(
        ["sh", "-c", script], capture_output=True, cwd=here, env=environment, check=False
    )
    assert done.returncode == 2
    assert done.stderr.decode().startswith("elementguard: <stdout>: ")
    assert len(done.stderr.splitlines()) == 1


# --- wrong usage, and what cannot be read ---


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["salvage"], "FILE"),
        (["salvage", "-", "-i"], "-i: standard input"),
        (["fix", "noted.json", "-i", "-o", "x.json"], "not allowed with"),
        (["fix", "noted.json", "-i", "--diff"], "not allowed with"),
        (["fix", "noted.json", "-o", ""], "-o: the name"),
        (["fix", "noted.json", "-o", "x.json.gz"], "not packed"),
        (["fix", "noted.json.gz", "-i"], "not packed"),
        (["fix", "noted.json", "--limit", "nodes=1"], "nodes: no such limit"),
        (["salvage", "noted.json", "--limit", "bytes"], "--limit: NAME=VALUE"),
        (["excerpt", "clean.json"], "a budget is needed"),
        (["excerpt", "clean.json", "--max-bytes", "-1"], "--max-bytes"),
        (["excerpt", "clean.json", "--max-bytes", "1.5"], "number value: '1.5'"),
        (["excerpt", "clean.json", "--max-bytes", "900", "--keep", "a b"], "keep"),
    ],
)
def test_wrong_usage_is_code_2_and_says_what(call, here, arguments, says):
    before = sorted(here.iterdir())
    code, out, err = call(*arguments)
    assert (code, out) == (2, "")
    assert says in err
    assert sorted(here.iterdir()) == before


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "name, reason",
    [
        ("gone.json", "No such file or directory"),
        (".", "Is a directory"),
        ("clean.json/x", "Not a directory"),
        ("loop.json", "Too many levels of symbolic links"),
        ("a\0b", "embedded null byte"),
        ("a.json.xz", "only .gz and .zst can be read"),
        ("bad.gz", "Not a gzipped file"),
    ],
)
def test_bad_names(call, here, command, name, reason):
    (here / "loop.json").symlink_to("loop.json")
    for file in ("a.json.xz", "bad.gz"):
        (here / file).write_text(CLEAN)
    code, out, err = call(*command.split(), name)
    assert (code, out) == (2, "")
    assert reason in err
    if "\0" not in name:
        assert call(*command.split(), "clean.json", "-o", "clean.json/x")[0] == 2
    assert not CONTROLS.search(err)


@pytest.mark.parametrize("command", COMMANDS)
def test_standard_input_and_packed_files(run, here, command):
    assert run(*command.split(), "-", stdin=CLEAN)[:2] == (0, CLEAN)
    (here / "a.json.gz").write_bytes(gzip.compress(CLEAN.encode()))
    assert run(*command.split(), "a.json.gz")[:2] == (0, CLEAN)
    code, out, err = run(*command.split(), "-", stdin="")
    assert (code, out) == (1, "")
    assert err


def test_no_more_is_read_than_the_limit_says(call, here):
    packed = gzip.compress(CLEAN.encode() + b" " * 1_000_000)
    (here / "bomb.json.gz").write_bytes(
        packed[:-20]
    )  # its end would be an error to whoever reads it
    flags = ["bomb.json.gz", "--max-bytes", "9", "--limit", "bytes=100"]
    code, _, err = call("excerpt", *flags)
    assert code == 1
    assert "limit-bytes" in err


@pytest.mark.parametrize("command", COMMANDS)
def test_names_that_are_no_text(run, here, command):
    name = os.fsdecode(b"we\xff\x1b[2J\n\xe2\x80\xae.json")
    (here / name).write_text(CLEAN)
    assert run(*command.split(), name, "-o", f"new-{name}")[:2] == (0, "")
    assert (here / f"new-{name}").read_text() == CLEAN
    (here / name).write_text(CUT if command == "salvage" else WRONG)
    for extra in ([], ["-o", f"{name}/x"], ["--diff"] if command == "fix" else ["-q"]):
        _, out, err = run(*command.split(), name, *extra)
        assert not CONTROLS.search(out + err)


# --- nothing that is hostile comes through ---


def hostile(text, *, is_valid):
    block = {"type": "text", "text": text}
    child = {"id": "c-1", "role": text, "subrole": text, "title": text, "content": [block]}
    child["attributes"] = {text: text}
    root = {"id": "app", "role": "Application", "children": [child]}
    if not is_valid:
        child["children"] = [{"id": text, "role": text, text: None}, {"id": "c-1", "role": text}]
        child["content"].append({"type": text})
        child["content"].append({"type": "image", "data": text, "mimeType": text})
    answer = {"protocol": "0.2.0", "instance": "k3f9" if is_valid else text, "root": root}
    return json.dumps(answer)


@pytest.mark.parametrize(
    "arguments", ["salvage", "fix", "fix --unsafe", "fix --diff", "excerpt --max-elements 1"]
)
@pytest.mark.parametrize("is_valid", [True, False])
@pytest.mark.parametrize("is_raw", [True, False])
def test_what_is_told_is_escaped(run, here, arguments, is_valid, is_raw):
    text = hostile(HOSTILE, is_valid=is_valid)
    if is_raw:  # what JSON lets through unescaped
        for character in "\x9b\u202e\u2028\x7f":
            text = text.replace(json.dumps(character)[1:-1], character)
        text = text.replace("{", "{\r\n")
    (here / "hostile.json").write_text(text, encoding="utf-8", newline="")
    _, out, err = (
        run(*arguments.split(), "hostile.json", "-o", "out.json")
        if ("--diff" not in arguments)
        else run(*arguments.split(), "hostile.json")
    )
    assert err
    assert not CONTROLS.search(out + err)
    assert not [line for line in (out + err).splitlines() if line.startswith(("gnp", "::"))]


def test_quiet_is_the_result_alone(call):
    assert call("salvage", "broken.json", "-q")[2] == ""
    assert call("fix", "half.json", "-q")[::2] == (1, "")
    assert call("salvage", "gone.json", "-q")[2] != ""


@pytest.mark.parametrize("command", ["salvage", "fix", "fix --diff", "excerpt --max-bytes 9000000"])
def test_a_reader_that_goes_away_ends_it_quietly(environment, here, command):
    child = ',\n{"id":"c-%d","role":"Row","selected":false,"title":"' + "x" * 100 + '"}'
    children = "".join(child % number for number in range(9000))
    (here / "large.json").write_text(HEAD + ',"children":[' + children[1:] + "]}}")
    assert unread(environment, *command.split(), "large.json") == (2, b"")
