"""Command line: Ctrl-C, between two answers.

Comes in: the signal. Goes out: `KeyboardInterrupt`, at once while something is read or checked, and
as soon as it is done while an answer is told: what is told and what is counted stay the same, and
what is being written stays a document.
"""

from __future__ import annotations

import signal
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class Interrupts:
    """A context manager: inside it, Ctrl-C waits for whoever is `undisturbed`.

    Where it means something else than usual (it is ignored, or somebody else's), it stays so.
    """

    def __init__(self) -> None:
        self._waits = self._has_come = False

    def __enter__(self) -> Interrupts:
        is_usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        self._is_ours = is_usual and current_thread() is main_thread()
        if self._is_ours:
            signal.signal(signal.SIGINT, self._heard)
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    @contextmanager
    def undisturbed(self) -> Iterator[None]:
        """Let it wait until this is done.

        Raises:
            KeyboardInterrupt: it has come meanwhile.
        """
        self._waits = True
        try:
            yield
        finally:
            self._waits = False
        if self._has_come:
            raise KeyboardInterrupt

    def _heard(self, *_: object) -> None:
        is_second = self._has_come
        self._has_come = True
        if is_second or not self._waits:  # nobody may read what is written: the second one counts
            raise KeyboardInterrupt
