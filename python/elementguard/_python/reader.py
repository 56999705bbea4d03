"""Room: tokens to the values of open objects and arrays.

In: the lexer's tokens, or those that `walk` makes of Python objects. Out: calls of the frame on
top of the stack. Says what holds of JSON anywhere: `duplicate-member`, `lone-surrogate`,
`imprecise-number`, `limit-nesting`.

A member whose name has been there already is read on as JSON, but no frame hears of it.
"""

from __future__ import annotations

from elementguard._python.frame import Frame
from elementguard._python.report import Fatal
from elementguard._python.rules import fields, table
from elementguard._python.text import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from elementguard._python.frame import Sink
    from elementguard._python.number import Number
    from elementguard._python.report import Findings


class Reader:
    """The stack of open objects and arrays."""

    def __init__(self, bottom: Frame, findings: Findings, nesting: int | None) -> None:
        self._findings = findings
        self._nesting = nesting
        self._stack: list[Frame] = []
        self._top = bottom
        self._in_name = False  # mutants: every string sets it
        self._sink: Sink | None = None
        self._string_at = 0  # mutants: the same
        self._name: list[str] = []
        self._surrogates: list[int] = []

    # tokens

    def begin(self, at: int, kind: str) -> None:
        """An object or array opens."""
        top = self._value()
        if self._nesting is not None and len(self._stack) >= self._nesting:
            params = ("nesting", self._nesting, self._nesting + 1)
            raise Fatal(table.LIMIT_NESTING, at, top.place_of_value(), params)
        self._stack.append(top)
        self._top = Frame(top, at, kind) if top.repeated else top.open(at, kind)

    def end(self, end: int) -> None:
        """It ends; `end` is the offset behind its bracket."""
        self._top.close(end)
        self._top = self._stack.pop()

    def name(self, at: int, name: str) -> None:
        """The name of a member."""
        top = self._top
        top.key = name
        top.name_at = at
        names = top.names
        if names is None:
            top.names = name
            return
        if isinstance(names, str):
            names = top.names = {names}
        top.repeated = name in names
        if top.repeated:
            place = (top.place, name)
            params = (quote(name), place)
            self._findings.add(table.DUPLICATE_MEMBER, at, place, top.element, params)
        else:
            names.add(name)

    def string(self, at: int, text: str) -> None:
        """A string without lone surrogates, as a value."""
        top = self._value()
        if not top.repeated:
            top.string(at, text)

    def number(self, at: int, number: Number) -> None:
        """A number."""
        top = self._value()
        if number.is_imprecise():
            self._findings.add(table.IMPRECISE_NUMBER, at, top.place_of_value(), top.element)
        if not top.repeated:
            top.number(at, number)

    def literal(self, at: int, kind: str, *, value: bool) -> None:
        """True, false or null."""
        top = self._value()
        if not top.repeated:
            top.literal(at, kind, value=value)

    def alien(self, at: int, found: str) -> None:
        """A Python object that is no JSON, as a value."""
        top = self._value()
        if top.repeated or not top.alien(at, found):
            fields.no_json(self._findings, top, at, found)

    def alien_name(self, found: str) -> None:
        """A key that is no string: the member is passed over."""
        fields.no_name(self._findings, self._top, found)

    # strings in pieces

    def begin_string(self, at: int, *, is_name: bool) -> None:
        """A string that is cut or escaped."""
        self._in_name = is_name
        self._string_at = at
        if is_name:
            self._name = []
            self._surrogates = []
            return
        top = self._value()
        self._sink = None if top.repeated else top.stream(at)

    def piece(self, text: str) -> None:
        """The next piece of its text."""
        if self._in_name:
            self._name.append(text)
        elif self._sink:
            self._sink.piece(text)

    def lone_surrogate(self, at: int, surrogate: str) -> None:
        """An escaped surrogate without its partner, as the next piece."""
        if self._in_name:
            self._surrogates.append(at)
        else:
            self._say_surrogate(at)
        self.piece(surrogate)

    def end_string(self) -> None:
        """The string is over."""
        if self._in_name:
            self.name(self._string_at, "".join(self._name))
            for at in self._surrogates:
                self._say_surrogate(at)
        elif self._sink:
            self._sink.end()

    def _say_surrogate(self, at: int) -> None:
        top = self._top
        self._findings.add(table.LONE_SURROGATE, at, top.place_of_value(), top.element)

    def _value(self) -> Frame:
        """The frame that a value stands in, its item counted."""
        top = self._top
        if top.is_array:
            top.key = int(top.key) + 1
        return top
