"""Rules of 5.1: members, their types, and the texts that people read.

In: a value of a known member, or an object's end. Out: `wrong-type`, `null-member`,
`missing-member`, `unknown-member`, `empty-children`, `multiline-title`, `blank-title`,
`control-characters`, `malformed-uri`, `script-uri`.
"""

from __future__ import annotations

from functools import partial

from elementguard._python import text as texts
from elementguard._python import uri
from elementguard._python.rules import limits, table
from elementguard._python.rules.shape import ELEMENT
from elementguard._python.text import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from elementguard._python.frame import Frame, Items, Known, Members
    from elementguard._python.report import Findings
    from elementguard._python.tree import ElementFrame

# The type that a Python object stands for where no field tells.
_ANY = "JSON value"
_NULL = "null"
_SUGGESTED_LENGTH = 20  # mutants: a name of thirteen is too far from every field already
_SUGGESTED_EDITS = 2


def mismatch(
    frame: Known,
    offset: int,
    expected: str,
    found: str,
    *,
    required: bool = True,
    turn: int | None = None,
) -> None:
    """A value that is not of its field's type. `turn`: if that was known before."""
    place = frame.place_of_value()
    member = _member(frame)
    if found == _NULL and not required:
        frame.findings.add(table.NULL_MEMBER, offset, place, frame.element, (member,))
    else:
        params = (member, expected, found)
        rule = table.WRONG_TYPE
        frame.findings.add(rule, offset, place, frame.element, params, turn=turn)


def alien(frame: Known, offset: int, expected: str, found: str) -> None:
    """A Python object that is no JSON where a field of a type belongs."""
    mismatch(frame, offset, expected, found)
    if frame.findings.otherwise:
        no_json(frame.findings.otherwise, frame, offset, found)


def no_json(findings: Findings, frame: Frame, offset: int, found: str) -> None:
    """The same where anything may stand."""
    params = (_member(frame), _ANY, found)
    findings.add(table.WRONG_TYPE, offset, frame.place_of_value(), frame.element, params)


def no_name(findings: Findings, frame: Frame, found: str) -> None:
    """A Python object's key that is no string."""
    params = (None, "string", found)
    findings.add(table.WRONG_TYPE, frame.offset, frame.place, frame.element, params)


def missing(frame: Known, name: str) -> None:
    """A required member is not there."""
    frame.findings.add(table.MISSING_MEMBER, frame.offset, frame.place, frame.element, (name,))


def missing_of(frame: Members) -> None:
    """All required members that are not there."""
    for name, (_, required) in frame.shape.items():
        if required and not frame.has(name):
            missing(frame, name)


def children_end(frame: Items) -> None:
    """An element's children are all there."""
    if not frame.count:
        frame.findings.add(table.EMPTY_CHILDREN, frame.offset, frame.place, frame.element)


def unknown(frame: ElementFrame) -> None:
    """An element's member that 5.1 does not list."""
    params = partial(_name_and_suggestion, frame.name[: texts.QUOTED])
    frame.findings.add(
        table.UNKNOWN_MEMBER, frame.name_at, frame.place_of_value(), frame.element, params
    )


def title(frame: ElementFrame, offset: int, text: str) -> None:
    """An element's title."""
    place = frame.place_of_value()
    if texts.has_line_break(text):
        frame.findings.add(table.MULTILINE_TITLE, offset, place, frame.element)
    if texts.is_blank(text):
        frame.findings.add(table.BLANK_TITLE, offset, place, frame.element)
    controls(frame, offset, text, line_breaks=True)
    limits.title(frame, offset, text)


def controls(frame: Known, offset: int, text: str, *, line_breaks: bool = False) -> None:
    """A text that a person reads; a title's `line_breaks` have a rule of their own."""
    found = texts.has_control_but_breaks(text) if line_breaks else texts.has_control(text)
    if found:
        place = frame.place_of_value()
        params = (_member(frame),)
        frame.findings.add(table.CONTROL_CHARACTERS, offset, place, frame.element, params)


def address(frame: Known, offset: int, text: str, *, icon: bool = False) -> None:
    """An address: an element's `url`, a block's `uri`, an icon's `src`."""
    place = frame.place_of_value()
    params = (_member(frame),)
    if uri.is_malformed(text):
        frame.findings.add(table.MALFORMED_URI, offset, place, frame.element, params)
    if uri.is_script(text, icon=icon):
        frame.findings.add(table.SCRIPT_URI, offset, place, frame.element, params)


def _member(frame: Frame) -> str | None:
    member = frame.member_of_value()
    return None if member is None else quote(member)


def _name_and_suggestion(name: str) -> tuple[str, str | None]:
    return quote(name), nearest_field(name)


def nearest_field(name: str) -> str | None:
    """The field of 5.1 that was most likely meant (`words.md`)."""
    if len(name) > _SUGGESTED_LENGTH:  # mutants: saves time, no more
        return None  # mutants: the same
    wanted = "".join(letter.lower() if letter.isascii() else letter for letter in name)
    edits, field = min((_edits(wanted, field), field) for field in ELEMENT)
    return field if edits <= _SUGGESTED_EDITS else None


def _edits(one: str, other: str) -> int:
    """The edit distance (Levenshtein)."""
    row = list(range(len(other) + 1))
    for letter in one:
        above, row = row, [row[0] + 1]
        for column, against in enumerate(other):
            change = above[column] + (letter != against)
            row.append(min(change, above[column + 1] + 1, row[column] + 1))
    return row[-1]
