"""Room: what goes for which rule when a broken answer is saved.

In: nothing. Out: `TABLE`, a row for each rule of the catalogue: what goes, and the same in words
for `docs/salvage.md`, which a test holds against it.
"""

from __future__ import annotations

# What goes. `VALUE` is the member or item that holds the place; where the specification or MCP
# needs it, what needs it goes instead (`salvage_plan.Plan.value`).
CANNOT = "cannot"
VALUE = "value"
OBJECT = "object"
ELEMENT = "element"
SUBTREE = "subtree"
BLOCK = "block"
FOCUS = "focus"
LATER = "later"
APPLICATION = "application"
GROUP = "group"
EXCESS = "excess"
NOTHING = "nothing"

_WORDS = {
    CANNOT: "nothing can be saved",
    VALUE: "the member or item",
    OBJECT: "the object that lacks it",
    ELEMENT: "the element; its children stand in its place",
    SUBTREE: "the element and all below it",
    BLOCK: "the content block",
    FOCUS: "`focused`, here and on all below",
    LATER: "of `text` and `blob` the later",
    APPLICATION: "the role: `Application` is written",
    GROUP: "the role: `Group` is written, as a receiver reads it",
    NOTHING: "nothing: it compares answers",
}

TABLE: dict[str, tuple[str, str]] = {
    "limit-bytes": (EXCESS, "what an excerpt of that size leaves out"),
    "json-encoding": (CANNOT, ""),
    "json-syntax": (CANNOT, ""),
    "json-truncated": (CANNOT, ""),
    "limit-nesting": (EXCESS, "each object or array that is too deep"),
    "limit-elements": (EXCESS, "in document order, each element behind the last allowed"),
    "limit-depth": (EXCESS, "each element that is too deep, and all below it"),
    "lone-surrogate": (VALUE, ""),
    "duplicate-member": (VALUE, "the later member"),
    "wrong-type": (VALUE, ""),
    "null-member": (VALUE, ""),
    "missing-member": (OBJECT, ""),
    "unknown-member": (VALUE, ""),
    "unsupported-protocol": (CANNOT, ""),
    "empty-instance": (CANNOT, ""),
    "malformed-id": (ELEMENT, ""),
    "duplicate-id": (ELEMENT, "the later element; its children stand in its place"),
    "root-not-application": (APPLICATION, ""),
    "nested-application": (ELEMENT, ""),
    "unknown-role": (GROUP, ""),
    "furniture-role": (ELEMENT, ""),
    "multiline-title": (VALUE, ""),
    "blank-title": (VALUE, ""),
    "control-characters": (VALUE, ""),
    "malformed-uri": (VALUE, ""),
    "script-uri": (VALUE, ""),
    "false-state": (VALUE, ""),
    "redundant-visible": (VALUE, ""),
    "focused-siblings": (FOCUS, "the later `focused`, and all below it"),
    "focus-gap": (FOCUS, ""),
    "hovered-ancestor": (VALUE, ""),
    "many-hovered": (VALUE, "the later `hovered`"),
    "misplaced-state": (VALUE, ""),
    "empty-children": (VALUE, ""),
    "empty-content": (VALUE, ""),
    "unknown-block-type": (BLOCK, ""),
    "malformed-base64": (VALUE, ""),
    "loose-base64": (VALUE, ""),
    "malformed-media-type": (VALUE, ""),
    "wrong-media-type": (VALUE, ""),
    "invalid-annotations": (VALUE, ""),
    "text-and-blob": (LATER, ""),
    "text-without-text-block": (VALUE, ""),
    "no-image-or-link": (VALUE, ""),
    "irregular-table": (SUBTREE, ""),
    "incomplete-related": (VALUE, ""),
    "dangling-related": (OBJECT, "the entry of `related`"),
    "imprecise-number": (VALUE, ""),
    "limit-children": (EXCESS, "the children behind the last allowed"),
    "limit-blocks": (EXCESS, "the blocks behind the last allowed"),
    "limit-subtree-bytes": (
        EXCESS,
        "its last children until it fits; if none is left, the element",
    ),
    "limit-subtree-elements": (EXCESS, "the same"),
    "limit-content-bytes": (EXCESS, "the last blocks until it fits"),
    "limit-attributes-bytes": (EXCESS, "the last attributes until they fit"),
    "limit-title": (VALUE, ""),
    "limit-media-type": (BLOCK, ""),
    "limit-image-edge": (BLOCK, ""),
    "reassigned-id": (NOTHING, ""),
    "changed-instance": (NOTHING, ""),
}


def words(code: str) -> str:
    """What goes for a rule, as the documentation says it."""
    what, own = TABLE[code]
    return own or _WORDS[what]
