"""Facade: answers one a line (NDJSON).

Comes in: bytes in chunks of any size. Goes out: lines, numbered from 1, each in pieces, and their
reports, with offsets from the line's start. A line feed ends a line, and a carriage return before
it belongs to the end; nothing else ends one, since the rest may stand in a string. The last line
needs no end. Lines without anything but white space are passed over, but counted.

Nothing is held of a line but what one chunk has of it. So a line may be of any length, and what is
wrong with one, be it no UTF-8 or without an end for gigabytes, is no matter to the next.
"""

from __future__ import annotations

import io
import os

from elementguard._files import opened, pieces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from elementguard._report import Report
    from elementguard._validator import Validator

_BLANK = b" \t\r\n"


class Line:
    """One line: its pieces can be taken once, and only before the next line is asked for.

    Attributes:
        number: its place in the source, from 1.
        is_blank: whether it has nothing but white space, as far as it was read.
        is_whole: whether its first piece is all of it.
    """

    __slots__ = ("_first", "_over", "_rest", "is_blank", "is_whole", "number")

    def __init__(
        self, number: int, first: bytes, rest: Iterator[tuple[bytes, bool]], *, is_whole: bool
    ) -> None:
        self.number = number
        self.is_whole = self._over = is_whole
        self.is_blank = not first.strip(_BLANK)
        self._first, self._rest = first, rest

    def __iter__(self) -> Iterator[bytes]:
        yield self._first
        while not self._over:
            yield self._next()

    def pass_over(self) -> None:
        """Read on to its end."""
        while not self._over:
            self._next()

    def check(self, validator: Validator, read: Iterable[bytes]) -> Report:
        """The report of it, if its pieces are read from there."""
        most = validator.limits.bytes
        if self.is_whole and (most is None or len(self._first) <= most):
            (whole,) = read
            return validator.check(whole)
        # Where the chunks were cut must not matter. So a line's length counts as unknown.
        return validator.check_chunks(read)

    def _next(self) -> bytes:
        piece, self._over = next(self._rest, (b"", True))
        self.is_blank = self.is_blank and not piece.strip(_BLANK)
        return piece


def check_source(validator: Validator, source: object) -> Iterator[tuple[int, Report]]:
    """Numbers and reports: what `Validator.check_lines` gives."""
    if isinstance(source, (str, os.PathLike)):
        return _checked_file(validator, source)
    if isinstance(source, (bytes, bytearray, memoryview)):
        kind = type(source).__name__
        wanted = "a path, a binary file or an iterable of chunks is needed"
        raise TypeError(f"source: {wanted}, not {kind}; put a single chunk into a list")
    if isinstance(source, io.TextIOBase):
        raise TypeError("source: a binary file is needed, not one that gives str")
    if hasattr(source, "read"):
        return _checked(validator, pieces(source))
    return _checked(validator, iter(source))  # type: ignore[call-overload]  # what is none raises


def lines(chunks: Iterable[object], first: int = 1) -> Iterator[Line]:
    """The lines of a source. Those that are whole and blank are left out at once.

    Args:
        chunks: the source's bytes.
        first: the number of the first line.

    Raises:
        TypeError: a chunk is not of bytes.
        ValueError: a chunk is not contiguous, or released.
    """
    cut = _cut(chunks)
    for number, (begin, ends) in enumerate(cut, first):
        line = Line(number, begin, cut, is_whole=ends)
        if not (ends and line.is_blank):
            yield line
            line.pass_over()


def _checked(validator: Validator, chunks: Iterable[object]) -> Iterator[tuple[int, Report]]:
    for line in lines(chunks):
        report = line.check(validator, line)
        line.pass_over()
        if not line.is_blank:
            yield line.number, report


def _checked_file(validator: Validator, path: object) -> Iterator[tuple[int, Report]]:
    with opened(path) as file:
        yield from _checked(validator, pieces(file))


def _cut(chunks: Iterable[object]) -> Iterator[tuple[bytes, bool]]:
    """Pieces of lines without the lines' ends, and whether the line ends with the piece."""
    waiting = b""  # a carriage return that may belong to an end
    for chunk in chunks:
        data = waiting + _bytes_of(chunk)
        at = 0
        while (end := data.find(b"\n", at)) >= 0:
            yield data[at:end].removesuffix(b"\r"), True
            at = end + 1
        rest = data[at:]
        waiting = b"\r" if rest.endswith(b"\r") else b""
        if rest := rest.removesuffix(b"\r"):
            yield rest, False
    if waiting:
        yield waiting, True


def _bytes_of(chunk: object) -> bytes:
    if isinstance(chunk, bytes):
        return chunk
    try:
        view = memoryview(chunk)  # type: ignore[arg-type]  # what is no buffer raises
    except TypeError:
        kind = type(chunk).__name__
        raise TypeError(f"chunk: a bytes-like object is needed, not {kind}") from None
    with view:
        if view.format not in ("B", "b", "c"):
            kind = repr(view.format)
            raise TypeError(f"chunk: a memoryview of bytes is needed, not of format {kind}")
        if not view.c_contiguous:
            raise ValueError("chunk: the memoryview is not contiguous")
        return view.tobytes()
