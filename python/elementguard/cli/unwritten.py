"""Command line: what could not be written.

Comes in: a place, and whatever writes there. Goes out: `UnwrittenError`, which names that place. So
a full disk is told of what was written to, not of the answer that was read meanwhile.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

T = TypeVar("T")

STDOUT = "<stdout>"


class UnwrittenError(OSError):
    """The system did not take it: `filename` is where it should go, `strerror` says why."""


@contextmanager
def writing(where: str) -> Iterator[None]:
    """Say of this place what goes wrong inside; a reader that went away stays one.

    Raises:
        UnwrittenError: an `OSError` came.
    """
    try:
        yield
    except (BrokenPipeError, UnwrittenError):
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise UnwrittenError(error.errno, reason, where) from error


@contextmanager
def opening(where: str, file: AbstractContextManager[T]) -> Iterator[T]:
    """What opens a file and closes it: the place is to blame for that, not for what is done inside.

    Raises:
        UnwrittenError: it cannot be opened, or not be closed.
    """
    with writing(where):
        opened = file.__enter__()
    try:
        yield opened
    except BaseException as fault:
        with writing(where):
            file.__exit__(type(fault), fault, fault.__traceback__)
        raise
    with writing(where):
        file.__exit__(None, None, None)
