"""Room: where every value of an answer stands.

In: bytes that are known to be one JSON value (a check found nothing fatal in them). Out: `Places`,
columns with a row for each value in document order: where it begins and ends, what holds it, its
name. From these the rooms that cut bytes (`excerpt`, `salvage`, `fix`) know what goes with what.

Columns of numbers and no objects: an answer may have a million values. The words of JSON are met
by one compiled expression, and open objects and arrays stand in a list, so nothing recurses.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right

from elementguard._python import pointer, scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

NOWHERE = -1
_OBJECT, _ARRAY, _QUOTE = b'{["'
_CLOSING = frozenset(b"]}")
_COLON = b":"
_BLANKS = rb"[ \t\n\r]*"
# What can follow: a string (with the colon that makes it a name), a bracket, a number or word. The
# commas between are passed over with the white space.
_TOKEN = re.compile(
    rb'[ \t\n\r,]*+(?:("(?:[^"\\]++|\\.)*+")(?:'
    + _BLANKS
    + rb"(:))?+|([{}\[\]])|([^\s,\"{}\[\]]++))"
)
_UNIT = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|\\u[0-9a-fA-F]{4}|\\.|[\x00-\x7f]|[\xc0-\xff][\x80-\xbf]*"
)


class Places:
    """The values of one answer. Row 0 is the answer itself.

    `start` and `end` are the value's bytes; `item` is where its name begins, if it has one, else
    `start`; `holder` the row of the object or array that it stands in; `behind` the first row that
    is not part of it, so that the next sibling of `row` is `behind[row]`, if that has one holder
    with it; `index` counts the siblings before it.
    """

    __slots__ = (
        "_pointers",
        "_steps",
        "behind",
        "data",
        "end",
        "holder",
        "index",
        "item",
        "names",
        "start",
    )

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.start = array("q")
        self.end = array("q")
        self.item = array("q")
        self.holder = array("q")
        self.behind = array("q")
        self.index = array("q")
        self.names: list[str | None] = []
        self._pointers = {0: ""}
        self._steps: dict[int, dict[str, int]] = {}
        self._read()

    def _read(self) -> None:
        data, known = self.data, dict[bytes, str]()
        opened: list[int] = []
        counts: list[int] = [0]
        name: str | None = None
        name_at = NOWHERE
        for match in _TOKEN.finditer(data):
            kind = match.lastindex
            if kind == 2:
                raw = match[1]
                name, name_at = known.get(raw), match.start(1)
                if name is None:
                    name = known[raw] = text_of(raw)
                continue
            at, end = match.span(kind or 0)
            if kind == 3 and data[at] in _CLOSING:
                row = opened.pop()
                counts.pop()
                self.end[row] = end
                self.behind[row] = len(self.names)
                continue
            row = self._add(at, end, opened[-1] if opened else NOWHERE, name, name_at)
            self.index.append(counts[-1])
            counts[-1] += 1
            name, name_at = None, NOWHERE
            if kind == 3:
                opened.append(row)
                counts.append(0)

    def _add(self, at: int, end: int, holder: int, name: str | None, name_at: int) -> int:
        row = len(self.names)
        self.start.append(at)
        self.end.append(end)
        self.item.append(at if name_at == NOWHERE else name_at)
        self.holder.append(holder)
        self.behind.append(row + 1)
        self.names.append(name)
        return row

    def __len__(self) -> int:
        return len(self.names)

    def is_object(self, row: int) -> bool:
        """Whether the value is an object."""
        return self.data[self.start[row]] == _OBJECT

    def is_array(self, row: int) -> bool:
        """Whether the value is an array."""
        return self.data[self.start[row]] == _ARRAY

    def is_string(self, row: int) -> bool:
        """Whether the value is a string."""
        return self.data[self.start[row]] == _QUOTE

    def raw(self, row: int) -> bytes:
        """The value's bytes."""
        return self.data[self.start[row] : self.end[row]]

    def string(self, row: int) -> str | None:
        """The value as text, if it is a string; lone surrogates as Python holds them."""
        return text_of(self.raw(row)) if self.is_string(row) else None

    def inside(self, row: int) -> Iterator[int]:
        """The rows of the members or items of an object or array, in order."""
        at, end = row + 1, self.behind[row]
        while at < end:
            yield at
            at = self.behind[at]

    def members(self, row: int) -> dict[str, int]:
        """The rows of an object's members by name: of a name that is repeated, the first."""
        found: dict[str, int] = {}
        if self.is_object(row):
            for member in self.inside(row):
                found.setdefault(self.names[member] or "", member)
        return found

    def at(self, offset: int) -> int:
        """The row of the innermost value that holds an offset: in its bytes or its name's."""
        row = bisect_right(self.item, offset) - 1
        while row > 0 and offset >= self.end[row]:
            row = self.holder[row]
        return row

    def find(self, wanted: str) -> int:
        """The row that a JSON Pointer leads to; as far down as it goes."""
        row = 0
        for step in wanted.split("/")[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            row = self._steps_of(row).get(name, row)
        return row

    def _steps_of(self, row: int) -> dict[str, int]:
        """The rows inside by the pointer's step that leads there. Kept: many may be sought."""
        found = self._steps.get(row)
        if found is None:
            found = self._steps[row] = {}
            for at in self.inside(row):
                name = self.names[at]
                found.setdefault(str(self.index[at]) if name is None else pointer.lossy(name), at)
        return found

    def pointer(self, row: int) -> str:
        """The JSON Pointer of a value.

        That of what holds its holder is kept, of no other: many that are asked for are members of
        the items of one list, or stand one inside the other.
        """
        around = self.holder[max(self.holder[row], 0)]
        if around != NOWHERE and around not in self._pointers:
            self._pointers[around] = self._written(around)
        return self._written(row)

    def _written(self, row: int) -> str:
        steps: list[str] = []
        while row not in self._pointers:
            name = self.names[row]
            steps.append(pointer.step(self.index[row] if name is None else name))
            row = self.holder[row]
        return self._pointers[row] + "".join(reversed(steps))


def text_of(raw: bytes) -> str:
    """The text of a string, given with its quotes."""
    if b"\\" not in raw:
        return raw[1:-1].decode()
    return "".join(text for _, text in units(raw))


def units(raw: bytes) -> Iterator[tuple[bytes, str]]:
    """The characters of a string, given with its quotes: each as it is written, and what it is."""
    for match in _UNIT.finditer(raw, 1, len(raw) - 1):
        yield match[0], _meaning(match[0])


def _meaning(unit: bytes) -> str:
    if unit[0] != 0x5C:
        return unit.decode()
    if len(unit) == 12:
        high, low = int(unit[2:6], 16), int(unit[8:12], 16)
        return chr((high - 0xD800 << 10) + low - 0xDC00 + 0x10000)
    if len(unit) == 6:
        return chr(int(unit[2:6], 16))
    return scan.unescape(unit.decode())
