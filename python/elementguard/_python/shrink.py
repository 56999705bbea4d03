"""Room: the smallest answer that still shows a finding, all texts in it replaced by placeholders.

In: a text, and who says whether another one still shows it. Out: the smallest one found.

In rounds, until one changes nothing. Each leaves out white space; the members of one name in all
objects; the values of one depth after another, elements and blocks and members alike; the elements
that only lead to others, whose children then stand in their place; and what texts say, last, so
that they say it of little (`shrink_texts`).
What is left out goes with its comma, so that JSON stays JSON. What is none to begin with loses its
end first, so that all but its last bytes is the beginning of JSON; and single bytes at last.

Nothing here knows a rule: a candidate that makes another finding is refused by who is asked.
"""

from __future__ import annotations

from functools import partial

from elementguard._python import shrink_texts
from elementguard._python.edits import Edits
from elementguard._python.fewer import Search, fewest, least
from elementguard._python.pieces import NOWHERE, blanks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from elementguard._python.pieces import Pieces

    Span = tuple[int, int]

_NAMES = 200  # names of members that are tried as such
_LEVELS = 64  # levels of a round: the next one begins above, with those lifted that only led down
_BYTES = 2_000  # of what is no JSON: longer texts lose no single bytes


def shrink(data: bytes, shows: Callable[[bytes], bool], *, is_json: bool) -> tuple[Search, bool]:
    """The search, and whether it came to an end: no round would make the text smaller."""
    search = Search(data, shows)
    before = None
    while before != search.data:
        before = search.data
        search.begin()
        for one in _OF_JSON if is_json else _OF_OTHERS:
            search.run(one)
    return search, not search.is_cut_short


def _end(search: Search) -> None:
    """What stands behind the last byte that matters, then what stands before the first."""
    data = search.data
    least(len(data), lambda size: search.take(data[:size]))
    rest = search.data
    least(len(rest), lambda size: search.take(rest[len(rest) - size :]))


def _blanks(search: Search) -> None:
    _spans(search, blanks(search.data))


def _names(search: Search) -> None:
    """The members of one name, wherever they are."""
    pieces = search.pieces
    names = dict.fromkeys(pieces.name(row) for row in range(len(pieces)))
    for name in [name for name in names if name is not None][:_NAMES]:
        pieces = search.pieces
        rows = [row for row in range(len(pieces)) if pieces.name(row) == name]
        if rows:
            search.take(_without(pieces, rows))


def _levels(search: Search) -> None:
    """The values of one depth, then of the next."""
    for depth in range(1, _LEVELS + 1):
        pieces = search.pieces
        rows = [row for row in range(len(pieces)) if pieces.depth[row] == depth]
        if not rows:
            return
        fewest(rows, partial(_stays, search, pieces, rows))


def _stays(search: Search, pieces: Pieces, rows: list[int], stay: list[int]) -> bool:
    kept = set(stay)
    return search.take(_without(pieces, [row for row in rows if row not in kept]))


def _without(pieces: Pieces, rows: list[int]) -> bytes:
    edits, gone = Edits(), set(rows)
    for holder in dict.fromkeys(pieces.holder[row] for row in rows):
        edits.items(pieces, holder, lambda row: row not in gone)
    return edits.apply(pieces.data)[0]


def _lifts(search: Search) -> None:
    """Brackets that only lead to others: what they lead to stands in their place."""
    pieces = search.pieces
    lifts = [one for row in range(1, len(pieces)) if (one := _lift(pieces, row))]
    fewest(lifts, lambda stay: search.take(_lifted(pieces.data, lifts, stay)))


def _lift(pieces: Pieces, row: int) -> tuple[Span, Span] | None:
    """What goes, before and behind, if the largest bracket inside takes the place of one."""
    wholes = filter(pieces.is_whole, pieces.inside(row)) if pieces.is_whole(row) else ()
    inner = max(wholes, key=lambda one: pieces.end[one] - pieces.start[one], default=NOWHERE)
    if inner == NOWHERE:
        return None
    start, end = pieces.start[inner], pieces.end[inner]
    if pieces.is_array(inner) != pieces.is_array(row):
        is_item = pieces.is_array(pieces.holder[row])
        if not (is_item and pieces.is_array(inner) and pieces.behind[inner] > inner + 1):
            return None
        start, end = start + 1, end - 1  # its items, among those that are there
    return (pieces.start[row], start), (end, pieces.end[row])


def _lifted(data: bytes, lifts: list[tuple[Span, Span]], stay: list[tuple[Span, Span]]) -> bytes:
    kept = set(stay)
    return _cut(data, (span for one in lifts if one not in kept for span in one))


def _bytes(search: Search) -> None:
    if len(search.data) <= _BYTES:
        _spans(search, [(at, at + 1) for at in range(len(search.data))])


def _spans(search: Search, spans: list[Span]) -> None:
    """Leave out as many of these as can be."""
    data = search.data

    def will_do(stay: list[Span]) -> bool:
        kept = set(stay)
        return search.take(_cut(data, (span for span in spans if span not in kept)))

    fewest(spans, will_do)


def _cut(data: bytes, spans: Iterable[Span]) -> bytes:
    edits = Edits()
    for start, end in spans:
        edits.cut(start, end)
    return edits.apply(data)[0]


_OF_JSON = (_blanks, _names, _levels, _lifts, shrink_texts.replace, shrink_texts.shorten)
_OF_OTHERS = (_end, *_OF_JSON, _bytes)
