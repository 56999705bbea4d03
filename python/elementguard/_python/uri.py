"""Room: what an address looks like.

In: a whole text. Out: whether it is an absolute address at all, and whether opening it runs code.
Contract: `malformed-uri`, `script-uri`.
"""

from __future__ import annotations

import re

from elementguard._python.text import WHITE

_START = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]+:.", re.DOTALL)
_STRAY = re.compile(rf'[\0-\x1f\x7f-\x9f{WHITE}<>"{{}}|\\^`]|%(?![0-9A-Fa-f]{{2}})')
_LEADING = re.compile(r"[\0- ]*")
_DROPPED = str.maketrans("", "", "\t\n\r")
_SCRIPTS = frozenset({"javascript", "vbscript"})
_EMBEDDED_IMAGE = "image/"


def is_malformed(text: str) -> bool:
    """Whether the text is no absolute address (RFC 3986, with the letters of RFC 3987)."""
    return _START.match(text) is None or _STRAY.search(text) is not None


def is_script(text: str, *, icon: bool) -> bool:
    """Whether a browser that opens the address runs or embeds code.

    A browser skips controls and blanks in front, and drops tabs and line ends anywhere.
    """
    start = _LEADING.match(text)
    begin = start.end() if start else 0  # mutants: there is one, but mypy cannot know
    seen = text[begin:].translate(_DROPPED)
    scheme, colon, rest = seen.partition(":")
    if not colon or not scheme.isascii():
        return False
    scheme = scheme.lower()
    if scheme == "data":
        return not (icon and rest[: len(_EMBEDDED_IMAGE)].lower() == _EMBEDDED_IMAGE)
    return scheme in _SCRIPTS
