"""Command line: how far a long run has come.

Comes in: how many bytes were read. Goes out: one line at the foot of a terminal, with the share,
the rate and the time that is left, drawn over itself a few times a second and taken away before
anything else is written. Only stderr is drawn on, only if it is a terminal, and only once a run has
lasted a second: whoever reads a pipe or a log never sees it, nor does a run that is over at once.

It is drawn by whoever tells of progress, without a thread of its own. `rich` paints the bar where
it is installed; all else, and all words, are the same without it.
"""

from __future__ import annotations

import os
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from elementguard.cli.console import Talk

PATIENCE = 1.0  # seconds that a run may last in silence
_PAUSE = 0.1  # seconds between two drawings
_BAR = 24  # columns
_UNITS = ("B", "kB", "MB", "GB", "TB")


class Progress:
    """The line, and what it tells of.

    Args:
        stream: a terminal.
        has_color: whether it may be painted.

    Attributes:
        total: how many bytes there are; 0 where nobody knows.
    """

    def __init__(self, stream: Talk, *, has_color: bool) -> None:
        self._stream, self._has_color = stream, has_color
        self.total = self._done = 0
        self._begun = monotonic()
        self._next = self._begun + PATIENCE
        self._is_shown = False

    def count(self, count: int) -> None:
        """So many more bytes were read, by a thread that draws nothing."""
        self._done += count

    def advance(self, count: int) -> None:
        """So many more bytes were read."""
        self.count(count)
        now = monotonic()
        if now >= self._next:
            self._next = now + _PAUSE
            self._draw(now - self._begun)

    def hide(self) -> None:
        """Take the line away."""
        if self._is_shown:
            self._is_shown = False
            self._stream.write("\r\x1b[K")

    def _draw(self, spent: float) -> None:
        width = _width_of(self._stream) - 1  # the last column would make some terminals wrap
        words = self._words(spent)
        bar = self._bar() if self.total and len(words) + _BAR + 1 <= width else ""
        self._is_shown = True  # an interrupt may come as soon as it is
        self._stream.write(f"\r\x1b[K{bar}{words[:width]}")

    def _words(self, spent: float) -> str:
        rate = self._done / spent
        told = f"{_size(self._done)}, {_size(rate)}/s"
        if not self.total:
            return told
        share = min(self._done / self.total, 1)
        left = max(self.total - self._done, 0) / rate if rate else 0
        of_all = f"{_size(self._done)} of {_size(self.total)}, {_size(rate)}/s"
        return f"{share:4.0%}  {of_all}, {_time(left)} left"

    def _bar(self) -> str:
        share = min(self._done / self.total, 1)
        painted = _painted(share) if self._has_color else None
        if painted is None:
            full = round(share * _BAR)
            painted = "#" * full + "-" * (_BAR - full)
        return f"{painted} "


def _painted(share: float) -> str | None:
    """The bar as rich paints it; None without rich."""
    try:
        from rich.console import Console
        from rich.progress_bar import ProgressBar
    except ImportError:
        return None
    console = Console(
        color_system="standard", force_terminal=True, width=_BAR, legacy_windows=False
    )
    with console.capture() as capture:
        console.print(ProgressBar(total=1, completed=share, width=_BAR), end="")
    return capture.get().rstrip("\n")


def _width_of(stream: Talk) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except OSError:
        return 80


def _size(count: float) -> str:
    """Bytes as a person reads them: three digits and a unit."""
    for unit in _UNITS:
        if count < 999.5 or unit == _UNITS[-1]:
            break
        count /= 1000
    digits = 1 if unit != "B" and count < 99.95 else 0
    return f"{count:.{digits}f} {unit}"


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
