"""Facade: a loaded answer, what a host works with.

Comes in: the bytes of an answer without errors, its report and its index. Goes out: `Answer`. It
holds these and nothing else: no element is an object before it is asked for, and nothing is
decoded before it is read. With the bytes apart, an element costs less than 96 bytes.
"""

from __future__ import annotations

import copyreg
from typing import TYPE_CHECKING, cast

from elementguard import _engine
from elementguard._element import Element
from elementguard._layout import (
    BLOB,
    CONTENT,
    ELEMENTS,
    END,
    FLAGS,
    FOCUSED,
    HIDDEN,
    HOVERED,
    PARENT,
    SELECTED,
    SHOWN,
    START,
    TEXT,
)
from elementguard._rules import DEFAULT_LEVELS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Never, SupportsIndex

    from elementguard._engine import Index
    from elementguard._excerpt import Excerpt
    from elementguard._report import Report

_COLUMNS = {
    "elements": ELEMENTS,
    "content_bytes": CONTENT,
    "text_bytes": TEXT,
    "blob_bytes": BLOB,
}


class Answer:
    """An answer that was loaded: made by `load`. Immutable, thread-safe, picklable.

    It is a read-only mapping from ids to elements, in document order: `answer["sel-4"]`,
    `"sel-4" in answer`, `len(answer)`; iterating gives the elements.

    Section:
        Elements 0.2.0, 5, 5.3, 5.4.

    Example:
        >>> import elementguard as eg
        >>> answer = eg.load({
        ...     "protocol": "0.2.0",
        ...     "instance": "k3f9x2",
        ...     "root": {"id": "app", "role": "Application", "children": [
        ...         {"id": "w-1", "role": "Window", "title": "Notes", "focused": True},
        ...     ]},
        ... }, provider="notes")
        >>> answer
        <Answer: 2 elements, 154 bytes>
        >>> answer.position
        <Element 'w-1' Window>
        >>> answer.position.name
        FullName(provider='notes', instance='k3f9x2', id='w-1')
        >>> [element.id for element in answer.walk()]
        ['app', 'w-1']
    """

    __slots__ = ("_index",)  # it holds the rest, for elements as well

    _index: Index

    def __init__(self, *_: object, **__: object) -> None:
        raise TypeError("an Answer is made by load()")

    @property
    def report(self) -> Report:
        """What `validate` gives: no error, but warnings and notes."""
        report: Report = self._index.whole[0]
        return report

    @property
    def kind(self) -> str:
        """`"answer"` or `"element"`."""
        kind: str = self._index.whole[1]
        return kind

    @property
    def provider(self) -> str | None:
        """Who sent it, as `load` was told."""
        provider: str | None = self._index.whole[2]
        return provider

    @property
    def protocol(self) -> str | None:
        """The version of the protocol, as sent; `None` for a fragment."""
        summary = self.report.summary
        return None if summary is None else summary.protocol

    @property
    def instance(self) -> str | None:
        """The provider's instance, as sent; `None` for a fragment."""
        summary = self.report.summary
        return None if summary is None else summary.instance

    @property
    def root(self) -> Element:
        """The root; of a fragment its top.

        Raises:
            LookupError: there is none, which only moved rules let pass.
        """
        if not len(self):
            raise LookupError("the answer has no root")
        return self._index.at(0)

    @property
    def focus_path(self) -> tuple[Element, ...]:
        """The focused elements from the root's child down (of a fragment, from its top)."""
        index, path = self._index, []
        above = 0
        for row in index.marked(FOCUSED):
            is_top = row == 0
            if (is_top and self.kind == "element") or (
                not is_top and index.cell(row, PARENT) == above
            ):
                path.append(row)
                above = row
        return tuple(map(self._index.at, path))

    @property
    def position(self) -> Element | None:
        """Where the user is: the deepest element of the focus path."""
        path = self.focus_path
        return path[-1] if path else None

    @property
    def selected(self) -> tuple[Element, ...]:
        """The elements that the user selected, in document order."""
        return tuple(map(self._index.at, self._index.marked(SELECTED)))

    @property
    def hovered(self) -> Element | None:
        """The element under the pointer: the first hovered one that holds no other."""
        rows = self._index.marked(HOVERED)
        for row, following in zip(rows, [*rows, len(self)][1:], strict=True):
            if following >= row + (self._index.cell(row, ELEMENTS) or 0):
                return self._index.at(row)
        return None

    @property
    def raw(self) -> memoryview:
        """The bytes of the answer: a read-only view, nothing is copied.

        A `str` stands here as its UTF-8, a parsed object as its compact JSON.
        """
        return memoryview(self._index.source)

    def excerpt(
        self,
        *,
        keep: Iterable[str] = ("selected", "hovered"),
        max_bytes: SupportsIndex | None = None,
        max_elements: SupportsIndex | None = None,
        max_blob_bytes: SupportsIndex | None = None,
    ) -> Excerpt:
        """Cut the answer to a budget, so that what is left is a valid answer still.

        Whole elements and whole blocks go, in the order of `docs/excerpt.md`; all else is copied
        byte for byte. The root and the user's position always stay. An answer that fits comes back
        as it is.

        Args:
            keep: what else must stay with all above it: `"selected"`, `"hovered"`, and ids.
            max_bytes: how many bytes the excerpt may have.
            max_elements: how many elements.
            max_blob_bytes: how many bytes of pictures, sounds and blobs, decoded.

        Returns:
            The excerpt: its bytes, and what was left out.

        Raises:
            BudgetError: what must stay does not fit; it says what would.
            TypeError: an argument is of the wrong type.
            ValueError: a budget is negative, or `keep` has what is neither a word nor an id.

        Section:
            Elements 0.2.0, 5.3 (position), 5.5 (blocks), 5.7.

        Example:
            >>> import elementguard as eg
            >>> text = '{"id":"a","role":"Group","children":[{"id":"b","role":"Group"}]}'
            >>> eg.load(text, kind="element").excerpt(max_elements=1).data
            b'{"id":"a","role":"Group"}'
        """
        from elementguard._excerpt import cut

        budgets = {
            "max_bytes": max_bytes,
            "max_elements": max_elements,
            "max_blob_bytes": max_blob_bytes,
        }
        return cut(self, keep, budgets)

    def get(self, id: str) -> Element | None:  # noqa: A002 -- the member's name
        """The element with an id. As fast in a large answer as in a small one.

        The first call makes the table that all further ones look into, in one pass over the ids.

        Args:
            id: the id.

        Returns:
            The element, or `None` if none has it.

        Raises:
            TypeError: the id is no `str`.

        Section:
            Elements 0.2.0, 5.4.

        Example:
            >>> import elementguard as eg
            >>> answer = eg.load({"id": "n-7", "role": "Group"}, kind="element")
            >>> answer.get("n-7"), answer.get("n-8")
            (<Element 'n-7' Group>, None)
        """
        return self._index.get(id)

    def walk(self) -> Iterator[Element]:
        """All elements in document order: each before those that it holds.

        Returns:
            An iterator; elements are made as they are asked for.

        Section:
            Elements 0.2.0, 5.

        Example:
            >>> import elementguard as eg
            >>> answer = eg.load({"id": "n-7", "role": "Group"}, kind="element")
            >>> [(element.id, element.role) for element in answer.walk()]
            [('n-7', 'Group')]
        """
        return self._index.walk()

    def heaviest(self, n: int = 10, *, by: str = "bytes") -> tuple[Element, ...]:
        """The elements that are the heaviest with all that they hold.

        An element is at least as heavy as each that it holds, so the root comes first.

        Args:
            n: how many at most; 0 or more.
            by: which number of their `size` counts: `"bytes"`, `"elements"`, `"content_bytes"`,
                `"text_bytes"` or `"blob_bytes"`.

        Returns:
            The elements, the heaviest first; of equal ones the first in the document.

        Raises:
            TypeError: `n` is no integer.
            ValueError: `n` is negative, or `by` is none of the five.

        Section:
            Elements 0.2.0, 5.7.

        Example:
            >>> import elementguard as eg
            >>> leaf = {"id": "t-1", "role": "Text", "title": "A long title"}
            >>> top = {"id": "n-7", "role": "Group", "children": [leaf, {"id": "b", "role": "Row"}]}
            >>> answer = eg.load(top, kind="element")
            >>> [(element.id, element.size.bytes) for element in answer.heaviest(2)]
            [('n-7', 114), ('t-1', 49)]
        """
        if isinstance(n, bool) or not isinstance(n, int):
            raise TypeError(f"n: an integer is needed, not {type(n).__name__}")
        if n < 0:
            raise ValueError(f"n: 0 or more is needed, not {n}")
        from heapq import nsmallest

        weights = self._weights(by)
        rows = nsmallest(n, range(len(weights)), key=lambda row: -weights[row])
        return tuple(map(self._index.at, rows))

    def _weights(self, by: str) -> list[int]:
        if by == "bytes":
            pairs = zip(self._numbers(START), self._numbers(END), strict=True)
            return [end - start for start, end in pairs]
        if by not in _COLUMNS:
            told = ", ".join(map(repr, ("bytes", *_COLUMNS)))
            raise ValueError(f"by: one of {told} is needed, not {by!r}")
        return self._numbers(_COLUMNS[by])

    def _hidden(self) -> list[bool]:
        """Of each element whether it is not on screen, handed down in one pass."""
        hidden: list[bool] = []
        index = self._index
        for parent, flags in zip(index.column(PARENT), index.column(FLAGS), strict=True):
            stated = (flags or 0) & (SHOWN | HIDDEN)
            inherited = parent is not None and hidden[parent]
            hidden.append(stated == HIDDEN if stated else inherited)
        return hidden

    def _numbers(self, column: int) -> list[int]:
        return [number or 0 for number in self._index.column(column)]

    def __getitem__(self, id: str) -> Element:  # noqa: A002 -- the member's name
        element = self._index.get(id)
        if element is None:
            raise KeyError(id)
        return element

    def __contains__(self, item: object) -> bool:
        if isinstance(item, Element):
            return item._index is self._index  # noqa: SLF001 -- the element's other half
        return isinstance(item, str) and self._index.find(item) is not None

    def __len__(self) -> int:
        return len(self._index)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Element]:
        return self.walk()

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError("an Answer is immutable")

    def __delattr__(self, name: str) -> Never:
        raise AttributeError("an Answer is immutable")

    def __repr__(self) -> str:
        return f"<Answer: {len(self)} elements, {len(self._index.source)} bytes>"

    def __copy__(self) -> Answer:
        return self

    def __deepcopy__(self, _memo: object) -> Answer:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _over, (self._index,)


def made(source: bytes, index: Index, report: Report, kind: str, provider: str | None) -> Answer:
    """An answer of its parts."""
    element = _classes.get(type(index)) or class_over(type(index))
    index.settle(source, element, (report, kind, provider))
    answer = _new(Answer)
    _set_index(answer, index)
    return answer


def _over(index: Index) -> Answer:
    answer = _new(Answer)
    _set_index(answer, index)
    return answer


_new: Callable[[type[Answer]], Answer] = object.__new__
_set_index: Callable[[Answer, Index], None] = Answer.__dict__["_index"].__set__


def index_of(source: bytes, kind: str) -> Index:
    """The index of an answer that was checked before, whatever was found.

    Raises:
        ValueError: it is not what was checked.
    """
    no_levels = bytes(len(DEFAULT_LEVELS))
    checker = _engine.core.Checker((None,) * 14, no_levels, kind)
    _, index = checker.load(source, faulty=True)
    if index is None:
        raise ValueError("data: it changed while it was read")
    return index


_classes: dict[type, type[Element]] = {}


def class_over(index: type[Index]) -> type[Element]:
    """The class of an engine's elements, given that of its indexes: `Element`, over its handle."""
    told = {"__slots__": (), "__module__": Element.__module__, "__doc__": Element.__doc__}
    made = cast("type[Element]", type("Element", (index.HANDLE, Element), told))
    # A pickle of an element or of an answer holds all of it, once.
    copyreg.pickle(index, _parts)
    return _classes.setdefault(index, made)


def _parts(index: Index) -> tuple[Callable[..., Index], tuple[object, ...]]:
    return _restored, (index.source, *index.whole)


def _restored(source: bytes, report: Report, kind: str, provider: str | None) -> Index:
    index = index_of(source, kind)
    made(source, index, report, kind, provider)
    return index
