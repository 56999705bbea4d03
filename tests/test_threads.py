"""Threads, forks and signals: what goes on beside a check, on both engines.

Comes in: real threads and processes. Goes out: a failure where one waits for another, where a
report is of two states of a buffer, or where Ctrl-C is not heard.
"""

import json
import mmap
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import UserDict
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, repeat
from pathlib import Path

import pytest

CLEAN = b'{"protocol":"0.2.0","instance":"k3f9x2","root":{"id":"app","role":"Application"}}'
FAULTY = CLEAN.replace(b'"app"', '"ä b","title":"\\ud800 ü"'.encode())
LARGE = b" " * 70_000  # more than what is read under the interpreter's lock
ROOT = Path(__file__).parent.parent


class Beside:
    """Something that another thread does again and again meanwhile."""

    def __init__(self, work):
        self._work, self._over = work, threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.error = None

    def _run(self):
        try:
            while not self._over.is_set():
                self._work()
        except Exception as error:  # noqa: BLE001 -- told below
            self.error = error

    def __enter__(self):
        self._thread.start()

    def __exit__(self, *_):
        self._over.set()
        self._thread.join()
        assert self.error is None


@pytest.fixture
def switching():
    """Threads take turns as often as they can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


# --- one validator, many threads ---


@pytest.mark.usefixtures("switching")
def test_threads_share_a_validator(engine):
    validator = engine.Validator(limits=engine.Limits(title_characters=3))
    answers = [CLEAN, FAULTY, LARGE + FAULTY, b"[", CLEAN.decode(), {"protocol": 1}, UserDict()]
    wanted = [(validator.check(data), validator.is_valid(data)) for data in answers]

    def work(_):
        told = [(validator.check(data), validator.is_valid(data)) for data in answers]
        chunks = [FAULTY[at : at + 9] for at in range(0, len(FAULTY), 9)]
        return told == wanted and validator.check_chunks(chunks) == wanted[1][0]

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(80)))


@pytest.mark.usefixtures("switching")
def test_threads_read_one_report(engine):
    for _ in range(20):
        report = engine.check(FAULTY)
        with ThreadPoolExecutor(8) as pool:
            told = list(pool.map(lambda _, report=report: repr(report.to_dict()), range(8)))
        assert len(set(told)) == 1


def test_other_threads_run_while_a_large_answer_is_read(engine):
    turns = []
    data = b"[" + b"1," * (1 << 18)
    with Beside(lambda: turns.append(time.sleep(0.001))):
        engine.check(data)
    assert len(turns) > 2


def test_other_threads_run_while_small_chunks_are_read(engine):
    chunks, begun = [b" "] * (1 << 22), threading.Event()

    def first():
        begun.set()
        yield b" "

    def end():
        begun.wait()
        chunks.clear()

    thread = threading.Thread(target=end)
    thread.start()
    report = engine.Validator().check_chunks(chain(first(), chunks))
    thread.join()
    assert report.findings[0].offset < 1 << 22


FIRST = """
import threading
import elementguard
from collections import UserDict
barrier, told = threading.Barrier(16), []
def work(number):
    barrier.wait()
    data = [{data!r}, UserDict(protocol="0.2.0"), b"[]", {data!r} + b" " * 70_000][number % 4]
    told.append((number % 4, elementguard.check(data).to_json()))
threads = [threading.Thread(target=work, args=[number]) for number in range(16)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
assert len(told) == 16 and len(set(told)) == 4, told
"""


@pytest.mark.parametrize("_round", range(5))
def test_first_calls_at_once(environment, _round):
    code = FIRST.format(data=CLEAN)
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, timeout=20)


def test_the_module_says_that_it_needs_no_lock():
    source = (ROOT / "rust" / "elementguard-python" / "src" / "lib.rs").read_text("utf-8")
    assert re.findall(r"#\[pymodule\((.*)\)\]", source) == ["gil_used = false"]


# --- buffers that change meanwhile ---


@pytest.mark.usefixtures("switching")
@pytest.mark.parametrize("form", [lambda buffer: buffer, memoryview], ids=["array", "view"])
@pytest.mark.parametrize("size", [0, 300_000])
def test_a_buffer_that_is_written_to_is_read_in_one_state(engine, form, size):
    buffer = bytearray(CLEAN + b" " * size)
    place = len(buffer) // 2

    def write():
        old = buffer[place]
        buffer[place] = 0xFF
        buffer[place] = old

    def of_chunks(data):
        return engine.Validator().check_chunks([data])

    with Beside(write):
        for check in [engine.check, of_chunks] * 60:
            findings = [(f.code, f.offset) for f in check(form(buffer)).findings]
            assert findings in ([], [("json-encoding", place)])


@pytest.mark.usefixtures("switching")
def test_a_buffer_that_is_resized_is_read_in_one_state(engine):
    buffer = bytearray(CLEAN)

    def resize():
        try:
            buffer.clear()
            buffer.extend(CLEAN)
        except BufferError:  # it is being read
            pass

    with Beside(resize):
        for _ in range(300):
            stream = engine.Validator().stream()
            stream.feed(buffer)
            for report in (engine.check(buffer), stream.finish()):
                assert report.ok or dict(report.counts) == {"json-truncated": 1}
    buffer.append(0)


# --- streams ---


@pytest.mark.usefixtures("switching")
def test_a_stream_is_of_one_thread_at_a_time(engine):
    stream, fed, refused = engine.Validator().stream(), [], []
    chunk = b" " * 200_000

    def feed():
        for _ in range(20):
            try:
                assert stream.feed(chunk)
                fed.append(len(chunk))
            except ValueError as error:
                refused.append(str(error))

    threads = [threading.Thread(target=feed) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(refused) <= {"stream: another call is reading"}
    assert len(fed) + len(refused) == 80
    assert fed
    assert stream.feed(CLEAN)
    assert stream.finish().summary.bytes == sum(fed) + len(CLEAN)


def test_a_stream_goes_from_thread_to_thread(engine):
    stream = engine.Validator().stream()
    for at in range(0, len(FAULTY), 7):
        thread = threading.Thread(target=stream.feed, args=[FAULTY[at : at + 7]])
        thread.start()
        thread.join()
    assert stream.finish() == engine.check(FAULTY)


# --- forks ---

FORK = """
import os, signal, sys, threading
import elementguard
data = {data!r} + b" " * 300_000
validator = elementguard.Validator()
stream = validator.stream()
stream.feed(data[:40])
wanted = validator.check(data)
over = threading.Event()
def work():
    while not over.is_set():
        validator.check(data)
threads = [threading.Thread(target=work) for _ in range({threads})]
[thread.start() for thread in threads]
child = os.fork()
if child == 0:
    signal.alarm(10)
    stream.feed(data[40:])
    same = [validator.check(data) == wanted, elementguard.check(data) == wanted]
    os._exit(not all([*same, stream.finish() == wanted, not elementguard.is_valid(data)]))
stream.feed(data[40:])
assert stream.finish() == wanted
over.set()
[thread.join() for thread in threads]
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks on this system")
@pytest.mark.parametrize("threads", [0, 3])
def test_a_fork_goes_on(environment, threads):
    code = FORK.format(data=FAULTY, threads=threads)
    # A fork beside threads is warned of by Python itself.
    command = [sys.executable, "-W", "ignore", "-c", code]
    subprocess.run(command, env=environment, check=True, timeout=60)


# --- Ctrl-C ---

OPEN = CLEAN[:-2] + b',"attributes":{"a":['
NUMBERS = OPEN + b"1," * (48 << 20)


class StopError(Exception):
    """What the signal's handler raises."""


@pytest.fixture
def stopped():
    """Calls something that a signal stops a moment later; gives how long that took.

    Both are counted in the processor's time: what else the machine does must not matter.
    """

    def stop(*_):
        raise StopError

    def begin(call, given):
        signal.setitimer(signal.ITIMER_PROF, 0.01)
        call(*given)

    def stopped(call, *given):
        started = time.process_time()
        try:
            with pytest.raises(StopError):
                begin(call, given)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        return time.process_time() - started

    before = signal.signal(signal.SIGPROF, stop)
    yield stopped
    signal.signal(signal.SIGPROF, before)


def mapped(data):
    region = mmap.mmap(-1, len(data))
    region.write(data)
    return region


def of_objects(_):
    answer = json.loads(CLEAN)
    answer["root"]["attributes"] = {"a": [1] * 20_000_000}
    return answer


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers on this system")
@pytest.mark.parametrize(
    "form",
    [bytes, bytearray, bytes.decode, mapped, of_objects],
    ids=["bytes", "bytearray", "str", "mmap", "objects"],
)
def test_a_signal_is_heard_within_a_second(engine, stopped, form):
    data = form(NUMBERS)
    assert stopped(engine.check, data) < 1
    assert stopped(engine.is_valid, data) < 1
    assert engine.check(CLEAN).ok


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers on this system")
def test_a_signal_is_heard_where_chunks_do_not_end(engine, stopped):
    assert stopped(engine.Validator().check_chunks, repeat(b" ")) < 1


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers on this system")
@pytest.mark.parametrize("form", [bytes, mapped], ids=["bytes", "mmap"])
def test_a_stream_that_is_broken_off_says_so(engine, stopped, form):
    stream = engine.Validator().stream()
    assert stopped(stream.feed, form(NUMBERS)) < 1
    for call in (lambda: stream.feed(b"]"), stream.finish):
        with pytest.raises(ValueError, match=r"^stream: an earlier call was broken off"):
            call()
    assert not stream.failed


def test_a_handler_cannot_feed_the_stream_that_is_reading(engine):
    stream, told = engine.Validator().stream(), []

    def feed(*_):
        try:
            stream.feed(b"]")
        except ValueError as error:
            told.append(str(error))

    before = signal.signal(signal.SIGPROF, feed)
    # So long, whichever engine it is, that the signal comes meanwhile.
    chunk = b"1," * (32 << 20 if engine.engine == "rust" else 1 << 19)
    stream.feed(OPEN)
    signal.setitimer(signal.ITIMER_PROF, 0.02)
    try:
        stream.feed(chunk)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    assert told == ["stream: another call is reading"]
    assert stream.feed(b"1]}}}")
    assert stream.finish().ok


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_ends_the_command_line(environment, tmp_path):
    path = tmp_path / "large.ndjson"
    path.write_bytes(NUMBERS[: 8 << 20] * 12)
    with subprocess.Popen(
        [sys.executable, "-m", "elementguard", "check", "-v", "clean.json", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env=environment,
    ) as process:
        # What comes first is told: then the large one is being read.
        assert b" engine, rules " in process.stderr.readline()
        assert b"clean.json: No such file" in process.stderr.readline()
        time.sleep(0.05)
        started = time.perf_counter()
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
        assert time.perf_counter() - started < 10  # the machine may be busy
    assert process.returncode == 130
    assert out == b"interrupted: 0 answers, 1 could not be checked, no findings\n"
