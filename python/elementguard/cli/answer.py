"""Command line: one answer, read while it is checked.

Comes in: an open file, or a line of one. Goes out: its report, and afterwards its bytes, which the
formats need to show places. A file can be read a second time, so nothing of it is held meanwhile; a
pipe and a line cannot, so their pieces are kept. Nothing behind `limits.bytes` ever is.

A file may be another one by the time it is read again. Then its places are told by their offsets
alone: a line and a column of other bytes would mislead.

An answer may be checked ahead of its turn, in a thread: `ahead` keeps what came of it, and `check`
only tells it.
"""

from __future__ import annotations

import os
import zlib
from time import perf_counter
from typing import TYPE_CHECKING

from elementguard._files import PIECE, check_pieces, pieces
from elementguard._lines import Line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import BinaryIO

    from elementguard._report import Report
    from elementguard._validator import Validator
    from elementguard.cli.packed import Unpacked
    from elementguard.cli.threads import Threads

FAULTS = (OSError, ValueError, EOFError, zlib.error)  # of what cannot be opened, read or unpacked


class UnreadError(Exception):
    """An answer could not be read to its end.

    Attributes:
        fault: what was raised.
    """

    def __init__(self, fault: Exception) -> None:
        super().__init__(str(fault))
        self.fault = fault


class File:
    """A file that holds one answer.

    Args:
        file: what gives the answer's bytes.
        on_disk: what they come from: the same, or what is unpacked.
        length: how many there are, if that is known.
        told: is told how many more bytes were read.
    """

    number = None
    is_blank = False

    def __init__(
        self,
        file: BinaryIO | Unpacked,
        on_disk: BinaryIO,
        length: int | None,
        told: Callable[[int], None] | None = None,
    ) -> None:
        self.file = file
        self._told = told
        self._on_disk, self._length = on_disk, length
        self._start = on_disk.tell() if on_disk.seekable() else None
        self._state = self._state_now()

    @property
    def lasts(self) -> bool:
        """Whether it can be read again."""
        return self._start is not None

    def __iter__(self) -> Iterator[bytes]:
        return self.pieces(PIECE)

    def pieces(self, size: int) -> Iterator[bytes]:
        """What it holds, so many bytes at once at most."""
        found = pieces(self.file, size)
        return found if self._told is None else self._followed(found, self._told)

    def check(self, validator: Validator, read: Iterable[bytes]) -> Report:
        """The report of it, if its pieces are read from there."""
        return check_pieces(validator, read, self._length)

    def pass_over(self) -> None:
        """Nothing: no other answer stands behind it."""

    def again(self, most: int | None) -> bytes | None:
        """Its bytes, or the first ones, read again; None if they may be others than before."""
        try:
            self.file.seek(self._start or 0)
            data = self.file.read(-1 if most is None else most)
            return data if self._state_now() == self._state else None
        except FAULTS:
            return None

    def _followed(self, found: Iterator[bytes], told: Callable[[int], None]) -> Iterator[bytes]:
        done = self._start or 0
        for piece in found:
            yield piece
            at = self._on_disk.tell() if self.lasts else done + len(piece)
            told(at - done)
            done = at

    def _state_now(self) -> tuple[int, int]:
        about = os.fstat(self._on_disk.fileno())
        return about.st_size, about.st_mtime_ns


class Answer:
    """An answer, to be checked once.

    Args:
        name: of its file, fit for text.
        origin: where it stands.

    Attributes:
        name: as given.
        line: its number in a file of many.
        size: how many bytes were read of it.
        seconds: how long it took to check it.
    """

    def __init__(self, name: str, origin: File | Line) -> None:
        self.name, self.line = name, origin.number
        self.size, self.seconds = 0, 0.0
        self._origin = origin
        self._threads: Threads | None = None
        self._outcome: Report | Exception | None = None
        self._most: int | None = None  # how many bytes anyone may ask for
        self._held: list[bytes] = []

    def check(self, validator: Validator) -> Report | None:
        """Read and check it.

        Returns:
            The report; None if it is nothing but a blank line.

        Raises:
            UnreadError: it could not be read.
        """
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return self._check(validator) if self._outcome is None else self._outcome

    def ahead(self, validator: Validator, threads: Threads) -> None:
        """Read and check it in a thread; what comes of it is told by `check`."""
        self._threads = threads
        try:
            self._outcome = self._check(validator)
        except Exception as error:  # noqa: BLE001 -- `check` raises it
            self._outcome = error

    def _check(self, validator: Validator) -> Report | None:
        started = perf_counter()
        origin, most = self._origin, validator.limits.bytes
        self._most = None if most is None else most + 1
        report = origin.check(validator, self._read())
        if origin.is_blank:
            # So far: of a line that is too long, the rest was not looked at.
            origin.pass_over()
        self.seconds = perf_counter() - started
        return None if origin.is_blank else report

    @property
    def data(self) -> bytes | None:
        """What was checked, for looking up places; None if it is there no more."""
        origin = self._origin
        if isinstance(origin, File) and origin.lasts:
            return origin.again(self._most)
        return b"".join(self._held)[: self._most]

    def _read(self) -> Iterator[bytes]:
        holds = isinstance(self._origin, Line) or not self._origin.lasts
        try:
            for piece in self._origin:
                if self._threads and self._threads.is_over:
                    raise InterruptedError  # nobody will ask
                if holds and (self._most is None or self.size < self._most):
                    self._held.append(piece)
                self.size += len(piece)
                yield piece
        except FAULTS as fault:
            raise UnreadError(fault) from fault
