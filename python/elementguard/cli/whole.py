"""Command line: one answer as a whole, for the commands that work on one.

Comes in: the name of a file, or `-`. Goes out: its bytes, unpacked. Where a limit would end the
check anyway no more is read than shows that it is passed, so neither an endless device nor a small
packed file fills the memory.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from elementguard.cli.answer import FAULTS
from elementguard.cli.inputs import STDIN, reason_of, shown_name
from elementguard.cli.packed import Unpacked, is_packed

if TYPE_CHECKING:
    from typing import BinaryIO

    from elementguard.cli.console import Console


def read(name: str, most: int | None, console: Console) -> bytes | None:
    """The bytes behind a name.

    Args:
        name: of the file; `-`: standard input.
        most: how many bytes the answer may have; one more is read at most. None: all are.
        console: what is told if they cannot be read.

    Returns:
        The bytes; None if they could not be read.
    """
    count = -1 if most is None else most + 1
    try:
        if name == STDIN:
            return _standard_input().read(count)
        with Path(name).open("rb") as file:
            return _unpacked(file, name, count)
    except FAULTS as fault:
        console.error(f"{shown(name)}: {reason_of(fault)}")
        return None


def shown(name: str) -> str:
    """The name as text."""
    return "<stdin>" if name == STDIN else shown_name(name)


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise OSError("this process was started without standard input")
    return sys.stdin.buffer


def _unpacked(file: BinaryIO, name: str, count: int) -> bytes:
    return Unpacked(file, name).read(count) if is_packed(name) else file.read(count)
