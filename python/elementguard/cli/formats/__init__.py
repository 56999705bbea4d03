"""Command line: the output formats, one file each.

Comes in: what `--output-format` says. Goes out: for each a `Wanted` that opens it, on stdout or on
its file. A format is told of each answer at once and keeps none, so a million lines cost no memory.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Protocol

from elementguard.cli.formats.sheet import Sheet
from elementguard.cli.unwritten import opening
from elementguard.cli.written import whole_text

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from elementguard._report import Report
    from elementguard.cli.answer import Answer
    from elementguard.cli.console import Console
    from elementguard.cli.inputs import Unreadable
    from elementguard.cli.verdict import Tally


class Format(Protocol):
    """One way to tell of findings."""

    def __init__(self, sheet: Sheet, options: Namespace) -> None: ...

    def add(self, answer: Answer, report: Report) -> None:
        """Tell of an answer."""

    def fail(self, what: Unreadable) -> None:
        """Tell of an input that could not be checked."""

    def end(self, tally: Tally) -> None:
        """Tell what it all comes to."""


# Each is a module of this package, with a class of its name. One is imported when it is asked for:
# all of them take longer to import than most runs last.
NAMES = (
    *("text", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit", "markdown"),
    "html",
)
_TELL_CLEAN = ("json", "jsonl", "junit")


class Wanted(NamedTuple):
    """A format, and the file it goes to; None: stdout."""

    name: str
    file: str | None

    @property
    def tells_clean(self) -> bool:
        """Whether it tells of answers without a finding as well."""
        return self.name in _TELL_CLEAN

    @contextmanager
    def open(self, options: Namespace, console: Console) -> Iterator[Format]:
        """The format, ready to be told.

        Raises:
            UnwrittenError: its file cannot be written.
        """
        form = _class_of(self.name)
        if self.file is None:
            yield form(Sheet.on_console(console), options)
            return
        with opening(self.file, whole_text(self.file)) as file:
            yield form(Sheet.on_file(file, self.file), options)


def parse(given: list[str], inputs: list[str]) -> list[Wanted]:
    """The formats that were asked for; text on stdout if none was.

    Raises:
        ValueError: there is no such format, two of them go to one place, or one to an input.
    """
    wanted = [_wanted(text) for text in given] or [Wanted("text", None)]
    places = [one.file and os.path.realpath(one.file) for one in wanted]
    if len(set(places)) < len(places):
        raise ValueError("--output-format: each format needs a place of its own: FORMAT=FILE")
    # A name with NUL in it is no file: whoever opens it will say so.
    read = {os.path.realpath(name) for name in inputs if "\0" not in name}
    if read.intersection(filter(None, places)):
        raise ValueError("--output-format: a file that is checked cannot be written to as well")
    return wanted


def _class_of(name: str) -> type[Format]:
    found: type[Format] = getattr(import_module(f"{__name__}.{name}"), name.capitalize())
    return found


def _wanted(text: str) -> Wanted:
    name, equals, file = text.partition("=")
    if name not in NAMES:
        raise ValueError(f"--output-format: {', '.join(NAMES)} are there, not {name!r}")
    if equals and not file:
        raise ValueError(f"--output-format: a file is missing behind {text!r}")
    return Wanted(name, None if file in ("", "-") else file)
