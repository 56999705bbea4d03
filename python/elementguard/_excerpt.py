"""Facade: an answer cut to a budget.

Comes in: an answer, what must stay, budgets. Goes out: `Excerpt`, or `BudgetError`. Arguments are
checked here, before any work. The order in which things go is `docs/excerpt.md`'s.
"""

from __future__ import annotations

from elementguard._limits import count_of
from elementguard._taken import bytes_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Never, SupportsIndex

    from elementguard._python.excerpt import Gone
    from elementguard._validator import Validator

KEEP = ("selected", "hovered")


class BudgetError(ValueError):
    """Not even what must stay fits a budget. Picklable.

    Attributes:
        budget: which one: `max_bytes`, `max_elements` or `max_blob_bytes`.
        allowed: what it allows.
        least: the least that it would have to allow, in its unit.

    Section:
        None: the specification sets no budgets (5.7).

    Example:
        >>> from elementguard import Validator
        >>> from elementguard._excerpt import BudgetError, excerpt
        >>> answer = b'{"id": "n-7", "role": "Group", "content": []}'
        >>> try:
        ...     excerpt(Validator(kind="element"), answer, max_bytes=8)
        ... except BudgetError as error:
        ...     print(error.budget, error.least)
        max_bytes 45
    """

    def __init__(self, budget: str, allowed: int, least: int) -> None:
        super().__init__(budget, allowed, least)
        self.budget = budget
        self.allowed = allowed
        self.least = least

    def __str__(self) -> str:
        return (
            f"{self.budget}: what must stay (the root, the position, what keep names, and all above"
            f" them) needs {self.least} at least, not {self.allowed}"
        )


class LeftOut:
    """An element or a block that an excerpt leaves out with all in it. Immutable.

    Attributes:
        pointer: where it stands in the whole answer (JSON Pointer).
        offset: where it begins there, in bytes.
        bytes: its length there.
        name: an element's id, or a block's type; `None` if that is no string.
        elements: how many elements went with it, itself counted.
        blocks: how many content blocks.

    Section:
        None: the specification knows no excerpts.

    Example:
        >>> from elementguard import Validator
        >>> from elementguard._excerpt import excerpt
        >>> answer = b'{"id":"a","role":"Group","children":[{"id":"b","role":"Group"}]}'
        >>> excerpt(Validator(kind="element"), answer, max_elements=1).removed
        (<LeftOut 'b' at /children/0: 1 element, 0 blocks>,)
    """

    __slots__ = ("blocks", "bytes", "elements", "name", "offset", "pointer")

    blocks: int
    bytes: int
    elements: int
    name: str | None
    offset: int
    pointer: str

    def __init__(self, gone: Gone) -> None:
        store = object.__setattr__
        for name in ("blocks", "elements", "name", "pointer"):
            store(self, name, getattr(gone, name))
        store(self, "offset", gone.at)
        store(self, "bytes", gone.end - gone.at)

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError("a LeftOut is immutable")

    def __repr__(self) -> str:
        from elementguard._finding import shown_pointer

        name = "None" if self.name is None else ascii(self.name[:64])
        counts = f"{_counted(self.elements, 'element')}, {_counted(self.blocks, 'block')}"
        return f"<LeftOut {name} at {shown_pointer(self.pointer)}: {counts}>"


class Excerpt:
    """An answer cut to a budget: itself a valid answer. Immutable.

    Attributes:
        data: its bytes, copied from the whole answer.
        removed: what was left out, in document order, each with all in it.

    Section:
        None: the specification asks hosts to send an agent only what is warranted (5.7).

    Example:
        >>> from elementguard import Validator
        >>> from elementguard._excerpt import excerpt
        >>> excerpt(Validator(kind="element"), '{"id": "n-7", "role": "Group"}')
        <Excerpt: 30 bytes, 0 elements and 0 blocks left out>
    """

    __slots__ = ("data", "removed")

    data: bytes
    removed: tuple[LeftOut, ...]

    def __init__(self, data: bytes, removed: tuple[LeftOut, ...]) -> None:
        object.__setattr__(self, "data", data)
        object.__setattr__(self, "removed", removed)

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError("an Excerpt is immutable")

    def __repr__(self) -> str:
        elements = sum(one.elements for one in self.removed)
        blocks = sum(one.blocks for one in self.removed)
        told = f"{_counted(elements, 'element')} and {_counted(blocks, 'block')} left out"
        return f"<Excerpt: {_counted(len(self.data), 'byte')}, {told}>"


def excerpt(
    validator: Validator,
    data: object,
    *,
    keep: Iterable[str] = KEEP,
    max_bytes: SupportsIndex | None = None,
    max_elements: SupportsIndex | None = None,
    max_blob_bytes: SupportsIndex | None = None,
) -> Excerpt:
    """Cut an answer to a budget, so that what is left is a valid answer still.

    Whole elements and whole blocks go, in the order of `docs/excerpt.md`; all else is copied byte
    for byte. The root and the user's position always stay. An answer that fits comes back as it is.

    Args:
        validator: what the answer must pass first, on whichever engine.
        data: the answer, bytes-like or `str`.
        keep: what else must stay with all above it: `"selected"`, `"hovered"`, and ids.
        max_bytes: how many bytes the excerpt may have.
        max_elements: how many elements.
        max_blob_bytes: how many bytes of pictures, sounds and blobs, decoded.

    Returns:
        The excerpt.

    Raises:
        BudgetError: what must stay does not fit; it says what would.
        ValidationError: the answer has an error.
        TypeError: an argument is of the wrong type; parsed objects and streams are.
        ValueError: a budget is negative, or `keep` has what is neither a word nor an element's id.

    Section:
        Elements 0.2.0, 5.3 (position), 5.5 (blocks), 5.7.

    Example:
        >>> from elementguard import Validator
        >>> from elementguard._excerpt import excerpt
        >>> answer = b'{"id":"a","role":"Group","children":[{"id":"b","role":"Group"}]}'
        >>> excerpt(Validator(kind="element"), answer, max_elements=1).data
        b'{"id":"a","role":"Group"}'
    """
    from elementguard._python import excerpt as room

    wanted = _checked_keep(keep)
    given = {
        "max_bytes": max_bytes,
        "max_elements": max_elements,
        "max_blob_bytes": max_blob_bytes,
    }
    budgets = tuple((name, count_of(name, value)) for name, value in given.items())
    source = bytes_of(data)
    validator.validate(source)
    is_fragment = validator.kind == "element"
    try:
        made, _, gone = room.excerpt(source, wanted, budgets, is_fragment=is_fragment)
    except room.TooSmallError as error:
        raise BudgetError(error.budget, error.allowed, error.least) from None
    except room.UnknownIdError as error:
        shown = ascii(str(error)[:64])
        raise ValueError(f"keep: {shown} is no word and no element's id") from None
    return Excerpt(made, tuple(map(LeftOut, gone)))


def _checked_keep(keep: object) -> tuple[str, ...]:
    if isinstance(keep, (str, bytes, bytearray)) or not hasattr(keep, "__iter__"):
        kind = type(keep).__name__
        raise TypeError(f"keep: an iterable of words and ids is needed, not {kind}")
    wanted = tuple(keep)
    for one in wanted:
        if not isinstance(one, str):
            raise TypeError(f"keep: a word or an id is needed, not {type(one).__name__}")
    return wanted


def _counted(count: int, unit: str) -> str:
    return f"{count} {unit}{'' if count == 1 else 's'}"
