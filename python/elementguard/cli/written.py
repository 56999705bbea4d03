"""Command line: files that are written whole or not at all.

Comes in: a file's name. Goes out: an open text file beside it, which takes its place once all is
written. Until then, and if anything goes wrong, what was there before stays as it was. What is no
regular file (a pipe, a terminal) cannot be replaced and is written to as it is.
"""

from __future__ import annotations

import errno
import os
import secrets
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO


@contextmanager
def whole(name: str) -> Iterator[TextIO]:
    """The file, open for text in UTF-8.

    Raises:
        OSError: it cannot be written; `filename` is the name that was given.
    """
    given = Path(name)
    if given.exists() and not given.is_file() and not given.is_dir():
        with given.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
        return
    path = given.resolve()  # a link stays one: what it leads to is replaced
    _refuse(path, name)
    beside = path.with_name(f".{secrets.token_hex(8)}.part")
    file = _created(beside, name)
    try:
        with file:
            yield file
        if path.exists():
            beside.chmod(path.stat().st_mode & 0o7777)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _refuse(path: Path, name: str) -> None:
    """Say at once what replacing would only say at the end, or not at all."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)


def _created(beside: Path, name: str) -> TextIO:
    try:
        return beside.open("x", encoding="utf-8", newline="\n")
    except OSError as error:
        raise type(error)(error.errno, error.strerror, name) from None
