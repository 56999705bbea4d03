"""Command line: what to ask of an answer, as the flags say it.

Comes in: the parsed arguments. Goes out: limits, or a validator with them. `check` moves rules as
well; the other commands ask every rule as its card has it, so that what they give is what the API
gives.
"""

from __future__ import annotations

from elementguard._examples import limits_from
from elementguard._limits import Limits
from elementguard._validator import Validator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace


def validator_of(options: Namespace) -> Validator:
    """What --limits, --limit and --kind ask for; wrong usage ends the command."""
    try:
        return Validator(limits=limits_of(options), kind=options.kind)
    except ValueError as error:
        options.usage_error(str(error))
        raise  # not reached: the line above ends the command


def limits_of(options: Namespace) -> Limits:
    """What --limits and --limit say.

    Raises:
        ValueError: there is no limit of a name, or its value is none.
    """
    base = Limits.recommended() if options.limits == "recommended" else Limits()
    return limits_from(dict(pair("--limit", text) for text in options.limit), base)


def pair(option: str, text: str) -> tuple[str, str]:
    """Name and value of an option that is given as NAME=VALUE.

    Raises:
        ValueError: there is no `=` in it.
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"{option}: NAME=VALUE is needed, not {text!r}")
    return (name.replace("-", "_") if option == "--limit" else name), value
