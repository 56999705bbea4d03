"""Docstrings as the site's reference wants them: an extension of griffe, its reader of sources.

In: our docstrings, whose sections `Example` and `Section` are none of Google's. Out: the same with
`Examples`, so that doctests become code, and with the section of the specification as a sentence.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"^Example:$", re.MULTILINE)
SECTION = re.compile(r"^Section:\n((?:    .*\n?)+)", re.MULTILINE)


class Docstrings(griffe.Extension):
    """Turns each docstring as it is read."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Griffe's call for each module, class, function and attribute."""
        if obj.docstring:
            obj.docstring.value = turned(obj.docstring.value)


def turned(text: str) -> str:
    """A docstring in Google's sections."""
    return SECTION.sub(specification, EXAMPLE.sub("Examples:", text))


def specification(found: re.Match[str]) -> str:
    """The section of the specification in a sentence."""
    words = " ".join(found[1].split())
    return f"Section of the specification: {words}\n"
