"""What is particular to the pure engine: its stack, its cost, and reading in pieces.

Comes in: the vectors, and answers made to be costly. Goes out: a failure where a check recurses,
does more than linear work, or depends on how the bytes are cut. What it says of answers, the other
tests hold it to. Work is counted in lines and calls, for a clock would tell of the machine.
"""

import ast
import base64
import gc
import json
import sys
import tracemalloc
from pathlib import Path

import pytest

import elementguard._python as pure
from elementguard._python import walk
from elementguard._python.check import Check
from elementguard._python.facts import LIMITS, Limits
from elementguard._python.rules.table import CODES, LEVELS

sys.path.insert(0, str(Path(__file__).parent))

from written_reports import object_of, vectors

SOURCES = sorted(Path(pure.__file__).parent.rglob("*.py"))
OF_BYTES = [vector for vector in vectors() if vector.report["way"] == "bytes"]
FRAMES = 120  # the deepest stack that a check may need, above the test's own


def values(**limits):
    given = {**dict.fromkeys(LIMITS), "nesting": 1024, "findings": 100, **limits}
    return tuple(given.values())


def checker(kind="answer", levels=LEVELS, **limits):
    return pure.Checker(values(**limits), bytes(levels), kind)


def settings(vector):
    given = vector.report
    levels = dict(zip(CODES, LEVELS, strict=True))
    levels |= {
        code: ("off", "note", "warning", "error").index(to) for code, to in given["rules"].items()
    }
    limits = {n: tuple(v) if isinstance(v, list) else v for n, v in given["limits"].items()}
    return {"kind": given["kind"], "levels": levels.values(), **limits}


def all_of(outcome):
    return (
        (outcome.ok, outcome.fatal, outcome.truncated),
        outcome.counts(),
        outcome.findings(),
        outcome.summary(),
    )


def in_pieces(data, size, kind="answer", levels=LEVELS, **limits):
    check = Check(Limits(values(**limits)), bytes(levels), is_fragment=kind == "element")
    for at in range(0, len(data), size):
        check.feed(data[at : at + size])
    return check.finish()


def answer(members):
    root = b'{"protocol":"0.2.0","instance":"i","root":{"id":"app","role":"Application",%b}}'
    return root % members


def children(elements):
    return answer(b'"children":[%b]' % b",".join(elements))


# --- in pieces ---


@pytest.mark.parametrize("size", [1, 3, 64])
def test_pieces_of_any_size_give_the_same(size):
    for vector in OF_BYTES:
        # A limit on bytes is known beforehand of a whole buffer alone.
        if len(vector.file) < 5_000 and "bytes" not in vector.limits:
            whole = all_of(checker(**settings(vector)).check(vector.file))
            assert all_of(in_pieces(vector.file, size, **settings(vector))) == whole, vector.name


@pytest.mark.parametrize(
    "data, code, offset",
    [
        (b'{"a":1}', "limit-bytes", 5),
        (b'{"a"~1}', "json-syntax", 4),
        (b'{"a":~1}', "limit-bytes", 5),
        (b'{"a"\xff1}', "json-encoding", 4),
        (b'{"a"\xe2\x82\xac1}', "limit-bytes", 5),
        (b'{"a":', "json-truncated", 5),
    ],
)
def test_the_limit_of_bytes_in_pieces_comes_after_earlier_faults(data, code, offset):
    for size in range(1, len(data) + 1):
        (found,) = in_pieces(data, size, bytes=5).findings()
        assert (CODES[found[0]], found[1]) == (code, offset)


def test_a_fatal_finding_is_known_at_its_byte():
    data = b'{"protocol":"0.2.0","instance":"i","root":[1,}'
    check = Check(Limits(values()), bytes(LEVELS), is_fragment=False)
    for at, byte in enumerate(data):
        assert check.failed == (at > data.index(b"["))
        check.feed(bytes([byte]))
    assert check.failed
    before = all_of(check.finish())
    check.feed(b"{}")
    assert all_of(check.finish()) == before


def test_carried_bytes_are_few_and_tokens_are_not_read_twice():
    digits, text = b"1" * 200_000, b"x" * 200_000
    for value in (digits, b'"%b"' % text, b'"%b"' % (b"\\n" * 100_000), b" " * 200_000 + b"1"):
        data = b'{"a":%b}' % value
        one, two = (work(in_pieces, data[:size] + data[-2:], 100) for size in (100_000, 200_000))
        assert two <= 2.1 * one


# --- what strings hold ---


@pytest.mark.parametrize("place, known", [(65_527, True), (65_528, False), (40_000, True)])
def test_a_picture_is_looked_at_for_64_kib(place, known):
    frame = b"\xff\xc0\0\x0b\x08\0\x07\0\x65"
    segments, at = b"\xff\xd8", 2
    while at < place:
        length = min(place - at, 40_000)
        segments += b"\xff\xfe" + (length - 2).to_bytes(2, "big") + b"\xff" * (length - 4)
        at += length
    data = base64.b64encode(segments + frame + b"\0" * 99_999)
    block = b'"content":[{"type":"image","mimeType":"image/jpeg","data":"%b"}]' % data
    counts = dict(checker(image_edge=100).check(answer(block)).counts())
    assert (counts == {CODES.index("limit-image-edge"): 1}) == known


def test_every_escape_means_what_json_says():
    points = [*range(0x20), 0x22, 0x2F, 0x5C, 0x7F, 0xE9, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF]
    text = "".join(map(chr, points))
    short = json.dumps(text)
    long = '"' + "".join(f"\\u{unit:04X}" for unit in utf_16(text)) + '"'
    for written in (short, long, long.lower(), '"\\/\\b\\f\\n\\r\\t\\"\\\\"'):
        data = f'{{"instance":{written}}}'.encode()
        for size in (1, 5, 64, 1_000):
            assert in_pieces(data, size).summary()[5] == json.loads(written)


def utf_16(text):
    data = text.encode("utf-16-be")
    return [int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2)]


# --- what is no JSON ---


def test_in_a_block_the_type_says_what_belongs_however_late_it_comes():
    block = {
        "icons": [set(), {"sizes": [set()]}],
        "data": set(),
        "annotations": {"priority": set()},
    }
    for block_type, expected in [
        ("resource_link", ["object", "string", "JSON value", "number"]),
        ("image", ["JSON value", "JSON value", "string", "number"]),
        ("video", ["JSON value"] * 4),
    ]:
        for order in ({**block, "type": block_type}, {"type": block_type, **block}):
            value = {"root": {"content": [order]}}
            rows = checker().check(value).findings()
            told = [params[1:] for rule, *_, params in rows if CODES[rule] == "wrong-type"]
            assert told == [(one, "set") for one in expected]


def test_a_walk_ends_where_no_limit_is_set(monkeypatch):
    assert walk.DEFAULT_BYTES == 2**31
    monkeypatch.setattr(walk, "DEFAULT_BYTES", 1_000)
    doubled = ["x"]
    for _ in range(60):
        doubled = [doubled, doubled]
    ((rule, offset, pointer, element, params),) = checker().check(doubled).findings()
    assert (CODES[rule], offset, pointer, element) == ("limit-bytes", None, "", None)
    assert params == ("bytes", 1_000, 1_001)


# --- the stack ---


def test_no_function_calls_itself():
    for path in SOURCES:
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(function, ast.FunctionDef):
                called = [
                    node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                    for node in ast.walk(function)
                    if isinstance(node, ast.Call)
                    and (
                        isinstance(node.func, ast.Name)
                        or (
                            isinstance(node.func, ast.Attribute)
                            and isinstance(node.func.value, ast.Name)
                            and node.func.value.id == "self"
                        )
                    )
                ]
                assert function.name not in called, f"{path}:{function.lineno}"


def deep_texts(depth):
    yield b"[" * depth + b"]" * depth
    yield b"[" * depth
    yield b'{"a":' * depth + b"1" + b"}" * depth
    yield b'{"a":[' * (depth // 2) + b"]}" * (depth // 2)
    element = b'{"id":"x","role":"Table","focused":true,"hovered":true,"visible":true,"children":['
    yield answer(b'"children":[%b]' % (element * (depth // 2) + b"]}" * (depth // 2)))


def deep_values(depth):
    for make in (lambda below: [below], lambda below: {"a": below}, lambda below: ({"": below},)):
        value = 0
        for _ in range(depth):
            value = make(value)
        yield value
        while value:  # taken apart here: to drop it at once is the interpreter's business
            value = next(iter(value.values())) if isinstance(value, dict) else value[0]


@pytest.mark.parametrize("make", [deep_texts, deep_values])
def test_depth_costs_no_stack(make):
    limit, depth = sys.getrecursionlimit(), len_of_stack()
    sys.setrecursionlimit(depth + FRAMES)
    try:
        for data in make(20_000):
            outcome = checker(nesting=None, findings=10).check(data)
            assert all_of(outcome)
            assert not checker(nesting=None).is_valid(data)
    finally:
        sys.setrecursionlimit(limit)


def len_of_stack():
    depth, frame = 0, sys._getframe()
    while frame:
        depth, frame = depth + 1, frame.f_back
    return depth


# --- the cost ---


def work(function, *arguments, **named):
    """How many lines of Python and calls of C one call takes."""
    count = 0

    def note(_frame, event, _argument):
        nonlocal count
        count += event in ("line", "c_call")
        return note

    sys.setprofile(note)
    sys.settrace(note)
    try:
        function(*arguments, **named)
    finally:
        sys.settrace(None)
        sys.setprofile(None)
    return count


def chain(element, count):
    return answer(b'"children":[%b]' % (element * count + b"]}" * count))


COSTLY = {
    "equal ids": lambda n: children([b'{"id":"dup","role":"Row"}'] * n),
    "three faults each": lambda n: children(
        [b'{"id":"bad id","role":"Row","focused":false,"children":[]}'] * n
    ),
    "unknown members": lambda n: children(
        [b'{"id":"e%d","role":"Row","m%d":1}' % (i, i) for i in range(n)]
    ),
    "distinct names": lambda n: answer(
        b'"attributes":{%b}' % b",".join(b'"n%d":1' % i for i in range(n))
    ),
    "repeated names": lambda n: answer(b'"attributes":{%b}' % b",".join([b'"n":1'] * n)),
    "repeated roots": lambda n: b'{"root":1%b}' % (b',"root":{"id":[]}' * n),
    "undecided visible": lambda n: chain(
        b'{"id":"x","role":"Group","children":[{"id":"y","role":"Row","visible":true},', n
    ).replace(b",]", b"]"),
    "focused siblings": lambda n: children([b'{"id":"x","role":"Row","focused":true}'] * n),
    "focus gaps": lambda n: children(
        [b'{"id":"x","role":"Row","children":[{"id":"y","role":"Row","focused":true}]}'] * n
    ),
    "hovered": lambda n: chain(b'{"id":"x","role":"Row","hovered":true,"children":[', n),
    "irregular tables": lambda n: children(
        [b'{"id":"t","children":[{"id":"r","children":[{"role":"Text"}],"role":"Row"}]}'] * n
    ),
    "dangling links": lambda n: answer(
        b'"attributes":{"related":[%b]}' % b",".join(b'{"id":"r%d"}' % (i % 99) for i in range(n))
    ),
    "blocks without a type": lambda n: answer(
        b'"content":[%b]' % b",".join([b'{"icons":[{}],"annotations":{"audience":[1]}}'] * n)
    ),
    "icons, type last": lambda n: answer(
        b'"content":[{"icons":[%b],"type":"resource_link"}]' % b",".join([b'{"src":" "}'] * n)
    ),
    "lone surrogates": lambda n: answer(b'"title":"%b"' % (b"\\ud800" * n)),
    "escapes": lambda n: answer(b'"title":"%b"' % (b"\\u00e9\\n" * n)),
    "a media type of blanks": lambda n: answer(
        b'"content":[{"type":"image","data":"","mimeType":"a/b%b/"}]' % (b" ;" * n)
    ),
}


@pytest.mark.parametrize("make", COSTLY.values(), ids=COSTLY)
@pytest.mark.parametrize("findings", [0, 7, None])
def test_work_is_linear(make, findings):
    def run(data):
        # Findings are not read: the pointer of a deep one is long by nature.
        outcome = checker(nesting=None, findings=findings).check(data)
        return outcome.ok, outcome.truncated, outcome.counts(), outcome.summary()

    one, two, four = (work(run, make(size)) for size in (100, 200, 400))
    assert two <= 2.1 * one
    assert four <= 2.1 * two


@pytest.mark.parametrize("make", COSTLY.values(), ids=COSTLY)
def test_memory_is_linear(make):
    one, two = (peak(checker(nesting=None).check, make(size)) for size in (500, 1_000))
    assert two <= 2.3 * one + 40_000


def peak(function, *arguments):
    gc.collect()
    tracemalloc.start()
    try:
        function(*arguments)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


LONG = {
    "opaque": (b'"attributes":{"a":"%b"}', b"AAAA"),
    "a text": (b'"content":[{"text":"%b","type":"text"}]', b"\xc3\xa9\\n"),
    "data": (b'"content":[{"data":"%b","type":"image","mimeType":"image/png"}]', b"AAAA"),
    "a blob": (b'"content":[{"type":"resource","resource":{"uri":"a1:b","blob":"%b"}}]', b"AAAA"),
    "a number": (b'"attributes":{"a":1%b}', b"1111"),
    "white space": (b'"attributes":{"a":1}%b', b"    "),
}


@pytest.mark.parametrize("wrapping, filling", LONG.values(), ids=LONG)
def test_memory_does_not_depend_on_the_length_of_strings(wrapping, filling):
    short, long = (answer(wrapping % (filling * count)) for count in (50_000, 300_000))
    assert peak(checker().check, long) <= peak(checker().check, short) + 20_000


def test_the_first_error_ends_is_valid():
    start = b'{"protocol":"1","root":{"children":[%b]}}'
    few, many = (start % b",".join([b'{"id":"x"}'] * count) for count in (10, 10_000))
    assert work(checker().is_valid, many) <= 2 * work(checker().is_valid, few)
    pure_warnings = children([b'{"id":"x%d","role":"Button"}' % i for i in range(300)])
    assert checker().is_valid(pure_warnings)


# --- what stays behind ---


def test_an_outcome_holds_no_source():
    for data in (answer(b'"title":""'), b"[1,", b'{"root":{"id":"x","id":"x"}}'):
        for source in (bytes(bytearray(data)), data.decode() + ""):
            before = sys.getrefcount(source)
            outcome = checker().check(source)
            assert sys.getrefcount(source) == before
            assert all_of(outcome)


def test_nothing_is_left_for_the_garbage_collector():
    gc.collect()
    gc.disable()
    try:
        for vector in OF_BYTES:
            if len(vector.file) < 5_000:
                set_up = checker(**settings(vector))
                all_of(set_up.check(vector.file))
                set_up.is_valid(vector.file)
                in_pieces(vector.file, 9, **settings(vector))
                if (value := object_of(vector.file)) is not None:
                    set_up.check(value)
        assert gc.collect() == 0
    finally:
        gc.enable()
