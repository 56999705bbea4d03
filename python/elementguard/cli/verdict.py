"""Command line: what all answers together come to.

Comes in: reports and failures, one by one. Goes out: the exit code and the verdict's line, both
from the same numbers, so they cannot contradict each other.
"""

from __future__ import annotations

from elementguard._level import Level

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from elementguard._report import Report


class Tally:
    """Counts of everything that was seen.

    Args:
        levels: the level of each rule, after the user's moves.
        fail_level: the least level that fails.
        exit_zero: whether findings leave the exit code at 0.

    Attributes:
        answers: how many were checked.
        unreadable: how many inputs could not be, for whatever reason.
        is_interrupted: whether not all was checked because somebody had enough.
        has_lost: whether something that was to be told on stderr is told nowhere.
        known: findings that the baseline has, which are not counted otherwise.
        by_level: findings by level, kept or only counted.
        by_rule: findings by code and level.
    """

    def __init__(self, levels: Mapping[str, Level], fail_level: Level, *, exit_zero: bool) -> None:
        self._levels, self._fail_level, self._exit_zero = levels, fail_level, exit_zero
        self.answers = self.unreadable = self.known = 0
        self.is_interrupted = self.has_lost = False
        self.by_level = dict.fromkeys((Level.ERROR, Level.WARNING, Level.NOTE), 0)
        self.by_rule: dict[str, tuple[Level, int]] = {}

    def add(self, report: Report) -> None:
        """Count what an answer has."""
        self.answers += 1
        for code, count in report.counts.items():
            level = self._levels[code]
            self.by_level[level] += count
            self.by_rule[code] = level, count + self.by_rule.get(code, (level, 0))[1]

    @property
    def failed(self) -> bool:
        """Whether there is a finding at or above the fail level."""
        return any(
            count for level, count in self.by_level.items() if level.rank >= self._fail_level.rank
        )

    @property
    def exit_code(self) -> int:
        """0 clean, 1 findings, 2 something could not be checked or told, 130 interrupted."""
        if self.is_interrupted:
            return 130
        if self.unreadable or self.has_lost:
            return 2
        return int(self.failed and not self._exit_zero)

    @property
    def word(self) -> str:
        """The verdict in one word."""
        if self.is_interrupted:
            return "interrupted"
        if self.unreadable or self.has_lost:
            return "incomplete"
        return "failed" if self.failed else "passed"

    def line(self, *, notes_hidden: bool) -> str:
        """What comes behind the word."""
        told = [_many(self.answers, "answer")]
        if self.unreadable:
            told.append(f"{self.unreadable} could not be checked")
        if self.has_lost:
            told.append("stderr could not be written")
        counted = [_many(count, level) for level, count in self.by_level.items() if count]
        told += counted or ["no findings"]
        if notes_hidden and self.by_level[Level.NOTE]:
            told[-1] += " (hidden; --notes shows them)"
        if self.known:
            told.append(f"{self.known} in the baseline")
        if self.failed and self._exit_zero and self.exit_code == 0:
            told.append("exit code 0 by --exit-zero")
        return ", ".join(told)

    def statistics(self) -> str:
        """The findings by rule, the most frequent first."""
        rows = sorted(self.by_rule.items(), key=lambda row: (-row[1][1], row[0]))
        return "".join(f"{count:>8}  {level:<7}  {code}\n" for code, (level, count) in rows)


def _many(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"
