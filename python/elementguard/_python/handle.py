"""Room: one element of a loaded answer, as an object.

In: an index and a number. Out: what the facade's class of elements stands on.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

    from elementguard._python.index import Index

    Spans = dict[str, tuple[int, int]]


class Handle:
    """One element. The facade's class of elements is a subclass of it."""

    __slots__ = ("_index", "_number", "_spans")

    _index: Index
    _number: int
    _spans: Spans | None

    def __new__(cls, index: Index, number: int) -> Self:
        made = object.__new__(cls)  # not the facade's, which refuses
        made._index = index
        made._number = number
        made._spans = None
        return made

    def _keep(self, spans: Spans) -> None:
        """Keep where its members stand."""
        self._spans = spans  # mutants: it would be read again, no more

    def _cell(self, column: int) -> int | None:
        """A number of its row."""
        return self._index.cell(self._number, column)
