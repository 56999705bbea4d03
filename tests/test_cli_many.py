"""The command line: large files are checked in threads, and nobody can tell but by the clock.

Comes in: folders of answers of every size and kind. Goes out: a failure where another number of
threads, or another order in which they end, changes a byte of what is told.
"""

import gzip
import random
import re
import signal
import subprocess
import sys
import time

import pytest

from cli_answers import ALL, CLEAN, CUT, HEAD, WARNED, WRONG
from elementguard.cli import inputs
from elementguard.cli.threads import Threads

FORMATS = ("text", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit", "markdown")


def padded(text, size):
    """The same answer, so many bytes longer: white space before its last brace."""
    return text[:-1] + " " * size + text[-1:]


@pytest.fixture
def folder(here):
    """Files of every size and kind, some of which cannot be read."""
    chance = random.Random(5)
    folder = here / "many"
    (folder / "deep").mkdir(parents=True)
    for number in range(24):
        text = padded(
            chance.choice([CLEAN, WARNED, WRONG, ALL, CUT]), chance.choice([0, 900, 9000])
        )
        (folder / f"{number}.json").write_text(text)
    (folder / "gone.json").symlink_to("nowhere")
    (folder / "deep" / "a.json.gz").write_bytes(gzip.compress(padded(ALL, 9000).encode(), mtime=0))
    (folder / "deep" / "b.json.gz").write_bytes(b"none at all" * 100)
    (folder / "deep" / "c.jsonl").write_text(f"{WRONG}\n{padded(ALL, 3000)}\n" * 9)
    return folder


@pytest.fixture
def large(monkeypatch):
    """From a hundred bytes on, a file is worth a thread."""
    monkeypatch.setattr(inputs, "_LARGE", 100)


@pytest.mark.usefixtures("large", "folder")
@pytest.mark.parametrize("form", FORMATS)
def test_the_number_of_threads_changes_no_byte(call, form):
    arguments = ("check", "many", "wrong.json", "many/3.json", "--output-format", form, "--notes")
    serial = call(*arguments, "--jobs", "1")
    assert serial[0] == 2
    assert serial[1].count("root-not-application") > 10
    for jobs in ("2", "7"):
        assert call(*arguments, "--jobs", jobs) == serial
    assert call(*arguments) == serial


@pytest.mark.usefixtures("large", "folder")
def test_large_files_are_checked_in_threads_and_small_ones_are_not(call, monkeypatch):
    begun = []
    begin = Threads.begin

    def counted(threads, work):
        begun.append(work)
        return begin(threads, work)

    monkeypatch.setattr(Threads, "begin", counted)
    call("check", "many", "--jobs", "1", "--output-format", "json")
    assert begun == []
    call("check", "many", "--jobs", "3", "--output-format", "json")
    assert 10 < len(begun) < 30
    begun.clear()
    monkeypatch.setattr(inputs, "_LARGE", 64 << 10)
    call("check", "many", "--jobs", "3", "--output-format", "json")
    assert begun == []


@pytest.mark.usefixtures("large")
def test_few_files_are_open_at_once(call, here, monkeypatch):
    for number in range(200):
        (here / f"f{number:03}.json").write_text(padded(WRONG, 200))
    most, told = 0, []
    begun = inputs._pending

    def counted(one, reading):
        pending = begun(one, reading)
        told.append(pending)
        return pending

    monkeypatch.setattr(inputs, "_pending", counted)
    finished = inputs._finished

    def seen(*arguments):
        nonlocal most
        most = max(most, sum(one is not None for one in told))
        yield from finished(*arguments)
        told.remove(arguments[1])

    monkeypatch.setattr(inputs, "_finished", seen)
    assert call("check", ".", "--jobs", "4", "-q", "--output-format", "concise")[0] == 1
    assert most == 8


@pytest.mark.usefixtures("large")
def test_a_fault_of_ours_in_a_thread_is_told_of_its_file(call, here, monkeypatch):
    def broken(*_):
        raise RuntimeError("a fault")

    (here / "large.json").write_text(padded(WRONG, 200))
    monkeypatch.setattr("elementguard.Validator.check", broken)
    code, out, err = call("check", "large.json", "gone.json", "--jobs", "2")
    assert code == 2
    assert err.splitlines() == [
        "elementguard: large.json: internal error: RuntimeError: a fault",
        "elementguard: gone.json: No such file or directory",
    ]
    assert out.startswith("incomplete: 0 answers, 2 could not be checked")


def test_what_threads_do_comes_back_in_order_and_so_does_what_they_raise():
    with Threads(3) as threads:
        waits = [0.05, 0, 0.02, 0]
        pending = [threads.begin(lambda wait=wait: (time.sleep(wait), wait)[1]) for wait in waits]
        assert [one.result() for one in pending] == waits
        fault = threads.begin(lambda: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            fault.result()
        assert threads.begin(lambda: 7).result() == 7
    assert not any(thread.is_alive() for thread in threads._threads)


def test_an_interrupt_may_come_while_a_thread_is_started(monkeypatch):
    def interrupted(_thread):
        raise KeyboardInterrupt

    monkeypatch.setattr("elementguard.cli.threads.Thread.start", interrupted)
    with pytest.raises(KeyboardInterrupt), Threads(2) as threads:
        threads.begin(print)


def test_nobody_waits_for_a_thread_that_hangs():
    started = time.perf_counter()
    with Threads(2) as threads:
        threads.begin(lambda: time.sleep(30))
        late = threads.begin(lambda: threads.begin(print))
        late.result()
    assert time.perf_counter() - started < 10


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("kind", ["files", "lines"])
def test_ctrl_c_ends_it_with_what_was_found(environment, here, kind):
    item = b'{"id":"x-%d","role":"Row","title":"one of very many rows"},'
    items = b"".join(item % number for number in range(40_000))
    whole = HEAD.encode() + b',"children":[' + items[:-1] + b"]}}"
    (here / "1.json").write_text(WRONG)
    for number in range(2, 60):
        (here / f"{number}.json").write_bytes(whole)
    (here / "many.ndjson").write_bytes((WRONG.encode() + b"\n") * 9_000 + (whole + b"\n") * 60)
    names = ["many.ndjson"] if kind == "lines" else [f"{number}.json" for number in range(1, 60)]
    command = [sys.executable, "-m", "elementguard", "check", *names, "--output-format", "concise"]
    with subprocess.Popen(
        [*command, "--jobs", "2"],
        bufsize=0,  # or `communicate` would miss what was read ahead
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=here,
        env={**environment, "PYTHONUNBUFFERED": "1"},
    ) as process:
        first = process.stdout.readline()
        started = time.perf_counter()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        spent = time.perf_counter() - started
    assert process.returncode == 130
    assert spent < 10  # the machine may be busy
    found = [first, *out.splitlines(keepends=True)]
    assert not [line for line in found if b": error root-not-application: " not in line]
    (verdict,) = err.decode().splitlines()
    assert re.fullmatch(r"interrupted: \d+ answers?, \d+ errors?", verdict)
    assert int(verdict.split()[-2]) == len(found)
