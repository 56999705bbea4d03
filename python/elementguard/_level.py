"""Facade: how much a finding weighs.

Comes in: nothing. Goes out: `Level`, the word that findings, rules and the command line use.
The numbers are the engines' own (0 off, 1 note, 2 warning, 3 error): `Level.rank` is that number,
so a comparison of ranks says which of two levels is the graver; the words compare as words.
"""

from __future__ import annotations

from enum import StrEnum


class Level(StrEnum):
    """What a finding means for the reader of an answer.

    A `Level` is a `str`: `finding.level == "error"` holds, and JSON writes the word.

    - `ERROR`: a host cannot rely on the answer; `report.ok` is false.
    - `WARNING`: the provider broke a rule of sending, but the meaning is plain.
    - `NOTE`: advice.
    - `OFF`: the rule is not asked (only in `rules=`; no finding has it).

    Section:
        Elements 0.2.0, all of section 5.

    Example:
        >>> from elementguard import Level
        >>> Level("warning") is Level.WARNING, Level.WARNING == "warning"
        (True, True)
        >>> max(Level.NOTE, Level.ERROR, Level.WARNING, key=lambda level: level.rank)
        <Level.ERROR: 'error'>
    """

    OFF = "off"
    NOTE = "note"
    WARNING = "warning"
    ERROR = "error"

    @property
    def rank(self) -> int:
        """0 (off) to 3 (error): the graver level has the higher rank."""
        return _RANK[self]


# A level's number is its place here: the engines speak in these numbers.
LEVELS = (Level.OFF, Level.NOTE, Level.WARNING, Level.ERROR)
_RANK = {level: rank for rank, level in enumerate(LEVELS)}
