"""Facade: the text of an answer, asked for a place in it.

Comes in: the bytes (or the `str`) that were checked, and an offset of a finding. Goes out: line and
column, and the piece of the line around the place, cut to a width. A report holds no source, so
whoever wants these brings it along.

Lines end with CR, LF or CRLF; a column counts Unicode characters; both begin at 1. Findings come in
document order, so the last place is remembered and the next one is counted from there: a hundred
places cost one reading.
"""

from __future__ import annotations

from elementguard._escape import escaped

_CONTINUATION = bytes(range(0x80, 0xC0))
_CUT = "..."


class Source:
    """The bytes of one answer, for looking up places.

    Args:
        data: what was checked: bytes-like or `str`.

    Raises:
        TypeError: it is neither.
    """

    __slots__ = ("_column", "_line", "_line_start", "_offset", "data")

    def __init__(self, data: object) -> None:
        self.data = _as_bytes(data)
        self._rewind()

    def _rewind(self) -> None:
        self._offset = self._line_start = 0
        self._line = self._column = 1

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1.

        Raises:
            ValueError: the source is shorter: it is not what was checked.
        """
        if offset > len(self.data):
            raise ValueError(
                f"source: byte {offset} lies past its end ({len(self.data)} bytes);"
                " is it what was checked?"
            )
        if offset < self._offset:
            self._rewind()
        self._advance(offset)
        return self._line, self._column

    def excerpt(self, offset: int, width: int) -> tuple[str, str]:
        """What stands on the place's line before it and from it on: `width` columns at most."""
        self.place(offset)
        start, end = self._window(offset, 4 * width)
        before = _pieces(self._text(start, offset).replace("\t", " "))
        after = self._text(offset, end)
        behind = _pieces(after[:1]) + _pieces(after[1:].replace("\t", " "))
        cut_before, cut_behind = start > self._line_start, end < self._line_end(offset)
        room = max(width // 3, width - _width(behind) - len(_CUT) * cut_behind)
        left = _last(before, room, cut=cut_before)
        return left, _first(behind, width - _width(_pieces(left)), cut=cut_behind)

    def _advance(self, offset: int) -> None:
        data, mark = self.data, self._offset
        # A CRLF belongs to where its CR stands, so that pieces add up wherever they are cut.
        ends = data.count(b"\n", mark, offset) + data.count(b"\r", mark, offset)
        ends -= data.count(b"\r\n", mark, offset + 1)
        if ends:
            self._line += ends
            self._line_start = mark = self._start_of_line(offset)
            self._column = 1
        self._column += len(data[mark:offset].translate(None, _CONTINUATION))
        self._offset = offset

    def _start_of_line(self, offset: int) -> int:
        data, floor = self.data, self._line_start
        end = data.rfind(b"\r", floor, offset)
        if end == offset - 1 and data[offset : offset + 1] == b"\n":
            end = data.rfind(b"\r", floor, end)
        return 1 + max(end, data.rfind(b"\n", floor, offset))

    def _line_end(self, offset: int) -> int:
        ends = (self.data.find(mark, offset) for mark in (b"\n", b"\r"))
        return min((end for end in ends if end >= 0), default=len(self.data))

    def _window(self, offset: int, reach: int) -> tuple[int, int]:
        data, line_end = self.data, self._line_end(offset)
        start, end = max(self._line_start, offset - reach), min(line_end, offset + reach)
        while start < offset and data[start] & 0xC0 == 0x80:
            start += 1
        while offset < end < line_end and data[end] & 0xC0 == 0x80:
            end -= 1
        return start, end

    def _text(self, start: int, end: int) -> str:
        return self.data[start:end].decode("utf-8", "backslashreplace")


def display_width(text: str) -> int:
    """Columns that a terminal gives the text."""
    return _width(_pieces(text))


def _as_bytes(data: object) -> bytes:
    if isinstance(data, str):
        return data.encode("utf-8", "surrogatepass")
    if isinstance(data, bytes):
        return data
    try:
        view = memoryview(data)  # type: ignore[arg-type]  # what is no buffer raises
    except TypeError:
        kind = type(data).__name__
        raise TypeError(f"source: a buffer of bytes or a str is needed, not {kind}") from None
    return view.tobytes()


def _pieces(text: str) -> list[tuple[str, int]]:
    """The characters as they are shown, each with its width."""
    return [_piece(character) for character in text]


def _piece(character: str) -> tuple[str, int]:
    from unicodedata import category, east_asian_width

    # A byte order mark has no width: it would be the one thing in the line that can't be seen.
    shown = "\\ufeff" if character == "\ufeff" else escaped(character)
    if shown != character:
        return shown, len(shown)
    if category(character) in ("Mn", "Me", "Cf"):
        return shown, 0
    return shown, 2 if east_asian_width(character) in "WF" else 1


def _width(pieces: list[tuple[str, int]]) -> int:
    return sum(width for _, width in pieces)


def _first(pieces: list[tuple[str, int]], room: int, *, cut: bool) -> str:
    """As many of the pieces as fit, from the first on; `cut`: more had stood behind them."""
    if not cut and _width(pieces) <= room:
        return "".join(shown for shown, _ in pieces)
    return "".join(_fitting(pieces, room - len(_CUT))) + _CUT


def _last(pieces: list[tuple[str, int]], room: int, *, cut: bool) -> str:
    """As many of the pieces as fit, up to the last; `cut`: more had stood before them."""
    if not cut and _width(pieces) <= room:
        return "".join(shown for shown, _ in pieces)
    kept = list(_fitting(pieces[::-1], room - len(_CUT)))
    return _CUT + "".join(kept[::-1])


def _fitting(pieces: list[tuple[str, int]], room: int) -> list[str]:
    kept: list[str] = []
    for shown, width in pieces:
        room -= width
        if room < 0:
            break
        kept.append(shown)
    return kept
