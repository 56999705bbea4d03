"""Facade: what stands in an element, found when it is asked for.

Comes in: the bytes of an answer that was read to its end, so they are JSON, and a place in them.
Goes out: where each member's value stands, where each item of an array does; and values, decoded.

The index has only what nearly every host asks. Of the rest an element has a dozen members at most,
and looking over its own bytes is quick: strings are skipped whole, and children by the index.

`orjson` decodes where it is installed, but for what it reads otherwise than Python's `json` does:
integers of more than 64 bits, numbers beyond a double. No decoder that calls itself is asked about
what is nested deeply: that is read by `_read`, which keeps its own stack.
"""

from __future__ import annotations

import json
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Span = tuple[int, int]

_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"')
_SCALAR = re.compile(rb"[^,\]}\s]++")
_NEXT = re.compile(rb"[\s,:]*+")
# A long string is only begun here: its end is found faster than letter by letter.
_BRACKET = re.compile(rb'"(?:[^"\\]{0,64}+")?|[\[\]{}]')
_QUOTE, _BACKSLASH, _OPENING, _CLOSING = ord('"'), ord("\\"), b"[{", b"]}"
_NONE_YET = object()


def _optional_loads() -> Callable[[memoryview], object] | None:
    """What decodes the same, only faster, where it is installed."""
    try:
        import orjson
    except ImportError:
        return None
    loads: Callable[[memoryview], object] = orjson.loads
    return loads


fast_loads = _optional_loads()


def members(
    source: bytes, at: int, skip: Callable[[str, int], int | None] | None = None
) -> Iterator[tuple[str, Span]]:
    """The members of an object.

    Args:
        source: the answer's bytes.
        at: where the object's `{` stands.
        skip: says how far a value may be skipped: given its name and its start, it gives a place in
            the object or array from which on to look for its end, if it knows one.

    Yields:
        Each name, and the start and the end of its value.
    """
    at = behind(source, at + 1)
    while source[at] == _QUOTE:
        end = _end_of_string(source, at)
        name = text(source, at, end)
        start = behind(source, end)
        known = skip(name, start) if skip else None
        end = end_of_value(source, start) if known is None else end_of_rest(source, known)
        yield name, (start, end)
        at = behind(source, end)


def items(source: bytes, at: int) -> Iterator[Span]:
    """The start and the end of each item of an array."""
    at = behind(source, at + 1)
    while source[at] != ord("]"):
        end = end_of_value(source, at)
        yield at, end
        at = behind(source, end)


def behind(source: bytes, at: int) -> int:
    """The place behind commas, colons and white space."""
    found = _NEXT.match(source, at)
    return found.end() if found else at


def end_of_value(source: bytes, at: int) -> int:
    """Where a value ends."""
    first = source[at]
    if first == _QUOTE:
        return _end_of_string(source, at)
    if first in _OPENING:
        return end_of_rest(source, at + 1)
    found = _SCALAR.match(source, at)
    return found.end() if found else at


def text(source: bytes, start: int, end: int) -> str:
    """A string; `start` and `end` are those of its quotation marks."""
    raw = source[start + 1 : end - 1]
    if b"\\" not in raw:
        return raw.decode()
    return str(json.loads(source[start:end]))


def text_at(source: bytes, at: int) -> str:
    """The string that begins at a place."""
    return text(source, at, _end_of_string(source, at))


def decode(source: bytes, start: int, end: int, *, is_plain: bool) -> object:
    """A value as Python's `json` reads it.

    Args:
        source: the answer's bytes.
        start: where the value starts.
        end: where it ends.
        is_plain: whether all numbers are known to be within what receivers read alike.

    Returns:
        The value. An integer of more digits than Python reads comes as a float.
    """
    if is_plain and fast_loads is not None:
        try:
            return fast_loads(memoryview(source)[start:end])
        except json.JSONDecodeError:  # it is nested too deeply for it
            return _read(source, start)
    try:
        return json.loads(source[start:end])
    except (RecursionError, ValueError):  # nested too deeply, or a number of too many digits
        return _read(source, start)


def _end_of_string(source: bytes, at: int) -> int:
    end = source.find(b'"', at + 1)
    if source[end - 1] != _BACKSLASH:
        return end + 1
    found = _STRING.match(source, at)
    return found.end() if found else at


def end_of_rest(source: bytes, at: int) -> int:
    """Where the object or array ends inside of which a place is."""
    depth = 1
    while at < len(source):
        for found in _BRACKET.finditer(source, at):
            start, at = found.span()
            first = source[start]
            if first in _OPENING:
                depth += 1
            elif first in _CLOSING:
                depth -= 1
                if not depth:
                    return at
            elif at == start + 1:
                at = _end_of_string(source, start)
                break
        else:
            break
    return len(source)


def _read(source: bytes, at: int) -> object:
    """A value, however deeply it is nested."""
    open_values: list[dict[str, object] | list[object]] = []
    names: list[str] = []
    while True:
        at = behind(source, at)
        first = source[at]
        value: object = _NONE_YET
        if first in _CLOSING:
            value = open_values.pop()
            at += 1
        else:
            if open_values and isinstance(open_values[-1], dict):
                end = _end_of_string(source, at)
                names.append(text(source, at, end))
                at = behind(source, end)
                first = source[at]
            if first in _OPENING:
                open_values.append({} if first == ord("{") else [])
                at += 1
                continue
            end = end_of_value(source, at)
            value, at = _scalar(source, at, end), end
        if not open_values:
            return value
        around = open_values[-1]
        if isinstance(around, dict):
            around[names.pop()] = value
        else:
            around.append(value)


def _scalar(source: bytes, start: int, end: int) -> object:
    try:
        return json.loads(source[start:end])
    except ValueError:  # Python reads integers of so many digits only
        return float(source[start:end])
