"""Command line: one line a finding, as editors and `grep` read them.

Comes in: answers and their reports. Goes out: `file:line:column: level code message`, and nothing
else on stdout.
"""

from __future__ import annotations

from elementguard._render import Page
from elementguard.cli.formats.text import shown, shows_notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from elementguard._report import Report
    from elementguard.cli.answer import Answer
    from elementguard.cli.formats.sheet import Sheet
    from elementguard.cli.inputs import Unreadable
    from elementguard.cli.verdict import Tally


class Concise:
    """Head lines alone; the verdict is talk."""

    def __init__(self, sheet: Sheet, options: Namespace) -> None:
        self._sheet, self._shows_notes = sheet, shows_notes(options)
        self._has_statistics = options.statistics

    def add(self, answer: Answer, report: Report) -> None:
        """Write a line for each finding."""
        findings = shown(report, notes=self._shows_notes)
        if findings:
            page = Page(answer.data, name=answer.name, line=answer.line, paint=self._sheet.paint)
            self._sheet.write("".join(f"{page.head(finding)}\n" for finding in findings))

    def fail(self, what: Unreadable) -> None:
        """Nothing: the console has said it."""

    def end(self, tally: Tally) -> None:
        """Say what it all comes to."""
        self._sheet.say_end(
            tally, statistics=self._has_statistics, notes_hidden=not self._shows_notes
        )
