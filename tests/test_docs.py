"""The documents tell the truth: every code block of the README is run, on both engines.

Comes in: README.md. Goes out: a failure where a block does something else than the README says. The
blocks run in a scratch folder that holds the shipped examples, from top to bottom; what one Python
block defines, the next may use.

    python    with `>>>` a doctest; else a script, whose output is the `text` block behind it, and
              whose `test_...` functions are called
    console   `$ ` and a command of the shell, below it what it prints; `> ` goes on with a command
    text      the output of the script before it, or the picture
    toml      the configuration of a run that needs all of it to pass

Rust blocks of the crate's README are run by `cargo test` (`lib.rs` says so).
"""

import doctest
import io
import os
import re
import shutil
import subprocess
import sys
import tomllib
from contextlib import redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest

from elementguard._limits import NAMES
from elementguard.cli import main

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
FENCE = re.compile(r"^```(?P<language>[a-z]+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)\)")
END = "--- end of output ---"
UNITS = {"KiB": 1024, "MiB": 1024 * 1024}
MEDIA_TYPES = {
    "PNG": "image/png",
    "JPEG": "image/jpeg",
    "GIF": "image/gif",
    "WebP": "image/webp",
    "WAV": "audio/wav",
    "MP3": "audio/mpeg",
}

# Commands that a block shows and no test of this file can run, and what runs them instead.
RUN_ELSEWHERE = {
    "make demo": "builds the extension; what it shows then is in test_the_demo",
    "make test": "it is what runs this test",
    "pip install .": "builds and installs: tools/check_wheels.py does so with each built file",
}


class Block(NamedTuple):
    """A fenced block of a document."""

    language: str
    text: str
    line: int  # of its fence, from 1
    follows: bool  # nothing but white space stands between the block before and this one


def blocks_of(document):
    text, end, found = document.read_text("utf-8"), 0, []
    for match in FENCE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        follows = not text[end : match.start()].strip()
        found.append(Block(match["language"], match["text"], line, follows))
        end = match.end()
    assert text.count("\n```") == 2 * len(found), "a fence that is no block"
    return found


BLOCKS = blocks_of(README)
CONSOLE = [block for block in BLOCKS if block.language == "console"]


@pytest.fixture
def here(tmp_path, monkeypatch):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- Python ---


@pytest.mark.usefixtures("here")
def test_the_python_blocks_do_what_they_show(engine):
    namespace = {"__name__": "readme"}
    for block, behind in zip(BLOCKS, [*BLOCKS[1:], None], strict=True):
        if block.language != "python":
            continue
        if ">>>" in block.text:
            run_doctest(block, namespace)
        else:
            has_output = behind is not None and behind.language == "text" and behind.follows
            assert run_script(block, namespace) == (behind.text if has_output else "")
    assert namespace["eg"].engine == engine.engine


def run_doctest(block, namespace):
    test = doctest.DocTestParser().get_doctest(
        block.text, namespace, "README.md", README.name, block.line
    )
    told = []
    doctest.DocTestRunner(verbose=False).run(test, out=told.append, clear_globs=False)
    assert not told, "".join(told)
    namespace.update(test.globs)


def run_script(block, namespace):
    before = set(namespace)
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile("\n" * block.line + block.text, README.name, "exec"), namespace)
        for name in namespace.keys() - before:
            if name.startswith("test_"):
                namespace[name]()
    return printed.getvalue()


# --- the shell ---


@pytest.mark.parametrize("block", CONSOLE, ids=lambda block: f"line-{block.line}")
def test_a_console_block_prints_what_it_shows(environment, here, block):
    shown = session(block.text)
    commands = [command for command, _ in shown]
    if set(commands) <= RUN_ELSEWHERE.keys():
        assert not any(output for _, output in shown), "nothing would hold it"
        return
    assert run_commands(commands, here, environment) == [output for _, output in shown]


def session(text):
    """The commands of a block, each with what stands below it."""
    shown = []
    for line in text.splitlines(keepends=True):
        if line.startswith("$ "):
            shown.append([without_comment(line), ""])
        elif line.startswith("> ") and not shown[-1][1]:
            shown[-1][0] += f"\n{line[2:].rstrip()}"
        else:
            shown[-1][1] += line
    return [tuple(one) for one in shown]


def without_comment(line):
    return line.removeprefix("$ ").partition("  #")[0].rstrip()


def run_commands(commands, here, environment):
    """What each prints, the two streams together, in one shell, so that `$?` is the last one's."""
    script = "".join(f'{one}\n__code=$?; echo "{END}"; (exit $__code)\n' for one in commands)
    done = subprocess.run(
        ["/bin/sh", "-c", script],
        cwd=here,
        env={**environment, "PATH": f"{programs(here)}{os.pathsep}{environment['PATH']}"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=120,
    )
    *outputs, rest = done.stdout.split(f"{END}\n")
    assert not rest
    return outputs


def programs(here):
    """A folder with `elementguard` and `python` as an installed package would have them."""
    folder = here / "bin"
    folder.mkdir()
    for name, arguments in (("python", ""), ("elementguard", " -m elementguard")):
        program = folder / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}"{arguments} "$@"\n')
        program.chmod(0o755)
    return folder


@pytest.mark.usefixtures("engine")
def test_the_configuration_is_one(here, capsys):
    (block,) = (one for one in BLOCKS if one.language == "toml")
    (here / "pyproject.toml").write_text(block.text)
    assert set(tomllib.loads(block.text)["tool"]["elementguard"]) == {
        *("fail-level", "baseline", "ignore", "limits", "limit", "level")
    }
    assert main(["check", "examples/notes-faulty.json", "--write-baseline"]) == 0
    assert main(["check", "examples/notes-faulty.json"]) == 0
    assert "in the baseline" in capsys.readouterr().out
    (here / "pyproject.toml").unlink()
    assert main(["check", "examples/notes-faulty.json"]) == 1


def test_the_demo(environment):
    """What `make demo` shows once the package is there, from the top of the sources."""
    done = subprocess.run(
        ["/bin/sh", "examples/demo.sh"],
        cwd=ROOT,
        env={**environment, "PY": sys.executable},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == f"engine: {environment['ELEMENTGUARD_ENGINE']}"
    verdicts = [line for line in lines if line.startswith(("passed: ", "failed: "))]
    assert verdicts == [
        "passed: 1 answer, no findings",
        "failed: 1 answer, 4 errors, 5 warnings",
    ]


# --- the rest of what is said ---


def test_every_block_is_of_a_kind_that_runs():
    pictures = [one for one in BLOCKS if one.language == "text" and not one.follows]
    assert len(pictures) == 1
    assert {one.language for one in BLOCKS} == {"python", "console", "text", "toml"}


def test_the_picture_shows_rooms_that_both_engines_have():
    (picture,) = (one for one in BLOCKS if one.language == "text" and not one.follows)
    rooms = re.findall(r"\b(lexer|walk|reader|tree|rules|report)\b", picture.text)
    assert sorted(rooms) == ["lexer", "reader", "report", "rules", "tree", "walk"]
    for room in rooms:
        assert (ROOT / f"rust/elementguard/src/{room}.rs").exists() or room == "rules"
        assert (ROOT / f"python/elementguard/_python/{room}.py").exists() or room == "rules"
    assert (ROOT / "rust/elementguard/src/rules").is_dir()
    assert (ROOT / "python/elementguard/_python/rules").is_dir()


@pytest.mark.parametrize("document", ["README.md", "rust/elementguard/README.md"])
def test_what_is_linked_is_there(document):
    file = ROOT / document
    missing = [
        target
        for target in LINK.findall(file.read_text("utf-8"))
        if not (file.parent / target).exists()
    ]
    assert not missing


def test_the_targets_of_make_that_are_named_exist():
    targets = re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    named = set(re.findall(r"(?:`|\$ )make ([a-z-]+)", README.read_text("utf-8")))
    assert {"demo", "test"} <= named <= set(targets)


def test_the_table_of_limits_is_that_of_the_code(engine):
    row = re.compile(r"^\| `(\w+)` \| [^|]+ \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
    rows = row.findall(README.read_text("utf-8"))
    assert [name for name, _, _ in rows] == list(NAMES)
    for name, default, recommended in rows:
        assert limit(default) == getattr(engine.Limits(), name)
        assert limit(recommended) == getattr(engine.Limits.recommended(), name)


def limit(shown):
    if shown == "no limit":
        return None
    if not shown[0].isdigit():
        return tuple(MEDIA_TYPES[word] for word in shown.split(", "))
    count, _, unit = shown.partition(" ")
    return int(count.replace(",", "")) * UNITS.get(unit, 1)
