"""Rules of 5.3: states.

In: the four states of each element, the ends of elements. Out: `false-state`,
`redundant-visible`, `focused-siblings`, `focus-gap`, `hovered-ancestor`, `many-hovered`,
`misplaced-state`.

A state may stand behind the children, so all that is about two elements is said when the upper
one ends, or its parent. Until then an element keeps what lies below it undecided: what states
`visible` with no value stated between, its focused children, the first hovered element.
"""

from __future__ import annotations

from elementguard._python.report import Pending, joined
from elementguard._python.rules import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from elementguard._python.frame import Members
    from elementguard._python.tree import ElementFrame

STATES = frozenset({"selected", "focused", "visible", "hovered"})
_VISIBLE = "visible"


def state(frame: ElementFrame, offset: int, *, value: bool) -> None:
    """One of the four members of an element."""
    name = frame.name
    if frame.facts.rows is not None:
        frame.facts.rows.state(name, value=value)
    if name == _VISIBLE:
        frame.visible = value
        frame.visible_at = offset
    elif not value:
        place = frame.place_of_value()
        frame.findings.add(table.FALSE_STATE, offset, place, frame.element, (name,))
    elif name == "selected":
        frame.facts.selected.append(frame.record)
    elif name == "focused":
        frame.focused_at = offset
    else:
        frame.hovered_at = offset


def attribute(frame: Members) -> None:
    """A member of `attributes`: a state stands nowhere but on the element."""
    if frame.name in STATES:
        place = frame.place_of_value()
        params = (frame.name,)
        frame.findings.add(table.MISPLACED_STATE, frame.name_at, place, frame.element, params)


def element_ends(frame: ElementFrame) -> None:
    """An element and all below it are known."""
    _visible(frame)
    _focus(frame)
    _hover(frame)


def _visible(frame: ElementFrame) -> None:
    below = frame.undecided_visible
    stated = frame.visible
    if stated is not None:
        frame.findings.add_pending(table.REDUNDANT_VISIBLE, below.get(stated))
        own = Pending(frame.facts.limits.findings)
        own.add(frame.visible_at, (frame.place, _VISIBLE), frame.record)
        below = {stated: own}
    if frame.is_root:
        # What stands above the root is visible.
        frame.findings.add_pending(table.REDUNDANT_VISIBLE, below.get(True))
    elif frame.parent:
        above = frame.parent.undecided_visible
        for value, waiting in below.items():
            if found := joined(above.get(value), waiting):
                above[value] = found


def _focus(frame: ElementFrame) -> None:
    if frame.focused_at is None and not frame.is_root:
        frame.findings.add_pending(table.FOCUS_GAP, frame.focused_children)
    if frame.focused_at is None:
        if frame.parent is None:  # mutants: the root ends last, and has the last word
            frame.facts.focus_path = frame.focus_below
        return
    parent = frame.parent
    path = (frame.record, frame.focus_below)
    if parent is None:
        frame.facts.focus_path = frame.focus_below if frame.is_root else path
        return
    place = (frame.place, "focused")
    if parent.focus_below is None:
        parent.focus_below = path
        parent.focused_children = Pending(frame.facts.limits.findings)
    else:
        params = (parent.focus_below[0].place,)
        rule = table.FOCUSED_SIBLINGS
        frame.findings.add(rule, frame.focused_at, place, frame.element, params)
    if parent.focused_children:  # mutants: there by now, but mypy cannot know
        parent.focused_children.add(frame.focused_at, place, frame.record, (parent.place,))


def _hover(frame: ElementFrame) -> None:
    first = frame.hovered_below
    if frame.hovered_at is not None:
        _hovered(frame, frame.hovered_at)
        first = frame.record
    if frame.parent and frame.parent.hovered_below is None:
        frame.parent.hovered_below = first


def _hovered(frame: ElementFrame, offset: int) -> None:
    place, facts = (frame.place, "hovered"), frame.facts
    if frame.hovered_below:
        params = (frame.hovered_below.place,)
        frame.findings.add(table.HOVERED_ANCESTOR, offset, place, frame.element, params)
    elif facts.hovered is None:
        facts.hovered = frame.record
    else:
        params = (facts.hovered.place,)
        frame.findings.add(table.MANY_HOVERED, offset, place, frame.element, params)
