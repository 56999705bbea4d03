"""Room: what is known of the whole answer while it is read, and its summary in the end.

In: the call's limits and levels; what frames and rules note. Out: the summary (contract, section
3). Nothing here grows but the ids, the ids that `related` names and nobody has yet, and the ids
of selected elements.
"""

from __future__ import annotations

from elementguard._python import media, pointer
from elementguard._python.rules.shape import BLOCK_TYPES, ROLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from elementguard._python.index import Rows
    from elementguard._python.pointer import Place
    from elementguard._python.report import Element, Findings, Pending
    from elementguard._python.size import Size

    Summary: TypeAlias = tuple[
        int,  # bytes
        int,  # elements
        int,  # depth
        tuple[int, ...],  # by role
        tuple[int, ...],  # by block type
        str | None,  # instance
        str | None,  # protocol
        tuple[str | None, ...],  # focus path
        str | None,  # position
        tuple[str | None, ...],  # selected
        str | None,  # hovered
        tuple[int, ...] | None,  # the root's sizes
    ]
    # The deepest element of a focus path and those above it are linked from the top down.
    FocusPath: TypeAlias = tuple[Element, "FocusPath"] | None


# The limits in the order in which the facade gives them.
LIMITS = (
    "bytes",
    "nesting",
    "elements",
    "depth",
    "findings",
    "children",
    "blocks",
    "subtree_bytes",
    "subtree_elements",
    "content_bytes",
    "attributes_bytes",
    "title_characters",
    "image_edge",
    "media_types",
)


class Limits:
    """The call's limits; None is no limit."""

    __slots__ = LIMITS

    bytes: int | None
    nesting: int | None
    elements: int | None
    depth: int | None
    findings: int | None
    children: int | None
    blocks: int | None
    subtree_bytes: int | None
    subtree_elements: int | None
    content_bytes: int | None
    attributes_bytes: int | None
    title_characters: int | None
    image_edge: int | None
    media_types: tuple[str, ...] | None

    def __init__(self, values: tuple[object, ...]) -> None:
        for name, value in zip(LIMITS, values, strict=True):  # mutants: always as many
            setattr(self, name, value)


class Facts:
    """What rules know of the answer beyond the element at hand."""

    def __init__(
        self, limits: Limits, findings: Findings, *, is_fragment: bool, rows: Rows | None = None
    ) -> None:
        self.limits = limits
        self.media_types = media.known_as_any(limits.media_types)
        self.findings = findings
        self.is_fragment = is_fragment
        self.rows = rows
        self.elements = 0
        self.depth = 0
        self.roles = dict.fromkeys(ROLES, 0)
        self.block_types = dict.fromkeys(BLOCK_TYPES, 0)
        self.instance: str | None = None
        self.protocol: str | None = None
        self.ids: dict[str | bytes, Place] = {}
        self.dangling: dict[str | bytes, Pending] = {}
        self.selected: list[Element] = []
        self.hovered: Element | None = None
        self.focus_path: FocusPath = None
        self.root: Size | None = None

    def summary(self, size: int) -> Summary:
        """The summary of an answer of so many bytes."""
        focus_path = self._focus_ids()
        selected = sorted(self.selected, key=lambda element: element.offset)
        return (
            size,
            self.elements,
            self.depth,
            tuple(self.roles.values()),
            tuple(self.block_types.values()),
            _text(self.instance),
            _text(self.protocol),
            focus_path,
            focus_path[-1] if focus_path else None,
            tuple(element.id for element in selected),
            self.hovered.id if self.hovered else None,
            self.root.as_tuple() if self.root else None,
        )

    def _focus_ids(self) -> tuple[str | None, ...]:
        ids = []
        link = self.focus_path
        while link:
            element, link = link
            ids.append(element.id)
        return tuple(ids)


def _text(value: str | None) -> str | None:
    return None if value is None else pointer.lossy(value)
