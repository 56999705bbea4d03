"""Room: one round of fixes: findings to edits.

In: an answer's bytes and what is to be done for a finding. Out: as salvage's plan, of which this is
one that also writes. Where two fixes would write one place, the first stands and the other waits
for the next round.
"""

from __future__ import annotations

import re

from elementguard._python.fix_texts import well_formed_id
from elementguard._python.places import NOWHERE
from elementguard._python.rules import shape
from elementguard._python.salvage_plan import ADDED, REPLACED, Change, Plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from elementguard._python.edits import Edits
    from elementguard._python.report import Row

_NAME = re.compile(rb'"(?:[^"\\]++|\\.)*+"')
_BOOLEANS = (b"true", b"false")


class FixPlan(Plan):
    """What is fixed in one round."""

    def __init__(self, data: bytes, *, is_fragment: bool) -> None:
        super().__init__(data, is_fragment=is_fragment)
        self._written: dict[int, tuple[bytes, Row]] = {}
        self._put: list[tuple[int, int, bytes, Row]] = []
        self._unknown: dict[int, list[tuple[int, Row]]] = {}
        self._named: set[tuple[int, str]] = set()
        self._ids: dict[str, int] | None = None
        self._focused: dict[int, set[int]] | None = None

    # safe

    def drop(self, row: int, finding: Row) -> None:
        """A member goes, with all of its name in the object."""
        for member in self.places.inside(self.places.holder[row]):
            if self.places.names[member] == self.places.names[row]:
                self.gone(member, finding)

    def write(self, row: int, data: bytes, finding: Row) -> None:
        """A value is written anew."""
        self._written.setdefault(row, (data, finding))

    def rewrite(self, row: int, how: Callable[[bytes], bytes | None], finding: Row) -> None:
        """A string is mended; again, if that has been done before."""
        before = self._written[row][0] if row in self._written else self.places.raw(row)
        after = how(before)
        if after is not None and after != before:
            self._written[row] = (after, finding)

    # unsafe

    def known_role(self, row: int, finding: Row) -> None:
        """A role of the language; the app's own word becomes the subrole, if there is none."""
        if row in self._written:
            return
        role = finding[4][1] or "Group"
        self.write(row, f'"{role}"'.encode(), finding)
        holder = self.places.holder[row]
        if "subrole" not in self.members(holder):
            end = self.places.end[row]
            self._put.append((end, row, b',"subrole":' + self.places.raw(row), finding))

    def left_out(self, row: int, finding: Row) -> None:
        """What is no more than furniture goes; what it holds stands in its place."""
        at = self.outline.number[self.places.holder[row]]
        if at:
            self._lifted.setdefault(at, finding)

    def new_id(self, row: int, finding: Row) -> None:
        """An id that is well-formed, and nobody else's."""
        if row in self._written:
            return
        outline = self.outline
        if self._ids is None:
            numbers = range(len(outline.rows))
            self._ids = {outline.text(at, "id") or "": 1 for at in numbers}
        made = well_formed_id(self.places.string(row) or "", self._ids)
        self.write(row, f'"{made}"'.encode(), finding)

    def known_member(self, row: int, finding: Row) -> None:
        """A member under the name that was meant, else among the attributes."""
        holder, suggestion = self.places.holder[row], finding[4][1]
        members = self.members(holder)
        if members.get(self.places.names[row] or "") != row:
            return
        taken = suggestion in members or (holder, str(suggestion)) in self._named
        if suggestion and not taken and self._fits(row, str(suggestion)):
            self._named.add((holder, str(suggestion)))
            match = _NAME.match(self.places.data, self.places.item[row])
            end = match.end() if match else self.places.start[row]
            start = self.places.item[row]
            self._put.append((start, end, f'"{suggestion}"'.encode(), finding))
        else:
            self._unknown.setdefault(holder, []).append((row, finding))

    def _fits(self, row: int, name: str) -> bool:
        found = {'"': "string", "t": "boolean", "f": "boolean", "[": "array", "{": "object"}
        kind = chr(self.places.data[self.places.start[row]])
        return found.get(kind) == shape.ELEMENT[name][0]

    def drop_focus(self, row: int, finding: Row) -> None:
        """The focus goes, here and on all below."""
        self._focus(self.places.holder[row], finding)

    def close_gap(self, row: int, finding: Row) -> None:
        """All above a focused element are focused, if no other element stands in the way."""
        outline = self.outline
        at = outline.number[self.places.holder[row]]
        wanted = []
        above = outline.parents[at]
        top = NOWHERE if self._is_fragment else 0
        while above != top and not outline.state(above, "focused"):
            if "focused" in outline.members[above]:
                return
            wanted.append(above)
            above = outline.parents[above]
        if any(self._has_focused_sibling(one) for one in wanted):
            self.drop_focus(row, finding)
            return
        for one in wanted:
            if (one, "focused") not in self._named:
                self._named.add((one, "focused"))
                self._focused = self._focused or {}
                self._focused.setdefault(outline.parents[one], set()).add(one)
                self._add(outline.rows[one], b'"focused":true', finding)

    def _has_focused_sibling(self, at: int) -> bool:
        """Whether another child of the same parent is focused, or is going to be."""
        outline = self.outline
        if self._focused is None:
            self._focused = {}
            for one, parent in enumerate(outline.parents):
                if outline.state(one, "focused"):
                    self._focused.setdefault(parent, set()).add(one)
        return bool(self._focused.get(outline.parents[at], set()) - {at})

    def placed_state(self, row: int, finding: Row) -> None:
        """A state among the attributes is the element's, if it has none; another value stays."""
        raw, name = self.places.raw(row), self.places.names[row] or ""
        element = self.places.holder[self.places.holder[row]]
        if raw not in _BOOLEANS:
            return
        says = raw == b"true" or name == "visible"
        if says and name not in self.members(element):
            self._add(element, f'"{name}":'.encode() + raw, finding)
        self.drop(row, finding)

    # what is written

    def _add(self, row: int, member: bytes, finding: Row) -> None:
        """A member more, before all others."""
        start = self.places.start[row] + 1
        self._put.append((start, start, member + b",", finding))

    def more(self, edits: Edits) -> list[Change]:
        """All that is written."""
        changes = []
        places = self.places
        for row, (data, finding) in self._written.items():
            if not self._is_going(row):
                edits.put(places.start[row], places.end[row], data)
                changes.append(Change(finding, REPLACED, places.start[row], places.end[row]))
        for start, end, data, finding in self._put:
            if not self._is_going(places.at(start)):
                edits.put(start, max(start, end), data)
                done = ADDED if end <= start else REPLACED
                changes.append(Change(finding, done, min(start, len(places.data) - 1), start + 1))
        return changes

    def _emptied(self) -> set[int]:
        self._move_unknown()
        return super()._emptied()

    def _move_unknown(self) -> None:
        """Members that no element has become attributes."""
        for holder, found in self._unknown.items():
            attributes = self.members(holder).get("attributes", NOWHERE)
            if attributes == NOWHERE:
                self._wrap(found)
            elif self.places.is_object(attributes):
                self._append(attributes, found)

    def _wrap(self, found: list[tuple[int, Row]]) -> None:
        places = self.places
        (first, finding), rest = found[0], found[1:]
        moved = b"".join(b"," + places.data[places.item[row] : places.end[row]] for row, _ in rest)
        for row, one in rest:
            self.gone(row, one)
        self._put.append((places.item[first], places.item[first], b'"attributes":{', finding))
        self._put.append((places.end[first], first, moved + b"}", finding))

    def _append(self, attributes: int, found: list[tuple[int, Row]]) -> None:
        places = self.places
        taken = self.members(attributes)
        pieces = []
        for row, finding in found:
            if (places.names[row] or "") not in taken:
                pieces.append((places.data[places.item[row] : places.end[row]], finding))
                self.gone(row, finding)
        items = [item for item in places.inside(attributes) if item not in self._gone]
        comma = bool(items)
        for data, finding in pieces:
            end = places.end[attributes] - 1
            self._put.append((end, end, (b"," if comma else b"") + data, finding))
            comma = True
