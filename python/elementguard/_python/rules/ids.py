"""Rules of 5.1 and 5.4: ids.

In: the id of each element by its offset, the ids that `related` names. Out: `malformed-id`,
`duplicate-id`, `dangling-related`.

An id is compared whole. A long one, which no element may have, is kept as a digest that nobody
outside can aim at.
"""

from __future__ import annotations

import re
from os import urandom

from elementguard._python.report import Pending
from elementguard._python.rules import table
from elementguard._python.text import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from elementguard._python.facts import Facts
    from elementguard._python.tree import ElementFrame, RelatedEntry

_WELL_FORMED = re.compile(r"[A-Za-z0-9_-]{1,128}")
_KEPT = 128  # mutants: a matter of memory
_DIGEST_BYTES = 16  # mutants: so that nobody finds two texts of one digest
_SECRET = urandom(16)  # mutants: the same


def element_id(frame: ElementFrame, offset: int, text: str) -> None:
    """An element's own id."""
    place = frame.place_of_value()
    element, facts = frame.record, frame.facts
    if facts.rows is not None:
        facts.rows.id(offset)
    if _WELL_FORMED.fullmatch(text):
        element.id = text
    else:
        frame.findings.add(table.MALFORMED_ID, offset, place, element, (quote(text),))
    key = _key(text)
    first = facts.ids.setdefault(key, place)
    if first is not place:
        frame.findings.add(table.DUPLICATE_ID, offset, place, element, (quote(text), first))
    facts.dangling.pop(key, None)


def related_id(frame: RelatedEntry, offset: int, text: str) -> None:
    """The id of an element that may still come."""
    facts, key = frame.facts, _key(text)
    if facts.is_fragment or key in facts.ids or frame.element is None:
        return
    waiting = facts.dangling.get(key)
    if waiting is None:
        waiting = facts.dangling[key] = Pending(facts.limits.findings)
    waiting.add(offset, frame.place_of_value(), frame.element, (quote(text),))


def answer_ends(facts: Facts) -> None:
    """No more ids will come."""
    for waiting in facts.dangling.values():
        facts.findings.add_pending(table.DANGLING_RELATED, waiting)


def _key(text: str) -> str | bytes:
    if len(text) <= _KEPT:  # mutants: which are kept as digests is a matter of memory
        return text  # mutants: the same
    from hashlib import blake2b

    data = text.encode(errors="surrogatepass")
    return blake2b(data, digest_size=_DIGEST_BYTES, key=_SECRET).digest()
