"""Reads the rule cards.

In: `python/elementguard/rules/<code>.md`, the only home of a rule. Out: `Card`, one each, in the
catalogue's order. A card is front matter (`key: value` lines between two lines of `---`) and prose
under fixed headings. Front matter is no YAML: a value is the rest of its line, without quotes, so
that thirty lines of standard library read it anywhere.

    code        the rule's name, and the file's
    number      its place in the catalogue: findings at one offset are ordered by it
    level       error, warning or note, as it is by default
    fatal       true: the work ends with this finding, and it stands alone
    movable     false: a user can neither switch the rule off nor move its level
    section     of the specification, or of an RFC
    fix         none, safe, unsafe, or which of them for what
    parameters  the names of a finding's parameters, in order
    summary     when the rule speaks, in one line
    message     one line: what is wrong, what was seen, what to do; `{parameter}` is its value
    message when PARAMETER is VALUE
                instead where that holds (`absent`: no value, `empty`: ""); the first that fits
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

CARDS = Path(__file__).parent.parent / "python" / "elementguard" / "rules"
HEADINGS = (
    "What it says",
    "Why it matters to a host",
    "How to fix it",
    "Example",
    "Near miss",
)
KEYS = (
    "code",
    "number",
    "level",
    "fatal",
    "movable",
    "section",
    "fix",
    "parameters",
    "summary",
    "message",
)
ODD_VALUES = {"absent": None, "empty": ""}
BOOLEANS = {"true": True, "false": False}


@dataclass(frozen=True)
class Variant:
    """A message for one value of one parameter; value None: for null."""

    parameter: str
    value: str | None
    message: str


@dataclass(frozen=True)
class Card:
    """A rule's front matter, and its prose by heading."""

    code: str
    number: int
    level: str
    fatal: bool
    movable: bool
    section: str
    fix: str
    parameters: tuple[str, ...]
    summary: str
    message: str
    variants: tuple[Variant, ...]
    prose: dict[str, str]

    @property
    def name(self) -> str:
        """The code as a constant is called: `focus-gap` is `FocusGap`."""
        return "".join(word.capitalize() for word in self.code.split("-"))


def load() -> list[Card]:
    """All cards in the catalogue's order."""
    cards = sorted((parse(path.read_text("utf-8")) for path in CARDS.glob("*.md")), key=number)
    if [card.number for card in cards] != list(range(len(cards))):
        raise ValueError("the cards' numbers must be 0, 1, 2 …, each once")
    return cards


def number(card: Card) -> int:
    """Where a card stands in the catalogue."""
    return card.number


def parse(text: str) -> Card:
    """One card's text, read."""
    _, head, body = text.split("---\n", 2)
    pairs = dict(pair(line) for line in head.splitlines())
    return Card(
        code=pairs["code"],
        number=int(pairs["number"]),
        level=pairs["level"],
        fatal=BOOLEANS[pairs["fatal"]],
        movable=BOOLEANS[pairs["movable"]],
        section=pairs["section"],
        fix=pairs["fix"],
        parameters=tuple(name for name in pairs["parameters"].split(", ") if name),
        summary=pairs["summary"],
        message=pairs["message"],
        variants=tuple(variant(key, pairs[key]) for key in pairs if key not in KEYS),
        prose=sections(body),
    )


def pair(line: str) -> tuple[str, str]:
    """`key: value`, taken apart."""
    key, _, value = line.partition(":")
    return key, value.strip()


def variant(key: str, message: str) -> Variant:
    """`message when PARAMETER is VALUE`, taken apart."""
    first, when, parameter, verb, *value = key.split(" ")
    if (first, when, verb) != ("message", "when", "is"):
        raise ValueError(f"front matter has no key {key!r}")
    word = " ".join(value)
    return Variant(parameter, ODD_VALUES.get(word, word), message)


def sections(body: str) -> dict[str, str]:
    """The prose below each heading."""
    found: dict[str, list[str]] = {}
    heading = ""
    for line in body.splitlines():
        if line.startswith("## "):
            heading = line.removeprefix("## ")
        elif heading:
            found.setdefault(heading, []).append(line)
    return {name: "\n".join(lines).strip() for name, lines in found.items()}
