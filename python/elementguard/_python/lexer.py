"""Room: bytes to tokens of JSON (RFC 8259), with the offset of each.

In: the answer's bytes in pieces of any size. Out: calls of the reader, one for each token; a
string that is cut or escaped comes in pieces. Says `json-encoding`, `json-syntax` and
`json-truncated`.

A step reads one token at one place and returns how far it came. A step that does not move needs
bytes that are not here yet; it has changed nothing, and what it saw (an escape, a word, half a
character: never more than a dozen bytes) is carried into the next piece. Strings and numbers are
not carried: they have states of their own, so that their length costs nothing twice.

The offset of a fault is that of the first byte after which no continuation is JSON. A byte above
ASCII is therefore first read as a whole character: if it is none, that comes before what it would
have broken.
"""

from __future__ import annotations

from elementguard._python import scan
from elementguard._python.number import Number
from elementguard._python.report import Fatal
from elementguard._python.rules import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from elementguard._python.reader import Reader

    Step = Callable[["Lexer", bytes, int], int]

_BOM = "\ufeff"
_QUOTE, _BACKSLASH, _COMMA, _COLON = b'"\\,:'
_OPEN_OBJECT, _CLOSE_OBJECT, _OPEN_ARRAY, _CLOSE_ARRAY = b"{}[]"
_MINUS, _PLUS, _POINT, _ZERO, _SLASH = b"-+.0/"
_BRACKETS = frozenset(b"{[")
_DIGITS = frozenset(b"0123456789")
_EXPONENT = frozenset(b"eE")
_NOT_BEHIND_A_NUMBER = frozenset(b"0123456789+-.eExX_")
_WORDS = {
    ord("t"): (b"true", "boolean", True),
    ord("f"): (b"false", "boolean", False),
    ord("n"): (b"null", "null", False),  # mutants: a null's value is not asked for
}
# Where a number stands, and the digits it has just read.
_SIGN, _LEADING_ZERO, _WHOLE, _BEHIND_POINT, _FRACTION, _BEHIND_E, _BEHIND_SIGN, _POWER = range(8)
_WHOLE_NUMBERS = frozenset({_LEADING_ZERO, _WHOLE, _FRACTION, _POWER})
_BEHIND_DIGITS = {
    _SIGN: _WHOLE,
    _WHOLE: _WHOLE,
    _BEHIND_POINT: _FRACTION,
    _FRACTION: _FRACTION,
    _BEHIND_E: _POWER,
    _BEHIND_SIGN: _POWER,
    _POWER: _POWER,
}


class Lexer:
    """The tokens of one answer: `feed` it all bytes in turn, then `finish`."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._base = 0
        self._carry = b""
        self._open = bytearray()
        self._behind_comma = False
        self._number = Number()  # mutants: every number sets it
        self._number_at = 0  # mutants: the same
        self._part = _SIGN  # mutants: the same
        self._in_name = False  # mutants: every string sets it
        self._step: Step = Lexer._value

    def feed(self, data: bytes) -> None:
        """The next bytes of the answer."""
        chunk = self._carry + data
        at, size = 0, len(chunk)
        while at < size:
            step = self._step
            end = step(self, chunk, at)
            if end == at and self._step is step:
                break
            at = end
        self._base += at
        self._carry = chunk[at:]

    def finish(self) -> int:
        """The answer is over. Returns how many bytes it had."""
        if self._step is Lexer._in_number and self._part in _WHOLE_NUMBERS:
            self._end_number()
        if self._carry or self._step is not Lexer._done:
            raise Fatal(table.JSON_TRUNCATED, self._base + len(self._carry))
        return self._base

    # values

    def _value(self, chunk: bytes, at: int) -> int:
        byte = chunk[at]
        if byte == _QUOTE:
            return self._string(chunk, at)
        if byte in b" \t\n\r":
            return self._blanks(chunk, at)
        if byte in _BRACKETS:
            return self._container(byte, at)
        if byte in _WORDS:
            return self._word(chunk, at)
        if byte == _MINUS or byte in _DIGITS:
            return self._begin_number(byte, at)
        return self._no_value(chunk, at)

    def _first_item(self, chunk: bytes, at: int) -> int:
        at = self._blanks(chunk, at)
        if at == len(chunk):
            return at
        if chunk[at] == _CLOSE_ARRAY:
            return self._close(at)
        self._step = Lexer._value
        return at

    def _container(self, bracket: int, at: int) -> int:
        self._open.append(bracket)
        self._behind_comma = False
        is_object = bracket == _OPEN_OBJECT
        self._step = Lexer._first_name if is_object else Lexer._first_item
        self._reader.begin(self._base + at, "object" if is_object else "array")
        return at + 1

    def _close(self, at: int) -> int:
        self._open.pop()
        self._after_value()
        self._reader.end(self._base + at + 1)
        return at + 1

    def _after_value(self) -> None:
        if not self._open:
            self._step = Lexer._done
        elif self._open[-1] == _OPEN_OBJECT:
            self._step = Lexer._behind_member
        else:
            self._step = Lexer._behind_item

    def _word(self, chunk: bytes, at: int) -> int:
        word, found, value = _WORDS[chunk[at]]
        seen = chunk[at : at + len(word)]
        if seen == word:
            self._after_value()
            self._reader.literal(self._base + at, found, value=value)
            return at + len(word)
        same = 0  # mutants: the first letter is the same, or it would be another word
        while same < len(seen) and seen[same] == word[same]:
            same += 1
        return self._unless_cut(chunk, at, at + same, "bad-literal")

    def _no_value(self, chunk: bytes, at: int) -> int:
        if self._base + at == 0 and self._character(chunk, at) == _BOM:
            return self._fault(chunk, at, "byte-order-mark")
        byte = chunk[at]
        if byte == _SLASH:
            reason = "comment"
        elif byte in b"NI":
            reason = "nan-or-infinity"
        elif byte in b"+.":
            reason = "bad-number"
        elif byte in b"]}" and self._behind_comma:
            reason = "trailing-comma"
        else:
            reason = "unexpected-character"
        return self._fault(chunk, at, reason)

    # what stands between values

    def _first_name(self, chunk: bytes, at: int) -> int:
        if match := scan.first_name(chunk, at):  # mutants: saves time, no more
            name = match.start(1), match[1], match.end()
            return self._plain_name(*name)  # mutants: saves time, no more
        at = self._blanks(chunk, at)
        if at == len(chunk):
            return at
        if chunk[at] == _CLOSE_OBJECT:
            return self._close(at)
        self._step = Lexer._name
        return at

    def _name(self, chunk: bytes, at: int) -> int:
        at = self._blanks(chunk, at)
        if at == len(chunk):
            return at
        byte = chunk[at]
        if byte == _QUOTE:
            return self._begin_string(at, is_name=True)
        if byte == _SLASH:
            return self._fault(chunk, at, "comment")
        trailing = byte == _CLOSE_OBJECT and self._behind_comma
        return self._fault(chunk, at, "trailing-comma" if trailing else "bad-name")

    def _plain_name(self, at: int, name: bytes, end: int) -> int:
        text = self._text(name, at)
        self._behind_comma = False
        self._step = Lexer._value
        self._reader.name(self._base + at - 1, text)
        return end

    def _colon(self, chunk: bytes, at: int) -> int:
        at = self._blanks(chunk, at)
        if at == len(chunk):
            return at
        if chunk[at] == _COLON:
            self._behind_comma = False
            self._step = Lexer._value
            return at + 1
        return self._fault(chunk, at, "comment" if chunk[at] == _SLASH else "missing-colon")

    def _behind_member(self, chunk: bytes, at: int) -> int:
        if match := scan.next_name(chunk, at):  # mutants: saves time, no more
            name = match.start(1), match[1], match.end()
            return self._plain_name(*name)  # mutants: saves time, no more
        return self._behind(chunk, at, _CLOSE_OBJECT, Lexer._name)

    def _behind_item(self, chunk: bytes, at: int) -> int:
        return self._behind(chunk, at, _CLOSE_ARRAY, Lexer._value)

    def _behind(self, chunk: bytes, at: int, closing: int, after_comma: Step) -> int:
        at = self._blanks(chunk, at)
        if at == len(chunk):
            return at
        if chunk[at] == _COMMA:
            self._behind_comma = True
            self._step = after_comma
            return at + 1
        if chunk[at] == closing:
            return self._close(at)
        return self._fault(chunk, at, "comment" if chunk[at] == _SLASH else "missing-comma")

    def _done(self, chunk: bytes, at: int) -> int:
        at = self._blanks(chunk, at)
        if at == len(chunk):
            return at
        return self._fault(chunk, at, "comment" if chunk[at] == _SLASH else "text-after-value")

    # strings

    def _string(self, chunk: bytes, at: int) -> int:
        match = scan.plain_string(chunk, at)
        if match is None:  # mutants: whole strings in pieces would be slower, no more
            return self._begin_string(at, is_name=False)
        text = self._text(match[1], at + 1)
        self._after_value()
        self._reader.string(self._base + at, text)
        return match.end()

    def _begin_string(self, at: int, *, is_name: bool) -> int:
        self._in_name = is_name
        self._step = Lexer._in_string
        self._reader.begin_string(self._base + at, is_name=is_name)
        return at + 1

    def _in_string(self, chunk: bytes, at: int) -> int:
        run = scan.string_run(chunk, at)
        end = run.end() if run else at  # mutants: there is one, but mypy cannot know
        if end > at:
            return self._piece(chunk, at, end)
        if chunk[at] == _QUOTE:
            self._end_string()
            return at + 1
        if chunk[at] == _BACKSLASH:
            return self._surrogate(chunk, at)
        return self._fault(chunk, at, "control-character")

    def _piece(self, chunk: bytes, at: int, end: int) -> int:
        """The text up to `end`; a character that the chunk cuts is left for the next."""
        try:
            text, taken = scan.decode(chunk[at:end], more=end == len(chunk))
        except scan.EncodingError as fault:
            self._not_utf8(at + fault.at)
        self._reader.piece(scan.unescape(text))
        return at + taken

    def _end_string(self) -> None:
        if self._in_name:
            self._step = Lexer._colon
        else:
            self._after_value()
        self._reader.end_string()

    def _surrogate(self, chunk: bytes, at: int) -> int:
        """An escape that is no part of a run: a surrogate, or none at all."""
        match = scan.surrogate(chunk, at)
        if match is None:
            so_far = scan.escape_so_far(chunk, at)
            end = so_far.end() if so_far else at  # mutants: there is one, but mypy cannot know
            return self._unless_cut(chunk, at, end, "bad-escape")
        end, code = match.end(), int(match[1], 16)
        if code <= 0xDBFF:
            if low := scan.low_surrogate(chunk, end):
                pair = (code - 0xD800 << 10) + int(low[1], 16) - 0xDC00 + 0x10000
                self._reader.piece(chr(pair))
                return low.end()
            if scan.low_surrogate_so_far(chunk, end):
                return at
        self._reader.lone_surrogate(self._base + at, chr(code))
        return end

    # numbers

    def _begin_number(self, byte: int, at: int) -> int:
        self._number = Number()
        self._number_at = self._base + at
        self._part = _SIGN
        self._step = Lexer._in_number
        if byte == _MINUS:
            self._number.minus()
            return at + 1
        return at

    def _in_number(self, chunk: bytes, at: int) -> int:
        byte, part = chunk[at], self._part
        if byte in _DIGITS and part != _LEADING_ZERO:
            return self._number_digits(chunk, at)
        if byte == _POINT and part in {_LEADING_ZERO, _WHOLE}:
            self._number.not_whole()
            self._part = _BEHIND_POINT
        elif byte in _EXPONENT and part in {_LEADING_ZERO, _WHOLE, _FRACTION}:
            self._number.not_whole()
            self._part = _BEHIND_E
        elif byte in {_PLUS, _MINUS} and part == _BEHIND_E:
            if byte == _MINUS:
                self._number.minus_power()
            self._part = _BEHIND_SIGN
        else:
            return self._behind_number(chunk, at)
        return at + 1

    def _number_digits(self, chunk: bytes, at: int) -> int:
        if self._part == _SIGN and chunk[at] == _ZERO:
            self._part = _LEADING_ZERO
            return at + 1
        run = scan.digits(chunk, at)
        end = run.end() if run else at  # mutants: there is one, but mypy cannot know
        self._part = _BEHIND_DIGITS[self._part]
        if self._part == _POWER:
            self._number.power(chunk[at:end])
        else:
            self._number.digits(chunk[at:end])
        return end

    def _behind_number(self, chunk: bytes, at: int) -> int:
        byte, part = chunk[at], self._part
        if part not in _WHOLE_NUMBERS:
            is_word = byte in b"IN" and part == _SIGN
            return self._fault(chunk, at, "nan-or-infinity" if is_word else "bad-number")
        if byte in _NOT_BEHIND_A_NUMBER:
            return self._fault(chunk, at, "bad-number")
        self._end_number()
        return at

    def _end_number(self) -> None:
        self._after_value()
        self._reader.number(self._number_at, self._number)

    # faults

    def _blanks(self, chunk: bytes, at: int) -> int:
        run = scan.blanks(chunk, at)
        return run.end() if run else at  # mutants: there is one, but mypy cannot know

    def _text(self, run: bytes, at: int) -> str:
        """The text of a run that is whole."""
        try:
            return scan.decode(run, more=False)[0]
        except scan.EncodingError as fault:
            self._not_utf8(at + fault.at)

    def _character(self, chunk: bytes, at: int) -> str:
        try:
            return scan.character(chunk, at)
        except scan.EncodingError:
            self._not_utf8(at)

    def _unless_cut(self, chunk: bytes, at: int, stray: int, reason: str) -> int:
        """Stays at the token's start if the chunk ends inside it, else says what is wrong."""
        if stray == len(chunk) or not self._character(chunk, stray):
            return at
        return self._fault(chunk, stray, reason)

    def _fault(self, chunk: bytes, at: int, reason: str) -> int:
        """A character that cannot stand here. Stays, if the chunk ends inside it."""
        if not self._character(chunk, at):
            return at
        raise Fatal(table.JSON_SYNTAX, self._base + at, params=(reason,))

    def _not_utf8(self, at: int) -> NoReturn:
        raise Fatal(table.JSON_ENCODING, self._base + at)
