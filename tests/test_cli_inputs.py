"""The command line: what comes in by which way, and that nothing comes in twice or not at all."""

import gzip
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from cli_answers import CLEAN, CONTROLS, WARNED, WRONG

# --- ways in ---


def test_no_argument_reads_what_is_piped_in(run):
    assert run("check", stdin=WARNED)[:2] == run("check", "-", stdin=WARNED)[:2]
    code, out, _ = run("check", stdin=WRONG)
    assert code == 1
    assert out.startswith("<stdin>:1:")


def test_an_empty_pipe_is_no_clean_answer(run):
    code, out, _ = run("check", stdin="")
    assert (code, out.splitlines()[-1]) == (1, "failed: 1 answer, 1 error")
    assert "json-truncated" in out


def test_no_argument_on_a_terminal_is_wrong_usage(environment, here):
    controller, terminal = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "elementguard", "check"],
        stdin=terminal,
        capture_output=True,
        cwd=here,
        env=environment,
        check=False,
        timeout=60,
    )
    os.close(controller)
    os.close(terminal)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"pipe an answer in" in done.stderr


def test_no_stdin_at_all_is_said(environment, here):
    for arguments in (["check"], ["check", "-"]):
        command = ["python", "-m", "elementguard", *arguments]
        script = f"import os, sys; os.close(0); os.execv(sys.executable, {command!r})"
        done = subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            cwd=here,
            env=environment,
            check=False,
            timeout=60,
        )
        assert done.returncode == 2, done.stderr
        assert b"Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no /dev/fd on this system")
@pytest.mark.parametrize(
    "way", ["- < a.json", "<(cat a.json)", "/dev/stdin < a.json", "< a.json", "pipe.json"]
)
def test_pipes_are_read_once(environment, here, way):
    (here / "a.json").write_text(WARNED)
    os.mkfifo(here / "pipe.json")
    feed = "cat a.json > pipe.json & " if way == "pipe.json" else ""
    command = f"{feed}'{sys.executable}' -m elementguard check --output-format json {way}"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, env=environment, check=False, timeout=60
    )
    (item,) = json.loads(done.stdout)["inputs"]
    assert done.returncode == 0
    assert item["report"]["findings"][0]["offset"] == WARNED.index("false")


def test_stdin_has_the_name_it_is_given(run):
    lines = f"{CLEAN}\n{WRONG}\n"
    code, out, _ = run("check", "--stdin-filename", "from/app.ndjson", stdin=lines)
    assert code == 1
    assert out.startswith("from/app.ndjson:2:")
    packed = gzip.compress(WRONG.encode())
    assert run("check", "-", "--stdin-filename", "a.json.gz", stdin=packed)[0] == 1


def test_stdin_twice_is_read_once(run):
    assert "passed: 1 answer," in run("check", "-", "-", stdin=CLEAN)[1]


@pytest.mark.parametrize(
    "name", ["many.ndjson", "many.jsonl", "many.ndjson.gz", "many.txt", "many.json"]
)
def test_lines_are_answers_of_their_own(call, here, name):
    lines = [
        b"\xff\xfe",
        b"",
        WARNED.encode(),
        b"   \r",
        b"[",
        WRONG.encode() + b"\r",
        CLEAN.encode(),
    ]
    data = b"\n".join(lines)
    (here / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    flags = ["--lines"] if name.endswith((".txt", ".json")) else []
    code, out, _ = call("check", name, "--output-format", "json", *flags)
    assert code == 1
    items = json.loads(out)["inputs"]
    assert [item["line"] for item in items] == [1, 3, 5, 6, 7]
    first, second, third, fourth, fifth = (item["report"]["findings"] for item in items)
    assert [(one["code"], one["offset"]) for one in first] == [("json-encoding", 0)]
    assert [(one["code"], one["offset"]) for one in second] == [
        ("false-state", WARNED.index("false"))
    ]
    assert [(one["code"], one["offset"]) for one in third] == [("json-truncated", 1)]
    assert [(one["code"], one["offset"]) for one in fourth] == [
        ("root-not-application", WRONG.index('"Group'))
    ]
    assert fifth == []
    code, out, _ = call("check", name, "--output-format", "concise", *flags)
    assert [line.split(": ")[0] for line in out.splitlines()] == [
        f"{name}:1:1",
        f"{name}:3:{WARNED.index('false') + 1}",
        f"{name}:5:2",
        f"{name}:6:{WRONG.index('Group')}",
    ]


def test_only_line_feeds_end_a_line(call, here):
    inside = WARNED.replace("w-1", "w\u2028\x85\x0b1").replace("{", "{\r", 1)
    (here / "odd.ndjson").write_text(f"{inside}\n{CLEAN}", newline="")
    _, out, _ = call("check", "odd.ndjson", "--output-format", "json")
    assert [item["line"] for item in json.loads(out)["inputs"]] == [1, 2]


def test_a_packed_file_that_is_cut_or_none_is_said_and_the_rest_read(call, here):
    packed = gzip.compress((f"{WRONG}\n" * 50).encode())
    (here / "cut.ndjson.gz").write_bytes(packed[:-20])
    (here / "none.json.gz").write_text(CLEAN)
    (here / "other.json.xz").write_text(CLEAN)
    code, out, err = call("check", "cut.ndjson.gz", "none.json.gz", "other.json.xz", "clean.json")
    assert code == 2
    assert "elementguard: cut.ndjson.gz: " in err
    assert "elementguard: none.json.gz: Not a gzipped file" in err
    assert "elementguard: other.json.xz: of compressed files only .gz and .zst can be read" in err
    assert "3 could not be checked" in out.splitlines()[-1]


def test_directories_are_searched_in_order(call, here):
    for name in (
        "b/2.json",
        "b/10.json",
        "b/a/x.ndjson",
        "b/z.jsonl.gz",
        "b/no.txt",
        "b/.git/x.json",
        "b/.x.json",
    ):
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        text = f"{CLEAN}\n".encode()
        (here / name).write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    os.mkfifo(here / "b" / "pipe.json")
    _, out, _ = call("check", "b", "--output-format", "json")
    names = [item["name"] for item in json.loads(out)["inputs"]]
    assert names == ["b/.x.json", "b/10.json", "b/2.json", "b/a/x.ndjson", "b/z.jsonl.gz"]


def test_links_neither_loop_nor_multiply(call, here):
    d = here / "d"
    d.mkdir()
    (d / "a.json").write_text(WRONG)
    (d / "up").symlink_to("../d")
    (d / "b.json").symlink_to("a.json")
    (d / "c.json").symlink_to("nowhere")
    (d / "e.json").symlink_to("e.json")
    os.link(d / "a.json", d / "f.json")
    code, out, err = call("check", "d")
    assert code == 2
    assert out.count("root-not-application") == 1
    assert out.splitlines()[-1] == "incomplete: 1 answer, 2 could not be checked, 1 error"
    assert [line.split(": ", 1)[1] for line in err.splitlines()] == [
        "d/c.json: No such file or directory",
        "d/e.json: Too many levels of symbolic links",
    ]
    assert call("check", "d", "d/a.json", "d/up", "d/b.json", "d/../d") == (code, out, err)
    assert call("check", "d/up", "d") == (
        code,
        out.replace("d/a", "d/up/a"),
        err.replace("d/", "d/up/"),
    )


def test_a_directory_without_answers_is_said(call, here):
    (here / "empty" / "deep").mkdir(parents=True)
    code, out, err = call("check", "empty")
    assert code == 2
    assert "empty: no file in it ends in .json" in err
    assert out.startswith("incomplete: ")
    (here / "empty" / "deep" / "a.json").write_text(CLEAN)
    assert call("check", "empty/deep", "empty")[0] == 0


def test_what_may_not_be_read_is_said_and_the_rest_read(call, monkeypatch):
    def refused(method):
        def call(path, *arguments, **options):
            if path.name in ("clean.json", ""):
                raise PermissionError(13, "Permission denied")
            return method(path, *arguments, **options)

        return call

    monkeypatch.setattr(Path, "open", refused(Path.open))
    code, out, err = call("check", "clean.json", "wrong.json")
    assert (code, err) == (2, "elementguard: clean.json: Permission denied\n")
    assert "root-not-application" in out
    monkeypatch.setattr(Path, "iterdir", refused(Path.iterdir))
    code, out, err = call("check", ".", "wrong.json")
    assert (code, err) == (2, "elementguard: .: Permission denied\n")
    assert "root-not-application" in out


def test_what_cannot_be_opened_is_said_without_a_trace(call):
    code, _, err = call("check", "a\0b", "x" * 5000, "clean.json/x")
    assert code == 2
    assert len(err.splitlines()) == 3
    assert not CONTROLS.search(err)


@pytest.mark.parametrize("form", ["text", "concise", "json"])
def test_names_of_files_that_are_no_text(run, here, form):
    name = b"we\xff\x1b[2J\n\xe2\x80\xae.json"
    Path(os.fsdecode(bytes(here) + b"/" + name)).write_text(WRONG)
    code, out, err = run("check", "--output-format", form, os.fsdecode(name))
    assert code == 1
    assert not CONTROLS.search(out + err)
    told = out if form != "json" else json.loads(out)["inputs"][0]["name"]
    assert told.startswith("we\\xff\\u001b[2J\\u000a\\u202e.json")
