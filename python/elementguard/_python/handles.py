"""Room: the elements of a loaded answer, as objects.

In: an index, its source, and the facade's class of elements. Out: an object of that class for each
element that is asked for. What a handle knows besides its number is in one place for all that are
made together.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

    from elementguard._element import Element
    from elementguard._python.index import Index

    Spans = dict[str, tuple[int, int]]


class Handles:
    """What makes the handles of an answer. Immutable.

    Args:
        index: where the elements stand.
        source: what that is the index of.
        kind: the class of what is made.
        answer: the facade's answer.
    """

    __slots__ = ("_kind", "answer", "index", "source")

    def __init__(self, index: Index, source: bytes, kind: type[Element], answer: object) -> None:
        self.index = index
        self.source = source
        self.answer = answer
        self._kind = kind

    def at(self, number: int) -> Element:
        """The element of a number."""
        return self._kind(self, number)

    def children(self, number: int) -> tuple[Element, ...]:
        """The elements right inside one."""
        return tuple(map(self.at, self.index.children(number)))

    def walk(self) -> Iterator[Element]:
        """All elements, in document order."""
        return map(self.at, range(len(self.index)))


class Handle:
    """One element. The facade's class of elements is a subclass of it."""

    __slots__ = ("_handles", "_kept", "_number")

    _handles: Handles
    _number: int
    _kept: Spans | None

    def __new__(cls, handles: Handles, number: int) -> Self:
        made = object.__new__(cls)  # not the facade's, which refuses
        made._handles = handles
        made._number = number
        made._kept = None
        return made

    @property
    def _answer(self) -> object:
        return self._handles.answer

    @property
    def _spans(self) -> Spans | None:
        return self._kept

    def _keep(self, spans: Spans) -> None:
        """Keep where its members stand."""
        self._kept = spans

    def _cell(self, column: int) -> int | None:
        """A number of its row."""
        return self._handles.index.cell(self._number, column)
