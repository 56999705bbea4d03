"""Validates answers of App Element providers (Elements 0.2.0, section 5 of the protocol).

A host asks on arrival; a provider's author asks before sending:

    >>> import elementguard as eg
    >>> report = eg.check(b'{"protocol":"0.2.0","instance":"k3","root":{"id":"app","role":"App"}}')
    >>> report.ok
    False
    >>> for finding in report.errors:
    ...     print(finding.code, finding.pointer)
    root-not-application /root/role

This file is the list of public names. The calls are in `_calls` and `_validator`, what they give in
`_report` and `_finding`.
"""

from __future__ import annotations

from elementguard import _engine
from elementguard._calls import (
    check,
    check_file,
    check_lines,
    fix,
    is_valid,
    load,
    salvage,
    validate,
)
from elementguard._catalogue import RULES_VERSION
from elementguard._errors import ValidationError
from elementguard._finding import Finding
from elementguard._level import Level
from elementguard._limits import Limits
from elementguard._report import Report
from elementguard._rules import RULES
from elementguard._schema import schema
from elementguard._selftest import selftest
from elementguard._stream import Stream
from elementguard._validator import Validator
from elementguard._version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from elementguard._answer import Answer
    from elementguard._element import Element, FullName
    from elementguard._excerpt import BudgetError, Excerpt, LeftOut
    from elementguard._fix import Fix, Fixed
    from elementguard._run import Observation, Run
    from elementguard._salvage import Removal, Salvage, SalvageError

_LATER = {
    "Answer": "_answer",
    "BudgetError": "_excerpt",
    "Element": "_element",
    "Excerpt": "_excerpt",
    "Fix": "_fix",
    "Fixed": "_fix",
    "FullName": "_element",
    "LeftOut": "_excerpt",
    "Observation": "_run",
    "Removal": "_salvage",
    "Run": "_run",
    "Salvage": "_salvage",
    "SalvageError": "_salvage",
}


def __getattr__(name: str) -> object:
    """What is imported when it is first asked for: a host that only checks has no need of it."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)


def __dir__() -> list[str]:
    """All that is there, also what was not yet asked for: `help` and completion go by it."""
    return sorted({*globals(), *_LATER})


engine: str = _engine.name
"""The engine that runs: `"rust"` or `"python"`. `ELEMENTGUARD_ENGINE` chooses it."""

__all__ = [
    "RULES",
    "RULES_VERSION",
    "Answer",
    "BudgetError",
    "Element",
    "Excerpt",
    "Finding",
    "Fix",
    "Fixed",
    "FullName",
    "LeftOut",
    "Level",
    "Limits",
    "Observation",
    "Removal",
    "Report",
    "Run",
    "Salvage",
    "SalvageError",
    "Stream",
    "ValidationError",
    "Validator",
    "__version__",
    "check",
    "check_file",
    "check_lines",
    "engine",
    "fix",
    "is_valid",
    "load",
    "salvage",
    "schema",
    "selftest",
    "validate",
]
