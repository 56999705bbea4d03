"""Rules of 5.6: attributes.

In: the entries of `related`. Out: `incomplete-related`. (What an entry's id names, `ids` says;
states among the attributes, `states`.)
"""

from __future__ import annotations

from elementguard._python.rules import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from elementguard._python.tree import RelatedEntry


def entry_ends(frame: RelatedEntry) -> None:
    """A link that is not containment: what it is, and where it leads."""
    texts = frame.texts
    if "relation" not in texts or texts.isdisjoint({"id", "url"}):
        place = frame.place
        frame.findings.add(table.INCOMPLETE_RELATED, frame.offset, place, frame.element)
