"""Facade: parsed objects as compact JSON.

Comes in: a parsed object of which the report is known. Goes out: its compact UTF-8 JSON, which is
what a loaded answer holds; the engines count offsets and sizes in it (contract, section 6).

The standard library's encoder writes what is plain. What it does not know (mappings that are no
dict), cannot nest so deeply, or would write otherwise than the contract reads it (names that are no
string) is written here, with a stack of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from json.encoder import encode_basestring
from math import isfinite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

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


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATES.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode()


def _pieces(value: object) -> Iterator[str]:
    """The text, token by token."""
    yield _scalar(value) or _opening(value)
    levels = [_Level(value)] if _is_container(value) else []
    while levels:
        level = levels[-1]
        item = next(level.items, _NOTHING)
        if item is _NOTHING:
            yield level.closing
            levels.pop()
            continue
        inner = item[1] if level.closing == "}" else item  # type: ignore[index]  # a pair
        scalar = _scalar(inner)
        if scalar is None and not _is_container(inner):
            continue
        if level.closing == "}":
            name = item[0]  # type: ignore[index]  # a pair
            if not isinstance(name, str):
                continue
            yield f"{level.comma()}{encode_basestring(str.__str__(name))}:"
        else:
            yield level.comma()
        yield scalar or _opening(inner)
        if scalar is None:
            levels.append(_Level(inner))


class _Level:
    """An open object or array."""

    __slots__ = ("_filled", "closing", "items")

    def __init__(self, value: object) -> None:
        self._filled = False
        if isinstance(value, Mapping):
            self.closing, self.items = "}", iter(value.items())
        else:
            self.closing, self.items = "]", iter(value)  # type: ignore[call-overload]  # a list

    def comma(self) -> str:
        before, self._filled = self._filled, True
        return "," if before else ""


def _is_container(value: object) -> bool:
    return isinstance(value, (list, tuple, Mapping))


def _opening(value: object) -> str:
    return "{" if isinstance(value, Mapping) else "["


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
