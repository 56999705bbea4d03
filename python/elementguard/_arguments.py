"""Facade: what a call may be told besides the data.

Comes in: limits and a kind as the caller wrote them. Goes out: the same, for the engine to rely on;
a bad argument raises at once.
"""

from __future__ import annotations

from elementguard._limits import Limits

NO_LIMITS = Limits()
_KINDS = ("answer", "element")


def checked_limits(limits: object) -> Limits:
    """The limits of a call; None: the usual ones."""
    if limits is None:
        return NO_LIMITS
    if not isinstance(limits, Limits):
        raise TypeError(f"limits: Limits or None is needed, not {type(limits).__name__}")
    return limits


def checked_kind(kind: object) -> str:
    """The kind of a call."""
    if not isinstance(kind, str):
        raise TypeError(f"kind: 'answer' or 'element' is needed, not {type(kind).__name__}")
    word = str.__str__(kind)  # a subclass, such as an enumeration, may say something else
    if word not in _KINDS:
        raise ValueError(f"kind: 'answer' or 'element' is needed, not {kind!r}")
    return word
