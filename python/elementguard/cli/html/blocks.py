"""Command line: content blocks on a page.

Comes in: an element's decoded content. Goes out: of the first blocks their type, what a person
wants to know of them in a few words, and the beginning of their text. Of pictures and sounds only
what they are and how large: a page shows none.

In an answer with errors anything may stand in a block; what is no text counts as absent.
"""

from __future__ import annotations

from elementguard.cli.html.island import cut, cut_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_BLOCKS = 8  # of an element
_TEXT, _WORDS = 400, 200  # characters


def told_blocks(content: list[dict[str, object]]) -> tuple[list[list[str]], int]:
    """The first blocks, and how many more there are."""
    told = [_told(block) for block in content[:_BLOCKS]]
    return told, len(content) - len(told)


def _told(block: Mapping[str, object]) -> list[str]:
    inner = block.get("resource")
    resource: Mapping[str, object] = inner if isinstance(inner, dict) else {}
    text = _word(block, "text") or _word(resource, "text")
    facts = [
        _word(block, "name"),
        _word(block, "uri") or _word(resource, "uri"),
        _word(block, "mimeType") or _word(resource, "mimeType"),
        _size("of base64", _word(block, "data") or _word(resource, "blob")),
        _size("of text", text),
    ]
    about = ", ".join(filter(None, facts))
    return [cut(_word(block, "type") or "untyped", 64), cut(about, _WORDS), cut_lines(text, _TEXT)]


def _word(of: Mapping[str, object], name: str) -> str:
    value = of.get(name)
    return value if isinstance(value, str) else ""


def _size(of: str, text: str) -> str:
    count = len(text.encode("utf-8", "surrogatepass"))
    return f"{count:,} bytes {of}" if text else ""
