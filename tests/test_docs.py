"""The documents tell the truth: each code block of README and docs/ is run, on both engines.

Comes in: the blocks, as `documents.py` reads them. Goes out: a failure where a block does something
else than its page says. Blocks run in a scratch folder that holds the shipped examples, from top to
bottom; what one Python block defines, the next of the page may use.

    python    with `>>>` a doctest; else a script, whose output is the `text` block behind it, and
              whose `test_...` functions are called
    console   `$ ` and a command of the shell, below it what it prints; `> ` goes on with a command
    text      what comes out of the block before it, or a picture
    json      an answer or an element: what is found in it is the `text` block behind it, and
              nothing if there is none; other JSON is only read
    toml      the configuration of a run that needs all of it to pass
    yaml      read; what is in docs/ci.md is run by `test_recipes.py`

A block with the line `<!-- not run: REASON -->` above it is not run, and shows no output. Rust
blocks of the crate's README are run by `cargo test` (`lib.rs` says so).
"""

import doctest
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from contextlib import redirect_stdout

import pytest
import yaml

import corpus
from documents import BLOCKS, DOCUMENTS, PAGES, README, ROOT, of, session
from elementguard._limits import NAMES
from elementguard.cli import main

KINDS = {"python", "console", "text", "json", "toml", "yaml"}
ALL = "".join(file.read_text("utf-8") for file in [README, *PAGES])
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


@pytest.fixture
def here(tmp_path, monkeypatch):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- Python ---


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("document", sorted({block.document for block in of("python")}))
def test_the_python_blocks_do_what_they_show(engine, document):
    namespace = {"__name__": "document"}
    for block in of("python"):
        if block.document != document:
            continue
        if ">>>" in block.text:
            run_doctest(block, namespace)
        else:
            assert run_script(block, namespace) == (block.behind or ""), block.place
    assert namespace["eg"].engine == engine.engine


def run_doctest(block, namespace):
    test = doctest.DocTestParser().get_doctest(
        block.text, namespace, block.document, block.document, block.line
    )
    told = []
    doctest.DocTestRunner(verbose=False).run(test, out=told.append, clear_globs=False)
    assert not told, "".join(told)
    namespace.update(test.globs)


def run_script(block, namespace):
    before = set(namespace)
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile("\n" * block.line + block.text, block.document, "exec"), namespace)
        for name in namespace.keys() - before:
            if name.startswith("test_"):
                namespace[name]()
    return printed.getvalue()


# --- the shell ---


@pytest.mark.parametrize("block", of("console"), ids=lambda block: block.place)
def test_a_console_block_prints_what_it_shows(environment, here, block):
    shown = session(block.text)
    commands = [command for command, _ in shown]
    assert run_commands(commands, here, environment) == [output for _, output in shown]


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


# --- answers, configurations ---


@pytest.mark.parametrize("block", of("json"), ids=lambda block: block.place)
def test_a_json_block_has_the_findings_it_shows(engine, block):
    value = json.loads(block.text)
    kind = "element" if "role" in value else "answer"
    if kind == "answer" and "protocol" not in value:
        assert block.behind is None, "what is no answer has no findings"
        return
    findings = engine.check(block.text.rstrip("\n"), kind=kind).findings
    assert "".join(f"{finding}\n" for finding in findings) == (block.behind or "")


@pytest.mark.usefixtures("engine")
def test_the_configuration_is_one(here, capsys):
    (block,) = of("toml")
    (here / "pyproject.toml").write_text(block.text)
    assert set(tomllib.loads(block.text)["tool"]["elementguard"]) == {
        *("fail-level", "baseline", "ignore", "limits", "limit", "level")
    }
    assert main(["check", "examples/notes-faulty.json", "--write-baseline"]) == 0
    assert main(["check", "examples/notes-faulty.json"]) == 0
    assert "in the baseline" in capsys.readouterr().out
    (here / "pyproject.toml").unlink()
    assert main(["check", "examples/notes-faulty.json"]) == 1


@pytest.mark.parametrize("block", of("yaml"), ids=lambda block: block.place)
def test_a_yaml_block_is_yaml(block):
    assert yaml.safe_load(block.text)


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
    assert {one.language for one in BLOCKS} <= KINDS
    assert not [one.place for one in BLOCKS if one.language == "text" and one.reason]


def test_a_block_that_is_not_run_shows_no_output():
    unrun = [one for one in BLOCKS if one.reason]
    assert {one.language for one in unrun} <= {"console"}, "what else would a reader be shown?"
    for block in unrun:
        assert not any(output for _, output in session(block.text)), block.place


def test_the_one_picture_shows_rooms_that_both_engines_have():
    (picture,) = (one for one in BLOCKS if one.language == "text" and not one.follows)
    rooms = re.findall(r"\b(lexer|walk|reader|tree|rules|report)\b", picture.text)
    assert sorted(rooms) == ["lexer", "reader", "report", "rules", "tree", "walk"]
    for room in rooms:
        assert (ROOT / f"rust/elementguard/src/{room}.rs").exists() or room == "rules"
        assert (ROOT / f"python/elementguard/_python/{room}.py").exists() or room == "rules"
    assert (ROOT / "rust/elementguard/src/rules").is_dir()
    assert (ROOT / "python/elementguard/_python/rules").is_dir()


@pytest.mark.parametrize("document", [*DOCUMENTS, "rust/elementguard/README.md"])
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
    named = set(re.findall(r"(?:`|\$ )make ([a-z-]+)", ALL))
    assert {"demo", "test"} <= named <= set(targets)


def test_the_table_of_limits_is_that_of_the_code(engine):
    row = re.compile(r"^\| `(\w+)` \| [^|]+ \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
    rows = [found for found in row.findall(ALL) if found[0] in NAMES]
    assert [name for name, _, _ in rows] == list(NAMES)
    for name, default, recommended in rows:
        assert limit(default) == getattr(engine.Limits(), name)
        assert limit(recommended) == getattr(engine.Limits.recommended(), name)


def test_the_figures_of_the_readme_are_those_of_the_benchmarks():
    whole = {tuple(row.items()) for row in figures(ROOT / "docs" / "benchmarks.md")}
    for row in figures(README):
        assert any(row.items() <= dict(other).items() for other in whole), row
    assert set().union(*map(dict, whole)) <= set(corpus.SHAPES)


def figures(file):
    """The rows of the table of times, each by shape."""
    text = file.read_text("utf-8")
    table = re.search(r"^\| against `check` \|.*\n(?:\|.*\n)+", text, re.MULTILINE)[0]
    head, _, *rows = [cells(line) for line in table.splitlines()]
    assert len(rows) >= 4
    return [dict(zip(head[1:], row[1:], strict=True)) for row in rows]


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def limit(shown):
    if shown == "no limit":
        return None
    if not shown[0].isdigit():
        return tuple(MEDIA_TYPES[word] for word in shown.split(", "))
    count, _, unit = shown.partition(" ")
    return int(count.replace(",", "")) * UNITS.get(unit, 1)
