"""Room: changes of bytes, gathered first and made once.

In: the answer's bytes, and what is to be cut, replaced and put in. Out: the new bytes, and where
each of them came from. All that no edit touches is copied as it is.

With an item goes one comma. The gap before an item (the comma and the white space around it)
belongs to the item; of those that stay the first keeps only what stands behind the bracket. So the
more stays, the longer the result is, whatever the white space.
"""

from __future__ import annotations

from bisect import bisect_right

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from elementguard._python.pieces import Pieces
    from elementguard._python.places import Places


class Edits:
    """Cuts and replacements of one text. They may lie inside each other: then the outer counts."""

    __slots__ = ("_edits",)

    def __init__(self) -> None:
        self._edits: list[tuple[int, int, bytes]] = []

    def __bool__(self) -> bool:
        return bool(self._edits)

    def cut(self, start: int, end: int) -> None:
        """Take bytes out."""
        self._edits.append((start, end, b""))

    def put(self, start: int, end: int, data: bytes) -> None:
        """Write other bytes in their place, or between two where it is empty."""
        self._edits.append((start, end, data))

    def items(self, places: Places | Pieces, holder: int, stays: Callable[[int], bool]) -> None:
        """Take out the members or items of `holder` that do not stay, each with its comma."""
        before = None  # the end of the last item, if any item stays so far
        lead = None  # where a run of leading items begins that all go
        end = places.start[holder] + 1
        for row in places.inside(holder):
            start, begun = places.item[row], end
            end = places.end[row]
            if stays(row):
                if before is None and lead is not None:
                    self.cut(lead, start)
                before = end
            elif before is not None:
                self.cut(begun, end)
            elif lead is None:
                lead = start
        if before is None and lead is not None:
            self.cut(lead, end)

    def apply(self, data: bytes) -> tuple[bytes, Origins]:
        """The new bytes, and where they came from."""
        pieces, origins = [], Origins()
        at = size = 0
        for start, end, instead in self._outer():
            if start > at:
                pieces.append(data[at:start])
                origins.add(size, at)
                size += start - at
            pieces.append(instead)
            if instead:
                origins.add(size, start)
                size += len(instead)
            at = max(at, end)
        pieces.append(data[at:])
        origins.add(size, at)
        return b"".join(pieces), origins

    def _outer(self) -> Iterator[tuple[int, int, bytes]]:
        """The edits in order, without those inside a cut.

        Of several at one place, what is put in comes first, then the longest.
        """
        done = 0
        for start, end, instead in sorted(self._edits, key=_turn):
            if start >= done:
                yield start, end, instead
                done = end
            elif end > done and not instead:
                yield done, end, b""
                done = end


def _turn(edit: tuple[int, int, bytes]) -> tuple[int, bool, int]:
    start, end, _ = edit
    return start, end > start, -end


class Origins:
    """Where the bytes of an edited text stood before: runs of both, in order."""

    __slots__ = ("_now", "_then")

    def __init__(self) -> None:
        self._now: list[int] = []
        self._then: list[int] = []

    def add(self, now: int, then: int) -> None:
        """From here on bytes were copied from there on."""
        self._now.append(now)
        self._then.append(then)

    def of(self, offset: int) -> int:
        """Where a byte stood before."""
        run = bisect_right(self._now, offset) - 1
        return self._then[run] + offset - self._now[run]
