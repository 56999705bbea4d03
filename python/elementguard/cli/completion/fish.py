"""Completion: fish.

Comes in: our commands. Goes out: a call of `complete` for each command and flag. Where a command
takes files, fish offers them by itself.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from elementguard.cli.completion import Command, Flag, Values

_HEAD = """\
# Completion for fish, made by `elementguard completion fish`. To have it in every shell:
#   elementguard completion fish > ~/.config/fish/completions/elementguard.fish
"""
_FIRST = "__fish_use_subcommand"


def script(commands: list[Command]) -> str:
    """The script."""
    first, *others = commands
    lines = [_line(_FIRST, f"-f -a {one.name}", one.summary) for one in others]
    lines += (_line(_FIRST, _names(flag), flag.help) for flag in first.flags)
    for command in others:
        lines += _of(command)
    return _HEAD + "".join(f"{line}\n" for line in lines)


def _of(command: Command) -> Iterator[str]:
    when = f"__fish_seen_subcommand_from {command.name}"
    for flag in command.flags:
        takes = f" {_taken(flag.takes)}" if flag.takes else ""
        yield _line(when, f"{_names(flag)}{takes}", flag.help)
    if command.takes is None:
        yield _line(when, "-f", "")
    elif not command.takes.are_files:
        yield _line(when, f"-f -a {_quoted(' '.join(command.takes.words))}", "")


def _line(when: str, what: str, told: str) -> str:
    said = f" -d {_quoted(told)}" if told else ""
    return f"complete -c elementguard -n {_quoted(when)} {what}{said}"


def _names(flag: Flag) -> str:
    return " ".join(
        f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in flag.names
    )


def _taken(values: Values) -> str:
    return "-r -F" if values.are_files else f"-x -a {_quoted(' '.join(values.words))}"


def _quoted(text: str) -> str:
    inside = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{inside}'"
