"""The pure engine: the same rules as the compiled one, in Python alone.

It is the plain one: where the two differ, this is read first. One check is one pass: `lexer` makes
tokens of bytes (`walk` of Python objects), `reader` the values of open objects and arrays, `tree`
and `block` moments for `rules`, and `report` keeps what they find.

In and out: `checker`. It and all behind it are imported when they are first asked for: whoever
imports the package has not checked anything yet.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from elementguard._python.checker import Checker, Handle, Index, Outcome, Stream

__all__ = ["NAME", "Checker", "Handle", "Index", "Outcome", "Stream"]

NAME = "python"  # mutants: asked when the package is imported, and by tests/test_engine_switch.py


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from elementguard._python import checker

    return getattr(checker, name)
