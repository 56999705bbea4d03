"""Rules of 5 and 5.4: the members of an answer around its root.

In: `protocol`, `instance`, the answer's end. Out: `unsupported-protocol`, `empty-instance`, and
of the rules about fields what applies.
"""

from __future__ import annotations

import re

from elementguard._python.rules import fields, table
from elementguard._python.text import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from elementguard._python.tree import AnswerFrame

# A patch release changes nothing that a receiver needs.
_SUPPORTED = re.compile(r"0\.2\.(?:0|[1-9][0-9]*)")


def protocol(frame: AnswerFrame, offset: int, text: str) -> None:
    """The version of the protocol."""
    frame.facts.protocol = text
    if _SUPPORTED.fullmatch(text) is None:
        place = frame.place_of_value()
        frame.findings.add(table.UNSUPPORTED_PROTOCOL, offset, place, None, (quote(text),))


def instance(frame: AnswerFrame, offset: int, text: str) -> None:
    """What tells one run of the provider from another."""
    frame.facts.instance = text
    if not text:
        frame.findings.add(table.EMPTY_INSTANCE, offset, frame.place_of_value(), None)
    fields.controls(frame, offset, text)
