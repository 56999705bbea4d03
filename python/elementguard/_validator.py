# ruff: noqa: SLF001 -- Report and Validator are filled here, attribute by attribute: see below
"""Facade: the calls.

Comes in: an answer in any of its forms, and what a host asks of it. Goes out: a `Report`, a yes or
no, or a `ValidationError`. Arguments are checked here, before any work; the engine behind is given
numbers alone.

Calls without options are what hosts do on every message. They share one validator that is set up at
import, and from the caller to the engine there is one Python function: `check` fills the report's
two references itself, because a constructor, or a method of the shared validator, would be a second
and third. Calls with options keep the validators they make in a small table.
"""

from __future__ import annotations

from types import MappingProxyType

from elementguard import _engine
from elementguard._catalogue import CATALOGUE
from elementguard._errors import ValidationError
from elementguard._level import LEVELS, Level
from elementguard._limits import Limits
from elementguard._report import Report
from elementguard._rules import DEFAULT_LEVELS, levels_with

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Literal, Never

    from elementguard._engine import Engine, Outcome

    Kind = Literal["answer", "element"]

_KINDS = ("answer", "element")
_NO_LIMITS = Limits()
_REMEMBERED = 32  # validators of calls with options; a host that needs more makes its own


class Validator:
    """What to ask of answers, set up once. Immutable, picklable, and safe to share between threads.

    A copy that is unpickled elsewhere uses the engine that runs there.

    Args:
        limits: how large an answer may be; `Limits()` unless said.
        rules: levels by code for rules that are to be moved, such as `{"unknown-role": "off"}`. The
            fatal rules, `duplicate-member` and `lone-surrogate` cannot be moved.
        kind: `"answer"`, or `"element"` for a single element as the specification prints one.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: no rule has a code, a level is none, a rule cannot be moved, or the kind is
            neither.

    Section:
        Elements 0.2.0, all of section 5; limits 5.7.

    Example:
        >>> from elementguard import Limits, Validator
        >>> validator = Validator(limits=Limits(depth=8), rules={"false-state": "error"})
        >>> validator
        Validator(limits=Limits(depth=8), rules={'false-state': 'error'})
        >>> validator.check({"protocol": "0.2.0", "instance": "k3f9", "root": None}).ok
        False
    """

    __slots__ = ("_check", "_is_valid", "_levels", "kind", "limits")

    _check: Callable[[object], Outcome]
    _is_valid: Callable[[object], bool]
    _levels: bytes
    limits: Limits
    kind: str

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        rules: Mapping[str, Level | str] | None = None,
        kind: Kind = "answer",
    ) -> None:
        self._set_up(_engine.core, limits, rules, kind)

    def _set_up(self, core: Engine, given: object, rules: object, given_kind: object) -> None:
        limits, kind = _checked_limits(given), _checked_kind(given_kind)
        levels = DEFAULT_LEVELS if rules is None else levels_with(rules)
        checker = core.Checker(limits._values, levels, kind)
        store = object.__setattr__
        store(self, "limits", limits)
        store(self, "kind", kind)
        store(self, "_levels", levels)
        store(self, "_check", checker.check)
        store(self, "_is_valid", checker.is_valid)

    @property
    def rules(self) -> Mapping[str, Level]:
        """The levels of the rules that are moved, by code. Read-only."""
        rows = zip(CATALOGUE, self._levels, DEFAULT_LEVELS, strict=True)
        return MappingProxyType(
            {row[0]: LEVELS[rank] for row, rank, default in rows if rank != default}
        )

    def check(self, data: object) -> Report:
        """Check an answer. Never raises for what is wrong with it.

        Args:
            data: `bytes`, `bytearray`, `memoryview` (contiguous, of bytes), `mmap` or `str`;
                anything else is taken for a parsed object (dicts, lists, strings, numbers,
                booleans, `None`, and other mappings).

        Returns:
            The report.

        Raises:
            TypeError: a memoryview is not of bytes.
            ValueError: a memoryview is not contiguous or released, or an mmap is closed.

        Section:
            Elements 0.2.0, all of section 5.

        Example:
            >>> from elementguard import Validator
            >>> Validator().check(b'{"protocol": "0.2.0"}').counts["missing-member"]
            2
        """
        report = Report()
        report._outcome = self._check(data)
        report._levels = self._levels
        return report

    def is_valid(self, data: object) -> bool:
        """Whether an answer has no error. Stops at the first; nothing is gathered.

        Args:
            data: as `check` takes it.

        Returns:
            What `check(data).ok` would be.

        Raises:
            TypeError: as of `check`.
            ValueError: as of `check`.

        Section:
            Elements 0.2.0, all of section 5.

        Example:
            >>> from elementguard import Validator
            >>> Validator(kind="element").is_valid({"id": "n-7", "role": "Group"})
            True
        """
        return self._is_valid(data)

    def validate(self, data: object) -> Report:
        """Check an answer, and raise if it has an error.

        Args:
            data: as `check` takes it.

        Returns:
            The report, which may have warnings and notes.

        Raises:
            ValidationError: the answer has an error; it holds the report.
            TypeError: as of `check`.
            ValueError: as of `check`.

        Section:
            Elements 0.2.0, all of section 5.

        Example:
            >>> from elementguard import Validator
            >>> Validator(kind="element").validate({"id": "n-7", "role": "Group"}).findings
            ()
        """
        report = self.check(data)
        if not report.ok:
            raise ValidationError(report)
        return report

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError("a Validator is immutable: make another")

    def __delattr__(self, name: str) -> Never:
        raise AttributeError("a Validator is immutable: make another")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Validator):
            return NotImplemented
        return self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())

    def _content(self) -> tuple[Limits, bytes, str]:
        return self.limits, self._levels, self.kind

    def __repr__(self) -> str:
        told = []
        if self.limits != _NO_LIMITS:
            told.append(f"limits={self.limits!r}")
        if self._levels != DEFAULT_LEVELS:
            told.append(f"rules={ {code: str(level) for code, level in self.rules.items()} }")
        if self.kind != "answer":
            told.append(f"kind={self.kind!r}")
        return f"Validator({', '.join(told)})"

    def __reduce__(self) -> tuple[object, ...]:
        rules = {code: str(level) for code, level in self.rules.items()}
        return _restore, (self.limits, rules, self.kind)


def over(
    core: Engine,
    *,
    limits: Limits | None = None,
    rules: Mapping[str, Level | str] | None = None,
    kind: Kind = "answer",
) -> Validator:
    """A validator over a given engine: what `selftest` and the tests compare the engines with."""
    validator = object.__new__(Validator)
    validator._set_up(core, limits, rules, kind)
    return validator


def check(data: object, *, limits: Limits | None = None, kind: Kind = "answer") -> Report:
    """Check an answer. Never raises for what is wrong with it.

    Args:
        data: `bytes`, `bytearray`, `memoryview` (contiguous, of bytes), `mmap` or `str`; anything
            else is taken for a parsed object (dicts, lists, strings, numbers, booleans, `None`, and
            other mappings).
        limits: how large the answer may be; `Limits()` unless said.
        kind: `"answer"`, or `"element"` for a single element as the specification prints one.

    Returns:
        The report. To move rules to other levels, make a `Validator`.

    Raises:
        TypeError: an argument is of the wrong type, or a memoryview is not of bytes.
        ValueError: the kind is neither, a memoryview is not contiguous or released, or an mmap is
            closed.

    Section:
        Elements 0.2.0, all of section 5.

    Example:
        >>> import elementguard as eg
        >>> report = eg.check(b'{"protocol": "0.2.0", "instance": "k3f9", "root": {"id": "app"}}')
        >>> report.ok, [(finding.code, finding.pointer) for finding in report.findings]
        (False, [('missing-member', '/root')])
    """
    if limits is None and kind == "answer":
        report = Report()
        report._outcome = _check(data)
        report._levels = DEFAULT_LEVELS
        return report
    return _validator(limits, kind).check(data)


def is_valid(data: object, *, limits: Limits | None = None, kind: Kind = "answer") -> bool:
    """Whether an answer has no error. Stops at the first; nothing is gathered.

    Args:
        data: as `check` takes it.
        limits: as `check` takes them.
        kind: as `check` takes it.

    Returns:
        What `check(data, ...).ok` would be.

    Raises:
        TypeError: as of `check`.
        ValueError: as of `check`.

    Section:
        Elements 0.2.0, all of section 5.

    Example:
        >>> import elementguard as eg
        >>> eg.is_valid({"id": "n-7", "role": "Group"}, kind="element"), eg.is_valid(b"{}")
        (True, False)
    """
    if limits is None and kind == "answer":
        return _is_valid(data)
    return _validator(limits, kind)._is_valid(data)


def validate(data: object, *, limits: Limits | None = None, kind: Kind = "answer") -> Report:
    """Check an answer, and raise if it has an error.

    Args:
        data: as `check` takes it.
        limits: as `check` takes them.
        kind: as `check` takes it.

    Returns:
        The report, which may have warnings and notes.

    Raises:
        ValidationError: the answer has an error; it holds the report.
        TypeError: as of `check`.
        ValueError: as of `check`.

    Section:
        Elements 0.2.0, all of section 5.

    Example:
        >>> import elementguard as eg
        >>> eg.validate({"id": "n-7", "role": "Group"}, kind="element").summary.elements
        1
        >>> eg.validate(b"{}")
        Traceback (most recent call last):
        elementguard._errors.ValidationError: 3 errors, the first: ...
    """
    report = check(data, limits=limits, kind=kind)
    if not report.ok:
        raise ValidationError(report)
    return report


def use(core: Engine) -> None:
    """Let the calls without a `Validator` use this engine: at import, and in tests."""
    global _check, _is_valid
    _engine.core = core
    _remembered.clear()
    shared = Validator()
    _check, _is_valid = shared._check, shared._is_valid


def _validator(limits: Limits | None, kind: Kind) -> Validator:
    """The validator for a call's options."""
    key = (_checked_limits(limits), _checked_kind(kind))
    found = _remembered.get(key)
    if found is None:
        found = Validator(limits=limits, kind=kind)
        if len(_remembered) >= _REMEMBERED:
            _remembered.clear()
        _remembered[key] = found
    return found


def _checked_limits(limits: object) -> Limits:
    if limits is None:
        return _NO_LIMITS
    if not isinstance(limits, Limits):
        raise TypeError(f"limits: Limits or None is needed, not {type(limits).__name__}")
    return limits


def _checked_kind(kind: object) -> str:
    if not isinstance(kind, str):
        raise TypeError(f"kind: 'answer' or 'element' is needed, not {type(kind).__name__}")
    if kind not in _KINDS:
        raise ValueError(f"kind: 'answer' or 'element' is needed, not {kind!r}")
    return str(kind)


def _restore(limits: Limits, rules: dict[str, str], kind: Kind) -> Validator:
    return Validator(limits=limits, rules=rules, kind=kind)


_check: Callable[[object], Outcome]
_is_valid: Callable[[object], bool]
_remembered: dict[tuple[Limits, str], Validator] = {}
use(_engine.core)
