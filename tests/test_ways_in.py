"""Every way in gives the same report (contract, section 6), on both engines.

Bytes-likes, `str` and parsed objects; what is refused, and that nothing stays locked behind a call.
"""

import array
import collections
import ctypes
import dataclasses
import decimal
import enum
import json
import mmap
import signal
import sys
import threading
import types

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


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def answer(**members):
    root = {"id": "app", "role": "Application", **members}
    return {"protocol": "0.2.0", "instance": "k3f9x2", "root": root}


def attributes(value):
    return answer(attributes={"x": value})


def found(report):
    """The type names of all `wrong-type` findings."""
    return [f.params["found"] for f in report.findings if f.code == "wrong-type"]


# --- bytes-likes ---


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
        with pytest.raises(ValueError, match="^data: the memoryview is not contiguous$"):
            call(view)


def test_what_is_gone_is_refused_as_python_does(engine, tmp_path):
    view = memoryview(CLEAN)
    view.release()
    mapped = map_of(tmp_path, CLEAN)
    mapped.close()
    for gone in (view, mapped):
        with pytest.raises(ValueError, match="released|closed"):
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


# --- parsed objects ---


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        False,
        0,
        -1,
        2**63 - 1,
        -(2**63),
        2**63,
        -(2**63) - 1,
        2**64,
        10**18,
        10**27,
        -(10**400),
        10**4300 - 1,
        -(10**4300) + 1,
        0.0,
        -0.0,
        1e16,
        1e15,
        1e-5,
        1.5e300,
        5e-324,
        1.7976931348623157e308,
        0.1,
        "",
        'quote " and \\ and / \b\f\n\r\t\x00\x1f\x7f',
        "ä € \U0001f600",
        [],
        {},
        [[], {}, [1, [2]]],
        {"a": {"b": [None]}, "": 1},
    ],
    ids=lambda value: repr(value)[:20],
)
def test_parsed_objects_are_their_compact_json(engine, value):
    text = engine.check(compact(attributes(value)))
    parsed = engine.check(attributes(value))
    assert parsed.summary == text.summary
    assert parsed.counts == text.counts
    assert [f.pointer for f in parsed.findings] == [f.pointer for f in text.findings]
    assert {f.offset for f in parsed.findings} <= {None}


@pytest.mark.parametrize("value", [10**4300, -(10**4300), 1 << 14_285, 1 << 1_000_000])
def test_an_integer_of_more_digits_is_foreign(engine, value):
    assert found(engine.check(attributes(value))) == ["int"]


def test_integers_do_not_hang_on_the_interpreters_bound(engine):
    bound = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        sizes = [engine.check(attributes(10**n)).summary.bytes for n in (0, 639, 640, 4299)]
        assert found(engine.check(attributes(10**4300))) == ["int"]
    finally:
        sys.set_int_max_str_digits(bound)
    assert [size - sizes[0] for size in sizes] == [0, 639, 640, 4299]


class Liar(int):
    """A subclass whose methods say something else than it is."""

    def lie(self, *_):
        raise AssertionError("not asked")

    __repr__ = __str__ = __format__ = __index__ = __int__ = bit_length = __lt__ = lie


class Real(float):
    def __repr__(self):
        raise AssertionError("not asked")

    __str__ = __float__ = __repr__


class Color(enum.IntEnum):
    RED = 12345


class Word(enum.StrEnum):
    GROUP = "Group"


Point = collections.namedtuple("Point", "x y")


def test_subclasses_are_read_as_what_they_are(engine):
    class List(list):
        pass

    class Dict(dict):
        pass

    pairs = [
        (Liar(7), 7),
        (Liar(-(10**30)), -(10**30)),
        (Liar(2**53 + 1), 2**53 + 1),
        (Color.RED, 12345),
        (Real(1e16), 1e16),
        (Text("abc"), "abc"),
        (Word.GROUP, "Group"),
        (Point(1, "y"), [1, "y"]),
        ((1, (2, ())), [1, [2, []]]),
        (List([1, [2]]), [1, [2]]),
        (Dict(a=Dict()), {"a": {}}),
        (collections.OrderedDict(a=1), {"a": 1}),
        (collections.defaultdict(list, a=[1]), {"a": [1]}),
        (collections.UserDict(a=1), {"a": 1}),
        (collections.ChainMap({"a": 1}), {"a": 1}),
        (types.MappingProxyType({"a": 1}), {"a": 1}),
        ({Text("a"): 1}, {"a": 1}),
    ]
    for value, plain in pairs:
        assert told(engine.check(attributes(value))) == told(engine.check(attributes(plain)))


def test_a_mapping_can_be_the_answer(engine):
    for mapping in (collections.UserDict, types.MappingProxyType, collections.OrderedDict):
        given = mapping({**answer(), "root": mapping(answer()["root"])})
        assert told(engine.check(given)) == told(engine.check(answer()))
        assert engine.is_valid(given)


def test_an_ordered_dict_is_read_in_its_own_order(engine):
    ordered = collections.OrderedDict(answer(focused=0, title=1)["root"])
    ordered.move_to_end("focused")
    report = engine.check({**answer(), "root": ordered})
    assert [f.pointer for f in report.findings] == ["/root/title", "/root/focused"]


@dataclasses.dataclass
class Record:
    x: int


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (float("nan"), "NaN"),
        (float("inf"), "Infinity"),
        (-float("inf"), "-Infinity"),
        (Real("nan"), "NaN"),
        (b"x", "bytes"),
        (bytearray(b"x"), "bytearray"),
        (memoryview(b"x"), "memoryview"),
        ({1}, "set"),
        (frozenset(), "frozenset"),
        (range(3), "range"),
        (iter([]), "list_iterator"),
        (1j, "complex"),
        (decimal.Decimal("1.5"), "Decimal"),
        (Record(1), "Record"),
        (Record, "type"),
        (object(), "object"),
        (Ellipsis, "ellipsis"),
        (collections.deque(), "deque"),
        (type("Name\u202e" + "x" * 80, (), {})(), "Name\\u202e" + "x" * 59),
    ],
)
def test_anything_else_is_foreign(engine, value, name):
    report = engine.check(attributes(value))
    assert found(report) == [name]
    (finding,) = report.findings
    assert finding.pointer == "/root/attributes/x"
    assert finding.params["expected"] == "JSON value"
    assert report.summary.bytes == len(compact(attributes(None))) - len("null")
    assert found(engine.check(answer(title=value))) == [name]
    assert not engine.is_valid(attributes(value))
    if not isinstance(value, bytes | bytearray | memoryview):
        assert found(engine.check(value)) == [name]


@pytest.mark.parametrize("key", [1, None, True, 1.5, b"id", ("id",), Liar(3)])
def test_a_key_that_is_no_string_is_said_and_skipped(engine, key):
    plain = answer(attributes={"a": 1, "b": 2})
    given = answer(attributes={"a": 1, key: object(), "b": 2})
    report = engine.check(given)
    (finding,) = report.findings
    assert (finding.code, finding.pointer) == ("wrong-type", "/root/attributes")
    name = type(key).__name__
    assert finding.params == {"member": None, "expected": "string", "found": name}
    assert report.summary == engine.check(plain).summary


def test_every_surrogate_in_a_parsed_string_is_a_lone_one(engine):
    report = engine.check(attributes("a\ud83d\ude00\udfff") | {"\ud800": 1})
    assert dict(report.counts) == {"lone-surrogate": 4}
    assert report.findings[-1].pointer == "/\ufffd"


def test_a_container_that_is_open_already_is_foreign(engine):
    object_, array_ = {}, []
    object_["self"] = array_
    array_ += [1, array_, object_, (array_,)]
    mapping = collections.UserDict()
    mapping["self"] = [mapping]
    assert found(engine.check(attributes(object_))) == ["list", "dict", "list"]
    assert found(engine.check(attributes(mapping))) == ["UserDict"]
    deep = array_
    for _ in range(40):
        deep = [deep]
    array_[0] = deep
    assert found(engine.check(attributes(array_))) == ["list", "list", "dict", "list"]


def test_a_container_in_several_places_is_read_in_each(engine):
    shared = [1, {"a": ()}]
    value = [shared, shared, {"x": shared, "y": [shared]}]
    assert told(engine.check(attributes(value))) == told(
        engine.check(attributes(json.loads(json.dumps(value))))
    )


def test_sharing_is_bounded_by_the_limit_of_bytes(engine):
    doubled = ["x"]
    for _ in range(60):
        doubled = [doubled, doubled]
    limits = engine.Limits(bytes=100_000)
    (finding,) = engine.check(attributes(doubled), limits=limits).findings
    assert finding.params == {"limit": "bytes", "allowed": 100_000, "actual": 100_001}


@pytest.mark.parametrize("make", [lambda x: [x], lambda x: (x,), lambda x: {"": x}])
@pytest.mark.parametrize("depth", [15, 16, 17, 18, 200_000])
def test_depth_costs_no_stack(engine, make, depth):
    value = make(0)
    for _ in range(depth - 1):
        value = make(value)
    limits = engine.Limits(nesting=depth + 3)
    assert engine.check(attributes(value), limits=limits).ok
    limits = engine.Limits(nesting=depth + 2)
    assert dict(engine.check(attributes(value), limits=limits).counts) == {"limit-nesting": 1}
    while value:  # taken apart here: freeing it at once is the interpreter's business
        value = value[""] if isinstance(value, dict) else value[0]


# --- code of others ---


class Odd(Exception):
    pass


class Raising(collections.UserDict):
    def items(self):
        yield "a", 1
        raise Odd


@pytest.mark.parametrize("call", ["check", "is_valid", "validate"])
def test_what_a_mapping_raises_goes_through(engine, call):
    for value in (Raising(), [1, {"x": Raising()}]):
        with pytest.raises(Odd):
            getattr(engine, call)(attributes(value))
    with pytest.raises(Odd):
        getattr(engine, call)(Raising())


def test_nothing_behind_a_fatal_finding_is_asked(engine):
    given = attributes([Raising()])
    limits = engine.Limits(nesting=2)
    assert dict(engine.check(given, limits=limits).counts) == {"limit-nesting": 1}


@pytest.mark.parametrize("item", [1, ("a",), ("a", 1, 2)])
def test_items_must_be_pairs(engine, item):
    class NoPairs(collections.UserDict):
        def items(self):
            return [item]

    with pytest.raises((TypeError, ValueError)):
        engine.check(attributes(NoPairs()))


def test_a_dict_that_changes_while_it_is_read(engine):
    outer = {}

    class Changing(collections.UserDict):
        def items(self):
            outer["new"] = 1
            return ()

    outer.update(a=Changing(), b=2)
    with pytest.raises(RuntimeError, match="^dictionary changed size during iteration$"):
        engine.check(attributes(outer))


def test_a_dict_whose_keys_change_while_it_is_read(engine):
    outer = {}

    class Changing(collections.UserDict):
        def items(self):
            for name in list(outer):
                del outer[name]
                outer[name + "'"] = 1
            return ()

    outer.update(a=Changing(), b=2, c=3)
    try:
        engine.check(attributes(outer))
    except RuntimeError as error:
        assert str(error).startswith("dictionary ")  # noqa: PT017 -- Python raises in some versions


def test_a_list_that_changes_while_it_is_read(engine):
    outer = []

    class Shrinking(collections.UserDict):
        def items(self):
            outer.clear()
            return ()

    class Growing(collections.UserDict):
        def items(self):
            outer.append(7)
            return ()

    outer += [1, Shrinking(), 2, 3]
    assert engine.check(attributes(outer)).summary.bytes == len(compact(attributes([1, {}])))
    outer += [1, Growing(), 2]
    assert engine.check(attributes(outer)).summary.bytes == len(compact(attributes([1, {}, 2, 7])))


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no interval timers")
@pytest.mark.parametrize("call", ["check", "is_valid"])
def test_signals_are_heard_while_objects_are_read(engine, call):
    def ring(*_):
        raise Odd

    doubled = ["x"]
    for _ in range(40):  # far more than could be walked over in a day, but for the limit
        doubled = [doubled, doubled]
    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(Odd):
            getattr(engine, call)(attributes(doubled))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
