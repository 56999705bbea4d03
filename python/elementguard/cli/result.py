"""Command line: where a command's result goes.

Comes in: -o and -i, and the bytes. Goes out: a file that is whole or as it was before, or stdout.
What is read is never overwritten unless -i or -o says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from elementguard.cli.inputs import STDIN, reason_of, shown_name
from elementguard.cli.packed import PACKED
from elementguard.cli.written import whole

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
            with whole(place) as file:
                file.write(data)
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as fault:  # ValueError: a NUL in a name
        where = "<stdout>" if place is None else shown_name(place)
        console.error(f"{where}: {reason_of(fault)}")
        return False
    return True
