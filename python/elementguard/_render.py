"""Facade: findings as text for a person.

Comes in: a report and, if at hand, the source. Goes out: lines. `report.render` and the command
line's text format both come from here, so they cannot drift apart; colour is the command line's
`paint`. The head line is the one that editors know: place, level, code, message. Below it stands
the piece of the source with a caret, the way to the place by role and id, and the card's advice,
which is told once for each rule.
"""

from __future__ import annotations

import textwrap

from elementguard._breadcrumb import from_source
from elementguard._finding import shown_pointer
from elementguard._rules import RULES
from elementguard._source import Source, display_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from elementguard._finding import Finding
    from elementguard._report import Report

    Paint = Callable[[str, str], str]

WIDTH = 100


def plain(style: str, text: str) -> str:  # noqa: ARG001 -- a `Paint` that has no colours
    """The text as it is."""
    return text


def report_text(report: Report, source: object) -> str:
    """The whole report: what `report.render` gives."""
    page = Page(source)
    blocks = list(page.blocks(report.findings))
    verdict = f"{'ok' if report.ok else 'not ok'}: {report}"
    if report.truncated:
        verdict += f" (the first {len(report.findings)} are shown)"
    return "\n\n".join([*blocks, verdict])


class Page:
    """The findings of one answer as blocks of text.

    Args:
        source: what was checked, or None where it is not at hand.
        name: what places begin with, such as a file's name; already fit for text.
        line: the answer's line in a file of many; places then name that one.
        width: columns to keep to.
        paint: gives a style ("error", "place", "caret" ...) to a text.
    """

    def __init__(
        self,
        source: object,
        *,
        name: str = "",
        line: int | None = None,
        width: int = WIDTH,
        paint: Paint = plain,
    ) -> None:
        self._source = None if source is None else Source(source)
        self._name, self._line, self._width, self._paint = name, line, width, paint

    def blocks(self, findings: Iterable[Finding]) -> Iterator[str]:
        """One block of lines for each finding."""
        findings = list(findings)
        crumbs = self._crumbs(findings)
        told: set[str] = set()
        for finding in findings:
            lines = [self.head(finding), *self._excerpt(finding), self._way(finding, crumbs)]
            if finding.code not in told:
                lines += self._advice(finding)
            told.add(finding.code)
            yield "\n".join(lines)

    def head(self, finding: Finding) -> str:
        """Place, level, code and message in one line."""
        level = self._paint(finding.level, str(finding.level))
        code = self._paint("code", finding.code)
        return f"{self._paint('place', self.place(finding))}: {level} {code}: {finding.message}"

    def place(self, finding: Finding) -> str:
        """`name:line:column`, as far as they are known."""
        if finding.offset is None:
            words = [self._name, shown_pointer(finding.pointer)]
        elif self._source is None:
            words = [self._name, f"byte {finding.offset}"]
        else:
            line, column = self._source.place(finding.offset)
            words = [self._name, str(self._line or line), str(column)]
        return ":".join(word for word in words if word)

    def _crumbs(self, findings: list[Finding]) -> dict[str, str]:
        if self._source is None or not findings:
            return {}
        return from_source(self._source.data, {finding.pointer for finding in findings})

    def _excerpt(self, finding: Finding) -> list[str]:
        if self._source is None or finding.offset is None:
            return []
        number = str(self._line or self._source.place(finding.offset)[0])
        margin = " " * len(number)
        before, behind = self._source.excerpt(finding.offset, self._width - len(number) - 3)
        caret = self._paint(finding.level, "^")
        return [
            f"{margin} {self._bar}",
            f"{self._paint('bar', number)} {self._bar} {before}{behind}".rstrip(),
            f"{margin} {self._bar} {' ' * display_width(before)}{caret}",
        ]

    def _way(self, finding: Finding, crumbs: dict[str, str]) -> str:
        way = crumbs.get(finding.pointer) or finding.breadcrumb
        return f"  {self._paint('bar', 'at')}  {way}"

    def _advice(self, finding: Finding) -> list[str]:
        first = RULES[finding.code].fix.split("\n\n", 1)[0]
        lines = textwrap.wrap(
            " ".join(first.split()),
            max(self._width - 6, 20),
            break_long_words=False,
            break_on_hyphens=False,
        )
        return [
            f"  {self._paint('bar', 'fix')} {lines[0]}",
            *(f"      {line}" for line in lines[1:]),
        ]

    @property
    def _bar(self) -> str:
        return self._paint("bar", "|")
