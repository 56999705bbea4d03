"""What the sizes of an answer are: counted in the plainest way, for the conformance vectors alone.

Comes in: the bytes of a well-formed answer. Goes out: the summary and the root's sizes (contract,
section 3). Why a third count beside the two engines': a vector must not be copied from what it
judges. This one may be slow and may hold everything in memory, so it is short enough to be read
at one go; the vectors in `sizes/` have their figures written by hand and hold it to them.
"""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass, field

ROLES = (
    "Application", "Window", "Group", "List", "Table", "Row", "Cell",
    "Text", "Heading", "Link", "Image", "Page", "Document",
)  # fmt: skip
BLOCK_TYPES = ("text", "image", "audio", "resource_link", "resource")

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{}]|[^\s\[\]{},:"]+')
_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
_ID = re.compile(r"[A-Za-z0-9_-]{1,128}")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass
class Value:
    """One JSON value and where it stands; of a name that comes twice the first counts."""

    start: int
    end: int
    kind: str
    scalar: object = None
    name_start: int | None = None
    members: dict[str, Value] = field(default_factory=dict)
    items: list[Value] = field(default_factory=list)

    def member(self, name: str, kind: str) -> Value | None:
        """The member of that name, if it is of that kind."""
        value = self.members.get(name)
        return value if value is not None and value.kind == kind else None

    def text(self, name: str) -> str | None:
        """The string that the member of that name holds."""
        value = self.member(name, "string")
        return str(value.scalar) if value is not None else None

    def is_true(self, name: str) -> bool:
        """Whether the member of that name is the literal true."""
        value = self.members.get(name)
        return value is not None and value.scalar is True


def read(text: bytes) -> Value:
    """The value of a well-formed JSON text."""
    outside = Value(0, len(text), "array")
    open_values = [outside]
    name: tuple[str, int] | None = None
    for match in _TOKEN.finditer(text):
        token, top = match.group(), open_values[-1]
        if token in (b"]", b"}"):
            open_values.pop().end = match.end()
            continue
        if top.kind == "object" and name is None:
            name = (json.loads(token), match.start())
            continue
        value = _value(token, match.start(), match.end())
        if name is not None:
            value.name_start = name[1]
            top.members.setdefault(name[0], value)
        else:
            top.items.append(value)
        name = None
        if value.kind in ("array", "object"):
            open_values.append(value)
    return outside.items[0]


def _value(token: bytes, start: int, end: int) -> Value:
    first = token[:1]
    if first in (b"{", b"["):
        return Value(start, end, "object" if first == b"{" else "array")
    if first == b'"':
        return Value(start, end, "string", json.loads(token))
    if first in (b"t", b"f", b"n"):
        return Value(start, end, "null" if first == b"n" else "boolean", json.loads(token))
    return Value(start, end, "number")


@dataclass
class Element:
    """One element with the sizes of its subtree as far as they are added up."""

    value: Value
    parent: int | None
    depth: int
    elements: int = 1
    height: int = 1
    content_bytes: int = 0
    text_bytes: int = 0
    blob_bytes: int = 0

    def usable_id(self) -> str | None:
        """Its id, if it is well-formed."""
        name = self.value.text("id")
        return name if name is not None and _ID.fullmatch(name) else None


def reckon(text: bytes, kind: str) -> tuple[dict[str, object], dict[str, int] | None]:
    """The summary of an answer ("answer") or a fragment ("element"), and the sizes of its root."""
    answer = read(text)
    root = answer.member("root", "object") if kind == "answer" else answer
    elements = elements_of(root) if root is not None and root.kind == "object" else []
    block_types: dict[str, int] = {}
    for element in elements:
        _add_content(element, block_types)
    for element in reversed(elements):
        _add_to_parent(element, elements)
    summary: dict[str, object] = {
        "bytes": len(text),
        "elements": len(elements),
        "depth": max((element.depth for element in elements), default=0),
        "roles": _roles(elements),
        "block_types": {word: block_types[word] for word in BLOCK_TYPES if word in block_types},
        "instance": plain(answer.text("instance")) if kind == "answer" else None,
        "protocol": plain(answer.text("protocol")) if kind == "answer" else None,
    }
    return summary | _pointed_at(elements, kind), _sizes(elements[0]) if elements else None


def elements_of(root: Value) -> list[Element]:
    """All elements in document order."""
    found: list[Element] = []
    waiting: list[tuple[Value, int | None, int]] = [(root, None, 1)]
    while waiting:
        value, parent, depth = waiting.pop()
        found.append(Element(value, parent, depth))
        children = value.member("children", "array")
        if children is not None:
            index = len(found) - 1
            items = [item for item in children.items if item.kind == "object"]
            waiting.extend((item, index, depth + 1) for item in reversed(items))
    return found


def _add_content(element: Element, block_types: dict[str, int]) -> None:
    content = element.value.member("content", "array")
    if content is None:
        return
    element.content_bytes = content.end - content.start
    for block in content.items:
        word = block.text("type")
        if word not in BLOCK_TYPES:
            continue
        block_types[word] = block_types.get(word, 0) + 1
        holder = block.member("resource", "object") if word == "resource" else block
        if holder is not None and word in ("text", "resource"):
            element.text_bytes += len((holder.text("text") or "").encode("utf-8", "surrogatepass"))
        if holder is not None and word in ("image", "audio", "resource"):
            element.blob_bytes += _decoded(holder.text("blob" if word == "resource" else "data"))


def _decoded(text: str | None) -> int:
    if text is None or not _BASE64.fullmatch(text):
        return 0
    return len(base64.b64decode(text))


def _add_to_parent(element: Element, elements: list[Element]) -> None:
    if element.parent is None:
        return
    parent = elements[element.parent]
    parent.elements += element.elements
    parent.height = max(parent.height, element.height + 1)
    parent.content_bytes += element.content_bytes
    parent.text_bytes += element.text_bytes
    parent.blob_bytes += element.blob_bytes


def _roles(elements: list[Element]) -> dict[str, int]:
    counts = dict.fromkeys(ROLES, 0)
    for element in elements:
        word = element.value.text("role")
        if word is not None:
            counts[word if word in counts else "Group"] += 1
    return {word: count for word, count in counts.items() if count}


def plain(text: str | None) -> str | None:
    """The text with U+FFFD for each lone surrogate."""
    return None if text is None else _SURROGATE.sub("\ufffd", text)


def _pointed_at(elements: list[Element], kind: str) -> dict[str, object]:
    focus: list[str | None] = []
    at: int | None = 0 if elements else None
    if kind == "element" and elements and elements[0].value.is_true("focused"):
        focus.append(elements[0].usable_id())
    while at is not None:
        at = next(
            (i for i in range(at + 1, len(elements)) if _is_focused_child(elements, i, at)), None
        )
        if at is not None:
            focus.append(elements[at].usable_id())
    return {
        "focus_path": focus,
        "position": focus[-1] if focus else None,
        "selected": [e.usable_id() for e in elements if e.value.is_true("selected")],
        "hovered": _hovered(elements),
    }


def _is_focused_child(elements: list[Element], index: int, parent: int) -> bool:
    return elements[index].parent == parent and elements[index].value.is_true("focused")


def _hovered(elements: list[Element]) -> str | None:
    """The id of the first hovered element with none hovered below it."""
    above: set[int | None] = set()
    for element in elements:
        if element.value.is_true("hovered"):
            parent = element.parent
            while parent is not None:
                above.add(parent)
                parent = elements[parent].parent
    for index, element in enumerate(elements):
        if element.value.is_true("hovered") and index not in above:
            return element.usable_id()
    return None


def _sizes(root: Element) -> dict[str, int]:
    return {
        "bytes": root.value.end - root.value.start,
        "elements": root.elements,
        "height": root.height,
        "depth": root.depth,
        "content_bytes": root.content_bytes,
        "text_bytes": root.text_bytes,
        "blob_bytes": root.blob_bytes,
    }
