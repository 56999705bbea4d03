"""Room: texts mended in their bytes.

In: a JSON string as it is written, with its quotes. Out: the string without what a rule objects to,
all other characters written as they were; or None where nothing helps.
"""

from __future__ import annotations

import re

from elementguard._python import text as texts
from elementguard._python.base64 import Payload
from elementguard._python.places import text_of, units

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_NOT_OF_IDS = re.compile(r"[^A-Za-z0-9_-]+")
_WHITE = re.compile(r"[ \t\n\v\f\r]+")
_LONGEST_ID = 128


def in_one_line(raw: bytes) -> bytes:
    """A title with one space for each run of line breaks, none at its ends."""
    pieces: list[bytes] = []
    waiting = False
    for unit, character in units(raw):
        if texts.has_line_break(character):
            waiting = True
            continue
        if waiting and pieces:
            pieces.append(b" ")
        waiting = False
        pieces.append(unit)
    return b'"' + b"".join(pieces) + b'"'


def without_controls(raw: bytes, *, line_breaks: bool) -> bytes:
    """A text without controls and what turns its direction; a title's `line_breaks` stay."""
    is_control = texts.has_control_but_breaks if line_breaks else texts.has_control
    kept = (unit for unit, character in units(raw) if not is_control(character))
    return b'"' + b"".join(kept) + b'"'


def strict_base64(raw: bytes) -> bytes:
    """Base64 whose last letter has no unused bits set: the bytes it stands for are the same."""
    pieces = list(units(raw))
    letters = [at for at, (_, letter) in enumerate(pieces) if letter != "="]
    spare = (0, 0, 4, 2)[len(letters) % 4]
    last = letters[-1]
    value = _ALPHABET.index(pieces[last][1]) >> spare << spare
    new = [unit for unit, _ in pieces]
    new[last] = _ALPHABET[value].encode()
    return b'"' + b"".join(new) + b'"'


def readable_base64(raw: bytes) -> bytes | None:
    """Base64 as the standard writes it, of what was meant for it."""
    text = text_of(raw)
    if text.startswith("data:"):
        head, comma, text = text.partition(",")
        if not comma or not head.endswith(";base64"):
            return None
    text = _WHITE.sub("", text).rstrip("=").replace("-", "+").replace("_", "/")
    text += "=" * (-len(text) % 4)
    payload = Payload()
    payload.piece(text)
    payload.end()
    return None if payload.reason else b'"' + text.encode() + b'"'


def well_formed_id(text: str, taken: dict[str, int]) -> str:
    """An id that looks like this one, and is nobody's.

    `taken` has all ids, each with how many have been made of it: a thousand alike are no quest.
    """
    base = _NOT_OF_IDS.sub("-", text)[:_LONGEST_ID] or "element"
    found, count = base, taken.get(base, 0)
    while found in taken:
        count += 1
        end = f"-{count}"
        found = base[: _LONGEST_ID - len(end)] + end
    taken[base] = max(count, 1)
    taken[found] = 1
    return found
