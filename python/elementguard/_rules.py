"""Facade: what each rule is.

Comes in: the generated catalogue, and a card's page when somebody asks for its prose. Goes out:
`RULES`. The catalogue is a tuple of constants and comes with the import; the sixty pages are read
one by one, when asked.
"""

from __future__ import annotations

from collections.abc import Mapping

from elementguard._catalogue import CATALOGUE
from elementguard._level import LEVELS, Level

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from elementguard._examples import Example

# A name and not an address: the pages ship with the package (`elementguard rule CODE`) and have no
# home of their own.
_URL = "urn:elementguard:rule:"

# Rules that the engines know by number: a report's rows carry the number alone.
NUMBERS = {row[0]: number for number, row in enumerate(CATALOGUE)}
DEFAULT_LEVELS = bytes(Level(row[1]).rank for row in CATALOGUE)


class Rule:
    """One rule of the catalogue. Made by `RULES`, never by hand.

    Attributes:
        code: its stable name, such as `"focus-gap"`.
        level: its `Level`, unless a user moves it.
        section: where the specification (or which RFC) says it.
        fatal: the work ends with such a finding, and it stands alone.
        movable: a user may switch it off or move it to another level.
        parameters: the names of a finding's parameters.
        summary: when it speaks, in one line.
        fixable: `"none"`, `"safe"` (the meaning is kept), `"unsafe"`, or which of them for what.
        url: the rule's page, as a name.

    Section:
        The rule's own, `section`.

    Example:
        >>> from elementguard import RULES
        >>> rule = RULES["focus-gap"]
        >>> rule.level, rule.section, rule.parameters
        (<Level.ERROR: 'error'>, '5.3', ('other',))
    """

    __slots__ = (
        "code",
        "fatal",
        "fixable",
        "level",
        "movable",
        "number",
        "parameters",
        "section",
        "summary",
        "url",
    )

    def __init__(self, number: int) -> None:
        row = CATALOGUE[number]
        self.number = number
        self.code, self.level = row[0], Level(row[1])
        self.fatal, self.movable = row[2], row[3]
        self.section, self.fixable, self.parameters, self.summary = row[4:8]
        self.url = _URL + self.code

    @property
    def page(self) -> str:
        """The rule's whole page: Markdown, without its front matter."""
        from importlib.resources import files

        text = (files("elementguard") / "rules" / f"{self.code}.md").read_text("utf-8")
        return text.split("---\n", 2)[2].strip() + "\n"

    @property
    def explanation(self) -> str:
        """What the rule says and why it matters to a host."""
        sections = _sections(self.page)
        return f"{sections['What it says']}\n\n{sections['Why it matters to a host']}"

    @property
    def fix(self) -> str:
        """How to mend it."""
        return _sections(self.page)["How to fix it"]

    @property
    def examples(self) -> tuple[Example, Example]:
        """An answer that has exactly this finding, and a near miss that has none."""
        from elementguard._examples import read

        sections = _sections(self.page)
        return read(sections["Example"]), read(sections["Near miss"])

    def __repr__(self) -> str:
        return f"<Rule {self.code} ({self.level})>"

    def __reduce__(self) -> tuple[object, ...]:
        return _rule, (self.code,)


class _Rules(Mapping[str, Rule]):
    """All rules by code, in the catalogue's order; an unknown code's error names the nearest."""

    __slots__ = ("_made",)

    def __init__(self) -> None:
        self._made: dict[str, Rule] = {}

    def __getitem__(self, code: str) -> Rule:
        rule = self._made.get(code)
        if rule is None:
            if code not in NUMBERS:
                raise KeyError(unknown(code))
            # Two threads may both make one: they are equal, and the first stays.
            rule = self._made.setdefault(code, Rule(NUMBERS[code]))
        return rule

    def __iter__(self) -> Iterator[str]:
        return iter(NUMBERS)

    def __len__(self) -> int:
        return len(NUMBERS)

    def __repr__(self) -> str:
        return f"<RULES: {len(self)} rules, from {CATALOGUE[0][0]} to {CATALOGUE[-1][0]}>"


RULES: Mapping[str, Rule] = _Rules()
"""All rules by code, in the catalogue's order; an unknown code's `KeyError` names the nearest."""


def unknown(code: object) -> str:
    """What to say of a code that no rule has."""
    from difflib import get_close_matches

    near = get_close_matches(str(code).lower().replace("_", "-"), NUMBERS, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else "elementguard.RULES lists them all"
    return f"there is no rule {code!r}; {hint}"


def levels_with(moved: object) -> bytes:
    """The levels of all rules, by number, some of them moved.

    Raises:
        TypeError: it is no mapping of `str` to `Level` or its word.
        ValueError: no rule has the code, the word is no level, or the rule cannot be moved.
    """
    if not isinstance(moved, Mapping):
        kind = type(moved).__name__
        raise TypeError(f"rules: a mapping of codes to levels is needed, not {kind}")
    levels = bytearray(DEFAULT_LEVELS)
    for code, word in moved.items():
        number, rank = _number(code), _rank(code, word)
        if rank != levels[number] and not CATALOGUE[number][3]:
            raise ValueError(f"rules: {code!r} cannot be moved: without it no verdict holds")
        levels[number] = rank
    return bytes(levels)


def _number(code: object) -> int:
    if not isinstance(code, str):
        raise TypeError(f"rules: a code is a string, not {type(code).__name__}")
    if code not in NUMBERS:
        raise ValueError(f"rules: {unknown(code)}")
    return NUMBERS[code]


def _rank(code: str, word: object) -> int:
    if not isinstance(word, str):
        raise TypeError(f"rules: the level of {code!r} is a string, not {type(word).__name__}")
    if word not in LEVELS:
        raise ValueError(
            f"rules: the level of {code!r} is 'off', 'note', 'warning' or 'error', not {word!r}"
        )
    return Level(word).rank


def _sections(page: str) -> dict[str, str]:
    """The page's text below each of its headings."""
    heads_and_texts = (part.split("\n", 1) for part in f"\n{page}".split("\n## ")[1:])
    return {head.strip(): text.strip() for head, text in heads_and_texts}


def _rule(code: str) -> Rule:
    return RULES[code]
