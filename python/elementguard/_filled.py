# ruff: noqa: SLF001 -- reports are filled here
"""Facade: what fills reports and answers, on every call.

Comes in: an engine's `Checker`, and what the facade set it up with. Goes out: what gives an
`Answer`, of bytes, and what gives a `Report`, of any data. The compiled engine has both as methods,
`answer` and `report`: there they cost a part of what they cost here.
"""

from __future__ import annotations

from functools import partial

from elementguard._errors import ValidationError
from elementguard._report import Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from elementguard._answer import Answer
    from elementguard._engine import Asking, Outcome

    Answering = Callable[[bytes, str | None], Answer]
    Reporting = Callable[[object], Report]


def fillers(checker: Asking, levels: bytes, kind: str) -> tuple[Answering, Reporting]:
    """The engine's `answer` and `report`, or what stands for them."""
    if hasattr(checker, "answer") and hasattr(checker, "report"):
        return checker.answer, checker.report
    return partial(_answer, checker, levels, kind), partial(_report, checker, levels)


def _answer(
    checker: Asking, levels: bytes, kind: str, source: bytes, provider: str | None
) -> Answer:
    from elementguard._answer import made

    outcome, index = checker.load(source)
    if index is None:
        raise ValidationError(_filled(outcome, levels))
    return made(source, index, _filled(outcome, levels), kind, provider)


def _report(checker: Asking, levels: bytes, data: object) -> Report:
    return _filled(checker.check(data), levels)


def _filled(outcome: Outcome, levels: bytes) -> Report:
    report = Report()
    report._outcome, report._moved = outcome, levels
    return report
