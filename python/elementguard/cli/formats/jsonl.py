"""Command line: JSON for programs that read line by line.

Comes in: answers and their reports. Goes out: an object a line, one for each answer, as `json` has
them in `inputs`; the last line has the totals, so that a reader sees whether something is missing.
"""

from __future__ import annotations

from elementguard._json import dumps
from elementguard.cli.formats.json import VERSION, input_of, tool, totals_of, unread_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from elementguard._report import Report
    from elementguard.cli.answer import Answer
    from elementguard.cli.formats.sheet import Sheet
    from elementguard.cli.inputs import Unreadable
    from elementguard.cli.verdict import Tally


class Jsonl:
    """One line an answer; the verdict is talk."""

    def __init__(self, sheet: Sheet, options: Namespace) -> None:
        self._sheet, self._has_statistics = sheet, options.statistics

    def add(self, answer: Answer, report: Report) -> None:
        """Write an answer's line."""
        self._line(input_of(answer, report))

    def fail(self, what: Unreadable) -> None:
        """Write what could not be checked, and why."""
        self._line(unread_of(what))

    def end(self, tally: Tally) -> None:
        """Write the totals."""
        self._line({"tool": tool(), **totals_of(tally)})
        self._sheet.say_end(tally, statistics=self._has_statistics, notes_hidden=False)

    def _line(self, item: dict[str, object]) -> None:
        self._sheet.write(f"{dumps({'version': VERSION, **item})}\n")
