"""Facade: the answers on a rule's page.

Comes in: the text below a card's heading. Goes out: `Example`, which can be checked as it stands.
The fence's line says how: ```` ```json kind=element limits=blocks:1 ````; `hex` holds bytes that no
text can, and `jsonl` the answers of one provider, one after the other.
"""

from __future__ import annotations

from elementguard._limits import NAMES, Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

_FENCE = "```"


class Example:
    """An answer on a rule's page. Made by `Rule.examples`.

    Attributes:
        answers: the bytes; more than one only for the rules between answers.
        kind: `"answer"` or `"element"`.
        limits: the limits it is checked with.
    """

    __slots__ = ("answers", "kind", "limits")

    def __init__(
        self, answers: tuple[bytes, ...], kind: Literal["answer", "element"], limits: Limits
    ) -> None:
        self.answers, self.kind, self.limits = answers, kind, limits

    def __repr__(self) -> str:
        return f"<Example: {self.answers[0].decode('utf-8', 'backslashreplace')!r}>"


def read(text: str) -> Example:
    """The example in this piece of a page."""
    _, _, rest = text.partition(_FENCE)
    fence, _, block = rest.partition("\n")
    language, *options = fence.split()
    body = block.partition(f"\n{_FENCE}")[0]
    settings = dict(option.split("=", 1) for option in options)
    kind: Literal["answer", "element"] = (
        "element" if settings.get("kind") == "element" else "answer"
    )
    return Example(_answers(language, body), kind, _limits(settings.get("limits", "")))


def _answers(language: str, body: str) -> tuple[bytes, ...]:
    if language == "hex":
        return (bytes.fromhex(body),)
    if language == "jsonl":
        return tuple(line.encode() for line in body.splitlines())
    return (body.encode(),)


def _limits(text: str) -> Limits:
    """`blocks:1` as limits; a page sets no more than one."""
    name, colon, word = text.partition(":")
    return limits_from({name: word} if colon else {})


def limits_from(words: dict[str, str], base: Limits | None = None) -> Limits:
    """Limits given as words: an integer, `none`, or media types between commas.

    Raises:
        ValueError: there is no limit of a name, or the word is no integer of 0 or more.
    """
    changes: dict[str, int | list[str] | None] = {}
    for name, word in words.items():
        if name not in NAMES:
            raise ValueError(f"{name}: no such limit; there are {', '.join(NAMES)}")
        changes[name] = _limit(name, word)
    return (base or Limits()).replace(**changes)


def _limit(name: str, word: str) -> int | list[str] | None:
    if word.lower() == "none":
        return None
    if name == "media_types":
        return [part for part in word.split(",") if part]
    digits = word.replace("_", "")
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError(f"{name}: an integer of 0 or more, or 'none', is needed, not {word!r}")
    return int(digits)
