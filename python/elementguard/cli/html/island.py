"""Command line: data that stands in a page.

Comes in: JSON types. Goes out: JSON in ASCII that is safe between `<script>` and `</script>`: no
character in it can end the element, begin a comment or a reference, so no parser sees markup.
"""

from __future__ import annotations

from elementguard._escape import escaped
from elementguard._json import dumps

_MARKUP = str.maketrans({character: f"\\u{ord(character):04x}" for character in "<>&"})


def island(value: object) -> str:
    """The value as JSON for a page."""
    return dumps(value).translate(_MARKUP)


def cut(text: str, most: int) -> str:
    """A text of an answer for a page: no more than that many characters of it, escaped."""
    return escaped(_short(text, most))


def cut_lines(text: str, most: int) -> str:
    """The same, but its lines stay lines."""
    lines = _short(text, most).replace("\r\n", "\n").expandtabs(4).split("\n")
    return "\n".join(map(escaped, lines))


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 3]}..."
