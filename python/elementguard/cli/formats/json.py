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
        head = dumps({"version": VERSION, "tool": tool()}).removesuffix("}")
        sheet.write(f'{head},"inputs":[')
        self._separator = "\n"

    def add(self, answer: Answer, report: Report) -> None:
        """Write an answer's item."""
        self._item(input_of(answer, report))

    def fail(self, what: Unreadable) -> None:
        """Write what could not be checked, and why."""
        self._item(unread_of(what))

    def end(self, tally: Tally) -> None:
        """Write the totals and close the object."""
        tail = dumps(totals_of(tally))
        self._sheet.write(f"\n],{tail.removeprefix('{')}\n")
        self._sheet.say_end(tally, statistics=self._has_statistics, notes_hidden=False)

    def _item(self, item: dict[str, object]) -> None:
        self._sheet.write(f"{self._separator}{dumps(item)}")
        self._separator = ",\n"


def tool() -> dict[str, object]:
    """What wrote it."""
    return {
        "name": "elementguard",
        "version": elementguard.__version__,
        "engine": elementguard.engine,
        "rules_version": elementguard.RULES_VERSION,
    }


def input_of(answer: Answer, report: Report) -> dict[str, object]:
    """An answer's item."""
    return {"name": answer.name, "line": answer.line, "report": report.to_dict()}


def unread_of(what: Unreadable) -> dict[str, object]:
    """The item of what could not be checked."""
    return {"name": what.name, "line": None, "error": what.reason}


def totals_of(tally: Tally) -> dict[str, object]:
    """What it all comes to."""
    totals = {
        "answers": tally.answers,
        "unreadable": tally.unreadable,
        **{f"{level}s": count for level, count in tally.by_level.items()},
    }
    return {"totals": totals, "verdict": tally.word, "exit_code": tally.exit_code}
