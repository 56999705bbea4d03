"""Room: parsed Python objects to tokens of JSON.

In: what an MCP client hands over: dict, list, tuple, str, int, float, bool, None, their
subclasses, other Mappings. Out: the reader's calls, as the lexer would make them for the compact
JSON of the same value. Contract, section 6.

Every token has the offset that it would have in that text. Nobody sees it, but it puts findings
in order and makes sizes and limits those of the text. A container that is held in several places
is read as often as it would be written, hence the limit where the caller sets none.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from elementguard._python import number
from elementguard._python.rules import limits
from elementguard._python.text import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from elementguard._python.reader import Reader

DEFAULT_BYTES = 2**31
_MOST_DIGITS = 4_300
_TOO_LONG = 10**_MOST_DIGITS
# Python refuses to write out longer ints than a process allows, of which 640 digits is the least.
_DIGITS_AT_ONCE = 600  # mutants: some more or less are no matter
_AT_ONCE = 10**_DIGITS_AT_ONCE
_NOT_FINITE = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
_SHORT = re.compile(r'["\\\b\f\n\r\t]')
_CONTROLS = re.compile("[\0-\x07\x0b\x0e-\x1f]")
_SURROGATES = re.compile("([\ud800-\udfff])")
_END = object()


class _Level:
    """An open container."""

    __slots__ = ("container", "is_empty", "is_object", "items")

    def __init__(self, container: object, items: Iterator[Any], *, is_object: bool) -> None:
        # Held, so that no other container can have its identity while it is open.
        self.container = container
        self.items = items
        self.is_object = is_object
        self.is_empty = True


class Walk:
    """The tokens of one value."""

    def __init__(self, reader: Reader, most_bytes: int | None) -> None:
        self._reader = reader
        self._most = DEFAULT_BYTES if most_bytes is None else most_bytes
        self._at = 0
        self._levels: list[_Level] = []
        self._open: set[int] = set()

    def run(self, value: object) -> int:
        """Walks the whole value. Returns how many bytes its compact JSON has."""
        self._value(value)
        while self._levels:
            level = self._levels[-1]
            item = next(level.items, _END)
            if item is _END:
                self._close(level)
            elif level.is_object:
                self._member(level, item)
            else:
                self._comma(level)
                self._value(item)
        return self._at

    def _value(self, value: object) -> None:
        if value is None:
            self._literal(4, "null")
        elif isinstance(value, bool):
            self._literal(4 if value else 5, "boolean", value=value)
        elif isinstance(value, str):
            self._string(str.__str__(value), is_name=False)
        elif isinstance(value, (int, float)):
            self._number(value)
        elif isinstance(value, (dict, list, tuple, Mapping)) and id(value) not in self._open:
            self._container(value)
        else:
            self._reader.alien(self._at, quote(type(value).__name__))

    def _literal(
        self,
        size: int,
        kind: str,
        *,
        value: bool = False,  # mutants: null has none
    ) -> None:
        at = self._spend(size)
        self._reader.literal(at, kind, value=value)

    def _number(self, value: float) -> None:
        text = _digits(int.__int__(value)) if isinstance(value, int) else _repr(value)
        if text is None:
            is_int = isinstance(value, int)
            found = type(value).__name__ if is_int else _NOT_FINITE[float.__repr__(value)]
            self._reader.alien(self._at, quote(found))
            return
        at = self._spend(len(text))
        self._reader.number(at, number.from_text(text))

    def _string(self, text: str, *, is_name: bool) -> None:
        at = self._spend(2 + _compact_bytes(text))
        reader = self._reader
        pieces = _SURROGATES.split(text)
        if len(pieces) > 1:  # mutants: whole strings in pieces would be slower, no more
            reader.begin_string(at, is_name=is_name)
            self._pieces(pieces)
            reader.end_string()
        elif is_name:
            reader.name(at, text)
        else:
            reader.string(at, text)

    def _pieces(self, pieces: list[str]) -> None:
        """Texts and between them surrogates, of which every one is lone.

        Findings have no offsets here: it is enough that they come behind those of the string.
        """
        for number_of, piece in enumerate(pieces):
            if number_of % 2:
                self._reader.lone_surrogate(self._at, piece)
            else:
                self._reader.piece(piece)

    def _container(self, value: Mapping[object, object] | list[object] | tuple[object]) -> None:
        is_object = isinstance(value, Mapping)
        items: Iterator[Any]
        if isinstance(value, Mapping):
            items = iter(value.items())
        elif isinstance(value, list):
            items = list.__iter__(value)  # what a subclass says of itself is not asked
        else:
            items = tuple.__iter__(value)
        at = self._spend(1)
        self._reader.begin(at, "object" if is_object else "array")
        self._levels.append(_Level(value, items, is_object=is_object))
        self._open.add(id(value))

    def _member(self, level: _Level, item: Any) -> None:
        key, value = item
        if not isinstance(key, str):
            self._reader.alien_name(quote(type(key).__name__))
            return
        self._comma(level)
        self._string(str.__str__(key), is_name=True)
        self._spend(1)
        self._value(value)

    def _comma(self, level: _Level) -> None:
        if not level.is_empty:
            self._spend(1)
        level.is_empty = False

    def _close(self, level: _Level) -> None:
        self._spend(1)
        self._reader.end(self._at)
        self._open.discard(id(level.container))
        self._levels.pop()

    def _spend(self, size: int) -> int:
        """Counts a token's bytes. Returns where it begins."""
        at = self._at
        if at + size > self._most:
            raise limits.too_many_bytes(self._most)
        self._at = at + size
        return at


def _compact_bytes(text: str) -> int:
    """How many bytes the text has in compact JSON, without its quotes."""
    size = len(text.encode(errors="surrogatepass"))
    # A surrogate takes three bytes here and six there; other long escapes stand for one byte.
    short, controls = len(_SHORT.findall(text)), len(_CONTROLS.findall(text))
    return size + short + 5 * controls + 3 * len(_SURROGATES.findall(text))


def _repr(value: float) -> str | None:
    """What Python writes for a float, if JSON has it."""
    return float.__repr__(value) if math.isfinite(value) else None


def _digits(value: int) -> str | None:
    """What Python writes for an int of at most 4,300 digits."""
    rest = abs(value)
    if rest >= _TOO_LONG:
        return None
    parts = []
    while rest >= _AT_ONCE:  # mutants: one digit more at once is no matter
        rest, part = divmod(rest, _AT_ONCE)
        parts.append(f"{part:0{_DIGITS_AT_ONCE}d}")
    parts.append(str(rest))
    sign = "-" if value < 0 else ""
    return sign + "".join(reversed(parts))
