"""Command line: Markdown, for the summary page of a CI step.

Comes in: answers and their reports. Goes out: a heading, a table with a row a finding, the verdict.
Words of an answer must be no markup, no HTML, no link and no mention there, so all punctuation that
could make them one is masked.

GitHub refuses a summary of more than 1 MiB as a whole; rows beyond that are counted instead.
"""

from __future__ import annotations

import re

from elementguard._escape import escaped
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

_MOST = 900_000  # bytes of rows: what is left of 1 MiB is for the end, and for others
_MARKUP = re.compile(r"[\\`*_\[\]<>#|~$&]")
_LINKED = re.compile(r":(?=//)|@|(?<=www)\.|(?<=mailto):|(?<=xmpp):", re.IGNORECASE)
_HEAD = "| Level | Place | Rule | Message |\n|---|---|---|---|\n"


class Markdown:
    """Heading, table, verdict."""

    def __init__(self, sheet: Sheet, options: Namespace) -> None:
        self._sheet, self._shows_notes = sheet, shows_notes(options)
        self._has_verdict, self._has_statistics = not options.quiet, options.statistics
        self._written = self._left_out = 0
        sheet.write("## elementguard\n\n")

    def add(self, answer: Answer, report: Report) -> None:
        """Write a row for each finding."""
        self._left_out += left_out(report)
        for one in told(answer, shown(report, notes=self._shows_notes)):
            self._row(row(one))

    def fail(self, what: Unreadable) -> None:
        """Write what could not be checked."""
        self._row(cells("error", what.name, "", f"could not be checked: {what.reason}"))

    def end(self, tally: Tally) -> None:
        """Write what it all comes to."""
        write = self._sheet.write
        if self._written:
            write("\n")
        if self._left_out:
            write(f"{self._left_out} more findings are not listed.\n\n")
        if self._has_statistics and tally.by_rule:
            write(f"```text\n{tally.statistics()}```\n\n")
        if self._has_verdict:
            told_of = tally.line(notes_hidden=not self._shows_notes)
            write(f"**{tally.word}**: {masked(told_of)}\n")

    def _row(self, text: str) -> None:
        size = len(text.encode("utf-8", "replace"))
        if self._written + size > _MOST:
            self._left_out += 1
            return
        if not self._written:
            self._sheet.write(_HEAD)
        self._written += size
        self._sheet.write(text)


def row(one: Told) -> str:
    """A finding."""
    finding = one.finding
    return cells(str(finding.level), one.place, finding.code, f"{one.message} At {one.way}")


def cells(*texts: str) -> str:
    """A row of the table."""
    return f"| {' | '.join(map(masked, texts))} |\n"


def masked(text: str) -> str:
    """Text that stays text, in a table's cell too."""
    text = _MARKUP.sub(r"\\\g<0>", escaped(text))
    return _LINKED.sub(lambda found: f"&#{ord(found[0])};", text)
