"""Command line: SARIF 2.1.0, as code scanning reads it.

Comes in: answers and their reports. Goes out: one log with one run. Its results are written as they
come; the rules they name, with their help, and the inputs that could not be checked stand behind
them (members of an object have no order).

A message is no plain string in SARIF: braces stand for an argument (3.11.5) and `[text](target)` is
a link (3.11.6). Both are masked, so that no word of an answer can become one. The backslash that
could mask brackets is shown by many viewers; a space between `]` and `(` is understood by all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import elementguard
from elementguard._escape import escaped
from elementguard._finding import shown_pointer
from elementguard._json import dumps
from elementguard._rules import RULES
from elementguard.cli.formats.place import left_out, told
from elementguard.cli.formats.text import shown, shows_notes

if TYPE_CHECKING:
    from argparse import Namespace

    from elementguard._report import Report
    from elementguard.cli.answer import Answer
    from elementguard.cli.formats.place import Told
    from elementguard.cli.formats.sheet import Sheet
    from elementguard.cli.inputs import Unreadable
    from elementguard.cli.verdict import Tally

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_BRACES = str.maketrans({"{": "{{", "}": "}}"})


class Sarif:
    """One run; the verdict is talk."""

    def __init__(self, sheet: Sheet, options: Namespace) -> None:
        self._sheet, self._shows_notes = sheet, shows_notes(options)
        self._has_statistics = options.statistics
        self._rules: dict[str, int] = {}
        self._unread: list[Unreadable] = []
        self._left_out = 0
        head = dumps({"$schema": _SCHEMA, "version": "2.1.0"}).removesuffix("}")
        sheet.write(f'{head},"runs":[{{"columnKind":"unicodeCodePoints","results":[')
        self._separator = "\n"

    def add(self, answer: Answer, report: Report) -> None:
        """Write a result for each finding."""
        self._left_out += left_out(report)
        for one in told(answer, shown(report, notes=self._shows_notes)):
            rule = self._rules.setdefault(one.finding.code, len(self._rules))
            self._sheet.write(f"{self._separator}{dumps(result(one, rule))}")
            self._separator = ",\n"

    def fail(self, what: Unreadable) -> None:
        """Keep it: the run tells of it at its end."""
        self._unread.append(what)

    def end(self, tally: Tally) -> None:
        """Write the rules and how the run went, and close the log."""
        notices = [unread(what) for what in self._unread]
        if self._left_out:
            notices.append(cut(self._left_out))
        invocation = {
            "executionSuccessful": not self._unread,
            "exitCode": tally.exit_code,
            "toolExecutionNotifications": notices,
        }
        driver = {
            "name": "elementguard",
            "semanticVersion": elementguard.__version__,
            "rules": [rule_of(code) for code in self._rules],
        }
        tail = dumps({"tool": {"driver": driver}, "invocations": [invocation]})
        self._sheet.write(f"\n],{tail.removeprefix('{')}]}}\n")
        self._sheet.say_end(
            tally, statistics=self._has_statistics, notes_hidden=not self._shows_notes
        )


def result(one: Told, rule: int) -> dict[str, object]:
    """A finding; its exact pointer is `json`'s, what is here is for people."""
    finding = one.finding
    return {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": str(finding.level),
        "message": {"text": masked(one.message)},
        "locations": [{"physicalLocation": physical(one), "logicalLocations": [logical(one)]}],
        "partialFingerprints": {"elementguard/v1": one.fingerprint},
        "properties": {"offset": finding.offset, "section": finding.section},
    }


def physical(one: Told) -> dict[str, object]:
    """The file, and where in it."""
    place: dict[str, object] = {"artifactLocation": {"uri": uri(one.name)}}
    if one.line is not None:
        place["region"] = {"startLine": one.line, "startColumn": one.column}
    return place


def logical(one: Told) -> dict[str, object]:
    """The place in the tree."""
    pointer, element = one.finding.pointer, one.finding.element
    place: dict[str, object] = {
        "fullyQualifiedName": shown_pointer(pointer),
        "decoratedName": one.way,
    }
    if element is not None:
        place |= {"name": element, "kind": "element"}
    return place


def rule_of(code: str) -> dict[str, object]:
    """A rule, with its page as help: our own text, which viewers show as it is."""
    rule = RULES[code]
    return {
        "id": code,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.explanation},
        "help": {"text": rule.fix, "markdown": rule.page},
        "defaultConfiguration": {"level": str(rule.level)},
        "properties": {"section": rule.section, "tags": ["elements"]},
    }


def unread(what: Unreadable) -> dict[str, object]:
    """An input that could not be checked."""
    return {
        "level": "error",
        "message": {"text": masked(escaped(what.reason))},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": uri(what.name)}}}],
    }


def cut(count: int) -> dict[str, object]:
    """What was only counted."""
    return {"level": "note", "message": {"text": f"{count} more findings (limits.findings)"}}


def masked(text: str) -> str:
    """A message that is read as it stands."""
    return text.translate(_BRACES).replace("](", "] (")


def uri(name: str) -> str:
    """A file's name as a reference (RFC 3986); only an absolute one gets a scheme."""
    path = quote(name, safe="/")
    return f"file://{path}" if path.startswith("/") else path
