"""Command line: `elementguard rule`.

Comes in: a code, or none. Goes out: the rule's page as its card has it, or the list of all rules.
"""

from __future__ import annotations

from elementguard._rules import RULES, Rule, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from elementguard.cli.console import Console


def run(options: Namespace, console: Console) -> int:
    """Print the page, or the list."""
    if options.code is None:
        console.write("".join(map(_row, RULES.values())))
    elif options.code in RULES:
        console.write(_page(RULES[options.code]))
    else:
        console.error(unknown(options.code))
        return 2
    return 0


def _row(rule: Rule) -> str:
    return f"{rule.code:<24} {rule.level:<7}  {rule.section:<15}  {rule.summary}\n"


def _page(rule: Rule) -> str:
    facts = [rule.level + (", fatal" if rule.fatal else ""), f"section {rule.section}"]
    if rule.fixable != "none":
        facts.append(f"fix: {rule.fixable}")
    if not rule.movable:
        facts.append("cannot be moved or switched off")
    return f"# {rule.code}\n\n{rule.summary} ({'; '.join(facts)})\n\n{rule.page}"
