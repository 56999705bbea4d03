"""Rules of 5.5: content blocks, which are MCP's of 2026-07-28.

In: the ends of blocks, resources and contents, members of icons and annotations. Out:
`empty-content`, `unknown-block-type`, `malformed-base64`, `loose-base64`,
`malformed-media-type`, `wrong-media-type`, `invalid-annotations`, `text-and-blob`,
`text-without-text-block`, `no-image-or-link`.

A block is judged when it ends. Its frame's `key` is then set to each member in turn, so that the
rules about members can be asked as if it were just being read.
"""

from __future__ import annotations

from elementguard._python import media
from elementguard._python.rules import fields, limits, table
from elementguard._python.rules.roles import TEXTS
from elementguard._python.rules.shape import BLOCK_TYPES
from elementguard._python.text import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from elementguard._python.base64 import Payload
    from elementguard._python.block import (
        AnnotationsFrame,
        AudienceFrame,
        BlockFrame,
        ContentFrame,
        IconFrame,
        Member,
        Noted,
        ResourceFrame,
    )
    from elementguard._python.frame import Known
    from elementguard._python.number import Number
    from elementguard._python.size import Size
    from elementguard._python.tree import ElementFrame

_STRING, _ALIEN, _NULL = "string", "alien", "null"
_SHOWN_OR_LINKED = frozenset({"text", "image", "resource_link", "resource"})
_AUDIENCES = frozenset({"user", "assistant"})
_THEMES = frozenset({"light", "dark"})


def content_ends(frame: ContentFrame, end: int) -> None:
    """An element's content is over."""
    frame.size.content_bytes += end - frame.offset
    if not frame.count:
        frame.findings.add(table.EMPTY_CONTENT, frame.offset, frame.place, frame.element)
    limits.blocks(frame)
    limits.content_bytes(frame, end - frame.offset)


def element_ends(frame: ElementFrame) -> None:
    """An element's role and its content are known."""
    content = frame.content
    if content is None or not content.has_object or frame.role is None:
        return
    params = (quote(frame.role_as_sent),)
    if frame.role in TEXTS:
        if "text" not in content.types:
            rule = table.TEXT_WITHOUT_TEXT_BLOCK
            frame.findings.add(rule, content.offset, content.place, frame.element, params)
    elif content.types.isdisjoint(_SHOWN_OR_LINKED):
        rule = table.NO_IMAGE_OR_LINK
        frame.findings.add(rule, content.offset, content.place, frame.element, params)


def block_ends(frame: BlockFrame) -> None:
    """A block's type is known, or it has none."""
    block_type = _block_type(frame)
    known, required = BLOCK_TYPES[block_type] if block_type else ((), ())
    for name in required:
        if not frame.has(name):
            fields.missing(frame, name)
    for name, member in frame.members.items():
        frame.key = name
        if name in known:
            _member(frame, member, required=name in required)
        elif name != "type":
            _void(frame, member)
    if block_type is None:
        return
    frame.facts.block_types[block_type] += 1
    frame.around.types.add(block_type)
    if block_type in {"image", "audio"}:
        _media(frame, "data", block_type)
    _add_sizes(frame.around.size, (frame.members[name] for name in known if frame.has(name)))
    if block_type == "resource" and frame.resource:
        _add_sizes(frame.around.size, frame.resource.members.values())


def resource_ends(frame: ResourceFrame) -> None:
    """The contents of an embedded resource are known."""
    fields.missing_of(frame)
    text, blob = frame.members.get("text"), frame.members.get("blob")
    if not any(member and member.found != _NULL for member in (text, blob)):
        fields.missing(frame, "text or blob")
    for name, member in frame.members.items():
        frame.key = name
        _member(frame, member, required=frame.shape[name][1])
    if text and blob and text.found == blob.found == _STRING:
        frame.findings.add(table.TEXT_AND_BLOB, frame.offset, frame.place, frame.element)
    _media(frame, "blob", None)


def priority(frame: AnnotationsFrame, offset: int, number: Number) -> None:
    """How important a block is."""
    if not number.is_fraction_of_one():
        _invalid_annotations(frame, offset, frame.name)


def audience(frame: AudienceFrame, offset: int, text: str) -> None:
    """One of those a block is for."""
    if text not in _AUDIENCES:
        _invalid_annotations(frame, offset, "audience")


def icon_text(frame: IconFrame, offset: int, text: str) -> None:
    """A string of an icon."""
    if frame.name == "src":
        fields.address(frame, offset, text, icon=True)
    elif frame.name == "mimeType":
        _media_type(frame, offset, text)
    elif text not in _THEMES:
        fields.mismatch(frame, offset, frame.shape[frame.name][0], _STRING)


def _block_type(frame: BlockFrame) -> str | None:
    """A block's type, if it is one of the five; says so if it is not."""
    member = frame.members.get("type")
    if member is None:
        fields.missing(frame, "type")
        return None
    frame.key = "type"
    if not _fits(frame, member, required=True):
        return None
    text = member.text
    if text in BLOCK_TYPES:
        return text
    place = frame.place_of_value()
    params = (quote(text),)
    frame.findings.add(table.UNKNOWN_BLOCK_TYPE, member.offset, place, frame.element, params)
    return None


def _member(frame: Noted, member: Member, *, required: bool) -> None:
    """A member that its block's type knows."""
    if not _fits(frame, member, required=required):
        return
    if frame.name == "uri":
        fields.address(frame, member.offset, member.text)
    elif frame.name == "mimeType":
        _media_type(frame, member.offset, member.text)
    elif member.base64:
        _base64(frame, member, member.base64)
    elif member.frame:
        frame.findings.add_scratch(member.frame.findings)


def _fits(frame: Noted, member: Member, *, required: bool) -> bool:
    """Whether a member's value is of its type; says so if it is not."""
    expected = frame.shape[frame.name][0]
    if member.found == _ALIEN:
        fields.alien(frame, member.offset, expected, member.text)
        return False
    if member.number.is_integer() if member.number else member.found == expected:
        return True
    found, turn = member.found, member.turn
    fields.mismatch(frame, member.offset, expected, found, required=required, turn=turn)
    return False


def _void(frame: Noted, member: Member) -> None:
    """A member that its block's type does not know: what is no JSON is still none."""
    if member.found == _ALIEN:
        fields.no_json(frame.findings, frame, member.offset, member.text)
    elif member.frame and member.frame.findings.otherwise:
        frame.findings.add_scratch(member.frame.findings.otherwise)


def _base64(frame: Noted, member: Member, payload: Payload) -> None:
    place = frame.place_of_value()
    if payload.reason:
        params = (payload.reason,)
        frame.findings.add(table.MALFORMED_BASE64, member.offset, place, frame.element, params)
    elif payload.is_loose():
        frame.findings.add(table.LOOSE_BASE64, member.offset, place, frame.element)


def _media_type(frame: Known, offset: int, text: str) -> None:
    if media.essence(text) is None:
        place = frame.place_of_value()
        params = (quote(text),)
        frame.findings.add(table.MALFORMED_MEDIA_TYPE, offset, place, frame.element, params)


def _media(frame: Noted, name: str, family: str | None) -> None:
    """A picture, a sound or a blob: what it is said to be, and what it is.

    `name`: the member with the data; `family`: what the block's type says it is.
    """
    declared, data = frame.members.get("mimeType"), frame.members.get(name)
    essence = media.essence(declared.text) if declared and declared.found == _STRING else None
    payload = data.base64 if data else None
    head = payload.head() if payload else b""  # mutants: one byte says as little as none
    recognised = media.recognise(head)
    refused = False
    if declared and essence:
        frame.key, text = "mimeType", declared.text
        if _contradicts(essence, recognised, family):
            place = frame.place_of_value()
            params = (quote(text), recognised)
            rule = table.WRONG_MEDIA_TYPE
            frame.findings.add(rule, declared.offset, place, frame.element, params)
        if family or payload:
            refused = limits.media_type(frame, declared.offset, essence, family, text)
    if data and recognised:
        frame.key = name
        if not refused:
            limits.media_type(frame, data.offset, recognised, family, recognised)
        if family != "audio":
            limits.image_edge(frame, data.offset, media.larger_edge(recognised, head))


def _contradicts(essence: str, recognised: str | None, family: str | None) -> bool:
    """Whether a block's type, or the data, tells another media type than the one declared."""
    if family and not essence.startswith(f"{family}/"):
        return True
    return recognised is not None and media.known_as(essence) != recognised


def _add_sizes(size: Size, members: Iterable[Member]) -> None:
    """What a block adds to its element's sizes."""
    for member in members:
        if member.length:
            size.text_bytes += member.length.bytes
        if member.base64:
            size.blob_bytes += member.base64.decoded_bytes()


def _invalid_annotations(frame: Known, offset: int, member: str) -> None:
    place = frame.place_of_value()
    frame.findings.add(table.INVALID_ANNOTATIONS, offset, place, frame.element, (member,))
