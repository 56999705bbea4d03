"""Command line: `elementguard completion`.

Comes in: the name of a shell. Goes out: a script that teaches it our commands and flags. All of it
is read from the argument parser, so that it cannot say what the command line does not: `Command`
and `Flag` are what the shells' own files (`bash`, `zsh`, `fish`) write down, each in its way. What
may stand for a value is known by the value's name in --help; a name that is new is a fault of ours
(a test runs every shell there is).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from elementguard._limits import NAMES as LIMITS
from elementguard._rules import RULES
from elementguard.cli import formats

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping

    from elementguard.cli.console import Console

_CODES = tuple(RULES)
_WORDS = {
    "CODE": _CODES,
    "CODE[,CODE]": _CODES,
    "CODE=LEVEL": tuple(f"{code}=" for code, rule in RULES.items() if rule.movable),
    "FORMAT[=FILE]": formats.NAMES,
    "NAME=VALUE": tuple(f"{name}=" for name in LIMITS),
    "WORD[,WORD]": ("selected", "hovered"),
    # What only the user knows.
    "N": (),
    "NAME": (),
}
_FILES = ("FILE", "FILE|-", "FILE|DIR|-")


class Values(NamedTuple):
    """What may stand as a value.

    Attributes:
        name: as --help calls it.
        words: what to offer; one that ends in = is to be gone on with.
        are_files: whether files are offered.
    """

    name: str
    words: tuple[str, ...]
    are_files: bool


class Flag(NamedTuple):
    """One flag under all its names, the value that it takes, and whether it may be repeated."""

    names: tuple[str, ...]
    help: str
    takes: Values | None
    repeats: bool


class Command(NamedTuple):
    """One command; that without a name is what stands before one."""

    name: str
    summary: str
    flags: tuple[Flag, ...]
    takes: Values | None


def run(options: argparse.Namespace, console: Console) -> int:
    """Print the script."""
    from elementguard.cli.parser import parsers

    shell = import_module(f"elementguard.cli.completion.{options.shell}")
    console.write(shell.script(list(_commands(parsers()))))
    return 0


def _commands(parsers: Mapping[str, tuple[str, argparse.ArgumentParser]]) -> Iterator[Command]:
    for name, (summary, parser) in parsers.items():
        actions = parser._actions  # noqa: SLF001 -- argparse has no other way to ask
        flags = (_flag(one) for one in actions if one.option_strings)
        takes = (_values(one) for one in actions if not one.option_strings and name)
        yield Command(name, summary, tuple(flags), next(takes, None))


def _flag(action: argparse.Action) -> Flag:
    told = " ".join((action.help or "").split())
    takes = None if action.nargs == 0 else _values(action)
    is_list = isinstance(action.default, list) or action.dest == "keep"
    return Flag(tuple(action.option_strings), told, takes, is_list)


def _values(action: argparse.Action) -> Values:
    if action.choices is not None:
        return Values(action.dest, tuple(action.choices), are_files=False)
    name = str(action.metavar)
    return Values(name, () if name in _FILES else _WORDS[name], are_files=name in _FILES)
