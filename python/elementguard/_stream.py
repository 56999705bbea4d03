"""Facade: an answer that comes in chunks.

Comes in: bytes, whoever reads them and however (no input or output happens here, so it serves
sockets, pipes, event loops and tests alike). Goes out: whether an error is certain yet, and a
`Report`, the same as of one buffer wherever the chunks were cut.
"""

from __future__ import annotations

from elementguard._report import Report, filled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterable
    from typing import Never

    from typing_extensions import Buffer

    from elementguard._engine import Reading


class Stream:
    """An answer that comes in chunks. `Validator.stream` makes one.

    Chunks may have any size, and may be cut anywhere, inside a character too. A stream is for one
    answer, and for one thread at a time. After an error it goes on: more findings may follow. After
    a fatal one nothing more is read, and further chunks are ignored. Memory does not depend on how
    long the answer's strings are, nor is a chunk's buffer held when `feed` is over.

    Args:
        reading: the engine's stream.
        levels: one byte a rule.

    Section:
        Elements 0.2.0, all of section 5; limits 5.7.

    Example:
        >>> from elementguard import Validator
        >>> stream = Validator(kind="element").stream()
        >>> stream.feed(b'{"id": "n-7", "role":'), stream.feed(b' "Group", "url": 1,')
        (True, False)
        >>> stream.feed(b'"title": "A"}'), stream.failed, stream.fatal
        (False, True, False)
        >>> dict(stream.finish().counts)
        {'wrong-type': 1}
    """

    __slots__ = ("_levels", "_reading", "_report")

    def __init__(self, reading: Reading, levels: bytes) -> None:
        self._reading = reading
        self._levels = levels
        self._report: Report | None = None

    def __reduce__(self) -> Never:
        raise TypeError("a Stream cannot be copied or pickled: it is in the middle of an answer")

    def feed(self, chunk: Buffer) -> bool:
        """Read one more chunk.

        Args:
            chunk: `bytes`, `bytearray`, `memoryview` or whatever else exports contiguous bytes. It
                may be empty.

        Returns:
            Whether no error is certain yet: a fatal one is at its byte, another no later than at
            the end of what decides it.

        Raises:
            TypeError: the chunk is not of bytes; the stream is as it was.
            ValueError: the chunk is not contiguous or released (the stream is as it was); or the
                stream is finished, was broken off (by Ctrl-C while it read, say), or is reading
                another chunk at this moment.

        Section:
            Elements 0.2.0, all of section 5.

        Example:
            >>> from elementguard import Limits, Validator
            >>> stream = Validator(limits=Limits(bytes=9)).stream()
            >>> [stream.feed(chunk) for chunk in (b'{"proto', b"", b"col", b'": "0.2.0"')]
            [True, True, False, False]
        """
        return self._reading.feed(chunk)

    def finish(self) -> Report:
        """End the answer.

        Returns:
            The report. Asked again, the same one; nothing can be fed any more.

        Raises:
            ValueError: the stream was broken off, or is reading a chunk at this moment.

        Section:
            Elements 0.2.0, all of section 5.

        Example:
            >>> from elementguard import Validator
            >>> stream = Validator().stream()
            >>> stream.finish().findings[0].code, stream.finish() is stream.finish()
            ('json-truncated', True)
            >>> stream.feed(b"{}")
            Traceback (most recent call last):
            ValueError: stream: it is finished; the next answer needs another
        """
        if self._report is None:
            self._report = filled(self._reading.finish(), self._levels)
        return self._report

    @property
    def failed(self) -> bool:
        """Whether an error is certain: what `feed` said last, turned round."""
        return self._reading.failed

    @property
    def fatal(self) -> bool:
        """Whether a fatal error is certain: more chunks change nothing, a host may hang up."""
        return self._reading.fatal

    def __repr__(self) -> str:
        words = ["finished"] * (self._report is not None)
        words += ["fatal"] if self.fatal else ["failed"] * self.failed
        return f"<Stream: {', '.join(words) or 'no error yet'}>"


async def drained_async(stream: Stream, chunks: AsyncIterable[Buffer]) -> Report:
    """The report of all these chunks. Behind a fatal error no more are waited for."""
    async for chunk in chunks:
        stream.feed(chunk)
        if stream.fatal:
            break
    return stream.finish()
