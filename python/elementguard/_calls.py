"""Facade: the calls without a `Validator`.

Comes in: an answer in any of its forms, and options. Goes out: what the validator's method of the
same name gives.

`check`, `is_valid` and `load` are what hosts call on every message. An engine may have them as
functions of its own, which then take the places of those here: to enter a function of Python costs
as much as to check a few elements. Validators of calls with options are kept in a small table, and
what asks the engine for them is kept with the limits.
"""

from __future__ import annotations

from elementguard import _engine
from elementguard._arguments import checked_kind, checked_limits
from elementguard._errors import ValidationError
from elementguard._validator import Validator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from os import PathLike

    from typing_extensions import Buffer

    from elementguard._answer import Answer
    from elementguard._engine import Engine
    from elementguard._files import Readable
    from elementguard._fix import Fixed
    from elementguard._limits import Limits
    from elementguard._report import Report
    from elementguard._salvage import Salvage
    from elementguard._validator import Kind

_REMEMBERED = 32  # validators of calls with options; a host that needs more makes its own


def check(data: object, *, limits: Limits | None = None, kind: Kind = "answer") -> Report:
    """Check an answer. Never raises for what is wrong with it.

    Args:
        data: `bytes`, `bytearray`, `memoryview` (contiguous, of bytes), `mmap` or `str` (the answer
            itself, never a file's name: `check_file` takes those); anything else is taken for a
            parsed object (dicts, lists, strings, numbers, booleans, `None`, and other mappings).
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
    return _validator(limits, kind).is_valid(data)


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


def load(
    data: object,
    *,
    limits: Limits | None = None,
    kind: Kind = "answer",
    provider: str | None = None,
) -> Answer:
    """Check an answer, and keep it with an index of its elements: what a host works with.

    Args:
        data: as `check` takes it. What can change is copied; a parsed object is kept as its compact
            JSON.
        limits: as `check` takes them.
        kind: as `check` takes it.
        provider: who sent it, for the full names of elements.

    Returns:
        The answer, over bytes of its own; its `report` may have warnings and notes.

    Raises:
        ValidationError: the answer has an error; it holds the report.
        TypeError: as of `check`; the provider is no `str`; or the data only gives an answer, as
            files, streams and iterators do.
        ValueError: as of `check`.

    Section:
        Elements 0.2.0, all of section 5.

    Example:
        >>> import elementguard as eg
        >>> answer = eg.load({"id": "n-7", "role": "Group", "title": "Frame"}, kind="element")
        >>> answer["n-7"].title
        'Frame'
    """
    return _validator(limits, kind).load(data, provider=provider)


def salvage(data: object, *, limits: Limits | None = None, kind: Kind = "answer") -> Salvage:
    """What is good of a broken answer, and what was taken out of it.

    What goes for which rule is a fixed table: `docs/salvage.md`.

    Args:
        data: the answer as `check` takes it. A parsed object is saved as its compact JSON; what
            JSON has no type for goes as any value of a wrong type does, and is told.
        limits: as `check` takes them; what is too much for them goes as well.
        kind: as `check` takes it.

    Returns:
        A valid answer, and every change. Of a valid one its bytes as they are.

    Raises:
        SalvageError: something needed would have to be invented: it is not JSON, or has no protocol
            of version 0.2, no instance, no root object, or no usable id for the root.
        TypeError: an argument is of the wrong type, or a stream or a file.
        ValueError: the kind is neither, a memoryview is not contiguous or released, or an mmap is
            closed.

    Section:
        Elements 0.2.0, all of section 5.

    Example:
        >>> import elementguard as eg
        >>> broken = '{"id":"a","role":"List","children":[{"id":"b","role":"Row"},{"id":"b"}]}'
        >>> saved = eg.salvage(broken, kind="element")
        >>> saved.data
        b'{"id":"a","role":"List","children":[{"id":"b","role":"Row"}]}'
        >>> saved.removed
        (<Removal removed /children/1 (missing-member): 1 element, 0 blocks>,)
    """
    return _validator(limits, kind).salvage(data)


def fix(
    data: object, *, unsafe: bool = False, limits: Limits | None = None, kind: Kind = "answer"
) -> Fixed:
    """An answer with its faults mended, as far as the catalogue's fixes go.

    Only the bytes concerned are written. `RULES[code].fix` says which rules have a fix.

    Args:
        data: the answer as `check` takes it; a parsed object as its compact JSON.
        unsafe: whether fixes are made too that guess what was meant.
        limits: as `check` takes them.
        kind: as `check` takes it.

    Returns:
        The answer, every fix, and the report of what is left. What is not JSON, or too much for a
        limit that ends a check, comes back as it is.

    Raises:
        TypeError: an argument is of the wrong type, or a stream or a file; or a parsed object holds
            what JSON has no type for.
        ValueError: the kind is neither, a memoryview is not contiguous or released, or an mmap is
            closed.

    Section:
        Elements 0.2.0, all of section 5.

    Example:
        >>> import elementguard as eg
        >>> faulty = '{"id": "n 7", "role": "Row", "selected": false}'
        >>> eg.fix(faulty, kind="element").data
        b'{"id": "n 7", "role": "Row"}'
        >>> eg.fix(faulty, unsafe=True, kind="element").data
        b'{"id": "n-7", "role": "Row"}'
    """
    return _validator(limits, kind).fix(data, unsafe=unsafe)


def check_file(
    path: str | bytes | PathLike[str] | PathLike[bytes],
    *,
    limits: Limits | None = None,
    kind: Kind = "answer",
) -> Report:
    """Check an answer in a file. It is read in pieces, however large it is, and never mapped.

    Args:
        path: the file's name. A regular file longer than `limits.bytes` is refused without reading
            it; a pipe is read as it comes.
        limits: as `check` takes them.
        kind: as `check` takes it.

    Returns:
        The report.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: the kind is neither.
        OSError: the file cannot be opened or read.

    Section:
        Elements 0.2.0, all of section 5.

    Example:
        >>> import tempfile
        >>> import elementguard as eg
        >>> with tempfile.NamedTemporaryFile() as file:
        ...     written = file.write(b'{"protocol": "0.2.0"}')
        ...     file.flush()
        ...     eg.check_file(file.name).ok, eg.check_file(file.name, limits=eg.Limits(bytes=9)).ok
        (False, False)
    """
    return _validator(limits, kind).check_file(path)


def check_lines(
    source: str | PathLike[str] | Readable | Iterable[Buffer],
    *,
    limits: Limits | None = None,
    kind: Kind = "answer",
) -> Iterator[tuple[int, Report]]:
    r"""Check answers that stand one on a line (NDJSON).

    A line feed ends a line, with a carriage return before it or not; the last line needs none. What
    is wrong with one line is no matter to the next.

    Args:
        source: a file's name (it is opened when the first report is asked for), a file that was
            opened in binary mode, or an iterable of bytes-likes that may be cut anywhere.
        limits: as `check` takes them. A line longer than `limits.bytes` is passed over without
            being held, behind its `limit-bytes`.
        kind: as `check` takes it.

    Returns:
        One pair after the other, as the lines come: the line's number, from 1, and its report, with
        offsets from the line's start. Blank lines are passed over.

    Raises:
        TypeError: an argument is of the wrong type; later: a chunk is not of bytes.
        ValueError: the kind is neither; later: a chunk is not contiguous, or released.
        OSError: later: the file cannot be opened or read.

    Section:
        Elements 0.2.0, all of section 5.

    Example:
        >>> import io
        >>> import elementguard as eg
        >>> file = io.BytesIO(b'{"protocol": "0.3.0"}\r\n\r\n[')
        >>> for number, report in eg.check_lines(file):
        ...     print(number, report.findings[0].code, report.findings[0].offset)
        1 missing-member 0
        3 json-truncated 1
    """
    return _validator(limits, kind).check_lines(source)


def use(core: Engine) -> None:
    """Let the calls without a `Validator` use this engine from now on: for tests."""
    import elementguard

    _engine.core = core
    _remembered.clear()
    vars(elementguard).update(_bound())


def _validator(limits: Limits | None, kind: Kind) -> Validator:
    """The validator for a call's options."""
    key = (checked_limits(limits), checked_kind(kind))
    found = _remembered.get(key)
    if found is None:
        found = Validator(limits=limits, kind=kind)
        if len(_remembered) >= _REMEMBERED:
            _remembered.clear()
        _remembered[key] = found
    # The engine's own calls look there, and come here if they find nothing.
    key[0]._checkers[key[1]] = found._checker  # noqa: SLF001 -- kept with limits for this alone
    return found


def _bound() -> dict[str, Callable[..., object]]:
    """The calls that the engine may have itself, as they are to be called."""
    calls, core = PLAIN.copy(), _engine.core
    if core.NAME == "rust":
        calls = {name: getattr(core, name) for name in PLAIN}
    for call in calls.values():
        call.__module__ = __name__  # where a pickle finds it, whichever engine runs there
    globals().update(calls)
    return calls


_remembered: dict[tuple[Limits, str], Validator] = {}
PLAIN: dict[str, Callable[..., object]] = {"check": check, "is_valid": is_valid, "load": load}
"""The same with all options: the engine's own leave to them what they do not know."""

_bound()
