"""Facade: an excerpt found from where the user is, outwards (`docs/excerpt.md`).

Comes in: the index of a loaded answer, what is to be kept, budgets. Goes out: the excerpt's bytes,
the same that `_python.excerpt` gives: that one puts all of the answer in order and is read first.

A budget is small and an answer may be large. So elements are asked for by their distance, nearest
first, and only of those that come their own bytes are looked at; the first thing that does not fit
ends it. What is farther is never seen. Blocks with binary data wait until all else is there. Of an
element that is there with all it has nothing is remembered: an excerpt may have a million.
"""

from __future__ import annotations

import re

from elementguard._layout import BLOB, ELEMENTS, END, HOVERED, PARENT, SELECTED, START
from elementguard._members import behind, end_of_rest, end_of_value, items, members, text
from elementguard._python.base64 import Payload
from elementguard._python.excerpt import TooSmallError, UnknownIdError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from elementguard._engine import Index

    Budgets = tuple[tuple[str, int | None], ...]
    Span = tuple[int, int]

_STATES = {"selected": SELECTED, "hovered": HOVERED}
_GAP = b" \t\n\r,"
_ARRAY, _END, _OBJECT, _QUOTE = b'[]{"'
_LISTS = frozenset({"children", "content"})
# A member's name, and its value if that is no object and no array; with what stands before.
_MEMBER = re.compile(
    rb'[ \t\n\r,]*+("[^"\\]*+(?:\\.[^"\\]*+)*+")[ \t\n\r]*+:[ \t\n\r]*+'
    rb'("[^"\\]*+(?:\\.[^"\\]*+)*+"|[^][{}",\s]++)?+'
)
# Of an element's blocks the texts come first; those with binary data wait.
_TEXT, _OTHER, _HEAVY = 1, 2, {"image": 3, "resource": 4, "audio": 5}
_CHUNK = 64


def nearest(index: Index, position: int | None, keep: Iterable[str], budgets: Budgets) -> bytes:
    """The excerpt of an answer of which all items of `children` and `content` are objects.

    Args:
        index: the answer's.
        position: the number of the element where the user is.
        keep: words and ids.
        budgets: `max_bytes`, `max_elements` and `max_blob_bytes`.

    Returns:
        Its bytes.

    Raises:
        UnknownIdError: `keep` names an id that no element has.
        TooSmallError: what must stay does not fit.
    """
    anchors = _anchors(index, position, keep)
    most = [allowed for _, allowed in budgets]
    whole = (len(index.source), len(index), index.cell(0, BLOB) or 0)
    if _fit(whole, most):
        return index.source
    required = {0}
    for row in anchors:
        _require(index, row, required)
    cut = _Cut(index, is_weighed=budgets[-1][1] is not None)
    for row in sorted(required):
        cut.add_element(row)
        cut.keep()
    for (name, allowed), least in zip(budgets, cut.figures(), strict=True):
        if allowed is not None and least > allowed:
            raise TooSmallError(name, allowed, least)
    for _ in _steps(index, cut, anchors, required):
        if not _fit(cut.figures(), most):
            break
        cut.keep()
    return cut.data()


def _steps(index: Index, cut: _Cut, anchors: list[int], required: set[int]) -> Iterator[None]:
    """Adds all that is not required, one thing after the other, in the order of excerpts."""
    for layer in index.near(anchors):
        for row in layer:
            yield from cut.steps(row, is_there=row in required)
    yield from cut.heavy_steps()


def _fit(figures: Iterable[int], most: list[int | None]) -> bool:
    pairs = zip(figures, most, strict=True)
    return all(allowed is None or figure <= allowed for figure, allowed in pairs)


def _anchors(index: Index, position: int | None, keep: Iterable[str]) -> list[int]:
    found = set() if position is None else {position}
    for word in dict.fromkeys(keep):
        if word in _STATES:
            found.update(index.marked(_STATES[word]))
            continue
        row = index.find(word)
        if row is None:
            raise UnknownIdError(word)
        found.add(row)
    return sorted(found) or [0]


def _require(index: Index, row: int | None, required: set[int]) -> None:
    """An element must stay, and all above it: of many deep ones most are there already."""
    while row is not None and row not in required:
        required.add(row)
        row = index.cell(row, PARENT)


class _List:
    """A member `children` or `content` that has items: it goes if none of them stays."""

    __slots__ = ("at", "end", "kept", "start")

    def __init__(self, at: int, start: int, end: int) -> None:
        self.at, self.start, self.end = at, start, end  # `at`: where its name begins
        self.kept: list[Span] = []


class _Own:
    """What an element has: what of it can go, and how large the rest is."""

    __slots__ = ("first", "lists", "size")

    def __init__(self) -> None:
        self.lists: dict[str, _List] = {}
        self.first: int | None = None  # of the members that cannot go: where the first begins
        self.size = 0  # and the bytes of all of them, with the gaps between


class _Cut:
    """What is there so far, and how large it is; what was added last stays only if it is kept."""

    def __init__(self, index: Index, *, is_weighed: bool) -> None:
        self._index, self._source, self._is_weighed = index, index.source, is_weighed
        self._bytes, self._elements, self._blob_bytes = len(index.source), 0, 0
        # Blocks with binary data in the order in which they come: row, block, data.
        self._heavy: list[tuple[int, Span, Span]] = []
        self._firsts: dict[int, int] = {}  # of what begins there: the first thing that stays in it
        self._own: dict[int, _Own] = {}  # by row, while any of it can still be left out
        self._last: dict[int, int] = {}  # of a row its last child, where that was met on a way up
        self._kept: set[int] = set()  # rows
        self._added: tuple[_List | None, Span, int | None] | None = None

    def figures(self) -> tuple[int, int, int]:
        """Bytes, elements and blob bytes."""
        return self._bytes, self._elements, self._blob_bytes

    def keep(self) -> None:
        """What was added last stays."""
        if self._added is not None:
            around, span, row = self._added
            if around is not None:
                around.kept.append(span)
            if row is not None:
                self._kept.add(row)

    def steps(self, row: int, *, is_there: bool) -> Iterator[None]:
        """Add an element unless it is there, then its blocks without binary data, one by one."""
        if not is_there:
            self.add_element(row)
            yield
        lists, heavy = self._own[row].lists, len(self._heavy)
        if "content" in lists:
            yield from self._light_steps(row, lists["content"])
        if "children" not in lists and len(self._heavy) == heavy:
            del self._own[row]  # all of it is there, and stays

    def _light_steps(self, row: int, content: _List) -> Iterator[None]:
        source = self._source
        ranked = [(*_rank(source, span[0]), span) for span in items(source, content.start)]
        ranked.sort(key=lambda one: (one[0], one[2]))
        for _, data, span in ranked:
            if data is None:
                self._item(row, content, span, span[1] - span[0])
                yield
            else:
                self._heavy.append((row, span, data))

    def heavy_steps(self) -> Iterator[None]:
        """Add the blocks with binary data of all that was added, one by one."""
        for row, span, data in self._heavy:
            self._item(row, self._own[row].lists["content"], span, span[1] - span[0])
            if self._is_weighed:
                self._blob_bytes += _decoded_bytes(text(self._source, *data))
            yield

    def add_element(self, row: int) -> None:
        """Add an element without what can go of it."""
        start, end = self._span(row)
        own = self._own[row] = _Own()
        frame = self._frame(start, end)
        self._look(row, own, start + 1)
        parent = self._index.cell(row, PARENT)
        self._elements += 1
        if parent is None:
            self._bytes += frame - (end - start)
            self._added = None, (start, end), row
        else:
            around = self._own[parent].lists["children"]
            self._item(parent, around, (start, end), frame, row)
        self._bytes += own.size
        if own.first is not None:
            self._firsts[start] = own.first

    def _look(self, row: int, own: _Own, at: int) -> None:
        """Which members of an element can go, and how large the others are."""
        source = self._source
        while (found := _MEMBER.match(source, at)) is not None:
            begin, behind_it = found.start(1), found.end()
            around = None
            if found.lastindex == 1:  # what begins now is an object or array
                around = self._list(row, text(found[1], 0, len(found[1])), begin, behind_it)
                behind_it = around.end if around else end_of_value(source, behind_it)
            if around is None:
                own.size += behind_it - (begin if own.first is None else at)
                own.first = begin if own.first is None else own.first
            at = behind_it

    def _list(self, row: int, name: str, begin: int, at: int) -> _List | None:
        """A member that is a list with items, of those that can go."""
        source = self._source
        if name not in _LISTS or source[at] != _ARRAY or source[behind(source, at + 1)] == _END:
            return None
        last = self._last_end(row) if name == "children" else None
        end = end_of_value(source, at) if last is None else end_of_rest(source, last)
        found = self._own[row].lists[name] = _List(begin, at, end)
        return found

    def _last_end(self, row: int) -> int | None:
        """Where the last of an element's children ends."""
        index, last = self._index, self._last.get(row)
        if last is None:
            last = row + (index.cell(row, ELEMENTS) or 1) - 1
            if last == row:
                return None
            while (parent := index.cell(last, PARENT)) != row and parent is not None:
                self._last[parent] = last
                last = parent
        return index.cell(last, END)

    def _span(self, row: int) -> Span:
        return self._index.cell(row, START) or 0, self._index.cell(row, END) or 0

    def _item(
        self, row: int, around: _List, span: Span, size: int, own_row: int | None = None
    ) -> None:
        """An item of a list, which comes with it if it is the first; a child has a row itself."""
        if around.start not in self._firsts:
            name = around.start - around.at
            self._join(self._span(row)[0], around.at, name + self._frame(around.start, around.end))
        self._join(around.start, span[0], size)
        self._added = around, span, own_row

    def _join(self, around: int, at: int, size: int) -> None:
        """A member or item stays in what begins `around`, with the gap that this makes stay."""
        first = self._firsts.get(around)
        self._firsts[around] = at if first is None else min(first, at)
        self._bytes += size + (0 if first is None else max(first, at) - self._gap(max(first, at)))

    def _frame(self, start: int, end: int) -> int:
        """The brackets of an object or array, and the white space that stays within them."""
        first, last = behind(self._source, start + 1), self._gap(end - 1)
        return end - start if first >= last else first - start + end - last

    def _gap(self, at: int) -> int:
        """Where the white space and the comma begin that end at a place."""
        source = self._source
        if source[at - 1] not in _GAP:
            return at
        if source[at - 2] not in _GAP:
            return at - 1
        while True:
            chunk = source[max(0, at - _CHUNK) : at]
            left = len(chunk.rstrip(_GAP))
            at -= len(chunk) - left
            if left or not chunk:
                return at

    def data(self) -> bytes:
        """The excerpt."""
        gone: list[Span] = []
        for row, own in self._own.items():
            if row in self._kept:  # the one that was added last may not be
                gone += self._left_out(row, own)
                for one in own.lists.values():
                    if one.kept:
                        gone += self._between(one.start, one.end, sorted(one.kept))
        gone.sort()
        ends = [0, *(end for _, end in gone)]
        starts = [*(start for start, _ in gone), len(self._source)]
        return b"".join(self._source[end:start] for end, start in zip(ends, starts, strict=True))

    def _left_out(self, row: int, own: _Own) -> Iterator[Span]:
        """The lists of an element of which nothing stays, each with its comma."""
        start, end = self._span(row)
        goes = [one for one in own.lists.values() if not one.kept]
        stays = [one.at for one in own.lists.values() if one.kept]
        if own.first is not None:
            stays.append(own.first)
        first = min(stays, default=self._gap(end - 1))
        if any(one.at < first for one in goes):  # mutants: an empty span takes nothing out
            yield behind(self._source, start + 1), first
        for one in goes:
            if one.at > first:  # mutants: none that goes is the first that stays
                yield self._gap(one.at), one.end

    def _between(self, start: int, end: int, kept: list[Span]) -> Iterator[Span]:
        """What goes of an object or array of which these stay, each with its comma."""
        at, last = behind(self._source, start + 1), self._gap(end - 1)
        for number, (begin, behind_it) in enumerate(kept):
            until = self._gap(begin) if number else begin
            if until > at:  # mutants: an empty span takes nothing out
                yield at, until
            at = behind_it
        if last > at:  # mutants: as above
            yield at, last


def _rank(source: bytes, at: int) -> tuple[int, Span | None]:
    """What comes first of an element's blocks, and where a block's binary data stands."""
    kind = _block_type(source, at)
    if kind not in _HEAVY:
        return (_TEXT if kind == "text" else _OTHER), None
    own, name = _firsts(source, at), "data"
    if kind == "resource":
        inner, name = own.get("resource"), "blob"
        own = _firsts(source, inner[0]) if inner and source[inner[0]] == _OBJECT else {}
    data = own.get(name)
    if data and source[data[0]] == _QUOTE:
        return _HEAVY[kind], data
    return _OTHER, None


def _block_type(source: bytes, at: int) -> str | None:
    for name, span in members(source, at):
        if name == "type":
            return text(source, *span)  # no string is no type either, whatever is read of it
    return None


def _decoded_bytes(data: str) -> int:
    payload = Payload()
    payload.piece(data)
    payload.end()
    return payload.decoded_bytes()


def _firsts(source: bytes, at: int) -> dict[str, Span]:
    found: dict[str, Span] = {}
    for name, span in members(source, at):
        found.setdefault(name, span)
    return found
