"""The index of a loaded answer: both engines fill the same rows, those that a recount gives.

Comes in: the strategies of `strategies.py`. Goes out: an answer of which a row differs between the
engines, or from what is counted here in the parsed answer, without looking at how engines count.
"""

import base64
import json

from hypothesis import assume

from elementguard import _layout as layout
from elementguard._layout import FLAGS, HIDDEN, SHOWN, WIDTH
from strategies import Case, object_case, permuted, settings_of, text_case
from test_property import looking_for
from valid_answers import answer, element
from written_answers import written

ROOM = 96  # bytes an element, at most


def rows_of(index):
    table, none = memoryview(index.table), 2 ** (8 * memoryview(index.table).itemsize) - 1
    cells = [None if cell == none else cell for cell in table.tolist()]
    return [tuple(cells[at : at + WIDTH]) for at in range(0, len(cells), WIDTH)]


def loaded(core, case, *, faulty):
    return case.validator(core)._load(case.data, faulty=faulty)


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
            for bit in (1, 2, 4, 8, 16):
                assert index.marked(bit) == python[1].marked(bit)


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
    first = rows_of(index)[0]
    assert root[0] == first[layout.END] - first[layout.START]
    assert root[1:3] + root[4:] == first[layout.ELEMENTS : layout.FLAGS]


class Naive:
    """Counts an answer again, from its text, with a decoder that says where values stand."""

    def __init__(self, text):
        self.text = text
        self.rows = []

    def top(self, kind):
        at = self._behind(0)
        return at if kind == "element" else self.members(at)["root"][0]

    def element(self, at, parent):
        number = len(self.rows)
        self.rows.append(None)
        own = self.members(at)
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


def test_an_element_costs_less_than_its_room(engines):
    rows = ",".join(f'{{"id":"row-{number}","role":"Row"}}' for number in range(10_000))
    source = f'{{"id":"top","role":"List","children":[{rows}]}}'.encode()
    for core in engines.values():
        _, index = loaded(core, Case(source, kind="element"), faulty=False)
        assert index.find(source, "row-9999") == 10_000
        table = memoryview(index.table).nbytes
        places = 4 << (len(index) * 3 // 2).bit_length()
        assert table + places <= ROOM * len(index)


def test_the_table_is_read_only(engines):
    for core in engines.values():
        _, index = loaded(core, Case(b'{"id":"n","role":"Row"}', kind="element"), faulty=False)
        view = memoryview(index.table)
        assert (view.format, view.readonly, view.ndim, view.c_contiguous) == ("I", True, 1, True)
        assert view[FLAGS::WIDTH].tolist() == [0]
        del index
        assert view[0] == 2**32 - 1
