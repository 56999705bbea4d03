"""Command line: the files that say how a run goes: a configuration, a baseline.

Comes in: a name. Goes out: all bytes of the file, or a refusal: it may be a device that never ends,
or another file than was meant. No more is read than shows that it is too much.
"""

from __future__ import annotations

from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike

_MEBIBYTE = 1 << 20


def read_small(file: str | PathLike[str], mebibytes: int) -> bytes:
    """The bytes of the file.

    Args:
        file: its name.
        mebibytes: how many of them it may have.

    Raises:
        OSError: it cannot be read, or has more; `strerror` says which.
    """
    most = mebibytes * _MEBIBYTE
    with Path(file).open("rb") as opened:
        data = opened.read(most + 1)
    if len(data) > most:
        raise OSError(None, f"it has more than {mebibytes} MiB")
    return data
