"""Facade: is this installation the validator that its tests saw?

Comes in: the answers that ship with the package: each card's example and near miss, and the
conformance vectors. Goes out: `SelfTest`. Every engine that is installed reads all of them; what it
says is held against what is written down, and where there are two engines, their whole reports
against each other, in every form an answer can have.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from elementguard._selftest_run import SelfTest


def selftest() -> SelfTest:
    """Run the shipped vectors through every engine that is installed.

    Returns:
        A `SelfTest`: `.ok`, `.engines` (their names), `.vectors` and `.checks` (how many),
        `.differences` (lines of text, none if all is well).

    Section:
        Elements 0.2.0, all of section 5.

    Example:
        >>> import elementguard as eg
        >>> result = eg.selftest()
        >>> result.ok, "python" in result.engines, result.differences
        (True, True, ())
    """
    from elementguard._selftest_run import run

    return run()
