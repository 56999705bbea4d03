# ruff: noqa: SLF001 -- an answer's index is read as columns, which no call gives
"""Command line: the data of `show`'s page.

Comes in: an answer with its report; it may have errors, if none of them is fatal. Goes out:
columns, a value an element in document order; what few elements have, by their numbers; the
findings, each with the number of the innermost element around its place. That is found by the
place's offset: in an answer with errors, a pointer's index may count items that are no elements.

All texts are cut and escaped here. The page is for looking at: the whole answer is in its file.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from elementguard._finding import shown_pointer
from elementguard._layout import (
    BLOB,
    ELEMENTS,
    END,
    FLAGS,
    FOCUSED,
    HOVERED,
    PARENT,
    SELECTED,
    START,
    TEXT,
)
from elementguard._source import Source
from elementguard.cli.html.blocks import told_blocks
from elementguard.cli.html.explained import explained
from elementguard.cli.html.island import cut, cut_lines

if TYPE_CHECKING:
    from elementguard._answer import Answer
    from elementguard._element import Element
    from elementguard._finding import Finding
    from elementguard._report import Report

ID, WORD, TITLE = 128, 64, 300  # characters of them that a page has
_URL, _ATTRIBUTES = 300, 600
_MARKED = SELECTED | FOCUSED | HOVERED
_NOT_ON_SCREEN = 8  # the bit of a page's flags for what is effectively invisible
_NOBODY = -1
_BRACE = ord("{")
# With one of these in it, an answer may hold items between its elements.
_SHIFTING = ("wrong-type", "null-member", "duplicate-member")


def outline(answer: Answer) -> dict[str, object]:
    """What the page shows of an answer."""
    report, elements = answer.report, list(answer.walk())
    position = answer.position
    more = {str(at): found for at, one in enumerate(elements) if (found := _more(one))}
    return {
        **columns(answer, elements),
        "flags": _flags(answer),
        "position": None if position is None else position._number,
        "more": more,
        "findings": _findings(answer),
        "rules": explained(report.counts),
        "top": "/root" if answer.kind == "answer" else "",
        "hasPointers": not any(code in report.counts for code in _SHIFTING),
    }


def findings_alone(report: Report, source: bytes) -> dict[str, object]:
    """The same where there are no elements."""
    places = Source(source)
    names = ("parents", "roles", "role", "ids", "titles", "bytes", "text", "blobs", "elements")
    return {
        **{name: [] for name in (*names, "flags")},
        "position": None,
        "more": {},
        "findings": [[_NOBODY, *_told(one, places)] for one in report.findings],
        "rules": explained(report.counts),
        "top": "",
        "hasPointers": False,
    }


def columns(answer: Answer, elements: list[Element]) -> dict[str, object]:
    """What every element has: where it is, what it is called, what it weighs."""
    index = answer._index
    roles: dict[str, int] = {}
    numbers = [roles.setdefault(one.role, len(roles)) for one in elements]
    return {
        "parents": [-1 if parent is None else parent for parent in index.column(PARENT)],
        "roles": list(roles),
        "role": numbers,
        "ids": [None if one.id is None else cut(one.id, ID) for one in elements],
        "titles": [None if one.title is None else cut(one.title, TITLE) for one in elements],
        "bytes": answer._weights("bytes"),
        "text": index.column(TEXT),
        "blobs": index.column(BLOB),
        "elements": index.column(ELEMENTS),
    }


def _flags(answer: Answer) -> list[int]:
    """The states of each element."""
    rows = zip(answer._index.column(FLAGS), answer._hidden(), strict=True)
    return [
        (flags or 0) & _MARKED | (_NOT_ON_SCREEN if is_hidden else 0) for flags, is_hidden in rows
    ]


def _more(element: Element) -> dict[str, object]:
    """What few elements have."""
    sent = element.role_as_sent
    subrole, url = element.subrole, element.url
    blocks, left_out = told_blocks(element.content)
    told = {
        "sent": None if sent in (None, element.role) else cut(str(sent), WORD),
        "subrole": subrole and cut(subrole, WORD),
        "url": url and cut(url, _URL),
        "content": blocks,
        "blocks": left_out,
        "attributes": _attributes(element),
    }
    return {name: value for name, value in told.items() if value}


def _attributes(element: Element) -> str | None:
    """The beginning of the attributes, as they were sent: any JSON may be in them."""
    start, end = element._member("attributes") or (0, 0)
    source = element._index.source
    if start == end or source[start] != _BRACE:
        return None
    # No character has more than four bytes; one that is cut in the middle lies behind the cut.
    text = source[start : min(end, start + 4 * _ATTRIBUTES + 4)].decode("utf-8", "ignore")
    return cut_lines(text, _ATTRIBUTES)


def _findings(answer: Answer) -> list[list[object]]:
    """The findings: those of the answer itself, then by element; in document order each."""
    starts = [start or 0 for start in answer._index.column(START)]
    places = Source(answer.raw)
    told = [(_owner(answer, starts, one), _told(one, places)) for one in answer.report.findings]
    told.sort(key=lambda pair: pair[0])
    return [[owner, *row] for owner, row in told]


def _owner(answer: Answer, starts: list[int], finding: Finding) -> int:
    """The innermost element that a finding's place lies in."""
    index, at = answer._index, finding.offset or 0
    row = bisect_right(starts, at) - 1
    while row >= 0 and at >= (index.cell(row, END) or 0):
        parent = index.cell(row, PARENT)
        row = _NOBODY if parent is None else parent
    return row


def _told(finding: Finding, places: Source) -> list[object]:
    line, column = places.place(finding.offset or 0)
    message = cut(finding.message, len(finding.message))
    pointer = shown_pointer(finding.pointer)
    return [str(finding.level), finding.code, message, pointer, f"line {line}, column {column}"]
