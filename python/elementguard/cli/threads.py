"""Command line: work that is done in threads, ahead of its turn.

Comes in: calls. Goes out: what each gives, when its turn comes. The threads are few, and live as
long as the work does. They never write anything: whoever asks for the results does, in his order.

An interrupt must end a run at once. So nobody waits for a thread that hangs in a file, as the pool
of the standard library does (which takes longer to import than many a run lasts, besides): it is
left behind. One that works looks at `is_over` between two pieces, and ends by itself.
"""

from __future__ import annotations

import os
from _thread import allocate_lock
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self

T = TypeVar("T")
_PATIENCE = 0.5  # seconds, for all that still work when a run ends early


class Pending(Generic[T]):
    """What a call will give.

    Args:
        call: what is to be done.
    """

    __slots__ = ("_call", "_fault", "_turn", "_value")

    def __init__(self, call: Callable[[], T]) -> None:
        self._call = call
        self._turn = allocate_lock()
        self._turn.acquire()
        self._fault: BaseException | None = None

    def work(self) -> None:
        """Do it, in whatever thread; what it raises is raised by `result`."""
        try:
            self._value = self._call()
        except BaseException as fault:  # noqa: BLE001 -- it is the asker's to handle
            self._fault = fault
        self._turn.release()

    def result(self) -> T:
        """What it gave; waits for it. To be asked once."""
        self._turn.acquire()
        if self._fault is not None:
            raise self._fault
        return self._value


class Threads:
    """The threads of a run; a context manager, which ends them.

    Args:
        jobs: how many; None for as many as there are processors.

    Attributes:
        jobs: how many there may be.
        is_over: whether nobody will ask for what is still being done.
    """

    def __init__(self, jobs: int | None) -> None:
        self.jobs = jobs or os.cpu_count() or 1
        self.is_over = False
        self._waiting: SimpleQueue[Pending[Any] | None] = SimpleQueue()
        self._threads: list[Thread] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.is_over = True
        for _thread in self._threads:
            self._waiting.put(None)
        for thread in self._threads:
            thread.join(_PATIENCE / len(self._threads))

    def begin(self, call: Callable[[], T]) -> Pending[T]:
        """Have it done as soon as a thread is free."""
        pending = Pending(call)
        self._waiting.put(pending)
        if len(self._threads) < self.jobs:
            thread = Thread(target=self._work, daemon=True)
            thread.start()
            self._threads.append(thread)  # an interrupt may come before: none is joined unstarted
        return pending

    def _work(self) -> None:
        while (pending := self._waiting.get()) is not None:
            if not self.is_over:
                pending.work()
            del pending  # or what it gave would be held until there is more to do
