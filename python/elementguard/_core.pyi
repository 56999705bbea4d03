"""The compiled engine: the core crate, bound to Python.

What users see is the facade; this is what it stands on, and `elementguard._python` has the same
names. Comes in: settings as numbers, checked by the facade, and answers in any of their forms. Goes
out: verdicts as numbers and tuples, in the order that is written down here. A rule's number is its
place in the catalogue; levels are 0 off, 1 note, 2 warning, 3 error.
"""

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Final, final

from typing_extensions import Buffer, disjoint_base

from elementguard._answer import Answer
from elementguard._element import Element
from elementguard._limits import Limits
from elementguard._report import Report
from elementguard._validator import Kind

__all__ = [
    "KERNEL",
    "NAME",
    "Checker",
    "Handle",
    "Index",
    "Outcome",
    "Stream",
    "check",
    "is_valid",
    "load",
]

NAME: Final[str]
"""The engine's name: `"rust"`."""

KERNEL: Final[str]
"""Which vectors it looks with; the variable `ELEMENTGUARD_KERNEL` forces one."""

def check(data: object, *, limits: Limits | None = None, kind: Kind = "answer") -> Report:
    """`elementguard.check`."""

def is_valid(data: object, *, limits: Limits | None = None, kind: Kind = "answer") -> bool:
    """`elementguard.is_valid`."""

def load(
    data: object,
    *,
    limits: Limits | None = None,
    kind: Kind = "answer",
    provider: str | None = None,
) -> Answer:
    """`elementguard.load`."""

@final
class Checker:
    """An engine that is set up. Immutable, and safe to share between threads.

    Args:
        limits: for each limit its number, or None for no limit: bytes, nesting, elements, depth,
            findings, children, blocks, subtree_bytes, subtree_elements, content_bytes,
            attributes_bytes, title_characters, image_edge; last the media types as a tuple of
            strings, or None. Numbers of more than 63 bits count as the largest of 63.
        levels: one byte a rule, 0 to 3, by the rule's number; the run's two rules included.
        kind: `"answer"`, or `"element"` for a single element.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: an argument has the wrong length, a level is none, or the kind is neither.
        OverflowError: a limit is negative.

    Section:
        Elements 0.2.0, all of section 5; limits 5.7.

    Example:
        >>> from elementguard import Limits, _core
        >>> from elementguard._rules import DEFAULT_LEVELS
        >>> checker = _core.Checker(Limits()._values, DEFAULT_LEVELS, "element")
        >>> checker.is_valid(b'{"id": "n-7", "role": "Group"}')
        True
    """

    def __new__(cls, limits: tuple[object, ...], levels: bytes, kind: str) -> Checker: ...
    def check(self, data: object, /) -> Outcome:
        """Check an answer. Never raises for what is wrong with it.

        Memory of a `bytes` or a `str` is read in place, from 64 KiB on without the interpreter's
        lock. Anything else is copied first, an mmap in pieces, and its buffer is free again when
        the call is over.

        Args:
            data: `bytes`, `bytearray`, `memoryview`, `mmap.mmap` or their subclasses: the answer's
                bytes. `str`: its UTF-8. Anything else: a parsed object.

        Returns:
            All that there is to say of the answer.

        Raises:
            TypeError: a memoryview is not of bytes.
            ValueError: a memoryview is not contiguous or was released, or an mmap is closed.
            RuntimeError: the engine itself failed; nothing is known of the answer. Or a dict
                changed while it was read.
            Exception: whatever the code of a mapping raises.

        Section:
            Elements 0.2.0, all of section 5.

        Example:
            >>> from elementguard import Limits, _core
            >>> from elementguard._rules import DEFAULT_LEVELS
            >>> checker = _core.Checker(Limits()._values, DEFAULT_LEVELS, "element")
            >>> checker.check({"id": "n-7"}).findings()
            [(11, None, '', 'n-7', ('role',))]
        """

    def report(self, data: object, /) -> Report:
        """`Validator.check`: the same as a report."""

    def answer(self, source: bytes, provider: str | None, /) -> Answer:
        """`Validator.load`, of bytes."""

    def is_valid(self, data: object, /) -> bool:
        """Whether an answer has no error. May stop at the first.

        Args:
            data: as `check` takes it.

        Returns:
            What `check(data).ok` would be.

        Raises:
            TypeError, ValueError, RuntimeError, Exception: as of `check`.

        Section:
            Elements 0.2.0, all of section 5.
        """

    def load(self, data: object, /, *, faulty: bool = False) -> tuple[Outcome, Index | None]:
        """Everything there is to say of an answer, and where its elements stand.

        Args:
            data: as `check` takes it; the offsets in a parsed object are those of its compact JSON.
            faulty: whether an answer with errors is wanted as well, if none of them is fatal.

        Returns:
            The outcome, and the index unless the answer has an error.

        Raises:
            TypeError, ValueError, RuntimeError, Exception: as of `check`.

        Section:
            Elements 0.2.0, all of section 5.

        Example:
            >>> from elementguard import Limits, _core
            >>> from elementguard._rules import DEFAULT_LEVELS
            >>> checker = _core.Checker(Limits()._values, DEFAULT_LEVELS, "element")
            >>> _, index = checker.load(b'{"id": "n-7", "role": "Group"}')
            >>> [index.cell(0, column) for column in range(5)]
            [None, 0, 30, 7, 22]
        """

    def sift(
        self, block: bytes, start: int = 0, end: int | None = None, /
    ) -> tuple[int, int, list[tuple[int, int, int]]]:
        """Which lines of a block have something to tell: see the pure engine's.

        The interpreter's lock is not held meanwhile, and nothing is made of a clean answer.
        """

    def stream(self) -> Stream:
        """Begin to read an answer that comes in chunks."""

    def check_chunks(self, chunks: Iterable[Buffer], length: int | None = None, /) -> Outcome:
        """Check an answer in chunks.

        Args:
            chunks: as `Stream.feed` takes them; behind a fatal error no more are taken.
            length: how many bytes they are, if that is known: an answer that is too long is refused
                before its first byte.

        Returns:
            All that there is to say of the answer.

        Raises:
            TypeError: it is no iterable, a chunk is not of bytes, or the length no integer.
            ValueError: as of `Stream.feed`.
            RuntimeError: as of `check`.
            Exception: whatever the iterable raises.

        Section:
            Elements 0.2.0, all of section 5; limits 5.7.

        Example:
            >>> from elementguard import Limits, _core
            >>> from elementguard._rules import DEFAULT_LEVELS
            >>> checker = _core.Checker(Limits(bytes=8)._values, DEFAULT_LEVELS, "element")
            >>> [checker.check_chunks([b"{"], length).counts() for length in (9, None)]
            [[(4, 1)], [(3, 1)]]
        """

@final
class Stream:
    """An answer that comes in chunks.

    Only `Checker.stream` makes one. It is for one thread at a time.

    Section:
        Elements 0.2.0, all of section 5; limits 5.7.

    Example:
        >>> from elementguard import Limits, _core
        >>> from elementguard._rules import DEFAULT_LEVELS
        >>> stream = _core.Checker(Limits()._values, DEFAULT_LEVELS, "element").stream()
        >>> stream.feed(b'{"id": "n-7"'), stream.feed(memoryview(b"}")), stream.failed
        (True, False, True)
        >>> stream.finish().findings()
        [(11, 0, '', 'n-7', ('role',))]
    """

    def feed(self, chunk: Buffer, /) -> bool:
        """Read one more chunk. Behind a fatal error it is ignored.

        Memory of a `bytes` is read in place, from 64 KiB on without the interpreter's lock.
        Anything else is copied first, an mmap in pieces, and its buffer is free again when the call
        is over.

        Args:
            chunk: bytes-like, contiguous.

        Returns:
            Whether no error is certain yet.

        Raises:
            TypeError: the chunk is not of bytes.
            ValueError: the chunk is not contiguous, or its buffer is gone; or the stream is
                finished, was broken off, or reads another chunk at this moment.
            RuntimeError: the engine itself failed; nothing is known of the answer.

        Section:
            Elements 0.2.0, all of section 5.

        Example:
            >>> from elementguard import Limits, _core
            >>> from elementguard._rules import DEFAULT_LEVELS
            >>> stream = _core.Checker(Limits()._values, DEFAULT_LEVELS, "element").stream()
            >>> [stream.feed(chunk) for chunk in (b"{", b"", b",", b"}")]
            [True, True, False, False]
        """

    def finish(self) -> Outcome:
        """End the answer. Once it has ended, the outcome is the same one again.

        Returns:
            All that there is to say of the answer.

        Raises:
            ValueError: the stream was broken off, or reads a chunk at this moment.
            RuntimeError: the engine itself failed; nothing is known of the answer.

        Section:
            Elements 0.2.0, all of section 5.
        """

    @property
    def failed(self) -> bool:
        """Whether an error is certain."""

    @property
    def fatal(self) -> bool:
        """Whether a fatal error is certain: nothing more is read."""

@final
class Index:
    """Where the elements of one answer stand. Made by `Checker.load`.

    Immutable, but that it is told once what it belongs to; from then on it finds ids and makes
    objects of the facade's class of elements.

    Section:
        Elements 0.2.0, 5, 5.3, 5.4.

    Example:
        >>> from elementguard import Limits, _core
        >>> from elementguard._rules import DEFAULT_LEVELS
        >>> checker = _core.Checker(Limits()._values, DEFAULT_LEVELS, "element")
        >>> source = b'{"id": "n-7", "role": "Group", "selected": true}'
        >>> _, index = checker.load(source)
        >>> index.settle(source, _core.Handle, None)
        >>> len(index), index.find("n-7"), index.find("n-8"), index.marked(1), index.get("n-7").role
        (1, 0, None, [0], 'Group')
    """

    HANDLE: ClassVar[type[Handle]]
    """What the facade's class of elements is a subclass of."""

    def settle(self, source: bytes, kind: type[Element], whole: object, /) -> None:
        """Tell what it belongs to.

        Args:
            source: the bytes of which this is the index.
            kind: the class of elements.
            whole: what else is to be kept.

        Raises:
            ValueError: it was told before.
        """

    @property
    def source(self) -> bytes:
        """The bytes of which this is the index."""

    @property
    def whole(self) -> Any:
        """What else was told."""

    def __len__(self) -> int: ...
    def cell(self, row: int, column: int, /) -> int | None:
        """A number of an element's row, as `_layout` says; None where there is none."""

    def column(self, column: int, /) -> list[int | None]:
        """A number of all rows."""

    def marked(self, bit: int, /) -> list[int]:
        """The elements that have a bit of a state, in document order."""

    def find(self, name: object, /) -> int | None:
        """The number of the first element with an id. The first call makes a table of all ids.

        Raises:
            TypeError: the id is no `str`.
        """

    def get(self, name: object, /) -> Element | None:
        """The same as an object."""

    def at(self, row: int, /) -> Element:
        """The element of a number, as an object."""

    def children(self, row: int, /) -> tuple[Element, ...]:
        """The elements right inside one."""

    def walk(self) -> Iterator[Element]:
        """All elements, in document order."""

    def near(self, rows: list[int], /) -> Iterator[list[int]]:
        """The numbers of all elements, those nearest to some of them first.

        Args:
            rows: the numbers of these.

        Returns:
            The elements of one distance after the other, the distance being how many steps up and
            down an element is from the nearest of these: those that are visible first, then in
            document order. What is farther is not looked at before it is asked for.
        """

@disjoint_base
class Handle:
    """One element of an answer: what the facade's `Element` stands on.

    Section:
        Elements 0.2.0, 5.1, 5.2.

    Example:
        >>> import elementguard as eg
        >>> eg.load({"id": "n-7", "role": "Group"}, kind="element")["n-7"]._number
        0
    """

    def __new__(cls, maker: object, number: int | None = None, /) -> Handle: ...
    @property
    def id(self) -> str | None:
        """The id as sent."""

    @property
    def role(self) -> str:
        """The role as a receiver reads it."""

    @property
    def role_as_sent(self) -> str | None:
        """The provider's word."""

    @property
    def _index(self) -> Index: ...
    @property
    def _number(self) -> int: ...
    def _member(self, name: str, /) -> tuple[int, int] | None:
        """Where a value is, the first of its name: of those that `Element` asks for."""

    def _text(self, name: str, /) -> str | None:
        """The text of a member, if it is a string."""

    def _cell(self, column: int, /) -> int | None:
        """A number of its row."""

@final
class Outcome:
    """What the engine says of one answer. Immutable; holds no source.

    Only `Checker.check` and `Stream.finish` make one.

    Section:
        Elements 0.2.0, all of section 5; sizes 5.7.

    Example:
        >>> from elementguard import Limits, _core
        >>> from elementguard._rules import DEFAULT_LEVELS
        >>> outcome = _core.Checker(Limits()._values, DEFAULT_LEVELS, "answer").check(b"[")
        >>> outcome.ok, outcome.fatal, outcome.counts(), outcome.summary()
        (False, True, [(3, 1)], None)
    """

    @property
    def ok(self) -> bool:
        """Whether there is no error."""

    @property
    def fatal(self) -> bool:
        """Whether the work ended at a fatal finding, which stands alone."""

    @property
    def truncated(self) -> bool:
        """Whether some findings were counted but not kept."""

    def counts(self) -> list[tuple[int, int]]:
        """How many findings each rule has.

        Returns:
            Pairs of a rule's number and a count that is not zero, by number.
        """

    def findings(self) -> list[tuple[int, int | None, str, str | None, tuple[object, ...]]]:
        """The findings that were kept, in document order.

        Returns:
            For each: the rule's number; the offset in bytes (None for parsed objects); the JSON
            Pointer; the id of the element concerned, or None; the values of the rule's parameters,
            in the order of its card. Built anew at each call.
        """

    def summary(self) -> tuple[object, ...] | None:
        """Sizes and states of the whole answer.

        Returns:
            None exactly after a fatal finding. Else bytes, elements, depth; a tuple of 13 counts by
            role in 5.2's order, a tuple of 5 counts by block type in 5.5's; instance, protocol
            (strings or None); the ids of the focus path (a tuple; None stands for an unusable id),
            the position, the selected ids (a tuple), the hovered id; and of the root, or None:
            (bytes, elements, height, depth, content_bytes, text_bytes, blob_bytes).
        """
