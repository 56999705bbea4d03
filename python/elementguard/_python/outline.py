"""Room: the elements and blocks of an answer, as the rooms that cut see them.

In: the places of all values. Out: `Outline`: elements in document order (a parent before its
children) with their parents, members, states and blocks. Sections 5.1 and 5.3.

It follows the tree as a receiver does: of a repeated member the first counts, a value of another
type than its field's is not there, and items that are no objects are neither elements nor blocks.
"""

from __future__ import annotations

from elementguard._python.base64 import Payload
from elementguard._python.places import NOWHERE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from elementguard._python.places import Places

_TRUE, _FALSE = b"true", b"false"


class Outline:
    """The tree of one answer.

    Element `at` is the object in row `rows[at]`; `parents[at]` is its parent's number, and
    `members[at]` the rows of its members by name. `blocks` has a row and its element's number for
    each content block.
    """

    __slots__ = ("blocks", "members", "number", "parents", "places", "rows")

    def __init__(self, places: Places, *, is_fragment: bool) -> None:
        self.places = places
        self.rows: list[int] = []
        self.parents: list[int] = []
        self.members: list[dict[str, int]] = []
        self.blocks: list[tuple[int, int]] = []
        self.number: dict[int, int] = {}
        top = 0 if is_fragment else places.members(0).get("root", NOWHERE)
        if top != NOWHERE and places.is_object(top):
            self._grow(top)

    def _grow(self, top: int) -> None:
        waiting = [(top, NOWHERE)]
        while waiting:
            row, parent = waiting.pop()
            at = len(self.rows)
            self.rows.append(row)
            self.parents.append(parent)
            self.members.append(self.places.members(row))
            self.number[row] = at
            self.blocks.extend((block, at) for block in self._objects(at, "content"))
            waiting.extend((child, at) for child in reversed(self._objects(at, "children")))

    def array(self, at: int, name: str) -> int:
        """The row of an element's `children` or `content`, if that is an array."""
        row = self.members[at].get(name, NOWHERE)
        return row if row != NOWHERE and self.places.is_array(row) else NOWHERE

    def arrays(self, at: int) -> list[int]:
        """Both of them, as far as they are there."""
        found = (self.array(at, "children"), self.array(at, "content"))
        return [row for row in found if row != NOWHERE]

    def _objects(self, at: int, name: str) -> list[int]:
        row = self.array(at, name)
        if row == NOWHERE:
            return []
        return [item for item in self.places.inside(row) if self.places.is_object(item)]

    def text(self, at: int, name: str) -> str | None:
        """A member that is a string."""
        row = self.members[at].get(name, NOWHERE)
        return None if row == NOWHERE else self.places.string(row)

    def state(self, at: int, name: str) -> bool | None:
        """A member that is true or false."""
        row = self.members[at].get(name, NOWHERE)
        if row == NOWHERE:
            return None
        return {_TRUE: True, _FALSE: False}.get(self.places.raw(row))

    def visible(self) -> list[bool]:
        """Of each element whether it is visible: what it states, else what its parent is."""
        found: list[bool] = []
        for at, parent in enumerate(self.parents):
            stated = self.state(at, "visible")
            around = found[parent] if parent != NOWHERE else True
            found.append(around if stated is None else stated)
        return found

    def focus_path(self, *, is_fragment: bool) -> list[int]:
        """The focused elements from the root's child down; of several siblings the first."""
        first: dict[int, int] = {}
        for at, parent in enumerate(self.parents):
            if self.state(at, "focused"):
                first.setdefault(parent, at)
        at = 0
        found = [at] if is_fragment and first.get(NOWHERE) == at else []
        while at in first:
            at = first[at]
            found.append(at)
        return found

    def block_type(self, row: int) -> str | None:
        """What type a block says it is."""
        member = self.places.members(row).get("type", NOWHERE)
        return None if member == NOWHERE else self.places.string(member)

    def name(self, row: int) -> str | None:
        """The id of an element, or the type of a block."""
        at = self.number.get(row)
        return self.block_type(row) if at is None else self.text(at, "id")

    def payload(self, row: int) -> int:
        """The row of a block's binary data: of a picture or a sound, or of a resource."""
        members, name = self.places.members(row), "data"
        block_type = self.block_type(row)
        if block_type == "resource":
            inner = members.get("resource", NOWHERE)
            members, name = ({} if inner == NOWHERE else self.places.members(inner)), "blob"
        elif block_type not in {"image", "audio"}:
            return NOWHERE
        data = members.get(name, NOWHERE)
        return data if data != NOWHERE and self.places.is_string(data) else NOWHERE

    def blob_bytes(self, data: int) -> int:
        """How many bytes binary data stands for: 0 if it is malformed."""
        payload = Payload()
        payload.piece(self.places.string(data) or "")
        payload.end()
        return payload.decoded_bytes()
