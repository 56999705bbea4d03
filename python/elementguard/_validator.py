# ruff: noqa: SLF001 -- a Validator that is over a given engine is set up here
"""Facade: what a host asks of answers, set up once.

Comes in: limits, levels and kind; then answers in any of their forms. Goes out: a `Report`, a yes
or no, or a `ValidationError`. Arguments are checked here, before any work; the engine behind is
given numbers alone. What reads files and lines is imported when it is first asked for.
"""

from __future__ import annotations

from functools import partial
from types import MappingProxyType

from elementguard import _engine
from elementguard._arguments import NO_LIMITS, checked_kind, checked_limits
from elementguard._catalogue import CATALOGUE
from elementguard._errors import ValidationError
from elementguard._level import LEVELS, Level
from elementguard._report import filled
from elementguard._rules import DEFAULT_LEVELS, levels_with
from elementguard._stream import Stream, drained_async

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Callable, Iterable, Iterator, Mapping
    from os import PathLike
    from typing import Literal, Never

    from typing_extensions import Buffer

    from elementguard._answer import Answer
    from elementguard._engine import Asking, Engine, Outcome
    from elementguard._files import Readable
    from elementguard._fix import Fixed
    from elementguard._limits import Limits
    from elementguard._report import Report
    from elementguard._salvage import Salvage

    Kind = Literal["answer", "element"]


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

    __slots__ = (
        *("_answer", "_check", "_checker", "_core", "_is_valid", "_levels"),
        *("kind", "limits"),
    )

    _answer: Callable[[bytes, str | None], Answer] | None
    _check: Callable[[object], Report]
    _checker: Asking
    _core: Engine
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
        limits, kind = checked_limits(given), checked_kind(given_kind)
        levels = DEFAULT_LEVELS if rules is None else levels_with(rules)
        checker = core.Checker(limits._values, levels, kind)
        store = object.__setattr__
        store(self, "limits", limits)
        store(self, "kind", kind)
        store(self, "_levels", levels)
        store(self, "_checker", checker)
        store(self, "_core", core)
        store(self, "_is_valid", checker.is_valid)
        # An engine may fill answers and reports itself: there it costs a part of what it does here.
        report = getattr(checker, "report", None) or partial(_report, checker.check, levels)
        store(self, "_answer", getattr(checker, "answer", None))
        store(self, "_check", report)

    @property
    def rules(self) -> Mapping[str, Level]:
        """The levels of the rules that are moved, by code. Read-only."""
        rows = zip(CATALOGUE, self._levels, DEFAULT_LEVELS, strict=True)
        moved = {row[0]: LEVELS[rank] for row, rank, default in rows if rank != default}
        return MappingProxyType(moved)

    def check(self, data: object) -> Report:
        """Check an answer. Never raises for what is wrong with it.

        Args:
            data: as `eg.check` takes it.

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
        return self._check(data)

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

    def load(self, data: object, *, provider: str | None = None) -> Answer:
        """Check an answer, and keep it with an index of its elements: see `eg.load`.

        Args:
            data: as `check` takes it; what can change is copied.
            provider: who sent it, for the full names of elements.

        Returns:
            The answer, over bytes of its own.

        Raises:
            ValidationError: the answer has an error.
            TypeError, ValueError: as of `eg.load`.

        Section:
            Elements 0.2.0, all of section 5.

        Example:
            >>> Validator(kind="element").load({"id": "n-7", "role": "Group"})["n-7"].visible
            True
        """
        if self._answer and type(data) is bytes and (provider is None or type(provider) is str):
            return self._answer(data, provider)
        from elementguard._load import loaded

        return loaded(self, data, provider)

    def salvage(self, data: object) -> Salvage:
        """What is good of a broken answer, and what was taken out of it: see `eg.salvage`.

        Args:
            data: the answer as `check` takes it.

        Returns:
            A valid answer, and every change.

        Raises:
            SalvageError: something needed would have to be invented.
            TypeError, ValueError: as of `eg.salvage`.

        Section:
            Elements 0.2.0, all of section 5.

        Example:
            >>> Validator(kind="element").salvage('{"id": "n", "role": "Group", "url": 7}').data
            b'{"id": "n", "role": "Group"}'
        """
        from elementguard._salvage import salvage

        return salvage(self, data)

    def fix(self, data: object, *, unsafe: bool = False) -> Fixed:
        """An answer with its faults mended, as far as fixes go: see `eg.fix`.

        Args:
            data: the answer as `check` takes it.
            unsafe: whether fixes are made too that guess what was meant.

        Returns:
            The answer, every fix, and the report of what is left.

        Raises:
            TypeError, ValueError: as of `eg.fix`.

        Section:
            Elements 0.2.0, all of section 5.

        Example:
            >>> Validator(kind="element").fix('{"id": "n", "role": "Row", "url": null}').data
            b'{"id": "n", "role": "Row"}'
        """
        from elementguard._fix import fix

        return fix(self, data, unsafe=unsafe)

    def stream(self) -> Stream:
        """Begin to read an answer that comes in chunks, from wherever they come.

        Returns:
            The stream: feed it, then finish it.

        Section:
            Elements 0.2.0, all of section 5.

        Example:
            >>> from elementguard import Validator
            >>> stream = Validator(kind="element").stream()
            >>> for chunk in (b'{"id": "n-7", ', b'"role": "Group"}'):
            ...     assert stream.feed(chunk)
            >>> stream.finish().ok
            True
        """
        return Stream(self._checker.stream(), self._levels)

    def check_chunks(self, chunks: Iterable[Buffer]) -> Report:
        """Check an answer in chunks.

        Args:
            chunks: bytes-likes of any sizes; behind a fatal error no more are taken.

        Returns:
            The report, the same as of all of them in one buffer.

        Raises:
            TypeError: it is no iterable, or a chunk is not of bytes.
            ValueError: a chunk is not contiguous, or released.
            Exception: whatever the iterable raises.

        Section:
            Elements 0.2.0, all of section 5.

        Example:
            >>> from elementguard import Validator
            >>> validator = Validator(kind="element")
            >>> validator.check_chunks([b'{"id": "n-7", ', b'"role": "Group"}']).ok
            True
        """
        return filled(self._checker.check_chunks(chunks), self._levels)

    async def check_async_chunks(self, chunks: AsyncIterable[Buffer]) -> Report:
        """Check an answer in chunks that are waited for.

        Args:
            chunks: bytes-likes of any sizes; behind a fatal error no more are waited for, and it is
                the caller's to close what gives them.

        Returns:
            The report, the same as of all of them in one buffer.

        Raises:
            TypeError: it is no asynchronous iterable, or a chunk is not of bytes.
            ValueError: a chunk is not contiguous, or released.
            Exception: whatever the iterable raises.

        Section:
            Elements 0.2.0, all of section 5.

        Example:
            >>> import asyncio
            >>> from elementguard import Validator
            >>> async def received():
            ...     for chunk in (b'{"id": "n-7", ', b'"role": "Group"}'):
            ...         yield chunk
            >>> asyncio.run(Validator(kind="element").check_async_chunks(received())).ok
            True
        """
        return await drained_async(self.stream(), chunks)

    def check_file(self, path: str | bytes | PathLike[str] | PathLike[bytes]) -> Report:
        """Check an answer in a file, read in pieces and never mapped: see `eg.check_file`.

        Args:
            path: the file's name.

        Returns:
            The report.

        Raises:
            TypeError: it is no name.
            OSError: the file cannot be opened or read.

        Section:
            Elements 0.2.0, all of section 5.

        Example:
            >>> import tempfile
            >>> from elementguard import Validator
            >>> with tempfile.NamedTemporaryFile() as file:
            ...     written = file.write(b'{"id": "n-7", "role": "Group"}')
            ...     file.flush()
            ...     Validator(kind="element").check_file(file.name).ok
            True
        """
        from elementguard._files import check_path

        return check_path(self, path)

    def check_lines(
        self, source: str | PathLike[str] | Readable | Iterable[Buffer]
    ) -> Iterator[tuple[int, Report]]:
        r"""Check answers that stand one on a line (NDJSON): see `eg.check_lines`.

        Args:
            source: a file's name (it is opened when the first report is asked for), a file that was
                opened in binary mode, or an iterable of bytes-likes that may be cut anywhere.

        Returns:
            One pair after the other, as the lines come: the line's number, from 1, and its report,
            with offsets from the line's start.

        Raises:
            TypeError: the source is none of these; later: a chunk is not of bytes.
            ValueError: later: a chunk is not contiguous, or released.
            OSError: later: the file cannot be opened or read.

        Section:
            Elements 0.2.0, all of section 5.

        Example:
            >>> from elementguard import Validator
            >>> source = [b'{"id": "a", "role": "Group"}\n\n{"id"\n{"id"', b': "b", "role": 1}']
            >>> for number, report in Validator(kind="element").check_lines(source):
            ...     print(number, dict(report.counts))
            1 {}
            3 {'json-truncated': 1}
            4 {'wrong-type': 1}
        """
        from elementguard._lines import check_source

        return check_source(self, source)

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
        if self.limits != NO_LIMITS:
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


def _report(check: Callable[[object], Outcome], levels: bytes, data: object) -> Report:
    return filled(check(data), levels)


def _restore(limits: Limits, rules: dict[str, str], kind: Kind) -> Validator:
    return Validator(limits=limits, rules=rules, kind=kind)
