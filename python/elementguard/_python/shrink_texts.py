"""Room: texts that tell nothing.

In: a search. Out: the same with the texts of its answer replaced: strings, numbers and names of
members, all but the specification's own words. The same text becomes the same placeholder, a letter
and perhaps a number, so that ids still lead where they led. What a placeholder would not do for is
cut at its ends, then anywhere, and of what is left each letter becomes an x and each digit a 0,
where that will do.
"""

from __future__ import annotations

import re
from itertools import count
from string import ascii_lowercase

from elementguard._python.edits import Edits
from elementguard._python.fewer import fewest, least
from elementguard._python.pieces import Pieces
from elementguard._python.rules import shape, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from elementguard._python.fewer import Search

_LONG = 256  # characters; longer texts are cut at their ends alone
_PLACEHOLDER = re.compile(rb'"[a-z]\d*"|0')
_UNIT = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|\\u[0-9a-fA-F]{4}|\\.|[\xc0-\xff][\x80-\xbf]*|.",
    re.DOTALL,
)
_SHAPES = (
    *(shape.ANSWER, shape.ELEMENT, shape.BLOCK, shape.CONTENTS, shape.ICON, shape.ANNOTATIONS),
    *(shape.ATTRIBUTES, shape.RELATED, shape.BLOCK_TYPES),
)
_WORDS = frozenset(
    f'"{word}"'.encode()
    for word in (
        *(name for one in _SHAPES for name in one),
        *shape.ROLES,
        *(media for _, known in words.MEDIA for media in known),
        *("0.2.0", "light", "dark", "user", "assistant"),
    )
) | {b"true", b"false", b"null"}


def replace(search: Search) -> None:
    """Placeholders, wherever they will do; those that are there are named anew, in order."""
    found = _texts(search.pieces)
    names = _placeholders()
    instead = {raw: next(names) if raw[:1] == b'"' else b"0" for raw in found}
    instead = {raw: new for raw, new in instead.items() if len(new) <= len(raw) and new != raw}

    def will_do(stay: list[bytes]) -> bool:
        gone = {raw: instead[raw] for raw in instead.keys() - set(stay)}
        return search.take(_written(data, found, gone))

    data = search.data
    fewest(list(instead), will_do)


def shorten(search: Search) -> None:
    """Less of those that no placeholder would do for."""
    for raw in _texts(search.pieces):
        if not _PLACEHOLDER.fullmatch(raw):
            _Text(search, raw).shorten()


def kept(data: bytes) -> dict[bytes, list[tuple[int, int]]]:
    """The texts that may still tell something."""
    return {
        raw: spans
        for raw, spans in _texts(Pieces(data)).items()
        if not _PLACEHOLDER.fullmatch(raw) and any(map(_mask, _UNIT.findall(raw)))
    }


def _texts(pieces: Pieces) -> dict[bytes, list[tuple[int, int]]]:
    """Where each text stands that is no word of the specification, by how it is written."""
    found: dict[bytes, list[tuple[int, int]]] = {}
    for row in range(1, len(pieces)):
        spans = [(pieces.item[row], pieces.named[row])] if pieces.name(row) else []
        if not pieces.is_open(row):
            spans.append((pieces.start[row], pieces.end[row]))
        for start, end in spans:
            raw = pieces.data[start:end]
            if raw not in _WORDS:
                found.setdefault(raw, []).append((start, end))
    return found


def _placeholders() -> Iterator[bytes]:
    for number in count():
        for letter in ascii_lowercase:
            yield f'"{letter}{number or ""}"'.encode()


def _written(
    data: bytes, found: dict[bytes, list[tuple[int, int]]], instead: dict[bytes, bytes]
) -> bytes:
    edits = Edits()
    for raw, new in instead.items():
        for start, end in found[raw]:
            edits.put(start, end, new)
    return edits.apply(data)[0]


class _Text:
    """One text, and all its places."""

    def __init__(self, search: Search, raw: bytes) -> None:
        self._search, self._data = search, search.data
        self._raw, self._found = raw, _texts(search.pieces)
        opens, closes = raw[:1] == b'"', len(raw) > 1 and raw[-1:] == b'"'
        self._ends = b'"' * opens, b'"' * (opens and closes)
        self._units: list[bytes] = _UNIT.findall(raw[opens : len(raw) - (opens and closes)])

    def shorten(self) -> None:
        if self._raw not in self._found:
            return  # it stood where another text did
        units = self._units
        self._units = units[: least(len(units), lambda size: self._will_do(units[:size]))]
        rest = self._units
        size = least(len(rest), lambda size: self._will_do(rest[len(rest) - size :]))
        self._units = rest[len(rest) - size :]
        if len(self._units) <= _LONG:
            self._units = fewest(self._units, self._will_do)
        self._hide()

    def _hide(self) -> None:
        """A mask for each character that tells something."""
        units = self._units
        telling = [at for at, unit in enumerate(units) if _mask(unit)]
        fewest(telling, lambda stay: self._will_do(_masked(units, set(stay))))

    def _will_do(self, units: list[bytes]) -> bool:
        begin, end = self._ends
        instead = {self._raw: begin + b"".join(units) + end}
        return self._search.take(_written(self._data, self._found, instead))


def _masked(units: list[bytes], stay: set[int]) -> list[bytes]:
    return [unit if at in stay else _mask(unit) or unit for at, unit in enumerate(units)]


def _mask(unit: bytes) -> bytes | None:
    """What hides a character; None if it tells nothing."""
    if unit[:2] == b"\\u" and len(unit) > 2:
        character = chr(int(unit[2:6], 16))
    else:
        character = unit.decode(errors="replace")
    if unit in (b"x", b"0") or not (character.isalnum() or len(unit) == 12):
        return None
    return b"0" if character.isdigit() else b"x"
