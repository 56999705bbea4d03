"""Room: where a value stands in the answer.

In: the steps from the answer down to a value. Out: its JSON Pointer (RFC 6901).

A place is a link to the place above and the last step, shared by everything below it, so that a
finding holds one word however deep it lies. The text is built when a finding is read.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    # The place of the object or array around, and the member's name or the item's index; None is
    # the answer itself.
    Place: TypeAlias = "tuple[Place, str | int] | None"

_SURROGATES = re.compile("[\ud800-\udfff]")


def text(place: Place) -> str:
    """The JSON Pointer of a place."""
    steps = []
    while place is not None:
        place, key = place
        steps.append(step(key))
    steps.reverse()
    return "".join(steps)


def lossy(word: str) -> str:
    """The text with U+FFFD for each lone surrogate, which no UTF-8 text can carry."""
    return _SURROGATES.sub("\ufffd", word)


def step(key: str | int) -> str:
    """What one step adds to a pointer."""
    if isinstance(key, int):
        return f"/{key}"
    return "/" + lossy(key).replace("~", "~0").replace("/", "~1")
