"""Command line: GitLab's code quality report.

Comes in: answers and their reports. Goes out: one array, an item a finding, written piece by piece.
A fingerprint says which findings of two runs are the same one; it does not depend on the line.
"""

from __future__ import annotations

from elementguard._escape import escaped
from elementguard._json import dumps
from elementguard._level import Level
from elementguard.cli.formats.place import told
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

_SEVERITIES = {Level.ERROR: "major", Level.WARNING: "minor", Level.NOTE: "info"}


class Gitlab:
    """One array; the verdict is talk."""

    def __init__(self, sheet: Sheet, options: Namespace) -> None:
        self._sheet, self._shows_notes = sheet, shows_notes(options)
        self._has_statistics = options.statistics
        sheet.write("[")
        self._separator = "\n"

    def add(self, answer: Answer, report: Report) -> None:
        """Write an item for each finding."""
        for one in told(answer, shown(report, notes=self._shows_notes)):
            self._item(item(one))

    def fail(self, what: Unreadable) -> None:
        """Write what could not be checked: left out it would look mended."""
        self._item(unread(what))

    def end(self, tally: Tally) -> None:
        """Close the array."""
        self._sheet.write("\n]\n")
        self._sheet.say_end(
            tally, statistics=self._has_statistics, notes_hidden=not self._shows_notes
        )

    def _item(self, item: dict[str, object]) -> None:
        self._sheet.write(f"{self._separator}{dumps(item)}")
        self._separator = ",\n"


def item(one: Told) -> dict[str, object]:
    """A finding."""
    return {
        "description": f"{one.message} (at {one.way})",
        "check_name": one.finding.code,
        "fingerprint": one.fingerprint,
        "severity": _SEVERITIES[one.finding.level],
        "location": {"path": one.name, "lines": {"begin": one.line or 1}},
    }


def unread(what: Unreadable) -> dict[str, object]:
    """An input that could not be checked."""
    from hashlib import sha256

    key = f"{what.name}\0{what.reason}".encode("utf-8", "surrogatepass")
    return {
        "description": f"could not be checked: {escaped(what.reason)}",
        "check_name": "unreadable",
        "fingerprint": sha256(key).hexdigest()[:32],
        "severity": "blocker",
        "location": {"path": what.name, "lines": {"begin": 1}},
    }
