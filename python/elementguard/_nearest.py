"""Facade: an excerpt found from where the user is, outwards (`docs/excerpt.md`).

Comes in: the index of a loaded answer, what is to be kept, budgets. Goes out: the excerpt's bytes,
the same that `_python.excerpt` gives: that one puts all of the answer in order and is read first.

A budget is small and an answer may be large. So elements are asked for by their distance, nearest
first, and only of those that come their own bytes are looked at; the first thing that does not fit
ends it. What is farther is never seen. Blocks with binary data wait until all else is there. Where
much of a large answer would be looked at, to put all of it in order is quicker: nothing is said.
"""

from __future__ import annotations

from elementguard._layout import BLOB, ELEMENTS, END, HOVERED, PARENT, SELECTED, START
from elementguard._members import behind, items, members, text
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
_ARRAY, _OBJECT, _QUOTE = b'[{"'
# Of an element's blocks the texts come first; those with binary data wait.
_TEXT, _OTHER, _HEAVY = 1, 2, {"image": 3, "resource": 4, "audio": 5}
_CHUNK = 64
MANY = 4096  # elements: to look at fewer is worth while in any answer


def nearest(
    index: Index, position: int | None, keep: Iterable[str], budgets: Budgets
) -> bytes | None:
    """The excerpt of an answer of which all items of `children` and `content` are objects.

    Args:
        index: the answer's.
        position: the number of the element where the user is.
        keep: words and ids.
        budgets: `max_bytes`, `max_elements` and `max_blob_bytes`.

    Returns:
        Its bytes; `None` if more elements were looked at than is worth while.

    Raises:
        UnknownIdError: `keep` names an id that no element has.
        TooSmallError: what must stay does not fit.
    """
    anchors = _anchors(index, position, keep)
    most = [allowed for _, allowed in budgets]
    whole = (len(index.source), len(index), index.cell(0, BLOB) or 0)
    if _fit(whole, most):
        return index.source
    required = {0, *anchors}
    for row in anchors:
        required.update(_above(index, row))
    cut = _Cut(index, is_weighed=budgets[-1][1] is not None)
    for row in sorted(required):
        cut.add_element(row)
        cut.keep()
    for (name, allowed), least in zip(budgets, cut.figures(), strict=True):
        if allowed is not None and least > allowed:
            raise TooSmallError(name, allowed, least)
    worth_while = max(MANY, len(index) // 4)
    for _ in _steps(index, cut, anchors, required):
        figures = cut.figures()
        if not _fit(figures, most):
            break
        if figures[1] > worth_while:
            return None
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


def _above(index: Index, row: int) -> Iterator[int]:
    parent = index.cell(row, PARENT)
    while parent is not None:
        yield parent
        parent = index.cell(parent, PARENT)


class _List:
    """A member `children` or `content` that has items: it goes if none of them stays."""

    __slots__ = ("at", "end", "kept", "start")

    def __init__(self, at: int, start: int, end: int) -> None:
        self.at, self.start, self.end = at, start, end  # `at`: where its name begins
        self.kept: list[Span] = []


class _Cut:
    """What is there so far, and how large it is; what was added last stays only if it is kept."""

    def __init__(self, index: Index, *, is_weighed: bool) -> None:
        self._index, self._source, self._is_weighed = index, index.source, is_weighed
        self._bytes, self._elements, self._blob_bytes = len(index.source), 0, 0
        # Blocks with binary data in the order in which they come: row, block, data.
        self._heavy: list[tuple[int, Span, Span]] = []
        self._firsts: dict[int, int] = {}  # of what begins there: the first thing that stays in it
        self._members: dict[int, list[Span]] = {}  # of a row, from a name's start on
        self._lists: dict[int, dict[str, _List]] = {}
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
        content = self._lists[row].get("content")
        if content is None:
            return
        source = self._source
        ranked = [(*_rank(source, span[0]), span) for span in items(source, content.start)]
        for _, data, span in sorted(ranked, key=lambda one: (one[0], one[2])):
            if data is None:
                self._item(row, content, span, span[1] - span[0])
                yield
            else:
                self._heavy.append((row, span, data))

    def heavy_steps(self) -> Iterator[None]:
        """Add the blocks with binary data of all that was added, one by one."""
        for row, span, data in self._heavy:
            self._item(row, self._lists[row]["content"], span, span[1] - span[0])
            if self._is_weighed:
                self._blob_bytes += _decoded_bytes(text(self._source, *data))
            yield

    def add_element(self, row: int) -> None:
        """Add an element without what can go of it."""
        start, end = self._span(row)
        spans, lists = self._look(row)
        self._members[row], self._lists[row] = spans, lists
        frame = self._frame(start, end)
        parent = self._index.cell(row, PARENT)
        self._elements += 1
        if parent is None:
            self._bytes += frame - (end - start)
            self._added = None, (start, end), row
        else:
            self._item(parent, self._lists[parent]["children"], (start, end), frame, row)
        optional = {one.at for one in lists.values()}
        for at, behind_it in spans:
            if at not in optional:
                self._join(start, at, behind_it - at)

    def _look(self, row: int) -> tuple[list[Span], dict[str, _List]]:
        """The members of an element, and those of them that are lists with items."""
        source, start = self._source, self._span(row)[0]
        at, spans, lists = behind(source, start + 1), [], {}
        for name, (first, end) in members(source, start, lambda name, _: self._last_end(row, name)):
            spans.append((at, end))
            is_list = name in {"children", "content"} and source[first] == _ARRAY
            if is_list and source[behind(source, first + 1)] != ord("]"):
                lists[name] = _List(at, first, end)
            at = behind(source, end)
        return spans, lists

    def _last_end(self, row: int, name: str) -> int | None:
        """Where the last of an element's children ends."""
        index, last = self._index, row + (self._index.cell(row, ELEMENTS) or 1) - 1
        if name != "children" or last == row:
            return None
        while (parent := index.cell(last, PARENT)) != row and parent is not None:
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
        while True:
            chunk = self._source[max(0, at - _CHUNK) : at]
            left = len(chunk.rstrip(_GAP))
            at -= len(chunk) - left
            if left or not chunk:
                return at

    def data(self) -> bytes:
        """The excerpt."""
        gone: list[Span] = []
        for row, spans in self._members.items():
            start, end = self._span(row)
            lists = self._lists[row].values()
            if row not in self._kept:  # the one that was added last may not be
                continue
            left_out = {one.at for one in lists if not one.kept}
            gone += self._between(start, end, [span for span in spans if span[0] not in left_out])
            for one in lists:
                if one.kept:
                    gone += self._between(one.start, one.end, sorted(one.kept))
        gone.sort()
        ends = [0, *(end for _, end in gone)]
        starts = [*(start for start, _ in gone), len(self._source)]
        return b"".join(self._source[end:start] for end, start in zip(ends, starts, strict=True))

    def _between(self, start: int, end: int, kept: list[Span]) -> Iterator[Span]:
        """What goes of an object or array of which these stay, each with its comma."""
        first, last = behind(self._source, start + 1), self._gap(end - 1)
        at = None
        for begin, behind_it in kept:
            before = first if at is None else at
            until = begin if at is None else self._gap(begin)
            if until > before:
                yield before, until
            at = behind_it
        before = first if at is None else at
        if last > before:
            yield before, last


def _rank(source: bytes, at: int) -> tuple[int, Span | None]:
    """What comes first of an element's blocks, and where a block's binary data stands."""
    own = _firsts(source, at)
    kind = _string(source, own.get("type"))
    data = own.get("data") if kind in {"image", "audio"} else None
    if kind == "resource" and (inner := own.get("resource")) and source[inner[0]] == _OBJECT:
        data = _firsts(source, inner[0]).get("blob")
    if kind and data and source[data[0]] == _QUOTE:
        return _HEAVY[kind], data
    return (_TEXT if kind == "text" else _OTHER), None


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


def _string(source: bytes, span: Span | None) -> str | None:
    return text(source, *span) if span and source[span[0]] == _QUOTE else None
