"""The command line: `completion`, in the shells themselves.

Comes in: what somebody has typed before the Tab. Goes out: a failure where bash, zsh or fish offers
something else than the command line takes, in the shell as it is: on a terminal, with Tab pressed.
"""

import os
import pty
import re
import select
import shutil
import subprocess
import time

import pytest

from elementguard import RULES
from elementguard._limits import NAMES as LIMITS
from elementguard.cli import formats, parser

COMMANDS = [name for name in parser.parsers() if name]
SHELLS = ("bash", "zsh", "fish")


def needs(shell):
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed")


@pytest.fixture
def script(call, here):
    def script(shell):
        code, out, err = call("completion", shell)
        assert (code, err) == (0, "")
        (here / f"completion.{shell}").write_text(out)
        return out

    return script


@pytest.mark.parametrize("shell", SHELLS)
def test_each_flag_of_each_command_is_in_it(call, script, shell):
    out = script(shell)
    for command in COMMANDS:
        told = call(command, "--help")[1]
        flags = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", told.partition("exit codes")[0]))
        assert "--help" in flags
        for flag in flags:
            assert flag in out or f"-l {flag[2:]}" in out, (command, flag)
    assert out.endswith("\n")
    assert out.isascii()


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_reads_it_without_a_word(script, here, shell):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script(shell)
    done = subprocess.run(
        [shell, "-n", f"completion.{shell}"], capture_output=True, check=False, cwd=here
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_wrong_usage(call):
    assert call("completion")[0] == 2
    code, out, err = call("completion", "tcsh")
    assert (code, out) == (2, "")
    assert "'bash', 'zsh', 'fish'" in err


# --- what is offered ---

OFFERED = [
    ("", {*COMMANDS}),
    ("che", {"check"}),
    ("s", {"salvage", "show", "shrink", "sizes", "schema", "selftest"}),
    ("--ver", {"--version"}),
    ("check --ki", {"--kind"}),
    ("check --limi", {"--limit", "--limits"}),
    ("check --kind ", {"answer", "element"}),
    ("check --kind=e", {"element"}),
    ("check --kind=", {"answer", "element"}),
    ("check --output-format ", set(formats.NAMES)),
    ("check --output-format j", {"json", "jsonl", "junit"}),
    ("check --color never --fail-level w", {"warning"}),
    ("check --limit d", {"depth="}),
    ("check --limit ", {f"{name}=" for name in LIMITS}),
    ("check --level focus-", {"focus-gap="}),
    ("check --level json-", set()),
    ("check --ignore focus", {"focus-gap", "focused-siblings"}),
    ("shrink a.json --code hovered-", {"hovered-ancestor"}),
    ("shrink --code hovered-ancestor --d", {"--diff"}),
    ("sizes --by text", {"text_bytes"}),
    ("schema ", set(parser.parsers()["schema"][1]._actions[1].choices)),
    ("rule many", {"many-hovered"}),
    ("rule ", set(RULES)),
    ("completion ", set(SHELLS)),
    ("check one-", {"one-answer.json"}),
    ("show --html one-", {"one-answer.json"}),
    ("fix one-", {"one-answer.json"}),
]
each = pytest.mark.parametrize("typed, offered", OFFERED, ids=[typed for typed, _ in OFFERED])

IN_BASH = """\
source ./completion.bash
line="elementguard {0}"
COMP_WORDS=(${{line//=/ = }})
[[ $line == *' ' ]] && COMP_WORDS+=("")
COMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 ))
_elementguard
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@needs("bash")
@each
def test_bash_offers(script, here, typed, offered):
    script("bash")
    if offered == {"one-answer.json"}:  # bash's own, if nothing is offered
        offered = set()
    (here / "ask.bash").write_text(IN_BASH.format(typed))
    done = subprocess.run(
        ["bash", "ask.bash"], capture_output=True, check=False, cwd=here, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert set(done.stdout.split()) == offered


@needs("fish")
@each
def test_fish_offers(script, here, typed, offered):
    script("fish")
    (here / "one-answer.json").touch()
    home = here / "home"
    home.mkdir()
    ask = f"function elementguard; end; source completion.fish; complete -C 'elementguard {typed}'"
    done = subprocess.run(
        ["fish", "--no-config", "-c", ask],
        capture_output=True,
        check=False,
        cwd=here,
        env={**os.environ, "HOME": str(home)},
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    told = {line.split("\t")[0].rpartition("--kind=")[2] for line in done.stdout.splitlines()}
    assert told == offered


# --- on a terminal, with Tab pressed ---

STARTS = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
BEGINS = {
    "bash": "elementguard() {{ printf 'GOT:%s|' \"$@\"; echo; }}; source completion.bash",
    "zsh": "autoload -U compinit; compinit -u -d zdump; "
    "elementguard() {{ printf 'GOT:%s|' \"$@\"; echo }}; source completion.zsh",
}
PRESSED = [
    ("che\tone-\t", "check|one-answer.json|"),
    ("check --ki\telem\t", "check|--kind|element|"),
    ("check --limit dep\t64", "check|--limit|depth=64|"),
    ("check --level focus-\toff one\t", "check|--level|focus-gap=off|one-answer.json|"),
    ("shrink one-\t--cod\thovered-\t", "shrink|one-answer.json|--code|hovered-ancestor|"),
    ("fix one-\t-o one\t", "fix|one-answer.json|-o|one-answer.json|"),
    ("rule many\t", "rule|many-hovered|"),
    ("compl\tzs\t", "completion|zsh|"),
]


@pytest.mark.parametrize("shell", ["bash", "zsh"])
@pytest.mark.parametrize("keys, got", PRESSED, ids=[got for _, got in PRESSED])
def test_tab(script, here, shell, keys, got):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script(shell)
    (here / "one-answer.json").touch()
    controller, terminal = pty.openpty()
    size = "stty rows 24 cols 200"
    subprocess.run(size.split(), stdin=terminal, check=True)
    with subprocess.Popen(
        STARTS[shell],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        cwd=here,
        env={"PATH": os.environ["PATH"], "HOME": str(here), "TERM": "dumb", "LANG": "C"},
        start_new_session=True,
    ) as process:
        os.close(terminal)
        os.write(controller, (BEGINS[shell].format() + "; echo BEG''UN\n").encode())
        shown(controller, "BEGUN")
        os.write(controller, f"elementguard {keys}".encode())
        time.sleep(0.2)  # a shell that is still at work throws keys away at an ambiguous Tab
        os.write(controller, b"\n")
        told = shown(controller, "GOT:")
        os.write(controller, b"exit\n")
        process.wait(timeout=20)
    os.close(controller)
    words = [word.removeprefix("GOT:") for word in re.findall(r"GOT:[^|]*(?=\|)", told)]
    said = "".join(f"{word}|" for word in words)
    if shell == "zsh":  # which writes --flag=value
        said = re.sub(r"(--[a-z-]+)=", r"\1|", said)
    assert said == got


def shown(controller, wanted):
    """What a terminal shows until a line begins with that."""
    told, until = "", time.monotonic() + 20
    while time.monotonic() < until:
        if select.select([controller], [], [], 0.2)[0]:
            told += os.read(controller, 65536).decode(errors="replace")
        if re.search(rf"^{wanted}.*\n", told, re.MULTILINE):
            return told
    raise AssertionError(told)
