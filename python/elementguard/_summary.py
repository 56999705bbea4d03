"""Facade: what is in an answer, in numbers.

Comes in: the tuple that an engine gives for an answer it read to its end. Goes out: `Summary`, and
in it the `Size` of the root. Roles and block types are counted as a receiver reads them (sections
5.2 and 5.5); section 5.3 says what position, selection and hover are. Imported when a summary is
asked for, not before.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Never

ROLE_WORDS = (
    "Application",
    "Window",
    "Group",
    "List",
    "Table",
    "Row",
    "Cell",
    "Text",
    "Heading",
    "Link",
    "Image",
    "Page",
    "Document",
)
_BLOCK_TYPES = ("text", "image", "audio", "resource_link", "resource")


class Size(NamedTuple):
    """How large an element is with all that it holds.

    Attributes:
        bytes: from its `{` to its `}`, both counted, as sent (of a parsed object: as compact JSON).
        elements: itself and all below it.
        height: levels of its subtree; 1 for a leaf.
        depth: its own depth; the root's is 1.
        content_bytes: its own and all lower `content` arrays, brackets counted.
        text_bytes: UTF-8 bytes of the texts in its blocks.
        blob_bytes: decoded bytes of the pictures, sounds and blobs in its blocks.
    """

    bytes: int
    elements: int
    height: int
    depth: int
    content_bytes: int
    text_bytes: int
    blob_bytes: int


class Summary:
    """What is in an answer that was read to its end. Immutable. Made by `report.summary`.

    Example:
        >>> import elementguard as eg
        >>> element = {"id": "n-7", "role": "Group", "selected": True}
        >>> summary = eg.check(element, kind="element").summary
        >>> summary.elements, dict(summary.roles), summary.selected, summary.position
        (1, {'Group': 1}, ('n-7',), None)
    """

    __slots__ = ("_row",)

    _row: tuple[object, ...]

    def __init__(self, row: tuple[object, ...]) -> None:
        object.__setattr__(self, "_row", row)

    @property
    def bytes(self) -> int:
        """The input's length in bytes of UTF-8, white space around the answer counted."""
        return cast("int", self._row[0])

    @property
    def elements(self) -> int:
        """How many elements there are."""
        return cast("int", self._row[1])

    @property
    def depth(self) -> int:
        """The depth of the deepest element; the root's is 1."""
        return cast("int", self._row[2])

    @property
    def roles(self) -> Mapping[str, int]:
        """How many elements have each role, as a receiver reads it; roles without any left out."""
        return _counted(ROLE_WORDS, self._row[3])

    @property
    def block_types(self) -> Mapping[str, int]:
        """How many content blocks there are of each type; types without any left out."""
        return _counted(_BLOCK_TYPES, self._row[4])

    @property
    def instance(self) -> str | None:
        """The answer's instance as sent."""
        return cast("str | None", self._row[5])

    @property
    def protocol(self) -> str | None:
        """The answer's protocol version as sent."""
        return cast("str | None", self._row[6])

    @property
    def focus_path(self) -> tuple[str | None, ...]:
        """The ids of the focused elements from the root's child down; `None`: an unusable id."""
        return cast("tuple[str | None, ...]", self._row[7])

    @property
    def position(self) -> str | None:
        """The id of the deepest element of the focus path."""
        return cast("str | None", self._row[8])

    @property
    def selected(self) -> tuple[str | None, ...]:
        """The ids of the selected elements in document order."""
        return cast("tuple[str | None, ...]", self._row[9])

    @property
    def hovered(self) -> str | None:
        """The id of the first hovered element that holds no other."""
        return cast("str | None", self._row[10])

    @property
    def root(self) -> Size | None:
        """The size of the root (of a fragment: of its top); `None` if there is none."""
        row = cast("tuple[int, int, int, int, int, int, int] | None", self._row[11])
        return None if row is None else Size(*row)

    def to_dict(self) -> dict[str, object]:
        """The summary as JSON types, as `schema("report")` describes it."""
        root = self.root
        return {
            "bytes": self.bytes,
            "elements": self.elements,
            "depth": self.depth,
            "roles": dict(self.roles),
            "block_types": dict(self.block_types),
            "instance": self.instance,
            "protocol": self.protocol,
            "focus_path": list(self.focus_path),
            "position": self.position,
            "selected": list(self.selected),
            "hovered": self.hovered,
            "root": None if root is None else root._asdict(),
        }

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError("a Summary is immutable")

    def __delattr__(self, name: str) -> Never:
        raise AttributeError("a Summary is immutable")

    def __eq__(self, other: object) -> bool:
        return self._row == other._row if isinstance(other, Summary) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._row)

    def __repr__(self) -> str:
        return f"<Summary: {self.elements} elements, {self.bytes} bytes, depth {self.depth}>"

    def __reduce__(self) -> tuple[object, ...]:
        return Summary, (self._row,)


def _counted(names: tuple[str, ...], counts: object) -> Mapping[str, int]:
    pairs = zip(names, cast("tuple[int, ...]", counts), strict=True)
    return MappingProxyType({name: count for name, count in pairs if count})
