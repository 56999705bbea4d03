"""Command line: files that are compressed.

Comes in: an open file, whose name says how it is packed. Goes out: the same, unpacked as it is
read, so nothing is held but what the method itself needs. `.gz` is the standard library's; `.zst`
is too from Python 3.14 on, and before that needs the package `backports.zstd` (the extra `cli`).

A few kilobytes can unpack to more than anyone can read. So what comes out may be 256 times what
went in, and 64 MiB besides: answers pack to a tenth or less, and only lines that are all alike come
near. Whoever means it unpacks outside and pipes the answers in.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    class Source(Protocol):
        """What is unpacked, as it comes."""

        def read1(self, size: int = -1, /) -> bytes:
            """What one step gives."""


PACKED = (".gz", ".zst")
_OTHERS = (".xz", ".bz2", ".zip", ".tar", ".tgz")
TIMES = 256
BESIDES = 64 << 20
_WINDOW = 27  # 128 MiB, as bits: what `zstd -d` takes unasked


def plain_name(name: str) -> str:
    """The name without the ending that says how it is packed."""
    path = PurePath(name)
    return os.fspath(path.with_suffix("")) if path.suffix in PACKED else name


def is_packed(name: str) -> bool:
    """Whether a name says so.

    Raises:
        OSError: it says so, and is of no kind that can be read.
    """
    if name.endswith(_OTHERS):
        raise OSError("of compressed files only .gz and .zst can be read")
    return name.endswith(PACKED)


class Unpacked:
    """What is in a packed file.

    Args:
        file: the file, from where the packed bytes begin.
        name: says how it is packed.

    Raises:
        OSError: there is nothing here that could unpack it.
    """

    def __init__(self, file: BinaryIO, name: str) -> None:
        self._open = _gzip if name.endswith(".gz") else _zstd()
        self._file = file
        self._begin()

    def read(self, size: int = -1) -> bytes:
        """So many bytes, or what is left.

        Raises:
            OSError, ValueError, EOFError, zlib.error: it cannot be unpacked, or is too much.
        """
        held, left = list[bytes](), size
        while left and (piece := self.read1(left if left > 0 else 1 << 20)):
            held.append(piece)
            left -= len(piece) if size > 0 else 0
        return b"".join(held)

    def read1(self, size: int = -1) -> bytes:
        """What one step gives, so many bytes at most.

        Raises:
            OSError, ValueError, EOFError, zlib.error: it cannot be unpacked, or is too much.
        """
        try:
            piece = self._source.read1(size)
        except (OSError, ValueError, EOFError):
            raise
        except Exception as error:
            if type(error).__name__ != "ZstdError":
                raise
            raise ValueError(str(error)) from None
        self._count += len(piece)
        if self._count > BESIDES + TIMES * self._packed.count:
            reason = f"it unpacks to more than {TIMES} times its size"
            raise OSError(f"{reason}; if that is meant, unpack it and pipe it in")
        return piece

    def seek(self, place: int) -> None:
        """Go back to that place of the packed bytes, where it begins."""
        self._file.seek(place)
        self._begin()

    def _begin(self) -> None:
        self._packed, self._count = _Counted(self._file), 0
        self._source = self._open(self._packed)


class _Counted:
    """A file, and how much of it was read."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.count = 0

    def read(self, size: int = -1) -> bytes:
        piece = self._file.read(size)
        self.count += len(piece)
        return piece


def _gzip(file: _Counted) -> Source:
    from gzip import GzipFile

    return GzipFile(fileobj=cast("BinaryIO", file), mode="rb")  # which only reads from it


def _zstd() -> Callable[[_Counted], Source]:
    """What opens a file of this kind.

    Raises:
        OSError: see above.
    """
    from importlib import import_module

    for name in ("compression.zstd", "backports.zstd"):
        try:
            zstd = import_module(name)
        except ImportError:
            continue
        options = {zstd.DecompressionParameter.window_log_max: _WINDOW}
        return partial(zstd.ZstdFile, options=options)
    raise OSError("to read .zst, install backports.zstd (or Python 3.14)")
