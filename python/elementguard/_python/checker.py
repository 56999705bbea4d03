"""Room: the engine as the facade asks it.

In: limits, levels and the kind of input as the facade has checked them; then data, at once or in
chunks. Out: `Outcome`, with an `Index` or without, a yes or no, or a `Stream`.
"""

from __future__ import annotations

import mmap

from elementguard._python.check import Check
from elementguard._python.facts import Limits
from elementguard._python.handle import Handle
from elementguard._python.index import Index, Rows
from elementguard._python.report import Decided, Outcome
from elementguard._python.stream import Stream, view_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Checker", "Handle", "Index", "Outcome", "Stream"]

_TEXTS = (str, bytes, bytearray, memoryview, mmap.mmap)


class Checker:
    """The engine, set up for many checks. Immutable: it may be used by several threads.

    Args:
        limits: the values of `facts.Limits`, in their order.
        levels: a byte for each rule of the table: 0 off, 1 note, 2 warning, 3 error.
        kind: `"answer"` or `"element"`.
    """

    __slots__ = ("_is_fragment", "_levels", "_limits")

    def __init__(self, limits: tuple[object, ...], levels: bytes, kind: str) -> None:
        self._limits = Limits(limits)
        self._levels = levels
        self._is_fragment = kind == "element"

    def check(self, data: object) -> Outcome:
        """Everything there is to say of an answer.

        Args:
            data: the answer as bytes, as text, or parsed.

        Returns:
            The findings and the summary.

        Raises:
            TypeError: a memoryview is not one of bytes.
            ValueError: a memoryview is not contiguous, or its buffer is gone.

        Example:
            >>> from elementguard._python import Checker
            >>> from elementguard._python.rules.table import LEVELS
            >>> outcome = Checker((None,) * 14, bytes(LEVELS), "element").check(b'{"id": "n-7"}')
            >>> outcome.findings()
            [(11, 0, '', 'n-7', ('role',))]
        """
        return self._run(data, stop=False)

    def is_valid(self, data: object) -> bool:
        """Whether an answer has no error. Stops at the first one.

        Args:
            data: as for `check`.

        Returns:
            Whether there is none.

        Raises:
            TypeError: as for `check`.
            ValueError: as for `check`.
        """
        try:
            return self._run(data, stop=True).ok
        except Decided:
            return False

    def load(self, data: object, *, faulty: bool = False) -> tuple[Outcome, Index | None]:
        """Everything there is to say of an answer, and where its elements stand.

        Args:
            data: as for `check`; the offsets in a parsed object are those of its compact JSON.
            faulty: whether an answer with errors is wanted as well, if none of them is fatal.

        Returns:
            The outcome, and the index unless the answer has an error.

        Raises:
            TypeError: as for `check`.
            ValueError: as for `check`.
        """
        rows = Rows()
        outcome = self._run(data, stop=False, rows=rows)
        is_read = outcome.ok or (faulty and not outcome.fatal)
        return outcome, rows.index() if is_read else None

    def stream(self) -> Stream:
        """Begin to read an answer that comes in chunks.

        Returns:
            The stream.
        """
        return Stream(self._check(stop=False))

    def check_chunks(self, chunks: Iterable[object], length: int | None = None) -> Outcome:
        """Everything there is to say of an answer in chunks.

        Args:
            chunks: bytes-likes; behind a fatal error no more are taken.
            length: how many bytes they are, if that is known: an answer that is too long is refused
                before its first byte.

        Returns:
            The findings and the summary.

        Raises:
            TypeError: it is no iterable, or a chunk is not of bytes.
            ValueError: a chunk is not contiguous, or its buffer is gone.
        """
        check = self._check(stop=False)
        if length is not None:
            check.announce(length)
        stream = Stream(check)
        for chunk in () if stream.fatal else chunks:
            stream.feed(chunk)
            if stream.fatal:
                break
        return stream.finish()

    def sift(
        self, block: bytes, start: int = 0, end: int | None = None
    ) -> tuple[int, int, list[tuple[int, int, int]]]:
        """Which lines of a block have something to tell.

        Args:
            block: lines, each with an answer or blank.
            start: where the first whole one begins.
            end: where the last whole one ends; None if the block does there.

        Returns:
            How many lines there are, how many answers; and of each answer that is not clean the
            number of its line, from 0, and where it begins and ends in the block, in bytes.
        """
        answers, told, at = 0, [], start
        *ended, rest = block[start:end].split(b"\n")
        lines = [*ended, rest] if rest else ended
        for number, whole in enumerate(lines):
            line = whole.removesuffix(b"\r")
            if line.strip(b" \t\r"):
                answers += 1
                if self._run(line, stop=False).counts():
                    told.append((number, at, at + len(line)))
            at += len(whole) + 1
        return len(lines), answers, told

    def _check(self, *, stop: bool, rows: Rows | None = None) -> Check:
        is_fragment = self._is_fragment
        return Check(self._limits, self._levels, is_fragment=is_fragment, stop=stop, rows=rows)

    def _run(self, data: object, *, stop: bool, rows: Rows | None = None) -> Outcome:
        check = self._check(stop=stop, rows=rows)
        if not isinstance(data, _TEXTS):
            return check.value(data)
        with _view(data) as view:
            return check.buffer(view)


def _view(data: str | bytes | bytearray | memoryview | mmap.mmap) -> memoryview:
    """The bytes of the input."""
    if isinstance(data, str):
        # A surrogate becomes three bytes that are no UTF-8, and is reported as such.
        return memoryview(str.encode(data, errors="surrogatepass"))
    return view_of(data, "data")
