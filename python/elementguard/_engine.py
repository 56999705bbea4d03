"""Facade: which engine runs.

Comes in: the environment variable `ELEMENTGUARD_ENGINE`. Goes out: `core`, the module of the
engine, and `name`. Both engines have the interface that is written down here as `Engine`, `Checker`
and `Outcome`; the rest of the facade knows no more of them.

Choosing happens once, at import, so that a forced engine that is missing is seen at once and not
with the first answer. `auto` takes the pure engine only where the compiled one is *absent*. One
that is there and cannot be loaded (another platform's wheel, a missing library) is a fault to be
seen: falling back would hide it as mere slowness.

Python imports the package before it runs a line of the command line. So it is here that the command
`elementguard` ends in its exit code 2, where a traceback would end in 1: findings.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, ClassVar, Protocol

    from typing_extensions import Buffer

    from elementguard._element import Element

    # number of the rule, offset, pointer, id of the element, the rule's parameters in its card's
    # order
    Row = tuple[int, int | None, str, str | None, tuple[object, ...]]

    class Outcome(Protocol):
        """What an engine says of one answer. Immutable; holds no source."""

        @property
        def ok(self) -> bool: ...
        @property
        def fatal(self) -> bool: ...
        @property
        def truncated(self) -> bool: ...
        def counts(self) -> list[tuple[int, int]]: ...
        def findings(self) -> list[Row]: ...
        def summary(self) -> tuple[object, ...] | None: ...

    class Index(Protocol):
        """Where the elements of one answer stand. Immutable once it is settled."""

        HANDLE: ClassVar[type]  # what the class of elements is a subclass of

        def settle(self, source: bytes, kind: type[Element], whole: object, /) -> None: ...
        @property
        def source(self) -> bytes: ...
        @property
        def whole(self) -> Any: ...  # as it was settled
        def __len__(self) -> int: ...
        # columns as `_layout` says; None where a row has no such number
        def cell(self, row: int, column: int, /) -> int | None: ...
        def column(self, column: int, /) -> list[int | None]: ...
        def marked(self, bit: int, /) -> list[int]: ...
        def find(self, name: object, /) -> int | None: ...
        def get(self, name: object, /) -> Element | None: ...
        def at(self, row: int, /) -> Element: ...
        def children(self, row: int, /) -> tuple[Element, ...]: ...
        def walk(self) -> Iterator[Element]: ...
        def near(self, rows: list[int], /) -> Iterator[list[int]]: ...

    class Reading(Protocol):
        """An engine's `Stream`: an answer that comes in chunks."""

        @property
        def failed(self) -> bool: ...
        @property
        def fatal(self) -> bool: ...
        def feed(self, chunk: Buffer, /) -> bool: ...
        def finish(self) -> Outcome: ...

    class Asking(Protocol):
        """An engine's `Checker`, set up with limits, levels and kind that the facade checked.

        It may have `answer` and `report` of its own: see `_validator`.
        """

        def check(self, data: object, /) -> Outcome: ...
        def is_valid(self, data: object, /) -> bool: ...
        def load(
            self, data: object, /, *, faulty: bool = False
        ) -> tuple[Outcome, Index | None]: ...
        def stream(self) -> Reading: ...
        def check_chunks(
            self, chunks: Iterable[Buffer], length: int | None = None, /
        ) -> Outcome: ...
        def sift(
            self, block: bytes, start: int = 0, end: int | None = None, /
        ) -> tuple[int, int, list[tuple[int, int, int]]]: ...

    class Engine(Protocol):
        """A module: `elementguard._core` or `elementguard._python`."""

        @property
        def NAME(self) -> str: ...  # noqa: N802 -- a module's constant
        @property
        def Checker(self) -> Callable[[tuple[object, ...], bytes, str], Asking]: ...  # noqa: N802 -- a class


VARIABLE = "ELEMENTGUARD_ENGINE"
COMPILED = "elementguard._core"


def load(name: str) -> Engine:
    """The engine of that name, whether or not it is the one that runs.

    Args:
        name: `"rust"` or `"python"`.

    Returns:
        The engine's module.

    Raises:
        ImportError: it is not installed (a `ModuleNotFoundError`), or cannot be loaded.
    """
    if name == "rust":
        import elementguard._core as compiled

        return compiled
    import elementguard._python as pure

    return pure


def choose(wanted: str) -> Engine:
    """The engine that the environment asks for.

    Args:
        wanted: the variable's value; empty means `auto`.

    Returns:
        The engine's module.

    Raises:
        ValueError: the value is none of `rust`, `python`, `auto`.
        ImportError: the engine that was asked for is not there, or one that is there is broken.
    """
    if wanted not in ("", "auto", "rust", "python"):
        raise ValueError(f"{VARIABLE}: 'rust', 'python' or 'auto' is needed, not {wanted!r}")
    if wanted == "python":
        return load("python")
    try:
        return load("rust")
    except ModuleNotFoundError as error:
        if error.name != COMPILED:
            raise
        if wanted == "rust":
            raise ImportError(_how_to_get_it(), name=COMPILED) from error
    return load("python")


def _how_to_get_it() -> str:
    return (
        f"{VARIABLE}=rust, but the compiled engine ({COMPILED}) is not installed. Install a wheel"
        " that was built for this platform (pip install --force-reinstall --only-binary=:all:"
        " elementguard), build it from the sources (pip install . with a Rust toolchain), or set"
        f" {VARIABLE}=python."
    )


def _at_import() -> Engine:
    try:
        return choose(os.environ.get(VARIABLE, ""))
    except Exception as error:
        if not _is_command():
            raise
        print(f"elementguard: {error}", file=sys.stderr)  # noqa: T201 -- the command line's, see above
        raise SystemExit(2) from None


def _is_command() -> bool:
    """Whether the process is the command `elementguard`, or `python -m elementguard`."""
    from pathlib import Path

    started = sys.argv[0] if sys.argv else ""
    if started == "-m":  # as it is until the module has been found
        return sys.orig_argv[-len(sys.argv)] in ("elementguard", "-melementguard")
    return Path(started).stem == "elementguard"


core = _at_import()
name: str = core.NAME
