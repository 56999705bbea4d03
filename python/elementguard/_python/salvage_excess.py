"""Room: what is too much for the call's limits when a broken answer is saved.

In: a plan of one round, the limits, and the errors that are about sizes. Out: what of it goes. The
limits that end a check at once (`nesting`, `elements`, `depth`) are judged here by the places, for
behind them no check looks; the others are those of findings.

They come one group after the other, each only when nothing before it is left to do: what goes for
another reason may be what was too much.
"""

from __future__ import annotations

from elementguard._python.places import NOWHERE
from elementguard._python.rules.table import CODES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from elementguard._python.facts import Limits
    from elementguard._python.report import Row
    from elementguard._python.salvage_plan import Plan

_LISTS = frozenset(
    {"limit-children", "limit-blocks", "limit-content-bytes", "limit-attributes-bytes"}
)
_SUBTREES = frozenset({"limit-subtree-bytes", "limit-subtree-elements"})
SIZES = _LISTS | _SUBTREES


def take(plan: Plan, limits: Limits, findings: list[Row]) -> bool:
    """Plans what is too much, of the first group that has any. Returns whether there is any."""
    if _too_deep(plan, limits):
        return True
    lists = [one for one in findings if CODES[one[0]] in _LISTS]
    for finding in lists:
        _shorten(plan, finding)
    if lists:
        return True
    subtrees = [one for one in findings if CODES[one[0]] in _SUBTREES]
    if subtrees:
        _prune(plan, limits, subtrees)
        return True
    return _too_many(plan, limits)


def fatal(plan: Plan, code: str, name: str, allowed: int, row: int) -> Row:
    """The finding of a limit that ends a check."""
    places = plan.places
    params = (name, allowed, allowed + 1)
    return CODES.index(code), places.start[row], places.pointer(row), None, params


def _too_deep(plan: Plan, limits: Limits) -> bool:
    places, found = plan.places, False
    if limits.nesting is not None:
        depths: list[int] = []
        for row in range(len(places)):
            holder = places.holder[row]
            depths.append(1 if holder == NOWHERE else depths[holder] + 1)
            is_open = places.is_object(row) or places.is_array(row)
            if is_open and depths[row] == limits.nesting + 1:
                finding = fatal(plan, "limit-nesting", "nesting", limits.nesting, row)
                plan.value(row, finding)
                found = True
    if limits.depth is not None and not found:
        levels: list[int] = []
        for at, parent in enumerate(plan.outline.parents):
            levels.append(1 if parent == NOWHERE else levels[parent] + 1)
            if levels[at] == limits.depth + 1:
                row = plan.outline.rows[at]
                plan.gone(row, fatal(plan, "limit-depth", "depth", limits.depth, row))
                found = True
    return found


def _too_many(plan: Plan, limits: Limits) -> bool:
    most = limits.elements
    rows = plan.outline.rows
    if most is None or len(rows) <= most:
        return False
    for at in range(most, len(rows)):
        if plan.outline.parents[at] < most:
            plan.gone(rows[at], fatal(plan, "limit-elements", "elements", most, rows[at]))
    return True


def _shorten(plan: Plan, finding: Row) -> None:
    """A list or object loses its last items until it fits; if none is left, it goes itself."""
    places = plan.places
    row, allowed = places.at(finding[1] or 0), int(str(finding[4][1]))
    items = list(places.inside(row))
    if CODES[finding[0]] in {"limit-children", "limit-blocks"}:
        stay = allowed
    else:
        over = places.end[row] - places.start[row] - allowed
        stay = len(items)
        while stay and over > 0:
            stay -= 1
            over -= places.end[items[stay]] - (places.end[items[stay - 1]] if stay else 0)
    if not stay:
        plan.gone(row, finding)
    for item in items[stay:] if stay else ():
        plan.gone(item, finding)


def _prune(plan: Plan, limits: Limits, findings: list[Row]) -> None:
    """Subtrees lose their last children until they fit, the lowest subtrees first."""
    outline = plan.outline
    first: dict[int, Row] = {}
    for finding in findings:
        first.setdefault(outline.number[plan.places.at(finding[1] or 0)], finding)
    elements = _counts(outline.parents)
    size = plan.places.end
    bytes_of = [size[row] - plan.places.start[row] for row in outline.rows]
    lost: dict[int, tuple[int, int]] = {}
    for at in sorted(first, reverse=True):
        lost[at] = _prune_one(plan, limits, at, first[at], (elements, bytes_of, lost))


def _prune_one(
    plan: Plan,
    limits: Limits,
    at: int,
    finding: Row,
    sizes: tuple[list[int], list[int], dict[int, tuple[int, int]]],
) -> tuple[int, int]:
    """Returns how many elements and bytes an element has lost."""
    outline, places = plan.outline, plan.places
    elements, bytes_of, lost = sizes
    array = outline.array(at, "children")
    items = [] if array == NOWHERE else list(places.inside(array))
    if not items:
        plan.gone(outline.rows[at], finding)
        return elements[at], bytes_of[at]
    numbers = [outline.number.get(item, NOWHERE) for item in items]
    fewer = sum(lost.get(child, (0, 0))[0] for child in numbers)
    shorter = sum(lost.get(child, (0, 0))[1] for child in numbers)
    most, longest = limits.subtree_elements, limits.subtree_bytes
    while items and (
        (most is not None and elements[at] - fewer > most)
        or (longest is not None and bytes_of[at] - shorter > longest)
    ):
        item, child = items.pop(), numbers.pop()
        already = lost.get(child, (0, 0))
        fewer += (elements[child] if child != NOWHERE else 0) - already[0]
        begin = places.end[items[-1]] if items else places.start[item]
        shorter += places.end[item] - begin - already[1]
        plan.gone(item, finding)
    return fewer, shorter


def _counts(parents: list[int]) -> list[int]:
    """How many elements each subtree has."""
    found = [1] * len(parents)
    for at in range(len(parents) - 1, 0, -1):
        found[parents[at]] += found[at]
    return found
