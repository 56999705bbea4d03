"""Command line: `elementguard check`.

Comes in: the parsed arguments. Goes out: every answer's findings in each of the formats asked for,
and the exit code. Whatever happens to one input is told of that input, and the next one is read: a
fault of ours in one file of a thousand must not hide the other 999.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple

import elementguard
from elementguard._level import Level
from elementguard._rules import RULES
from elementguard._validator import Validator
from elementguard.cli import formats, inputs
from elementguard.cli.answer import UnreadError
from elementguard.cli.asked import limits_of, pair
from elementguard.cli.interrupt import Interrupts
from elementguard.cli.sifted import Clean, Sieve
from elementguard.cli.threads import Threads
from elementguard.cli.unwritten import UnwrittenError
from elementguard.cli.verdict import Tally

if TYPE_CHECKING:
    from argparse import Namespace

    from elementguard._report import Report
    from elementguard.cli.answer import Answer
    from elementguard.cli.baseline import Baseline
    from elementguard.cli.console import Console
    from elementguard.cli.formats import Format


def run(options: Namespace, console: Console) -> int:
    """Check everything that was named."""
    console.quiet, console.color = options.quiet, options.color
    try:
        validator = _validator(options)
        names = _names(options)
        wanted = formats.parse(options.output_format, names)
        baseline = _baseline(options, names)
    except ValueError as error:
        options.usage_error(str(error))
    levels = {code: validator.rules.get(code, rule.level) for code, rule in RULES.items()}
    tally = Tally(levels, Level(options.fail_level), exit_zero=options.exit_zero)
    with ExitStack() as files:
        told = [files.enter_context(form.open(options, console)) for form in wanted]
        is_needed = options.verbose or baseline or any(form.tells_clean for form in wanted)
        threads = files.enter_context(Threads(options.jobs))
        sieve = None if is_needed else Sieve(validator, threads)
        interrupts = Interrupts()
        work = _Work(validator, told, tally, baseline, options, console, interrupts)
        try:
            with interrupts:
                work.do(names, sieve, threads)
        except KeyboardInterrupt:
            tally.is_interrupted = True
        console.flush()
        if baseline and not tally.is_interrupted:
            baseline.end(console, is_complete=not tally.unreadable)
            tally.known = baseline.known
        tally.has_lost = console.has_lost
        for form in told:
            form.end(tally)
    if all(form.file for form in wanted):
        console.say(f"{tally.word}: {tally.line(notes_hidden=False)}")
    return tally.exit_code


class _Work(NamedTuple):
    """One run: what asks, what is told of it, what is counted."""

    validator: Validator
    told: list[Format]
    tally: Tally
    baseline: Baseline | None
    options: Namespace
    console: Console
    interrupts: Interrupts

    def do(self, names: list[str], sieve: Sieve | None, threads: Threads) -> None:
        """Check all that these names lead to."""
        options = self.options
        self.whisper(f"{elementguard.engine} engine, rules {elementguard.RULES_VERSION}")
        reading = inputs.Reading(
            options.lines,
            options.stdin_filename,
            apart=options.baseline,
            sieve=sieve,
            work=(self.validator, threads) if threads.jobs > 1 else None,
            progress=self.console.progress(),
        )
        for found in inputs.answers(names, reading):
            if isinstance(found, inputs.Unreadable):
                self.fail(found)
            elif isinstance(found, Clean):
                self.tally.answers += found.answers
            else:
                self.check(found)

    def check(self, answer: Answer) -> None:
        """Check one answer and tell of it."""
        try:
            report = answer.check(self.validator)
            if report is None:
                return
            with self.interrupts.undisturbed():
                self.tell(answer, report)
        except (BrokenPipeError, UnwrittenError, KeyboardInterrupt):
            raise
        except UnreadError as error:
            self.fail(inputs.Unreadable(answer.name, inputs.reason_of(error.fault)))
        except Exception as error:  # noqa: BLE001 -- told of this one
            if self.options.verbose:
                sys.excepthook(*sys.exc_info())
            reason = f"internal error: {type(error).__name__}: {error}"
            self.fail(inputs.Unreadable(_where(answer), reason))

    def tell(self, answer: Answer, report: Report) -> None:
        """Tell of what was found, and count it."""
        if self.baseline:
            report = self.baseline.rest(answer, report)
        for form in self.told:
            form.add(answer, report)
        self.tally.add(report)
        size = f"{answer.size} bytes, {answer.seconds * 1000:.2f} ms"
        self.whisper(f"{_where(answer)}: {report} ({size})")

    def fail(self, what: inputs.Unreadable) -> None:
        """Tell of what could not be checked."""
        self.console.error(f"{what.name}: {what.reason}")
        self.tally.unreadable += 1
        for form in self.told:
            form.fail(what)

    def whisper(self, text: str) -> None:
        """Talk for those who asked for it."""
        if self.options.verbose:
            self.console.say(text)


def _where(answer: Answer) -> str:
    return answer.name if answer.line is None else f"{answer.name}:{answer.line}"


def _names(options: Namespace) -> list[str]:
    """What to read: without a name what is piped in, never what a person would have to type."""
    if options.inputs:
        return list(options.inputs)
    if sys.stdin is None or sys.stdin.isatty():
        raise ValueError("name a file or a directory, or pipe an answer in")
    return [inputs.STDIN]


def _baseline(options: Namespace, names: list[str]) -> Baseline | None:
    if options.baseline is None:
        if options.write_baseline:
            raise ValueError("--write-baseline: --baseline FILE says where to")
        return None
    if options.baseline in names:
        raise ValueError("--baseline: the file is no answer to check as well")
    from elementguard.cli.baseline import Baseline

    return Baseline(options.baseline, writes=options.write_baseline)


def _validator(options: Namespace) -> Validator:
    return Validator(limits=limits_of(options), rules=_levels(options), kind=options.kind)


def _levels(options: Namespace) -> dict[str, str]:
    """--level moves; --select and --ignore have the last word on which rules are asked at all."""
    levels = dict(pair("--level", text) for text in options.level)
    selected = _codes(options.select)
    if selected:
        _known("--select", selected)
        levels |= {
            code: "off" for code, rule in RULES.items() if rule.movable and code not in selected
        }
    ignored = _codes(options.ignore)
    _known("--ignore", ignored)
    return levels | dict.fromkeys(ignored, "off")


def _known(option: str, codes: list[str]) -> None:
    for code in codes:
        if code not in RULES:
            from elementguard._rules import unknown

            raise ValueError(f"{option}: {unknown(code)}")


def _codes(given: list[str]) -> list[str]:
    return [code.strip() for text in given for code in text.split(",") if code.strip()]
