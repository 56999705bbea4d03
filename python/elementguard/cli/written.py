"""Command line: files that are written whole or not at all.

Comes in: a file's name. Goes out: an open file beside it, which takes its place once all is
written, with its mode and owner: whoever reads meanwhile sees the old bytes or the new ones. Until
then, and if anything goes wrong, what was there before stays as it was. Links are followed. What is
no regular file (a pipe, a terminal) cannot be replaced and is written to as it is.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO, TextIO


@contextmanager
def whole_text(name: str) -> Iterator[TextIO]:
    """The file, open for text in UTF-8.

    Raises:
        OSError: it cannot be written; `filename` is the name that was given.
    """
    with whole(name) as file:
        text = TextIOWrapper(file, encoding="utf-8", newline="\n")
        try:
            yield text
        finally:
            text.detach()  # writes what it holds; the file is closed by who opened it


@contextmanager
def whole(name: str) -> Iterator[BinaryIO]:
    """The file, open for bytes.

    Raises:
        OSError: it cannot be written; `filename` is the name that was given.
    """
    given = Path(name)
    if given.exists() and not given.is_file() and not given.is_dir():
        with given.open("wb") as as_it_is:
            yield as_it_is
        return
    path = given.resolve()  # a link stays one: what it leads to is replaced
    _refuse(path, name)
    beside = path.with_name(f".elementguard-{os.urandom(8).hex()}")
    file = _created(beside, name)
    try:
        with file:
            if path.exists():
                _liken(beside, path.stat())
            yield file
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _refuse(path: Path, name: str) -> None:
    """Say at once what replacing would only say at the end, or not at all."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)


def _created(beside: Path, name: str) -> BinaryIO:
    try:
        return beside.open("xb")
    except OSError as error:
        raise type(error)(error.errno, error.strerror, name) from None


def _liken(beside: Path, like: os.stat_result) -> None:
    """Give the new file the owner and mode of the old, before there is anything in it to read."""
    beside.chmod(stat.S_IMODE(like.st_mode))
    with suppress(OSError, AttributeError):  # not ours to give away; not on this system
        os.chown(beside, like.st_uid, like.st_gid)
