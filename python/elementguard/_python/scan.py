"""Room: bytes and the classes they fall into.

In: a piece of the answer and a place in it. Out: where a run of one class ends, and characters
decoded from UTF-8 (RFC 3629). The lexer asks this room; it knows no grammar.

Strings are never walked byte by byte: compiled expressions find the next byte that matters.
"""

from __future__ import annotations

import re
from codecs import utf_8_decode

_BLANKS = rb"[ \t\n\r]*"
_PLAIN = rb'[^"\\\x00-\x1f]*'  # mutants: whole strings are met to save time, no more

blanks = re.compile(_BLANKS).match
digits = re.compile(rb"[0-9]*").match  # mutants: digit by digit would be slower, no more
# A string without escapes, to its closing quote.
plain_string = re.compile(rb'"(' + _PLAIN + rb')"').match
# A name without escapes, to its value; behind a member with the comma before it.
_NAME = _BLANKS + rb'"(' + _PLAIN + rb')"' + _BLANKS + rb":" + _BLANKS  # mutants: the same
next_name = re.compile(_BLANKS + rb"," + _NAME).match  # mutants: the same
first_name = re.compile(_NAME).match

# What may stand in a string and means itself alone: text, and escapes of all but surrogates.
_ESCAPE = rb'\\(?:["\\/bfnrt]|u(?:[0-9a-cefA-CEF][0-9a-fA-F]|[dD][0-7])[0-9a-fA-F]{2})'
_RUN = rb'(?:[^"\\\x00-\x1f]++|' + _ESCAPE + rb")*+"  # mutants: to give nothing back saves time
string_run = re.compile(_RUN).match
surrogate = re.compile(rb"\\u([dD][89a-fA-F][0-9a-fA-F]{2})").match
escape_so_far = re.compile(rb"\\(?:u[0-9a-fA-F]{0,3})?").match
low_surrogate = re.compile(rb"\\u([dD][c-fC-F][0-9a-fA-F]{2})").match
low_surrogate_so_far = re.compile(rb"(?:\\(?:u(?:[dD](?:[c-fC-F](?:[0-9a-fA-F])?)?)?)?)?").fullmatch

_ESCAPES = re.compile(r"\\(?:u(.{4})|(.))")
_UNESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class EncodingError(ValueError):
    """A sequence of bytes that no UTF-8 text holds; `at`: where it begins in what was decoded."""

    def __init__(self, at: int) -> None:
        self.at = at


def decode(run: bytes, *, more: bool) -> tuple[str, int]:
    """The text of `run` and how many of its bytes that took.

    With `more` to come, a character cut by the end of `run` is left for the next call; without,
    it is no UTF-8, for what follows is known to belong to another character.
    """
    try:
        text, taken = utf_8_decode(run, "strict", not more)
    except UnicodeDecodeError as error:
        raise EncodingError(error.start) from None
    # Of a surrogate, Python would wait for the last byte, though two are enough to know.
    if b"\xed\x9f" < run[taken:] < b"\xee":
        raise EncodingError(taken)
    return text, taken


def unescape(text: str) -> str:
    """The text with what its escapes mean: those of a `string_run`."""
    return _ESCAPES.sub(_meaning, text)


def _meaning(match: re.Match[str]) -> str:
    if match[1]:
        return chr(int(match[1], 16))
    return _UNESCAPED.get(match[2], match[2])


def character(chunk: bytes, at: int) -> str:
    """The character at a place; empty if the chunk ends inside it."""
    for size in (1, 2, 3, 4):
        text, taken = decode(chunk[at : at + size], more=True)
        if taken:
            return text
    return ""
