"""Command line: a page for a browser.

Comes in: answers and their reports. Goes out: one page that loads nothing, with the findings by
input or by rule, search, a filter by level, and beside them what the rules say. It is `html`'s
frame; the data in it is written as it comes. An input without findings is counted only.

A browser has all of it in memory, so findings beyond a number that it can carry are counted too.
"""

from __future__ import annotations

import elementguard
from elementguard.cli.formats.place import left_out, told
from elementguard.cli.formats.text import shown, shows_notes
from elementguard.cli.html.explained import explained
from elementguard.cli.html.frame import frame
from elementguard.cli.html.island import island
from elementguard.cli.inputs import STDIN, shown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from elementguard._report import Report
    from elementguard.cli.answer import Answer
    from elementguard.cli.formats.place import Told
    from elementguard.cli.formats.sheet import Sheet
    from elementguard.cli.inputs import Unreadable
    from elementguard.cli.verdict import Tally

_MOST = 100_000  # findings in a page


class Html:
    """One page; the verdict is talk, and at the page's top."""

    def __init__(self, sheet: Sheet, options: Namespace) -> None:
        self._sheet, self._shows_notes = sheet, shows_notes(options)
        self._has_statistics = options.statistics
        self._title = title_of(options.inputs, options.stdin_filename)
        self._frame = frame("findings", f"{self._title} \u2013 elementguard check")
        self._codes: set[str] = set()
        self._room, self._more = _MOST, 0
        self._separator = "\n"
        sheet.write(f'{self._frame.before}{{"rows":[')

    def add(self, answer: Answer, report: Report) -> None:
        """Write the findings of an answer, if there are any."""
        findings = shown(report, notes=self._shows_notes)
        self._more += max(0, len(findings) - self._room)
        rows = [row(one) for one in told(answer, findings[: self._room])]
        self._room -= len(rows)
        self._codes.update(str(code) for _, code, *_ in rows)
        name = answer.name if answer.line is None else f"{answer.name}:{answer.line}"
        if rows or report.truncated:
            self._entry([name, "", left_out(report), rows])

    def fail(self, what: Unreadable) -> None:
        """Write what could not be checked."""
        self._entry([what.name, what.reason, 0, []])

    def end(self, tally: Tally) -> None:
        """Write what it all comes to and what the rules say, and close the page."""
        hidden = not self._shows_notes
        head = {
            "command": "check",
            "name": self._title,
            "facts": self._facts(),
            "verdict": f"{tally.word}: {tally.line(notes_hidden=hidden)}",
            "level": "passed" if tally.word == "passed" else "error",
        }
        tail = island({"head": head, "rules": explained(self._codes)})
        self._sheet.write(f"\n],{tail.removeprefix('{')}{self._frame.behind}")
        self._sheet.say_end(tally, statistics=self._has_statistics, notes_hidden=hidden)

    def _facts(self) -> list[str]:
        told = [f"{elementguard.engine} engine", f"rules {elementguard.RULES_VERSION}"]
        return [*told, f"{self._more:,} more findings are not in this page"] if self._more else told

    def _entry(self, entry: list[object]) -> None:
        self._sheet.write(f"{self._separator}{island(entry)}")
        self._separator = ",\n"


def title_of(inputs: list[str], stdin_name: str | None) -> str:
    """What was checked, as far as a line has room for it."""
    names = [stdin_name or "<stdin>" if name == STDIN else name for name in inputs or [STDIN]]
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"{shown_name(names[0])}{more}"


def row(one: Told) -> list[str]:
    """A finding: level, code, message, the way to it by role and id, its place."""
    finding = one.finding
    return [str(finding.level), finding.code, one.message, one.way, one.place]
