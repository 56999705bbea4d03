"""Command line: the baseline, a file of findings that are known and not told again.

Comes in: each answer's report. Goes out: what is left of it. A finding is known by its fingerprint,
which other parts of an answer do not change; what was only counted (`limits.findings`) has none, so
it always stays. An entry whose answer was checked and whose finding is gone is stale, and told.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from elementguard._escape import escaped
from elementguard._json import dumps
from elementguard._report import without
from elementguard.cli.formats.place import fingerprints
from elementguard.cli.small import read_small
from elementguard.cli.unwritten import writing
from elementguard.cli.written import whole_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from elementguard._report import Report
    from elementguard.cli.answer import Answer
    from elementguard.cli.console import Console

VERSION = 1
_SHOWN = 20  # stale entries that are told one by one
_MEBIBYTES = 64  # of a baseline: about 400,000 entries


class Entry(NamedTuple):
    """A finding that is known."""

    file: str
    line: int | None
    code: str
    fingerprint: str


class Baseline:
    """What is known before the run, and what was met in it.

    Args:
        file: where it stands.
        writes: whether all that is met becomes known, instead of what the file says.

    Attributes:
        known: how many findings were left out as known.

    Raises:
        ValueError: the file cannot be read, or is no baseline.
    """

    def __init__(self, file: str, *, writes: bool) -> None:
        self.file, self.known = file, 0
        self._writes = writes
        self._entries = {} if writes else {one.fingerprint: one for one in _read(file)}
        self._met: set[str] = set()
        self._checked: set[tuple[str, int | None]] = set()

    def rest(self, answer: Answer, report: Report) -> Report:
        """The report without what is known."""
        if self._entries or self._writes:
            self._checked.add((answer.name, answer.line))
        if not report.findings:
            return report
        prints = list(fingerprints(answer, report.findings))
        if self._writes:
            for finding, one in zip(report.findings, prints, strict=True):
                self._entries[one] = Entry(answer.name, answer.line, finding.code, one)
        known = {at for at, one in enumerate(prints) if one in self._entries}
        self._met.update(prints[at] for at in known)
        self.known += len(known)
        return without(report, known) if known else report

    def end(self, console: Console, *, is_complete: bool) -> None:
        """Write it, or tell of what is stale in it.

        Raises:
            UnwrittenError: it cannot be written.
        """
        if not self._writes:
            self._tell_stale(console)
        elif is_complete:
            with writing(self.file), whole_text(self.file) as file:
                file.writelines(_lines(sorted(self._entries.values(), key=_order)))
            console.say(f"baseline: {_many(self.known, 'finding')} written")
        else:
            console.error("baseline: not written, since not everything could be checked")

    def _tell_stale(self, console: Console) -> None:
        stale = [one for one in self._entries.values() if self._is_stale(one)]
        for one in stale[:_SHOWN]:
            place = one.file if one.line is None else f"{one.file}:{one.line}"
            console.say(f"{place}: {escaped(one.code)}: in the baseline, not found any more")
        if stale:
            console.say(
                f"baseline: {len(stale)} of {_many(len(self._entries), 'entry', 'entries')} stale;"
                " --write-baseline drops what is gone"
            )

    def _is_stale(self, entry: Entry) -> bool:
        return (entry.file, entry.line) in self._checked and entry.fingerprint not in self._met


def _lines(entries: list[Entry]) -> Iterator[str]:
    """The file: an entry a line, in a fixed order, so that a change of it reads well."""
    yield f'{{"version":{VERSION},"findings":['
    for at, entry in enumerate(entries):
        yield f"{',' if at else ''}\n{dumps(entry._asdict())}"
    yield "\n]}\n"


def _order(entry: Entry) -> tuple[object, ...]:
    return entry.file, entry.line or 0, entry.code, entry.fingerprint


def _read(file: str) -> list[Entry]:
    try:
        told = json.loads(read_small(file, _MEBIBYTES))
    except FileNotFoundError:
        raise ValueError("--baseline: there is no such file; --write-baseline makes it") from None
    except (OSError, ValueError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no JSON"
        raise ValueError(f"--baseline: the file cannot be read: {reason}") from None
    if not isinstance(told, dict) or told.get("version") != VERSION:
        raise ValueError(f"--baseline: the file is no baseline of version {VERSION}")
    try:
        return [_entry(**one) for one in told["findings"]]
    except (KeyError, TypeError):
        raise ValueError("--baseline: the file has an entry that is none") from None


def _entry(*, file: str, line: int | None, code: str, fingerprint: str) -> Entry:
    if not all(isinstance(text, str) for text in (file, code, fingerprint)):
        raise TypeError
    if not (line is None or isinstance(line, int)):
        raise TypeError
    return Entry(file, line, code, fingerprint)


def _many(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or f'{one}s'}"
