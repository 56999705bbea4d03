"""Command line: the terminal.

Comes in: the two standard streams and the environment. Goes out: text, coloured or not, that no
character of an answer can break: what a code page cannot show is written as an escape, and a reader
that went away ends the work quietly. Machine formats and findings go to stdout, talk goes to
stderr. Talk that the system does not take is lost, and the work goes on without it: only the exit
code can still tell.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import contextmanager

from elementguard._escape import escaped
from elementguard.cli.unwritten import STDOUT, UnwrittenError, writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO, TextIO

    from elementguard.cli.progress import Progress

_STYLES = {
    "error": "31;1",
    "warning": "33;1",
    "note": "36;1",
    "code": "1",
    "place": "1",
    "bar": "2",
    "passed": "32;1",
    "failed": "31;1",
    "incomplete": "31;1",
}
_NARROWEST, _WIDEST = 40, 160


class Console:
    """The streams that this process was started with."""

    def __init__(self) -> None:
        self.out = _tolerant(sys.stdout)
        err = _tolerant(sys.stderr)
        self._err = None if err is None else Talk(err)
        self.quiet = False
        self.color = "auto"
        self._progress: Progress | None = None

    def write(self, text: str) -> None:
        """Output: findings, pages, schemas."""
        self._make_room()
        if self.out is not None:
            with self._on_stdout():
                self.out.write(text)

    def write_bytes(self, data: bytes) -> None:
        """Output that is not text: an answer, byte for byte.

        Raises:
            OSError: it did not get there, or there is no stdout.
        """
        if self.out is None:
            raise OSError("this process was started without standard output")
        self._make_room()
        with self._on_stdout():
            self.out.flush()
            _write_all(self.out.buffer, data)
            self.out.flush()

    def say(self, text: str) -> None:
        """Talk: what a person may want to know besides."""
        if not self.quiet:
            self._tell(text)

    def error(self, text: str) -> None:
        """What went wrong; `-q` does not hide it."""
        self._tell(f"elementguard: {escaped(text)}")

    def progress(self) -> Progress | None:
        """What shows how far the work has come; None unless there is a terminal to show it on.

        It leaves the terminal before anything else is written there.
        """
        err = self._err
        if self.quiet or err is None or not err.isatty() or os.environ.get("TERM") == "dumb":
            return None
        from elementguard.cli.progress import Progress

        has_color = self.color == "always" or (
            self.color == "auto" and not os.environ.get("NO_COLOR")
        )
        self._progress = Progress(err, has_color=has_color)
        return self._progress

    @property
    def has_lost(self) -> bool:
        """Whether something that was to be told on stderr is told nowhere."""
        return self._err is not None and self._err.is_lost

    def paint(self, style: str, text: str) -> str:
        """The text in a style, if stdout shows colours."""
        if not self._has_color() or style not in _STYLES:
            return text
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m"

    def flush(self) -> None:
        """Bring out what the streams still hold, so that a reader who went away is noticed here."""
        self._make_room()
        if self._err is not None:
            self._err.write("")  # what argparse left there
        if self.out is not None:
            with self._on_stdout():
                self.out.flush()

    def abandon(self) -> None:
        """Let the rest of stdout vanish."""
        _abandon(sys.stdout)

    @property
    def width(self) -> int:
        """Columns of the terminal, or what COLUMNS says; 100 where there is no terminal."""
        from shutil import get_terminal_size

        columns = get_terminal_size((100, 24)).columns
        return max(_NARROWEST, min(columns, _WIDEST))

    @contextmanager
    def _on_stdout(self) -> Iterator[None]:
        try:
            with writing(STDOUT):
                yield
        except UnwrittenError:
            self.abandon()
            raise

    def _tell(self, text: str) -> None:
        if self._err is None:
            return
        self._make_room()
        self.flush()  # what was found before it stands before it
        self._err.write(f"{text}\n")

    def _make_room(self) -> None:
        if self._progress:
            self._progress.hide()

    def _has_color(self) -> bool:
        if self.color != "auto":
            return self.color == "always"
        if os.environ.get("NO_COLOR"):
            return False
        if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
            return True
        is_terminal = self.out is not None and self.out.isatty()
        return is_terminal and os.environ.get("TERM") != "dumb"


class Talk:
    """Stderr: what it does not take is lost.

    Args:
        stream: where it goes.

    Attributes:
        is_lost: whether something was.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream, self.is_lost = stream, False
        self.isatty, self.fileno = stream.isatty, stream.fileno

    def write(self, text: str) -> None:
        """Bring it out at once; only a reader that went away is told of (`BrokenPipeError`)."""
        try:
            if text:  # a full device does not even take nothing
                self._stream.write(text)
            self._stream.flush()
        except BrokenPipeError:
            _abandon(self._stream)
            raise
        except OSError:
            _abandon(self._stream)
            self.is_lost = True


def _abandon(stream: TextIO) -> None:
    """Let the rest vanish: Python would try again at exit, and end with a code of its own."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
    except (OSError, ValueError):
        return


def _write_all(stream: BinaryIO, data: bytes) -> None:
    """Unbuffered, a stream takes what fits and says how much that was."""
    left = memoryview(data)
    while left:
        left = left[stream.write(left) :]


def _tolerant(stream: TextIO | None) -> TextIO | None:
    """The stream, made to write an escape for what its encoding lacks; None if there is none."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    return stream
