# ruff: noqa: SLF001 -- a report is filled here, and the validator asked by its parts
"""Facade: answers in files.

Comes in: a name, or an open file. Goes out: its bytes piece by piece, and the report of them. A
file is read and never mapped: one that another process cuts meanwhile ends early, where a mapped
one would end this process.

A regular file's length is known when it is opened, so one that is too long is refused before a byte
of it is read (`limit-bytes`); a pipe's bytes are read as they come.
"""

from __future__ import annotations

import os
from itertools import chain
from stat import S_ISREG

from elementguard._report import Report, filled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from io import FileIO
    from typing import Protocol

    from elementguard._validator import Validator

    class Readable(Protocol):
        """A binary file that is open; one in memory, a packed or a remote one as well."""

        def read(self, size: int, /) -> object: ...

    class Local(Readable, Protocol):
        """One that the system has opened."""

        def fileno(self) -> int: ...
        def tell(self) -> int: ...


PIECE = 256 << 10  # how many bytes are read at once


def check_path(validator: Validator, path: object) -> Report:
    """The report of a file: what `Validator.check_file` gives."""
    with opened(path) as file:
        return check_pieces(validator, pieces(file), length_of(file))


def check_pieces(validator: Validator, read: Iterable[bytes], length: int | None) -> Report:
    """The report of an answer in pieces.

    Args:
        validator: what to ask.
        read: the pieces.
        length: of all of them, if it is known.
    """
    most = validator.limits.bytes
    if length is None or length > PIECE or (most is not None and length > most):
        return _drained(validator, read, length)
    rest = iter(read)
    whole, more = next(rest, b""), next(rest, b"")
    if not more:
        return validator.check(whole)
    # The file has grown since it was opened.
    return _drained(validator, chain((whole, more), rest), length)


def _drained(validator: Validator, chunks: Iterable[bytes], length: int | None) -> Report:
    """The report of all pieces. Too long, none of them is taken."""
    return filled(validator._checker.check_chunks(chunks, length), validator._levels)


def opened(path: object) -> FileIO:
    """The file of that name. Nothing is read ahead of what is asked for.

    Raises:
        TypeError: it is no name.
        OSError: it cannot be opened.
    """
    try:
        name = os.fspath(path)  # type: ignore[call-overload]  # what is no name raises
    except TypeError:
        kind = type(path).__name__
        raise TypeError(f"path: a str or an os.PathLike is needed, not {kind}") from None
    return open(name, "rb", buffering=0)  # noqa: PTH123 -- pathlib would be imported for this alone


def length_of(file: Local) -> int | None:
    """How much there is to read of a regular file; None for a pipe and its like."""
    about = os.fstat(file.fileno())
    return max(0, about.st_size - file.tell()) if S_ISREG(about.st_mode) else None


def pieces(file: Readable, size: int = PIECE) -> Iterator[bytes]:
    """What a file holds, as it comes.

    Args:
        file: the file.
        size: how many bytes are read at once, at most.

    Raises:
        TypeError: it gives something else than bytes.
        BlockingIOError: it does not wait for its bytes.
    """
    # A buffer waits until a piece is full, but for this call.
    read: Callable[[int], object] = getattr(file, "read1", file.read)
    while True:
        piece = read(size)
        if piece is None:
            raise BlockingIOError("source: a file that waits for its bytes is needed")
        if not isinstance(piece, bytes):
            kind = type(piece).__name__
            raise TypeError(f"source: a binary file is needed, not one that gives {kind}")
        if not piece:
            return
        yield piece
