"""Completion: bash.

Comes in: our commands. Goes out: a function that bash calls at each Tab. It looks for the command
among the words, then at the word before the cursor. bash takes `--flag=value` for three words.
Where nothing is offered, bash offers files, as it does without us.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from elementguard.cli.completion import Command, Flag

_HEAD = """\
# Completion for bash, made by `elementguard completion bash`. To have it in every shell:
#   elementguard completion bash > ~/.local/share/bash-completion/completions/elementguard
_elementguard() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words= command= at
    if [[ $current == "=" ]]; then
        current=
    elif [[ $before == "=" ]]; then
        before=${COMP_WORDS[COMP_CWORD-2]}
    fi
    for (( at = 1; at < COMP_CWORD; at++ )); do
        case ${COMP_WORDS[at]} in
"""
_TAIL = """\
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    if [[ ${COMPREPLY[*]} == *= ]]; then
        compopt -o nospace 2> /dev/null
    fi
}
complete -o bashdefault -o default -F _elementguard elementguard
"""


def script(commands: list[Command]) -> str:
    """The script."""
    first, *others = commands
    names = [one.name for one in others]
    lines = [
        f"            {'|'.join(names)}) command=${{COMP_WORDS[at]}}; break ;;",
        "        esac",
        "    done",
        "    case $command/$before in",
    ]
    for command in others:
        lines += (_case(command.name, flag) for flag in command.flags if flag.takes)
    lines += (_otherwise(one, one.takes.words if one.takes else ()) for one in others)
    lines.append(_otherwise(first, tuple(names)))
    return _HEAD + "".join(f"{line}\n" for line in lines) + _TAIL


def _case(command: str, flag: Flag) -> str:
    words = " ".join(flag.takes.words) if flag.takes else ""
    places = "|".join(f"{command}/{name}" for name in flag.names)
    return f'        {places}) words="{words}" ;;'


def _otherwise(command: Command, words: tuple[str, ...]) -> str:
    """Where no flag waits for its value: flags, or what stands by itself."""
    flags = " ".join(_names(command))
    choice = f'if [[ $current == -* ]]; then words="{flags}"; else words="{" ".join(words)}"; fi'
    return f"        {command.name}/*) {choice} ;;"


def _names(command: Command) -> Iterator[str]:
    for flag in command.flags:
        yield from flag.names
