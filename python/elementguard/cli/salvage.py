"""Command line: `elementguard salvage`.

Comes in: an answer, broken or not. Goes out: what is good of it, a valid answer, and on stderr what
was taken out, each with its finding (`docs/salvage.md` has the table).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from elementguard._finding import shown_pointer
from elementguard._salvage import SalvageError
from elementguard.cli import rewrite
from elementguard.cli.rewrite import EXIT_DONE, EXIT_FINDINGS, CannotError, Job, Made, counted

if TYPE_CHECKING:
    from argparse import Namespace

    from elementguard._salvage import Removal
    from elementguard._validator import Validator
    from elementguard.cli.console import Console


def run(options: Namespace, console: Console) -> int:
    """Save what can be saved."""
    return rewrite.run(options, console, Job(_made, is_bounded=False, done="salvaged"))


def _made(validator: Validator, data: bytes) -> Made:
    try:
        saved = validator.salvage(data)
    except SalvageError as error:
        raise CannotError(str(error)) from None
    elements = sum(one.elements for one in saved.removed)
    blocks = sum(one.blocks for one in saved.removed)
    gone = f"{counted(elements, 'element')} and {counted(blocks, 'block')} gone"
    verdict = f"saved: {counted(len(saved.removed), 'change')}, {gone}; {saved.report}"
    code = EXIT_DONE if saved.report.ok else EXIT_FINDINGS
    return Made(saved.data, list(map(_line, saved.removed)), verdict, code)


def _line(change: Removal) -> str:
    size = f"{counted(change.elements, 'element')}, {counted(change.blocks, 'block')}"
    finding = change.finding
    return (
        f"{change.done} {shown_pointer(change.pointer)} ({size}): {finding.code}: {finding.message}"
    )
