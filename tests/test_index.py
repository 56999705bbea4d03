"""The index of a loaded answer: both engines fill the same rows, those that a recount gives.

Comes in: the strategies of `strategies.py`. Goes out: an answer of which a row differs between the
engines, or from what is counted here in the parsed answer, without looking at how engines count.
"""

import base64
import gc
import json
import sys
import tracemalloc
from typing import NamedTuple

import pytest
from hypothesis import assume

from elementguard import _layout as layout
from elementguard._answer import class_over
from elementguard._layout import HIDDEN, SHOWN, WIDTH
from elementguard._python.index import Rows
from strategies import Case, object_case, permuted, settings_of, text_case
from test_property import looking_for
from valid_answers import answer, element
from written_answers import written

ROOM = 96  # bytes an element, at most
ASKED = ("subrole", "title", "url", "content", "attributes", "children")
STATES = (1, 2, 4, 8, 16)


def rows_of(index):
    rows = [*zip(*map(index.column, range(WIDTH)), strict=True)]
    cells = [[index.cell(row, column) for column in range(WIDTH)] for row in range(len(index))]
    assert rows == [*map(tuple, cells)]
    return rows


def members_of(index, data):
    """Of each element where its members are, and their texts."""
    source = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else bytes(data)
    index.settle(source, class_over(type(index)), (None, "answer", None))
    elements = [*map(index.at, range(len(index)))]
    return [[(one._member(name), one._text(name)) for name in ASKED] for one in elements]


def loaded(core, case, *, faulty):
    return case.validator(core)._checker.load(case.data, faulty=faulty)


def hold_equal(engines, case):
    for faulty in (False, True):
        rust, python = (loaded(engines[name], case, faulty=faulty) for name in ("rust", "python"))
        assert rust[0].findings() == python[0].findings()
        outcome, index = rust
        is_wanted = outcome.ok or (faulty and not outcome.fatal)
        assert (index is not None) == (python[1] is not None) == is_wanted
        if index is not None:
            assert rows_of(index) == rows_of(python[1])
            assert len(index) == outcome.summary()[1]
            for bit in STATES:
                assert index.marked(bit) == python[1].marked(bit)
            for rows in ([0], index.marked(1), [len(index) - 1, len(index) // 2]) if index else ():
                assert [*index.near(rows)] == [*python[1].near(rows)]
            if isinstance(case.data, (str, bytes, bytearray)):
                assert members_of(index, case.data) == members_of(python[1], case.data)


@looking_for(text_case, share=2)
def test_the_engines_fill_the_same_rows_of_bytes(engines, case):
    hold_equal(engines, case)


@looking_for(object_case, share=2)
def test_the_engines_fill_the_same_rows_of_parsed_objects(engines, case):
    hold_equal(engines, case)


def valid_case(rnd):
    """A valid answer, its members in any order, in any handwriting."""
    case = Case(None, **settings_of(rnd, all_limits=False))
    case.limits = {}
    value = permuted(rnd, (answer if case.kind == "answer" else element)(rnd))
    case.data = written(rnd, value)
    return case


@looking_for(valid_case, share=2)
def test_rows_are_what_a_naive_recount_gives(engine, engines, case):
    outcome, index = loaded(engines[engine.engine], case, faulty=False)
    assume(index is not None)
    text = case.data.decode()
    naive = Naive(text)
    naive.element(naive.top(case.kind), None)
    assert rows_of(index) == naive.rows
    root = outcome.summary()[11]
    found = members_of(index, case.data)
    assert [[span for span, _ in one] for one in found] == [
        [own.get(name) for name in ASKED] for own in naive.own
    ]
    for span, one in (both for of_element in found for both in of_element):
        value = json.loads(case.data[slice(*span)]) if span else None
        assert one == (value if isinstance(value, str) else None)
    first = rows_of(index)[0]
    assert root[0] == first[layout.END] - first[layout.START]
    assert root[1:3] + root[4:] == first[layout.ELEMENTS : layout.FLAGS]


class Naive:
    """Counts an answer again, from its text, with a decoder that says where values stand."""

    def __init__(self, text):
        self.text = text
        self.rows = []
        self.own = []  # of each element where its members are, in bytes

    def top(self, kind):
        at = self._behind(0)
        return at if kind == "element" else self.members(at)["root"][0]

    def element(self, at, parent):
        number = len(self.rows)
        self.rows.append(None)
        own = self.members(at)
        self.own.append({name: tuple(self._bytes(0, at) for at in own[name]) for name in own})
        below = [self.element(start, number) for start in self.items(own.get("children"))]
        value, end = json.JSONDecoder(strict=True).raw_decode(self.text, at)
        content = self._bytes(*own["content"]) if "content" in own else 0
        texts, blobs = map(sum, zip(*map(weight, value.get("content", [])), (0, 0), strict=False))
        flags = sum(
            bit
            for bit, name in ((1, "selected"), (2, "focused"), (4, "hovered"))
            if value.get(name) is True
        )
        flags += {True: SHOWN, False: HIDDEN}.get(value.get("visible"), 0)
        sizes = (
            1 + sum(row[layout.ELEMENTS] for row in below),
            1 + max((row[layout.HEIGHT] for row in below), default=0),
            content + sum(row[layout.CONTENT] for row in below),
            texts + sum(row[layout.TEXT] for row in below),
            blobs + sum(row[layout.BLOB] for row in below),
        )
        places = (self._bytes(0, at), self._bytes(0, end), *map(self._place, (own, own), ROOTED))
        self.rows[number] = (parent, *places, *sizes, flags)
        return self.rows[number]

    def members(self, at):
        found, at = {}, self._behind(at + 1)
        while self.text[at] != "}":
            name, end = json.JSONDecoder().raw_decode(self.text, at)
            start = self._behind(self._behind(end) + 1)
            _, end = json.JSONDecoder().raw_decode(self.text, start)
            found.setdefault(name, (start, end))
            at = self._behind(end)
            at = self._behind(at + 1) if self.text[at] == "," else at
        return found

    def items(self, span):
        if span is None:
            return
        at = self._behind(span[0] + 1)
        while self.text[at] != "]":
            yield at
            _, at = json.JSONDecoder().raw_decode(self.text, at)
            at = self._behind(at)
            at = self._behind(at + 1) if self.text[at] == "," else at

    def _place(self, own, name):
        return self._bytes(0, own[name][0])

    def _behind(self, at):
        while self.text[at] in " \t\r\n":
            at += 1
        return at

    def _bytes(self, start, end):
        return len(self.text[start:end].encode())


ROOTED = ("id", "role")


def weight(block):
    """The bytes of a block's text, and of its binary data."""
    resource = block.get("resource", {})
    text = block["text"] if block["type"] == "text" else ""
    blob = block["data"] if block["type"] in ("image", "audio") else ""
    if block["type"] == "resource":
        text, blob = resource.get("text", ""), resource.get("blob", "")
    return len(text.encode()), len(base64.b64decode(blob))


@looking_for(valid_case, share=2)
def test_what_is_visible_is_what_a_naive_recount_gives(engine, engines, case):
    assume(loaded(engines[engine.engine], case, faulty=False)[1] is not None)
    loaded_answer = case.validator(engines[engine.engine]).load(case.data)
    top = json.loads(case.data)
    top = top if case.kind == "element" else top["root"]
    assert [one.visible for one in loaded_answer.walk()] == [*seen(top, True)]


def seen(element, around):
    """Of an element and all below it whether it is seen, where `around` it all is."""
    own = element.get("visible", around)
    yield own
    for child in element.get("children", []):
        yield from seen(child, own)


def test_an_index_belongs_to_one_answer(engines):
    source = b'{"id":"n","role":"Row"}'
    for core in engines.values():
        _, index = loaded(core, Case(source, kind="element"), faulty=False)
        index.settle(source, index.HANDLE, "whole")
        assert (index.source, index.whole) == (source, "whole")
        with pytest.raises(ValueError, match="belongs to an answer already"):
            index.settle(source, index.HANDLE, "another")
        assert index.get("n")._number == index.find("n") == 0


CHILD = '[{"id":"b","role":"Row"}]'


@pytest.mark.parametrize(
    "text, children",
    [
        (f'{{"id":"a","role":"Row","childrenx":[0],"children":{CHILD},"title":"t"}}', CHILD),
        (f'{{"id":"a","role":"Row","children":{CHILD},"children":[[]],"title":"t"}}', CHILD),
        ('{"id":"a","role":"Row","childrenx":[{}],"title":"t"}', None),
    ],
    ids=["a longer name", "a name again", "a longer name alone"],
)
def test_a_members_place_is_its_own(engine, engines, text, children):
    _, index = loaded(engines[engine.engine], Case(text, kind="element"), faulty=True)
    own = dict(zip(ASKED, members_of(index, text)[0], strict=True))
    (span, _), (_, title) = own["children"], own["title"]
    assert (span and text[slice(*span)], title) == (children, "t")


def test_what_stands_behind_an_element_is_not_its_own(engine):
    root = '{"id":"a","role":"Application"}'
    text = f'{{"protocol":"0.2.0","instance":"k","root":{root},"title":"t","url":"ab:c"}}'
    top = engine.load(text).root
    assert (top.title, top.url, bytes(top.raw).decode()) == (None, None, root)


# --- what is wide, what is large ---


@looking_for(valid_case, share=2)
def test_wide_rows_hold_what_narrow_ones_do(engines, case):
    """Where an object may be as large as 4 GiB, the compiled engine's numbers have eight bytes."""
    case.data = json.loads(case.data)
    _, narrow = loaded(engines["rust"], case, faulty=True)
    assume(narrow is not None)
    case.limits = {"bytes": 2**40}
    _, wide = loaded(engines["rust"], case, faulty=True)
    assert rows_of(wide) == rows_of(narrow)
    assert [wide.marked(bit) for bit in STATES] == [narrow.marked(bit) for bit in STATES]
    if len(wide) > 9:
        assert sys.getsizeof(wide) > 88 * len(wide)


def test_numbers_of_the_pure_engine_are_as_wide_as_they_must_be():
    for base, typecode in ((0, "I"), (2**32 - 30, "I"), (2**32, "Q"), (2**33, "Q")):
        rows = Rows()
        rows.begin(base)
        rows.begin(base + 5)
        rows.id(base + 7)
        rows.end(base + 9, Sized(1, 1, 0, 0, 0))
        rows.end(base + 20, Sized(2, 2, 3, 2, 1))
        index = rows.index()
        assert index._table.typecode == typecode
        assert rows_of(index) == [
            (None, base, base + 20, None, None, 2, 2, 3, 2, 1, 0),
            (0, base + 5, base + 9, base + 7, None, 1, 1, 0, 0, 0, 0),
        ]


class Sized(NamedTuple):
    elements: int
    height: int
    content_bytes: int
    text_bytes: int
    blob_bytes: int


def table_like(number):
    return {"id": f"row-{number}", "role": "Row"}


def chat_like(number):
    words = [{"type": "text", "text": f"what {number} says, and more"}]
    return {"id": f"message-{number}", "role": "Text", "title": "By Ada", "content": words}


@pytest.mark.parametrize("child", [table_like, chat_like])
def test_an_answer_holds_little_beside_its_bytes(engine, child):
    rows = [child(number) for number in range(20_000)]
    source = json.dumps({"id": "top", "role": "List", "children": rows}).encode()
    gc.collect()
    tracemalloc.start()
    try:
        answer = engine.load(source, kind="element")
        assert answer[rows[-1]["id"]].id == rows[-1]["id"]
        gc.collect()
        traced, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert answer.raw.obj is source
    # What the compiled engine asks the system for is not traced: it tells it itself.
    own = sys.getsizeof(answer._index) if engine.engine == "rust" else 0
    assert own >= (44 * len(answer) if own else 0)
    assert traced + own <= ROOM * len(answer)
