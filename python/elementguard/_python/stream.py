"""Room: an answer that comes in chunks, as the engine's callers see it.

In: bytes-likes, one after the other. Out: whether an error is certain, and in the end the outcome.

A stream is of one thread at a time, as a generator is. So the check is taken out for a call and put
back behind it: whoever comes in between is refused. A call that was broken off (by Ctrl-C, say) has
read a part of its chunk; then nothing is put back, and the stream is of no use any more.
"""

from __future__ import annotations

import mmap

from elementguard._python.check import PIECE, Check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from elementguard._python.report import Outcome

_BYTE_FORMATS = frozenset({"B", "b", "c"})


class Stream:
    """An answer that comes in chunks. Only `Checker.stream` makes one.

    Args:
        check: the answer's check, into which nothing was fed.
    """

    __slots__ = ("_broken", "_check", "_outcome", "failed", "fatal")

    failed: bool
    fatal: bool

    def __init__(self, check: Check) -> None:
        # A list, for `pop` lets one thread have the check and no other.
        self._check = [check]
        self._broken = False
        self._outcome: Outcome | None = None
        self.failed, self.fatal = check.failed, check.fatal

    def feed(self, chunk: object) -> bool:
        """Read one more chunk.

        Args:
            chunk: bytes-like, contiguous.

        Returns:
            Whether no error is certain yet.

        Raises:
            TypeError: the chunk is not of bytes.
            ValueError: the chunk is not contiguous, or its buffer is gone; or the stream is
                finished, was broken off, or reads another chunk at this moment.
        """
        with view_of(chunk, "chunk") as view:
            check = self._take()
            try:
                for at in range(0, len(view), PIECE):
                    check.feed(bytes(view[at : at + PIECE]))
            except BaseException:
                self._broken = True
                raise
        self.failed, self.fatal = check.failed, check.fatal
        self._check.append(check)
        return not self.failed

    def finish(self) -> Outcome:
        """End the answer. Once it has ended, the outcome is the same one again.

        Returns:
            The findings and the summary.

        Raises:
            ValueError: the stream was broken off, or reads a chunk at this moment.
        """
        if self._outcome is None:
            check = self._take()
            try:
                outcome = check.finish()
            except BaseException:
                self._broken = True
                raise
            self.failed, self.fatal = not outcome.ok, outcome.fatal
            self._outcome = outcome
        return self._outcome

    def _take(self) -> Check:
        try:
            return self._check.pop()
        except IndexError:
            self._refuse()

    def _refuse(self) -> NoReturn:
        if self._outcome is not None:
            message = "it is finished; the next answer needs another"
        elif self._broken:
            message = "an earlier call was broken off; the answer needs another"
        else:
            message = "another call is reading"
        raise ValueError(f"stream: {message}")


def view_of(data: object, argument: str) -> memoryview:
    """The bytes of a buffer. What others may change meanwhile is copied, but for an mmap.

    Raises:
        TypeError: it is no buffer, or not one of bytes.
        ValueError: it is not contiguous, or gone.
    """
    try:
        view = memoryview(data)  # type: ignore[arg-type]  # what is no buffer raises
    except TypeError as error:
        if hasattr(type(data), "__buffer__"):  # mutants: asked from Python 3.12 on
            raise
        found = type(data).__name__
        raise TypeError(f"{argument}: a bytes-like object is needed, not {found}") from error
    if view.format not in _BYTE_FORMATS:
        wanted = "a memoryview of bytes is needed"
        raise TypeError(f"{argument}: {wanted}, not of format {view.format!r}")
    if not view.c_contiguous:
        raise ValueError(f"{argument}: the memoryview is not contiguous")
    if isinstance(view.obj, (bytes, mmap.mmap)):
        return view.cast("B")
    with view:
        return memoryview(view.tobytes())
