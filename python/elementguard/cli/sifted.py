# ruff: noqa: SLF001 -- a validator is asked by its parts
"""Command line: lines without a finding are only counted.

Comes in: a file of one answer a line. Goes out: the lines that have something to tell, in their
order, and how many have not. The engine reads blocks of whole lines, as many at once as there are
threads, and makes nothing of a clean line: no `Line`, no report. A block is a few lines or a few
thousand; a line that is longer than any block, and what stands behind it, is read piece by piece.
"""

from __future__ import annotations

from collections import deque
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from elementguard._lines import Line, lines
from elementguard.cli.answer import FAULTS

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from elementguard._validator import Validator
    from elementguard.cli.threads import Pending, Threads

    Sifted = tuple[int, int, list[tuple[int, int, int]]]

# Worth a thread's turn, and of a size that the allocator uses again. It gives larger ones back to
# the system and gets them anew, page by page, which takes half as long as to check them.
_BLOCK = 512 << 10
_LONGEST = 8 << 20


class Clean(NamedTuple):
    """Answers without a finding."""

    answers: int


class Sieve:
    """What has the blocks read by threads.

    Args:
        validator: what is asked of each line.
        threads: who reads.
    """

    def __init__(self, validator: Validator, threads: Threads) -> None:
        limits, levels = validator.limits._values, validator._levels
        self._sift = validator._core.Checker(limits, levels, validator.kind).sift
        self._threads = threads

    def __call__(self, pieces: Iterable[bytes]) -> Iterator[Line | Clean]:
        """The lines of a file.

        Raises:
            OSError, ValueError, EOFError, zlib.error: it cannot be read on. All lines before are
                told first.
        """
        blocks = _Blocks(iter(pieces))
        waiting: deque[tuple[bytes, Pending[Sifted]]] = deque()
        number = 1
        for block in blocks:
            waiting.append((block, self._threads.begin(partial(self._sift, block))))
            if len(waiting) > self._threads.jobs:
                number = yield from _told(number, *waiting.popleft())
        while waiting:
            number = yield from _told(number, *waiting.popleft())
        yield from lines(blocks.rest, number)


def _told(number: int, block: bytes, sifted: Pending[Sifted]) -> Generator[Line | Clean, None, int]:
    """What there is in a block; gives the number of the line behind it."""
    count, answers, faulty = sifted.result()
    yield Clean(answers - len(faulty))
    for at, start, end in faulty:
        yield Line(number + at, block[start:end], iter(()), is_whole=True)
    return number + count


class _Blocks:
    """Blocks of whole lines.

    Attributes:
        rest: the pieces behind the last block; they raise what kept the source from being read.
    """

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.rest = pieces

    def __iter__(self) -> Iterator[bytes]:
        pieces, held, size, wanted = self.rest, list[bytes](), 0, _BLOCK
        try:
            for piece in pieces:
                held.append(piece)
                size += len(piece)
                if size < wanted:
                    continue
                whole, held = _whole_lines(held)
                if whole:
                    yield whole
                size = sum(map(len, held))
                wanted = _BLOCK if whole else 2 * size
                if size > _LONGEST:
                    self.rest = chain(held, pieces)
                    return
        except FAULTS as fault:
            whole, held = _whole_lines(held)
            yield whole
            self.rest = chain(held, _raising(fault))
        else:
            self.rest = iter(())
            yield b"".join(held)


def _whole_lines(held: list[bytes]) -> tuple[bytes, list[bytes]]:
    """What there is up to the last line end, and the pieces behind it.

    Only the piece that holds the end is cut: the bytes of a block are copied once.
    """
    for at in reversed(range(len(held))):
        end = held[at].rfind(b"\n") + 1
        if end:
            return b"".join([*held[:at], held[at][:end]]), [held[at][end:], *held[at + 1 :]]
    return b"", held


def _raising(fault: Exception) -> Iterator[bytes]:
    yield from ()  # an iterator: it raises when its turn comes
    raise fault
