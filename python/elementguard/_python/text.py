"""Room: what the characters of a text say.

In: a whole text as Python holds it, lone surrogates included. Out: yes or no, and the form in
which reports quote a word. Contract: sections 1 and 2 and the white space of `words.md`.

Every class is spelled out by code point: Python's own `isspace` and `isprintable` follow another
list and another Unicode version.
"""

from __future__ import annotations

import re

WHITE = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_DIRECTIONS = "\u202a-\u202e\u2066-\u2069"
_BREAKS = "\n-\r\x85\u2028\u2029"

_LINE_BREAK = re.compile(f"[{_BREAKS}]")
_INK = re.compile(f"[^{WHITE}]")
_CONTROL = re.compile(f"[\0-\x1f\x7f-\x9f{_DIRECTIONS}]")
_CONTROL_BUT_BREAKS = re.compile(f"[\0-\t\x0e-\x1f\x7f-\x84\x86-\x9f{_DIRECTIONS}]")
_DISGUISE = re.compile(
    f"[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029{_DIRECTIONS}\ud800-\udfff]"
)
QUOTED = 64


def has_line_break(text: str) -> bool:
    """Whether a line ends in the text (`multiline-title`)."""
    return _LINE_BREAK.search(text) is not None


def is_blank(text: str) -> bool:
    """Whether the text is empty or Unicode white space alone (`blank-title`)."""
    return _INK.search(text) is None


def has_control(text: str) -> bool:
    """Whether the text has a control, or turns the direction of reading."""
    return _CONTROL.search(text) is not None


def has_control_but_breaks(text: str) -> bool:
    """The same of a title, whose line breaks have a rule of their own."""
    return _CONTROL_BUT_BREAKS.search(text) is not None


def quote(word: str) -> str:
    """A word as reports show it: its first 64 characters, then escaped what could deceive."""
    return _DISGUISE.sub(_escape, word[:QUOTED])


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
