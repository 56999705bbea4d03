"""Room: where each element of a loaded answer stands, and what its subtree amounts to.

In: elements as they begin and end, the offsets of their ids and roles, their states; all in the one
pass of the check. Out: `Index`: a row of eleven numbers for each element in document order, as one
table that both engines lay out alike. No text is kept: an id is found through a table of places,
which is made when an id is first asked for, and compared where it stands in the source. Of each
element that is asked for, the index makes an object of the facade's class.

A row is eleven numbers of four bytes, where the source has less than 4 GiB, and the table of places
has at most three for each element: that is under 60 bytes an element.
"""

from __future__ import annotations

import json
import re
import sys
from array import array

from elementguard._layout import (
    ELEMENTS,
    END,
    FLAGS,
    FOCUSED,
    HIDDEN,
    HOVERED,
    ID,
    PARENT,
    ROLE,
    SELECTED,
    SHOWN,
    WIDTH,
)
from elementguard._python.handle import Handle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import ClassVar

    from elementguard._element import Element
    from elementguard._python.size import Size

_BITS = {
    "selected": (0, SELECTED),
    "focused": (0, FOCUSED),
    "hovered": (0, HOVERED),
    "visible": (HIDDEN, SHOWN),
}

_WIDE = 2**32
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"')


class Rows:
    """The table while it grows."""

    __slots__ = ("_current", "_none", "_numbers")

    def __init__(self) -> None:
        self._numbers = array("Q")
        self._none = 2**64 - 1
        self._current = self._none

    def begin(self, at: int) -> None:
        """An element begins."""
        row = len(self._numbers) // WIDTH
        none = self._none
        self._numbers.extend((self._current, at, 0, none, none, 0, 0, 0, 0, 0, 0))
        self._current = row

    def id(self, at: int) -> None:
        """The innermost element has an id, which is a string."""
        self._numbers[self._current * WIDTH + ID] = at

    def role(self, at: int) -> None:
        """The innermost element has a role, which is a string."""
        self._numbers[self._current * WIDTH + ROLE] = at

    def state(self, name: str, *, value: bool) -> None:
        """The innermost element states one of its four states."""
        bits = _BITS[name]
        self._numbers[self._current * WIDTH + FLAGS] |= bits[value]

    def end(self, end: int, size: Size) -> None:
        """The innermost element ends."""
        row = self._current * WIDTH
        numbers = self._numbers
        numbers[row + END] = end
        numbers[row + ELEMENTS : row + FLAGS] = array(
            "Q",
            (size.elements, size.height, size.content_bytes, size.text_bytes, size.blob_bytes),
        )
        self._current = numbers[row + PARENT]

    def index(self) -> Index:
        """The table as it is kept."""
        numbers = self._numbers
        # No number exceeds the end of the first element: what is unescaped or decoded gets shorter.
        if not numbers or numbers[END] < _WIDE - 1:
            none = self._none
            numbers = array("I", (_WIDE - 1 if n == none else n for n in numbers))
        return Index(numbers)


class Index:
    """The elements of one answer, in document order: a row of numbers each.

    Immutable, but that it is told once what it belongs to.

    Attributes:
        HANDLE: what the facade's class of elements is a subclass of.
        source: the bytes of which this is the index.
        whole: what the facade keeps of the whole answer.
    """

    __slots__ = ("_kind", "_none", "_places", "_table", "source", "whole")

    HANDLE: ClassVar[type] = Handle

    source: bytes
    whole: object
    _kind: type[Element]

    def __init__(self, numbers: array[int]) -> None:
        self._table = numbers
        self._none = 2 ** (8 * numbers.itemsize) - 1
        self._places: array[int] | None = None

    def settle(self, source: bytes, kind: type[Element], whole: object) -> None:
        """Tell what it belongs to.

        Args:
            source: the bytes of which this is the index.
            kind: the facade's class of elements, a subclass of `Handle`.
            whole: what else is to be kept.

        Raises:
            ValueError: it was told before.
        """
        if hasattr(self, "source"):
            raise ValueError("the index belongs to an answer already")
        self.whole = whole
        self._kind = kind
        self.source = source

    def __len__(self) -> int:
        return len(self._table) // WIDTH

    def __sizeof__(self) -> int:
        places = 0 if self._places is None else sys.getsizeof(self._places)
        return object.__sizeof__(self) + sys.getsizeof(self._table) + places

    def cell(self, row: int, column: int) -> int | None:
        """A number of an element's row, as `_layout` says; nothing where there is none."""
        number = self._table[row * WIDTH + column]
        return None if number == self._none else number

    def column(self, column: int) -> list[int | None]:
        """A number of all rows."""
        none = self._none
        return [None if number == none else number for number in self._table[column::WIDTH]]

    def marked(self, bit: int) -> list[int]:
        """The elements that have a bit of FLAGS, in document order."""
        return [row for row, flags in enumerate(self._table[FLAGS::WIDTH]) if flags & bit]

    def at(self, row: int) -> Element:
        """The element of a number, as an object."""
        return self._kind(self, row)

    def children(self, row: int) -> tuple[Element, ...]:
        """The elements right inside one."""
        return tuple(map(self.at, self._below(row)))

    def _below(self, row: int) -> Iterator[int]:
        table = self._table
        child, end = row + 1, row + table[row * WIDTH + ELEMENTS]
        while child < end:
            yield child
            child += table[child * WIDTH + ELEMENTS]

    def near(self, rows: list[int]) -> Iterator[list[int]]:
        """The numbers of all elements, the nearest to some of them first.

        Args:
            rows: the numbers of these.

        Yields:
            The elements of one distance after the other, the distance being how many steps up and
            down an element is from the nearest of these: those that are visible first, then in
            document order.
        """
        hidden: dict[int | None, bool] = {None: False}
        seen = set(rows)
        layer = sorted(seen, key=lambda row: (self._is_hidden(row, hidden), row))
        while layer:
            yield layer
            steps = (one for row in layer for one in (self.cell(row, PARENT), *self._below(row)))
            found = {one for one in steps if one is not None} - seen
            seen |= found
            layer = sorted(found, key=lambda row: (self._is_hidden(row, hidden), row))

    def _is_hidden(self, row: int | None, known: dict[int | None, bool]) -> bool:
        """Whether an element is not visible, as it or the nearest element above says.

        What is found out of those above stays `known`: in a deep answer many have them above.
        """
        silent = []
        while row is not None and row not in known:
            stated = self._table[row * WIDTH + FLAGS] & (SHOWN | HIDDEN)
            if stated:
                known[row] = stated == HIDDEN
            else:
                silent.append(row)
                row = self.cell(row, PARENT)
        found = known[row]
        known.update(dict.fromkeys(silent, found))
        return found

    def walk(self) -> Iterator[Element]:
        """All elements, in document order."""
        return map(self.at, range(len(self)))

    def get(self, name: object) -> Element | None:
        """The first element with an id, as an object."""
        row = self.find(name)
        return None if row is None else self.at(row)

    def find(self, name: object) -> int | None:
        """The number of the first element with an id.

        Args:
            name: the id.

        Returns:
            The element's number.

        Raises:
            TypeError: it is no `str`.
        """
        if not isinstance(name, str):
            raise TypeError(f"id: a str is needed, not {type(name).__name__}")
        places = self._places
        if places is None:
            places = self._places = self._entered()
        wanted = str.encode(name, errors="surrogatepass")
        mask = len(places) - 1
        place = hash(wanted) & mask
        while row := places[place]:
            if self._id(row - 1) == wanted:
                return row - 1
            place = (place + 1) & mask
        return None

    def _entered(self) -> array[int]:
        """The table of places: an element's number and 1, or 0; at most two of three are taken."""
        count = len(self)
        table = self._table
        places = array(table.typecode, bytes(table.itemsize << (count * 3 // 2).bit_length()))
        mask = len(places) - 1
        for row in range(count):
            name = self._id(row)
            if name is None:
                continue
            place = hash(name) & mask
            while taken := places[place]:
                if self._id(taken - 1) == name:
                    break
                place = (place + 1) & mask
            else:
                places[place] = row + 1
        return places

    def _id(self, row: int) -> bytes | None:
        source = self.source
        at = self._table[row * WIDTH + ID]
        if at >= len(source):
            return None
        name = source[at + 1 : source.index(b'"', at + 1)]
        if b"\\" not in name:
            return name
        whole = _STRING.match(source, at)
        text = str(json.loads(whole[0])) if whole else ""
        return text.encode(errors="surrogatepass")
