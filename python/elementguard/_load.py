# ruff: noqa: SLF001 -- a report is filled here, and the validator asked by its parts
"""Facade: an answer is validated and kept.

Comes in: an answer in any of its forms. Goes out: an `Answer` over bytes of its own, or a
`ValidationError`. What can change is copied first, so that report, index and bytes are of one
state; parsed objects are walked once, and written as the compact JSON that the walk counted.
"""

from __future__ import annotations

import sys

from elementguard._answer import index_of, made
from elementguard._compact import compact
from elementguard._errors import ValidationError
from elementguard._report import Report, filled
from elementguard._rules import NUMBERS
from elementguard._stream import Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from elementguard._answer import Answer
    from elementguard._engine import Index, Outcome
    from elementguard._validator import Validator

_ERROR = 3


def loaded(validator: Validator, data: object, provider: object) -> Answer:
    """What `Validator.load` does."""
    if provider is not None and not isinstance(provider, str):
        raise TypeError(f"provider: a str or None is needed, not {type(provider).__name__}")
    report, source, index = taken(validator, data, faulty=False)
    if index is None:
        raise ValidationError(report)
    return made(source, index, report, validator.kind, provider)


def taken(
    validator: Validator, data: object, *, faulty: bool
) -> tuple[Report, bytes, Index | None]:
    """The report of an answer, its bytes, and its index unless it has an error.

    Args:
        validator: what to ask of it.
        data: the answer in any form.
        faulty: whether one with errors is wanted as well, if none of them is fatal.
    """
    refuse_sources(data)
    source = held(data, validator.limits.bytes)
    if source is None and is_text(data):  # longer than allowed: nothing of it is copied
        outcome, index = validator._checker.load(data, faulty=faulty)
        source = b""
    else:
        outcome, index = validator._checker.load(data if source is None else source, faulty=faulty)
    report = filled(outcome, validator._levels)
    if source is None:
        source = b""
        if index is not None:
            source, index = _written(validator, data, outcome, index)
    return report, source, index


def _written(
    validator: Validator, data: object, outcome: Outcome, index: Index
) -> tuple[bytes, Index]:
    """The bytes of a parsed object and an index of them."""
    rule = NUMBERS["wrong-type"]
    is_json = validator._levels[rule] == _ERROR and rule not in dict(outcome.counts())
    source = compact(data, is_json=is_json)
    summary = outcome.summary()
    if summary is None or summary[0] != len(source):
        # Values that JSON has no type for count nothing where they are walked over, and are left
        # out with their names and commas where they are written: if anything was, it is shorter.
        index = index_of(source, validator.kind)
    return source, index


def held(data: object, most: int | None) -> bytes | None:
    """Bytes that nobody can change; `None` of a parsed object, and of more than is allowed."""
    if type(data) is bytes:
        return data
    if isinstance(data, str):
        return str.encode(data, "utf-8", "surrogatepass")
    if not is_text(data):
        return None
    with memoryview(data) as view:  # type: ignore[arg-type]  # one of those below
        if view.format not in ("B", "b", "c"):
            found = view.format
            raise TypeError(f"data: a memoryview of bytes is needed, not of format {found!r}")
        if not view.c_contiguous:
            raise ValueError("data: the memoryview is not contiguous")
        return None if most is not None and view.nbytes > most else view.tobytes()


def is_text(data: object) -> bool:
    """Whether the data is a text, and not a parsed object."""
    if isinstance(data, (str, bytes, bytearray, memoryview)):
        return True
    # Where nobody imported the module there is no mapped file.
    mapped = sys.modules.get("mmap")
    return mapped is not None and isinstance(data, mapped.mmap)


def refuse_sources(data: object) -> None:
    """What gives an answer's bytes is none: an engine would take it for a parsed object."""
    if isinstance(data, Stream):
        raise TypeError("data: a Stream keeps no bytes; the whole answer is needed")
    gives = hasattr(type(data), "read") or hasattr(type(data), "__next__")
    if gives and not is_text(data):
        kind = type(data).__name__
        raise TypeError(f"data: the whole answer is needed, not a {kind} that gives it")
