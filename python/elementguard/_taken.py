"""Facade: the bytes of an answer that is to be cut or mended.

Comes in: an answer in any of its forms. Goes out: bytes that nobody else changes; of a parsed
object its compact JSON, and the findings of what JSON has no type for. A stream or a file has to be
read first: both are refused by name.
"""

from __future__ import annotations

from elementguard._compact import Stray, with_nulls
from elementguard._load import is_text, refuse_sources
from elementguard._rules import NUMBERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from elementguard._engine import Outcome
    from elementguard._python.report import Row

# What is expected: of a member's name, and of a value if nobody says more.
_NAME, _VALUE = (None, "string"), (None, "JSON value")


def text_of(data: object, check: Callable[[object], Outcome]) -> tuple[bytes, list[Row], list[Row]]:
    """The answer's bytes, and what of a parsed object these cannot say.

    Args:
        data: the answer in any form.
        check: of an engine; it keeps every `wrong-type`.

    Returns:
        Its bytes. The findings of values that JSON has no type for, with the offsets at which
        `null` stands for them. Those of names that are no strings, which are nowhere in the bytes.

    Raises:
        TypeError: it only gives an answer, or is a memoryview not of bytes.
        ValueError: a memoryview is not contiguous or released, or an mmap is closed.
    """
    if is_text(data):
        return bytes_of(data), [], []
    refuse_sources(data)
    source, strays = with_nulls(data)
    if not strays:
        return source, [], []
    rule = NUMBERS["wrong-type"]
    told = [row for row in check(data).findings() if row[0] == rule]
    of_names = {row[2]: row for row in told if row[4][:2] == _NAME}
    of_values = {row[2]: row for row in told if row[4][:2] != _NAME}
    values = [_row(one, of_values, _VALUE) for one in strays if one.offset is not None]
    names = [_row(one, of_names, _NAME) for one in strays if one.offset is None]
    return source, values, names


def _row(stray: Stray, told: dict[str, Row], otherwise: tuple[None, str]) -> Row:
    """A finding of it, in the words of the check where that came so far."""
    row = told.get(stray.pointer)
    if row is None:
        params = (*otherwise, stray.found)
        return NUMBERS["wrong-type"], stray.offset, stray.pointer, None, params
    return row[0], stray.offset, *row[2:]


def bytes_of(data: object) -> bytes:
    """The answer's bytes.

    Raises:
        TypeError: it is a memoryview not of bytes.
        ValueError: a memoryview is not contiguous or released, or an mmap is closed.
    """
    if isinstance(data, str):
        # A surrogate becomes three bytes that are no UTF-8, and is found as such.
        return str.encode(data, errors="surrogatepass")
    from elementguard._python.stream import view_of

    with view_of(data, "data") as view:
        return view.tobytes()
