"""Facade: JSON for machines.

Comes in: JSON types. Goes out: one line of ASCII. Everything else is escaped, so whatever an id, a
pointer or a file's name holds, the line is the same bytes in every code page and drives no
terminal.
"""

from __future__ import annotations

from json import JSONEncoder

_ENCODER = JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def dumps(value: object) -> str:
    """The value as one line of JSON."""
    # DEL is the one control character that JSON may hold raw.
    return _ENCODER.encode(value).replace("\x7f", "\\u007f")
