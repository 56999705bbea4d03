"""Rules of 5.2: roles.

In: the role of each element, the ends of elements. Out: `root-not-application`,
`nested-application`, `unknown-role`, `furniture-role`, `irregular-table`.

A role may stand behind the children that it judges. So an element keeps the children that would
be irregular if it turned out to be a Table, or a Row of one.
"""

from __future__ import annotations

from elementguard._python.report import Pending, joined
from elementguard._python.rules import table
from elementguard._python.rules.shape import ROLES
from elementguard._python.rules.words import FURNITURE, SUGGESTIONS
from elementguard._python.text import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from elementguard._python.tree import ElementFrame

APPLICATION, TABLE, ROW, CELL = "Application", "Table", "Row", "Cell"
TEXTS = frozenset({"Text", "Heading", "Link"})
# What a receiver takes an unknown role for.
_GROUP = "Group"
_KNOWN = frozenset(ROLES)
_DROPPED = str.maketrans("", "", " -_")
_PLATFORM = "AX"


def role(frame: ElementFrame, offset: int, text: str) -> None:
    """An element's role."""
    frame.role_as_sent = text
    frame.role = text if text in _KNOWN else _GROUP
    frame.facts.roles[frame.role] += 1
    if frame.facts.rows is not None:
        frame.facts.rows.role(offset)
    place, element = frame.place_of_value(), frame.element
    if frame.is_root and text != APPLICATION:
        params = (quote(text),)
        frame.findings.add(table.ROOT_NOT_APPLICATION, offset, place, element, params)
    if frame.parent and text == APPLICATION:
        frame.findings.add(table.NESTED_APPLICATION, offset, place, element)
    if text not in _KNOWN:
        _unknown(frame, offset, text)


def element_ends(frame: ElementFrame) -> None:
    """An element's children and its own role are known."""
    if frame.role == TABLE:
        frame.findings.add_pending(table.IRREGULAR_TABLE, frame.not_rows)
        frame.findings.add_pending(table.IRREGULAR_TABLE, frame.not_cells_of_rows)
    parent = frame.parent
    if parent is None or frame.role is None:
        return
    if parent.role in {None, TABLE}:  # mutants: nobody else asks for them, so it saves memory
        if frame.role == ROW:
            parent.not_cells_of_rows = joined(parent.not_cells_of_rows, frame.not_cells)
        else:
            parent.not_rows = _with(frame, parent.not_rows)
    if parent.role in {None, ROW} and frame.role != CELL:
        parent.not_cells = _with(frame, parent.not_cells)


def _with(frame: ElementFrame, waiting: Pending | None) -> Pending:
    """The children that wait, and one more."""
    waiting = waiting or Pending(frame.facts.limits.findings)
    waiting.add(frame.offset, frame.place, frame.record, (quote(frame.role_as_sent),))
    return waiting


def _unknown(frame: ElementFrame, offset: int, text: str) -> None:
    word = _compared(text)
    place, element = frame.place_of_value(), frame.element
    if word in FURNITURE:
        frame.findings.add(table.FURNITURE_ROLE, offset, place, element, (quote(text),))
    else:
        params = (quote(text), SUGGESTIONS.get(word))
        frame.findings.add(table.UNKNOWN_ROLE, offset, place, element, params)


def _compared(text: str) -> str:
    """A role's word as `words.md` compares it; only ASCII letters have a case here."""
    word = text.translate(_DROPPED).removeprefix(_PLATFORM)
    return word.lower() if word.isascii() else word
