"""The command line: lines without a finding are only counted, and nothing else is told of the rest.

Comes in: lines of every kind, cut into blocks of every size. Goes out: a failure where a line is
told otherwise than by itself, or counted twice or not at all.
"""

import gzip
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

import pytest

from cli_answers import ALL, CLEAN, CUT, NOTED, WARNED, WRONG
from elementguard import Validator
from elementguard.cli import answer, main, sifted

KINDS = [CLEAN, CLEAN, CLEAN, WARNED, NOTED, WRONG, ALL, CUT, "", "  ", "\r", "\t ", "{}", "\xa0"]
LONG = CLEAN.replace("}}", f',"description":"{"d" * 5_000}"}}}}')


def many(seed, ends_well):
    """Lines of all kinds, some long, with both line ends."""
    chance = random.Random(seed)
    kinds = chance.choices([*KINDS, LONG, LONG.replace("Application", "Group")], k=300)
    text = "".join(line + chance.choice(["\n", "\r\n"]) for line in kinds)
    return (text if ends_well else text + WRONG).encode()


def by_itself(data):
    """For each line that is no blank one: its number, and what is found in it."""
    validator = Validator()
    lines = [line.removesuffix(b"\r") for line in data.split(b"\n")]
    return {
        number: [(one.code, one.offset) for one in validator.check(line).findings]
        for number, line in enumerate(lines, 1)
        if line.strip(b" \t\r\n")
    }


@pytest.fixture(params=[(1, 1), (64, 256), (3_000, 8_000), (1 << 20, 1 << 23)])
def block(request, monkeypatch):
    """How large blocks are, and how long a line may be."""
    monkeypatch.setattr(sifted, "_BLOCK", request.param[0])
    monkeypatch.setattr(sifted, "_LONGEST", request.param[1])
    return request.param[0]


@pytest.mark.parametrize("jobs, ends_well", [("1", True), ("3", False), ("2", True)])
def test_each_line_is_told_as_by_itself(call, here, block, jobs, ends_well):
    data = many(block, ends_well)
    (here / "many.jsonl").write_bytes(data)
    arguments = ("many.jsonl", "--jobs", jobs, "--notes", "--output-format", "gitlab=found.json")
    code, _, _ = call("check", *arguments, "--output-format", "concise")
    assert code == 1
    found = json.loads((here / "found.json").read_text())
    told = [(one["location"]["lines"]["begin"], one["check_name"]) for one in found]
    lines = by_itself(data)
    assert told == [(number, one) for number, all_ in lines.items() for one, _ in all_]
    code, out, _ = call("check", "many.jsonl", "--jobs", jobs)
    assert out.splitlines()[-1].startswith(f"failed: {len(lines)} answers, ")


def test_the_engine_sifts_as_it_checks(engine):
    data = many(7, ends_well=False)
    lines = by_itself(data)
    asked = engine.Validator()
    checker = asked._core.Checker(asked.limits._values, asked._levels, asked.kind)
    count, answers, told = checker.sift(data)
    assert (count, answers) == (data.count(b"\n") + 1, len(lines))
    assert [at + 1 for at, _, _ in told] == [at for at, found in lines.items() if found]
    for at, start, end in told:
        assert data[start:end] == data.split(b"\n")[at].removesuffix(b"\r")
    around = b"[}\n" + data + b"\n{]\n"
    moved = [(at, start + 3, end + 3) for at, start, end in told]
    assert checker.sift(around, 3, 3 + len(data)) == (count, answers, moved)
    last = (count, len(around) - 3, len(around) - 1)
    assert checker.sift(around, 3) == (count + 1, answers + 1, [*moved, last])
    assert checker.sift(b"") == (0, 0, [])
    assert checker.sift(b"\n\r\n") == (2, 0, [])


@pytest.mark.parametrize("wanted", ["json", "jsonl", "junit"])
def test_formats_that_tell_of_clean_answers_get_them(call, here, wanted):
    (here / "many.jsonl").write_text(f"{CLEAN}\n{WRONG}\n{CLEAN}\n")
    _, out, _ = call("check", "many.jsonl", "--output-format", wanted)
    for number in (1, 2, 3):
        assert f"many.jsonl:{number}" in out or f'"line":{number}' in out


def test_what_was_read_before_a_fault_is_told(call, here):
    whole = gzip.compress(f"{WRONG}\n".encode() * 5_000, mtime=0)
    (here / "many.jsonl.gz").write_bytes(whole[:-200])
    code, out, err = call("check", "many.jsonl.gz", "--output-format", "concise")
    assert code == 2
    assert out.count("root-not-application") > 100
    assert "many.jsonl.gz: " in err


def test_limits_and_levels_are_asked_of_each_line(call, here):
    (here / "many.jsonl").write_text(f"{CLEAN}\n{LONG}\n{WRONG}\n")
    arguments = ("--limit", "bytes=1000", "--ignore", "root-not-application")
    code, out, _ = call("check", "many.jsonl", *arguments, "--output-format", "concise")
    assert code == 1
    assert [line.split(" ")[2] for line in out.splitlines()] == ["limit-bytes:"]


@pytest.mark.usefixtures("engine")
def test_lines_from_standard_input(run):
    code, out, err = run("check", "--lines", "-", "--jobs", "2", stdin=f"{CLEAN}\n\n{CLEAN}")
    assert (code, out, err) == (0, "passed: 2 answers, no findings\n", "")


@pytest.mark.parametrize(
    "case",
    [("many.jsonl", 900, True), ("many.jsonl", 9, False), ("-", 900, False), ("pipe", 9, False)],
)
def test_threads_read_large_files_alone(call, here, monkeypatch, case):
    name, lines, by_threads = case
    readers = set()
    read = answer.pieces

    def watched(*arguments):
        for piece in read(*arguments):
            readers.add(threading.current_thread())
            yield piece

    monkeypatch.setattr(answer, "pieces", watched)
    monkeypatch.setattr(sifted, "_BLOCK", 4_096)
    (here / "many.jsonl").write_text(f"{CLEAN}\n" * lines)
    source = os.open("many.jsonl", os.O_RDONLY)
    if name == "pipe":
        file, (source, into) = source, os.pipe()
        os.write(into, os.read(file, 1 << 16))
        os.close(into)
        os.close(file)
    with os.fdopen(source) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        named = name if name == "many.jsonl" else "-"
        code, told, _ = call("check", "--lines", named, "--jobs", "2")
    assert (code, told) == (0, f"passed: {lines} answers, no findings\n")
    assert (threading.current_thread() not in readers) is by_threads
    assert readers


def test_lines_are_read_where_there_is_no_standard_input(call, here, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)  # a process may be started without
    (here / "many.jsonl").write_text(f"{CLEAN}\n" * 9)
    told = call("check", "many.jsonl", "--jobs", "2")
    assert told == (0, "passed: 9 answers, no findings\n", "")


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_ends_a_wait_for_a_pipe(environment, here):
    command = [sys.executable, "-m", "elementguard", "check", "--lines", "-", "--jobs", "2"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=here, env=environment
    ) as process:
        process.stdin.write(f"{CLEAN}\n".encode() * 2_000)  # more than fits a pipe: it is read
        process.stdin.flush()
        time.sleep(0.3)  # until it waits for more
        process.send_signal(signal.SIGINT)
        code = process.wait(timeout=60)
        told = process.stdout.read(), process.stderr.read()
    assert (code, *told) == (130, b"interrupted: 0 answers, no findings\n", b"")


@pytest.mark.parametrize("jobs", ["0", "-1", "x", "257", "1.5", ""])
def test_a_number_of_threads_that_cannot_be(call, jobs):
    assert call("check", "clean.json", "--jobs", jobs)[0] == 2
    assert main(["check", "clean.json", "--jobs", "2"]) == 0
