# ruff: noqa: SLF001 -- an answer is asked by its parts
"""Facade: an answer cut to a budget.

Comes in: an answer, what must stay, budgets. Goes out: `Excerpt`, or `BudgetError`. Arguments are
checked here, before any work. The order in which things go is `docs/excerpt.md`'s. An excerpt is
found from where the user is, outwards (`_nearest`), unless a moved rule lets items be anything;
what it lacks is told when somebody asks.
"""

from __future__ import annotations

from elementguard._limits import count_of
from elementguard._rules import NUMBERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Never, SupportsIndex

    from elementguard._answer import Answer
    from elementguard._python.excerpt import Budgets, Gone

_ERROR = 3


class BudgetError(ValueError):
    """Not even what must stay fits a budget. Picklable.

    Attributes:
        budget: which one: `max_bytes`, `max_elements` or `max_blob_bytes`.
        allowed: what it allows.
        least: the least that it would have to allow, in its unit.

    Section:
        None: the specification sets no budgets (5.7).

    Example:
        >>> import elementguard as eg
        >>> answer = b'{"id": "n-7", "role": "Group", "content": []}'
        >>> try:
        ...     eg.load(answer, kind="element").excerpt(max_bytes=8)
        ... except eg.BudgetError as error:
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
            f"{self.budget}: what must stay (the root, the position, what `keep` names, and all"
            f" above them) needs {self.least} at least, not {self.allowed}"
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
        >>> import elementguard as eg
        >>> answer = b'{"id":"a","role":"Group","children":[{"id":"b","role":"Group"}]}'
        >>> eg.load(answer, kind="element").excerpt(max_elements=1).removed
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

    It holds the whole answer's bytes.

    Attributes:
        data: its bytes, copied from the whole answer.

    Section:
        None: the specification asks hosts to send an agent only what is warranted (5.7).

    Example:
        >>> import elementguard as eg
        >>> eg.load('{"id": "n-7", "role": "Group"}', kind="element").excerpt()
        <Excerpt: 30 bytes, 0 elements and 0 blocks left out>
    """

    __slots__ = ("_find", "_removed", "data")

    data: bytes
    _find: Callable[[], tuple[LeftOut, ...]]
    _removed: tuple[LeftOut, ...]

    def __init__(self, data: bytes, find: Callable[[], tuple[LeftOut, ...]]) -> None:
        object.__setattr__(self, "data", data)
        object.__setattr__(self, "_find", find)

    @property
    def removed(self) -> tuple[LeftOut, ...]:
        """What was left out, in document order, each with all in it. Found when it is asked for."""
        try:
            return self._removed
        except AttributeError:
            removed = self._find()
            object.__setattr__(self, "_removed", removed)
            return removed

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError("an Excerpt is immutable")

    def __repr__(self) -> str:
        elements = sum(one.elements for one in self.removed)
        blocks = sum(one.blocks for one in self.removed)
        told = f"{_counted(elements, 'element')} and {_counted(blocks, 'block')} left out"
        return f"<Excerpt: {_counted(len(self.data), 'byte')}, {told}>"


def cut(
    answer: Answer, keep: Iterable[str], budgets: Mapping[str, SupportsIndex | None]
) -> Excerpt:
    """The excerpt of a valid answer: see `Answer.excerpt`."""
    from elementguard._python import excerpt as room

    wanted = _checked_keep(keep)
    most = tuple((name, count_of(name, value)) for name, value in budgets.items())
    source, is_fragment = answer._index.source, answer.kind == "element"

    def whole() -> tuple[bytes, tuple[LeftOut, ...]]:
        made, _, gone = room.excerpt(source, wanted, most, is_fragment=is_fragment)
        return made, tuple(map(LeftOut, gone))

    try:
        made = _nearest(answer, wanted, most)
        if made is not None:
            return Excerpt(made, lambda: whole()[1])
        data, removed = whole()
    except room.TooSmallError as error:
        raise BudgetError(error.budget, error.allowed, error.least) from None
    except room.UnknownIdError as error:
        shown = ascii(str(error)[:64])
        raise ValueError(
            f"keep: {shown} is neither 'selected' or 'hovered' nor an element's id"
        ) from None
    return Excerpt(data, lambda: removed)


def _nearest(answer: Answer, keep: tuple[str, ...], most: Budgets) -> bytes | None:
    """The excerpt, if it can be found without putting all of the answer in order."""
    from elementguard._nearest import nearest

    index = answer._index
    if not len(index) or "" in keep:
        return None
    if answer.report._levels[NUMBERS["wrong-type"]] != _ERROR:  # then items may be anything
        return None
    position = answer.position
    return nearest(index, None if position is None else position._number, keep, most)


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
