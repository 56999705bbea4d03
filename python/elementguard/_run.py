# ruff: noqa: SLF001 -- a validator and a report are asked by their parts
"""Facade: the answers of one provider, one after another.

Comes in: answers. Goes out: for each its report, with what only a run can see: an id that now names
another thing (`reassigned-id`), and a provider that has started anew (`changed-instance`); and
figures. Section 5.4; contract, the end of section 2.

Of an answer its well-formed ids are kept, each by its first use, with the words of its role and
subrole: of words over 64 characters these and a digest. What has been unseen for longest stands
first in the dict, and is forgotten first.
"""

from __future__ import annotations

import re
import threading
from collections import deque
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple, cast

from elementguard._answer import made
from elementguard._escape import QUOTED_CHARACTERS, quoted
from elementguard._layout import END, ID, ROLE, START
from elementguard._load import is_text, taken
from elementguard._members import members, text_at
from elementguard._report import restored
from elementguard._rules import NUMBERS
from elementguard._validator import Validator

if TYPE_CHECKING:
    from collections.abc import Mapping

    from elementguard._answer import Answer
    from elementguard._engine import Row
    from elementguard._level import Level
    from elementguard._limits import Limits
    from elementguard._report import Report

    Kind = tuple[str | None, str | None]  # role and subrole as they are kept

_REASSIGNED, _CHANGED = NUMBERS["reassigned-id"], NUMBERS["changed-instance"]
_ERROR = 3
_WELL_FORMED = re.compile(r"[A-Za-z0-9_-]{1,128}")
_NEVER = (-1, (None, None))


class Observation(NamedTuple):
    """What one answer of a run amounts to.

    Attributes:
        instance: the provider's instance.
        ok: whether its report has no error, the run's own counted.
        bytes: its length in bytes.
        elements: how many elements it has.
        new: ids that the run had not seen in this instance, or has forgotten.
        kept: ids that the answer before had too.
        returned: ids that an earlier answer had, but not the one before.
        gone: ids that the answer before had, and this one has not.

    Section:
        Elements 0.2.0, 5.4.
    """

    instance: str
    ok: bool
    bytes: int
    elements: int
    new: int
    kept: int
    returned: int
    gone: int


class Run:
    """The answers of one provider, one after another. Safe to share between threads; picklable.

    Memory is bounded: an id takes some 250 bytes, 700 at most, so the default of a million ids some
    250 MB at most; an `Observation` some 200 bytes. The answers themselves are not kept. In Python
    alone, reading the words of an element takes some microseconds.

    Args:
        provider: who sends the answers; for whoever reads the run, it decides nothing.
        limits: as `Validator` takes them.
        rules: as `Validator` takes them; `reassigned-id` and `changed-instance` may be moved too.
        max_ids: how many ids are kept; beyond that those unseen for longest are forgotten.
        max_observations: how many observations `history` keeps.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: a number is negative, or as of `Validator`.

    Section:
        Elements 0.2.0, 5.4.

    Example:
        >>> import elementguard as eg
        >>> def answer(role):
        ...     child = {"id": "x-3", "role": role}
        ...     root = {"id": "app", "role": "Application", "children": [child]}
        ...     return {"protocol": "0.2.0", "instance": "k3f9x2", "root": root}
        >>> run = eg.Run(provider="notes")
        >>> run.observe(answer("Row")).ok, run.observe(answer("Document")).ok
        (True, False)
        >>> run.history[-1].kept
        2
    """

    __slots__ = (
        "_history",
        "_ids",
        "_instance",
        "_last",
        "_lock",
        "_turn",
        "_validator",
        "max_ids",
        "provider",
    )

    def __init__(
        self,
        *,
        provider: str | None = None,
        limits: Limits | None = None,
        rules: Mapping[str, Level | str] | None = None,
        max_ids: int = 1_000_000,
        max_observations: int = 1_000,
    ) -> None:
        if provider is not None and not isinstance(provider, str):
            raise TypeError(f"provider: a str or None is needed, not {type(provider).__name__}")
        self.provider = provider
        self.max_ids = _count("max_ids", max_ids)
        self._validator = Validator(limits=limits, rules=rules)
        self._history: deque[Observation] = deque(
            maxlen=_count("max_observations", max_observations)
        )
        self._ids: dict[str, tuple[int, Kind]] = {}
        self._instance: str | None = None
        self._turn = 0
        self._last = 0
        self._lock = threading.Lock()

    @property
    def instance(self) -> str | None:
        """The instance of the last answer that counted."""
        return self._instance

    @property
    def history(self) -> tuple[Observation, ...]:
        """What the answers amounted to, the last one last; of the oldest only so many are kept."""
        with self._lock:
            return tuple(self._history)

    def __len__(self) -> int:
        """How many ids are kept."""
        return len(self._ids)

    def __bool__(self) -> bool:
        return True

    def observe(self, data: object) -> Report:
        """Check the next answer, alone and against those before.

        An answer with a fatal finding, or without an instance, counts for nothing in the run.

        Args:
            data: as `load` takes it.

        Returns:
            The report, with the findings of the run among the others. In parsed objects that hold
            values of no JSON type these stand behind all others.

        Raises:
            TypeError: as of `load`.
            ValueError: as of `load`.

        Section:
            Elements 0.2.0, 5.4 and all else of section 5.

        Example:
            >>> import elementguard as eg
            >>> run = eg.Run()
            >>> root = {"id": "app", "role": "Application"}
            >>> for instance in ("a", "a", "b"):
            ...     answer = {"protocol": "0.2.0", "instance": instance, "root": root}
            ...     print(dict(run.observe(answer).counts))
            {}
            {}
            {'changed-instance': 1}
        """
        report, source, index = taken(self._validator, data, faulty=True)
        summary = report.summary
        if index is None or summary is None or not summary.instance:
            return report
        answer = made(source, index, report, self._validator.kind, self.provider)
        kinds = _kinds(answer)
        with self._lock:
            rows, figures = self._compare(answer, kinds, summary.instance)
            report = self._with(answer, rows, is_parsed=not is_text(data))
            told = (summary.instance, report.ok, summary.bytes, summary.elements)
            self._history.append(Observation(*told, *figures))
        return report

    def _compare(
        self, answer: Answer, kinds: dict[str, tuple[int, Kind]], instance: str
    ) -> tuple[list[Row], tuple[int, int, int, int]]:
        """What the answer's ids are to the run, which knows them from now on."""
        rows: list[Row] = []
        if self._instance is not None and self._instance != instance:
            rows.append((_CHANGED, _instance_at(answer), "/instance", None, ()))
            self._ids.clear()
            self._last = 0
        self._instance = instance
        before, self._turn = self._turn, self._turn + 1
        new = kept = 0
        for name, (number, kind) in kinds.items():
            turn, was = self._ids.pop(name, _NEVER)
            new += turn < 0
            kept += turn == before
            if turn >= 0 and was != kind:
                rows.append(_reassigned(answer, number, name, was, kind))
            self._ids[name] = (self._turn, kind)
        gone, self._last = self._last - kept, len(kinds)
        for name in list(self._ids)[: max(0, len(self._ids) - self.max_ids)]:
            del self._ids[name]
        return rows, (new, kept, len(kinds) - new - kept, gone)

    def _with(self, answer: Answer, rows: list[Row], *, is_parsed: bool) -> Report:
        """The report with the run's own findings in it."""
        report, levels = answer.report, answer.report._levels
        rows = [row for row in rows if levels[row[0]]]
        if not rows:
            return report
        outcome, most = report._outcome, self._validator.limits.findings
        counts = dict(outcome.counts())
        for row in rows:
            counts[row[0]] = counts.get(row[0], 0) + 1
        found = outcome.findings()
        if is_parsed:
            # In its compact JSON findings have places. If not all are found there, they cannot be
            # put in order among these.
            placed = self._validator._checker.check(answer._index.source)
            found = placed.findings() if placed.counts() == outcome.counts() else found
        found += rows
        if all(row[1] is not None for row in found):
            found.sort(key=lambda row: (cast("int", row[1]), row[0]))
        if is_parsed:
            found = [(row[0], None, row[2], row[3], row[4]) for row in found]
        found = found[:most]
        is_ok = outcome.ok and all(levels[row[0]] != _ERROR for row in rows)
        is_cut = len(found) < sum(counts.values())
        content = (is_ok, False, is_cut, sorted(counts.items()), outcome.summary(), found)
        return restored(content, levels)

    def __repr__(self) -> str:
        return f"<Run of {self.provider!r}: {len(self)} ids>"

    def __getstate__(self) -> dict[str, object]:
        with self._lock:
            state = {name: getattr(self, name) for name in self.__slots__ if name != "_lock"}
            return {**state, "_ids": dict(self._ids), "_history": self._history.copy()}

    def __setstate__(self, state: dict[str, object]) -> None:
        for name, value in state.items():
            setattr(self, name, value)
        self._lock = threading.Lock()


def _count(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name}: an integer is needed, not {type(value).__name__}")
    if value < 0:
        raise ValueError(f"{name}: 0 or more is needed, not {value}")
    return value


def _kinds(answer: Answer) -> dict[str, tuple[int, Kind]]:
    """The well-formed ids of an answer, each with its first use and what it names there."""
    index, source = answer._index, answer._index.source
    found: dict[str, tuple[int, Kind]] = {}
    shared: dict[Kind, Kind] = {}
    places = ((place, number) for number, place in enumerate(index.column(ID)) if place is not None)
    for place, number in sorted(places):
        name = text_at(source, place)
        if name in found or not _WELL_FORMED.fullmatch(name):
            continue
        role_at = index.cell(number, ROLE)
        role = None if role_at is None else _kept(text_at(source, role_at))
        kind = (role, _subrole(answer, number))
        found[name] = number, shared.setdefault(kind, kind)
    return found


def _subrole(answer: Answer, number: int) -> str | None:
    found = answer._index.at(number).subrole
    return None if found is None else _kept(found)


def _kept(word: str) -> str:
    """A word as it is kept: what is quoted of it, and of a longer one a digest."""
    if len(word) <= QUOTED_CHARACTERS:
        return word
    digest = blake2b(word.encode(errors="surrogatepass"), digest_size=16).hexdigest()
    return word[:QUOTED_CHARACTERS] + digest


def _reassigned(answer: Answer, number: int, name: str, was: Kind, now: Kind) -> Row:
    place = answer._index.cell(number, ID)
    pointer = answer._index.at(number).pointer + "/id"
    words = (was[0], now[0], was[1], now[1])
    shown = (None if word is None else quoted(word) for word in words)
    return _REASSIGNED, place, pointer, name, (quoted(name), *shown)


def _instance_at(answer: Answer) -> int:
    """Where the value of `instance` stands."""
    index, source = answer._index, answer._index.source

    def skip(_name: str, start: int) -> int | None:
        is_root = len(index) > 0 and start == index.cell(0, START)
        return (index.cell(0, END) or 0) - 1 if is_root else None

    spans = members(source, source.index(b"{"), skip)
    return next(start for name, (start, _) in spans if name == "instance")
