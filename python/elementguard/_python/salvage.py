"""Room: what is good of a broken answer (`docs/salvage.md`).

In: the answer's bytes, and a checker of either engine. Out: bytes without an error, and all that
was done to get there, by places of the input; or the finding for which nothing can be saved.

It goes in rounds: check, plan what goes for each error, cut, check again. What goes in one round
was judged on one text, so that it does not matter in which order the errors are looked at.
"""

from __future__ import annotations

from elementguard._python import excerpt as excerpts
from elementguard._python import salvage_excess as excess
from elementguard._python.rounds import Rounds
from elementguard._python.rules.table import CODES
from elementguard._python.salvage_plan import REMOVED, CannotError, Change, Plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from elementguard._engine import Outcome
    from elementguard._python.facts import Limits
    from elementguard._python.report import Row
    from elementguard._python.rounds import Done

__all__ = ["CannotError", "salvage"]

# More than any answer has needed: each round ends what it looks at.
_ROUNDS = 64


def salvage(
    data: bytes,
    check: Callable[[bytes], Outcome],
    limits: Limits,
    *,
    is_fragment: bool,
    strays: list[Row] | None = None,
) -> tuple[bytes, list[Done]]:
    """The answer without its errors, and what was done.

    `check` knows all errors and nothing else, and none of the limits that end a check, which are
    in `limits`. `strays` are findings of what `data` has a `null` for and could not say: they go
    in the first round, and what is found of the `null` itself counts for nothing.
    """
    rounds = Rounds(data)
    waiting = {row[1]: row for row in strays or ()}
    for _ in range(_ROUNDS):
        outcome = check(rounds.data)
        errors = outcome.findings()
        if outcome.fatal:
            raise CannotError(errors[0])
        errors = [*waiting.values(), *(row for row in errors if row[1] not in waiting)]
        waiting = {}
        plan = Plan(rounds.data, is_fragment=is_fragment)
        if not _plan(plan, errors, limits):
            if limits.bytes is None or len(rounds.data) <= limits.bytes:
                return rounds.data, rounds.done
            _excerpt(rounds, limits.bytes, is_fragment=is_fragment)
            continue
        rounds.take(plan)
    raise RuntimeError("salvage: the rounds do not end")


def _plan(plan: Plan, errors: list[Row], limits: Limits) -> bool:
    """Plans one round. Returns whether there is anything to do."""
    broken = [error for error in errors if CODES[error[0]] not in excess.SIZES]
    for error in broken:
        plan.take(error)
    return bool(broken) or excess.take(plan, limits, errors)


def _excerpt(rounds: Rounds, most: int, *, is_fragment: bool) -> None:
    """The whole is too long: an excerpt of it is kept."""
    finding = (CODES.index("limit-bytes"), most, "", None, ("bytes", most, most + 1))
    budgets = (("max_bytes", most), ("max_elements", None), ("max_blob_bytes", None))
    try:
        data, origins, gone = excerpts.excerpt(rounds.data, (), budgets, is_fragment=is_fragment)
    except excerpts.TooSmallError:
        raise CannotError(finding) from None
    for one in gone:
        change = Change(finding, REMOVED, one.at, one.end)
        change.elements, change.blocks = one.elements, one.blocks
        rounds.note(change)
    rounds.put(data, origins)
