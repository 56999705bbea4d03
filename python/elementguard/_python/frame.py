"""Room: open objects and arrays.

In: the values that stand in one, from the reader. Out: a frame for each object or array that
opens inside. A plain `Frame` is one that nothing is known of: what stands in it is only read as
JSON. Those that the chapter and MCP define are in `tree` (elements) and `block` (content).

A frame learns of each value before it knows what comes after it, and of its own end last.
"""

from __future__ import annotations

from elementguard._python.rules import fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import ClassVar, Protocol

    from elementguard._python.facts import Facts
    from elementguard._python.number import Number
    from elementguard._python.pointer import Place
    from elementguard._python.report import Element, Findings

    class Sink(Protocol):
        """Takes a string in pieces, of which it keeps no more than it must."""

        def piece(self, text: str) -> None:
            """The next piece."""

        def end(self) -> None:
            """The string is over."""


# Types as findings word them, and what JSON calls them.
STRING, NUMBER = "string", "number"
ARRAY, OBJECT = "array", "object"
IN_JSON = {"integer": NUMBER, "light or dark": STRING}


class Whole:
    """Keeps a string until it is over: for words, ids and addresses."""

    __slots__ = ("_pieces", "_then")

    def __init__(self, then: Callable[[str], None]) -> None:
        self._pieces: list[str] = []
        self._then = then

    def piece(self, text: str) -> None:
        """The next piece."""
        self._pieces.append(text)

    def end(self) -> None:
        """The string is over."""
        self._then("".join(self._pieces))


class Frame:
    """An open object or array.

    `member` is the innermost member's name around it, which names its items in findings; `key`
    the name or index of the value that is being read; `names` those that an object has had (one
    alone is kept without a set, for there may be a million open objects).
    """

    __slots__ = (
        "element",
        "is_array",
        "key",
        "member",
        "name_at",
        "names",
        "offset",
        "place",
        "repeated",
    )

    def __init__(self, around: Frame | None, offset: int, kind: str) -> None:
        self.place: Place = around.place_of_value() if around else None
        self.offset = offset
        self.element: Element | None = around.element if around else None
        self.is_array = kind == ARRAY
        self.key: str | int = -1  # before the first item; an object's names take its place
        self.member: str | None = around.member_of_value() if around else None
        self.name_at = 0  # mutants: every name sets it
        self.names: set[str] | str | None = None
        self.repeated = False

    def place_of_value(self) -> Place:
        """Where the value stands that is being read."""
        return (self.place, self.key)

    def member_of_value(self) -> str | None:
        """The member's name that findings on the value give: of an item, the array's."""
        return self.key if isinstance(self.key, str) else self.member

    def has(self, name: str) -> bool:
        """Whether the object has named this member."""
        return name in self.names if isinstance(self.names, set) else name == self.names

    def open(self, offset: int, kind: str) -> Frame:
        """An object or array opens. Returns its frame."""
        return Frame(self, offset, kind)

    def string(self, offset: int, text: str) -> None:
        """A whole string."""
        if sink := self.stream(offset):
            sink.piece(text)
            sink.end()

    def stream(self, _offset: int) -> Sink | None:
        """A string that comes in pieces. Returns who takes them, if anybody wants them."""
        return None

    def number(self, offset: int, number: Number) -> None:
        """A number."""

    def literal(self, offset: int, kind: str, *, value: bool) -> None:
        """True, false or null (which has no value: false)."""

    def alien(self, _offset: int, _found: str) -> bool:
        """A Python object that is no JSON. Returns whether the frame has said so itself."""
        return False

    def close(self, end: int) -> None:
        """The object or array ends."""


class Known(Frame):
    """An object or array of which the contract knows something.

    `findings` are the answer's, or those of a block whose type may yet make them void.
    """

    __slots__ = ("facts", "findings")

    def __init__(self, around: Known, offset: int, kind: str) -> None:
        super().__init__(around, offset, kind)
        self.facts: Facts = around.facts
        self.findings: Findings = around.findings


class Members(Known):
    """An object whose members have types."""

    __slots__ = ()

    shape: ClassVar[Mapping[str, tuple[str, bool]]]

    def __init__(self, around: Known, offset: int) -> None:
        super().__init__(around, offset, OBJECT)

    def fits(self, offset: int, found: str) -> bool:
        """Whether the member is known and its value of its type; says so if it is not."""
        field = self.shape.get(self.name)
        if field is None:
            self.unknown()
            return False
        expected, required = field
        if IN_JSON.get(expected, expected) == found:
            return True
        fields.mismatch(self, offset, expected, found, required=required)
        return False

    @property
    def name(self) -> str:
        """The name of the member that is being read."""
        return str(self.key)

    def open(self, offset: int, kind: str) -> Frame:
        """An object or array opens."""
        frame = self.open_known(offset) if self.fits(offset, kind) else None
        return frame or Frame(self, offset, kind)

    def stream(self, offset: int) -> Sink | None:
        """A string."""
        return self.stream_known(offset) if self.fits(offset, STRING) else None

    def number(self, offset: int, number: Number) -> None:
        """A number."""
        if self.fits(offset, NUMBER):
            self.number_known(offset, number)

    def literal(self, offset: int, kind: str, *, value: bool) -> None:
        """True, false or null."""
        if self.fits(offset, kind):
            self.boolean_known(offset, value=value)

    def alien(self, offset: int, found: str) -> bool:
        """A Python object that is no JSON."""
        field = self.shape.get(self.name)
        if field is None:
            self.unknown()
            return False
        fields.alien(self, offset, field[0], found)
        return True

    # for the objects that know more

    def unknown(self) -> None:
        """A member that is not known begins."""

    def open_known(self, _offset: int) -> Frame | None:
        """An object or array of the right type opens. None: no more is known of it."""
        return None

    def stream_known(self, _offset: int) -> Sink | None:
        """A string of a member that is to be one."""
        return None

    def number_known(self, offset: int, number: Number) -> None:
        """A number of a member that is to be one."""

    def boolean_known(self, offset: int, *, value: bool) -> None:
        """True or false of a member that is to be one."""


class Items(Known):
    """An array whose items have one type: objects or strings."""

    __slots__ = ()

    expected: ClassVar[str]

    def __init__(self, around: Known, offset: int) -> None:
        super().__init__(around, offset, ARRAY)

    @property
    def count(self) -> int:
        """How many items it has so far, of whatever type."""
        return int(self.key) + 1

    def open(self, offset: int, kind: str) -> Frame:
        """An object or array opens."""
        if self._fits(offset, kind):
            return self.open_item(offset)
        return Frame(self, offset, kind)

    def stream(self, offset: int) -> Sink | None:
        """A string."""
        return self.stream_item(offset) if self._fits(offset, STRING) else None

    def number(self, offset: int, _number: Number) -> None:
        """A number."""
        self._fits(offset, NUMBER)

    def literal(self, offset: int, kind: str, *, value: bool) -> None:  # noqa: ARG002  # no item is one
        """True, false or null."""
        self._fits(offset, kind)

    def alien(self, offset: int, found: str) -> bool:
        """A Python object that is no JSON."""
        fields.alien(self, offset, self.expected, found)
        return True

    def _fits(self, offset: int, found: str) -> bool:
        if found == self.expected:
            return True
        fields.mismatch(self, offset, self.expected, found)
        return False

    # for the arrays that know more

    def open_item(self, offset: int) -> Frame:
        """An object of an array of objects opens."""
        return Frame(self, offset, OBJECT)

    def stream_item(self, _offset: int) -> Sink | None:
        """A string of an array of strings."""
        return None
