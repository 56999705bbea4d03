# ruff: noqa: SLF001 -- the validator's own parts are asked: see below
"""Facade: the smallest answer with the same finding.

Comes in: a validator, an answer and a rule's code. Goes out: `Shrunk`, which the command line tells
of. No public function leads here: who has a report in hand needs no smaller answer.

*The same finding* is one of the same rule whose parameters say the same, as far as they are our own
words and not the answer's: a `wrong-type` stays one of `title`, expected and found alike, and a
`json-syntax` keeps its reason. Of several findings the first decides. And no step may break what
was kept before: an element without its `id` would show nothing but that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from elementguard._catalogue import CATALOGUE
from elementguard._rules import NUMBERS

if TYPE_CHECKING:
    from elementguard._engine import Asking, Outcome
    from elementguard._report import Report
    from elementguard._validator import Validator

# Parameters that say what is wrong; the others are the answer's words, or places in it.
_SAYING = frozenset(("expected", "found", "member", "reason", "recognised", "suggestion"))
_NAMED_BY_THE_ANSWER = frozenset(("unknown-member", "duplicate-member"))  # their `member`
_ENDLESS = {"bytes": None, "nesting": None, "elements": None, "depth": None, "findings": 0}


class Kept(NamedTuple):
    """A text of the input that is still there.

    Attributes:
        offset: where it stands in the result, in bytes.
        raw: it, as it is written.
    """

    offset: int
    raw: bytes


class Shrunk(NamedTuple):
    """The smallest answer that was found.

    Attributes:
        data: its bytes.
        report: its report.
        kept: texts that had to stay, at least in part.
        tries: how many answers were tried.
        is_least: whether the search came to an end, and was not stopped for its length.
    """

    data: bytes
    report: Report
    kept: tuple[Kept, ...]
    tries: int
    is_least: bool


class NotFoundError(ValueError):
    """The answer has no such finding."""


def shrink(validator: Validator, data: bytes, code: str) -> Shrunk:
    """The smallest answer with the same finding.

    Raises:
        NotFoundError: there is no finding of that rule.
    """
    from elementguard._python import shrink as room
    from elementguard._python import shrink_texts

    asked = _Asked(validator, data, NUMBERS[code])
    search, is_least = room.shrink(data, asked.shows, is_json=_is_json(validator, data))
    kept = (
        Kept(start, raw)
        for raw, spans in shrink_texts.kept(search.data).items()
        for start, _ in spans
    )
    report = validator.check(search.data)
    return Shrunk(search.data, report, tuple(sorted(kept)), search.tries, is_least)


def _is_json(validator: Validator, data: bytes) -> bool:
    return not _checker(validator, validator._levels, **_ENDLESS).check(data).fatal


def _checker(validator: Validator, levels: bytes, **limits: int | None) -> Asking:
    bounds = validator.limits.replace(**limits)
    return validator._core.Checker(bounds._values, levels, validator.kind)


class _Asked:
    """What has to be found in a smaller answer, and what may be."""

    def __init__(self, validator: Validator, data: bytes, rule: int) -> None:
        code, _, _, _, _, _, parameters, *_ = CATALOGUE[rule]
        wanted = _SAYING - ({"member"} if code in _NAMED_BY_THE_ANSWER else set())
        self._rule = rule
        self._saying = [at for at, name in enumerate(parameters) if name in wanted]
        # All rules, only counted; and this one alone, told.
        self._all = _checker(validator, validator._levels, findings=0)
        levels = (
            level if number == rule or CATALOGUE[number][2] else 0
            for number, level in enumerate(validator._levels)
        )
        self._one = _checker(validator, bytes(levels), findings=None)
        self._allowed = _rules(self._all.check(data))
        if rule not in self._allowed:
            others = ", ".join(CATALOGUE[one][0] for one in sorted(self._allowed))
            raise NotFoundError(f"the answer has no finding {code}, but {others or 'none at all'}")
        kinds = self._kinds(data)
        self._kind, self._kinds_allowed = kinds[0], set(kinds)

    def shows(self, data: bytes) -> bool:
        """Whether a smaller answer has the finding, and none of a rule that the last one kept."""
        found = _rules(self._all.check(data))
        if self._rule not in found or not found <= self._allowed:
            return False
        kinds = set(self._kinds(data)) if self._saying else {self._kind}
        if self._kind not in kinds or not kinds <= self._kinds_allowed:
            return False
        self._allowed, self._kinds_allowed = found, kinds
        return True

    def _kinds(self, data: bytes) -> list[tuple[object, ...]]:
        rows = self._one.check(data).findings()
        return [
            tuple(params[at] for at in self._saying)
            for rule, _, _, _, params in rows
            if rule == self._rule
        ]


def _rules(outcome: Outcome) -> set[int]:
    return {rule for rule, _ in outcome.counts()}
