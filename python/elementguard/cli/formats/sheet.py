"""Command line: what a format writes on.

Comes in: the console, or an open file. Goes out: `Sheet`. Colours and the terminal's width are for
stdout alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from elementguard._render import WIDTH, plain
from elementguard.cli.unwritten import writing

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from elementguard._render import Paint
    from elementguard.cli.console import Console
    from elementguard.cli.verdict import Tally


class Sheet(NamedTuple):
    """Where a format writes, and how."""

    write: Callable[[str], object]
    talk: Callable[[str], object]  # for a machine's format: what a person may want to know besides
    paint: Paint
    width: int

    @classmethod
    def on_console(cls, console: Console) -> Sheet:
        """Stdout; talk goes to stderr."""
        return cls(console.write, console.say, console.paint, console.width)

    @classmethod
    def on_file(cls, file: TextIO, name: str) -> Sheet:
        """A file: UTF-8 without colours, and nobody to talk to."""

        def write(text: str) -> None:
            with writing(name):
                file.write(text)

        return cls(write, lambda _text: None, plain, WIDTH)

    def say_end(self, tally: Tally, *, statistics: bool, notes_hidden: bool) -> None:
        """Talk of what it all comes to: what a machine's format ends with."""
        if statistics and tally.by_rule:
            self.talk(tally.statistics().rstrip("\n"))
        self.talk(f"{tally.word}: {tally.line(notes_hidden=notes_hidden)}")
