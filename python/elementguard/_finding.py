"""Facade: one thing that is to be said of an answer.

Comes in: a row of an engine's outcome (the rule's number, the place, the values of the rule's
parameters) and the rule's level. Goes out: `Finding`. Its message is made from the card's template
when it is read; nothing of it is looked up before.
"""

from __future__ import annotations

from types import MappingProxyType

from elementguard._catalogue import CATALOGUE
from elementguard._level import LEVELS, Level

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Never

    from elementguard._engine import Row

_SHOWN_POINTER = (
    200  # characters of a pointer in text: one a million levels deep is no help to a reader
)


class Finding:
    """One rule that an answer breaks, and where. Made by a `Report`.

    Immutable, hashable, picklable.
    It quotes ids, roles, names of members, block types, media types and protocol versions (their
    first 64 characters, control characters escaped), never titles, texts, addresses or values of
    attributes.

    Attributes:
        level: its `Level`, after the user's moves.
        pointer: JSON Pointer (RFC 6901) of the value concerned; `""` is the whole answer. As it is:
            escape it for text.
        offset: where that value (or name) begins, in bytes of the answer's UTF-8; `None` for parsed
            objects.
        element: the id of the element concerned; `None` unless that is well-formed.

    Section:
        Each finding's own: `section`.

    Example:
        >>> import elementguard as eg
        >>> answer = b'{"protocol":"0.2.0","instance":"k3f9","root":{"id":"app","role":"Group"}}'
        >>> finding = eg.check(answer).findings[0]
        >>> finding.code, finding.level, finding.pointer, finding.offset, finding.element
        ('root-not-application', <Level.ERROR: 'error'>, '/root/role', 64, 'app')
        >>> finding.params["role"], finding.line_and_column(answer), finding.breadcrumb
        ('Group', (1, 65), 'root#app > role')
    """

    __slots__ = ("_number", "_values", "element", "level", "offset", "pointer")

    _number: int
    _values: tuple[object, ...]
    level: Level
    offset: int | None
    pointer: str
    element: str | None

    def __init__(self, row: Row, rank: int) -> None:
        store = object.__setattr__
        number, offset, pointer, element, values = row
        store(self, "_number", number)
        store(self, "_values", values)
        store(self, "level", LEVELS[rank])
        store(self, "offset", offset)
        store(self, "pointer", pointer)
        store(self, "element", element)

    @property
    def code(self) -> str:
        """The rule's stable name, such as `"focus-gap"`."""
        return CATALOGUE[self._number][0]

    @property
    def section(self) -> str:
        """The section of the specification, or the RFC, that asks for it."""
        return CATALOGUE[self._number][4]

    @property
    def url(self) -> str:
        """The page of the rule, as a name."""
        from elementguard._rules import RULES

        return RULES[self.code].url

    @property
    def params(self) -> Mapping[str, object]:
        """The rule's parameters by name, so that no program need read the message. Read-only."""
        values = map(_plain, self._values)
        return MappingProxyType(dict(zip(CATALOGUE[self._number][6], values, strict=True)))

    @property
    def message(self) -> str:
        """One line: what is wrong, what was seen, what to do."""
        return _message(self._number, self.params)

    @property
    def breadcrumb(self) -> str:
        """The way to the place in one line; `report.render(source)` knows the roles too."""
        from elementguard._breadcrumb import from_pointer

        return from_pointer(self.pointer, self.element)

    def line_and_column(self, source: object) -> tuple[int, int] | None:
        """Where the offset stands in the source.

        Args:
            source: what was checked, bytes-like or `str`: a report does not hold it.

        Returns:
            Line and column, both from 1; a column counts Unicode characters, and CR, LF and CRLF
            end a line. `None` if the finding has no offset: parsed objects have none.

        Raises:
            TypeError: the source is neither bytes-like nor `str`.
            ValueError: it is shorter than what was checked.

        Section:
            None: RFC 8259 knows no lines.

        Example:
            >>> import elementguard as eg
            >>> answer = '{"protocol": "0.2.0",' + chr(10) + ' "instance": ""}'
            >>> eg.check(answer).findings[1].line_and_column(answer)
            (2, 14)
        """
        from elementguard._source import Source

        place = Source(source)
        return None if self.offset is None else place.place(self.offset)

    def to_dict(self) -> dict[str, object]:
        """The finding as JSON types.

        Returns:
            `code level message pointer offset element section params`, as `schema("report")`
            describes them.

        Section:
            Each finding's own.

        Example:
            >>> import elementguard as eg
            >>> eg.check(b"[").findings[0].to_dict()["code"]
            'json-truncated'
        """
        return {
            "code": self.code,
            "level": str(self.level),
            "message": self.message,
            "pointer": self.pointer,
            "offset": self.offset,
            "element": self.element,
            "section": self.section,
            "params": dict(self.params),
        }

    def _content(self) -> tuple[object, ...]:
        values = tuple(map(_hashable, self._values))
        return self._number, self.level, self.offset, self.pointer, self.element, values

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError("a Finding is immutable")

    def __delattr__(self, name: str) -> Never:
        raise AttributeError("a Finding is immutable")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Finding):
            return NotImplemented
        return self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())

    def __str__(self) -> str:
        return f"{self.level} {self.code} at {shown_pointer(self.pointer)}: {self.message}"

    def __repr__(self) -> str:
        place = "" if self.offset is None else f", offset {self.offset}"
        return f"<Finding {self.level} {self.code} at {shown_pointer(self.pointer)}{place}>"

    def __reduce__(self) -> tuple[object, ...]:
        row = (self._number, self.offset, self.pointer, self.element, self._values)
        return Finding, (row, self.level.rank)


def shown_pointer(pointer: str) -> str:
    """A pointer as text: escaped, its middle cut out if it is very long."""
    from elementguard._escape import escaped

    if not pointer:
        return "the answer"
    if len(pointer) > _SHOWN_POINTER:
        half = _SHOWN_POINTER // 2
        pointer = f"{pointer[:half]}...{pointer[-half:]}"
    return escaped(pointer)


def _message(number: int, params: Mapping[str, object]) -> str:
    template, variants = CATALOGUE[number][8:]
    for name, value, instead in variants:
        if params[name] == value:
            template = instead
            break
    return template.format_map({name: _shown(name, value) for name, value in params.items()})


def _shown(name: str, value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value)) or "none"
    return shown_pointer(str(value)) if name == "other" else str(value)


def _plain(value: object) -> object:
    """A list of its own for whoever asks: a finding stays as it is."""
    return list(value) if isinstance(value, (list, tuple)) else value


def _hashable(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value
