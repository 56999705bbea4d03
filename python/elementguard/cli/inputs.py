"""Command line: the answers to check.

Comes in: names of files and directories, `-`. Goes out: one `Answer` or `Unreadable` after the
other, in a fixed order; an answer is read when it is checked (`cli.answer`). What has an identity
of its own (device and inode) is read once, however many names lead to it, so links can neither loop
nor multiply a fault.
"""

from __future__ import annotations

import gzip
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from elementguard._escape import escaped
from elementguard._files import length_of
from elementguard._lines import Line, lines
from elementguard.cli.answer import FAULTS, Answer, File

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO, TypeAlias

    from elementguard.cli.sifted import Clean, Sieve

    Identity = tuple[int, int]
    Found: TypeAlias = "Answer | Clean | Unreadable"

STDIN = "-"
_LINES = (".ndjson", ".jsonl")
_ENDINGS = (".json", *_LINES)
_UNKNOWN_PACKINGS = (".zst", ".xz", ".bz2", ".zip")


class Unreadable(NamedTuple):
    """What should have held answers."""

    name: str
    reason: str


class Reading(NamedTuple):
    """How inputs are to be read."""

    lines: bool  # whatever a name's ending says
    stdin_name: str | None
    apart: str | None = None  # a file in a directory that is no answer
    sieve: Sieve | None = None  # where lines without a finding are only counted


def answers(names: list[str], reading: Reading) -> Iterator[Found]:
    """All answers of these files and directories."""
    seen: set[Identity] = set()
    if reading.apart is not None:
        with suppress(OSError, ValueError):
            _is_new(Path(reading.apart).stat(), seen)
    for name in names:
        if name == STDIN:
            yield from _standard_input(reading, seen)
        else:
            yield from _named(Path(name), reading, seen)


def shown_name(name: str | Path) -> str:
    """A file's name as text: bytes that are no UTF-8, and controls, as escapes."""
    return escaped(os.fsencode(name).decode("utf-8", "backslashreplace"))


def reason_of(error: Exception) -> str:
    """What the system says of it, without the name: that stands before it."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__


def _standard_input(reading: Reading, seen: set[Identity]) -> Iterator[Found]:
    name = reading.stdin_name or "<stdin>"
    try:
        about = os.fstat(sys.stdin.fileno())
        if _is_new(about, seen):
            yield from _opened(sys.stdin.buffer, name, reading)
    except (*FAULTS, AttributeError) as error:
        # A process may have been started without this stream, or with a closed one.
        yield Unreadable(shown_name(name), reason_of(error))


def _named(path: Path, reading: Reading, seen: set[Identity]) -> Iterator[Found]:
    try:
        about = path.stat()
        if stat.S_ISDIR(about.st_mode):
            yield from _directory(path, reading, seen)
        elif _is_new(about, seen):
            with path.open("rb") as file:
                yield from _opened(file, path, reading)
    except FAULTS as error:
        yield Unreadable(shown_name(path), reason_of(error))


def _directory(top: Path, reading: Reading, seen: set[Identity]) -> Iterator[Found]:
    """The files in a directory and the directories in it, by name."""
    waiting, found = [top], False
    while waiting:
        path = waiting.pop()
        if path is not top and not path.is_dir():
            found = True
            yield from _named(path, reading, seen)
            continue
        try:
            if _is_new(path.stat(), seen):
                waiting += sorted(filter(_is_wanted, path.iterdir()), reverse=True)
            else:
                found = True  # what is in it has been checked
        except OSError as error:
            found = True
            yield Unreadable(shown_name(path), reason_of(error))
    if not found:
        endings = ", ".join(_ENDINGS)
        yield Unreadable(shown_name(top), f"no file in it ends in {endings} (or that and .gz)")


def _is_wanted(path: Path) -> bool:
    """Directories but for hidden ones and links; files, and links to nothing, by their ending."""
    if path.is_dir():
        return not (path.is_symlink() or path.name.startswith("."))
    has_ending = path.name.removesuffix(".gz").endswith(_ENDINGS)
    return has_ending and (path.is_file() or (path.is_symlink() and not path.exists()))


def _is_new(about: os.stat_result, seen: set[Identity]) -> bool:
    identity = (about.st_dev, about.st_ino)
    if identity in seen:
        return False
    seen.add(identity)
    return True


def _opened(file: BinaryIO, name: str | Path, reading: Reading) -> Iterator[Answer | Clean]:
    ending = os.fspath(name)
    if ending.endswith(_UNKNOWN_PACKINGS):
        raise OSError("of compressed files only .gz can be read")
    if ending.endswith(".gz"):
        with gzip.GzipFile(fileobj=file) as unpacked:
            yield from _read(File(unpacked, file, None), name, ending.removesuffix(".gz"), reading)
    else:
        yield from _read(File(file, file, length_of(file)), name, ending, reading)


def _read(file: File, name: str | Path, ending: str, reading: Reading) -> Iterator[Answer | Clean]:
    shown = shown_name(name)
    if reading.lines or ending.endswith(_LINES):
        for line in reading.sieve(file) if reading.sieve else lines(file):
            yield Answer(shown, line) if isinstance(line, Line) else line
    else:
        yield Answer(shown, file)
