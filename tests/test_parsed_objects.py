"""Parsed objects give the report of their compact JSON, without offsets (contract, section 6).

On both engines: classes and subclasses, numbers to their last digit, what is no JSON, cycles,
depth, and code of others that runs while a mapping is read.
"""

import collections
import dataclasses
import decimal
import enum
import json
import signal
import sys
import types

import pytest


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


def hex_(number):
    """A number's first digits: Python does not write all of so many as decimal ones."""
    return f"{number:x}"[:6] + f"_{number.bit_length()}"


def class_of(value):
    """For ids of tests: some values cannot be written at all."""
    return type(value).__name__


class Text(str):
    __slots__ = ()

    def encode(self, *_):
        raise AssertionError("a subclass's own methods are not asked")


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        False,
        0,
        -1,
        2**53 - 1,
        -(2**53) + 1,
        2**63 - 1,
        -(2**63),
        2**63,
        -(2**63) - 1,
        2**64,
        10**18,
        10**27,
        -(10**400),
        11**650,
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


@pytest.mark.parametrize("value", [10**4300, -(10**4300), 1 << 14_285, 1 << 1_000_000], ids=hex_)
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


class Items(list):
    def __iter__(self):
        raise AssertionError("not asked")

    __len__ = __getitem__ = __iter__


class Pair(tuple):
    __slots__ = ()
    __iter__ = __len__ = __getitem__ = Items.__iter__


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
        (Items([1, [2]]), [1, [2]]),
        (Pair((1, "y")), [1, "y"]),
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
    "value, name",
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
    ids=class_of,
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


@pytest.mark.parametrize("key", [1, None, True, 1.5, b"id", ("id",), Liar(3)], ids=class_of)
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
    assert found(engine.check(attributes(array_))) == ["list"] * 4


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


class OddError(Exception):
    pass


class Raising(collections.UserDict):
    def items(self):
        yield "a", 1
        raise OddError


@pytest.mark.parametrize("call", ["check", "is_valid", "validate"])
def test_what_a_mapping_raises_goes_through(engine, call):
    for value in (Raising(), [1, {"x": Raising()}]):
        with pytest.raises(OddError):
            getattr(engine, call)(attributes(value))
    with pytest.raises(OddError):
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
    with pytest.raises(RuntimeError, match=r"^dictionary changed size during iteration$"):
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
        raise OddError

    doubled = ["x"]
    for _ in range(40):  # far more than could be walked over in a day, but for the limit
        doubled = [doubled, doubled]
    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(OddError):
            getattr(engine, call)(attributes(doubled))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
