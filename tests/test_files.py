"""Answers in files, and one a line: what comes in by pieces gives what its bytes give.

Comes in: files, pipes, file objects and chunks. Goes out: a failure where a length is not heeded, a
line hides another one, or what should not be held is held. What the command line makes of them is
told of in `test_cli_inputs.py`.
"""

import gzip
import io
import json
import os
import socket
import subprocess
import sys
import threading
import tracemalloc
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))

from test_stream import usual

CLEAN = b'{"protocol":"0.2.0","instance":"k3f9x2","root":{"id":"app","role":"Application"}}'
FAULTY = CLEAN.replace(b'"app"', '"ä b","title":"\\ud800 ü"'.encode())
SHARED = Path(os.environ.get("ELEMENTGUARD_SHARED") or Path(__file__).parents[2] / "shared")


@pytest.fixture
def file(tmp_path):
    """Writes a file; gives its path."""

    def written(data, name="answer.json"):
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return written


def codes(reports):
    """What is wrong with which line, and where."""
    told = []
    for number, report in reports:
        (finding,) = report.findings or [None]
        told.append((number, finding and finding.code, finding and finding.offset))
    return told


# --- files ---

SIZES = [len(FAULTY), (256 << 10) - 1, 256 << 10, (256 << 10) + 1, 3 << 20]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("data", [CLEAN, FAULTY, CLEAN[:-1]])
def test_a_file_gives_what_its_bytes_give(engine, file, data, size):
    data = b" " * (size - len(data)) + data
    path = file(data)
    for name in (path, str(path), os.fsencode(path)):
        assert engine.check_file(name) == engine.check(data)
    validator = engine.Validator(kind="element")
    assert validator.check_file(path) == validator.check(data)
    assert engine.check_file(path, kind="element") == validator.check(data)


def test_an_empty_file_is_no_answer(engine, file):
    assert engine.check_file(file(b"")) == engine.check(b"")


@pytest.mark.parametrize("size", [30, 300 << 10])
def test_a_file_that_is_too_long_is_refused_by_its_size(engine, file, size, monkeypatch):
    path = file(b"\xff" * size)
    limits = engine.Limits(bytes=size - 1)
    monkeypatch.setattr("elementguard._files.pieces", lambda _: unread())
    (finding,) = engine.check_file(path, limits=limits).findings
    assert (finding.code, finding.offset) == ("limit-bytes", size - 1)
    assert dict(finding.params) == {"limit": "bytes", "allowed": size - 1, "actual": size}
    monkeypatch.undo()
    (finding,) = engine.check_file(path, limits=engine.Limits(bytes=size)).findings
    assert (finding.code, finding.offset) == ("json-encoding", 0)


def unread():
    raise AssertionError("a byte was asked for")
    yield


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
@pytest.mark.parametrize("data", [CLEAN, FAULTY, b"", b" " * 300_000 + CLEAN])
def test_a_pipe_is_read_as_it_comes(engine, tmp_path, data):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=[data])
    writer.start()
    report = engine.check_file(path)
    writer.join()
    assert report == engine.check(data)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_a_pipe_has_no_length_so_an_earlier_error_comes_first(engine, tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    limits = engine.Limits(bytes=8)
    for data, told in ((b"[,]" + CLEAN, ("json-syntax", 1)), (CLEAN, ("limit-bytes", 8))):
        writer = threading.Thread(target=path.write_bytes, args=[data])
        writer.start()
        (finding,) = engine.check_file(path, limits=limits).findings
        writer.join()
        assert (finding.code, finding.offset) == told


@pytest.mark.parametrize("size", [1000, 1 << 20])
def test_a_file_that_changes_while_it_is_read(engine, file, size, monkeypatch):
    from elementguard import _files

    data = b" " * size + CLEAN
    path, pieces = file(data), _files.pieces

    def changed_to(length):
        def read(opened):
            for number, piece in enumerate(pieces(opened)):
                if number == 0:
                    os.truncate(path, length)
                yield piece

        return read

    monkeypatch.setattr("elementguard._files.pieces", changed_to(0))
    (finding,) = engine.check_file(path).findings or [None]
    if size < 1 << 18:
        assert finding is None  # it was read before
    else:
        assert (finding.code, finding.offset) == ("json-truncated", 1 << 18)
    path.write_bytes(data)
    monkeypatch.setattr("elementguard._files.pieces", changed_to(2 * size))
    (finding,) = engine.check_file(path).findings
    assert (finding.code, finding.offset) == ("json-syntax", len(data))  # a zero byte


def test_names_that_are_none_are_refused(engine, tmp_path):
    for wrong in (None, 3, b"a".__add__, ["a"], io.BytesIO(CLEAN)):
        with pytest.raises(TypeError, match=r"^path: a str or an os\.PathLike is needed, not "):
            engine.check_file(wrong)
    for name, error in (("none", FileNotFoundError), (".", IsADirectoryError)):
        with pytest.raises(error):
            engine.check_file(tmp_path / name)
    with pytest.raises(TypeError, match="limits"):
        engine.check_file(tmp_path, limits=3)


# --- lines ---


def test_lines(engine):
    data = b"\n".join([CLEAN, b"", b"\xff\xfe", b" \t ", b"[", CLEAN + b"\r", b"\r", b"]"])
    told = codes(engine.check_lines([data]))
    assert told == [
        (1, None, None),
        (3, "json-encoding", 0),
        (5, "json-truncated", 1),
        (6, None, None),
        (8, "json-syntax", 0),
    ]
    assert codes(engine.check_lines([data + b"\n"])) == told
    assert codes(engine.check_lines([data + b"\n\n"])) == told


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_the_end_of_a_line_is_no_part_of_it(engine, end):
    data = end.join([CLEAN, CLEAN[:-1], b'{"a', FAULTY, CLEAN])
    for size in (1, 7, 1000):
        reports = list(engine.check_lines(of_size(data, size)))
        assert [number for number, _ in reports] == [1, 2, 3, 4, 5]
        wanted = [engine.check(line) for line in data.split(end)]
        assert [report for _, report in reports] == wanted


def of_size(data, size):
    return [data[at : at + size] for at in range(0, len(data), size)]


def test_nothing_else_ends_a_line(engine):
    inside = CLEAN.replace(b'"app"', '"app","title":"\u2028\x85\u2029"'.encode())
    data = b"\r" + inside.replace(b",", b"\r,\r") + b"\r"
    (number, report), second = engine.check_lines([data + b"\n" + CLEAN])
    assert (number, second[0]) == (1, 2)
    assert report == engine.check(data[:-1])
    ((_, last),) = engine.check_lines([data])
    assert last == engine.check(data)


SCRAPS = (
    CLEAN,
    FAULTY,
    b"[",
    b"\xff",
    b"",
    b" ",
    b"\t \r",
    b'"\r"',
    b"\r",
    "ä".encode(),
    CLEAN[:30],
)


@usual
@given(
    st.lists(st.tuples(st.sampled_from(SCRAPS), st.sampled_from([b"\n", b"\r\n", b"\r", b""]))),
    st.lists(st.integers(0, 300)),
    st.one_of(st.none(), st.integers(0, 100)),
)
def test_cuts_do_not_show_in_lines(engines, scraps, cuts, most):
    from elementguard import Limits
    from elementguard._validator import over

    data = b"".join(scrap + end for scrap, end in scraps)
    places = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    chunks = [data[a:b] for a, b in pairwise(places)]
    told = []
    for core in engines.values():
        validator = over(core, limits=Limits(bytes=most))
        wanted = []
        *ended, last = data.split(b"\n")
        for number, line in enumerate([*(line.removesuffix(b"\r") for line in ended), last], 1):
            if line.strip(b" \t\r"):
                wanted.append((number, validator.check_chunks([line])))
        told.append(wanted)
        assert list(validator.check_lines([data])) == wanted
        assert list(validator.check_lines(chunks)) == wanted
        assert list(validator.check_lines(io.BytesIO(data))) == wanted
    assert told[0] == told[1]


def test_sources_of_lines(engine, file, tmp_path):
    data = CLEAN + b"\n[\n"
    path = file(data)
    wanted = [(1, None, None), (2, "json-truncated", 1)]
    packed = io.BytesIO(gzip.compress(data))
    sources = [path, str(path), io.BytesIO(data), [data], (data,), iter([bytearray(data)])]
    with path.open("rb") as opened, path.open("rb", buffering=0) as raw:
        for source in (*sources, opened, raw, gzip.GzipFile(fileobj=packed)):
            assert codes(engine.check_lines(source)) == wanted
        assert not opened.closed  # it is the caller's
    assert engine.Validator(limits=engine.Limits(bytes=4)).check_lines(path) is not None
    assert codes(engine.check_lines(path, limits=engine.Limits(bytes=4)))[0][1] == "limit-bytes"
    lines = engine.check_lines(tmp_path / "none")
    with pytest.raises(FileNotFoundError):
        next(lines)


@pytest.mark.parametrize(
    "wrong", [b"[]", bytearray(b"[]"), memoryview(b"[]"), io.StringIO(), 7, None]
)
def test_what_is_no_source_is_refused_at_once(engine, wrong):
    with pytest.raises(TypeError):
        engine.check_lines(wrong)


@pytest.mark.parametrize("source", [["[]"], [3], [memoryview(b"ab").cast("H")]])
def test_what_is_no_chunk_is_refused(engine, source):
    with pytest.raises(TypeError, match=r"^chunk: "):
        list(engine.check_lines(source))
    with pytest.raises(ValueError, match="contiguous"):
        list(engine.check_lines([memoryview(b"abcd")[::2]]))


def test_files_that_give_no_bytes_are_refused(engine):
    class Wrong:
        def __init__(self, given):
            self.given = given

        def read(self, _size):
            return self.given

    with pytest.raises(TypeError, match=r"^source: a binary file is needed"):
        list(engine.check_lines(Wrong("")))
    with pytest.raises(BlockingIOError, match=r"^source: a file that waits"):
        list(engine.check_lines(Wrong(None)))


def test_a_line_is_told_as_soon_as_it_is_there(engine):
    ours, theirs = socket.socketpair()
    with ours, theirs, ours.makefile("rb") as opened:
        reports = engine.check_lines(opened)
        for number in range(1, 4):
            theirs.sendall(CLEAN + b"\n")
            assert next(reports)[0] == number
        theirs.sendall(CLEAN[:9])
        theirs.shutdown(socket.SHUT_WR)
        assert codes(reports) == [(4, "json-truncated", 9)]


def test_a_line_that_is_too_long_is_passed_over_without_being_held(engine):
    def chunks():
        yield CLEAN + b'\n{"a":"'
        for _ in range(2000):
            yield b"x" * 10_000
        yield b'"}\n'
        for _ in range(2000):
            yield b" " * 10_000
        yield b"\n" + CLEAN

    validator = engine.Validator(limits=engine.Limits(bytes=5000))
    list(validator.check_lines([CLEAN]))
    tracemalloc.start()
    try:
        told = codes(validator.check_lines(chunks()))
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
    assert told == [(1, None, None), (2, "limit-bytes", 5000), (4, None, None)]


def test_a_fault_of_ours_or_the_callers_in_one_line_is_raised_there(engine):
    def chunks():
        yield CLEAN + b"\n[\n"
        raise ConnectionError("gone")

    reports = engine.check_lines(chunks())
    assert [next(reports)[0], next(reports)[0]] == [1, 2]
    with pytest.raises(ConnectionError):
        next(reports)


@pytest.mark.skipif(not (SHARED / "cases").is_dir(), reason="the shared inputs are not there")
@pytest.mark.parametrize("size", [1, 10, 1000])
def test_the_shared_lines(engine, size):
    sources = sorted((SHARED / "cases").glob("*/*/*.ndjson"))
    assert sources
    for source in sources:
        written = json.loads((source.parent / "reports" / f"{source.name}.json").read_text())
        reports = [report for _, report in engine.check_lines(of_size(source.read_bytes(), size))]
        assert len(reports) == len(written["records"])
        for report, record in zip(reports, written["records"], strict=True):
            assert (report.ok, dict(report.counts)) == (record["ok"], record["counts"])
            offsets = [finding["offset"] for finding in record["findings"]]
            assert [finding.offset for finding in report.findings] == offsets


# --- the command line reads them so ---


def peak_of(code, environment, **options):
    script = f"import resource\n{code}\nprint(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, env=environment, check=True, **options
    )
    return int(done.stdout.split()[-1])


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss counts otherwise elsewhere")
@pytest.mark.parametrize("name", ["one.json", "many.ndjson", "one.json.gz"])
def test_large_files_are_not_held(environment, tmp_path, name):
    data = b"%*s" % (48 << 20, CLEAN)
    if name == "many.ndjson":
        data = (b"%*s\n" % (1 << 20, CLEAN)) * 48
    path = tmp_path / name
    path.write_bytes(gzip.compress(data, 1) if name.endswith(".gz") else data)
    code = f"from elementguard.cli import main; assert main(['check', {str(path)!r}]) == 0"
    small = tmp_path / f"small-{name}"
    small.write_bytes(gzip.compress(CLEAN) if name.endswith(".gz") else CLEAN)
    grown = peak_of(code, environment) - peak_of(
        code.replace(repr(str(path)), repr(str(small))), environment
    )
    assert grown < 12 << 10  # in KiB


def test_a_file_that_is_another_one_by_the_time_it_is_shown(call, here, monkeypatch):
    from elementguard.cli import answer

    check = answer.File.check

    def changed(self, validator, read):
        report = check(self, validator, read)
        (here / "wrong.json").write_text("[]")
        return report

    monkeypatch.setattr(answer.File, "check", changed)
    code, out, err = call("check", "wrong.json", "clean.json")
    assert (code, err) == (1, "")
    assert out.startswith("wrong.json:byte ")
    assert "root-not-application" in out
