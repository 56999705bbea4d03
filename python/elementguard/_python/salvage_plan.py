"""Room: one round of salvage: findings to edits.

In: an answer's bytes and the errors found in them. Out: what goes, and the bytes without it. The
table of `salvage_table` says what goes for which rule; here stands what that means in the tree.

An element that loses its own standing is lifted: its bytes go but for its children, which then
stand in its place. What they inherited of `visible` they are given as their own, so that nothing
that was hidden is said to be drawn.
"""

from __future__ import annotations

from bisect import bisect_left

from elementguard._python import salvage_table as table
from elementguard._python.edits import Edits
from elementguard._python.outline import Outline
from elementguard._python.places import NOWHERE, Places
from elementguard._python.rules import shape
from elementguard._python.rules.table import CODES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from elementguard._python.edits import Origins
    from elementguard._python.report import Row

_ROLE_MENDED = {table.APPLICATION: b'"Application"', table.GROUP: b'"Group"'}
REMOVED, LIFTED, REPLACED, ADDED = "removed", "lifted", "replaced", "added"


class CannotError(ValueError):
    """What is left would have to be invented; `row`: the finding that says so."""

    def __init__(self, row: Row) -> None:
        self.row = row


class Change:
    """One thing that was done: to which bytes of this round, for which finding."""

    __slots__ = ("blocks", "done", "elements", "end", "finding", "start")

    def __init__(self, finding: Row, done: str, start: int, end: int) -> None:
        self.finding = finding
        self.done = done
        self.start = start
        self.end = end
        self.elements = 0
        self.blocks = 0


class Plan:
    """What goes in one round."""

    def __init__(self, data: bytes, *, is_fragment: bool) -> None:
        self.places = Places(data)
        self.outline = Outline(self.places, is_fragment=is_fragment)
        self._is_fragment = is_fragment
        self._gone: dict[int, Row] = {}
        self._lifted: dict[int, Row] = {}
        self._roles: dict[int, tuple[bytes, Row]] = {}
        self._block_rows = sorted(row for row, _ in self.outline.blocks)
        self._blocks = set(self._block_rows)
        self._members: dict[int, dict[str, int]] = {}
        self._inside = {0: False}  # of rows: see `_is_inside`

    # what goes

    def take(self, finding: Row) -> None:
        """What the table says of a finding."""
        what = table.TABLE[CODES[finding[0]]][0]
        row = self.places.at(finding[1] or 0)
        match what:
            case table.VALUE:
                self.value(row, finding)
            case table.OBJECT:
                self._object(row, finding)
            case table.ELEMENT:
                self._element_of(self.places.holder[row], finding)
            case table.SUBTREE:
                self.gone(row, finding)
            case table.BLOCK:
                self._block(row, finding)
            case table.FOCUS:
                self._focus(self.places.holder[row], finding)
            case table.LATER:
                members = self.members(row)
                self.gone(max(members["text"], members["blob"]), finding)
            case table.APPLICATION | table.GROUP:
                self._roles.setdefault(row, (_ROLE_MENDED[what], finding))
            case _:
                raise CannotError(finding)

    def gone(self, row: int, finding: Row) -> None:
        """A member or item goes with all in it."""
        if self._is_top(row):
            raise CannotError(finding)
        self._gone.setdefault(row, finding)

    def value(self, row: int, finding: Row) -> None:
        """A member or item goes; where it is needed, what needs it."""
        places = self.places
        holder, name = places.holder[row], places.names[row]
        if name is None or self.members(holder).get(name) != row:
            self.gone(row, finding)
            return
        if holder in self.outline.number:
            if name == "role" and holder == self.outline.rows[0] and not self._is_fragment:
                self._roles.setdefault(row, (_ROLE_MENDED[table.APPLICATION], finding))
                return
            if name in {"id", "role"}:
                self._element_of(holder, finding)
                return  # mutants: it goes with the element anyway
        elif name in self._needed(holder):
            self._object(holder, finding)
            return  # mutants: it goes with the object anyway
        self.gone(row, finding)

    def members(self, row: int) -> dict[str, int]:
        """The rows of an object's members by name. Kept: each of a million may be at fault."""
        found = self._members.get(row)
        if found is None:  # mutants: always so takes more time, no more
            found = self._members[row] = self.places.members(row)
        return found

    def _needed(self, holder: int) -> tuple[str, ...]:
        """The members that an object within the tree which is no element cannot be without."""
        if holder in self._blocks:
            block_type = self.outline.block_type(holder)
            if block_type not in shape.BLOCK_TYPES:
                return ("type",)
            return shape.BLOCK_TYPES[block_type][1]
        if self._is_resource(holder):
            return ("uri",)
        if self._is_icon(holder):
            return ("src",)
        return ()

    def _is_resource(self, row: int) -> bool:
        return self._is_member(row, "resource", of="resource")

    def _is_icon(self, row: int) -> bool:
        return self._is_member(self.places.holder[row], "icons", of="resource_link")

    def _is_member(self, row: int, name: str, *, of: str) -> bool:
        """Whether it is what a block of a type has by that name: others may have further ones."""
        block = self.places.holder[row]
        return (
            block in self._blocks
            and self.outline.block_type(block) == of
            and self.members(block).get(name) == row
        )

    def _object(self, row: int, finding: Row) -> None:
        """An object that lacks what it needs."""
        places = self.places
        if row in self.outline.number:
            is_role = finding[4][0] == "role"
            if row == self.outline.rows[0] and is_role and not self._is_fragment:
                self._roles.setdefault(row, (_ROLE_MENDED[table.APPLICATION], finding))
            else:
                self._element_of(row, finding)
        elif self._is_resource(row) or CODES[finding[0]] == "dangling-related":
            self.gone(places.holder[row], finding)
        else:
            self.gone(row, finding)

    def _element_of(self, row: int, finding: Row) -> None:
        """An element loses its standing. Of two with one id the root is never the one to go."""
        at = self.outline.number[row]
        if at == 0 and CODES[finding[0]] == "duplicate-id":
            other = self.outline.number[self.places.holder[self.places.find(str(finding[4][1]))]]
            self._lifted.setdefault(other, finding)
        elif at == 0:
            raise CannotError(finding)
        else:
            self._lifted.setdefault(at, finding)

    def _block(self, row: int, finding: Row) -> None:
        while row not in self._blocks:
            row = self.places.holder[row]
        self.gone(row, finding)

    def _focus(self, row: int, finding: Row) -> None:
        """No focus can hang on this one: what is below it would be a gap again."""
        outline = self.outline
        at, end = outline.number[row], self.places.behind[row]
        while at < len(outline.rows) and outline.rows[at] < end:
            if outline.state(at, "focused"):
                self._gone.setdefault(outline.members[at]["focused"], finding)
            at += 1

    def _is_top(self, row: int) -> bool:
        if row == 0:
            return True
        holder, name = self.places.holder[row], self.places.names[row]
        if self._is_fragment or holder != 0 or name not in shape.ANSWER:
            return False
        return self.members(0).get(name) == row

    def more(self, _edits: Edits) -> list[Change]:
        """What else is done in this round, by those who plan more than what goes."""
        return []

    # what is left

    def apply(self) -> tuple[bytes, Origins, list[Change]]:
        """The bytes without it, where they came from, and what was done."""
        self._settle()
        edits = Edits()
        emptied = self._emptied()
        leaving = self._gone.keys() | emptied
        for holder in {self.places.holder[row] for row in leaving}:
            edits.items(self.places, holder, lambda row: row not in leaving)
        changes = [self._removed(row) for row in self._gone if not self._is_inside(row)]
        changes += [self._lift(at, edits) for at in self._lifted if not self._is_lost(at)]
        changes += self._mend_roles(edits)
        changes += self._hand_down(edits)
        changes += self.more(edits)
        changes.sort(key=lambda change: change.start)
        return *edits.apply(self.places.data), changes

    def _settle(self) -> None:
        """A lifted element of which no child stays goes altogether, as one that goes anyway."""
        for at in sorted(self._lifted, reverse=True):
            row, array = self.outline.rows[at], self.outline.array(at, "children")
            if not {row, array}.isdisjoint(self._gone) or not self._staying(array):
                self._gone.setdefault(row, self._lifted.pop(at))

    def _staying(self, array: int) -> list[int]:
        if array == NOWHERE:
            return []
        return [item for item in self.places.inside(array) if item not in self._gone]

    def _emptied(self) -> set[int]:
        """The `children` and `content` that lose all they have: they go as members."""
        arrays = {self.places.holder[row] for row in self._gone}
        return {
            array
            for array in arrays
            if self.places.names[array] in {"children", "content"}
            and self.places.holder[array] in self.outline.number
            and not self._staying(array)
        }

    def _is_inside(self, row: int) -> bool:
        """Whether something around it goes, or a lifted element of which it is no child.

        Asked when all that goes is settled: then what is found out of those around stays known,
        for in a deep answer many have them around.
        """
        known, passed = self._inside, []
        while row not in known:
            if self._goes_with_holder(row):
                known[row] = True
            else:
                passed.append(row)
                row = self.places.holder[row]
        found = known[row]
        known.update(dict.fromkeys(passed, found))
        return found

    def _goes_with_holder(self, row: int) -> bool:
        holder = self.places.holder[row]
        if holder in self._gone:
            return True
        at = self.outline.number.get(holder)
        return at in self._lifted and row != self.outline.members[at].get("children")

    def _is_lost(self, at: int) -> bool:
        return self._is_inside(self.outline.rows[at])

    def _removed(self, row: int) -> Change:
        places = self.places
        change = Change(self._gone[row], REMOVED, places.item[row], places.end[row])
        change.elements = self._within(self.outline.rows, row)
        change.blocks = self._within(self._block_rows, row)
        return change

    def _within(self, rows: list[int], row: int) -> int:
        return bisect_left(rows, self.places.behind[row]) - bisect_left(rows, row)

    def _lift(self, at: int, edits: Edits) -> Change:
        places, row = self.places, self.outline.rows[at]
        staying = self._staying(self.outline.array(at, "children"))
        edits.cut(places.start[row], places.start[staying[0]])
        edits.cut(places.end[staying[-1]], places.end[row])
        change = Change(self._lifted[at], LIFTED, places.start[row], places.end[row])
        change.elements = 1
        content = self.outline.array(at, "content")
        change.blocks = 0 if content == NOWHERE else self._within(self._block_rows, content)
        return change

    def _mend_roles(self, edits: Edits) -> list[Change]:
        changes = []
        for row, (role, finding) in self._roles.items():
            if row in self._gone or self._is_inside(row):
                continue
            start, end = self.places.start[row], self.places.end[row]
            if row in self.outline.number:
                edits.put(start + 1, start + 1, b'"role":' + role + b",")
                changes.append(Change(finding, ADDED, start, start + 1))
            else:
                edits.put(start, end, role)
                changes.append(Change(finding, REPLACED, start, end))
        return changes

    def _hand_down(self, edits: Edits) -> list[Change]:
        """What the children of lifted elements inherited, they state themselves."""
        changes: list[Change] = []
        if not self._lifted:  # mutants: saves time, no more
            return changes  # mutants: as above
        outline, visible = self.outline, self.outline.visible()
        around = dict[int, bool]()
        for at in range(1, len(outline.rows)):
            parent = outline.parents[at]
            above = around.get(parent, visible[parent])
            if at in self._lifted:
                around[at] = above
            if parent not in self._lifted or at in self._lifted:
                continue
            row = outline.rows[at]
            stated = outline.state(at, "visible")
            if stated is None and visible[parent] != above and not self._is_going(row):
                start = self.places.start[row] + 1
                word = b"true" if visible[parent] else b"false"
                edits.put(start, start, b'"visible":' + word + b",")
                changes.append(Change(self._lifted[parent], ADDED, start - 1, start))
        return changes

    def _is_going(self, row: int) -> bool:
        return row in self._gone or self._is_inside(row)
