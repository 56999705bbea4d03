"""Room: what is good of a broken answer (`docs/salvage.md`).

In: the answer's bytes, and a checker of either engine. Out: bytes without an error, and all that
was done to get there, by places of the input; or the finding for which nothing can be saved.

It goes in rounds: check, plan what goes for each error, cut, check again. What goes in one round
was judged on one text, so that it does not matter in which order the errors are looked at.
"""

from __future__ import annotations

from elementguard._python import excerpt as excerpts
from elementguard._python import salvage_excess as excess
from elementguard._python.places import Places
from elementguard._python.rules.table import CODES, PARAMETERS
from elementguard._python.salvage_plan import REMOVED, CannotError, Change, Plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from elementguard._engine import Outcome
    from elementguard._python.edits import Origins
    from elementguard._python.facts import Limits
    from elementguard._python.report import Row

__all__ = ["CannotError", "Done", "salvage"]

_ERROR = 3
# More than any answer has needed: each round ends what it looks at.
_ROUNDS = 64


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


def salvage(
    data: bytes, check: Callable[[bytes], Outcome], limits: Limits, *, is_fragment: bool
) -> tuple[bytes, list[Done]]:
    """The answer without its errors, and what was done.

    `check` knows all errors and nothing else, and none of the limits that end a check, which are
    in `limits`.
    """
    source = Source(data)
    for _ in range(_ROUNDS):
        outcome = check(source.data)
        errors = outcome.findings()
        if outcome.fatal:
            raise CannotError(errors[0])
        plan = Plan(source.data, is_fragment=is_fragment)
        if not _plan(plan, errors, limits):
            if limits.bytes is None or len(source.data) <= limits.bytes:
                return source.data, source.done
            source.excerpt(limits.bytes, is_fragment=is_fragment)
            continue
        source.take(plan)
    raise RuntimeError("salvage: the rounds do not end")


def _plan(plan: Plan, errors: list[Row], limits: Limits) -> bool:
    """Plans one round. Returns whether there is anything to do."""
    broken = [error for error in errors if CODES[error[0]] not in excess.SIZES]
    for error in broken:
        plan.take(error)
    return bool(broken) or excess.take(plan, limits, errors)


class Source:
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
            self._note(change)
        self.data = data
        self._origins.insert(0, origins)

    def excerpt(self, most: int, *, is_fragment: bool) -> None:
        """The whole is too long."""
        finding = (CODES.index("limit-bytes"), most, "", None, ("bytes", most, most + 1))
        budgets = (("max_bytes", most), ("max_elements", None), ("max_blob_bytes", None))
        try:
            data, origins, gone = excerpts.excerpt(self.data, (), budgets, is_fragment=is_fragment)
        except excerpts.TooSmallError:
            raise CannotError(finding) from None
        for one in gone:
            change = Change(finding, REMOVED, one.at, one.end)
            change.elements, change.blocks = one.elements, one.blocks
            self._note(change)
        self.data = data
        self._origins.insert(0, origins)

    def _note(self, change: Change) -> None:
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
