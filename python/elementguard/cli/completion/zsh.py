"""Completion: zsh.

Comes in: our commands. Goes out: a function for `_arguments`, which knows flags with their help,
which of them were given already, and what each takes. The file works from a folder of `fpath` and
when it is sourced.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from elementguard.cli.completion import Command, Flag, Values

_HEAD = """\
#compdef elementguard
# Completion for zsh, made by `elementguard completion zsh`. To have it in every shell, write it to
# a file _elementguard in a folder of $fpath.
_elementguard() {
    local state line
    local -a commands
"""
_TAIL = """\
        esac ;;
    esac
}
if [[ $funcstack[1] == _elementguard ]]; then
    _elementguard "$@"
else
    compdef _elementguard elementguard
fi
"""


def script(commands: list[Command]) -> str:
    """The script."""
    first, *others = commands
    lines = [
        _arguments("    ", [*map(_flag, first.flags), "1:command:->command", "*::value:->value"]),
        "    case $state in",
        "    command)",
        f"        commands=({' '.join(map(_described, others))})",
        "        _describe command commands ;;",
        "    value)",
        "        case $words[1] in",
    ]
    for command in others:
        lines.append(f"        {command.name})")
        lines.append(_arguments("            ", [*map(_flag, command.flags), *_alone(command)]))
        lines.append("            ;;")
    return _HEAD + "".join(f"{line}\n" for line in lines) + _TAIL


def _arguments(margin: str, specs: list[str]) -> str:
    ends = f" \\\n{margin}    "
    called = "_arguments -C" if margin == "    " else "_arguments"
    return f"{margin}{called}{ends}{ends.join(map(_quoted, specs))}"


def _flag(flag: Flag) -> str:
    """A flag under its longest name; shells show one of them anyway."""
    name = max(flag.names, key=len)
    times = "*" if flag.repeats else f"({' '.join(flag.names)})"
    if flag.takes is None:
        return f"{times}{name}[{_told(flag.help)}]"
    return f"{times}{name}=[{_told(flag.help)}]:{_told(flag.takes.name)}:{_offered(flag.takes)}"


def _alone(command: Command) -> Iterator[str]:
    if command.takes is not None:
        yield f"*:{_told(command.takes.name)}:{_offered(command.takes)}"


def _offered(values: Values) -> str:
    if values.are_files:
        return "_files"
    words = " ".join(values.words)
    if words.endswith("="):
        return f"{{compadd -S '' -- {words}}}"
    return f"({words})"


def _described(command: Command) -> str:
    return _quoted(f"{command.name}:{_told(command.summary)}")


def _told(text: str) -> str:
    for special in "\\[]:":
        text = text.replace(special, f"\\{special}")
    return text


def _quoted(text: str) -> str:
    inside = text.replace("'", "'\\''")
    return f"'{inside}'"
