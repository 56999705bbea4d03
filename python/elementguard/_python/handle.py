"""Room: one element of a loaded answer, as an object.

In: an index and a number. Out: what the facade's class of elements stands on.
"""

from __future__ import annotations

from elementguard._layout import END, START
from elementguard._members import members

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

    from elementguard._python.index import Index

    Span = tuple[int, int]


class Handle:
    """One element. The facade's class of elements is a subclass of it."""

    __slots__ = ("_found", "_index", "_number")

    _found: dict[str, Span] | None
    _index: Index
    _number: int

    def __new__(cls, index: Index, number: int) -> Self:
        made = object.__new__(cls)  # not the facade's, which refuses
        made._index = index
        made._number = number
        made._found = None
        return made

    def _member(self, name: str) -> Span | None:
        """Where the value of a member is, the first of its name."""
        if self._found is None:
            found: dict[str, Span] = {}
            for member, span in members(self._index.source, self._cell(START) or 0, self._last_end):
                found.setdefault(member, span)
            self._found = found  # mutants: it would be looked for again, no more
        return self._found.get(name)

    def _cell(self, column: int) -> int | None:
        """A number of its row."""
        return self._index.cell(self._number, column)

    def _last_end(self, name: str, start: int) -> int | None:
        """Where the last child ends, in an array of children that starts at a place."""
        children = self._index.children(self._number) if name == "children" else ()
        end = self._index.cell(children[-1]._number, END) if children else None  # noqa: SLF001 -- its own kind
        return end if end is not None and end > start else None
