"""Every way in for bytes and text gives the same report (contract, section 6), on both engines.

What is refused besides, and that nothing stays locked behind a call. Parsed objects are told of in
`test_parsed_objects.py`.
"""

import array
import ctypes
import mmap
import sys
import threading

import pytest

CLEAN = b'{"protocol":"0.2.0","instance":"k3f9x2","root":{"id":"app","role":"Application"}}'
FAULTY = CLEAN.replace(b'"app"', '"ä b","title":"\\ud800 ü"'.encode())
INPUTS = {
    "clean": CLEAN,
    "faulty": FAULTY,
    "syntax": CLEAN[:-1] + b",}",
    "encoding": CLEAN.replace(b"app", b"a\xffp"),
    "truncated": CLEAN[:40],
    "empty": b"",
}


def told(report):
    """All that a report says."""
    return report.to_dict()


def map_of(tmp_path, data):
    file = tmp_path / "answer"
    file.write_bytes(data)
    with file.open("rb") as opened:
        return mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)


class Bytes(bytes):
    pass


class ByteArray(bytearray):
    pass


class Text(str):
    __slots__ = ()

    def encode(self, *_):
        raise AssertionError("a subclass's own methods are not asked")


WAYS = {
    "bytes subclass": Bytes,
    "bytearray": bytearray,
    "bytearray subclass": ByteArray,
    "view": memoryview,
    "view of a part": lambda data: memoryview(b"[[" + data + b"]")[2:-1],
    "view of a subclass": lambda data: memoryview(Bytes(b"[" + data))[1:],
    "writable view of a part": lambda data: memoryview(bytearray(b"[[" + data + b"]"))[2:-1],
    "read-only view of a bytearray": lambda data: memoryview(bytearray(data)).toreadonly(),
    "view of signed bytes": lambda data: memoryview(data).cast("b"),
    "view of characters": lambda data: memoryview(data).cast("c"),
    "view of an array": lambda data: memoryview(array.array("B", data)),
}


@pytest.mark.parametrize("name", INPUTS)
@pytest.mark.parametrize("way", WAYS)
def test_bytes_likes_give_what_bytes_give(engine, way, name):
    data = INPUTS[name]
    given = WAYS[way](data)
    assert told(engine.check(given)) == told(engine.check(data))
    assert engine.is_valid(given) == engine.is_valid(data)


@pytest.mark.parametrize("name", INPUTS.keys() - {"encoding"})
def test_text_gives_what_its_utf8_gives(engine, name):
    data = INPUTS[name]
    for text in (data.decode(), Text(data.decode())):
        assert told(engine.check(text)) == told(engine.check(data))
        assert engine.is_valid(text) == engine.is_valid(data)


@pytest.mark.parametrize("name", INPUTS.keys() - {"empty"})
def test_a_mapped_file_gives_what_its_bytes_give(engine, tmp_path, name):
    data = INPUTS[name]
    with map_of(tmp_path, data) as mapped, memoryview(mapped) as view:
        assert told(engine.check(mapped)) == told(engine.check(data))
        assert told(engine.check(view)) == told(engine.check(data))
        assert told(engine.check(view[1:])) == told(engine.check(data[1:]))
        assert engine.is_valid(mapped) == engine.is_valid(data)


@pytest.mark.parametrize("cut", [-2, -1, 0, 1, 60])
def test_where_a_mapped_file_is_cut_into_pieces_does_not_matter(engine, tmp_path, cut):
    data = b" " * ((1 << 20) - FAULTY.index("ä".encode()) - 1 + cut) + FAULTY
    with map_of(tmp_path, data) as mapped:
        assert told(engine.check(mapped)) == told(engine.check(data))


def test_a_view_of_several_dimensions_is_read_in_order(engine):
    data = CLEAN + b" " * (-len(CLEAN) % 2)
    view = memoryview(data).cast("B", (2, len(data) // 2))
    assert told(engine.check(view)) == told(engine.check(data))
    writable = memoryview(bytearray(data)).cast("B", (2, len(data) // 2))
    assert told(engine.check(writable)) == told(engine.check(data))


def test_a_view_of_more_than_bytes_is_refused(engine):
    wide = memoryview(array.array("I", [1, 2]))
    message = "^data: a memoryview of bytes is needed, not of format 'I'$"
    for call in (engine.check, engine.is_valid, engine.validate):
        with pytest.raises(TypeError, match=message):
            call(wide)
        with pytest.raises(TypeError, match=message):
            call(wide[::2])
    with pytest.raises(TypeError, match="'<i'"):
        engine.check(memoryview((ctypes.c_int * 2)()))


@pytest.mark.parametrize("view", [memoryview(CLEAN)[::2], memoryview(bytearray(CLEAN))[::-1]])
def test_a_view_with_gaps_is_refused(engine, view):
    for call in (engine.check, engine.is_valid):
        with pytest.raises(ValueError, match=r"^data: the memoryview is not contiguous$"):
            call(view)


def test_what_is_gone_is_refused_as_python_does(engine, tmp_path):
    view = memoryview(CLEAN)
    view.release()
    mapped = map_of(tmp_path, CLEAN)
    mapped.close()
    for gone in (view, mapped):
        with pytest.raises(ValueError, match=r"released|closed"):
            engine.check(gone)


@pytest.mark.parametrize("name", INPUTS)
def test_no_buffer_stays_locked(engine, tmp_path, name):
    array_, owner = bytearray(INPUTS[name]), bytearray(INPUTS[name])
    references = sys.getrefcount(array_)
    engine.check(array_)
    engine.is_valid(array_)
    array_.append(0)  # raises where a buffer is exported
    assert sys.getrefcount(array_) == references
    with memoryview(owner) as view:
        engine.check(view)
        with pytest.raises(TypeError):
            engine.check(view.cast("?"))
        with pytest.raises(ValueError, match="contiguous"):
            engine.check(memoryview(b"abcd")[::2])
    owner.append(0)
    mapped = map_of(tmp_path, INPUTS[name] or b" ")
    engine.check(mapped)
    engine.is_valid(mapped)
    mapped.close()  # raises where a buffer is exported


@pytest.mark.parametrize("before", ["", "é", "\U0001f600", "x" * 200_000])
def test_a_surrogate_in_text_is_no_utf8(engine, before):
    text = f'["{before}\ud800"]'
    for given in (text, Text(text)):
        (finding,) = engine.check(given).findings
        assert finding.code == "json-encoding"
        assert finding.offset == 2 + len(before.encode())
        assert not engine.is_valid(given)


def test_a_known_length_is_refused_before_a_byte_is_read(engine, tmp_path):
    bad = b"\xff" * 9
    limits = engine.Limits(bytes=8)
    with map_of(tmp_path, bad) as mapped:
        for given in (bad, bytearray(bad), memoryview(bad), "\xff" * 5, mapped):
            (finding,) = engine.check(given, limits=limits).findings
            assert (finding.code, finding.offset) == ("limit-bytes", 8)
            assert not engine.is_valid(given, limits=limits)
    assert [f.code for f in engine.check(bad[:8], limits=limits).findings] == ["json-encoding"]


@pytest.mark.parametrize("size", [65_535, 65_536, (16 << 20) - 30, 16 << 20, (32 << 20) + 1])
def test_large_inputs_are_read_like_small_ones(engine, size):
    padding = b" " * (size - len(FAULTY))
    small = engine.check(FAULTY).findings
    large = engine.check(padding + FAULTY).findings
    assert [f.offset - len(padding) for f in large] == [f.offset for f in small]
    assert engine.is_valid(padding + CLEAN)
    assert not engine.is_valid(padding + FAULTY)
    (finding,) = engine.check(padding + CLEAN, limits=engine.Limits(bytes=size // 2)).findings
    assert (finding.code, finding.offset) == ("limit-bytes", size // 2)


def test_a_bytearray_that_another_thread_writes_to_is_read_in_one_state(engine):
    answer_, over = bytearray(CLEAN + b" " * 100_000), threading.Event()

    def write():
        while not over.is_set():
            answer_[3] = 0xFF
            answer_[3] = CLEAN[3]

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for _ in range(50):
            report = engine.check(answer_)
            assert [(f.code, f.offset) for f in report.findings] in ([], [("json-encoding", 3)])
    finally:
        over.set()
        thread.join()


def test_threads_share_a_validator(engine):
    validator, reports = engine.Validator(), []
    data = b" " * 70_000 + FAULTY

    def work():
        reports.extend(told(validator.check(data)) for _ in range(5))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert reports == [told(validator.check(data))] * 40


def test_a_byte_order_mark_is_one_at_the_start_alone(engine):
    for size in range(1, 6):  # as far into the second chunk as that is into the answer
        stream = engine.Validator().stream()
        stream.feed(b" " * size)
        stream.feed(b" " * size + b"\xef\xbb\xbf{}")
        (finding,) = stream.finish().findings
        assert finding.params["reason"] != "byte-order-mark"


def test_where_elements_stand_is_known_of_what_was_read_to_its_end(engine):
    known = [
        engine.Validator()._checker.load(data, faulty=faulty)[1] is not None
        for data in (CLEAN, b"{}", b"[")
        for faulty in (False, True)
    ]
    assert known == [True, True, False, True, False, False]
