"""Command line: what the rules say, for a page.

Comes in: the codes that occur. Goes out: for each its section and the prose of its card, so that a
page explains what it shows wherever it is opened.
"""

from __future__ import annotations

from elementguard._rules import RULES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def explained(codes: Iterable[str]) -> dict[str, object]:
    """The rules by code, in the catalogue's order."""
    wanted = set(codes)
    return {code: _rule(code) for code in RULES if code in wanted}


def _rule(code: str) -> dict[str, object]:
    rule = RULES[code]
    prose = [("What it says", rule.explanation), ("How to fix it", rule.fix)]
    return {"section": rule.section, "prose": prose}
