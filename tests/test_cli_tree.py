"""The command line: `show` and `sizes`: an answer's tree, and what weighs most in it."""

import gzip
import json
import os
import time
from pathlib import Path

import jsonschema
import pytest

from cli_answers import CONTROLS, HEAD, WRONG, unread
from effort import lines_run

HOSTILE = '\x1b[2J\x9b31m\u202egnp\u2028\r\n::error::\x7f" [position]'
COMMANDS = ("show", "sizes", "sizes --json")
BLOCK = '{"type":"text","text":"four"}'
IMAGE = '{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="}'
TREE = f"""{HEAD},"title":"Notes","children":[
{{"id":"w-1","role":"Window","focused":true,"children":[
{{"id":"d-1","role":"Document","focused":true,"hovered":true,"content":[{BLOCK},{BLOCK}]}},
{{"id":"d-2","role":"Cardd","subrole":"card","visible":false,"selected":false,"children":[
{{"id":"d-3","role":"Image","selected":true,"content":[{IMAGE}]}},
{{"id":"d-4","role":"Row","visible":true,"attributes":{{"children":[{{}}]}},"titel":"x"}}]}}]}}]}}}}
"""
SHOWN = """\
protocol 0.2.0, instance k3f9x2
Application #app "Notes"
  Window #w-1 [focused]
    Document #d-1 [position, pointer]
    Group #d-2 sent as "Cardd" subrole "card" [not on screen]
    ! warning unknown-role
    ! warning false-state
      Image #d-3 [selected, not on screen]
      Row #d-4
      ! warning unknown-member
6 elements; 3 warnings
"""


@pytest.fixture(autouse=True)
def written(here):
    (here / "tree.json").write_text(TREE)


def hostile(text):
    child = {"id": "c-1", "role": text, "subrole": text, "title": text, text: text}
    root = {"id": "app", "role": "Application", "title": text, "children": [child]}
    return {"protocol": "0.2.0", "instance": text, text: 1, "root": root}


# --- show ---


def test_show_is_the_tree_with_all_that_is_where(call):
    code, out, err = call("show", "tree.json")
    assert (code, err) == (0, "")
    lines = [line.split(": ")[0] if "! " in line else line for line in out.splitlines()]
    assert lines == SHOWN.splitlines()


def test_a_finding_of_the_answer_itself_stands_before_the_root(call, here):
    (here / "more.json").write_text(TREE.replace('"root"', '"n":123456789012345678901,"root"'))
    lines = call("show", "more.json")[1].splitlines()
    assert lines[1].startswith("! warning imprecise-number: ")
    assert lines[2].startswith("Application")


def test_show_takes_single_elements(call, here):
    text = '{"id":"a","role":"Row","title":"","children":[{"id":"b","role":"Row","title":""}]}'
    (here / "element.json").write_text(text)
    code, out, _ = call("show", "element.json", "--kind", "element")
    lines = [line.split(": ")[0] for line in out.splitlines()]
    note = "! note blank-title"
    assert code == 0
    assert lines == ['Row #a ""', note, '  Row #b ""', f"  {note}", "2 elements; 2 notes"]


def test_an_answer_with_errors_has_its_report_instead(call):
    code, out, err = call("show", "wrong.json")
    assert (code, err) == (1, "")
    assert out.startswith("wrong.json:1:")
    assert "error root-not-application" in out
    assert out.splitlines()[-1].startswith("no tree: the answer has errors (1 error)")
    assert "json-truncated" in call("show", "cut.json")[1]


def test_limits_hold(call):
    for command in COMMANDS:
        code, out, err = call(*command.split(), "tree.json", "--limit", "elements=2")
        assert code == 1
        assert "limit-elements" in out + err
        assert call(*command.split(), "tree.json", "--limits", "recommended")[0] == 0
        assert "limit-bytes" in "".join(call(*command.split(), "tree.json", "--limit=bytes=9")[1:])


def test_findings_that_are_not_kept_are_counted(call):
    out = call("show", "tree.json", "--limit", "findings=1")[1]
    assert out.splitlines()[-1] == "6 elements; 3 warnings (the first 1 are shown)"
    assert out.count("! ") == 1


def test_a_deep_answer_is_no_wide_one(call, here):
    deep = "".join(f'{{"id":"a{depth}","role":"Row","children":[' for depth in range(400))
    (here / "deep.json").write_text(deep + '{"id":"z","role":"Row"}' + "]}" * 400)
    started = time.perf_counter()
    code, out, _ = call("show", "deep.json", "--kind", "element")
    assert code == 0
    lines = out.splitlines()
    assert lines[20] == " " * 40 + "Row #a20"
    assert lines[400] == " " * 40 + "(400) Row #z"
    assert time.perf_counter() - started < 5


def test_twice_as_deep_an_answer_takes_twice_as_many_lines(call, here):
    def show(levels):
        deep = "".join(f'{{"id":"a{depth}","role":"Row","children":[' for depth in range(levels))
        (here / "deep.json").write_text(deep + '{"id":"z","role":"Row"}' + "]}" * levels)
        return lines_run(lambda: call("show", "deep.json", "--kind", "element"))

    assert show(400) < 2.1 * show(200)


# --- sizes ---


def test_sizes_is_a_table_of_the_heaviest(engine, call):
    code, out, err = call("sizes", "tree.json", "-n", "3")
    assert (code, err) == (0, "")
    head, *rows = out.splitlines()
    assert head.split() == ["bytes", "text", "blobs", "elements", "element"]
    answer = engine.load(TREE)
    expected = [
        [*map(str, (e.size.bytes, e.size.text_bytes, e.size.blob_bytes, e.size.elements)), e.role]
        for e in answer.heaviest(3)
    ]
    assert [row.split()[:5] for row in rows] == expected
    assert rows[0].endswith('Application #app "Notes"')
    assert rows[0].split()[1:4] == ["8", "8", "6"]


@pytest.mark.parametrize("by", ["bytes", "elements", "content_bytes", "text_bytes", "blob_bytes"])
def test_sizes_as_json(engine, call, by):
    code, out, _ = call("sizes", "tree.json", "--json", "--by", by, "-n", "4")
    assert code == 0
    whole = json.loads(out)
    assert whole["version"] == 1
    assert whole["elements"] == [
        {
            "id": one.id,
            "role": one.role,
            "title": one.title,
            "pointer": one.pointer,
            **one.size._asdict(),
        }
        for one in engine.load(TREE).heaviest(4, by=by)
    ]
    validator = jsonschema.Draft202012Validator(engine.schema("sizes"))
    validator.validate(whole)
    assert not validator.is_valid({**whole, "version": 2})
    assert not validator.is_valid({"version": 1})
    for member, wrong in WRONG_SIZES.items():
        first, *others = whole["elements"]
        assert not validator.is_valid({**whole, "elements": [*others, {**first, member: wrong}]})
        lacking = {name: value for name, value in first.items() if name != member}
        assert member == "more" or not validator.is_valid({**whole, "elements": [lacking]})


WRONG_SIZES = {
    **dict.fromkeys(("bytes", "elements", "height", "depth"), 0),
    **dict.fromkeys(("content_bytes", "text_bytes", "blob_bytes"), -1),
    "id": "a b",
    "role": "Toolbar",
    "title": 5,
    "pointer": "/root/title",
    "more": 1,
}


def test_how_many(call):
    assert len(call("sizes", "tree.json")[1].splitlines()) == 7
    assert len(call("sizes", "tree.json", "-n", "0")[1].splitlines()) == 1
    assert json.loads(call("sizes", "tree.json", "--json", "-n", "0")[1])["elements"] == []


def test_no_sizes_of_an_answer_with_errors(call):
    code, out, err = call("sizes", "wrong.json")
    assert (code, out) == (1, "")
    first, second = err.splitlines()
    assert first.startswith("elementguard: wrong.json: the answer has errors (1 error); ")
    assert second.startswith("error root-not-application at /root/role: ")


# --- both ---


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("is_valid", [True, False])
@pytest.mark.parametrize("is_raw", [True, False])
def test_nothing_raw_comes_out(run, here, command, is_valid, is_raw):
    answer = hostile(HOSTILE * 9)
    if not is_valid:
        answer["root"]["children"].append({"id": HOSTILE, "role": HOSTILE})
    text = json.dumps(answer)
    if is_raw:  # what JSON lets through unescaped
        for character in "\x9b\u202e\u2028\x7f":
            text = text.replace(json.dumps(character)[1:-1], character)
    (here / "hostile.json").write_text(text, encoding="utf-8", newline="")
    code, out, err = run(*command.split(), "hostile.json")
    assert code == (0 if is_valid else 1)
    assert not CONTROLS.search(out + err)
    assert not [line for line in (out + err).splitlines() if line.startswith(("gnp", "::"))]


def test_a_title_cannot_look_like_a_mark(call, here):
    (here / "forged.json").write_text(
        HEAD + ',"title":' + json.dumps('a" [position, selected]\\') + "}}"
    )
    for command in ("show", "sizes"):
        out = call(command, "forged.json")[1]
        assert r'Application #app "a\" [position, selected]\\"' in out


def test_long_titles_are_cut(call, here):
    (here / "long.json").write_text(HEAD + ',"title":"' + "x" * 1_000_000 + '"}}')
    for command in ("show", "sizes"):
        out = call(command, "long.json")[1]
        assert 'xxx..."' in out
        assert len(out) < 500


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "name", ["gone.json", ".", "clean.json/x", "loop.json", "a\0b", "x" * 5000]
)
def test_bad_names(call, here, command, name):
    (here / "loop.json").symlink_to("loop.json")
    code, out, err = call(*command.split(), name)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert not CONTROLS.search(err)


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["show"], "FILE"),
        (["sizes"], "FILE"),
        (["show", "tree.json", "--kind", "tree"], "tree"),
        (["sizes", "tree.json", "-n", "-1"], "-n"),
        (["sizes", "tree.json", "-n", "few"], "number value: 'few'"),
        (["sizes", "tree.json", "--by", "weight"], "weight"),
        (["show", "tree.json", "--limit", "nodes=1"], "no such limit"),
    ],
)
def test_wrong_usage_is_code_2_and_says_what(call, arguments, says):
    code, out, err = call(*arguments)
    assert (code, out) == (2, "")
    assert says in err


@pytest.mark.parametrize("command", COMMANDS)
def test_ways_in(run, here, command):
    expected = run(*command.split(), "tree.json")
    assert expected[0] == 0
    assert run(*command.split(), "-", stdin=TREE) == expected
    (here / "tree.json.gz").write_bytes(gzip.compress(TREE.encode()))
    assert run(*command.split(), "tree.json.gz") == expected
    code, out, err = run(*command.split(), "-", stdin="")
    assert code == 1
    assert "json-truncated" in out + err
    name = os.fsdecode(b"we\xff\x1b[2J\n\xe2\x80\xae.json")
    Path(here / name).write_text(TREE)
    assert run(*command.split(), name) == expected
    Path(here / name).write_text(WRONG)
    code, out, err = run(*command.split(), name)
    assert code == 1
    assert "we\\xff\\u001b[2J\\u000a\\u202e.json" in out + err
    assert not CONTROLS.search(out + err)


@pytest.mark.parametrize("command", ["show", "sizes -n 9000", "sizes --json -n 9000"])
def test_a_reader_that_goes_away_ends_it_quietly(environment, here, command):
    child = ',{"id":"c-%d","role":"Row","selected":false,"title":"' + "x" * 100 + '"}'
    children = "".join(child % number for number in range(5000))
    (here / "large.json").write_text(HEAD + ',"children":[' + children[1:] + "]}}")
    assert unread(environment, *command.split(), "large.json") == (2, b"")


def test_colours_are_for_terminals(run):
    assert "\x1b" not in run("show", "tree.json")[1]
    assert "\x1b[33;1mwarning\x1b[0m" in run("show", "tree.json", FORCE_COLOR="1")[1]
