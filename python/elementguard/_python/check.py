"""Room: one check, from the first byte to the outcome.

In: the answer's bytes in pieces of any sizes, or one parsed value. Out: the outcome. A buffer that
is whole is fed in pieces as well, so that there is one way through the bytes and no other.

Of two fatal findings the one at the smaller offset stands. The reader finds them in order; the
limit on bytes stands at the limit itself, whatever is behind it.
"""

from __future__ import annotations

from elementguard._python.facts import Facts
from elementguard._python.lexer import Lexer
from elementguard._python.reader import Reader
from elementguard._python.report import Fatal, Findings, Outcome
from elementguard._python.rules import ids, limits
from elementguard._python.tree import Top
from elementguard._python.walk import Walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from elementguard._python.facts import Limits
    from elementguard._python.index import Rows
    from elementguard._python.pointer import Place

# What is read of a whole buffer at once: no string is ever held longer than it must.
PIECE = 65_536  # mutants: how much it is shows in no report


class Check:
    """One answer: `feed` it and `finish`, or give it to `buffer` or `value` as a whole.

    Args:
        bounds: the call's limits.
        levels: a level for each rule.
        is_fragment: whether the input is a single element.
        stop: whether the first error is to raise `Decided`.
        rows: filled with the elements as they are read.
    """

    def __init__(
        self,
        bounds: Limits,
        levels: bytes,
        *,
        is_fragment: bool,
        stop: bool = False,
        rows: Rows | None = None,
    ) -> None:
        self._bounds = bounds
        self._levels = levels
        most = 0 if stop else bounds.findings  # mutants: none are asked for, so it saves memory
        self._findings = Findings(levels, most, stop=stop)
        self._facts = Facts(bounds, self._findings, is_fragment=is_fragment, rows=rows)
        self._reader = Reader(Top(self._facts), self._findings, bounds.nesting)
        self._lexer = Lexer(self._reader)
        self._room = bounds.bytes
        self._fatal: tuple[int, int, Place, tuple[object, ...]] | None = None

    @property
    def failed(self) -> bool:
        """Whether an error is certain already."""
        return self.fatal or self._findings.has_error

    @property
    def fatal(self) -> bool:
        """Whether a fatal finding is certain already: nothing more is read."""
        return self._fatal is not None

    def announce(self, length: int) -> None:
        """The answer's length, before its first byte: that it is too long is said at once."""
        most = self._bounds.bytes
        if most is not None and length > most:
            self._fatal = limits.too_many_bytes(most).finding

    def feed(self, data: bytes) -> None:
        """The next bytes. Nothing is read behind a fatal finding."""
        if self._fatal is None:
            try:
                self._take(data)
            except Fatal as fatal:
                self._fatal = fatal.finding

    def finish(self) -> Outcome:
        """The answer is over."""
        size = 0  # mutants: of an answer that is given up nobody asks
        if self._fatal is None:
            try:
                size = self._lexer.finish()
            except Fatal as fatal:
                self._fatal = fatal.finding
        return self._outcome(size)

    def buffer(self, view: memoryview) -> Outcome:
        """All bytes at once."""
        self.announce(len(view))
        for at in range(0, len(view), PIECE):
            self.feed(bytes(view[at : at + PIECE]))
            if self._fatal:  # mutants: saves time, no more
                break  # mutants: the same
        return self.finish()

    def value(self, value: object) -> Outcome:
        """A parsed value."""
        size = 0  # mutants: the same
        try:
            size = Walk(self._reader, self._bounds.bytes).run(value)
        except Fatal as fatal:
            self._fatal = fatal.finding
        return self._outcome(size, in_objects=True)

    def _take(self, data: bytes) -> None:
        if self._room is None:
            self._lexer.feed(data)
            return
        self._lexer.feed(data[: self._room])
        if len(data) > self._room:
            raise limits.too_many_bytes(self._bounds.bytes or 0)
        self._room -= len(data)

    def _outcome(self, size: int, *, in_objects: bool = False) -> Outcome:
        if self._fatal is None:
            ids.answer_ends(self._facts)
            summary = self._facts.summary(size)
            return Outcome(self._findings, summary, fatal=False, in_objects=in_objects)
        # Nothing else is claimed about an answer that was not read to its end.
        alone = Findings(self._levels, self._bounds.findings)
        rule, offset, place, params = self._fatal
        alone.add(rule, offset, place, None, params)
        return Outcome(alone, None, fatal=True, in_objects=in_objects)
