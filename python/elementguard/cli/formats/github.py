"""Command line: GitHub's workflow commands, which become annotations beside the changed lines.

Comes in: answers and their reports. Goes out: `::error file=...,line=...,col=...::message`, one
line a finding. The runner reads a line as a command with properties and a message; what ends either
of them is written as the runner unescapes it: `%`, CR and LF, in properties `:` and `,` as well.
"""

from __future__ import annotations

from elementguard._escape import escaped
from elementguard._level import Level
from elementguard.cli.formats.place import left_out, told
from elementguard.cli.formats.text import shown, shows_notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from elementguard._report import Report
    from elementguard.cli.answer import Answer
    from elementguard.cli.formats.place import Told
    from elementguard.cli.formats.sheet import Sheet
    from elementguard.cli.inputs import Unreadable
    from elementguard.cli.verdict import Tally

_COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}
_MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = _MESSAGE | str.maketrans({":": "%3A", ",": "%2C"})


class Github:
    """A command a finding; the verdict is talk."""

    def __init__(self, sheet: Sheet, options: Namespace) -> None:
        self._sheet, self._shows_notes = sheet, shows_notes(options)
        self._has_statistics = options.statistics

    def add(self, answer: Answer, report: Report) -> None:
        """Write a command for each finding."""
        for one in told(answer, shown(report, notes=self._shows_notes)):
            self._sheet.write(annotation(one))
        if report.truncated:
            more = f"{left_out(report)} more findings (limits.findings)"
            self._sheet.write(command("notice", more, file=answer.name))

    def fail(self, what: Unreadable) -> None:
        """Write that it could not be checked."""
        self._sheet.write(
            command("error", what.reason, file=what.name, title="could not be checked")
        )

    def end(self, tally: Tally) -> None:
        """Say what it all comes to."""
        self._sheet.say_end(
            tally, statistics=self._has_statistics, notes_hidden=not self._shows_notes
        )


def annotation(one: Told) -> str:
    """The command of a finding; its title is the code, its last line the way to the place."""
    finding = one.finding
    message = f"{one.message}\nat {one.way}"
    return command(
        _COMMANDS[finding.level],
        message,
        file=one.name,
        line=one.line,
        col=one.column,
        title=finding.code,
    )


def command(name: str, message: str, **properties: object) -> str:
    """One line that the runner takes for this command, with this message and no other."""
    told_of = ",".join(
        f"{key}={_safe(str(value)).translate(_PROPERTY)}"
        for key, value in properties.items()
        if value is not None
    )
    return f"::{name} {told_of}::{_safe(message).translate(_MESSAGE)}\n"


def _safe(text: str) -> str:
    """Escaped but for our own line ends, which the message's table writes."""
    return "\n".join(map(escaped, text.split("\n")))
