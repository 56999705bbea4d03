"""Room: findings, counted, ordered and capped; and the outcome of one check.

In: findings in any order of offsets. Out: all of them counted by rule, and the first
`limits.findings` in document order. Contract: section 1.

Rules may speak late of places that came early, so what is kept lies in a heap, the last in
document order on top. A finding holds no text but its parameters: pointers are links (`pointer`)
and its element is a record whose id may still come; both are written out when they are read.
"""

from __future__ import annotations

import heapq
from itertools import count

from elementguard._python import pointer
from elementguard._python.rules import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from elementguard._python.facts import Summary
    from elementguard._python.pointer import Place

    # number of the rule, offset, pointer, id of the element, the parameters in the card's order
    Row: TypeAlias = tuple[int, int | None, str, str | None, tuple[object, ...]]

    # The parameters of a finding, or what makes them: a suggestion is sought only if it is read.
    Params: TypeAlias = tuple[object, ...] | Callable[[], tuple[object, ...]]

_ERROR = 3


class Element:
    """What findings remember of an element: its own id may be read after them."""

    __slots__ = ("id", "offset", "place")

    def __init__(self, place: Place, offset: int) -> None:
        self.place = place
        self.offset = offset
        self.id: str | None = None


class Fatal(Exception):  # noqa: N818  # no error of this program: an end of the work
    """A finding after which nothing else is claimed."""

    def __init__(
        self, rule: int, offset: int, place: Place = None, params: tuple[object, ...] = ()
    ) -> None:
        self.finding = (rule, offset, place, params)


class Decided(Exception):  # noqa: N818  # no error of this program: an end of the work
    """Raised by the first error where only a yes or no is wanted."""


class Findings:
    """Findings of one answer, or of a part of it that may not count after all.

    Of such a part, `otherwise` has those that count instead.
    """

    def __init__(self, levels: bytes, cap: int | None, *, stop: bool = False) -> None:
        self.levels = levels
        self.cap = cap
        self.otherwise: Findings | None = None
        self.counts: dict[int, int] = {}
        self._stop = stop
        self._turns = count()
        # (-offset, -rule, -turn, place, element, parameters): the least comes last
        # in the document, and the first three decide every comparison.
        self._kept: list[tuple[int, int, int, Place, Element | None, Params]] = []

    def add(
        self,
        rule: int,
        offset: int,
        place: Place,
        element: Element | None,
        params: Params = (),
        *,
        turn: int | None = None,
    ) -> None:
        """Counts a finding, and keeps it if it is among the first.

        `turn`: when it could first have been said, if that was before.
        """
        if self.levels[rule]:
            turn = self.turn() if turn is None else turn
            self._count(rule, 1)
            self._keep((-offset, -rule, -turn, place, element, params))

    def turn(self) -> int:
        """The turn of a finding among those of one rule at one offset."""
        return next(self._turns)

    def add_pending(self, rule: int, pending: Pending | None) -> None:
        """Counts findings that have been waiting."""
        if pending is None:
            return
        for offset, place, element, params in pending:
            self.add(rule, offset, place, element, params)
        if self.levels[rule]:
            self._count(rule, pending.count - pending.kept)

    def add_scratch(self, scratch: Findings) -> None:
        """Takes over what was found in a part that counts."""
        for rule, times in scratch.counts.items():
            self._count(rule, times)
        for found in scratch._kept:
            self._keep(found)

    def scratch(self) -> Findings:
        """A collector for a part of the answer, in one order with this one."""
        scratch, otherwise = Findings(self.levels, self.cap), Findings(self.levels, self.cap)
        scratch._turns = otherwise._turns = self._turns
        scratch.otherwise = otherwise
        return scratch

    @property
    def has_error(self) -> bool:
        """Whether any finding is an error."""
        return any(self.levels[rule] == _ERROR for rule in self.counts)

    def in_order(self) -> Iterator[tuple[int, int, Place, Element | None, Params]]:
        """The kept ones as (rule, offset, place, element, parameters), in document order."""
        for offset, rule, _, place, element, params in sorted(self._kept, reverse=True):
            yield -rule, -offset, place, element, params

    @property
    def kept(self) -> int:
        """How many are kept."""
        return len(self._kept)

    def _count(self, rule: int, times: int) -> None:
        self.counts[rule] = self.counts.get(rule, 0) + times
        if self._stop and self.levels[rule] == _ERROR:
            raise Decided

    def _keep(self, found: tuple[int, int, int, Place, Element | None, Params]) -> None:
        kept = self._kept
        if self.cap is None or len(kept) < self.cap:
            heapq.heappush(kept, found)
        else:
            heapq.heappushpop(kept, found)


class Pending:
    """Findings that wait for a verdict: all counted, the first ones kept, in document order.

    Each kept one links back to the one before, so that two lists are joined by one assignment,
    and dropping the last ones costs no more than adding them did.
    """

    __slots__ = ("_cap", "count", "first", "kept", "last")

    def __init__(self, cap: int | None) -> None:
        self.count = 0
        self.kept = 0
        self._cap = cap
        self.first: _Link | None = None
        self.last: _Link | None = None

    def add(self, offset: int, place: Place, element: Element, params: Params = ()) -> None:
        """One more, which stands behind all others."""
        self.count += 1
        if self._cap is None or self.kept < self._cap:  # mutants: saves memory, no more
            self.last = _Link((offset, place, element, params), self.last)
            self.first = self.first or self.last
            self.kept += 1

    def join(self, later: Pending | None) -> None:
        """Takes over the findings of `later`, which all stand behind these."""
        if later is None:
            return
        self.count += later.count
        if later.first is None:
            return
        later.first.before = self.last
        self.last = later.last
        self.kept += later.kept
        if self._cap is not None:  # mutants: saves memory, no more
            for _ in range(self.kept - self._cap):
                self.last = self.last and self.last.before
                self.kept -= 1

    def __iter__(self) -> Iterator[tuple[int, Place, Element, Params]]:
        """The kept ones, the last first."""
        link = self.last
        while link:
            yield link.found
            link = link.before


def joined(earlier: Pending | None, later: Pending | None) -> Pending | None:
    """Both lists as one; either may be none at all."""
    if earlier is None:
        return later
    earlier.join(later)
    return earlier


class _Link:
    __slots__ = ("before", "found")

    def __init__(self, found: tuple[int, Place, Element, Params], before: _Link | None) -> None:
        self.found = found
        self.before = before


class Outcome:
    """What is said of one answer. Immutable; holds no source."""

    __slots__ = ("_fatal", "_findings", "_in_objects", "_summary")

    def __init__(
        self, findings: Findings, summary: Summary | None, *, fatal: bool, in_objects: bool
    ) -> None:
        self._findings = findings
        self._summary = summary
        self._fatal = fatal
        self._in_objects = in_objects

    @property
    def ok(self) -> bool:
        """Whether there is no error."""
        return not self._findings.has_error

    @property
    def fatal(self) -> bool:
        """Whether the work ended early."""
        return self._fatal

    @property
    def truncated(self) -> bool:
        """Whether some findings were counted only."""
        return self._findings.kept < sum(self._findings.counts.values())

    def counts(self) -> list[tuple[int, int]]:
        """How many findings each rule has, by rule number."""
        return sorted(self._findings.counts.items())

    def findings(self) -> list[Row]:
        """The kept findings in order. Offsets in parsed objects are of no use: None."""
        return [
            (
                rule,
                None if self._in_objects else offset,
                pointer.text(place),
                element.id if element else None,
                _written(rule, params() if callable(params) else params),
            )
            for rule, offset, place, element, params in self._findings.in_order()
        ]

    def summary(self) -> Summary | None:
        """What the answer is made of; None after a fatal finding."""
        return self._summary


def _written(rule: int, params: tuple[object, ...]) -> tuple[object, ...]:
    """The parameters with the place of `other` as a pointer."""
    names = table.PARAMETERS[rule]
    return tuple(
        pointer.text(value) if name == "other" else value  # type: ignore[arg-type]  # a place
        for name, value in zip(names, params, strict=True)  # mutants: always as many
    )
