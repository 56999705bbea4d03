"""Room: fixes (contract, section 2): what a provider's author can have mended.

In: the answer's bytes, and a checker of either engine. Out: the bytes with what could be fixed, and
each fix. Only the bytes concerned are written; a member that goes, goes under all its repetitions.
Safe fixes keep the meaning; unsafe ones are what was most likely meant.

In rounds, as salvage: a fix may make another one possible (a title of line breaks alone is blank
without them). Four are enough, and no more are made.
"""

from __future__ import annotations

from elementguard._python import fix_texts as mend
from elementguard._python.fix_plan import FixPlan
from elementguard._python.rounds import Rounds
from elementguard._python.rules.table import CODES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from elementguard._engine import Outcome
    from elementguard._python.report import Row
    from elementguard._python.rounds import Done

_ROUNDS = 4

DROPPED = frozenset(
    {
        "null-member",
        "blank-title",
        "false-state",
        "redundant-visible",
        "hovered-ancestor",
        "empty-children",
        "empty-content",
    }
)
SAFE = DROPPED | {"root-not-application", "multiline-title", "loose-base64", "control-characters"}
UNSAFE = frozenset(
    {
        "unknown-member",
        "malformed-id",
        "duplicate-id",
        "nested-application",
        "unknown-role",
        "furniture-role",
        "control-characters",
        "focused-siblings",
        "focus-gap",
        "many-hovered",
        "misplaced-state",
        "malformed-base64",
    }
)


def fix(
    data: bytes, check: Callable[[bytes], Outcome], *, unsafe: bool, is_fragment: bool
) -> tuple[bytes, list[Done]]:
    """The answer with its fixes, and what was done. `check` keeps all findings."""
    rounds, wanted = Rounds(data), SAFE | UNSAFE if unsafe else SAFE
    for _ in range(_ROUNDS):
        outcome = check(rounds.data)
        findings = [finding for finding in outcome.findings() if CODES[finding[0]] in wanted]
        if outcome.fatal or not findings:
            break
        plan = FixPlan(rounds.data, is_fragment=is_fragment)
        for finding in findings:
            _safe(plan, finding)
        if unsafe:
            for finding in findings:
                _unsafe(plan, finding)
        before = rounds.data
        rounds.take(plan)
        if rounds.data == before:
            break
    return rounds.data, rounds.done


def _safe(plan: FixPlan, finding: Row) -> None:
    code, row = CODES[finding[0]], plan.places.at(finding[1] or 0)
    if code in DROPPED:
        plan.drop(row, finding)
    elif code == "root-not-application":
        plan.write(row, b'"Application"', finding)
    elif code == "multiline-title":
        plan.rewrite(row, mend.in_one_line, finding)
    elif code == "loose-base64":
        plan.rewrite(row, mend.strict_base64, finding)
    elif code == "control-characters" and finding[4] == ("title",):
        plan.rewrite(row, _title_without_controls, finding)


def _unsafe(plan: FixPlan, finding: Row) -> None:
    row = plan.places.at(finding[1] or 0)
    match CODES[finding[0]]:
        case "unknown-member":
            plan.known_member(row, finding)
        case "malformed-id" | "duplicate-id":
            plan.new_id(row, finding)
        case "nested-application":
            plan.write(row, b'"Group"', finding)
        case "unknown-role":
            plan.known_role(row, finding)
        case "furniture-role":
            plan.left_out(row, finding)
        case "control-characters" if finding[4][0] in {"subrole", "url"}:
            plan.rewrite(row, _without_controls, finding)
        case "focused-siblings":
            plan.drop_focus(row, finding)
        case "focus-gap":
            plan.close_gap(row, finding)
        case "many-hovered":
            plan.drop(row, finding)
        case "misplaced-state":
            plan.placed_state(row, finding)
        case "malformed-base64":
            plan.rewrite(row, mend.readable_base64, finding)


def _title_without_controls(raw: bytes) -> bytes:
    return mend.without_controls(raw, line_breaks=True)


def _without_controls(raw: bytes) -> bytes:
    return mend.without_controls(raw, line_breaks=False)
