# ruff: noqa: SLF001 -- a validator is asked by its parts
"""Command line: lines without a finding are only counted.

Comes in: a file of one answer a line. Goes out: the lines that have something to tell, in their
order, and how many have not. The engine reads blocks of whole lines, as many at once as there are
threads, and makes nothing of a clean line: no `Line`, no report. A block is a few lines or a few
thousand. The piece that makes it long enough is sifted where it was read to, and what came before
it is put together: of a file that is the line that two blocks share, of a pipe most of the block. A
line that is much longer than a block, and what stands behind it, is read piece by piece.

Each thread reads the block that it sifts, one after the other: so nobody waits for a reader, and
what is sifted is still in that processor's cache. Where reading may hang (a pipe) or ends with the
process (standard input), no thread reads: one that hangs there could not be ended. Nor do they read
what is a block at most.
"""

from __future__ import annotations

from _thread import allocate_lock
from collections import deque
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from elementguard._lines import Line, lines
from elementguard.cli.answer import FAULTS

if TYPE_CHECKING:
    from _thread import LockType
    from collections.abc import Generator, Iterator

    from elementguard._validator import Validator
    from elementguard.cli.answer import File
    from elementguard.cli.threads import Pending, Threads

_BLOCK = 1 << 20  # bytes, worth a thread's turn
_LONGEST = 8 << 20


class Clean(NamedTuple):
    """Answers without a finding."""

    answers: int


class _Lines(NamedTuple):
    """Whole lines among others."""

    data: bytes
    start: int = 0
    end: int | None = None


class _Sifted(NamedTuple):
    """How many lines and answers there are, and where the lines stand that tell something."""

    data: bytes
    lines: int
    answers: int
    faulty: list[tuple[int, int, int]]


class Sieve:
    """What has the blocks read by threads.

    Args:
        validator: what is asked of each line.
        threads: who reads.
    """

    def __init__(self, validator: Validator, threads: Threads) -> None:
        self._sift = validator._checker.sift
        self._threads = threads
        # An allocator that has seen a large one go uses what blocks leave. Else it may give each
        # back to the system and get it anew, page by page, which costs a tenth of the run.
        bytes(4 * _BLOCK)

    def threads_read(self, length: int | None) -> bool:
        """Whether threads read a file of such a length; None: they must not."""
        return length is not None and length > _BLOCK

    def __call__(self, file: File, *, by_threads: bool) -> Iterator[Line | Clean]:
        """The lines of a file.

        Args:
            file: the file.
            by_threads: whether the threads read them.

        Raises:
            OSError, ValueError, EOFError, zlib.error: it cannot be read on. All lines before are
                told first.
        """
        blocks = _Blocks(file.pieces(_BLOCK))
        waiting: deque[Pending[list[_Sifted]]] = deque()
        number = 1
        for pending in self._read_there(blocks) if by_threads else self._read_here(blocks):
            waiting.append(pending)
            if len(waiting) > self._threads.jobs:
                number = yield from _told(number, waiting.popleft().result())
        while waiting:
            number = yield from _told(number, waiting.popleft().result())
        yield from lines(blocks.rest, number)

    def _read_here(self, blocks: _Blocks) -> Iterator[Pending[list[_Sifted]]]:
        for block in blocks:
            yield self._threads.begin(partial(self._sifted, block))

    def _read_there(self, blocks: _Blocks) -> Iterator[Pending[list[_Sifted]]]:
        turn, all_ = allocate_lock(), iter(blocks)
        while not blocks.are_over:
            mine, turn = turn, allocate_lock()
            turn.acquire()
            yield self._threads.begin(partial(self._next, all_, mine, turn))

    def _next(
        self, blocks: Iterator[list[_Lines]], mine: LockType, next_one: LockType
    ) -> list[_Sifted]:
        """What is in the next block, read when its turn comes; nothing if there is no more."""
        mine.acquire()
        try:
            block = next(blocks, [])
        finally:
            next_one.release()
        return self._sifted(block)

    def _sifted(self, block: list[_Lines]) -> list[_Sifted]:
        return [_Sifted(part.data, *self._sift(*part)) for part in block]


def _told(number: int, block: list[_Sifted]) -> Generator[Line | Clean, None, int]:
    """What there is in a block; gives the number of the line behind it."""
    for sifted in block:
        yield Clean(sifted.answers - len(sifted.faulty))
        for at, start, end in sifted.faulty:
            yield Line(number + at, sifted.data[start:end], iter(()), is_whole=True)
        number += sifted.lines
    return number


class _Blocks:
    """Blocks of whole lines.

    Attributes:
        rest: the pieces behind the last block; they raise what kept the source from being read.
        are_over: whether the last one was read.
    """

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.rest = pieces
        self.are_over = False

    def __iter__(self) -> Iterator[list[_Lines]]:
        pieces, held, size = self.rest, list[bytes](), 0
        try:
            for piece in pieces:
                size += len(piece)
                end = piece.rfind(b"\n") + 1
                if size >= _BLOCK and end:
                    start = piece.find(b"\n") + 1
                    yield [_Lines(b"".join([*held, piece[:start]])), _Lines(piece, start, end)]
                    held = [piece[end:]]
                    size = len(held[0])
                    continue
                held.append(piece)
                if size > _LONGEST:
                    self.rest = chain(held, pieces)
                    return
        except FAULTS as fault:
            data = b"".join(held)
            end = data.rfind(b"\n") + 1
            yield [_Lines(data, 0, end)]
            self.rest = chain([data[end:]], _raising(fault))
        else:
            self.rest = iter(())
            yield [_Lines(b"".join(held))]
        finally:
            self.are_over = True


def _raising(fault: Exception) -> Iterator[bytes]:
    yield from ()  # an iterator: it raises when its turn comes
    raise fault
