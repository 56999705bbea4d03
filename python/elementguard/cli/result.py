"""Command line: where a command's result goes.

Comes in: -o and -i, and the bytes. Goes out: a file that is whole or as it was before, or stdout. A
file is written beside its place under another name and then moved there, so whoever reads meanwhile
sees the old bytes or the new ones. What is read is never overwritten unless -i or -o says so.
"""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from elementguard.cli.inputs import STDIN, reason_of, shown_name
from elementguard.cli.whole import PACKED

if TYPE_CHECKING:
    from argparse import Namespace

    from elementguard.cli.console import Console


def place_of(options: Namespace) -> str | None:
    """The file that the result is to be in; None: stdout.

    Raises:
        ValueError: there cannot be a result there.
    """
    name: str | None = options.file if options.in_place else options.output
    if options.in_place and name == STDIN:
        raise ValueError("-i: standard input is no file that can be written")
    if name is None or name == STDIN:
        return None
    if not name:
        raise ValueError("-o: the name of a file is needed")
    if name.endswith(PACKED):
        raise ValueError(f"{shown_name(name)}: the result is not packed; give it another name (-o)")
    return name


def deliver(data: bytes, place: str | None, console: Console) -> bool:
    """Bring the result to its place.

    Returns:
        Whether it is there; if not, the console has said why.
    """
    try:
        if place is None:
            console.write_bytes(data)
        else:
            write_file(place, data)
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as fault:  # ValueError: a NUL in a name
        where = "<stdout>" if place is None else shown_name(place)
        console.error(f"{where}: {reason_of(fault)}")
        return False
    return True


def write_file(name: str, data: bytes) -> None:
    """Write a file whole or not at all.

    Links are followed, and what is no regular file (a pipe, a device) is written to as it is.

    Raises:
        OSError: it cannot be written.
    """
    target = Path(os.path.realpath(name))
    about = target.stat() if target.exists() else None
    if about is not None and not stat.S_ISREG(about.st_mode):
        with target.open("wb") as file:
            file.write(data)
        return
    if about is not None and not os.access(target, os.W_OK):
        raise PermissionError(13, os.strerror(13))  # moving over it would not ask
    beside = target.with_name(f".elementguard-{secrets.token_hex(8)}")
    try:
        _fill(beside, data, about)
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _fill(path: Path, data: bytes, like: os.stat_result | None) -> None:
    """A new file; owner and mode are those of the one whose place it takes."""
    with path.open("xb") as file:
        if like is not None:
            path.chmod(stat.S_IMODE(like.st_mode))  # before anyone could read what was private
            with suppress(OSError, AttributeError):  # not ours to give away; not on this system
                os.chown(path, like.st_uid, like.st_gid)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
