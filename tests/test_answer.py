"""What a host does with a loaded answer: find elements, walk the tree, read what they hold."""

import copy
import json
import mmap
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType

import pytest

import elementguard
from elementguard import Element, FullName, Limits, ValidationError

ROW = {
    "id": "c-3",
    "role": "Row",
    "subrole": "comment",
    "title": 'By "Ada" \u00e9',
    "focused": True,
}
SELECTION = {
    "id": "sel-4",
    "role": "Text",
    "selected": True,
    "hovered": True,
    "content": [{"type": "text", "text": "what it shows"}, {"type": "text", "text": "\u00e9\\"}],
}
ANSWER = {
    "protocol": "0.2.0",
    "instance": "k3f9x2",
    "root": {
        "id": "app",
        "role": "Application",
        "children": [
            {
                "id": "w-1",
                "role": "Window",
                "focused": True,
                "visible": False,
                "children": [{**ROW, "children": [{**SELECTION, "visible": True}]}],
                "url": "https://example.com/a",
                "attributes": {"line": 7, "due": None, "deep": [[{"a]": "}"}]]},
            },
            {"id": "w-2", "role": "Dashboard", "content": []},
        ],
    },
}
TEXT = json.dumps(ANSWER, indent=1).encode()
IDS = ["app", "w-1", "c-3", "sel-4", "w-2"]


@pytest.fixture(scope="module")
def answer(engine):
    return engine.load(TEXT, provider="notes")


def test_the_envelope(answer):
    assert (answer.protocol, answer.instance, answer.provider) == ("0.2.0", "k3f9x2", "notes")
    assert answer.report.ok
    assert dict(answer.report.counts) == {"unknown-role": 1, "empty-content": 1}
    assert bytes(answer.raw) == TEXT
    assert repr(answer) == f"<Answer: 5 elements, {len(TEXT)} bytes>"


def test_elements_are_found_by_id(answer):
    assert [answer[name].id for name in IDS] == IDS
    assert answer.get("w-2") == answer["w-2"] == answer.root.children[1]
    assert answer.get("w-3") is None
    with pytest.raises(KeyError, match="w-3"):
        answer["w-3"]
    assert "w-1" in answer
    assert answer["w-1"] in answer
    assert "w" not in answer
    assert 7 not in answer
    with pytest.raises(TypeError, match="id: a str is needed, not int"):
        answer.get(7)


def test_they_come_in_document_order(answer):
    assert [element.id for element in answer.walk()] == IDS
    assert [element.id for element in answer] == IDS
    assert len(answer) == 5


def test_the_tree(answer):
    selection = answer["sel-4"]
    assert selection.parent == answer["c-3"]
    assert [element.id for element in selection.ancestors] == ["c-3", "w-1", "app"]
    assert [child.id for child in answer.root.children] == ["w-1", "w-2"]
    assert selection.children == ()
    assert answer.root.parent is None
    assert answer.root.ancestors == ()


def test_where_the_user_is(answer):
    assert [element.id for element in answer.focus_path] == ["w-1", "c-3"]
    assert answer.position.id == "c-3"
    assert [element.id for element in answer.selected] == ["sel-4"]
    assert answer.hovered.id == "sel-4"


def test_nobody_is_anywhere(engine):
    answer = engine.load({"id": "a", "role": "Group"}, kind="element")
    assert (answer.focus_path, answer.position, answer.selected, answer.hovered) == (
        (),
        None,
        (),
        None,
    )
    assert answer.protocol is None
    assert answer.instance is None


def test_the_focus_of_a_fragment_begins_at_its_top(engine):
    child = {"id": "b", "role": "Row", "focused": True}
    validator = engine.Validator(kind="element", rules={"focus-gap": "note"})
    for top in ({"focused": True}, {}):
        answer = validator.load({"id": "a", "role": "List", **top, "children": [child]})
        ids = tuple(element.id for element in answer.focus_path)
        assert ids == answer.report.summary.focus_path == (("a", "b") if top else ("b",))


def test_what_an_element_says(answer):
    row = answer["c-3"]
    assert (row.role, row.role_as_sent, row.subrole) == ("Row", "Row", "comment")
    assert row.title == ROW["title"]
    assert row.url is None
    assert answer["w-1"].url == "https://example.com/a"
    assert (answer["w-2"].role, answer["w-2"].role_as_sent) == ("Group", "Dashboard")
    assert row.name == FullName("notes", "k3f9x2", "c-3")
    assert repr(row) == "<Element 'c-3' Row>"


def test_states(answer):
    told = {
        name: (answer[name].selected, answer[name].focused, answer[name].hovered) for name in IDS
    }
    assert told == {
        "app": (False, False, False),
        "w-1": (False, True, False),
        "c-3": (False, True, False),
        "sel-4": (True, False, True),
        "w-2": (False, False, False),
    }


def test_visible_is_what_holds_around_an_element(answer):
    told = [answer[name].visible for name in IDS]
    assert told == [True, False, False, True, True]


def test_what_an_element_holds(answer):
    assert answer["sel-4"].content == SELECTION["content"]
    assert answer["w-1"].attributes == ANSWER["root"]["children"][0]["attributes"]
    assert answer["w-2"].content == answer["app"].content == []
    assert answer["app"].attributes == {}


def test_what_is_decoded_belongs_to_who_asked(answer):
    answer["sel-4"].content.clear()
    answer["w-1"].attributes.clear()
    assert answer["sel-4"].content
    assert answer["w-1"].attributes


def test_an_element_as_it_was_sent(answer):
    assert answer["app"].to_dict() == ANSWER["root"]
    assert answer["w-1"].to_dict() == ANSWER["root"]["children"][0]
    for element in answer:
        raw = element.raw
        assert raw.readonly
        assert raw.obj is answer.raw.obj
        assert json.loads(bytes(raw)) == element.to_dict()
        assert element.size.bytes == len(raw)


def test_sizes(answer):
    assert answer["app"].size == answer.report.summary.root
    size = answer["sel-4"].size
    assert size[1:4] == (1, 1, 4)
    assert size.text_bytes == 13 + 3


def test_pointers_are_those_of_findings(answer):
    pointers = [element.pointer for element in answer]
    assert pointers == [
        "/root",
        "/root/children/0",
        "/root/children/0/children/0",
        "/root/children/0/children/0/children/0",
        "/root/children/1",
    ]
    (finding,) = answer.report.warnings
    assert finding.pointer == answer[finding.element].pointer + "/role"


def test_an_item_that_is_no_element_counts_in_pointers(engine):
    validator = engine.Validator(kind="element", rules={"wrong-type": "note"})
    child = {"id": "b", "role": "Row"}
    top = {"id": "a", "role": "List", "title": 7, "content": {}, "children": ["x", [child], child]}
    for data in (json.dumps(top).encode(), top):
        answer = validator.load(data)
        assert answer["b"].pointer == "/children/2"
        assert answer.root.title is None
        assert answer.root.content == []


def test_the_heaviest(answer):
    assert [element.id for element in answer.heaviest(3)] == ["app", "w-1", "c-3"]
    assert [element.id for element in answer.heaviest(9, by="text_bytes")] == IDS
    assert answer.heaviest(0) == ()
    with pytest.raises(ValueError, match="n: 0 or more"):
        answer.heaviest(-1)
    with pytest.raises(ValueError, match="by: one of 'bytes', 'elements'"):
        answer.heaviest(by="weight")
    with pytest.raises(TypeError, match="n: an integer"):
        answer.heaviest("3")


@pytest.mark.parametrize("name", ["id", "\\u0069d"])
def test_names_and_ids_may_be_escaped(engine, name):
    text = '{"\\u0072ole":"Row","t\\u0069tle":"T\\u00e9","NAME":"\\u0061b"}'
    answer = engine.load(text.replace("NAME", name), kind="element")
    assert answer["ab"].title == "T\u00e9"
    assert answer.root.id == "ab"
    assert answer.root.role == "Row"


# --- ways in ---


def test_an_answer_holds_bytes_of_its_own(engine):
    mutable = bytearray(TEXT)
    answer = engine.load(mutable)
    mutable[:] = b"x" * len(mutable)
    mutable.append(0)  # nothing is exported any more
    assert [element.id for element in answer] == IDS
    assert engine.load(TEXT).raw.obj is TEXT


def test_all_ways_in_give_the_same_answer(engine, tmp_path):
    (tmp_path / "a").write_bytes(TEXT)
    with (tmp_path / "a").open("rb") as file, mmap.mmap(file.fileno(), 0, prot=1) as mapped:
        for data in (TEXT.decode(), memoryview(b"[" + TEXT + b"]")[1:-1], mapped, MyBytes(TEXT)):
            answer = engine.load(data)
            assert bytes(answer.raw) == TEXT
            assert answer.report == engine.check(TEXT)
            assert answer.root.to_dict() == ANSWER["root"]


class MyBytes(bytes):
    def index(self, *_):
        raise AssertionError


class MyDict(dict):
    pass


def test_a_parsed_object_is_kept_as_compact_json(engine):
    compact = json.dumps(ANSWER, ensure_ascii=False, separators=(",", ":")).encode()
    deep = MappingProxyType({**ANSWER, "root": MyDict(ANSWER["root"])})
    for data in (ANSWER, deep):
        answer = engine.load(data)
        assert bytes(answer.raw) == compact
        assert answer.report == engine.check(ANSWER)
        assert answer.report.findings[0].offset is None
        assert [element.id for element in answer] == IDS
        assert answer["w-1"].to_dict() == ANSWER["root"]["children"][0]
        assert answer["sel-4"].size == engine.load(compact)["sel-4"].size


def test_what_is_no_json_is_left_out_if_the_host_lets_it_pass(engine):
    validator = engine.Validator(kind="element", rules={"wrong-type": "off"})
    data = {"id": "a", "role": "Row", 7: 8, "title": {1}, "attributes": {"x": float("nan"), "y": 2}}
    answer = validator.load(data)
    assert bytes(answer.raw) == b'{"id":"a","role":"Row","attributes":{"y":2}}'
    assert answer["a"].attributes == {"y": 2}


def test_an_error_is_raised(engine):
    for data in (b"{}", b"[", {"protocol": 7}, "\ud800"):
        with pytest.raises(ValidationError) as caught:
            engine.load(data)
        assert caught.value.report == engine.check(data)


def test_limits_count(engine):
    limits = Limits(bytes=20)
    for data in (TEXT, bytearray(TEXT), TEXT.decode(), ANSWER):
        with pytest.raises(ValidationError) as caught:
            engine.load(data, limits=limits)
        assert caught.value.report.counts == {"limit-bytes": 1}
    assert len(engine.load(TEXT, limits=Limits(elements=5))) == 5


def test_what_only_gives_an_answer_is_refused(engine, tmp_path):
    (tmp_path / "a").write_bytes(TEXT)
    with pytest.raises(TypeError, match="a Stream keeps no bytes"):
        engine.load(engine.Validator().stream())
    with (tmp_path / "a").open("rb") as file, pytest.raises(TypeError, match="BufferedReader"):
        engine.load(file)
    with pytest.raises(TypeError, match="not a list_iterator that gives it"):
        engine.load(iter([TEXT]))


def test_wrong_arguments_are_refused(engine):
    with pytest.raises(TypeError, match="not of format 'I'"):
        engine.load(memoryview(bytes(8)).cast("I"))
    with pytest.raises(ValueError, match="not contiguous"):
        engine.load(memoryview(TEXT)[::2])
    released = memoryview(TEXT)
    released.release()
    with pytest.raises(ValueError, match="released"):
        engine.load(released)
    with pytest.raises(TypeError, match="provider: a str or None"):
        engine.load(TEXT, provider=7)
    with pytest.raises(TypeError, match="made by load"):
        elementguard.Answer()


# --- numbers, depth ---


@pytest.mark.parametrize(
    "number", ["123456789012345678901", "1e999", "-0", "1.5", "9007199254740993"]
)
def test_numbers_are_read_as_json_reads_them(engine, number):
    text = f'{{"id":"a","role":"Row","attributes":{{"n":{number}}}}}'
    for rules in ({}, {"imprecise-number": "off"}):
        answer = engine.Validator(kind="element", rules=rules).load(text)
        assert repr(answer["a"].attributes) == repr(json.loads(text)["attributes"])


def test_an_integer_of_very_many_digits_is_a_float(engine):
    answer = engine.load(
        '{"id":"a","role":"Row","attributes":{"n":%s}}' % ("9" * 5000), kind="element"
    )
    assert answer["a"].attributes == {"n": float("inf")}


def test_deep_answers_need_no_recursion(engine):
    depth = 30_000
    text = "".join(f'{{"id":"e{n}","role":"Group","children":[' for n in range(depth))
    text += '{"id":"leaf","role":"Row","attributes":{"a":' + "[" * depth + "]" * depth + "}}"
    text += "]}" * depth
    validator = engine.Validator(kind="element", limits=Limits(nesting=None))
    answer = validator.load(text)
    assert len(answer) == depth + 1
    leaf = answer["leaf"]
    assert leaf.visible
    assert len(leaf.ancestors) == depth
    assert leaf.size.depth == depth + 1
    assert leaf.pointer == "/children/0" * depth
    value, nested = leaf.attributes["a"], 1
    while value:
        (value,) = value
        nested += 1
    assert nested == depth
    value = answer.root.to_dict()
    again = validator.load(value)
    assert bytes(again.raw) == text.encode()
    # Python's own dealloc of nested containers is iterative; comparing them is not.
    assert sys.getrecursionlimit() < depth


# --- values among values ---


def test_answers_and_elements_can_be_pickled_and_copied(answer):
    again = pickle.loads(pickle.dumps(answer))
    assert again.raw == answer.raw
    assert (again.report, again.provider, again.kind) == (answer.report, "notes", "answer")
    assert [element.id for element in again] == IDS
    element = pickle.loads(pickle.dumps(answer["w-1"]))
    assert element.name == answer["w-1"].name
    assert element != answer["w-1"]
    for kept in (answer, answer["w-1"]):
        assert copy.copy(kept) is copy.deepcopy(kept) is kept


def test_elements_are_equal_if_they_are_the_same(answer, engine):
    assert answer["w-1"] == answer.root.children[0]
    assert hash(answer["w-1"]) == hash(answer.root.children[0])
    assert answer["w-1"] != answer["w-2"]
    assert answer["w-1"] != engine.load(TEXT)["w-1"]
    assert answer["w-1"] != "w-1"


def test_an_element_is_found_and_not_made(answer, engine):
    with pytest.raises(TypeError, match="found in an Answer"):
        Element(answer, 0)
    kind = type(answer.root)
    assert issubclass(kind, Element)
    assert (kind.__module__, kind.__qualname__) == (Element.__module__, "Element")
    assert kind is type(answer["w-1"]) is type(engine.load(TEXT).position)
    assert not hasattr(answer.root, "__dict__")


@pytest.mark.parametrize("role", ["Row", "R\\u006fw", "Dashboard", "\u00e9", "Row\\u0000", ""])
def test_roles_and_ids_are_read_as_json_reads_them(engine, role):
    text = f'{{"id":"{role}","role":"{role}","title":"x"}}'
    rules = {"malformed-id": "off", "unknown-role": "off"}
    element = engine.Validator(kind="element", rules=rules).load(text).root
    told = json.loads(text)
    assert (element.id, element.role_as_sent) == (told["id"], told["role"])
    assert element.role == ("Row" if told["role"] == "Row" else "Group")


def test_an_answer_cannot_be_changed(answer):
    with pytest.raises(AttributeError, match="immutable"):
        answer.report = None
    with pytest.raises(AttributeError):
        answer.root.id = "x"


def test_threads_may_share_an_answer(engine):
    rows = [{"id": f"r{n}", "role": "Row", "title": f"T{n}"} for n in range(2_000)]
    answer = engine.load({"id": "top", "role": "List", "children": rows}, kind="element")

    def read(start):
        return [answer[f"r{n}"].title for n in range(start, 2_000, 8)]

    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(read, range(8)))
    assert told == [[f"T{n}" for n in range(start, 2_000, 8)] for start in range(8)]


def test_members_behind_many_children_are_found(engine):
    rows = [{"id": f"r{n}", "role": "Row", "children": []} for n in range(50)]
    top = {"id": "top", "children": rows, "role": "List", "title": "T", "attributes": {"a": 1}}
    answer = engine.load(json.dumps(top, indent=2), kind="element")
    assert answer.root.title == "T"
    assert answer.root.attributes == {"a": 1}
    assert isinstance(answer.root, Element)


def test_the_first_of_several_hovered_elements_is_the_innermost(engine):
    validator = engine.Validator(
        kind="element", rules={"many-hovered": "note", "hovered-ancestor": "note"}
    )
    rows = [{"id": name, "role": "Row", "hovered": True} for name in "bc"]
    for top in ({}, {"hovered": True}):
        answer = validator.load({"id": "a", "role": "List", **top, "children": rows})
        assert answer.hovered.id == answer.report.summary.hovered == "b"
