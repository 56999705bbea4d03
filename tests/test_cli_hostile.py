"""The command line: a hostile answer in a hostile file goes through every command.

Comes in: answers whose every word attacks whoever shows it, words of a megabyte, names of files
that are no text. Goes out: a failure where a control comes out raw, or far more than a person or
a terminal can take. What an answer is rewritten to (`fix`, `salvage`, `excerpt` and `shrink`, to
stdout or with -o) is its own bytes and no talk: there the line is drawn. Every format of `check` is
in test_cli_formats.py, what a page holds in
test_cli_pages.py.
"""

import json
import os
import re
from pathlib import Path

import pytest

import hostile
from cli_answers import CONTROLS, HEAD

NAME = b"a\xff\x1b[2J\n\xe2\x80\xae::error::x<script>]]>.json"
SHOWN = "a\\xff\\u001b[2J\\u000a\\u202e::error::x<script>]]>.json"
LONG = 1 << 20


def valid():
    """The words wherever an answer without errors may hold them, as raw as JSON lets them be."""
    words = [word for word in hostile.WORDS.values() if not re.search("[\ud800-\udfff]", word)]
    children = [
        {
            "id": f"e-{number}",
            "role": word,
            "subrole": word,
            "title": word.replace("\r\n", ""),
            "attributes": {word: word},
            "content": [{"type": "text", "text": word}],
            "focused": False,
            word: 1,
        }
        for number, word in enumerate(words)
    ]
    return f'{HEAD},"children":{json.dumps(children, ensure_ascii=False)}}}}}\n'


def doubled():
    """The same with each hostile name once more: what is salvaged lies behind hostile pointers."""
    return re.sub(
        r'"attributes": \{(.{0,999}?)\}, "content"', r'"attributes": {\1, \1}, "content"', valid()
    )


def long():
    """Ids and roles of a megabyte each."""
    child = {"id": "i" * LONG, "role": "\x1b" + "r" * LONG, "children": []}
    return f'{HEAD},"children":{json.dumps([child])}}}}}'


ANSWERS = {"faulty": hostile.answer, "valid": valid, "doubled": doubled, "long": long}
COMMANDS = {
    "check": ["check"],
    "check, everything": ["check", "--notes", "--statistics", "-v", "--limit", "findings=none"],
    "show": ["show"],
    "show --html": ["show", "--html", "-"],
    "sizes": ["sizes"],
    "sizes --html": ["sizes", "--html", "-"],
    "sizes --json": ["sizes", "--json"],
    "fix --diff": ["fix", "--unsafe", "--diff"],
    "salvage": ["salvage", "-o", "out.json"],
    "excerpt": ["excerpt", "--max-bytes", "2000", "-o", "out.json"],
    "excerpt, too little": ["excerpt", "--max-bytes", "20", "-o", "out.json"],
    "excerpt --keep": ["excerpt", "--max-bytes", "2000", "--keep", "\x1b\u202e", "-o", "out.json"],
    "shrink --diff": ["shrink", "--code", "unknown-role", "--diff"],
}
# Pages, diffs and tables of numbers grow with the answer; talk does not.
GROWS = {"show --html", "sizes --html", "sizes --json", "fix --diff", "shrink --diff"}


@pytest.fixture(params=ANSWERS)
def file(request, here):
    """The name of the hostile file."""
    path = Path(os.fsdecode(bytes(here) + b"/" + NAME))
    path.write_bytes(ANSWERS[request.param]().encode())
    return path.name


def test_the_answers_are_what_they_are_called(engine):
    assert {name: engine.is_valid(make()) for name, make in ANSWERS.items()} == {
        "faulty": False,
        "valid": True,
        "doubled": False,
        "long": False,
    }


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_raw_comes_out_of_a_command(call, file, here, command):
    code, out, err = call(*COMMANDS[command], file)
    assert code in (0, 1, 2)
    assert out + err
    assert not CONTROLS.search(out + err)
    assert not re.search("[\ud800-\udfff]", out + err)
    assert "internal error" not in err
    size = (here / file).stat().st_size
    assert len(out + err) < (3 * size + 200_000 if command in GROWS else 200_000)
    if command not in GROWS:
        assert max(map(len, (out + err).splitlines())) < 2_000


@pytest.mark.parametrize("command", ["check", "show", "fix"])
def test_names_are_escaped_wherever_they_stand(call, command):
    code, _, err = call(command, os.fsdecode(NAME))
    assert (code, err) == (2, f"elementguard: {SHOWN}: No such file or directory\n")


def test_a_given_name_of_stdin_is_escaped(run):
    given = "a\x1b[2J\u202e.json"
    code, out, err = run("check", "--stdin-filename", given, stdin=hostile.answer())
    assert code == 1
    assert out.startswith("a\\u001b[2J\\u202e.json:1:")
    assert not CONTROLS.search(out + err)


def test_a_baseline_neither_holds_nor_says_it(call, here, file):
    flags = ["check", file, "--notes", "--baseline", "known.json", "--limit", "findings=none"]
    _, out, err = call(*flags, "--write-baseline")
    held = (here / "known.json").read_text("utf-8")
    assert not CONTROLS.search(out + err + held)
    (here / file).write_text(f"{HEAD}}}}}")
    code, out, err = call(*flags)
    assert code in (0, 1, 2)
    assert not CONTROLS.search(out + err)
    assert len(out + err) < 200_000


def test_a_hostile_baseline_is_escaped(call, here):
    entry = {"file": "clean.json", "line": None, "code": "\x1b[2J\u202e", "fingerprint": "x"}
    (here / "known.json").write_text(json.dumps({"version": 1, "findings": [entry]}))
    code, _, err = call("check", "clean.json", "--baseline", "known.json")
    assert code == 0
    assert err.startswith("clean.json: \\u001b[2J\\u202e: in the baseline, not found any more\n")
    assert not CONTROLS.search(err)


@pytest.mark.parametrize("command", [["rule"], ["check", "--select"], ["shrink", "--code"]])
def test_a_code_that_is_none_is_escaped(call, command):
    name = [] if command == ["rule"] else ["clean.json"]
    code, out, err = call(*command, "\x1b[2J\u202e", *name)
    assert (code, out) == (2, "")
    assert not CONTROLS.search(err)
