"""Room: a block's binary data while it is read.

In: the unescaped text of one string, in pieces. Out: why it is no base64 (RFC 4648, section 4),
or its decoded length, whether unused bits are set, and its first 64 KiB. Contract:
`malformed-base64`, `loose-base64`, `blob_bytes`.

A character belongs as long as some text behind it could still make the whole right.

The first character that does not belong decides the reason; from there on nothing is looked at.
"""

from __future__ import annotations

import binascii
import re

# The first bytes of which pictures are judged, and how many letters make them.
HEAD_BYTES = 65_536
_HEAD_LETTERS = -(-HEAD_BYTES // 3) * 4  # mutants: more would take memory, no more
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_LETTERS = re.compile(r"[A-Za-z0-9+/]+")  # mutants: letter by letter would be slower, no more
_DATA_URI = "data:"
# By the letters of the last group: how many `=` it needs, and which bits of its last letter no
# byte takes up. Behind one letter no `=` helps.
_NEEDED = {2: 2, 3: 1}
_UNUSED_BITS = {2: 0b1111, 3: 0b11}


class Payload:
    """One `data` or `blob`."""

    __slots__ = ("_head", "_last", "_letters", "_pads", "_room", "_start", "reason")

    def __init__(self) -> None:
        self.reason: str | None = None
        self._letters = 0
        self._pads = 0
        self._last = ""  # mutants: asked for behind a letter alone, which sets it
        self._start = ""
        self._head: list[str] = []
        self._room = _HEAD_LETTERS

    def piece(self, text: str) -> None:
        """The next piece of the text."""
        self._start += text[: len(_DATA_URI) - len(self._start)]
        at = 0
        while at < len(text) and self.reason is None:
            if run := _LETTERS.match(text, at):
                self._take(run[0])
                at = run.end()
            else:
                self.reason = self._judge(text[at])
                at += 1

    def end(self) -> None:
        """The text is over."""
        if self.reason is not None:
            return
        if self._letters % 4 == 1:
            self.reason = "length"
        elif (self._letters + self._pads) % 4:
            self.reason = "padding"

    def is_loose(self) -> bool:
        """Whether the last letter has bits that no byte takes up. Of well-formed text alone."""
        unused = _UNUSED_BITS.get(self._letters % 4, 0)
        return bool(unused and _ALPHABET.index(self._last) & unused)

    def decoded_bytes(self) -> int:
        """How many bytes the text stands for: 0 if it is malformed."""
        return 0 if self.reason is not None else self._letters * 3 // 4

    def head(self) -> bytes:
        """The first 64 KiB of the decoded bytes: none if the text is malformed."""
        if self.reason is not None:
            return b""
        letters = "".join(self._head)
        padded = letters + "=" * (-len(letters) % 4)
        return binascii.a2b_base64(padded)[:HEAD_BYTES]

    def _take(self, letters: str) -> None:
        if self._pads:
            self.reason = "padding"
        self._letters += len(letters)
        self._last = letters[-1]
        if self._room:  # mutants: saves memory, no more
            self._head.append(letters[: self._room])
            self._room -= len(self._head[-1])

    def _judge(self, stray: str) -> str | None:
        """The reason that a character outside the alphabet gives, if any."""
        if stray == "=":
            if self._pads == _NEEDED.get(self._letters % 4, 0):
                return "padding"
            self._pads += 1
            return None
        if self._start == _DATA_URI:
            return "data-uri"
        if stray in "-_":
            return "url-safe-alphabet"
        if stray in " \t\n\v\f\r":
            return "white-space"
        return "other-characters"
