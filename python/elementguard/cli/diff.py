"""Command line: the difference between an answer and what became of it.

Comes in: both. Goes out: a unified diff as text. It is for a person to read on a terminal: controls
are escaped, bytes that are no UTF-8 too, so it is no patch for an answer that holds them.
"""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING

from elementguard._escape import escaped
from elementguard.cli.whole import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

_NO_END = "\\ No newline at end of file"


def unified(before: bytes, after: bytes, name: str, done: str) -> Iterator[str]:
    """The diff, line by line; none if nothing changed. `done` says what became of it."""
    told = shown(name)
    rows = unified_diff(_lines(before), _lines(after), told, f"{told} ({done})", lineterm="")
    return (f"{line}\n" for row in rows for line in _told(row))


def _lines(data: bytes) -> list[str]:
    """Lines as text, split at LF alone: what else ends lines somewhere is escaped."""
    parts = data.decode("utf-8", "backslashreplace").split("\n")
    last = parts.pop()
    return [*map(escaped, parts), *([f"{escaped(last)}\n"] if last else [])]


def _told(row: str) -> Iterator[str]:
    """A row of the diff; only the last line of a text without an end has an LF in it."""
    text, without_end, _ = row.partition("\n")
    yield text
    if without_end:
        yield _NO_END
