"""Room: the pieces of a text that may or may not be JSON.

In: any bytes. Out: `Pieces`, columns with a row for each value in the order of the text: where it
begins and ends, its name, what holds it, how deep it is. Of one JSON value they are what `Places`
has; of anything else they are a guess that brackets, commas and quotation marks mean what they do
in JSON: a bracket that nothing closes reaches to the end of the text, one that nothing opens is
passed over.

Row 0 is the whole text and holds what stands in no bracket.
"""

from __future__ import annotations

import re
from array import array

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

NOWHERE = -1
_OPENING, _CLOSING = frozenset(b"[{"), frozenset(b"]}")
# Commas and colons that belong to nothing are passed over with the white space.
_TOKEN = re.compile(
    rb'("(?:[^"\\]++|\\.)*+"?+)([ \t\n\r]*:)?+|([{}\[\]])|([^ \t\n\r,:"{}\[\]]++)', re.DOTALL
)
_BLANK = re.compile(rb'"(?:[^"\\]++|\\.)*+"?+|([ \t\n\r]++)', re.DOTALL)


class Pieces:
    """The values of a text.

    `start` and `end` are the value's bytes; `item` is where its name begins, if it has one, else
    `start`; `named` is where the name ends, or -1; `holder` is the row of what it stands in;
    `behind` the first row that is not part of it; `depth` how many hold it.
    """

    __slots__ = ("behind", "data", "depth", "end", "holder", "item", "named", "start")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.start, self.end, self.item = array("q"), array("q"), array("q")
        self.named, self.holder, self.behind = array("q"), array("q"), array("q")
        self.depth = array("q")
        self._read()

    def __len__(self) -> int:
        return len(self.start)

    def _read(self) -> None:
        opened = [self._add(-1, len(self.data), None, NOWHERE)]
        name: tuple[int, int] | None = None
        for match in _TOKEN.finditer(self.data):
            at, end = match.span(match.lastindex or 0)
            is_name = match.lastindex == 2
            if name and (is_name or self.data[at] in _CLOSING):
                self._add(*name, None, opened[-1])  # a name without a value stands for itself
                name = None
            if is_name:
                name = match.span(1)
            elif match.lastindex == 3 and self.data[at] in _CLOSING:
                if len(opened) > 1:
                    self._shut(opened.pop(), end)
            else:
                row = self._add(at, end, name, opened[-1])
                name = None
                if match.lastindex == 3:
                    opened.append(row)
        if name:
            self._add(*name, None, opened[-1])
        while opened:
            self._shut(opened.pop(), len(self.data))

    def _shut(self, row: int, end: int) -> None:
        self.end[row] = end
        self.behind[row] = len(self)

    def _add(self, at: int, end: int, name: tuple[int, int] | None, holder: int) -> int:
        row = len(self)
        begin, named = name or (at, NOWHERE)
        self.start.append(at)
        self.end.append(end)
        self.item.append(begin)
        self.named.append(named)
        self.holder.append(holder)
        self.behind.append(row + 1)
        self.depth.append(0 if holder == NOWHERE else self.depth[holder] + 1)
        return row

    def inside(self, row: int) -> Iterator[int]:
        """The rows of what stands directly in a bracket, in order."""
        at, end = row + 1, self.behind[row]
        while at < end:
            yield at
            at = self.behind[at]

    def is_open(self, row: int) -> bool:
        """Whether it is an object or array, closed or not."""
        return row > 0 and self.data[self.start[row]] in _OPENING

    def is_whole(self, row: int) -> bool:
        """Whether it is an object or array that ends as it begins."""
        ends = b"{}", b"[]"
        at, end = self.start[row], self.end[row]
        return row > 0 and self.data[at : at + 1] + self.data[end - 1 : end] in ends

    def is_array(self, row: int) -> bool:
        """Whether it begins as an array does."""
        return row > 0 and self.data[self.start[row]] == ord("[")

    def name(self, row: int) -> bytes | None:
        """Its name as it is written, with its quotation marks."""
        named = self.named[row]
        return None if named == NOWHERE else self.data[self.item[row] : named]


def blanks(data: bytes) -> list[tuple[int, int]]:
    """Where white space stands outside of strings."""
    return [match.span() for match in _BLANK.finditer(data) if match[1]]
