"""Room: rounds of changes, told by places of the input.

In: the input, and plans, one a round. Out: the text after each round, and every change with its
finding as if it had been found in the input. Salvage and fixes share it.
"""

from __future__ import annotations

from elementguard._python.places import Places
from elementguard._python.rules.table import PARAMETERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from elementguard._python.edits import Origins
    from elementguard._python.report import Row
    from elementguard._python.salvage_plan import Change, Plan


class Done:
    """One change, by places of the input."""

    __slots__ = ("blocks", "bytes", "done", "elements", "finding", "offset", "pointer")

    def __init__(self, change: Change, start: int, end: int, pointer: str) -> None:
        self.finding = change.finding
        self.done = change.done
        self.offset = start
        self.bytes = end - start
        self.pointer = pointer
        self.elements = change.elements
        self.blocks = change.blocks


class Rounds:
    """The text of each round, and where its bytes stood in the input."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.done: list[Done] = []
        self._input = data
        self._places: Places | None = None
        self._origins: list[Origins] = []

    def take(self, plan: Plan) -> None:
        """One round is planned."""
        data, origins, changes = plan.apply()
        for change in changes:
            change.finding = self._finding(plan, change.finding)
            self.note(change)
        self.put(data, origins)

    def put(self, data: bytes, origins: Origins) -> None:
        """The text of the next round."""
        self.data = data
        self._origins.insert(0, origins)

    def note(self, change: Change) -> None:
        """Keeps a change of the text as it is now."""
        start = self._origin(change.start)
        end = self._origin(change.end - 1) + 1
        places = self._input_places()
        self.done.append(Done(change, start, end, places.pointer(places.at(start))))

    def _finding(self, plan: Plan, row: Row) -> Row:
        """A finding by places of the input."""
        if not self._origins:
            return row
        rule, offset, _, element, params = row
        places = self._input_places()
        at = self._origin(offset or 0)
        if "other" in PARAMETERS[rule]:
            which = PARAMETERS[rule].index("other")
            found = plan.places.find(str(params[which]))
            other = places.pointer(places.at(self._origin(plan.places.start[found])))
            params = (*params[:which], other, *params[which + 1 :])
        return rule, at, places.pointer(places.at(at)), element, params

    def _origin(self, offset: int) -> int:
        for origins in self._origins:
            offset = origins.of(offset)
        return offset

    def _input_places(self) -> Places:
        if self._places is None:
            self._places = Places(self._input)
        return self._places
