"""The command line's formats for machines, each read by somebody else's reader.

SARIF by pydantic classes, JUnit by junitparser and expat, Markdown by markdown-it, GitHub's lines
by what the runner does to them (runner.py). The page is in test_cli_pages.py.
"""

import gc
import json
import re
import tracemalloc
import xml.etree.ElementTree as ET

import jsonschema
import junitparser
import pytest
from markdown_it import MarkdownIt
from sarif_pydantic import Sarif

import hostile
import runner
from cli_answers import ALL, CLEAN, CONTROLS, CUT, HEAD, WARNED
from elementguard.cli import sifted
from elementguard.cli.formats import markdown

NEW = ["jsonl", "sarif", "github", "gitlab", "junit", "markdown", "html"]
EVERY = ["text", "concise", "json", *NEW]
COLUMNS = [ALL.index(text) + 1 for text in ('"Group"', '""', "[]")]


@pytest.fixture
def told(call, here):
    """What a format says of a clean answer, one of each level, a cut one, a missing file."""
    (here / "many.ndjson").write_text(f"{CLEAN}\n{CUT}\n")
    names = ["clean.json", "all.json", "many.ndjson", "gone.json"]

    def told(form, *flags):
        code, out, err = call("check", *names, "--output-format", form, *flags)
        assert code == 2
        assert err.splitlines()[-1].startswith("incomplete: ") or form == "markdown"
        return out

    return told


# --- golden, and judged ---


def test_jsonl_is_the_items_of_json_and_the_totals(engine, told):
    whole = json.loads(told("json"))
    *items, last = map(json.loads, told("jsonl").splitlines())
    assert items == [{"version": 1, **item} for item in whole.pop("inputs")]
    assert last == whole
    validator = jsonschema.Draft202012Validator(engine.schema("report"))
    for line in (*items, last):
        validator.validate(line)
        for member in line:
            assert not validator.is_valid({name: line[name] for name in line if name != member})
        assert not validator.is_valid({**line, "more": 1})


def test_sarif_has_results_rules_and_what_went_wrong(told):
    out = told("sarif", "--notes")
    log = json.loads(out)
    Sarif.model_validate(log)
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    results = run["results"]
    assert [(one["ruleId"], one["level"]) for one in results] == [
        ("root-not-application", "error"),
        ("blank-title", "note"),
        ("empty-children", "warning"),
        ("json-truncated", "error"),
    ]
    assert [rules[one["ruleIndex"]]["id"] for one in results] == [one["ruleId"] for one in results]
    places = [one["locations"][0]["physicalLocation"] for one in results]
    assert [(place["artifactLocation"]["uri"], *place["region"].values()) for place in places] == [
        *(("all.json", 1, column) for column in COLUMNS),
        ("many.ndjson", 2, len(CUT) + 1),
    ]
    assert results[0]["locations"][0]["logicalLocations"] == [
        {
            "name": "app",
            "kind": "element",
            "fullyQualifiedName": "/root/role",
            "decoratedName": "Group#app > role",
        }
    ]
    for rule in rules:
        assert rule["help"]["markdown"].startswith("## What it says")
        assert rule["help"]["text"] in rule["help"]["markdown"]
    (invocation,) = run["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, 2)
    (notice,) = invocation["toolExecutionNotifications"]
    assert notice["message"]["text"] == "No such file or directory"
    assert run["columnKind"] == "unicodeCodePoints"


def test_github_lines_are_commands_and_nothing_else(told):
    commands = list(map(runner.read, told("github", "--notes").splitlines()))
    assert [(name, *given.values()) for name, given, _ in commands] == [
        ("error", "all.json", "1", str(COLUMNS[0]), "root-not-application"),
        ("notice", "all.json", "1", str(COLUMNS[1]), "blank-title"),
        ("warning", "all.json", "1", str(COLUMNS[2]), "empty-children"),
        ("error", "many.ndjson", "2", str(len(CUT) + 1), "json-truncated"),
        ("error", "gone.json", "could not be checked"),
    ]
    assert list(commands[0][1]) == ["file", "line", "col", "title"]
    assert commands[0][2].splitlines()[-1] == "at Group#app > role"


def test_gitlab_has_what_its_page_needs(told):
    items = json.loads(told("gitlab", "--notes"))
    assert [
        (one["check_name"], one["severity"], one["location"]["path"], one["location"]["lines"])
        for one in items
    ] == [
        ("root-not-application", "major", "all.json", {"begin": 1}),
        ("blank-title", "info", "all.json", {"begin": 1}),
        ("empty-children", "minor", "all.json", {"begin": 1}),
        ("json-truncated", "major", "many.ndjson", {"begin": 2}),
        ("unreadable", "blocker", "gone.json", {"begin": 1}),
    ]
    assert len({one["fingerprint"] for one in items}) == len(items)
    assert all(one["description"] for one in items)


def test_junit_fails_what_fails(told):
    out = told("junit")
    suites = list(junitparser.JUnitXml.fromstring(out.encode()))
    assert [(one.name, one.tests, one.failures, one.errors) for one in suites] == [
        ("clean.json", 1, 0, 0),
        ("all.json", 2, 1, 0),
        ("many.ndjson:1", 1, 0, 0),
        ("many.ndjson:2", 1, 1, 0),
        ("gone.json", 1, 0, 1),
    ]
    failing, below = suites[1]
    (failure,) = failing.result
    assert (failing.name, failure.type) == ("root-not-application", "root-not-application")
    assert failure.text.startswith(f"all.json:1:{COLUMNS[0]}: error root-not-application: ")
    assert below.result == []
    assert "warning empty-children" in below.system_out
    for suite in ET.fromstring(out):
        assert int(suite.get("tests")) == len(suite)
        assert int(suite.get("failures")) == len(suite.findall("*/failure"))
        assert int(suite.get("errors")) == len(suite.findall("*/error"))


def test_junit_is_red_where_the_exit_code_is_1(call):
    for flags, code in ((), 0), (("--fail-level", "warning"), 1):
        got, out, _ = call("check", "warned.json", "--output-format", "junit", *flags)
        assert (got, len(ET.fromstring(out).findall("*/*/failure"))) == (code, code)


def test_markdown_is_a_table_and_the_verdict(told):
    out = told("markdown", "--notes")
    assert rows(out) == [
        ["error", f"all.json:1:{COLUMNS[0]}", "root-not-application"],
        ["note", f"all.json:1:{COLUMNS[1]}", "blank-title"],
        ["warning", f"all.json:1:{COLUMNS[2]}", "empty-children"],
        ["error", f"many.ndjson:2:{len(CUT) + 1}", "json-truncated"],
        ["error", "gone.json", ""],
    ]
    assert out.splitlines()[-1].startswith("**incomplete**: 4 answers, 1 could not be checked")


def rows(text):
    cells = [one.content for one in inlines(text)]
    starts = [at for at, cell in enumerate(cells) if cell in ("error", "warning", "note")]
    return [[plain(cell) for cell in cells[at : at + 3]] for at in starts]


def inlines(text):
    parser = MarkdownIt("commonmark").enable("table")
    return [token for token in parser.parse(text) if token.type == "inline"]


def plain(cell):
    (token,) = MarkdownIt("commonmark").parseInline(cell)
    return "".join(one.content for one in token.children)


# --- what is hostile ---

NAME = "a\x1b[2J\u202e::error::x,%0A]]>|<b>`[l](u).json"
SHOWN = NAME.replace("\x1b", "\\u001b").replace("\u202e", "\\u202e")


@pytest.fixture
def attacked(call, here):
    """What a format makes of the hostile answer, in a file whose name is hostile too."""
    (here / NAME).write_text(hostile.answer())

    def attacked(form):
        flags = ["--notes", "--limit", "findings=none", "--level", "malformed-id=warning"]
        code, out, err = call("check", NAME, "gone\x1b\u202e.json", "--output-format", form, *flags)
        assert code == 2
        assert not CONTROLS.search(out + err)
        assert not re.search("[\ud800-\udfff]", out + err)
        return out

    return attacked


@pytest.mark.parametrize("form", EVERY)
def test_nothing_raw_comes_out(attacked, form):
    out = attacked(form)
    # The exact pointer, however long, is JSON's alone.
    assert (max(map(len, out.splitlines())) > 150_000) == form.startswith("json")
    assert "malformed-id" in out
    assert out.isascii() or form not in ("jsonl", "gitlab", "sarif", "html")


def test_sarif_has_no_link_and_no_placeholder(attacked):
    out = attacked("sarif")
    log = json.loads(out)
    Sarif.model_validate(log)
    assert out.isascii()
    results = log["runs"][0]["results"]
    messages = [one["message"]["text"] for one in results]
    assert not [text for text in messages if re.search(r"\]\(", text)]
    assert [text for text in messages if "[link] (https" in text]
    assert not re.search(r"(?<!\{)(\{\{)*\{\d", "".join(messages))
    prints = [one["partialFingerprints"]["elementguard/v1"] for one in results]
    assert len(set(prints)) == len(prints)
    (uri,) = {one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in results}
    assert re.fullmatch(r"([\w.~/-]|%[0-9A-F]{2})+", uri)


def test_github_lines_give_back_what_was_said(attacked):
    lines = attacked("github").splitlines()
    commands = list(map(runner.read, lines))
    assert {name for name, _, _ in commands} == {"error", "warning"}
    *findings, unread = commands
    for _, given, _ in findings:
        assert list(given) == ["file", "line", "col", "title"]
        assert given["file"] == SHOWN
    assert unread[1]["file"] == "gone\\u001b\\u202e.json"
    assert [
        text for _, _, text in commands if "\\u000d\\u000a::error file=x::owned%0A::stop" in text
    ]


def test_junit_stays_xml(attacked):
    out = attacked("junit")
    junitparser.JUnitXml.fromstring(out.encode())
    assert not re.search("[\ufffe\uffff]", out)
    suites = ET.fromstring(out).findall("testsuite")
    assert [one.get("name") for one in suites] == [SHOWN, "gone\\u001b\\u202e.json"]
    messages = [one.get("message") for one in suites[0].iter("failure")]
    texts = [one.text for one in suites[0].iter("system-out")]
    assert [text for text in [*messages, *texts] if "]]><failure message='x'/>&amp;\\ufffe" in text]
    assert {one.tag for one in suites[0].iter()} <= {
        "testsuite",
        "testcase",
        "failure",
        "system-out",
    }


def test_markdown_stays_text(attacked):
    out = attacked("markdown")
    for token in inlines(out):
        kinds = {one.type for one in token.children}
        assert kinds <= {"text", "text_special", "strong_open", "strong_close"}, token.content
    assert rows(out)[-1][:2] == ["error", "gone\\u001b\\u202e.json"]
    assert {row[1].partition(".json")[0] for row in rows(out)[:-1]} == {SHOWN.removesuffix(".json")}
    # What a reader of GitHub's own dialect would link by itself.
    assert not re.search(r"://|www\.|(?<!\\)@", out)


@pytest.mark.parametrize("word", hostile.WORDS.values(), ids=hostile.WORDS)
def test_markdown_masks_and_loses_nothing(word):
    word = word[:300]
    parser = MarkdownIt("commonmark").enable("strikethrough")
    (token,) = parser.parseInline(f"x{markdown.masked(word)}x")
    shown = "".join(one.content for one in token.children)
    assert shown == f"x{markdown.escaped(word)}x"
    assert {one.type for one in token.children} <= {"text", "text_special"}


@pytest.mark.parametrize("form", NEW)
def test_the_text_of_a_fault_is_escaped_too(engine, call, monkeypatch, form):
    def faulty(*_):
        raise ZeroDivisionError("\x1b[2J\r\n::error::\u202e")

    monkeypatch.setattr(engine.Validator, "check", faulty)
    code, out, err = call("check", "clean.json", "--output-format", form)
    assert code == 2
    assert not CONTROLS.search(out + err)
    assert "ZeroDivisionError" in out
    assert not [line for line in out.splitlines() if line.startswith("::error::")]


# --- what does not depend on the format ---


@pytest.mark.parametrize("form", NEW)
def test_an_empty_file_of_lines_is_a_whole_document(call, here, form):
    (here / "none.ndjson").write_text("\n")
    code, out, _ = call("check", "none.ndjson", "--output-format", form)
    assert code == 0
    if form in ("sarif", "gitlab", "jsonl"):
        json.loads(out)
    if form == "junit":
        assert not ET.fromstring(out).findall("*")


@pytest.mark.parametrize("form", ["sarif", "github", "junit", "markdown"])
def test_what_was_only_counted_is_told(call, here, form):
    child = '{"id":"a","role":"Row","hovered":false}'
    (here / "many.json").write_text(HEAD + ',"children":[' + ",".join([child] * 150) + "]}}")
    assert "199 more findings" in call("check", "many.json", "--output-format", form)[1]


def test_a_summary_stays_under_what_github_takes(call, here):
    (here / "many.ndjson").write_text(f"{WARNED}\n" * 9000)
    _, out, _ = call("check", "many.ndjson", "--output-format", "markdown")
    listed = out.count("| warning |")
    assert 800_000 < len(out) < 2**20
    assert f"{9000 - listed} more findings are not listed" in out
    assert out.splitlines()[-1] == "**passed**: 9000 answers, 9000 warnings"


@pytest.mark.parametrize("form", ["sarif", "gitlab"])
def test_a_fingerprint_stays_when_others_come_before(call, here, form):
    def prints():
        out = call("check", "warned.json", "--output-format", form)[1]
        return re.findall(r'(?:v1|fingerprint)":"(\w+)"', out)

    (before,) = prints()
    first = '"children":[{"id":"w-0","role":"Window","selected":false},'
    (here / "warned.json").write_text("\n" + WARNED.replace('"children":[', first))
    after = prints()
    assert len(set(after)) == 2
    assert before in after


@pytest.mark.parametrize("form", NEW)
def test_no_more_is_held_than_a_few_blocks_of_lines_need(call, here, monkeypatch, form):
    monkeypatch.setattr(sifted, "_BLOCK", 16 << 10)

    def most(lines):
        (here / "many.ndjson").write_text(f"{WARNED}\n" * lines)
        # The collector would walk all that other tests left, whenever its turn comes, and what
        # that takes would count. Without it, nothing that an answer leaves behind may need it.
        gc.collect()
        gc.disable()
        tracemalloc.start()
        try:
            call("check", "many.ndjson", "--output-format", f"{form}=out")
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
            gc.enable()

    most(500)  # what is made once: pages of rules, modules
    assert most(4000) < most(2000) + 100_000
