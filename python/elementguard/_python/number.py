r"""Room: the exact decimal value of a JSON number.

In: the runs of digits of one number, as they come. Out: whether it is an integer, lies in 0..1,
or is read differently by different receivers. Contract: "judged by their exact decimal value as
sent, in constant memory".

A value is 0.d1d2d3... x 10^scale with d1 not zero. Of the digits only the first 309 are kept: so
many has the first number that rounds to infinity as a double, 2^1024 - 2^970. Of the others it
is enough to know where the last one stands that is not zero.
"""

from __future__ import annotations

_INFINITE = str(2**1024 - 2**970).encode()
_SAFE = str(2**53 - 1).encode()
# More digits than any exponent that the number's own length could make up for.
_POWER_DIGITS = 21  # mutants: far more than the digits of an answer can undo


class Number:
    """One number, fed by the lexer run by run."""

    __slots__ = (
        "_digits",
        "_first",
        "_head",
        "_last",
        "_negative",
        "_power",
        "_power_negative",
        "_whole",
        "_written_whole",
    )

    def __init__(self) -> None:
        self._negative = False
        self._written_whole = True
        self._digits = 0  # mutants: places are told by how far apart they are
        self._whole = 0
        self._first = -1  # mutants: no place, as any number below zero is
        self._last = -1  # mutants: set whenever the first one is
        self._head = b""
        self._power = b""
        self._power_negative = False

    def minus(self) -> None:
        """A minus sign in front."""
        self._negative = True

    def digits(self, run: bytes) -> None:
        """Digits before the point, or those behind it after `not_whole`."""
        significant = run.lstrip(b"0") if self._first < 0 else run
        if significant:
            if self._first < 0:
                self._first = self._digits + len(run) - len(significant)
            if room := len(_INFINITE) - len(self._head):  # mutants: saves memory, no more
                self._head += significant[:room]
            if trimmed := len(run.rstrip(b"0")):
                self._last = self._digits + trimmed - 1
        self._digits += len(run)
        if self._written_whole:
            self._whole = self._digits

    def not_whole(self) -> None:
        """A point or an exponent: the number is not written as an integer."""
        self._written_whole = False

    def minus_power(self) -> None:
        """A minus sign behind the E."""
        self._power_negative = True

    def power(self, run: bytes) -> None:
        """Digits of the exponent."""
        self._power = (self._power + run).lstrip(b"0")[:_POWER_DIGITS]

    def is_integer(self) -> bool:
        """Whether no digit but zeros stands behind the point once the exponent is applied."""
        return self._first < 0 or self._whole - self._last - 1 + self._exponent() >= 0

    def is_fraction_of_one(self) -> bool:
        """Whether the value lies in 0..1, both counted."""
        if self._first < 0:
            return True
        if self._negative:
            return False
        scale = self._scale()
        is_one = scale == 1 and self._head[:1] == b"1" and self._first == self._last
        return scale <= 0 or is_one

    def is_imprecise(self) -> bool:
        """Whether receivers will not read it alike (`imprecise-number`)."""
        if self._first < 0:
            return False
        if self._written_whole and self._reaches(_SAFE, beyond=True):
            return True
        return self._reaches(_INFINITE, beyond=False)

    def _reaches(self, bound: bytes, *, beyond: bool) -> bool:
        """Whether the value, its sign aside, is the whole number `bound` or more."""
        value = self._scale(), self._head[: len(bound)].ljust(len(bound), b"0")
        return value > (len(bound), bound) if beyond else value >= (len(bound), bound)

    def _scale(self) -> int:
        return self._whole - self._first + self._exponent()

    def _exponent(self) -> int:
        power = int(self._power or b"0")
        return -power if self._power_negative else power


def from_text(text: str) -> Number:
    """The number that Python wrote: a float's `repr`, or the digits of an int."""
    number = Number()
    mantissa, _, power = text.partition("e")
    whole, point, fraction = mantissa.partition(".")
    if whole.startswith("-"):
        number.minus()
    number.digits(whole.removeprefix("-").encode())
    if point:
        number.not_whole()
        number.digits(fraction.encode())
    if power:
        number.not_whole()
        if power.startswith("-"):
            number.minus_power()
        number.power(power.lstrip("+-").encode())
    return number
