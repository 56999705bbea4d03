"""Command line: where findings are, as machines want to be told.

Comes in: an answer, and those of its findings that are told. Goes out: each with line and column as
numbers, the way to it by role and id, and a fingerprint that stays the same when other parts of the
answer change: the way from the innermost element with an id, not the line. All of it is fit for
text; what a format has to escape besides is its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from elementguard._breadcrumb import from_source, tokens_of
from elementguard._escape import escaped
from elementguard._source import Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from elementguard._finding import Finding
    from elementguard._report import Report
    from elementguard.cli.answer import Answer


class Told(NamedTuple):
    """A finding, and where it is."""

    finding: Finding
    name: str
    line: int | None  # None: the file may be another one by now
    column: int | None
    way: str
    fingerprint: str

    @property
    def message(self) -> str:
        """The finding's message; it may quote what the user said, such as a media type."""
        return escaped(self.finding.message)

    @property
    def place(self) -> str:
        """`name:line:column`, as far as they are known."""
        return self.name if self.line is None else f"{self.name}:{self.line}:{self.column}"


def told(answer: Answer, findings: list[Finding]) -> Iterator[Told]:
    """The findings of one answer, each with its place."""
    if not findings:
        return
    data = answer.data
    source = None if data is None else Source(data)
    ways = {} if data is None else from_source(data, {one.pointer for one in findings})
    for finding, fingerprint in zip(findings, fingerprints(answer, findings), strict=True):
        line, column = _place(answer, finding, source)
        way = ways.get(finding.pointer) or finding.breadcrumb
        yield Told(finding, answer.name, line, column, way, fingerprint)


def fingerprints(answer: Answer, findings: Iterable[Finding]) -> Iterator[str]:
    """The fingerprint of each: of several that are alike in one answer each has its own."""
    from hashlib import sha256

    seen: dict[str, int] = {}
    for finding in findings:
        words = [answer.name, str(answer.line or ""), finding.code, *_identity(finding)]
        key = "\0".join(words)
        seen[key] = again = seen.get(key, 0) + 1
        yield sha256(f"{key}\0{again}".encode("utf-8", "surrogatepass")).hexdigest()[:32]


def left_out(report: Report) -> int:
    """How many findings were counted and not kept (`limits.findings`)."""
    return sum(report.counts.values()) - len(report.findings)


def _place(
    answer: Answer, finding: Finding, source: Source | None
) -> tuple[int | None, int | None]:
    if source is None or finding.offset is None:
        return None, None
    line, column = source.place(finding.offset)
    return answer.line or line, column


def _identity(finding: Finding) -> list[str]:
    """The element's id and the way from there; without one the whole way."""
    tokens = tokens_of(finding.pointer)
    if finding.element is None:
        return tokens
    behind = [at for at, token in enumerate(tokens[:-1]) if token == "children"]
    start = behind[-1] + 2 if behind else int(tokens[:1] == ["root"])
    return [finding.element, *tokens[start:]]
