"""Command line: the answers to check.

Comes in: names of files and directories, `-`. Goes out: one `Answer` or `Unreadable` after the
other, in a fixed order; an answer is read when it is checked (`cli.answer`). What has an identity
of its own (device and inode) is read once, however many names lead to it, so links can neither loop
nor multiply a fault.

A large file is checked ahead of its turn, in a thread. Small ones are not: what Python does for one
takes longer than the check, and only one thread at a time does that.
"""

from __future__ import annotations

import os
import stat
import sys
from collections import deque
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from elementguard._escape import escaped
from elementguard._files import length_of
from elementguard._lines import Line, lines
from elementguard.cli.answer import FAULTS, Answer, File
from elementguard.cli.packed import PACKED, Unpacked, is_packed, plain_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO, TypeAlias

    from elementguard._validator import Validator
    from elementguard.cli.progress import Progress
    from elementguard.cli.sifted import Clean, Sieve
    from elementguard.cli.threads import Pending, Threads

    Identity = tuple[int, int]
    Found: TypeAlias = "Answer | Clean | Unreadable"
    Opened: TypeAlias = "tuple[BinaryIO, Answer] | Exception"

STDIN = "-"
_LINES = (".ndjson", ".jsonl")
_ENDINGS = (".json", *_LINES)
_LARGE = 64 << 10  # bytes of a file, from which on it is checked in a thread
_AHEAD = 1_000  # how many files are looked at ahead of their turn


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
    work: tuple[Validator, Threads] | None = None  # who checks large files, and for what
    progress: Progress | None = None  # is told how far it has come

    @property
    def drawn(self) -> Callable[[int], None] | None:
        """Who counts what is read here, and may draw it at once."""
        return self.progress.advance if self.progress else None


class Named(NamedTuple):
    """A file to be read; None: standard input."""

    path: Path | None
    size: int


def answers(names: list[str], reading: Reading) -> Iterator[Found]:
    """All answers of these files and directories."""
    found = _all_of(names, reading)
    if reading.progress:
        known = list(found)  # or nobody could say how much there is to do
        reading.progress.total = sum(one.size for one in known if isinstance(one, Named))
        reading.progress.advance(0)
        found = iter(known)
    for one, pending in _begun(found, reading):
        if isinstance(one, Unreadable):
            yield one
        elif pending:
            yield from _finished(one, pending, reading)
        elif one.path is None:
            yield from _standard_input(reading)
        else:
            yield from _named(one.path, reading)


def _all_of(names: list[str], reading: Reading) -> Iterator[Named | Unreadable]:
    """The files, each once."""
    seen: set[Identity] = set()
    if reading.apart is not None:
        with suppress(OSError, ValueError):
            _is_new(Path(reading.apart).stat(), seen)
    for name in names:
        if name == STDIN:
            yield from _standing_by(reading, seen)
        else:
            yield from _leading_to(Path(name), seen)


def _begun(
    found: Iterator[Named | Unreadable], reading: Reading
) -> Iterator[tuple[Named | Unreadable, Pending[Opened] | None]]:
    """The same, with what is being done of them already.

    Twice as many are begun as there are threads: none waits until the first one's turn is over.
    """
    waiting: deque[tuple[Named | Unreadable, Pending[Opened] | None]] = deque()
    most = 2 * reading.work[1].jobs if reading.work else 0
    count = 0
    while True:
        while len(waiting) < _AHEAD and count < most and (one := next(found, None)):
            pending = _pending(one, reading)
            count += pending is not None
            waiting.append((one, pending))
        if not waiting:
            if (one := next(found, None)) is None:
                return
            waiting.append((one, None))
        first = waiting.popleft()
        count -= first[1] is not None
        yield first


def _pending(one: Named | Unreadable, reading: Reading) -> Pending[Opened] | None:
    """The work of a thread, if it is worth one."""
    if isinstance(one, Unreadable) or one.path is None or one.size < _LARGE or not reading.work:
        return None
    name = os.fspath(one.path)
    if reading.lines or plain_name(name).endswith(_LINES):
        return None  # its blocks are read by threads
    return reading.work[1].begin(partial(_ahead, one.path, *reading.work))


def _ahead(path: Path, validator: Validator, threads: Threads) -> Opened:
    """What a thread does: open it, check it, and leave it open for those who show places."""
    try:
        file = path.open("rb")
        try:
            answer = Answer(shown_name(path), _file(file, os.fspath(path), None))
            answer.ahead(validator, threads)
        except BaseException:
            file.close()
            raise
    except FAULTS as error:
        return error
    return file, answer


def _finished(one: Named, pending: Pending[Opened], reading: Reading) -> Iterator[Found]:
    opened = pending.result()
    if reading.progress:
        reading.progress.advance(one.size)
    if isinstance(opened, Exception):
        yield Unreadable(shown_name(one.path or ""), reason_of(opened))
        return
    file, answer = opened
    with file:
        yield answer


def shown_name(name: str | Path) -> str:
    """A file's name as text: bytes that are no UTF-8, and controls, as escapes."""
    return escaped(os.fsencode(name).decode("utf-8", "backslashreplace"))


def reason_of(error: Exception) -> str:
    """What the system says of it, without the name: that stands before it."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__


def _standing_by(reading: Reading, seen: set[Identity]) -> Iterator[Named | Unreadable]:
    try:
        about = os.fstat(sys.stdin.fileno())
        if _is_new(about, seen):
            yield Named(None, length_of(sys.stdin.buffer) or 0)
    except (*FAULTS, AttributeError) as error:
        # A process may have been started without this stream, or with a closed one.
        yield Unreadable(_name_of_stdin(reading), reason_of(error))


def _standard_input(reading: Reading) -> Iterator[Found]:
    try:
        yield from _opened(sys.stdin.buffer, reading.stdin_name or "<stdin>", reading, None)
    except FAULTS as error:
        yield Unreadable(_name_of_stdin(reading), reason_of(error))


def _name_of_stdin(reading: Reading) -> str:
    return shown_name(reading.stdin_name or "<stdin>")


def _leading_to(path: Path, seen: set[Identity]) -> Iterator[Named | Unreadable]:
    try:
        about = path.stat()
        if stat.S_ISDIR(about.st_mode):
            yield from _directory(path, seen)
        elif _is_new(about, seen):
            yield Named(path, about.st_size if stat.S_ISREG(about.st_mode) else 0)
    except FAULTS as error:
        yield Unreadable(shown_name(path), reason_of(error))


def _named(path: Path, reading: Reading) -> Iterator[Found]:
    try:
        with path.open("rb") as file:
            yield from _opened(file, path, reading, length_of(file))
    except FAULTS as error:
        yield Unreadable(shown_name(path), reason_of(error))


def _directory(top: Path, seen: set[Identity]) -> Iterator[Named | Unreadable]:
    """The files in a directory and the directories in it, by name."""
    waiting, found = [top], False
    while waiting:
        path = waiting.pop()
        if path is not top and not path.is_dir():
            found = True
            yield from _leading_to(path, seen)
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
        packed = f" (or that and {' or '.join(PACKED)})"
        yield Unreadable(shown_name(top), f"no file in it ends in {endings}{packed}")


def _is_wanted(path: Path) -> bool:
    """Directories but for hidden ones and links; files, and links to nothing, by their ending."""
    if path.is_dir():
        return not (path.is_symlink() or path.name.startswith("."))
    has_ending = plain_name(path.name).endswith(_ENDINGS)
    return has_ending and (path.is_file() or (path.is_symlink() and not path.exists()))


def _is_new(about: os.stat_result, seen: set[Identity]) -> bool:
    identity = (about.st_dev, about.st_ino)
    if identity in seen:
        return False
    seen.add(identity)
    return True


def _opened(
    file: BinaryIO, name: str | Path, reading: Reading, length: int | None
) -> Iterator[Answer | Clean]:
    """What is in a file; its length, if threads may read it."""
    shown, plain = shown_name(name), os.fspath(name)
    if not reading.lines and not plain_name(plain).endswith(_LINES):
        yield Answer(shown, _file(file, plain, reading.drawn))
        return
    for line in _lines_of(file, plain, reading, length):
        yield Answer(shown, line) if isinstance(line, Line) else line


def _lines_of(
    file: BinaryIO, name: str, reading: Reading, length: int | None
) -> Iterator[Line | Clean]:
    sieve, progress = reading.sieve, reading.progress
    if sieve is None:
        yield from lines(_file(file, name, reading.drawn))
        return
    by_threads = sieve.threads_read(length)
    if progress is None:
        yield from sieve(_file(file, name, None), by_threads=by_threads)
        return
    found = _file(file, name, progress.count if by_threads else progress.advance)
    for line in sieve(found, by_threads=by_threads):
        yield line
        progress.advance(0)


def _file(file: BinaryIO, name: str, told: Callable[[int], None] | None) -> File:
    if is_packed(name):
        return File(Unpacked(file, name), file, None, told)
    return File(file, file, length_of(file), told)
