"""The marked text of a conformance vector: what its source says, turned into bytes and places.

Comes in: text with marks in guillemets. Goes out: the bytes of the input, and the offset of each
named place. Marks, so that nobody counts bytes by hand and odd bytes stay readable:

    «1» «a»                a place: the offset of what follows; any letters and digits
    «=E2 82»               these bytes
    «×1024 [»              this text so many times
    «base64 89 'PNG' 00×4» the base64 of these bytes: hex, 'ASCII', or hex so many times
"""

from __future__ import annotations

import base64
import re

_MARK = re.compile("«([^»]*)»")
_PLACE = re.compile("[a-z0-9]+")
_PIECE = re.compile(r"'([^']*)'|([0-9A-F]{2})+(×\d+)?| ")


def unmark(text: str) -> tuple[bytes, dict[str, int]]:
    """The bytes that a marked text stands for, and the offset of each place in it."""
    out = bytearray()
    places: dict[str, int] = {}
    for number, part in enumerate(_MARK.split(text)):
        if number % 2 == 0:
            out += part.encode()
        elif _PLACE.fullmatch(part):
            if part in places:
                raise ValueError(f"the place «{part}» is named twice")
            places[part] = len(out)
        else:
            out += _bytes(part)
    return bytes(out), places


def _bytes(mark: str) -> bytes:
    if mark.startswith("="):
        return bytes.fromhex(mark[1:])
    if mark.startswith("×"):
        count, text = mark[1:].split(" ", 1)
        return text.encode() * int(count)
    if mark.startswith("base64 "):
        return base64.b64encode(_pieces(mark.removeprefix("base64 ")))
    raise ValueError(f"no such mark: «{mark}»")


def _pieces(text: str) -> bytes:
    """The bytes of hex, 'ASCII' and hex×N, with blanks between."""
    out = bytearray()
    at = 0
    while at < len(text):
        match = _PIECE.match(text, at)
        if match is None:
            raise ValueError(f"neither hex nor 'text': {text[at:]}")
        out += _piece(match)
        at = match.end()
    return bytes(out)


def _piece(match: re.Match[str]) -> bytes:
    whole, quoted, times = match.group(), match.group(1), match.group(3)
    if quoted is not None:
        return quoted.encode("ascii")
    if times is not None:
        return bytes.fromhex(whole.removesuffix(times)) * int(times[1:])
    return bytes.fromhex(whole)
