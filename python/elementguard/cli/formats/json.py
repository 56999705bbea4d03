"""Command line: JSON for programs.

Comes in: answers and their reports. Goes out: one object, `schema("report")` describes it, written
piece by piece: its head, an item for each answer, its totals. Each item holds the report as
`report.to_dict()` gives it, unchanged.
"""

from __future__ import annotations

import elementguard
from elementguard._json import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from elementguard._report import Report
    from elementguard.cli.answer import Answer
    from elementguard.cli.formats.sheet import Sheet
    from elementguard.cli.inputs import Unreadable
    from elementguard.cli.verdict import Tally

VERSION = 1


class Json:
    """One object, one line an answer; the verdict is talk."""

    def __init__(self, sheet: Sheet, options: Namespace) -> None:
        self._sheet = sheet
        self._has_statistics = options.statistics
        tool = {
            "name": "elementguard",
            "version": elementguard.__version__,
            "engine": elementguard.engine,
            "rules_version": elementguard.RULES_VERSION,
        }
        head = dumps({"version": VERSION, "tool": tool}).removesuffix("}")
        sheet.write(f'{head},"inputs":[')
        self._separator = "\n"

    def add(self, answer: Answer, report: Report) -> None:
        """Write an answer's item."""
        self._item({"name": answer.name, "line": answer.line, "report": report.to_dict()})

    def fail(self, what: Unreadable) -> None:
        """Write what could not be checked, and why."""
        self._item({"name": what.name, "line": None, "error": what.reason})

    def end(self, tally: Tally) -> None:
        """Write the totals and close the object."""
        totals = {
            "answers": tally.answers,
            "unreadable": tally.unreadable,
            **{f"{level}s": count for level, count in tally.by_level.items()},
        }
        tail = dumps({"totals": totals, "verdict": tally.word, "exit_code": tally.exit_code})
        self._sheet.write(f"\n],{tail.removeprefix('{')}\n")
        if self._has_statistics and tally.by_rule:
            self._sheet.talk(tally.statistics().rstrip("\n"))
        self._sheet.talk(f"{tally.word}: {tally.line(notes_hidden=False)}")

    def _item(self, item: dict[str, object]) -> None:
        self._sheet.write(f"{self._separator}{dumps(item)}")
        self._separator = ",\n"
