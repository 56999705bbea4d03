"""Benches, the hand check: what a careful host author would write without elementguard.

In comes an answer as a parser gave it, out comes yes or no. It asks for what breaks a host: ids,
roles, focus as one path, one hovered element, what each block must have, base64. It says neither
where nor why, and leaves out most of what elementguard finds (sizes, limits, types of optional
members, repeated names, addresses, pictures' headers). No recursion: an explicit stack is quicker
and cannot be overrun. Written to be quick: it is what a host would have to beat.
"""

import binascii
import re
from typing import Any

ROLES = frozenset(
    (
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
    )
)
IS_ID = re.compile(r"[A-Za-z0-9_-]{1,128}").fullmatch
REQUIRED = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "resource_link": ("uri", "name"),
    "resource": (),
}


def is_valid(answer: Any) -> bool:
    """Whether an answer would not break a host."""
    try:
        root = answer["root"]
        sound = isinstance(answer["protocol"], str) and isinstance(answer["instance"], str)
        return sound and root["role"] == "Application" and is_valid_tree(root)
    except (KeyError, TypeError, AttributeError, ValueError):
        return False


def is_valid_tree(root: dict[str, Any]) -> bool:
    """The rules of the tree, and of each element in it."""
    ids: set[str] = set()
    hovered = 0
    # Elements to come, each with whether a focused child may be in it: below the root, only if it
    # is focused itself.
    waiting: list[tuple[dict[str, Any], bool]] = [(root, True)]
    while waiting:
        element, on_the_path = waiting.pop()
        name = element["id"]
        if not IS_ID(name) or name in ids or element["role"] not in ROLES:
            return False
        ids.add(name)
        if element.get("hovered"):
            hovered += 1
        if "content" in element and not all(map(is_valid_block, element["content"])):
            return False
        if "children" in element:
            focused = 0
            for child in element["children"]:
                here = child.get("focused", False)
                focused += here
                waiting.append((child, here))
                if child["role"] == "Application":
                    return False
            if focused > on_the_path:
                return False
    return hovered <= 1


def is_valid_block(block: dict[str, Any]) -> bool:
    """A block has what its type asks for, and base64 where base64 is due."""
    for member in REQUIRED[block["type"]]:
        if not isinstance(block[member], str):
            return False
    if "data" in block:
        return is_base64(block["data"])
    if block["type"] == "resource":
        resource = block["resource"]
        return "uri" in resource and ("text" in resource or is_base64(resource["blob"]))
    return True


def is_base64(text: str) -> bool:
    """Python's own decoder decides; it raises a ValueError."""
    binascii.a2b_base64(text, strict_mode=True)
    return True
