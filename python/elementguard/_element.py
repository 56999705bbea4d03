# ruff: noqa: SLF001 -- an element is a number and its answer, whose parts it asks
"""Facade: one element of a loaded answer.

Comes in: an answer and the number of one of its elements. Goes out: what a host asks of it. An
`Element` holds these two, in the compiled engine its role as well, and nothing else until something
is asked that the index does not say; then its members are looked for in its own bytes, once.

Hosts walk over all elements of each answer, so objects are made by the engine, and what it holds of
them is the engine's `Handle`: the classes that objects have are made here, one over each engine's.
The compiled one reads ids, roles and texts itself.

An answer that was loaded has no error; but a host may have moved rules, and warnings are none. So a
member that is null or of another type than 5.1 gives it counts as absent, as it does in a report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from elementguard._escape import QUOTED_CHARACTERS
from elementguard._layout import (
    BLOB,
    CONTENT,
    ELEMENTS,
    END,
    FLAGS,
    FOCUSED,
    HEIGHT,
    HIDDEN,
    HOVERED,
    ID,
    PARENT,
    ROLE,
    SELECTED,
    SHOWN,
    START,
    TEXT,
)
from elementguard._members import decode, items, text, text_at
from elementguard._rules import NUMBERS
from elementguard._summary import ROLE_WORDS, Size

if TYPE_CHECKING:
    from typing import Self

    from elementguard._engine import Index
    from elementguard._report import Report

    # What an answer is besides its index: its report, its kind, its provider.
    Whole = tuple[Report, str, str | None]

_ROLES = frozenset(ROLE_WORDS)
_UNKNOWN_ROLE = "Group"  # what a receiver takes it for
_QUOTE = ord('"')
_ERROR = 3


class FullName(NamedTuple):
    """The full name of an element: an id means something only together with the other two.

    Attributes:
        provider: who sent the answer, as `load(..., provider=...)` was told; `None` if it was not.
        instance: the provider's instance, as the answer says; `None` for a fragment.
        id: the element's id.

    Section:
        Elements 0.2.0, 5.4.
    """

    provider: str | None
    instance: str | None
    id: str | None


class Element:
    """One element of a loaded answer. Immutable, safe to share between threads, picklable.

    A pickle of it holds the whole answer. Two are equal if they are the same element of the same
    `Answer`.

    Section:
        Elements 0.2.0, 5.1 to 5.6.

    Example:
        >>> import elementguard as eg
        >>> answer = eg.load(
        ...     b'{"id": "n-7", "role": "Card", "title": "Payment form", "selected": true}',
        ...     kind="element",
        ... )
        >>> element = answer["n-7"]
        >>> element
        <Element 'n-7' Group>
        >>> element.title, element.selected, element.role, element.role_as_sent
        ('Payment form', True, 'Group', 'Card')
    """

    __slots__ = ()

    if TYPE_CHECKING:  # what the engine's handle holds
        _index: Index
        _number: int

        def _cell(self, column: int, /) -> int | None: ...
        def _member(self, name: str, /) -> tuple[int, int] | None: ...

    def __new__(cls, *_: object) -> Self:
        raise TypeError("an Element is found in an Answer")

    # identity

    @property
    def id(self) -> str | None:
        """The id as sent. `None` only where the rules that ask for one were moved."""
        return self._text_at(ID)

    @property
    def name(self) -> FullName:
        """The full name: provider, instance and id (5.4)."""
        report, _, provider = self._whole
        summary = report.summary
        return FullName(provider, None if summary is None else summary.instance, self.id)

    @property
    def role(self) -> str:
        """The role as a receiver reads it: one of the thirteen, `"Group"` for any other (5.2)."""
        role = self._text_at(ROLE)
        return role if role in _ROLES else _UNKNOWN_ROLE

    @property
    def role_as_sent(self) -> str | None:
        """The provider's word. `None` only where the rules that ask for one were moved."""
        return self._text_at(ROLE)

    @property
    def subrole(self) -> str | None:
        """What the thing is, in the app's own word."""
        return self._text("subrole")

    @property
    def title(self) -> str | None:
        """One line a person could read."""
        return self._text("title")

    @property
    def url(self) -> str | None:
        """An address for the thing."""
        return self._text("url")

    @property
    def pointer(self) -> str:
        """The JSON Pointer of the element (RFC 6901), as findings give it."""
        steps = []
        element: Element | None = self
        while element is not None:
            parent = element.parent
            if parent is not None:
                steps.append(f"/children/{element._place_in(parent)}")
            elif self._whole[1] == "answer":
                steps.append("/root")
            element = parent
        return "".join(reversed(steps))

    # states

    @property
    def selected(self) -> bool:
        """Whether the user selected this."""
        return bool(self._flags & SELECTED)

    @property
    def focused(self) -> bool:
        """Whether the keyboard or cursor is here, or inside here."""
        return bool(self._flags & FOCUSED)

    @property
    def hovered(self) -> bool:
        """Whether the pointer is over this."""
        return bool(self._flags & HOVERED)

    @property
    def visible(self) -> bool:
        """Whether this is drawn on screen: as it says, or the nearest element above that says.

        Where none says, it is visible (5.3).
        """
        cell = self._index.cell
        row: int | None = self._number
        while row is not None:
            stated = (cell(row, FLAGS) or 0) & (SHOWN | HIDDEN)
            if stated:
                return stated == SHOWN
            row = cell(row, PARENT)
        return True

    # the tree

    @property
    def parent(self) -> Element | None:
        """The element around this one; `None` for the top."""
        parent = self._cell(PARENT)
        return None if parent is None else self._index.at(parent)

    @property
    def ancestors(self) -> tuple[Element, ...]:
        """The elements around this one, from its parent to the top."""
        around = []
        parent = self.parent
        while parent is not None:
            around.append(parent)
            parent = parent.parent
        return tuple(around)

    @property
    def children(self) -> tuple[Element, ...]:
        """The elements inside this one, in the app's order."""
        return self._index.children(self._number)

    # what it holds

    @property
    def content(self) -> list[dict[str, object]]:
        """The content blocks, decoded anew at each call; none if there is no content (5.5)."""
        blocks = self._decoded("content", "[") or []
        return [block for block in cast("list[object]", blocks) if isinstance(block, dict)]

    @property
    def attributes(self) -> dict[str, object]:
        """What else the provider sends, decoded anew at each call; empty if nothing (5.6)."""
        return cast("dict[str, object]", self._decoded("attributes", "{") or {})

    @property
    def size(self) -> Size:
        """How large the element is with all that it holds."""
        start, end = self._span
        columns = (ELEMENTS, HEIGHT, CONTENT, TEXT, BLOB)
        elements, height, *of_content = (self._cell(column) or 0 for column in columns)
        return Size(end - start, elements, height, self._depth, *of_content)

    @property
    def raw(self) -> memoryview:
        """The bytes from `{` to `}`, both counted, as sent: a read-only view, nothing is copied."""
        start, end = self._span
        return memoryview(self._index.source)[start:end]

    def to_dict(self) -> dict[str, object]:
        """The element and all that it holds as JSON types, as sent.

        Returns:
            A new dict, however deep the tree below it is.

        Section:
            Elements 0.2.0, 5.1.

        Example:
            >>> import elementguard as eg
            >>> eg.load({"id": "n-7", "role": "Group"}, kind="element").root.to_dict()
            {'id': 'n-7', 'role': 'Group'}
        """
        return cast("dict[str, object]", self._decode(*self._span))

    # how it is found

    @property
    def _depth(self) -> int:
        """Its level: 1 is the top's. No element is made for those around it."""
        cell, depth = self._index.cell, 1
        row = cell(self._number, PARENT)
        while row is not None:
            depth, row = depth + 1, cell(row, PARENT)
        return depth

    @property
    def _whole(self) -> Whole:
        whole: Whole = self._index.whole
        return whole

    @property
    def _span(self) -> tuple[int, int]:
        return self._cell(START) or 0, self._cell(END) or 0

    @property
    def _flags(self) -> int:
        return self._cell(FLAGS) or 0

    def _text_at(self, column: int) -> str | None:
        at = self._cell(column)
        if at is None:
            return None
        source = self._index.source
        raw = source[at + 1 : source.index(b'"', at + 1)]
        return text_at(source, at) if b"\\" in raw else raw.decode()

    def _text(self, name: str) -> str | None:
        source = self._index.source
        span = self._member(name)
        return text(source, *span) if span and source[span[0]] == _QUOTE else None

    def _decoded(self, name: str, opening: str) -> object:
        span = self._member(name)
        if span is None or self._index.source[span[0]] != ord(opening):
            return None
        return self._decode(*span)

    def _decode(self, start: int, end: int) -> object:
        # What was looked for and not found need not be feared.
        rule = NUMBERS["imprecise-number"]
        report = self._whole[0]
        is_plain = report._levels[rule] > 0 and "imprecise-number" not in report.counts
        return decode(self._index.source, start, end, is_plain=is_plain)

    def _place_in(self, parent: Element) -> int:
        """The index among the items of the parent's `children`."""
        if self._whole[0]._levels[NUMBERS["wrong-type"]] == _ERROR:  # so all are elements
            return [child._number for child in parent.children].index(self._number)
        children, _ = cast("tuple[int, int]", parent._member("children"))
        spans = items(self._index.source, children)
        start = self._span[0]
        return next(index for index, (at, _) in enumerate(spans) if at == start)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Element):
            return NotImplemented
        return self._index is other._index and self._number == other._number

    def __hash__(self) -> int:
        return hash((id(self._index), self._number))

    def __repr__(self) -> str:
        name = self.id
        shown = name and name[:QUOTED_CHARACTERS]
        return f"<Element {shown!r} {self.role}>"

    def __copy__(self) -> Element:
        return self

    def __deepcopy__(self, _memo: object) -> Element:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return self._index.at, (self._number,)
