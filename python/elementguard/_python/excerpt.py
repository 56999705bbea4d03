"""Room: an answer cut to a budget (contract of `docs/excerpt.md`).

In: the bytes of an answer without errors, what is to be kept, and budgets. Out: the bytes of a
smaller answer, and how much went.

All elements and blocks stand in one order that the whole answer fixes; the excerpt is the longest
beginning of it that fits every budget. Nothing that is kept stands behind what holds it, so each
beginning is a tree; what a step adds is never negative, so the first step that does not fit ends
it. Sizes are counted step by step as the edits will make them, and the edits are made once.
"""

from __future__ import annotations

from elementguard._python.edits import Edits
from elementguard._python.outline import Outline
from elementguard._python.places import NOWHERE, Places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from elementguard._python.edits import Origins

    # `max_bytes`, `max_elements` and `max_blob_bytes`, in this order; None: as much as there is.
    Budgets: TypeAlias = tuple[tuple[str, int | None], ...]
    # The group, the distance, hidden or not, the element, the rank within it, the row.
    Key: TypeAlias = tuple[int, int, bool, int, int, int]

WORDS = ("selected", "hovered")
# Of one element's blocks: texts before links, what is seen before what is only heard.
_TEXT, _OTHER, _HEAVY = 1, 2, {"image": 3, "resource": 4, "audio": 5}
_LAST = 1  # mutants: 2 is as late
_FAR = 1 << 60  # mutants: as far


class UnknownIdError(ValueError):
    """`keep` names an id that no element has."""


class TooSmallError(ValueError):
    """Not even what must stay fits a budget; `least`: what it needs."""

    def __init__(self, budget: str, allowed: int, least: int) -> None:
        super().__init__(budget, allowed, least)
        self.budget, self.allowed, self.least = budget, allowed, least


class Gone:
    """An element or a block that was left out with all in it, where nothing around it was."""

    __slots__ = ("at", "blocks", "elements", "end", "name", "pointer")

    def __init__(self, outline: Outline, row: int, elements: int, blocks: int) -> None:
        places = outline.places
        self.pointer = places.pointer(row)
        self.at = places.start[row]
        self.end = places.end[row]
        self.name = outline.name(row)
        self.elements = elements
        self.blocks = blocks


def excerpt(
    data: bytes, keep: Iterable[str], budgets: Budgets, *, is_fragment: bool
) -> tuple[bytes, Origins, list[Gone]]:
    """The excerpt of an answer without errors, where its bytes came from, and what it lacks."""
    outline = Outline(Places(data), is_fragment=is_fragment)
    sizes = Sizes(outline)
    order = Order(outline, keep, is_fragment=is_fragment)
    for at in order.required:
        sizes.add_element(at)
    for (name, allowed), least in zip(budgets, sizes.figures(), strict=True):
        if allowed is not None and least > allowed:
            raise TooSmallError(name, allowed, least)
    for *_, rank, row in sorted(order.keys()):
        sizes.add(row, rank)
        if any(
            allowed is not None and figure > allowed
            for (_, allowed), figure in zip(budgets, sizes.figures(), strict=True)
        ):
            break
        sizes.kept.add(row)
    return *_edits(outline, sizes.kept).apply(data), _gone(outline, sizes.kept)


def _edits(outline: Outline, kept: set[int]) -> Edits:
    """All that is not kept goes: each item with its comma, and a list that this leaves empty."""
    edits, places = Edits(), outline.places
    for at, row in enumerate(outline.rows):
        if row not in kept:
            continue
        arrays = outline.arrays(at)
        emptied = {
            array
            for array in arrays
            if (items := list(places.inside(array)))
            and not any(item in kept or not places.is_object(item) for item in items)
        }
        edits.items(places, row, lambda member, emptied=emptied: member not in emptied)  # type: ignore[misc]  # mypy asks for no default
        for array in arrays:
            if array not in emptied:
                edits.items(places, array, lambda item: item in kept or not places.is_object(item))
    return edits


def _gone(outline: Outline, kept: set[int]) -> list[Gone]:
    """What is left out, each with all that it holds, in document order."""
    elements: dict[int, int] = {}
    blocks: dict[int, int] = {}
    outer: dict[int, int] = {}
    rows, parents = outline.rows, outline.parents
    for at, row in enumerate(rows):
        if row not in kept:
            top = outer[at] = outer.get(parents[at], row)
            elements[top] = elements.get(top, 0) + 1
    for row, at in outline.blocks:
        if row not in kept:
            top = outer.get(at, row)
            blocks[top] = blocks.get(top, 0) + 1
    tops = sorted(elements.keys() | blocks.keys())
    return [Gone(outline, top, elements.get(top, 0), blocks.get(top, 0)) for top in tops]


class Order:
    """The order of all elements and blocks. `required` come first, in document order."""

    def __init__(self, outline: Outline, keep: Iterable[str], *, is_fragment: bool) -> None:
        self._outline = outline
        path = outline.focus_path(is_fragment=is_fragment)
        anchors = {*path[-1:], *_kept(outline, keep)}
        # Without a root an answer has no error only where `wrong-type` is off.
        root = set(range(len(outline.rows))[:1])
        anchors = anchors or root
        required = root | anchors
        for at in anchors:
            above = outline.parents[at]
            while above != NOWHERE and above not in required:
                required.add(above)
                above = outline.parents[above]
        self.required = sorted(required)
        self._is_required = required
        self._distances = self._all_distances(anchors)

    def _all_distances(self, anchors: set[int]) -> list[int]:
        """Of each element how many steps up and down it is from the nearest anchor."""
        parents = self._outline.parents
        found = [0 if at in anchors else _FAR for at in range(len(parents))]
        for at in range(len(parents) - 1, 0, -1):
            found[parents[at]] = min(found[parents[at]], found[at] + 1)
        for at in range(1, len(parents)):
            found[at] = min(found[at], found[parents[at]] + 1)
        return found

    def keys(self) -> Iterator[Key]:
        """A key for each element that is not required, and for each block."""
        outline, hidden = self._outline, [not one for one in self._outline.visible()]
        for at, distance in enumerate(self._distances):
            if at not in self._is_required:
                yield 0, distance, hidden[at], at, 0, outline.rows[at]
        for row, at in outline.blocks:
            block_type = outline.block_type(row)
            if outline.payload(row) == NOWHERE:
                rank = _TEXT if block_type == "text" else _OTHER
                yield 0, self._distances[at], hidden[at], at, rank, row
            else:
                heavy = _HEAVY[block_type or ""]  # mutants: it has a type, or it had no payload
                yield _LAST, self._distances[at], hidden[at], at, heavy, row


def _kept(outline: Outline, keep: Iterable[str]) -> set[int]:
    """The elements that words and ids name."""
    wanted = dict.fromkeys(keep)
    words = [word for word in wanted if word in WORDS]
    ids = {word for word in wanted if word not in WORDS}
    found = {at for word in words for at in range(len(outline.rows)) if outline.state(at, word)}
    if ids:  # mutants: saves time, no more
        first: dict[str, int] = {}
        for at in range(len(outline.rows)):
            first.setdefault(outline.text(at, "id") or "", at)
        for one in wanted:
            if one in ids:
                if one not in first:
                    raise UnknownIdError(one)
                found.add(first[one])
    return found


class Sizes:
    """How large the answer is that the elements and blocks added so far make."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self._places = outline.places
        self._first: dict[int, int] = {}  # of an object or array: the first row that stays in it
        self._gaps: dict[int, int] = {}
        self._placed: set[int] = set()  # the arrays that are there
        self.kept: set[int] = set()
        self._bytes = len(self._places.data)
        for top in outline.rows[:1]:
            self._bytes -= self._places.end[top] - self._places.start[top]
        self._elements = 0
        self._blob_bytes = 0

    def figures(self) -> tuple[int, int, int]:
        """Bytes, elements and blob bytes."""
        return self._bytes, self._elements, self._blob_bytes

    def add_element(self, at: int) -> None:
        """An element that must stay."""
        self._element(at)
        self.kept.add(self._outline.rows[at])

    def add(self, row: int, rank: int) -> None:
        """The element or block of a row comes to the rest."""
        if rank == 0:
            self._element(self._outline.number[row])
            return
        self._item(row, self._places.end[row] - self._places.start[row])
        if rank in _HEAVY.values():
            self._blob_bytes += self._outline.blob_bytes(self._outline.payload(row))

    def _element(self, at: int) -> None:
        outline = self._outline
        row = outline.rows[at]
        self._elements += 1
        if at:
            self._item(row, self._frame(row))
        else:
            self._bytes += self._frame(row)
        arrays = outline.arrays(at)
        for member in self._places.inside(row):
            if member not in arrays:
                self._join(row, member, self._places.end[member] - self._places.item[member])
            elif not self._is_optional(member):
                self._place(member)

    def _item(self, row: int, size: int) -> None:
        """An item of `children` or `content`, which comes with it if it is the first."""
        array = self._places.holder[row]
        if array not in self._placed:
            self._place(array)
        self._join(array, row, size)

    def _place(self, array: int) -> None:
        """The list itself, with the items that are no objects and always stay."""
        places = self._places
        self._placed.add(array)
        name = places.start[array] - places.item[array]
        self._join(places.holder[array], array, name + self._frame(array))
        for item in places.inside(array):
            if not places.is_object(item):
                self._join(array, item, places.end[item] - places.start[item])

    def _is_optional(self, array: int) -> bool:
        """Whether the list goes if all that can goes: it has items, and all of them can."""
        items = list(self._places.inside(array))
        return bool(items) and all(map(self._places.is_object, items))

    def _frame(self, row: int) -> int:
        """The brackets of an object or array, and the white space that stays within them."""
        places = self._places
        items = list(places.inside(row))
        whole = places.end[row] - places.start[row]
        if not items:
            return whole
        end = places.start[row] + 1  # mutants: nobody asks for the gap before the first
        for item in items:
            self._gaps[item] = places.item[item] - end
            end = places.end[item]
        return whole - (places.end[items[-1]] - places.item[items[0]])

    def _join(self, holder: int, row: int, size: int) -> None:
        """A member or item stays in its object or array, with the gap that this makes stay."""
        first = self._first.get(holder)
        self._first[holder] = row if first is None else min(first, row)
        gap = 0 if first is None else self._gaps[max(first, row)]
        self._bytes += size + gap
