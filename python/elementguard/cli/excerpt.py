"""Command line: `elementguard excerpt`.

Comes in: a valid answer and budgets. Goes out: its excerpt, a valid answer within all of them, and
on stderr what was left out (`docs/excerpt.md` has the order).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from elementguard._errors import ValidationError
from elementguard._escape import quoted
from elementguard._excerpt import BudgetError
from elementguard._finding import shown_pointer
from elementguard.cli import rewrite
from elementguard.cli.rewrite import CannotError, Job, Made, counted, refusal

if TYPE_CHECKING:
    from argparse import Namespace

    from elementguard._excerpt import LeftOut
    from elementguard._validator import Validator
    from elementguard.cli.console import Console

_BUDGETS = ("max_bytes", "max_elements", "max_blob_bytes")
_KEEP = ["selected", "hovered"]


def run(options: Namespace, console: Console) -> int:
    """Cut the answer to the budgets."""
    budgets = {name: getattr(options, name) for name in _BUDGETS}
    if all(value is None for value in budgets.values()):
        flags = ", ".join(f"--{name.replace('_', '-')}" for name in _BUDGETS)
        options.usage_error(f"a budget is needed: one or more of {flags}")

    def make(validator: Validator, data: bytes) -> Made:
        try:
            return _made(validator, data, _keep(options), budgets)
        except ValidationError as error:
            raise refusal(error.report) from None
        except BudgetError as error:
            raise CannotError(_in_flags(error)) from None
        except ValueError as error:  # --keep names what is neither a word nor an id
            options.usage_error(str(error))
            raise

    return rewrite.run(options, console, Job(make, is_bounded=True))


def _made(
    validator: Validator, data: bytes, keep: list[str], budgets: dict[str, int | None]
) -> Made:
    answer = validator.load(data)
    made = answer.excerpt(keep=keep, **budgets)
    elements = sum(one.elements for one in made.removed)
    blocks = sum(one.blocks for one in made.removed)
    out = f"{counted(elements, 'element')} and {counted(blocks, 'block')} left out"
    verdict = f"excerpt: {counted(len(made.data), 'byte')}, {out}"
    return Made(made.data, list(map(_line, made.removed)), verdict)


def _line(gone: LeftOut) -> str:
    name = "" if gone.name is None else f" {quoted(gone.name)}"
    size = ", ".join(
        (
            counted(gone.bytes, "byte"),
            counted(gone.elements, "element"),
            counted(gone.blocks, "block"),
        )
    )
    return f"left out {shown_pointer(gone.pointer)}{name} ({size})"


def _keep(options: Namespace) -> list[str]:
    if options.keep is None:
        return _KEEP
    return [word.strip() for text in options.keep for word in text.split(",") if word.strip()]


def _in_flags(error: BudgetError) -> str:
    return str(error).replace(error.budget, f"--{error.budget.replace('_', '-')}", 1)
