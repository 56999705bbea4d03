"""Command line: JUnit's XML, as CI servers show test results.

Comes in: answers and their reports. Goes out: a test suite for each answer, written as a whole, and
in it a test case for each finding. What is at or above the fail level is a failure; what is below
it passes and says so in its output, for the page must not be red where the exit code is 0.

XML 1.0 has characters that it cannot hold even as a reference. They are written as an escape.
"""

from __future__ import annotations

from html import escape

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

_FORBIDDEN = {0xFFFE: "\\ufffe", 0xFFFF: "\\uffff"}  # beside controls and surrogates


class Junit:
    """A suite an answer; the verdict is talk."""

    def __init__(self, sheet: Sheet, options: Namespace) -> None:
        self._sheet, self._shows_notes = sheet, shows_notes(options)
        self._has_statistics = options.statistics
        self._fail_rank = Level(options.fail_level).rank
        sheet.write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="elementguard">\n')

    def add(self, answer: Answer, report: Report) -> None:
        """Write an answer's suite."""
        name = answer.name if answer.line is None else f"{answer.name}:{answer.line}"
        findings = list(told(answer, shown(report, notes=self._shows_notes)))
        failing = [one.finding.level.rank >= self._fail_rank for one in findings]
        cases = [case(name, one, fails=fails) for one, fails in zip(findings, failing, strict=True)]
        if report.truncated:
            more = f"{left_out(report)} more findings (limits.findings)"
            cases.append(passing(name, "limits.findings", more))
        cases = cases or [passing(name, "no findings", "")]
        self._sheet.write(suite(name, cases, failures=sum(failing)))

    def fail(self, what: Unreadable) -> None:
        """Write a suite whose one case could not be run."""
        error = f"<error {_attributes(type='unreadable', message=what.reason)}/>"
        self._sheet.write(suite(what.name, [_case(what.name, "readable", error)], errors=1))

    def end(self, tally: Tally) -> None:
        """Close the document."""
        self._sheet.write("</testsuites>\n")
        self._sheet.say_end(
            tally, statistics=self._has_statistics, notes_hidden=not self._shows_notes
        )


def suite(name: str, cases: list[str], *, failures: int = 0, errors: int = 0) -> str:
    """The cases of one answer."""
    head = _attributes(name=name, tests=len(cases), failures=failures, errors=errors)
    return f"<testsuite {head}>\n{''.join(cases)}</testsuite>\n"


def case(name: str, one: Told, *, fails: bool) -> str:
    """A finding."""
    finding = one.finding
    text = f"{one.place}: {finding.level} {finding.code}: {one.message}\nat {one.way}"
    if not fails:
        return passing(name, finding.code, text)
    head = _attributes(type=finding.code, message=one.message)
    return _case(name, finding.code, f"<failure {head}>{xml(text)}</failure>")


def passing(name: str, of: str, text: str) -> str:
    """A case that is no failure."""
    return _case(name, of, f"<system-out>{xml(text)}</system-out>" if text else "")


def xml(text: str) -> str:
    """Text that any XML 1.0 reader gives back, but for what it cannot hold."""
    lines = map(escaped, text.split("\n"))
    return escape("\n".join(lines).translate(_FORBIDDEN))


def _case(name: str, of: str, inside: str) -> str:
    head = _attributes(classname=name, name=of)
    return f"<testcase {head}>{inside}</testcase>\n" if inside else f"<testcase {head}/>\n"


def _attributes(**given: object) -> str:
    return " ".join(f'{key}="{xml(escaped(str(value)))}"' for key, value in given.items())
