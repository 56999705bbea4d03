"""Room: content blocks and what MCP defines in them, while they are open.

In: the values that stand in them. Out: moments for `rules.content`: a block's end, a resource's
end, and the members of icons and annotations. Section 5.5.

What a member of a block means depends on the block's type, which may come last. So a block only
notes each known member: where it stands, its type, and as much of its value as any rule could
ask. What is found deeper inside is collected aside, and counts once the type makes it count.
"""

from __future__ import annotations

from elementguard._python.base64 import Payload
from elementguard._python.frame import IN_JSON, OBJECT, STRING, Frame, Items, Known, Members, Whole
from elementguard._python.rules import content, fields, shape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from elementguard._python.frame import Sink
    from elementguard._python.number import Number
    from elementguard._python.size import Size
    from elementguard._python.tree import ElementFrame

ALIEN = "alien"


class Text:
    """A text of which only the length counts, in bytes of UTF-8."""

    __slots__ = ("bytes",)

    def __init__(self) -> None:
        self.bytes = 0

    def piece(self, text: str) -> None:
        """The next piece; a lone surrogate would take three bytes."""
        self.bytes += len(text.encode(errors="surrogatepass"))

    def end(self) -> None:
        """The text is over."""


class Member:
    """A known member of a block or a resource, until its end.

    `found` is the value's type, and one of these is what rules ask of the value: a word or an
    address, a number, a text's length, base64, or the frame of an object or array. Of a Python
    object that is no JSON, `text` is its type's name.
    """

    __slots__ = ("base64", "found", "frame", "length", "number", "offset", "text", "turn")

    def __init__(self, offset: int, found: str, turn: int) -> None:
        self.offset = offset
        self.turn = turn
        self.found = found
        self.text = ""  # mutants: asked for only where one was kept
        self.number: Number | None = None
        self.length: Text | None = None
        self.base64: Payload | None = None
        self.frame: Known | None = None

    def keep(self, text: str) -> None:
        """The value is a word or an address."""
        self.text = text


class Noted(Members):
    """An object whose members are judged at its end."""

    __slots__ = ("members",)

    def __init__(self, around: Known, offset: int) -> None:
        super().__init__(around, offset)
        self.members: dict[str, Member] = {}

    def fits(self, offset: int, found: str) -> bool:
        """Whether the member is known and its value of its type. Says nothing yet."""
        field = self.shape.get(self.name)
        if field is None:
            return False
        self.members[self.name] = Member(offset, found, self.findings.turn())
        return found == IN_JSON.get(field[0], field[0])

    def alien(self, offset: int, found: str) -> bool:
        """A Python object that is no JSON."""
        if self.name not in self.shape:
            return False
        member = self.members[self.name] = Member(offset, ALIEN, self.findings.turn())
        member.keep(found)
        return True

    def open_known(self, offset: int) -> Frame | None:
        """An object or array of the right type."""
        frame = self.open_aside(offset)
        if frame:
            frame.findings = self.findings.scratch()
            self.members[self.name].frame = frame
        return frame

    def stream_known(self, _offset: int) -> Sink | None:
        """A string."""
        member = self.members[self.name]
        if self.name == "text":
            member.length = Text()
            return member.length
        if self.name in {"data", "blob"}:
            member.base64 = Payload()
            return member.base64
        if self.name in {"type", "uri", "mimeType"}:  # mutants: others are not asked for
            return Whole(member.keep)
        return None

    def number_known(self, _offset: int, number: Number) -> None:
        """A number."""
        self.members[self.name].number = number

    def open_aside(self, _offset: int) -> Known | None:
        """The frame of an object or array of which more is known."""
        return None


class ContentFrame(Items):
    """The content of an element."""

    __slots__ = ("has_object", "size", "types")

    expected = OBJECT

    def __init__(self, around: ElementFrame, offset: int) -> None:
        super().__init__(around, offset)
        self.size: Size = around.size
        self.has_object = False
        self.types: set[str] = set()

    def open_item(self, offset: int) -> Frame:
        """A block."""
        self.has_object = True
        return BlockFrame(self, offset)

    def close(self, end: int) -> None:
        """No more content."""
        content.content_ends(self, end)


class BlockFrame(Noted):
    """One block, of a type yet unknown."""

    __slots__ = ("around", "resource")

    shape = shape.BLOCK

    def __init__(self, around: ContentFrame, offset: int) -> None:
        super().__init__(around, offset)
        self.around = around
        self.resource: ResourceFrame | None = None

    def open_aside(self, offset: int) -> Known | None:
        """Annotations, icons or a resource."""
        match self.name:
            case "annotations":
                return AnnotationsFrame(self, offset)
            case "icons":
                return IconsFrame(self, offset)
            case "resource":
                self.resource = ResourceFrame(self, offset)
                return self.resource
            case _:
                return None  # mutants: so it does without a word

    def close(self, _end: int) -> None:
        """The block ends."""
        content.block_ends(self)


class ResourceFrame(Noted):
    """The contents of an embedded resource."""

    __slots__ = ()

    shape = shape.CONTENTS

    def close(self, _end: int) -> None:
        """The resource ends."""
        content.resource_ends(self)


class AnnotationsFrame(Members):
    """A block's annotations."""

    __slots__ = ()

    shape = shape.ANNOTATIONS

    def open_known(self, offset: int) -> Frame | None:
        """The audience."""
        return AudienceFrame(self, offset)

    def number_known(self, offset: int, number: Number) -> None:
        """The priority."""
        content.priority(self, offset, number)


class AudienceFrame(Items):
    """Who a block is for."""

    __slots__ = ()

    expected = STRING

    def stream_item(self, offset: int) -> Sink | None:
        """A word."""
        return Whole(lambda text: content.audience(self, offset, text))


class IconsFrame(Items):
    """The icons of a link."""

    __slots__ = ()

    expected = OBJECT

    def open_item(self, offset: int) -> Frame:
        """An icon."""
        return IconFrame(self, offset)


class IconFrame(Members):
    """One icon."""

    __slots__ = ()

    shape = shape.ICON

    def open_known(self, offset: int) -> Frame | None:
        """The sizes."""
        return SizesFrame(self, offset)

    def stream_known(self, offset: int) -> Sink | None:
        """The address, the media type or the theme."""
        return Whole(lambda text: content.icon_text(self, offset, text))

    def close(self, _end: int) -> None:
        """The icon ends."""
        fields.missing_of(self)


class SizesFrame(Items):
    """The sizes at which an icon can be used."""

    __slots__ = ()

    expected = STRING
