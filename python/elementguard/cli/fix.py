"""Command line: `elementguard fix`.

Comes in: an answer. Goes out: the same with the rules' fixes made, or the difference; on stderr the
fixes, and the errors that no fix could mend. What could be fixed is written even then: the exit
code says that more is to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from elementguard._finding import shown_pointer
from elementguard.cli import rewrite
from elementguard.cli.rewrite import EXIT_DONE, EXIT_FINDINGS, Job, Made, errors_of

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable

    from elementguard._fix import Fix
    from elementguard._validator import Validator
    from elementguard.cli.console import Console


def run(options: Namespace, console: Console) -> int:
    """Mend what can be mended."""

    def make(validator: Validator, data: bytes) -> Made:
        return _made(validator, data, unsafe=options.unsafe)

    def diff(data: bytes, made: Made) -> Iterable[str]:
        from elementguard.cli.diff import unified

        return unified(data, made.data, options.file, "fixed")

    return rewrite.run(
        options, console, Job(make, is_bounded=False, diff=diff if options.diff else None)
    )


def _made(validator: Validator, data: bytes, *, unsafe: bool) -> Made:
    fixed = validator.fix(data, unsafe=unsafe)
    count = len(fixed.applied)
    fixes = f"{count} fix{'' if count == 1 else 'es'}"
    changes = list(map(_line, fixed.applied))
    if fixed.report.ok:
        return Made(fixed.data, changes, f"fixed: {fixes}; {fixed.report}", EXIT_DONE)
    verdict = f"not fixed: {fixes}; {fixed.report} left"
    return Made(fixed.data, [*changes, *errors_of(fixed.report)], verdict, EXIT_FINDINGS)


def _line(fix: Fix) -> str:
    finding = fix.finding
    return f"{fix.done} {shown_pointer(fix.pointer)}: {finding.code}: {finding.message}"
