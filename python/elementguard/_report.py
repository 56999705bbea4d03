"""Facade: what a check found.

Comes in: an engine's outcome, and the levels of the rules. Goes out: `Report`.
Hosts check every answer and look into few reports, so making one stores a reference or two and
nothing else. Findings and the summary are made when asked for and kept; what two threads make at
once is equal, and one of the two stays.
"""

from __future__ import annotations

from collections import Counter
from types import MappingProxyType

from elementguard._catalogue import CATALOGUE
from elementguard._errors import ValidationError
from elementguard._finding import Finding
from elementguard._level import LEVELS, Level
from elementguard._rules import DEFAULT_LEVELS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Never

    from elementguard._engine import Outcome, Row
    from elementguard._summary import Summary

    Content = tuple[bool, bool, bool, list[tuple[int, int]], tuple[object, ...] | None, list[Row]]

_VERSION = 1  # of the JSON form; its schema is schemas/report.schema.json


class Report:
    """What `check` found. Made by `check`.

    Immutable, picklable, equal by content; holds nothing of the source. It has no truth value: ask
    `report.ok`.

    Section:
        Elements 0.2.0, all of section 5.

    Example:
        >>> import elementguard as eg
        >>> report = eg.check({"id": "n-7", "role": "Group", "focused": False}, kind="element")
        >>> report.ok, dict(report.counts), report.warnings[0].pointer
        (True, {'false-state': 1}, '/focused')
        >>> print(report)
        1 warning
    """

    # Filled by `filled`, and by the compiled engine, which leaves `_moved` out where no rule can be
    # moved: to call a constructor would cost it more.
    __slots__ = ("_findings", "_moved", "_outcome", "_summary")

    _outcome: Outcome
    _moved: bytes
    _findings: tuple[Finding, ...]
    _summary: Summary

    @property
    def ok(self) -> bool:
        """True exactly when there is no error (kept or only counted)."""
        return self._outcome.ok

    @property
    def complete(self) -> bool:
        """Whether the answer was read to its end: false exactly after a fatal finding."""
        return not self._outcome.fatal

    @property
    def truncated(self) -> bool:
        """Whether findings were counted and not kept (`limits.findings`)."""
        return self._outcome.truncated

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings that were kept, in document order."""
        try:
            return self._findings
        except AttributeError:
            levels = self._levels
            made = tuple(Finding(row, levels[row[0]]) for row in self._outcome.findings())
            self._findings = made
            return made

    @property
    def errors(self) -> tuple[Finding, ...]:
        """Those of the findings that are errors."""
        return self._of(Level.ERROR)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """Those of the findings that are warnings."""
        return self._of(Level.WARNING)

    @property
    def notes(self) -> tuple[Finding, ...]:
        """Those of the findings that are notes."""
        return self._of(Level.NOTE)

    @property
    def counts(self) -> Mapping[str, int]:
        """How many findings each rule has, kept or not, in the catalogue's order. Read-only."""
        pairs = self._outcome.counts()
        return MappingProxyType({CATALOGUE[number][0]: count for number, count in pairs})

    @property
    def summary(self) -> Summary | None:
        """What is in the answer: sizes, roles, focus, selection. `None` if it is not complete."""
        try:
            return self._summary
        except AttributeError:
            from elementguard._summary import Summary

            row = self._outcome.summary()
            if row is None:
                return None
            self._summary = made = Summary(row)
            return made

    def count(self, level: str) -> int:
        """How many findings of a level there are, kept or not.

        Args:
            level: a `Level` or its word.

        Returns:
            Their number.

        Raises:
            ValueError: the word is no level.

        Section:
            Elements 0.2.0, all of section 5.

        Example:
            >>> import elementguard as eg
            >>> eg.check(b"").count("error")
            1
        """
        rank = Level(level).rank
        levels = self._levels
        return sum(count for number, count in self._outcome.counts() if levels[number] == rank)

    def raise_for_errors(self) -> None:
        """Raise if there is an error.

        Raises:
            ValidationError: the report is not `ok`.

        Section:
            Elements 0.2.0, all of section 5.

        Example:
            >>> import elementguard as eg
            >>> eg.check({"id": "a", "role": "Group"}, kind="element").raise_for_errors()
        """
        if not self._outcome.ok:
            raise ValidationError(self)

    def to_dict(self) -> dict[str, object]:
        """The report as JSON types.

        Returns:
            A dict that `schema("report")` describes: `version` (1), `ok complete truncated counts
            findings summary`.

        Section:
            Elements 0.2.0, all of section 5.

        Example:
            >>> import elementguard as eg
            >>> eg.check(b"[]").to_dict()["counts"]
            {'wrong-type': 1}
        """
        summary = self.summary
        return {
            "version": _VERSION,
            "ok": self.ok,
            "complete": self.complete,
            "truncated": self.truncated,
            "counts": dict(self.counts),
            "findings": [finding.to_dict() for finding in self.findings],
            "summary": None if summary is None else summary.to_dict(),
        }

    def to_json(self) -> str:
        """The report as JSON in one line.

        ASCII alone, so that no terminal, log or code page trips over it.

        Returns:
            The text of `to_dict()`.

        Section:
            Elements 0.2.0, all of section 5.

        Example:
            >>> import elementguard as eg
            >>> eg.check(b"[]").to_json()[:42]
            '{"version":1,"ok":false,"complete":true,"t'
        """
        from elementguard._json import dumps

        return dumps(self.to_dict())

    def render(self, source: object = None) -> str:
        """The report as a person reads it.

        Every finding with its message, its place and how to mend it.

        Args:
            source: what was checked, bytes-like or `str`. With it, each finding shows its line and
                column, the piece of the line around it, and the roles and ids on the way to it.
                That piece is text of the answer: it is what the user has on the screen, so think
                where it goes.

        Returns:
            Lines of text, controls escaped; the last one is the verdict.

        Raises:
            TypeError: the source is neither bytes-like nor `str`.
            ValueError: it is shorter than what was checked.

        Section:
            Elements 0.2.0, all of section 5.

        Example:
            >>> import elementguard as eg
            >>> answer = b'{"id": "n-7", "role": "Group", "focused": false}'
            >>> text = eg.check(answer, kind="element").render(answer)
            >>> text.splitlines()[0].split(": ")[:2]
            ['1:43', 'warning false-state']
        """
        from elementguard._render import report_text

        return report_text(self, source)

    @property
    def _levels(self) -> bytes:
        try:
            return self._moved
        except AttributeError:
            return DEFAULT_LEVELS

    def _of(self, level: Level) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.level is level)

    def _content(self) -> tuple[object, ...]:
        outcome = self._outcome
        return outcome.ok, outcome.fatal, outcome.truncated, outcome.counts(), outcome.summary()

    def __bool__(self) -> Never:
        raise TypeError("a Report is neither true nor false: ask report.ok")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Report):
            return NotImplemented
        return self._content() == other._content() and self.findings == other.findings

    def __hash__(self) -> int:
        return hash((self.ok, self.complete, self.truncated, tuple(self._outcome.counts())))

    def __str__(self) -> str:
        counted = ((level, self.count(level)) for level in reversed(LEVELS))
        told = [f"{count} {level}{'s' if count != 1 else ''}" for level, count in counted if count]
        return ", ".join(told) or "no findings"

    def __repr__(self) -> str:
        return f"<Report {'ok' if self.ok else 'not ok'}: {self}>"

    def __reduce__(self) -> tuple[object, ...]:
        return restored, ((*self._content(), self._outcome.findings()), self._levels)


class _Kept:
    """An outcome without its engine: what a pickled report is read back into."""

    __slots__ = ("_counts", "_findings", "_summary", "fatal", "ok", "truncated")

    def __init__(self, content: Content) -> None:
        self.ok, self.fatal, self.truncated = content[:3]
        self._counts, self._summary, self._findings = content[3:]

    def counts(self) -> list[tuple[int, int]]:
        return self._counts

    def findings(self) -> list[Row]:
        return self._findings

    def summary(self) -> tuple[object, ...] | None:
        return self._summary


def filled(outcome: Outcome, levels: bytes) -> Report:
    """The report of an outcome."""
    report = Report()
    report._outcome, report._moved = outcome, levels  # noqa: SLF001 -- the class's own
    return report


def restored(content: Content, levels: bytes) -> Report:
    """The report of what an outcome says, without the outcome."""
    return filled(_Kept(content), levels)


def without(report: Report, known: set[int]) -> Report:
    """The report without some of its findings, given by their places in `findings`."""
    outcome, levels = report._outcome, report._levels  # noqa: SLF001 -- the class's own
    rows = outcome.findings()
    counts = Counter(dict(outcome.counts()))
    counts.subtract(rows[at][0] for at in known)
    left = [(number, count) for number, count in sorted(counts.items()) if count]
    kept = [row for at, row in enumerate(rows) if at not in known]
    ok = all(levels[number] != Level.ERROR.rank for number, _ in left)
    return restored((ok, outcome.fatal, outcome.truncated, left, outcome.summary(), kept), levels)
