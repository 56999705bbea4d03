"""Facade: the way from the root to a place, as a person reads it.

Comes in: pointers (RFC 6901) of findings, and the bytes they point into, if they are at hand. Goes
out: one line, such as `Application#app > Window#w-1 > Row#c-3 > focused` with the source, or
`root > children[0] > children[2]#c-3 > focused` without it.

Roles and ids stand anywhere in their objects, so the whole source is looked through once for all
pointers together: its strings and brackets only, with an explicit stack, and what no pointer enters
is skipped. An answer that is no JSON gives what was found up to there.
"""

from __future__ import annotations

import re

from elementguard._escape import escaped, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_ARROW = " > "
_SHOWN_FIRST, _SHOWN_LAST = 2, 5
_OPENING, _CLOSING, _QUOTE, _COMMA = b"{[", b"}]", b'"', b","
_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|["{}\[\],]', re.DOTALL)


class _Place:
    """A value that a pointer passes through; of an element, its role and id."""

    __slots__ = ("id", "inside", "role", "seen")

    def __init__(self) -> None:
        self.inside: dict[str, _Place] = {}
        self.role: str | None = None
        self.id: str | None = None
        self.seen = False

    def step(self, token: str) -> _Place:
        return self.inside.setdefault(token, _Place())


class _Frame:
    """An object or array that is open: where in it the scan stands."""

    __slots__ = ("index", "is_object", "name", "place")

    def __init__(self, place: _Place, *, is_object: bool) -> None:
        self.place, self.is_object = place, is_object
        self.name: str | None = None
        self.index = 0


def from_pointer(pointer: str, element: str | None) -> str:
    """The breadcrumb that a finding gives by itself."""
    tokens = tokens_of(pointer)
    length = _element_length(tokens)
    steps = [_bare_step(step) for step in _steps(tokens[:length])]
    if element is not None:
        last = steps.pop() if steps else ""
        steps.append(f"{last}#{quoted(element)}")
    return _joined([*steps, *map(quoted, tokens[length:])]) or "answer"


def from_source(data: bytes, pointers: Iterable[str]) -> dict[str, str]:
    """The breadcrumbs of all these pointers, by role and id."""
    wanted = {pointer: tokens_of(pointer) for pointer in pointers}
    top = _Place()
    for tokens in wanted.values():
        _mark(top, tokens)
    _scan(data, top)
    return {pointer: _told(top, tokens) for pointer, tokens in wanted.items()}


def tokens_of(pointer: str) -> list[str]:
    """A pointer's reference tokens, unescaped (RFC 6901, section 4)."""
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def _element_length(tokens: list[str]) -> int:
    """How many tokens lead to the innermost element: `root`, then `children` and an index each."""
    length = 1 if tokens[:1] == ["root"] else 0
    while tokens[length : length + 1] == ["children"] and tokens[length + 1 : length + 2]:
        length += 2
    return length


def _steps(tokens: list[str]) -> Iterator[list[str]]:
    """The tokens to an element, one list for each element on the way but a fragment's top."""
    start = len(tokens) % 2
    if start:
        yield tokens[:1]
    for index in range(start, len(tokens), 2):
        yield tokens[index : index + 2]


def _bare_step(step: list[str]) -> str:
    return step[0] if len(step) == 1 else f"{step[0]}[{quoted(step[1])}]"


def _mark(top: _Place, tokens: list[str]) -> None:
    place = top
    for token in tokens:
        place = place.step(token)


def _told(top: _Place, tokens: list[str]) -> str:
    length = _element_length(tokens)
    place = top
    words = [] if length % 2 else [_word(top)]
    for step in _steps(tokens[:length]):
        for token in step:
            place = place.inside[token]
        words.append(_word(place))
    if not tokens:
        return "answer" if top.role is None else words[0]
    return _joined([*words, *map(quoted, tokens[length:])])


def _word(place: _Place) -> str:
    role = "?" if place.role is None else quoted(place.role)
    return role if place.id is None else f"{role}#{quoted(place.id)}"


def _joined(words: list[str]) -> str:
    if len(words) > _SHOWN_FIRST + _SHOWN_LAST + 1:
        left_out = len(words) - _SHOWN_FIRST - _SHOWN_LAST
        words = [*words[:_SHOWN_FIRST], f"({left_out} more)", *words[-_SHOWN_LAST:]]
    return _ARROW.join(words)


def _scan(data: bytes, top: _Place) -> None:
    """Look through the source once and note roles and ids of the places on the way."""
    frames: list[_Frame] = []
    skipped = 0  # how many brackets are open in what no pointer enters
    for match in _TOKEN.finditer(data):
        token = match[0]
        if token == _QUOTE:
            return  # a string without its end
        if token in (b"{", b"["):
            place = None if skipped else _entered(frames, top)
            if place is None:
                skipped += 1
            else:
                frames.append(_Frame(place, is_object=token == b"{"))
        elif token in (b"}", b"]"):
            if skipped:
                skipped -= 1
            elif frames:
                frames.pop()
        elif frames and not skipped:
            _read(frames[-1], token)


def _entered(frames: list[_Frame], top: _Place) -> _Place | None:
    """The place whose object or array begins now; None where no pointer goes, or a name repeats."""
    if not frames:
        place: _Place | None = top
    else:
        frame = frames[-1]
        key = frame.name if frame.is_object else str(frame.index)
        place = None if key is None else frame.place.inside.get(key)
    if place is None or place.seen:
        return None
    place.seen = True
    return place


def _read(frame: _Frame, token: bytes) -> None:
    """A comma or a string in an object or array on the way."""
    if token == _COMMA:
        frame.name, frame.index = None, frame.index + 1
    elif frame.is_object and frame.name is None:
        frame.name = _string(token)
    elif frame.name == "role" and frame.place.role is None:
        frame.place.role = _string(token)
    elif frame.name == "id" and frame.place.id is None:
        frame.place.id = _string(token)


def _string(token: bytes) -> str:
    from json import loads

    try:
        return str(loads(token))
    except ValueError:
        return escaped(token[1:-1].decode("utf-8", "backslashreplace"))
