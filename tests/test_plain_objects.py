"""Plain dicts and lists take a straight way through the compiled engine; nothing may show that.

Comes in: an answer in which each place in turn is replaced by something unusual. Goes out: the
report that its text has, or that the same in other classes has.
"""

import collections
import copy
import gc
import json
import random
import struct

import pytest

from elementguard._validator import over

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="
)
ANSWER = {
    "protocol": "0.2.0",
    "instance": "k3f9x2",
    "root": {
        "id": "app",
        "role": "Application",
        "title": "Ada’s",
        "children": [
            {
                "id": "t",
                "role": "Table",
                "focused": True,
                "children": [
                    {
                        "id": "r",
                        "role": "Row",
                        "focused": True,
                        "children": [
                            {
                                "id": "c",
                                "role": "Cell",
                                "subrole": "cell",
                                "selected": True,
                                "content": [
                                    {"type": "text", "text": 'a "b"\n'},
                                    {"type": "image", "mimeType": "image/png", "data": PIXEL},
                                    {"type": "resource_link", "uri": "https://a.b/c", "name": "n"},
                                ],
                            }
                        ],
                    }
                ],
            },
            {
                "id": "x",
                "role": "Group",
                "url": "file:///x",
                "visible": False,
                "attributes": {
                    "author": "A",
                    "own": {"b": [1, -2.5, None, True, "é", [], {}]},
                    "related": [{"relation": "r", "id": "t"}, {"relation": "q", "url": "u"}],
                },
            },
            {
                "id": "y",
                "role": "Document",
                "content": [{"type": "resource", "resource": {"uri": "file:///a", "text": "t"}}],
            },
        ],
    },
}
WORDS = ["", " ", "x y", "Button", "Application", "javascript:x", "https://a.b/%zz", "é", "x" * 129]
WORDS += ['quote"', "line\nbreak", "\x01", "\x7f", "\x85", "a\u2028b", "\u202e", "back\\slash"]
VALUES = [None, True, False, 0, 2**53, 2**60, 1.5, [], {}, [[]], {"a": {}}]


def places(value):
    """The path of every value in another."""
    found, rest = [], [((), value)]
    while rest:
        path, value = rest.pop()
        found.append(path)
        if isinstance(value, dict | list):
            names = value if isinstance(value, dict) else range(len(value))
            rest += [((*path, name), value[name]) for name in names]
    return found


def inner(value, path):
    for name in path:
        value = value[name]
    return value


def replaced(path, change):
    """The answer with a value in it changed."""
    answer = copy.deepcopy(ANSWER)
    *around, name = path
    holder = inner(answer, around)
    holder[name] = change(holder[name])
    return answer


PLACES = [path for path in places(ANSWER) if path]


def told(report):
    all_of_it = report.to_dict()
    for finding in all_of_it["findings"]:
        finding["offset"] = None
    return all_of_it


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def test_the_answer_itself_has_no_findings(engine):
    assert not engine.check(ANSWER).findings


@pytest.mark.parametrize("value", WORDS + VALUES, ids=ascii)
def test_an_unusual_value_anywhere_is_said_as_of_a_text(engine, value):
    for path in PLACES:
        given = replaced(path, lambda _: value)
        assert told(engine.check(given)) == told(engine.check(compact(given))), path
        assert engine.is_valid(given) == engine.is_valid(compact(given)), path


@pytest.mark.parametrize("name", ["ID", "selected", "related", "author", "é", 'quote"', "x" * 99])
def test_an_unusual_name_anywhere_is_said_as_of_a_text(engine, name):
    for *around, before in (path for path in PLACES if isinstance(path[-1], str)):
        given = copy.deepcopy(ANSWER)
        holder = inner(given, around)
        members = [(name if other == before else other, holder[other]) for other in holder]
        holder.clear()
        holder.update(members)
        assert told(engine.check(given)) == told(engine.check(compact(given))), (around, before)


@pytest.mark.parametrize(
    "limits",
    [{"nesting": n} for n in range(1, 14)]
    + [{"elements": 3}, {"depth": 3}, {"blocks": 2}, {"title_characters": 4}]
    + [{"attributes_bytes": 50}, {"content_bytes": 99}, {"subtree_elements": 2}],
    ids=str,
)
def test_limits_are_passed_where_they_are_in_a_text(engine, limits):
    limits = engine.Limits(**limits)
    parsed = engine.check(ANSWER, limits=limits)
    assert told(parsed) == told(engine.check(compact(ANSWER), limits=limits))


def test_it_is_read_up_to_the_byte_that_is_too_many(engine):
    length = len(compact(ANSWER))
    for allowed in range(length + 1):
        limits = engine.Limits(bytes=allowed)
        found = [finding.params for finding in engine.check(ANSWER, limits=limits).findings]
        many = {"limit": "bytes", "allowed": allowed, "actual": allowed + 1}
        assert found == [many] * (allowed < length)


class Text(str):
    __slots__ = ()


class Dict(dict):
    pass


class List(list):
    pass


OTHERS = {str: [Text], dict: [Dict, collections.UserDict], list: [List, tuple]}


def test_another_class_anywhere_is_the_same_answer(engine):
    clean = told(engine.check(ANSWER))
    for path in PLACES:
        for other in OTHERS.get(type(inner(ANSWER, path)), []):
            assert told(engine.check(replaced(path, other))) == clean, path


def test_a_container_that_is_open_already_is_foreign_anywhere(engines):
    containers = [path for path in PLACES if isinstance(inner(ANSWER, path), dict | list)]
    for outer in containers:
        for path in PLACES:
            if path != outer and path[: len(outer)] == outer:
                given = copy.deepcopy(ANSWER)
                *around, name = path
                inner(given, around)[name] = inner(given, outer)
                reports = [over(core).check(given) for core in engines.values()]
                assert told(reports[0]) == told(reports[1]), (outer, path)


def test_a_name_may_come_twice_in_a_dict(engines):
    class Odd(str):
        __slots__ = ()

        def __eq__(self, other):
            return self is other

        def __hash__(self):
            return 7

    for *around, before in (path for path in PLACES if isinstance(path[-1], str)):
        for turn in (1, -1):
            given = copy.deepcopy(ANSWER)
            holder = inner(given, around)
            members = [*holder.items(), (Odd(before), holder[before])][::turn]
            holder.clear()
            holder.update(members)
            reports = [over(core).check(given) for core in engines.values()]
            assert told(reports[0]) == told(reports[1]), (around, before)
            assert reports[0].counts["duplicate-member"]


def test_of_many_names_none_is_taken_for_another(engine):
    attributes = {f"n{i}": {f"m{j}": j for j in range(i % 50)} for i in range(2000)}
    given = replaced(("root", "children", 1, "attributes"), lambda _: attributes)
    assert engine.check(given).summary.bytes == len(compact(given))


def test_of_the_names_in_many_answers_none_is_taken_for_another(engine):
    """Names are known by who they are, also in the next answer: those that are gone must not be."""
    rnd = random.Random(6)
    for _ in range(300):
        given = json.loads(compact(ANSWER))
        *around, name = rnd.choice([path for path in PLACES if isinstance(path[-1], str)])
        holder = inner(given, around)
        holder[rnd.choice([name + "s", name[::-1], "title", "text"])] = holder.pop(name)
        assert told(engine.check(given)) == told(engine.check(compact(given)))


def test_a_float_is_as_long_as_python_writes_it(engine):
    rnd = random.Random(5)
    floats = [0.0, -0.0, 1e16, 1e15, 9999999999999998.0, 1e-4, 1e-5, 0.00001234, -1.2e-9, 5e-324]
    floats += [2.0**n for n in range(-1074, 1024)]
    floats += [10.0**n for n in range(-20, 24)]
    floats += [rnd.random() * 10 ** rnd.randint(-12, 20) for _ in range(2000)]
    floats += [round(rnd.random() * 1000, rnd.randint(0, 8)) for _ in range(2000)]
    floats += [struct.unpack("d", rnd.randbytes(8))[0] for _ in range(4000)]
    floats = [value for value in floats if value - value == 0]  # neither infinite nor NaN
    for value in floats:
        given = {"id": "a", "role": "Group", "attributes": {"": value}}
        report = engine.check(given, kind="element")
        assert report.summary.bytes == len(compact(given)), value


def test_a_ride_that_is_interrupted_goes_on(engine):
    children = [{"id": f"e{n}", "role": "Group", "title": "é" * (n % 9)} for n in range(1, 40_000)]
    given = {"id": "a", "role": "Group", "children": children}
    limits = engine.Limits(children=None, elements=None)
    parsed = engine.check(given, kind="element", limits=limits)
    text = engine.check(compact(given), kind="element", limits=limits)
    assert told(parsed) == told(text)


@pytest.mark.parametrize("collects", [True, False])
def test_the_collector_is_as_it_was(engine, collects):
    before = gc.isenabled()
    (gc.enable if collects else gc.disable)()
    try:
        for value in ("x", "\ud800", object()):
            engine.check(replaced(("root", "title"), lambda _, value=value: value))
            assert gc.isenabled() == collects
    finally:
        (gc.enable if before else gc.disable)()


def test_no_finalizer_runs_between_two_looks(engine):
    """A surrogate makes an exception, and that may make room: not while references are borrowed."""

    class Cyclic:
        def __init__(self):
            self.own = self

        def __del__(self):
            children.clear()

    thresholds = gc.get_threshold()
    gc.set_threshold(1)
    try:
        for _ in range(50):
            child = {"role": "Group", "title": "\ud800"}
            children = [{"id": f"e{n}", **child} for n in range(30)]
            Cyclic()
            report = engine.check(
                {"id": "a", "role": "Group", "children": children}, kind="element"
            )
            assert set(report.counts) <= {"lone-surrogate", "empty-children"}
    finally:
        gc.set_threshold(*thresholds)
