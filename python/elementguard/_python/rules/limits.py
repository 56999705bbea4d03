"""Rules of 5.7: how much an answer may hold.

In: counts and sizes as soon as they are certain. Out: the `limit-*` rules but for nesting, which
the reader says. Three of them end the work: they are raised.
"""

from __future__ import annotations

from elementguard._python import media
from elementguard._python.report import Fatal
from elementguard._python.rules import table
from elementguard._python.text import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from elementguard._python.frame import Items, Known
    from elementguard._python.tree import ElementFrame

_PLAYED = ("image/", "audio/")


def too_many_bytes(allowed: int) -> Fatal:
    """The answer is longer than allowed."""
    return Fatal(table.LIMIT_BYTES, allowed, params=("bytes", allowed, allowed + 1))


def element_begins(frame: ElementFrame) -> None:
    """One element more, at a depth."""
    facts, limits = frame.facts, frame.facts.limits
    facts.elements += 1
    depth = frame.size.depth
    facts.depth = max(facts.depth, depth)
    if limits.elements is not None and facts.elements > limits.elements:
        params = ("elements", limits.elements, facts.elements)
        raise Fatal(table.LIMIT_ELEMENTS, frame.offset, frame.place, params)
    if limits.depth is not None and depth > limits.depth:
        params = ("depth", limits.depth, depth)
        raise Fatal(table.LIMIT_DEPTH, frame.offset, frame.place, params)


def element_ends(frame: ElementFrame) -> None:
    """The subtree of an element below the root is whole."""
    if frame.parent is None:
        return
    limits, size = frame.facts.limits, frame.size
    rule = table.LIMIT_SUBTREE_BYTES
    _judge(frame, rule, "subtree_bytes", limits.subtree_bytes, size.bytes)
    rule = table.LIMIT_SUBTREE_ELEMENTS
    _judge(frame, rule, "subtree_elements", limits.subtree_elements, size.elements)


def children(frame: Items) -> None:
    """An element's children are all there."""
    _judge(frame, table.LIMIT_CHILDREN, "children", frame.facts.limits.children, frame.count)


def blocks(frame: Items) -> None:
    """An element's content blocks are all there."""
    _judge(frame, table.LIMIT_BLOCKS, "blocks", frame.facts.limits.blocks, frame.count)


def content_bytes(frame: Known, size: int) -> None:
    """An element's own content is over."""
    rule = table.LIMIT_CONTENT_BYTES
    _judge(frame, rule, "content_bytes", frame.facts.limits.content_bytes, size)


def attributes_bytes(frame: Known, size: int) -> None:
    """An element's attributes are over."""
    rule = table.LIMIT_ATTRIBUTES_BYTES
    _judge(frame, rule, "attributes_bytes", frame.facts.limits.attributes_bytes, size)


def title(frame: ElementFrame, offset: int, text: str) -> None:
    """A title's characters."""
    allowed = frame.facts.limits.title_characters
    if allowed is not None and len(text) > allowed:
        params = ("title_characters", allowed, len(text))
        place = frame.place_of_value()
        frame.findings.add(table.LIMIT_TITLE, offset, place, frame.element, params)


def media_type(frame: Known, offset: int, name: str, family: str | None, shown: str) -> bool:
    """A media type of an image or audio block (its `family`) or of a blob. Returns if refused."""
    allowed = frame.facts.media_types
    if allowed is None or media.known_as(name) in allowed:
        return False
    if family is None and not name.startswith(_PLAYED):
        return False
    place = frame.place_of_value()
    params = ("media_types", list(frame.facts.limits.media_types or ()), quote(shown))
    frame.findings.add(table.LIMIT_MEDIA_TYPE, offset, place, frame.element, params)
    return True


def image_edge(frame: Known, offset: int, edge: int | None) -> None:
    """A picture's width or height, whichever is more, if it is known."""
    allowed = frame.facts.limits.image_edge
    if allowed is not None and edge is not None and edge > allowed:
        params = ("image_edge", allowed, edge)
        place = frame.place_of_value()
        frame.findings.add(table.LIMIT_IMAGE_EDGE, offset, place, frame.element, params)


def _judge(frame: Known, rule: int, name: str, allowed: int | None, actual: int) -> None:
    """A count or a size of the object or array itself."""
    if allowed is not None and actual > allowed:
        params = (name, allowed, actual)
        frame.findings.add(rule, frame.offset, frame.place, frame.element, params)
