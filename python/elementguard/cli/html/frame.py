"""Command line: the frame of all pages.

Comes in: which page it is, its title, its data. Goes out: HTML in ASCII, in two parts, so that data
may be written between them piece by piece. The policy names the script and the style by their
hashes; whoever changes a byte of them gets a page that does nothing.

The command line knows all formats from its start, so what only a page needs is imported here late.
"""

from __future__ import annotations

from typing import NamedTuple

_SHARED = ("dom", "head")
_ROWS = (*_SHARED, "outline", "rows", "search", "details")
_SCRIPTS = {
    "tree": (*_ROWS, "tree"),
    "sizes": (*_SHARED, "outline", "details", "icicle", "sizes"),
    "findings": (*_ROWS, "findings"),
}
_STYLES = {
    "tree": ("style", "rows", "details"),
    "sizes": ("style", "details", "icicle"),
    "findings": ("style", "rows", "details"),
}


class Frame(NamedTuple):
    """What stands around the data."""

    before: str
    behind: str


def frame(page: str, title: str) -> Frame:
    """The frame of a page: `tree`, `sizes` or `findings`.

    Args:
        page: which.
        title: of the window; already fit for text.
    """
    from html import escape

    script = "(() => {\n" + _pieces(_SCRIPTS[page], "js") + "})();\n"
    style = _pieces(_STYLES[page], "css")
    html = _read("frame.html").replace("{policy}", _policy(script, style))
    html = html.replace("{title}", escape(title).encode("ascii", "xmlcharrefreplace").decode())
    before, behind = html.replace("{style}", style).replace("{script}", script).split("{data}")
    return Frame(before, behind)


def _pieces(names: tuple[str, ...], ending: str) -> str:
    strict = '"use strict";\n' if ending == "js" else ""
    return strict + "\n".join(_read(f"{name}.{ending}") for name in names)


def _policy(script: str, style: str) -> str:
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {_hash(script)}",
            f"style-src {_hash(style)}",
            "base-uri 'none'",
            "form-action 'none'",
            "trusted-types 'none'",
            "require-trusted-types-for 'script'",
        )
    )


def _hash(text: str) -> str:
    from base64 import b64encode
    from hashlib import sha256

    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _read(name: str) -> str:
    from importlib.resources import files

    return (files("elementguard.cli.html") / "parts" / name).read_text("utf-8")
