"""Command line: what `salvage`, `fix`, `excerpt` and `shrink` have in common.

Comes in: the parsed arguments, and what makes the new answer. Goes out: the result alone on stdout
or in its file; on stderr a line for each change and the verdict, told after the result is where it
belongs. Every word of an answer in them is escaped; the result is bytes as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from elementguard.cli.asked import validator_of
from elementguard.cli.result import deliver, place_of
from elementguard.cli.whole import read, shown

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable

    from elementguard._report import Report
    from elementguard._validator import Validator
    from elementguard.cli.console import Console

EXIT_DONE, EXIT_FINDINGS, EXIT_FAILED = 0, 1, 2


class Made(NamedTuple):
    """A result, and what is to be told of it."""

    data: bytes
    changes: list[str]  # a line each, fit for a terminal
    verdict: str
    code: int = EXIT_DONE


class CannotError(Exception):
    """There is no result; the text says why.

    Args:
        reason: one line.
        details: more lines, fit for a terminal.
    """

    def __init__(self, reason: str, details: Iterable[str] = ()) -> None:
        super().__init__(reason)
        self.details = list(details)


class Job(NamedTuple):
    """What a command makes of an answer."""

    make: Callable[[Validator, bytes], Made]
    is_bounded: bool  # whether a longer answer than limits.bytes allows is refused anyway
    done: str = ""  # what became of the answer, as a diff says; empty where there is none


def run(options: Namespace, console: Console, job: Job) -> int:
    """Read, make, deliver, tell."""
    console.quiet = options.quiet
    validator = validator_of(options)
    try:
        place = place_of(options)
    except ValueError as error:
        options.usage_error(str(error))
    data = read(options.file, validator.limits.bytes if job.is_bounded else None, console)
    if data is None:
        return EXIT_FAILED
    try:
        made = job.make(validator, data)
    except CannotError as error:
        console.error(f"{shown(options.file)}: {error}")
        told(error.details, console)
        return EXIT_FINDINGS
    is_there = options.in_place and made.data == data  # a file that is right is not touched
    if job.done and options.diff:
        from elementguard.cli.diff import unified

        for line in unified(data, made.data, options.file, job.done):
            console.write(line)
    elif not (is_there or deliver(made.data, place, console)):
        return EXIT_FAILED
    told([*made.changes, made.verdict], console)
    return made.code


def refusal(report: Report) -> CannotError:
    """Why an answer with errors cannot be worked with: its errors, and what to do."""
    return CannotError(f"the answer has errors ({report}){advice(report)}", errors_of(report))


def advice(report: Report) -> str:
    """What to do about these errors; nothing where an answer cannot be saved at all."""
    return "; elementguard salvage saves what is good of it" if report.complete else ""


def errors_of(report: Report) -> list[str]:
    """A line for each error that the report keeps, and one for those it does not."""
    lines = [str(finding) for finding in report.errors]
    more = report.count("error") - len(lines)
    return [*lines, f"{counted(more, 'more error')} (limits.findings)"] if more else lines


def told(lines: list[str], console: Console) -> None:
    """Talk, all at once: there may be very many lines."""
    if lines:
        console.say("\n".join(lines))


def counted(count: int, thing: str) -> str:
    """A number and its thing."""
    return f"{count} {thing}{'' if count == 1 else 's'}"
