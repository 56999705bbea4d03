"""Command line: `elementguard fix`.

Comes in: an answer. Goes out: the same with the rules' fixes made, or the difference; on stderr the
fixes, and the errors that no fix could mend. What could be fixed is written even then: the exit
code says that more is to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from elementguard._finding import shown_pointer
from elementguard._rules import RULES
from elementguard.cli import rewrite
from elementguard.cli.rewrite import EXIT_DONE, EXIT_FINDINGS, Job, Made, errors_of

if TYPE_CHECKING:
    from argparse import Namespace

    from elementguard._fix import Fix
    from elementguard._report import Report
    from elementguard._validator import Validator
    from elementguard.cli.console import Console


def run(options: Namespace, console: Console) -> int:
    """Mend what can be mended."""

    def make(validator: Validator, data: bytes) -> Made:
        return _made(validator, data, unsafe=options.unsafe)

    return rewrite.run(options, console, Job(make, is_bounded=False, done="fixed"))


def _made(validator: Validator, data: bytes, *, unsafe: bool) -> Made:
    fixed = validator.fix(data, unsafe=unsafe)
    count = len(fixed.applied)
    fixes = f"{count} fix{'' if count == 1 else 'es'}"
    changes = list(map(_line, fixed.applied))
    if fixed.report.ok:
        return Made(fixed.data, changes, f"fixed: {fixes}; {fixed.report}", EXIT_DONE)
    more = "" if unsafe or not _guesses(fixed.report) else "; --unsafe may mend more"
    verdict = f"{'partly' if count else 'not'} fixed: {fixes}; {fixed.report} left{more}"
    return Made(fixed.data, [*changes, *errors_of(fixed.report)], verdict, EXIT_FINDINGS)


def _guesses(report: Report) -> bool:
    """Whether a finding that is left has a fix, which has to guess."""
    return any("unsafe" in RULES[finding.code].fixable for finding in report.findings)


def _line(fix: Fix) -> str:
    finding = fix.finding
    return f"{fix.done} {shown_pointer(fix.pointer)}: {finding.code}: {finding.message}"
