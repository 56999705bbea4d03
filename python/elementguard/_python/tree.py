"""Room: the answer, its elements and their attributes, while they are open.

In: the values that stand in them. Out: moments for the rules: a member, an element's end, the
answer's end. Sections 5 to 5.4 and 5.6; content is in `block`.

Members come in any order, so a rule speaks at a member only if that member's value alone decides.
All others speak when an element ends; what its parent must know is handed up then. No element is
kept after its end but for what findings remember.
"""

from __future__ import annotations

from elementguard._python.block import ContentFrame
from elementguard._python.frame import OBJECT, STRING, Frame, Items, Known, Members, Whole
from elementguard._python.report import Element
from elementguard._python.rules import (
    attributes,
    content,
    envelope,
    fields,
    ids,
    limits,
    roles,
    shape,
    states,
)
from elementguard._python.size import Size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from elementguard._python.facts import Facts, FocusPath
    from elementguard._python.frame import Sink
    from elementguard._python.pointer import Place
    from elementguard._python.report import Pending


class Top(Items):
    """What stands around the whole input: one value, which is to be an object."""

    __slots__ = ()

    expected = OBJECT

    def __init__(self, facts: Facts) -> None:
        Frame.__init__(self, None, 0, OBJECT)  # mutants: no finding is about it
        self.facts = facts
        self.findings = facts.findings

    def place_of_value(self) -> Place:
        """The pointer of the whole input is empty."""
        return None

    def member_of_value(self) -> str | None:
        """No member has it as its value."""
        return None

    def open_item(self, offset: int) -> Frame:
        """The answer or the fragment."""
        if self.facts.is_fragment:
            return ElementFrame(self, offset, None)
        return AnswerFrame(self, offset)


class AnswerFrame(Members):
    """The object that a provider sends. What else it holds belongs to other sections."""

    __slots__ = ()

    shape = shape.ANSWER

    def open_known(self, offset: int) -> Frame | None:
        """The root."""
        return ElementFrame(self, offset, None)

    def stream_known(self, offset: int) -> Sink | None:
        """The protocol or the instance."""
        rule = envelope.protocol if self.name == "protocol" else envelope.instance
        return Whole(lambda text: rule(self, offset, text))

    def close(self, _end: int) -> None:
        """The answer ends."""
        fields.missing_of(self)


class ElementFrame(Members):
    """An element. What it keeps of the elements below it, `roles` and `states` say."""

    __slots__ = (
        "content",
        "focus_below",
        "focused_at",
        "focused_children",
        "hovered_at",
        "hovered_below",
        "is_root",
        "not_cells",
        "not_cells_of_rows",
        "not_rows",
        "parent",
        "record",
        "role",
        "role_as_sent",
        "size",
        "undecided_visible",
        "visible",
        "visible_at",
    )

    shape = shape.ELEMENT

    def __init__(self, around: Known, offset: int, parent: ElementFrame | None) -> None:
        super().__init__(around, offset)
        self.parent = parent
        self.is_root = parent is None and not self.facts.is_fragment
        self.record = self.element = Element(self.place, offset)
        self.size: Size = Size(parent.size.depth + 1 if parent else 1)
        self.role: str | None = None
        self.role_as_sent = ""  # mutants: asked for only where there is a role
        self.content: ContentFrame | None = None
        self.not_rows: Pending | None = None
        self.not_cells: Pending | None = None
        self.not_cells_of_rows: Pending | None = None
        self.visible: bool | None = None
        self.visible_at = 0  # mutants: asked for only where `visible` is known
        self.undecided_visible: dict[bool, Pending] = {}
        self.focused_at: int | None = None
        self.focus_below: FocusPath = None
        self.focused_children: Pending | None = None
        self.hovered_at: int | None = None
        self.hovered_below: Element | None = None
        limits.element_begins(self)
        if self.facts.rows is not None:
            self.facts.rows.begin(offset)

    def unknown(self) -> None:
        """A member that 5.1 does not list."""
        fields.unknown(self)

    def open_known(self, offset: int) -> Frame | None:
        """Children, content or attributes."""
        if self.name == "children":
            return ChildrenFrame(self, offset)
        if self.name == "content":
            self.content = ContentFrame(self, offset)
            return self.content
        return AttributesFrame(self, offset)

    def string(self, offset: int, text: str) -> None:
        """A whole string."""
        if self.fits(offset, STRING):
            self._text(offset, text)

    def stream_known(self, offset: int) -> Sink | None:
        """A string in pieces."""
        return Whole(lambda text: self._text(offset, text))

    def boolean_known(self, offset: int, *, value: bool) -> None:
        """A state."""
        states.state(self, offset, value=value)

    def close(self, end: int) -> None:
        """The element ends."""
        self.size.bytes = end - self.offset
        fields.missing_of(self)
        content.element_ends(self)
        roles.element_ends(self)
        states.element_ends(self)
        limits.element_ends(self)
        if self.facts.rows is not None:
            self.facts.rows.end(end, self.size)
        if self.parent:
            self.parent.size.add_child(self.size)
        else:
            self.facts.root = self.size

    def _text(self, offset: int, text: str) -> None:
        match self.name:
            case "id":
                ids.element_id(self, offset, text)
            case "role":
                roles.role(self, offset, text)
            case "title":
                fields.title(self, offset, text)
            case "url":
                fields.address(self, offset, text)
                fields.controls(self, offset, text)
            case _:
                fields.controls(self, offset, text)


class ChildrenFrame(Items):
    """The children of an element."""

    __slots__ = ("_parent",)

    expected = OBJECT

    def __init__(self, around: ElementFrame, offset: int) -> None:
        super().__init__(around, offset)
        self._parent = around

    def open_item(self, offset: int) -> Frame:
        """A child."""
        return ElementFrame(self, offset, self._parent)

    def close(self, _end: int) -> None:
        """No more children."""
        fields.children_end(self)
        limits.children(self)


class AttributesFrame(Members):
    """What else the provider wants an agent to have."""

    __slots__ = ()

    shape = shape.ATTRIBUTES

    def unknown(self) -> None:
        """Names are the provider's own, but for states."""
        states.attribute(self)

    def open_known(self, offset: int) -> Frame | None:
        """`related`."""
        return RelatedFrame(self, offset)

    def close(self, end: int) -> None:
        """No more attributes."""
        limits.attributes_bytes(self, end - self.offset)


class RelatedFrame(Items):
    """Links that are not containment."""

    __slots__ = ()

    expected = OBJECT

    def open_item(self, offset: int) -> Frame:
        """A link."""
        return RelatedEntry(self, offset)


class RelatedEntry(Known):
    """One link. Its members' names are no more than the chapter's own words: see `attributes`."""

    __slots__ = ("texts",)

    def __init__(self, around: Known, offset: int) -> None:
        super().__init__(around, offset, OBJECT)
        self.texts: set[str] = set()

    def stream(self, offset: int) -> Sink | None:
        """The relation, an id or an address; no other member is asked for."""
        name = str(self.key)
        self.texts.add(name)
        if name != "id":
            return None
        return Whole(lambda text: ids.related_id(self, offset, text))

    def close(self, _end: int) -> None:
        """The link ends."""
        attributes.entry_ends(self)
