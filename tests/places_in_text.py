"""A small JSON reader that keeps places: what pointers and offsets of findings are held against.

Comes in: bytes that are well-formed JSON. Goes out: `read(source)`, a tree of `Value`s with where
each begins and ends, `find(top, pointer)`, and `element_of(top, pointer)`. It shares no line with
either engine, and knows no rule. Not a test itself.
"""

import json
import re
from dataclasses import dataclass, field

_TOKEN = re.compile(rb'([{}\[\]])|("(?:[^"\\]|\\.)*")|([^\s{}\[\],:"]+)', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_KINDS = {b"{": "object", b"[": "array"}


@dataclass
class Value:
    """A value: its first byte, the byte behind it, and its members or items."""

    begin: int
    end: int
    kind: str  # "object", "array", "string" or "other"
    text: str | None = None
    members: list = field(default_factory=list)
    items: list = field(default_factory=list)

    def get(self, name):
        """The value of the first member of that name, if there is one."""
        return next((member.value for member in self.members if member.name == name), None)

    def within(self):
        """All values and members in it, itself included."""
        waiting = [self]
        while waiting:
            value = waiting.pop()
            yield value
            waiting += [member.value for member in value.members] + value.items


@dataclass
class Member:
    """A name: its opening quote, the byte behind the closing one. And its value."""

    name: str  # a lone surrogate as U+FFFD, as in pointers
    begin: int
    end: int
    value: Value | None = None


def read(source):
    """The value that the bytes hold. They must be well-formed."""
    top = Value(0, len(source), "array")
    opened = [top]
    for token in _TOKEN.finditer(source):
        if token[1] in (b"}", b"]"):
            opened.pop().end = token.end()
        elif _wants_a_name(opened[-1]):
            name = _SURROGATE.sub("\ufffd", json.loads(token[2]))
            opened[-1].members.append(Member(name, token.start(), token.end()))
        else:
            value = _value(token)
            _put(opened[-1], value)
            if token[1]:
                opened.append(value)
    (value,) = top.items
    return value


def find(top, pointer):
    """The value that a pointer names, and the member whose value it is, if it is one's.

    Raises LookupError or ValueError if there is none.
    """
    value, member = top, None
    for name in names(pointer):
        if value.kind == "array":
            value, member = value.items[int(name)], None
        else:
            member = next(one for one in [*value.members, None] if one is None or one.name == name)
            if member is None:
                raise LookupError(pointer)
            value = member.value
    return value, member


def element_of(top, pointer, kind):
    """The innermost element of an answer or an element (`kind`) that holds a place, or None."""
    rest = names(pointer)
    if kind == "answer":
        if rest[:1] != ["root"]:
            return None
        top, rest = top.get("root"), rest[1:]
    if top.kind != "object":
        return None
    while len(rest) > 1 and rest[0] == "children":
        children = top.get("children")
        if children.kind != "array" or children.items[int(rest[1])].kind != "object":
            break
        top, rest = children.items[int(rest[1])], rest[2:]
    return top


def names(pointer):
    """The pointer's parts, unescaped."""
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def _wants_a_name(around):
    members = around.members
    return around.kind == "object" and (not members or members[-1].value is not None)


def _value(token):
    kind = _KINDS.get(token[1], "string" if token[2] else "other")
    text = json.loads(token[2]) if token[2] else None
    return Value(token.start(), token.end(), kind, text)


def _put(around, value):
    if around.kind == "object":
        around.members[-1].value = value
    else:
        around.items.append(value)
