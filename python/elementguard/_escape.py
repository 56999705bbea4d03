r"""Facade: text of an answer on its way to a person.

Comes in: ids, roles, names, pointers, a line of the source. Goes out: the same with every character
that could drive a terminal or turn the reading direction written as a backslash, `u` and four hex
digits. The set is the contract's (section 1): C0, DEL, C1, the bidirectional marks, embeddings and
isolates, the line and paragraph separators, and surrogates, which no output stream can encode.
"""

from __future__ import annotations

QUOTED_CHARACTERS = (
    64  # of an id or a word: enough to know it again, too few to carry a screen's text away
)

_RANGES = (
    (0x00, 0x1F),
    (0x7F, 0x9F),
    (0x61C, 0x61C),
    (0x200E, 0x200F),
    (0x2028, 0x202E),
    (0x2066, 0x2069),
    (0xD800, 0xDFFF),
)
_TABLE = {code: f"\\u{code:04x}" for first, last in _RANGES for code in range(first, last + 1)}


def escaped(text: str) -> str:
    """The text with what drives a terminal made visible."""
    return text.translate(_TABLE)


def quoted(text: str) -> str:
    """A word of an answer as messages quote it: its first 64 characters, escaped."""
    return escaped(text[:QUOTED_CHARACTERS])
