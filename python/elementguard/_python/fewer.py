"""Room: as little of a text as will do.

In: a text that shows something, and who says whether another one shows it too. Out: the smallest
one that was tried and did. How candidates are made is the business of `shrink`.

It is delta debugging without its complements: halves are left out first, then quarters, and in the
end each piece by itself. Of many pieces of which few are needed that takes a number of tries that
grows with the logarithm; where all are needed, two for each piece.

Work is bounded by what is counted, never by a clock, so that it is the same everywhere: `TRIES`
candidates, and `BYTES` bytes in them and `TIMES` the input's besides. A pass gets half of what is
left, so that a list of which everything is needed leaves enough for the texts.
"""

from __future__ import annotations

from elementguard._python.pieces import Pieces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    T = TypeVar("T")

TRIES = 10_000
BYTES = 128 << 20
TIMES = 32


class SpentError(Exception):
    """No more may be tried in this pass."""


class Search:
    """The smallest text so far.

    Attributes:
        data: it.
        tries: how many candidates were tried.
        is_cut_short: whether more would have been tried since `begin`.
    """

    def __init__(self, data: bytes, shows: Callable[[bytes], bool]) -> None:
        self.data, self.tries, self.is_cut_short = data, 0, False
        self._shows = shows
        self._pieces: Pieces | None = None
        self._bytes_left = BYTES + TIMES * len(data)
        self._tries_left = TRIES

    @property
    def pieces(self) -> Pieces:
        """Those of the text as it is now, read once.

        Raises:
            SpentError: no more may be looked at.
        """
        if self._pieces is None or self._pieces.data is not self.data:
            self.spend(len(self.data))
            self._pieces = Pieces(self.data)
        return self._pieces

    def begin(self) -> None:
        """A round begins."""
        self.is_cut_short = False

    def run(self, one: Callable[[Search], None]) -> None:
        """Make a pass, with half of what may still be done."""
        later = self._bytes_left // 2, self._tries_left // 2
        self._bytes_left -= later[0]
        self._tries_left -= later[1]
        try:
            one(self)
        except SpentError:
            self.is_cut_short = True
        self._bytes_left = max(self._bytes_left, 0) + later[0]
        self._tries_left += later[1]

    def take(self, candidate: bytes) -> bool:
        """Keep a candidate, if it shows it too.

        Raises:
            SpentError: no more may be tried.
        """
        if self._tries_left == 0:
            raise SpentError
        self.spend(len(candidate))
        self.tries += 1
        self._tries_left -= 1
        if not self._shows(candidate):
            return False
        self.data = candidate
        return True

    def spend(self, size: int) -> None:
        """Count so many bytes as looked at.

        Raises:
            SpentError: they are too many.
        """
        self._bytes_left -= size
        if self._bytes_left < 0:
            raise SpentError


def fewest(pieces: list[T], will_do: Callable[[list[T]], bool]) -> list[T]:
    """Those that are needed, as far as leaving out runs of them shows."""
    size = len(pieces)
    while size:
        at = 0
        while at < len(pieces):
            rest = pieces[:at] + pieces[at + size :]
            if will_do(rest):
                pieces = rest
            else:
                at += size
        size //= 2
    return pieces


def least(most: int, will_do: Callable[[int], bool]) -> int:
    """The least number that will do, if every number above one that does will do, too."""
    low, high = 0, most
    while low < high:
        middle = (low + high) // 2
        if will_do(middle):
            high = middle
        else:
            low = middle + 1
    return high
