"""Command line: what could not be written.

Comes in: a place, and whatever writes there. Goes out: `UnwrittenError`, which names that place. So
a full disk is told of what was written to, not of the answer that was read meanwhile.
"""

from __future__ import annotations

from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

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
