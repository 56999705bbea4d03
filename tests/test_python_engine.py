"""What is particular to the pure engine: its stack, its cost, and reading in pieces.

Comes in: the vectors, and answers made to be costly. Goes out: a failure where a check recurses,
does more than linear work, or depends on how the bytes are cut. What it says of answers, the other
tests hold it to. Work is counted in calls, for a clock would tell of the machine.
"""

import ast
import gc
import json
import sys
import tracemalloc
import weakref
from pathlib import Path

import elementguard._python as pure
import pytest
from elementguard._python.check import Check
from elementguard._python.facts import Limits
from elementguard._python.rules.table import CODES, LEVELS

sys.path.insert(0, str(Path(__file__).parent))

from written_reports import vectors

SOURCES = sorted(Path(pure.__file__).parent.rglob("*.py"))
OF_BYTES = [vector for vector in vectors() if vector.report["way"] == "bytes"]
FRAMES = 120  # the deepest stack that a check may need, above the test's own


def bounds(**limits):
    return Limits(**{**dict.fromkeys(Limits._fields), "nesting": 1024, "findings": 100, **limits})


def checker(kind="answer", levels=LEVELS, **limits):
    return pure.Checker(tuple(bounds(**limits)), bytes(levels), kind)


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
    check = Check(bounds(**limits), bytes(levels), is_fragment=kind == "element")
    for at in range(0, len(data), size):
        check.feed(data[at : at + size])
    return check.finish()


def answer(members):
    root = b'{"protocol":"0.2.0","instance":"i","root":{"id":"app","role":"Application",%b}}'
    return root % members


def children(elements):
    return answer(b'"children":[%b]' % b",".join(elements))


# --- in pieces ---


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
def test_pieces_of_any_size_give_the_same(size):
    for vector in OF_BYTES:
        # A limit on bytes is known beforehand of a whole buffer alone.
        if len(vector.file) < 5_000 and "bytes" not in vector.limits:
            whole = all_of(checker(**settings(vector)).check(vector.file))
            assert all_of(in_pieces(vector.file, size, **settings(vector))) == whole, vector.name


@pytest.mark.parametrize(
    ("data", "code", "offset"),
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
    check = Check(bounds(), bytes(LEVELS), is_fragment=False)
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
        one, two = (calls(in_pieces, data[:size] + data[-2:], 100) for size in (100_000, 200_000))
        assert two <= 2.1 * one


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


def calls(function, *arguments, **named):
    """How many calls of functions, Python's and C's, one call takes."""
    count = 0

    def note(_frame, event, _argument):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        function(*arguments, **named)
    finally:
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
        check = checker(nesting=None, findings=findings)
        all_of(check.check(data))
        check.is_valid(data)

    one, two, four = (calls(run, make(size)) for size in (400, 800, 1_600))
    # The pointers of deep findings are long by nature: they are not among these.
    assert two <= 2.1 * one
    assert four <= 2.1 * two


@pytest.mark.parametrize("make", COSTLY.values(), ids=COSTLY)
def test_memory_is_linear(make):
    one, two = (peak(checker(nesting=None).check, make(size)) for size in (2_000, 4_000))
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
    "opaque": b'"attributes":{"a":"%b"}',
    "a text": b'"content":[{"text":"%b","type":"text"}]',
    "data": b'"content":[{"data":"%b","type":"image","mimeType":"image/png"}]',
    "a blob": b'"content":[{"type":"resource","resource":{"uri":"a1:b","blob":"%b"}}]',
    "a number": b'"attributes":{"a":1%b}',
    "white space": b'"attributes":{"a":1}%b',
}


@pytest.mark.parametrize("wrapping", LONG.values(), ids=LONG)
def test_memory_does_not_depend_on_the_length_of_strings(wrapping):
    filling = {b"1%b": b"1", b"}%b": b" "}.get(wrapping[-4:-1] or b"", b"AAAA")
    if wrapping == LONG["a number"]:
        filling = b"1111"
    elif wrapping == LONG["white space"]:
        filling = b"    "
    short, long = (answer(wrapping % (filling * count)) for count in (100_000, 1_000_000))
    for run in (checker().check, lambda data: in_pieces(data, 50_000)):
        assert peak(run, long) <= peak(run, short) + 20_000


def test_the_first_error_ends_is_valid():
    start = b'{"protocol":"1","root":{"children":[%b]}}'
    few, many = (start % b",".join([b'{"id":"x"}'] * count) for count in (10, 10_000))
    assert calls(checker().is_valid, many) <= 2 * calls(checker().is_valid, few)
    pure_warnings = children([b'{"id":"x%d","role":"Button"}' % i for i in range(300)])
    assert checker().is_valid(pure_warnings)


# --- what stays behind ---


def test_an_outcome_holds_no_source():
    class Source(bytes):
        pass

    for data in (answer(b'"title":""'), b"[1,", b'{"root":{"id":"x","id":"x"}}'):
        source = Source(data)
        gone = weakref.ref(source)
        outcome = checker().check(source)
        del source
        assert gone() is None
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
                if not vector.report["fatal"]:
                    set_up.check(json.loads(vector.file))
        assert gc.collect() == 0
    finally:
        gc.enable()
