"""Command line: what it can be told.

Comes in: arguments. Goes out: a namespace whose `run` is the command. What argparse cannot judge
(codes, limits, where output goes) is judged by the command before it begins; both end in a usage
line and exit code 2.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
from importlib import import_module

import elementguard
from elementguard._escape import escaped
from elementguard._limits import NAMES
from elementguard.cli import config
from elementguard.cli.parser_one import (
    add_excerpt,
    add_fix,
    add_limits,
    add_salvage,
    add_show,
    add_shrink,
    add_sizes,
)
from elementguard.cli.unwritten import STDOUT, writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from typing import NoReturn

    from _typeshed import SupportsWrite

    from elementguard.cli.console import Console

_EXIT_CODES = """\
exit codes:
  0  no finding at or above the fail level
  1  findings at or above the fail level
  2  wrong usage, an input that cannot be read, or an internal error
  130  interrupted; what was found so far is told"""

_LIMITS = f"""\
limits, each an integer, or 'none' for no limit (media_types: a list with commas):
{textwrap.fill(" ".join(NAMES), 76, initial_indent="  ", subsequent_indent="  ")}"""

_CHECK = """\
Validate answers of App Element providers.

A FILE holds one answer (any name), or one a line (.ndjson, .jsonl, or --lines); either may be
compressed (.gz, .zst). A directory is searched for .json, .ndjson and .jsonl; hidden directories
and links to directories are passed over, and a file that is reached twice is checked once. - is
standard input, and so is no FILE if something is piped in."""


_FIX = """\
Mend what rules have a fix for. Only the bytes concerned are written. What is left is told, and
makes the exit code 1."""

_SHRINK = """\
Make the smallest answer that still has a finding of one rule, and none of a rule that FILE keeps.
Texts in it are replaced by placeholders, so that it can be shown to others; those that had to stay
are told. FILE need not be JSON. No more than 10,000 answers are tried, and no more than 128 MiB of
them and 32 times the input besides."""

_EXIT_CODES_OF_ONE = """\
exit codes:
  0  done
  1  the answer has errors that this cannot mend, or there can be no such result: stderr says why
  2  wrong usage, what cannot be read or written, or an internal error"""

_EPILOGS = {"check": f"{_LIMITS}\n\n{_EXIT_CODES}"} | dict.fromkeys(
    ("salvage", "fix", "excerpt", "shrink", "sizes", "show"), f"{_LIMITS}\n\n{_EXIT_CODES_OF_ONE}"
)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The arguments, read; `.run(options, console)` runs the command.

    Raises:
        SystemExit: after --help and --version (0), or a line on stderr that says what is wrong (2).
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    parser, commands = _parsers(given)
    options = parser.parse_args(given)
    if options.command != "check":
        return options
    try:
        commands.choices["check"].config, flags = config.flags(given, options.config)
    except config.ConfigError as error:
        options.usage_error(f"configuration {error}")
    at = given.index("check") + 1
    return parser.parse_args([*given[:at], *flags, *given[at:]]) if flags else options


class _Parser(argparse.ArgumentParser):
    """Says which flags nobody typed may be to blame."""

    config = ""

    def error(self, message: str) -> NoReturn:
        behind = f" (flags come from {escaped(self.config)}, too)" if self.config else ""
        super().error(f"{message}{behind}")

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """As argparse does, but help that could not be written is no success."""
        if file is None or file is not sys.stdout:
            super()._print_message(message, file)
            return
        with writing(STDOUT):
            file.write(message)


def parsers() -> Mapping[str, tuple[str, argparse.ArgumentParser]]:
    """The commands' parsers by name, each with a summary; under no name the one before them."""
    parser, commands = _parsers(_COMMANDS)
    told = {one.dest: one.help or "" for one in commands._choices_actions}  # noqa: SLF001 -- as there
    return {"": ("", parser)} | {
        name: (told[name], parser) for name, parser in commands.choices.items()
    }


def _parsers(given: Collection[str]) -> tuple[_Parser, argparse._SubParsersAction[_Parser]]:
    """The parser, and all commands'; those that are given know their arguments."""
    parser = _Parser(
        prog="elementguard",
        description="Validates answers of App Element providers (Elements 0.2.0).",
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=_version())
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, (add, summary, description) in _COMMANDS.items():
        command = _command(commands, name, summary, description)
        if name in given:
            add(command)
    return parser, commands


def _version() -> str:
    facts = (
        f"{elementguard.engine} engine",
        f"rules {elementguard.RULES_VERSION}",
        f"Python {sys.version.split()[0]}",
    )
    return f"elementguard {elementguard.__version__} ({', '.join(facts)})"


def _command(
    commands: argparse._SubParsersAction[_Parser],
    name: str,
    summary: str,
    description: str,
) -> _Parser:
    parser = commands.add_parser(
        name,
        help=summary,
        description=textwrap.dedent(description) or f"{summary[0].upper()}{summary[1:]}.",
        epilog=_EPILOGS.get(name),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )

    def run(options: argparse.Namespace, console: Console) -> int:
        # The others take longer to import than this one may take to run.
        code: int = import_module(f"elementguard.cli.{name}").run(options, console)
        return code

    parser.set_defaults(run=run, command=name, usage_error=parser.error)
    return parser


def _check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("inputs", nargs="*", metavar="FILE|DIR|-", help="what to check")
    _add_what(parser.add_argument_group("what is asked"))
    _add_input(parser.add_argument_group("how it is read"))
    _add_output(parser.add_argument_group("what is told"))


def _add_what(group: argparse._ArgumentGroup) -> None:
    add_limits(group)
    group.add_argument(
        "--level",
        action="append",
        default=[],
        metavar="CODE=LEVEL",
        help="move a rule: error, warning, note or off",
    )
    group.add_argument(
        "--select",
        action="append",
        default=[],
        metavar="CODE[,CODE]",
        help="ask these rules alone (and those that cannot be switched off)",
    )
    group.add_argument(
        "--ignore",
        action="append",
        default=[],
        metavar="CODE[,CODE]",
        help="do not ask these rules",
    )
    group.add_argument(
        "--config",
        metavar="FILE",
        help="more flags, as TOML (default: the nearest elementguard.toml, or pyproject.toml with"
        " [tool.elementguard])",
    )
    group.add_argument(
        "--baseline", metavar="FILE", help="leave out the findings that this file knows"
    )
    group.add_argument(
        "--write-baseline",
        action="store_true",
        help="write the findings of this run to the baseline, so that they are known from now on",
    )


def _add_input(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--lines", action="store_true", help="every input holds one answer a line (NDJSON)"
    )
    group.add_argument(
        "--jobs",
        type=_jobs,
        metavar="N",
        help="how many threads check lines and large files (default: one a processor)",
    )
    group.add_argument(
        "--stdin-filename",
        metavar="NAME",
        help="what to call standard input; its ending counts as a file's does",
    )


def _jobs(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= number <= 256:
        raise argparse.ArgumentTypeError("a number from 1 to 256 is needed")
    return number


def _add_output(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--output-format",
        action="append",
        default=[],
        metavar="FORMAT[=FILE]",
        help="text (default), concise, json, jsonl, sarif, github, gitlab, junit, markdown or html;"
        " more than one if all but one go to files",
    )
    group.add_argument(
        "--fail-level",
        choices=("error", "warning", "note"),
        default="error",
        help="the least level that makes the exit code 1 (default: error)",
    )
    group.add_argument("--notes", action="store_true", help="show notes, which text output hides")
    group.add_argument("--statistics", action="store_true", help="count the findings by rule")
    group.add_argument("--exit-zero", action="store_true", help="0 even if there are findings")
    group.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="auto: on a terminal; NO_COLOR and FORCE_COLOR are obeyed",
    )
    group.add_argument(
        "-q", "--quiet", action="store_true", help="findings alone: no verdict, no talk"
    )
    group.add_argument("-v", "--verbose", action="store_true", help="tell of every answer")


def _rule(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("code", nargs="?", metavar="CODE", help="the rule, such as focus-gap")


def _schema(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name",
        nargs="?",
        choices=("answer", "report", "sizes"),
        default="answer",
        help="answer (default): what a provider sends; report: what check finds, as json or a line"
        " of jsonl; sizes: what sizes --json writes",
    )


def _completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "shell",
        choices=("bash", "zsh", "fish"),
        help="prints a script for it; its top says where to",
    )


def _nothing(parser: argparse.ArgumentParser) -> None:
    """It has no arguments."""


# What adds a command's arguments, its summary, and a description if that is another. Only those of
# commands that are given are added: to add all costs more than to check many an answer.
_COMMANDS: Mapping[str, tuple[Callable[[argparse.ArgumentParser], None], str, str]] = {
    "check": (_check, "validate answers", _CHECK),
    "salvage": (add_salvage, "what is good of a broken answer", ""),
    "fix": (add_fix, "an answer with its faults mended", _FIX),
    "excerpt": (add_excerpt, "an answer cut to a budget", ""),
    "shrink": (add_shrink, "the smallest answer with the same finding", _SHRINK),
    "show": (add_show, "the tree as a person reads it", ""),
    "sizes": (add_sizes, "the heaviest subtrees", ""),
    "rule": (_rule, "a rule's page, or the list of all rules", ""),
    "schema": (_schema, "print a JSON Schema", ""),
    "selftest": (_nothing, "run the shipped vectors on every engine", ""),
    "completion": (_completion, "what a shell needs to complete commands and flags", ""),
}
