# ruff: noqa: SLF001 -- the validator's own parts are asked: see below
"""Facade: an answer with its faults mended, as far as that can be done.

Comes in: a validator and an answer. Goes out: `Fixed`. Fixes look at every finding, not at the
first hundred, so the validator's engine is asked for a checker that keeps all. A parsed object is
mended as its compact JSON; what JSON has no type for would be lost in it, and is refused.
"""

from __future__ import annotations

from elementguard._finding import Finding, shown_pointer
from elementguard._taken import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Never

    from elementguard._python.rounds import Done
    from elementguard._report import Report
    from elementguard._validator import Validator


class Fix:
    """One fix that was made. Immutable.

    Attributes:
        finding: what it fixes; its places are the input's.
        pointer: what was changed, in the input (JSON Pointer).
        offset: where it began in the input, in bytes; of a member at its name.
        bytes: how long it was there.
        done: `"removed"`, `"replaced"`, `"added"` or `"lifted"` (an element whose children now
            stand in its place).

    Section:
        The finding's.

    Example:
        >>> import elementguard as eg
        >>> eg.fix('{"id":"n","role":"Group","title":" "}', kind="element").applied
        (<Fix removed /title (blank-title)>,)
    """

    __slots__ = ("bytes", "done", "finding", "offset", "pointer")

    bytes: int
    done: str
    finding: Finding
    offset: int
    pointer: str

    def __init__(self, done: Done, rank: int) -> None:
        store = object.__setattr__
        for name in ("bytes", "done", "offset", "pointer"):
            store(self, name, getattr(done, name))
        store(self, "finding", Finding(done.finding, rank))

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError("a Fix is immutable")

    def __repr__(self) -> str:
        return f"<Fix {self.done} {shown_pointer(self.pointer)} ({self.finding.code})>"


class Fixed:
    """An answer with its fixes. Immutable.

    Attributes:
        data: its bytes; only those concerned were written.
        applied: every fix, in the order of rounds, and in each in document order.
        report: the report of `data`: what could not be fixed is in it.

    Section:
        Elements 0.2.0, all of section 5.

    Example:
        >>> import elementguard as eg
        >>> eg.fix('{"id":"n","role":"Group"}', kind="element")
        <Fixed: 0 fixes; no findings>
    """

    __slots__ = ("applied", "data", "report")

    applied: tuple[Fix, ...]
    data: bytes
    report: Report

    def __init__(self, data: bytes, applied: tuple[Fix, ...], report: Report) -> None:
        store = object.__setattr__
        store(self, "data", data)
        store(self, "applied", applied)
        store(self, "report", report)

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError("a Fixed is immutable")

    def __repr__(self) -> str:
        count = len(self.applied)
        return f"<Fixed: {count} {'fix' if count == 1 else 'fixes'}; {self.report}>"


def fix(validator: Validator, data: object, *, unsafe: bool) -> Fixed:
    """An answer with its faults mended: see `Validator.fix`."""
    if not isinstance(unsafe, bool):
        raise TypeError(f"unsafe: true or false is needed, not {type(unsafe).__name__}")
    levels = validator._levels
    bounds = validator.limits.replace(findings=None)
    checker = validator._core.Checker(bounds._values, levels, validator.kind)
    source, *strays = text_of(data, checker.check)
    for _, _, pointer, _, params in (row for rows in strays for row in rows):
        place = shown_pointer(pointer)
        raise TypeError(f"data: JSON has no type for the {params[-1]} at {place}: nothing fixes it")
    from elementguard._python import fix as room

    is_fragment = validator.kind == "element"
    made, done = room.fix(source, checker.check, unsafe=unsafe, is_fragment=is_fragment)
    applied = tuple(Fix(one, levels[one.finding[0]]) for one in done)
    return Fixed(made, applied, validator.check(made))
