"""Command line: findings for a person.

Comes in: answers and their reports. Goes out: a block of lines for each finding (`_render` makes
it), then the statistics if asked for, then the verdict: the last line. Notes are advice and hidden
unless asked for.
"""

from __future__ import annotations

from elementguard._level import Level
from elementguard._render import Page

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from elementguard._finding import Finding
    from elementguard._report import Report
    from elementguard.cli.answer import Answer
    from elementguard.cli.formats.sheet import Sheet
    from elementguard.cli.inputs import Unreadable
    from elementguard.cli.verdict import Tally


class Text:
    """Blocks, statistics, verdict."""

    def __init__(self, sheet: Sheet, options: Namespace) -> None:
        self._sheet = sheet
        self._shows_notes = shows_notes(options)
        self._has_verdict, self._has_statistics = not options.quiet, options.statistics

    def add(self, answer: Answer, report: Report) -> None:
        """Write an answer's findings."""
        findings = shown(report, notes=self._shows_notes)
        if not findings:
            return
        sheet = self._sheet
        page = Page(
            answer.data, name=answer.name, line=answer.line, width=sheet.width, paint=sheet.paint
        )
        for block in page.blocks(findings):
            sheet.write(f"{block}\n\n")
        if report.truncated:
            more = sum(report.counts.values()) - len(report.findings)
            sheet.write(f"{answer.name}: {more} more findings (limits.findings)\n\n")

    def fail(self, what: Unreadable) -> None:
        """Nothing: the console has said it, and the verdict counts it."""

    def end(self, tally: Tally) -> None:
        """Write what it all comes to."""
        if self._has_statistics and tally.by_rule:
            self._sheet.write(f"{tally.statistics()}\n")
        if self._has_verdict:
            word = self._sheet.paint(tally.word, tally.word)
            self._sheet.write(f"{word}: {tally.line(notes_hidden=not self._shows_notes)}\n")


def shows_notes(options: Namespace) -> bool:
    """Whether notes are told: asked for, or what the exit code may depend on."""
    return bool(options.notes) or options.fail_level == "note"


def shown(report: Report, *, notes: bool) -> list[Finding]:
    """The findings to tell of."""
    return [one for one in report.findings if notes or one.level is not Level.NOTE]
