"""Facade: parsed objects as compact JSON.

Comes in: a parsed object of which the report is known. Goes out: its compact UTF-8 JSON, which is
what a loaded answer holds; the engines count offsets and sizes in it (contract, section 6).

The standard library's encoder writes what is plain. What it does not know (mappings that are no
dict), cannot nest so deeply, or would write otherwise than the contract reads it (names that are no
string) is written here, with a stack of its own.

What JSON has no type for (a set, a NaN, an object that holds itself) is left out, or `null` is
written for it and its place is told: then nothing behind it moves, and who takes it out can say so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from json.encoder import encode_basestring
from math import isfinite
from typing import cast

from elementguard._python.pointer import text as pointer_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from elementguard._python.pointer import Place

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)
_SURROGATES = re.compile("[\ud800-\udfff]")
_NOTHING = object()
# Python refuses to write out longer ints than a process allows, of which 640 digits is the least.
_DIGITS_AT_ONCE = 600
_AT_ONCE = 10**_DIGITS_AT_ONCE


def compact(value: object, *, is_json: bool) -> bytes:
    """The compact JSON of a value.

    Args:
        value: the parsed object.
        is_json: whether nothing in it is of a type that JSON has not.

    Returns:
        Its UTF-8; a lone surrogate is escaped. What JSON has no type for is left out.
    """
    if is_json:
        try:
            return _utf8(_ENCODER.encode(value))
        except (RecursionError, TypeError, ValueError):
            pass  # written below
    return _utf8("".join(_pieces(value)))


_HERE = -1  # what comes next


class Stray:
    """What JSON has no word for.

    Attributes:
        pointer: its place; of a name that is no string the object's that has it.
        offset: where `null` stands for it; of a name `None`.
        found: its type.
    """

    __slots__ = ("found", "offset", "pointer")

    def __init__(self, pointer: str, offset: int | None, found: str) -> None:
        self.pointer, self.offset, self.found = pointer, offset, found


def with_nulls(value: object) -> tuple[bytes, list[Stray]]:
    """The compact JSON of a value, with `null` for each value that JSON has no type for.

    A member whose name is no string is left out.
    """
    strays: list[Stray] = []
    parts, at = [], 0
    for piece in _pieces(value, strays):
        part = _utf8(piece)
        if strays and strays[-1].offset == _HERE:
            strays[-1].offset = at
        parts.append(part)
        at += len(part)
    return b"".join(parts), strays


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATES.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode()


def _pieces(value: object, strays: list[Stray] | None = None) -> Iterator[str]:
    """The text, token by token; what has none is left out, or told and written as `null`."""
    levels: list[_Level] = []
    opened: set[int] = set()  # a container that is open already has no text
    yield from _written(value, None, levels, opened, strays)
    while levels:
        level = levels[-1]
        item = next(level.items, _NOTHING)
        if item is _NOTHING:
            yield level.closing
            opened.remove(level.identity)
            levels.pop()
            continue
        step, inner = level.step(item)
        if step is None:
            if strays is not None:
                strays.append(Stray(pointer_of(level.place), None, type(item[0]).__name__))  # type: ignore[index]  # a pair
            continue
        if strays is None and not _has_text(inner, opened):
            continue
        yield level.comma()
        if isinstance(step, str):
            yield f"{encode_basestring(step)}:"
        yield from _written(inner, (level.place, step), levels, opened, strays)


def _written(
    value: object,
    place: Place,
    levels: list[_Level],
    opened: set[int],
    strays: list[Stray] | None,
) -> Iterator[str]:
    """A value's first token; a container is opened."""
    scalar = _scalar(value)
    if scalar is not None:
        yield scalar
    elif _has_text(value, opened):
        level = _Level(value, place)
        opened.add(level.identity)
        levels.append(level)
        yield level.opening
    else:
        if strays is not None:
            strays.append(Stray(pointer_of(place), _HERE, type(value).__name__))
        yield "null"


def _has_text(value: object, opened: set[int]) -> bool:
    is_container = isinstance(value, (list, tuple, Mapping)) and id(value) not in opened
    return is_container or _scalar(value) is not None


class _Level:
    """An open object or array."""

    __slots__ = ("_count", "_filled", "closing", "identity", "items", "opening", "place")

    def __init__(self, value: object, place: Place) -> None:
        self._filled = False
        self._count = -1
        self.place, self.identity = place, id(value)
        if isinstance(value, Mapping):
            self.opening, self.closing, self.items = "{", "}", iter(value.items())
        else:
            self.opening, self.closing, self.items = "[", "]", iter(value)  # type: ignore[call-overload]  # a list

    def step(self, item: object) -> tuple[str | int | None, object]:
        """The name of a member or the number of an item, and its value; `None` of no string."""
        if self.closing == "]":
            self._count += 1
            return self._count, item
        name, value = cast("tuple[object, object]", item)
        return (str.__str__(name) if isinstance(name, str) else None), value

    def comma(self) -> str:
        before, self._filled = self._filled, True
        return "," if before else ""


def _scalar(value: object) -> str | None:
    """The text of a value that holds no others."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return encode_basestring(str.__str__(value))
    if isinstance(value, int):
        return _digits(int.__int__(value))
    if isinstance(value, float) and isfinite(value):
        return float.__repr__(value)
    return None


def _digits(value: int) -> str:
    rest, parts = abs(value), []
    while rest >= _AT_ONCE:
        rest, part = divmod(rest, _AT_ONCE)
        parts.append(f"{part:0{_DIGITS_AT_ONCE}d}")
    parts.append(str(rest))
    return ("-" if value < 0 else "") + "".join(reversed(parts))
