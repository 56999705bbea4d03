"""An answer in chunks gives the report that it gives in one buffer, on both engines.

Comes in: the vectors and any input that Hypothesis finds, cut anywhere. Goes out: a failure where a
cut shows, where a verdict comes too late, where a stream goes on behind its end, or keeps a buffer.
Files and lines are told of in `test_files.py`, threads and Ctrl-C in `test_threads.py`.
"""

import array
import asyncio
import ctypes
import mmap
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

sys.path.insert(0, str(Path(__file__).parent))

from strategies import drawn, text_case
from written_reports import seen, vectors

CLEAN = b'{"protocol":"0.2.0","instance":"k3f9x2","root":{"id":"app","role":"Application"}}'
FAULTY = CLEAN.replace(b'"app"', '"ä b","title":"\\ud800 ü"'.encode())
BAD = b'{"protocol":"0.2.0",}'

VECTORS = [vector for vector in vectors() if vector.report["way"] == "bytes"]
FATAL = [vector for vector in VECTORS if vector.report["fatal"] and not vector.limits]

usual = settings(
    max_examples=int(os.environ.get("ELEMENTGUARD_EXAMPLES", "150")),
    deadline=None,  # the machine may be busy
    database=None,  # an input that failed once belongs among the vectors
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def each(some):
    return pytest.mark.parametrize("vector", some, ids=[vector.name for vector in some])


def of_size(data, size):
    return [data[at : at + size] for at in range(0, len(data), size)]


def too_long(vector):
    """Of chunks, the length is not known beforehand: another fatal error may come first."""
    most = vector.limits.get("bytes")
    return most is not None and len(vector.file) > most


# --- the same report ---


@each([vector for vector in VECTORS if not too_long(vector)])
def test_a_vector_in_chunks(engine, vector):
    validator = vector.validator(engine)
    for size in (1, 2, 3, 7, 64):
        chunks = of_size(vector.file, size)
        assert seen(validator.check_chunks(chunks)) == vector.result, size


@each([v for v in VECTORS if len(v.file) < 150 and not too_long(v)])
def test_a_vector_in_two_wherever_it_is_cut(engine, vector):
    validator = vector.validator(engine)
    for at in range(len(vector.file) + 1):
        report = validator.check_chunks([vector.file[:at], b"", vector.file[at:]])
        assert seen(report) == vector.result, at


def cut_case(rnd):
    """An input, and where it is cut; many cuts stand close together, some in one place."""
    case = text_case(rnd)
    size = len(case.data)
    places = [rnd.randint(0, size) for _ in range(rnd.choice((0, 1, 2, 5, 40)))]
    if size and rnd.random() < 0.5:
        start = rnd.randint(0, size - 1)
        places += range(start, min(size, start + rnd.choice((3, 30, 300))))
    places = [0, *sorted(places), size]
    return case, [case.data[a:b] for a, b in pairwise(places)]


@usual
@given(drawn(cut_case))
def test_cuts_do_not_show(engines, given):
    case, chunks = given
    told = {}
    for name, core in engines.items():
        validator = case.validator(core)
        whole, cut = validator.stream(), validator.stream()
        whole.feed(case.data)
        fine = [cut.feed(chunk) for chunk in chunks]
        told[name] = whole.finish()
        assert cut.finish() == told[name] == validator.check_chunks(chunks)
        assert repr(cut.finish().to_dict()) == repr(told[name].to_dict())
        assert fine == sorted(fine, reverse=True)  # an error stays one
        assert fine[-1] or not told[name].ok  # and is one
        most = validator.limits.bytes
        if most is None or len(case.data) <= most:
            assert told[name] == validator.check(case.data)
    assert told["rust"] == told["python"]


@pytest.mark.parametrize("size", [65_535, 65_536, 1 << 20, 40 << 20])
def test_large_chunks(engine, size):
    padding = b" " * (size - len(FAULTY) // 2)
    data = padding + FAULTY + padding
    assert engine.Validator().check_chunks(of_size(data, size)) == engine.check(data)


# --- when an error is known ---


@each(FATAL)
def test_a_fatal_error_is_known_at_its_byte(engine, vector):
    stream, at = vector.validator(engine).stream(), 0
    while at < len(vector.file) and not stream.fatal:
        stream.feed(vector.file[at : at + 1])
        at += 1
    (finding,) = stream.finish().findings
    if finding.code == "json-truncated":
        assert at == finding.offset == len(vector.file)
    else:
        # A character that cannot stand there is read to its end: it may be none at all.
        longest = 1 if vector.file[finding.offset] < 0x80 else 4
        assert finding.offset < at <= finding.offset + longest


def test_the_limit_of_bytes_is_refused_at_the_byte_that_breaks_it(engine):
    stream = engine.Validator(limits=engine.Limits(bytes=9)).stream()
    assert [stream.feed(CLEAN[at : at + 1]) for at in range(11)] == [True] * 9 + [False] * 2
    (finding,) = stream.finish().findings
    assert (finding.code, finding.offset) == ("limit-bytes", 9)
    assert dict(finding.params)["actual"] == 10


def test_an_earlier_fatal_error_comes_before_the_limit_of_bytes(engine):
    validator = engine.Validator(limits=engine.Limits(bytes=9))
    (finding,) = validator.check_chunks([b"[,", CLEAN]).findings
    assert (finding.code, finding.offset) == ("json-syntax", 1)
    (finding,) = validator.check(b"[," + CLEAN).findings
    assert finding.code == "limit-bytes"


def test_an_error_that_is_not_fatal_ends_nothing(engine):
    data = CLEAN.replace(b'"app"', b'"a b","hovered":"x","url":1')
    stream = engine.Validator().stream()
    fine = [stream.feed(data[at : at + 1]) for at in range(len(data))]
    assert fine.index(False) <= data.index(b'"a b"') + 5
    assert (stream.failed, stream.fatal) == (True, False)
    assert stream.finish() == engine.check(data)


def test_levels_decide_what_an_error_is(engine):
    data = CLEAN.replace(b'"app"', b'"a b"')
    stream = engine.Validator(rules={"malformed-id": "warning"}).stream()
    assert stream.feed(data)
    assert not stream.failed
    assert stream.finish().ok


# --- at its end and behind it ---


def test_behind_a_fatal_error_chunks_are_ignored(engine):
    stream = engine.Validator().stream()
    assert not stream.feed(BAD)
    for _ in range(1000):
        assert not stream.feed(CLEAN)
    report = stream.finish()
    (finding,) = report.findings
    assert (finding.code, finding.offset) == ("json-syntax", 20)
    assert stream.finish() is report


@pytest.mark.parametrize("data", [CLEAN, BAD, b""])
def test_what_is_finished_stays_so(engine, data):
    stream = engine.Validator().stream()
    stream.feed(data)
    report = stream.finish()
    for chunk in (b"", b"{}", bytearray(b" ")):
        with pytest.raises(ValueError, match=r"^stream: it is finished; the next answer needs"):
            stream.feed(chunk)
    assert stream.finish() is report
    assert report == engine.check(data)
    assert (stream.failed, stream.fatal) == (not report.ok, not report.complete)
    assert "finished" in repr(stream)


def test_streams_of_one_validator_are_apart(engine):
    validator = engine.Validator()
    streams = [validator.stream() for _ in range(3)]
    for at in range(len(FAULTY)):
        for stream in streams:
            stream.feed(FAULTY[at : at + 1])
    assert [stream.finish() for stream in streams] == [engine.check(FAULTY)] * 3
    abandoned = validator.stream()
    abandoned.feed(FAULTY[:60])
    del abandoned
    assert validator.stream().finish() == engine.check(b"")


# --- what a chunk is ---

CHUNKS = {
    "bytes": bytes,
    "bytearray": bytearray,
    "view": memoryview,
    "view of a part": lambda data: memoryview(b"[[" + data + b"]")[2:-1],
    "writable view": lambda data: memoryview(bytearray(data)),
    "signed bytes": lambda data: memoryview(data).cast("b"),
    "characters": lambda data: memoryview(data).cast("c"),
    "several dimensions": lambda data: memoryview(data).cast("B", (1, len(data))),
    "array": lambda data: array.array("B", data),
}


@pytest.mark.parametrize("name", CHUNKS)
def test_bytes_likes_are_chunks(engine, name):
    stream = engine.Validator().stream()
    for chunk in of_size(FAULTY, 9):
        stream.feed(CHUNKS[name](chunk))
    assert stream.finish() == engine.check(FAULTY)


def test_a_mapped_file_is_a_chunk(engine, tmp_path):
    file = tmp_path / "answer"
    data = b" " * (3 << 20) + FAULTY
    file.write_bytes(data)
    with file.open("rb") as opened:
        mapped = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
    assert engine.Validator().check_chunks([mapped]) == engine.check(data)
    stream = engine.Validator().stream()
    with memoryview(mapped) as view:
        stream.feed(view[:-9])
        stream.feed(view[-9:])
    mapped.close()  # raises where a buffer is exported
    assert stream.finish() == engine.check(data)
    with pytest.raises(ValueError, match="closed"):
        engine.Validator().stream().feed(mapped)


@pytest.mark.parametrize(
    "chunk, found",
    [("{}", "str"), (None, "NoneType"), (7, "int"), ([b"{}"], "list"), ({}, "dict")],
)
def test_what_is_no_bytes_like_is_refused_at_once(engine, chunk, found):
    stream = engine.Validator().stream()
    for data in (CLEAN[:9], CLEAN[9:]):
        with pytest.raises(TypeError, match=rf"^chunk: a bytes-like object is needed, not {found}"):
            stream.feed(chunk)
        stream.feed(data)
    assert stream.finish().ok
    fatal = engine.Validator().stream()
    fatal.feed(BAD)
    with pytest.raises(TypeError):
        fatal.feed(chunk)
    with pytest.raises(TypeError):
        engine.Validator().check_chunks([CLEAN, chunk])


@pytest.mark.parametrize("chunk", [array.array("I", [1]), (ctypes.c_int * 2)()])
def test_a_buffer_of_more_than_bytes_is_refused(engine, chunk):
    stream = engine.Validator().stream()
    with pytest.raises(TypeError, match=r"^chunk: a memoryview of bytes is needed, not of format"):
        stream.feed(chunk)
    assert stream.feed(CLEAN)


def test_a_view_with_gaps_or_without_memory_is_refused(engine):
    stream = engine.Validator().stream()
    with pytest.raises(ValueError, match=r"^chunk: the memoryview is not contiguous$"):
        stream.feed(memoryview(CLEAN)[::2])
    gone = memoryview(CLEAN)
    gone.release()
    with pytest.raises(ValueError, match="released"):
        stream.feed(gone)
    assert stream.feed(CLEAN)
    assert stream.finish().ok


@pytest.mark.parametrize("data", [FAULTY, BAD, b" " * 100_000 + CLEAN])
def test_no_chunk_stays_exported_or_is_looked_at_again(engine, data):
    stream, chunk = engine.Validator().stream(), bytearray(data)
    references = sys.getrefcount(chunk)
    stream.feed(chunk)
    stream.feed(memoryview(chunk)[:0])
    assert sys.getrefcount(chunk) == references
    chunk[:] = b"\xff" * len(chunk)
    chunk.append(0)  # raises where a buffer is exported
    assert stream.finish() == engine.check(data)


# --- iterables ---


def test_iterables_are_not_asked_behind_a_fatal_error(engine):
    taken = []

    def endless(first):
        yield first
        while True:
            taken.append(1)
            yield b" " * 1000

    assert engine.Validator().check_chunks(endless(BAD)).counts == {"json-syntax": 1}
    assert not taken
    limited = engine.Validator(limits=engine.Limits(bytes=5500))
    assert limited.check_chunks(endless(b"")).findings[0].code == "limit-bytes"
    assert len(taken) == 6


@pytest.mark.parametrize("wrong", [7, None, b"{}", "{}"])
def test_no_chunks_are_no_answer(engine, wrong):
    assert engine.Validator().check_chunks([]) == engine.check(b"")
    with pytest.raises(TypeError):
        engine.Validator().check_chunks(wrong)


def test_what_an_iterable_raises_goes_through(engine):
    def failing():
        yield CLEAN[:20]
        raise ConnectionError("gone")

    with pytest.raises(ConnectionError, match="gone"):
        engine.Validator().check_chunks(failing())


def test_asynchronous_chunks(engine):
    waits = []

    async def received(data, size):
        for chunk in of_size(data, size):
            await asyncio.sleep(0)
            waits.append(1)
            yield chunk

    def check(*given):
        return asyncio.run(engine.Validator().check_async_chunks(received(*given)))

    assert check(FAULTY, 5) == engine.check(FAULTY)
    waits.clear()
    assert check(b"]" + CLEAN, 1).findings[0].code == "json-syntax"
    assert len(waits) == 1
    with pytest.raises(TypeError):
        asyncio.run(engine.Validator().check_async_chunks([CLEAN]))


def test_answers_come_in_at_once_in_one_event_loop(engine):
    validator = engine.Validator()

    async def received(data):
        for chunk in of_size(data, 3):
            await asyncio.sleep(0)
            yield chunk

    async def all_of(answers):
        calls = (validator.check_async_chunks(received(data)) for data in answers)
        return await asyncio.gather(*calls)

    answers = [CLEAN, FAULTY, BAD, b""] * 5
    assert asyncio.run(all_of(answers)) == [engine.check(data) for data in answers]


# --- memory ---

HELD = """
import resource, sys
from elementguard import Validator
before, after = {before!r}, {after!r}
piece, count = {piece!r}, {count}
def run(count):
    stream = Validator().stream()
    stream.feed(before)
    for _ in range(count):
        stream.feed(piece)
    stream.feed(after)
    return stream.finish()
run(4)
held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
report = run(count)
assert report.complete, list(report.findings)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - held)
"""
BLOCK = b',"content":[{"type":"%s",%s"'
PLACES = {
    "title": b',"title":"',
    "url": b',"url":"https://a/',
    "subrole": b',"subrole":"',
    "role": b',"role":"',
    "an attribute": b',"attributes":{"a":"',
    "text": BLOCK % (b"text", b'"text":'),
    "data": BLOCK % (b"image", b'"mimeType":"image/png","data":'),
    "data before its type": b',"content":[{"data":"',
    "an unknown member": b',"unknown":"',
    "a media type": BLOCK % (b"image", b'"mimeType":'),
    "a block's type": b',"content":[{"type":"',
    "an id": b',"children":[{"id":"',
    "related": b',"related":[{"relation":"',
    "a number": b',"attributes":{"a":1',
    "white space": b"  ",
}


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss counts otherwise elsewhere")
@pytest.mark.parametrize("place", PLACES)
def test_memory_does_not_depend_on_the_length_of_strings(environment, place):
    """In MiB: 64 of one string come in, and no two of them are held."""
    start = b'{"protocol":"0.2.0","instance":"i","root":{"id":"a"' + PLACES[place]
    opened = PLACES[place]
    ends = b'"' if opened.count(b'"') % 2 else b""
    closing = {ord("{"): b"}", ord("["): b"]"}
    ends += b"".join(closing[byte] for byte in reversed(opened) if byte in closing)
    piece = {"a number": b"0", "white space": b" "}.get(place, b"QUJD") * (1 << 20)
    code = HELD.format(before=start, after=ends + b"}}", piece=piece[: 1 << 16], count=1 << 10)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 2048


LEAKED = """
import resource, sys
from elementguard import Validator
validator = Validator()
def run(times):
    for _ in range(times):
        stream = validator.stream()
        stream.feed({before!r})
        if {finished}:
            stream.finish()
run(500)
held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
run(5_000)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - held)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss counts otherwise elsewhere")
@pytest.mark.parametrize("finished", [False, True])
def test_no_stream_leaves_anything_behind(environment, finished):
    code = LEAKED.format(before=FAULTY[:-5] + b',"a":"' + b"x" * 5000, finished=finished)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, env=environment, check=True
    )
    assert int(done.stdout) < 1024
