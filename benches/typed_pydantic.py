"""Benches, types for pydantic: an answer as a host author would declare it.

In comes nothing, out comes `decode`. Typed dicts, which pydantic fills quicker than model classes;
base64 is left unchecked, which favours it, too. Importing this needs pydantic.
"""

from typing import Annotated, Any, Literal, NotRequired

import pydantic
from typing_extensions import TypedDict  # pydantic wants this one before Python 3.12

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


class Text(TypedDict):
    """A text block."""

    type: Literal["text"]
    text: str


class Media(TypedDict):
    """A picture or a sound."""

    type: Literal["image", "audio"]
    data: str
    mimeType: str


class Link(TypedDict):
    """The address of something large."""

    type: Literal["resource_link"]
    uri: str
    name: str
    mimeType: NotRequired[str]


class Resource(TypedDict):
    """Something large itself."""

    type: Literal["resource"]
    resource: dict[str, Any]


Block = Annotated[Text | Media | Link | Resource, pydantic.Field(discriminator="type")]


class Element(TypedDict):
    """One element."""

    id: Annotated[str, pydantic.Field(pattern=r"^[A-Za-z0-9_-]{1,128}$")]
    role: Role
    subrole: NotRequired[str]
    title: NotRequired[str]
    content: NotRequired[list[Block]]
    url: NotRequired[str]
    selected: NotRequired[bool]
    focused: NotRequired[bool]
    visible: NotRequired[bool]
    hovered: NotRequired[bool]
    children: NotRequired[list["Element"]]
    attributes: NotRequired[dict[str, Any]]


class Answer(TypedDict):
    """An answer."""

    protocol: str
    instance: str
    root: Element


decode = pydantic.TypeAdapter(Answer).validate_json
