"""Reads the answer's JSON Schema and the word lists.

In: `python/elementguard/schemas/answer.schema.json` and `words.json`. Out: for each kind of object
its members, with the word that a finding has for their type, and which are required; the roles; the
block types; the words. The schema is the source, and not only an output: what a provider's tools
check an answer against and what the engines ask for cannot drift apart.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

SCHEMAS = Path(__file__).parent.parent / "python" / "elementguard" / "schemas"
# What the engines call an object, and where the schema describes it; `block` is a union of five.
OBJECTS = {
    "answer": None,
    "element": "element",
    "block": "block",
    "contents": "contents",
    "icon": "icon",
    "annotations": "annotations",
    "attributes": "attributes",
    "related": "related",
}


@dataclass(frozen=True)
class Member:
    """A member that an object's kind knows."""

    name: str
    expected: str
    required: bool


@dataclass(frozen=True)
class BlockType:
    """A type of content block: the members it knows, and those it needs."""

    name: str
    members: tuple[str, ...]
    required: tuple[str, ...]


@dataclass(frozen=True)
class Shapes:
    """All that the two files say."""

    objects: dict[str, tuple[Member, ...]]
    roles: tuple[str, ...]
    block_types: tuple[BlockType, ...]
    furniture: tuple[str, ...]
    suggestions: dict[str, str]
    media: dict[str, tuple[str, ...]]


def load() -> Shapes:
    """The two files, read and held against each other."""
    schema = json.loads((SCHEMAS / "answer.schema.json").read_text("utf-8"))
    words = json.loads((SCHEMAS / "words.json").read_text("utf-8"))
    roles = tuple(schema["$defs"]["role"]["enum"])
    return Shapes(
        objects={name: members(schema, place) for name, place in OBJECTS.items()},
        roles=roles,
        block_types=block_types(schema),
        furniture=tuple(sorted(words["furniture"])),
        suggestions=suggestions(words, roles),
        media={name: tuple(types) for name, types in words["media"].items()},
    )


def members(schema: dict[str, Any], place: str | None) -> tuple[Member, ...]:
    """The members of one kind of object, in the schema's order."""
    if place == "block":
        return union(schema)
    shape = schema if place is None else schema["$defs"][place]
    required = shape.get("required", ())
    named: dict[str, Any] = {}
    for part in (shape, *shape.get("anyOf", ())):
        named |= part.get("properties", {})
    return tuple(
        Member(name, type_word(schema, value), name in required)
        for name, value in named.items()
        if value is not False  # a name that must not stand there is no member
    )


def union(schema: dict[str, Any]) -> tuple[Member, ...]:
    """The members of all block types; those of every block last, but for `type`."""
    by_type = [members(schema, name) for name in block_names(schema)]
    merged: dict[str, Member] = {}
    for member in chain.from_iterable(by_type):
        own = Member(member.name, member.expected, required=member.name == "type")
        if merged.setdefault(member.name, own) != own:
            raise ValueError(f"{member.name!r} is of two types in blocks: no room in a union")
    shared = set.intersection(*({member.name for member in shape} for shape in by_type)) - {"type"}
    return tuple(sorted(merged.values(), key=lambda member: member.name in shared))


def block_types(schema: dict[str, Any]) -> tuple[BlockType, ...]:
    """The block types, in the order of 5.5."""
    return tuple(
        BlockType(
            name,
            tuple(schema["$defs"][name]["properties"]),
            tuple(schema["$defs"][name]["required"]),
        )
        for name in block_names(schema)
    )


def block_names(schema: dict[str, Any]) -> list[str]:
    """What `type` says in each kind of block; the schema calls its part so too."""
    blocks = schema["$defs"]["block"]["oneOf"]
    return [block["$ref"].removeprefix("#/$defs/") for block in blocks]


def type_word(schema: dict[str, Any], value: dict[str, Any]) -> str:
    """A finding's word for a type: that of the schema, or all the words where it names no type."""
    for reference in (value, *value.get("allOf", ())):
        if "$ref" in reference:
            return type_word(schema, schema["$defs"][reference["$ref"].removeprefix("#/$defs/")])
    return str(value["type"]) if "type" in value else " or ".join(value["enum"])


def suggestions(words: dict[str, Any], roles: tuple[str, ...]) -> dict[str, str]:
    """The role that each word suggests: first the roles themselves, spelt otherwise."""
    found = {role.lower(): role for role in roles}
    for role, others in words["suggestions"].items():
        for word in others:
            if role not in roles or word in found or word in words["furniture"]:
                raise ValueError(f"the word {word!r} for {role} is there already, or for no role")
            found[word] = role
    return dict(sorted(found.items()))
