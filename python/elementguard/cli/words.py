"""Command line: an element in one line.

Comes in: an element of a loaded answer. Goes out: its role, id and title. What the provider chose
is escaped, cut, and stands between quotation marks, so that nothing of it can look like what is
ours in the line.
"""

from __future__ import annotations

from elementguard._escape import escaped, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from elementguard._element import Element

_WORD = 40  # characters of a role that is none, or of a subrole


def named(element: Element, most: int) -> str:
    """Role, id and title; of the title no more than that many characters."""
    words = [element.role]
    if element.id is not None:
        words.append(f"#{quoted(element.id)}")
    if element.title is not None:
        words.append(marked(element.title, most))
    return " ".join(words)


def own_words(element: Element) -> list[str]:
    """What the provider calls it besides."""
    sent, subrole = element.role_as_sent, element.subrole
    told = [] if sent in (None, element.role) else [f"sent as {marked(str(sent), _WORD)}"]
    return told if subrole is None else [*told, f"subrole {marked(subrole, _WORD)}"]


def marked(text: str, most: int) -> str:
    """A text between quotation marks, cut and escaped."""
    shown = text if len(text) <= most else f"{text[: most - 3]}..."
    told = shown.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped(told)}"'
