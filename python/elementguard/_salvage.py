# ruff: noqa: SLF001 -- the validator's own parts are asked: see below
"""Facade: what is good of a broken answer.

Comes in: a validator and an answer. Goes out: `Salvage`, or `SalvageError`. Salvage looks at every
error, not at the first hundred, and past the limits that end a check, so it asks the validator's
engine for a checker of its own: one that knows errors alone. A parsed object is saved as its
compact JSON; what JSON has no type for goes as any value of a wrong type does.
"""

from __future__ import annotations

from elementguard._finding import Finding, shown_pointer
from elementguard._rules import NUMBERS
from elementguard._taken import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Never

    from elementguard._engine import Asking
    from elementguard._python.report import Row
    from elementguard._python.rounds import Done
    from elementguard._report import Report
    from elementguard._validator import Validator

_ERROR = 3
_ENDLESS = {"bytes": None, "nesting": None, "elements": None, "depth": None, "findings": None}


class SalvageError(ValueError):
    """Nothing can be saved: something that is needed would have to be invented. Picklable.

    Attributes:
        finding: what is missing or wrong.

    Section:
        Elements 0.2.0, 5 to 5.4.

    Example:
        >>> import elementguard as eg
        >>> try:
        ...     eg.salvage('{"protocol": "0.2.0", "instance": "k3f9"}')
        ... except eg.SalvageError as error:
        ...     print(error.finding.code, dict(error.finding.params))
        missing-member {'member': 'root'}
    """

    finding: Finding

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding)
        self.finding = finding

    def __str__(self) -> str:
        return f"nothing can be saved: {self.finding}"


class Removal:
    """One thing that was taken out of an answer, or mended. Immutable.

    Attributes:
        finding: why; its places are the input's.
        pointer: what it was, in the input (JSON Pointer).
        offset: where it began in the input, in bytes; of a member at its name.
        bytes: how long it was there: `data[offset:offset + bytes]` is what it was. What an earlier
            removal took out of it lies in it too. Of a parsed object both are of its compact JSON,
            with `null` for what JSON has no type for; of a member whose name is no string, which
            is not in there, the object's offset and 0.
        done: `"removed"`; `"lifted"` (an element whose children now stand in its place);
            `"replaced"` (a role was written instead); `"added"` (a role, or what the children of
            a lifted element had from it).
        elements: how many elements went with it, and are counted in no other removal.
        blocks: how many content blocks.

    Section:
        The finding's.

    Example:
        >>> import elementguard as eg
        >>> saved = eg.salvage('{"id":"n","role":"Group","title":5}', kind="element")
        >>> (one,) = saved.removed
        >>> one.finding.code, one.pointer, one.offset, one.bytes, one.done
        ('wrong-type', '/title', 25, 9, 'removed')
    """

    __slots__ = ("blocks", "bytes", "done", "elements", "finding", "offset", "pointer")

    blocks: int
    bytes: int
    done: str
    elements: int
    finding: Finding
    offset: int
    pointer: str

    def __init__(self, done: Done, rank: int) -> None:
        store = object.__setattr__
        for name in ("blocks", "bytes", "done", "elements", "offset", "pointer"):
            store(self, name, getattr(done, name))
        store(self, "finding", Finding(done.finding, rank))

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError("a Removal is immutable")

    def __repr__(self) -> str:
        counts = f"{_counted(self.elements, 'element')}, {_counted(self.blocks, 'block')}"
        place = shown_pointer(self.pointer)
        return f"<Removal {self.done} {place} ({self.finding.code}): {counts}>"


class Salvage:
    """What is good of a broken answer. Immutable.

    Attributes:
        data: a valid answer, its bytes copied from the input.
        removed: all that was taken out or mended, in the order of rounds, and in each in document
            order. Empty if the input was valid.
        report: the report of `data`; it may have warnings.

    Section:
        Elements 0.2.0, all of section 5.

    Example:
        >>> import elementguard as eg
        >>> eg.salvage('{"id":"n","role":"Group"}', kind="element")
        <Salvage: 25 bytes, nothing removed>
    """

    __slots__ = ("data", "removed", "report")

    data: bytes
    removed: tuple[Removal, ...]
    report: Report

    def __init__(self, data: bytes, removed: tuple[Removal, ...], report: Report) -> None:
        store = object.__setattr__
        store(self, "data", data)
        store(self, "removed", removed)
        store(self, "report", report)

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError("a Salvage is immutable")

    def __repr__(self) -> str:
        told = _counted(len(self.removed), "change") if self.removed else "nothing removed"
        return f"<Salvage: {_counted(len(self.data), 'byte')}, {told}>"


def salvage(validator: Validator, data: object) -> Salvage:
    """What is good of a broken answer: see `Validator.salvage`."""
    bounds = validator.limits.replace(**_ENDLESS)
    levels = validator._levels

    def checker(levels: bytes) -> Asking:
        return validator._core.Checker(bounds._values, levels, validator.kind)

    wrong_type = NUMBERS["wrong-type"]
    only = bytes(_ERROR * (rule == wrong_type) for rule in range(len(levels)))
    source, strays, names = text_of(data, lambda data: checker(only).check(data))
    report = validator.check(source)
    if report.ok and not strays and not names:
        return Salvage(source, (), report)
    from elementguard._python import salvage as room
    from elementguard._python.facts import Limits

    errors = checker(bytes(level if level == _ERROR else 0 for level in levels))
    limits = Limits(validator.limits._values)
    is_fragment = validator.kind == "element"
    try:
        made, done = room.salvage(
            source, errors.check, limits, is_fragment=is_fragment, strays=strays
        )
    except room.CannotError as error:
        raise SalvageError(Finding(error.row, _ERROR)) from None
    removed = tuple(Removal(one, _ERROR) for one in [*_nameless(source, names), *done])
    return Salvage(made, removed, validator.check(made))


def _nameless(source: bytes, names: list[Row]) -> Iterator[Done]:
    """Members whose names are no strings: they went before there were bytes."""
    if not names:
        return
    from elementguard._python.places import Places
    from elementguard._python.rounds import Done
    from elementguard._python.salvage_plan import REMOVED, Change

    places = Places(source)
    for row in names:
        at = places.start[places.find(row[2])]
        yield Done(Change(row, REMOVED, at, at), at, at, row[2])


def _counted(count: int, unit: str) -> str:
    return f"{count} {unit}{'' if count == 1 else 's'}"
