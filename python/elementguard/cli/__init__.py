"""The command line: `elementguard`, also `python -m elementguard`.

Comes in: arguments. Goes out: an exit code: 0 clean, 1 findings at or above the fail level, 2
usage, I/O or internal error, 130 interrupted. `main` is the one place that turns what went wrong
into a code, so that nothing that went wrong ends in 0. One file is one command, and in `formats/`
one output format; `inputs` finds the answers, `console` owns the terminal.
"""

from __future__ import annotations

import sys

from elementguard.cli.console import Console
from elementguard.cli.parser import parse
from elementguard.cli.unwritten import STDOUT, UnwrittenError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

EXIT_USAGE = 2
EXIT_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: the command and its arguments; the process's own unless said.

    Returns:
        The exit code.

    Section:
        Elements 0.2.0, all of section 5.

    Example:
        >>> from elementguard.cli import main
        >>> main(["rule", "no-such-rule"])
        2
    """
    console = Console()
    try:
        code = _run(arguments, console)
    except BrokenPipeError:
        # Whoever read has gone away, as `head` does. What is left can't be told to anyone.
        console.abandon()
        return EXIT_USAGE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return max(code, EXIT_USAGE) if console.has_lost else code


def _run(arguments: Sequence[str] | None, console: Console) -> int:
    """The command's code, once all that it wrote has got there."""
    try:
        code = _command(arguments, console)
        console.flush()
    except UnwrittenError as error:
        from elementguard.cli.inputs import shown_name

        if error.filename == STDOUT:
            console.abandon()  # of what argparse wrote, too
        console.error(f"{shown_name(error.filename)}: {error.strerror}")
        return EXIT_USAGE
    return code


def _command(arguments: Sequence[str] | None, console: Console) -> int:
    options = None
    try:
        options = parse(arguments)
        code: int = options.run(options, console)
    except SystemExit as stop:  # how argparse ends: after --help, --version, what it can't read
        return stop.code if isinstance(stop.code, int) else EXIT_USAGE
    except (BrokenPipeError, KeyboardInterrupt, UnwrittenError):
        raise
    except Exception as error:  # noqa: BLE001 -- whatever it is, the code must not be 0, nor 1
        console.error(f"internal error: {type(error).__name__}: {error}")
        if getattr(options, "verbose", 0):
            sys.excepthook(*sys.exc_info())
        return EXIT_USAGE
    return code
