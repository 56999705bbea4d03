"""Benches, types for msgspec: an answer as a host author would declare it.

In comes nothing, out come `decode` and the walk that is still to be done behind it: types cannot
say that ids are unique or focus is a path. `data` is `bytes`, so that msgspec checks base64.
Importing this needs msgspec.
"""

from typing import Annotated, Any, Literal

import msgspec

Role = Literal[
    "Application",
    "Window",
    "Group",
    "List",
    "Table",
    "Row",
    "Cell",
    "Text",
    "Heading",
    "Link",
    "Image",
    "Page",
    "Document",
]


class Text(msgspec.Struct, tag_field="type", tag="text"):
    """A text block."""

    text: str


class Image(msgspec.Struct, tag_field="type", tag="image"):
    """A picture."""

    data: bytes
    mimeType: str  # noqa: N815 -- the protocol's spelling


class Audio(msgspec.Struct, tag_field="type", tag="audio"):
    """A sound."""

    data: bytes
    mimeType: str  # noqa: N815 -- the protocol's spelling


class Link(msgspec.Struct, tag_field="type", tag="resource_link"):
    """The address of something large."""

    uri: str
    name: str


class Resource(msgspec.Struct, tag_field="type", tag="resource"):
    """Something large itself."""

    resource: dict[str, Any]


class Element(msgspec.Struct, forbid_unknown_fields=True):
    """One element."""

    id: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,128}$")]
    role: Role
    subrole: str | None = None
    title: str | None = None
    content: list[Text | Image | Audio | Link | Resource] | None = None
    url: str | None = None
    selected: bool | None = None
    focused: bool | None = None
    visible: bool | None = None
    hovered: bool | None = None
    children: "list[Element] | None" = None
    attributes: dict[str, Any] | None = None


class Answer(msgspec.Struct):
    """An answer."""

    protocol: str
    instance: str
    root: Element


decode = msgspec.json.Decoder(Answer).decode


def is_valid_tree(answer: Any) -> bool:
    """What types do not say: unique ids, focus as one path, at most one hovered element."""
    ids: set[str] = set()
    hovered = 0
    waiting = [(answer.root, True)]
    while waiting:
        element, on_the_path = waiting.pop()
        if element.id in ids:
            return False
        ids.add(element.id)
        if element.hovered:
            hovered += 1
        if element.children is not None:
            focused = 0
            for child in element.children:
                here = child.focused is True
                focused += here
                waiting.append((child, here))
            if focused > on_the_path:
                return False
    return hovered <= 1
