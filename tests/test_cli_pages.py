"""The command line's pages, as a parser reads them: of `show`, `sizes` and `check`.

What a browser makes of them is in test_cli_browser.py and beside it.
"""

import json
import re
from pathlib import Path

import pytest

import hostile
import pages
from cli_answers import ALL, CLEAN, CONTROLS, CUT, HEAD, WARNED
from elementguard._answer import made
from elementguard._layout import START
from elementguard._load import taken
from elementguard.cli.formats import html
from elementguard.cli.html import outline
from written_reports import vectors

PARTS = Path(outline.__file__).parent / "parts"
BLOCK = '{"type":"text","text":"four\\r\\n\\tlines"}'
IMAGE = '{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="}'
TREE = f"""{HEAD},"title":"Notes","children":[
{{"id":"w-1","role":"Window","focused":true,"children":[
{{"id":"d-1","role":"Document","focused":true,"hovered":true,"content":[{BLOCK},{BLOCK}]}},
{{"id":"d-2","role":"Cardd","subrole":"card","visible":false,"selected":false,"children":[
{{"id":"d-3","role":"Image","selected":true,"url":"https://a.example/","content":[{IMAGE}]}},
{{"id":"d-4","role":"Row","visible":true,"attributes":{{"due":[1]}},"titel":"x"}}]}}]}}]}}}}
"""
NAME = "a\x1b[2J\u202e<img src=x onerror=alert(1)>&amp;]]>.json"
SHOWN = NAME.replace("\x1b", "\\u001b").replace("\u202e", "\\u202e")
SELECTED, FOCUSED, HOVERED, HIDDEN = 1, 2, 4, 8


@pytest.fixture(autouse=True)
def written(here):
    (here / "tree.json").write_text(TREE)


@pytest.fixture
def page(call, here):
    """The data of a page that a command writes."""

    def page(*arguments, code=0):
        got, out, err = call(*arguments, "--html", "page.html")
        assert (got, out) == (code, ""), err
        assert not CONTROLS.search(err)
        return pages.data_of((here / "page.html").read_text("utf-8"))

    return page


# --- show ---


def test_the_tree_is_columns(page, engine):
    data = page("show", "tree.json")
    answer = engine.load(TREE)
    elements = list(answer.walk())
    assert [data["roles"][role] for role in data["role"]] == [one.role for one in elements]
    assert data["ids"] == [one.id for one in elements] == ["app", "w-1", "d-1", "d-2", "d-3", "d-4"]
    assert data["titles"] == ["Notes", *[None] * 5]
    assert data["parents"] == [-1, 0, 1, 1, 3, 3]
    assert data["flags"] == [0, FOCUSED, FOCUSED + HOVERED, HIDDEN, SELECTED + HIDDEN, 0]
    assert [not flags & HIDDEN for flags in data["flags"]] == [one.visible for one in elements]
    assert data["position"] == 2
    sizes = [one.size for one in elements]
    assert data["bytes"] == [one.bytes for one in sizes]
    assert data["text"] == [one.text_bytes for one in sizes]
    assert data["blobs"] == [one.blob_bytes for one in sizes]
    assert data["elements"] == [one.elements for one in sizes]
    assert (data["top"], data["hasPointers"]) == ("/root", True)


def test_what_few_elements_have_stands_by_their_numbers(page):
    about = "12 bytes of text"
    assert page("show", "tree.json")["more"] == {
        "2": {"content": [["text", about, "four\n    lines"]] * 2},
        "3": {"sent": "Cardd", "subrole": "card"},
        "4": {
            "url": "https://a.example/",
            "content": [["image", "image/png, 12 bytes of base64", ""]],
        },
        "5": {"attributes": '{"due":[1]}'},
    }


def test_findings_stand_with_their_elements_and_rules(page, engine):
    data = page("show", "tree.json")
    assert [row[:3] for row in data["findings"]] == [
        [3, "warning", "unknown-role"],
        [3, "warning", "false-state"],
        [5, "warning", "unknown-member"],
    ]
    report = engine.check(TREE)
    assert [row[3] for row in data["findings"]] == [one.message for one in report.findings]
    places = [one.line_and_column(TREE) for one in report.findings]
    assert [row[5] for row in data["findings"]] == [f"line {at}, column {of}" for at, of in places]
    assert set(data["rules"]) == set(report.counts)
    rule = engine.RULES["false-state"]
    told = {"What it says": rule.explanation, "How to fix it": rule.fix}
    assert data["rules"]["false-state"] == {
        "section": rule.section,
        "prose": [list(pair) for pair in told.items()],
    }


def test_the_head_says_what_it_is(page):
    size = f"{len(TREE):,} bytes"
    assert page("show", "tree.json")["head"] == {
        "command": "show",
        "name": "tree.json",
        "facts": ["protocol 0.2.0", "instance k3f9x2", "6 elements", size],
        "verdict": "3 warnings",
        "level": "warning",
    }


def test_the_answers_own_findings_are_nobodys(page, here):
    (here / "more.json").write_text(TREE.replace('"root"', '"n":123456789012345678901,"root"'))
    assert page("show", "more.json")["findings"][0][:3] == [-1, "warning", "imprecise-number"]


def test_single_elements_have_a_page(page, here):
    (here / "element.json").write_text('{"id":"a","role":"Row","title":""}')
    data = page("show", "element.json", "--kind", "element")
    assert (data["top"], data["ids"], data["findings"][0][:2]) == ("", ["a"], [0, "note"])


def test_an_answer_with_errors_has_its_tree(page):
    data = page("show", "wrong.json", code=1)
    assert data["ids"] == ["app"]
    assert data["findings"][0][:3] == [0, "error", "root-not-application"]
    assert data["head"]["level"] == "error"


@pytest.mark.parametrize("text", ["", "[", '{"protocol":"0.2.0"}', '{"root":1}', "\xff", "null"])
def test_where_there_is_no_tree_there_are_the_findings(page, here, text):
    (here / "none.json").write_bytes(text.encode("latin-1"))
    data = page("show", "none.json", code=1)
    assert data["parents"] == []
    assert data["findings"]
    assert {row[0] for row in data["findings"]} == {-1}


def test_findings_that_are_not_kept_are_counted(page):
    data = page("show", "tree.json", "--limit", "findings=1")
    assert data["head"]["verdict"] == "3 warnings (the first 1 are shown)"
    assert len(data["findings"]) == 1


def test_every_finding_of_the_vectors_is_at_its_element(engine):
    seen = 0
    for vector in vectors():
        kind, data = vector.report["kind"], vector.file
        validator = engine.Validator(kind=kind, limits=engine.Limits(findings=None))
        report, source, index = taken(validator, data, faulty=True)
        if index is None or not len(index):
            continue
        answer = made(source, index, report, kind, None)
        shown = outline.outline(answer)
        starts = answer._index.column(START)
        owners = [outline._owner(answer, starts, finding) for finding in report.findings]
        assert [row[0] for row in shown["findings"]] == sorted(owners)
        for finding, owner in zip(report.findings, owners, strict=True):
            seen += finding.element is not None
            name = shown["ids"][owner] if owner >= 0 else None
            assert finding.element in (None, name), vector.name
            if shown["hasPointers"] and owner >= 0:
                top = pointer_of(shown, owner)
                assert f"{finding.pointer}/".startswith(f"{top}/"), vector.name
    assert seen > 500


def pointer_of(shown, row):
    """As the page's script reckons it."""
    steps = []
    parents = shown["parents"]
    while parents[row] >= 0:
        steps.append(f"/children/{parents[:row].count(parents[row])}")
        row = parents[row]
    return shown["top"] + "".join(reversed(steps))


# --- sizes ---


@pytest.mark.parametrize(
    "by, name",
    [
        ("bytes", "bytes"),
        ("elements", "elements"),
        ("content_bytes", "content"),
        ("text_bytes", "text"),
        ("blob_bytes", "blobs"),
    ],
)
def test_sizes_has_five_measures_of_every_element(page, engine, by, name):
    data = page("sizes", "tree.json", "--by", by)
    answer = engine.load(TREE)
    assert data["by"] == name
    assert data[name] == [getattr(one.size, by) for one in answer.walk()]
    assert data["parents"] == [-1, 0, 1, 1, 3, 3]
    assert data["ids"] == [one.id for one in answer.walk()]
    assert data["head"]["command"] == "sizes"


def test_no_sizes_of_an_answer_with_errors(call, here):
    code, out, err = call("sizes", "wrong.json", "--html", "page.html")
    assert (code, out) == (1, "")
    assert "the answer has errors" in err
    assert not (here / "page.html").exists()


def test_one_form_at_a_time(call):
    code, _, err = call("sizes", "tree.json", "--html", "page.html", "--json")
    assert code == 2
    assert "not allowed with" in err


# --- check ---


@pytest.fixture
def checked(call, here):
    """The data of the page that `check` writes."""

    def checked(*arguments):
        call("check", *arguments, "--output-format", "html=page.html")
        return pages.data_of((here / "page.html").read_text("ascii"))

    return checked


def test_check_has_findings_and_rules(checked, engine, here):
    (here / "many.ndjson").write_text(f"{CLEAN}\n{CUT}\n")
    data = checked("clean.json", "all.json", "many.ndjson", "gone.json", "--notes")
    head = data["head"]
    assert (head["name"], head["level"]) == ("clean.json and 3 more", "error")
    assert head["verdict"].startswith("incomplete: 4 answers, 1 could not be checked, 2 errors, ")
    assert [entry[:3] for entry in data["rows"]] == [
        ["all.json", "", 0],
        ["many.ndjson:2", "", 0],
        ["gone.json", "No such file or directory", 0],
    ]
    assert [[row[0], row[1], row[4]] for row in data["rows"][0][3]] == [
        [level, code, f"all.json:1:{ALL.index(text) + 1}"]
        for level, code, text in (
            ("error", "root-not-application", '"Group"'),
            ("note", "blank-title", '""'),
            ("warning", "empty-children", "[]"),
        )
    ]
    assert data["rows"][0][3][0][3] == "Group#app > role"
    said = [engine.RULES[code] for code in data["rules"]]
    codes = ["json-truncated", "root-not-application", "empty-children", "blank-title"]
    assert {rule.code for rule in said} == set(codes)
    for rule in said:
        prose = [["What it says", rule.explanation], ["How to fix it", rule.fix]]
        assert data["rules"][rule.code] == {"section": rule.section, "prose": prose}


def test_check_without_findings_is_a_page(checked):
    data = checked("clean.json")
    assert (data["rows"], data["rules"]) == ([], {})
    assert data["head"]["verdict"] == "passed: 1 answer, no findings"
    assert data["head"]["level"] == "passed"


def test_check_has_as_many_findings_as_a_browser_carries(checked, here, monkeypatch):
    monkeypatch.setattr(html, "_MOST", 5)
    (here / "many.ndjson").write_text(f"{WARNED}\n" * 4 + f"{ALL}\n" * 2)
    data = checked("many.ndjson")
    assert [len(rows) for _, _, _, rows in data["rows"]] == [1, 1, 1, 1, 1]
    assert data["head"]["facts"][-1] == "3 more findings are not in this page"


def test_a_hostile_answer_stays_data(checked, here):
    (here / NAME).write_text(hostile.answer())
    data = checked(NAME, "gone\x1b\u202e.json", "--limit", "findings=none")
    assert not CONTROLS.search((here / "page.html").read_text("ascii"))
    assert [entry[0] for entry in data["rows"]] == [SHOWN, "gone\\u001b\\u202e.json"]
    assert data["head"]["name"] == f"{SHOWN} and 1 more"
    messages = [row[2] for row in data["rows"][0][3]]
    assert [text for text in messages if "</script><img src=x onerror=alert(1)><!--" in text]
    assert not [text for text in texts_of(data["rows"]) if CONTROLS.search(text) or len(text) > 999]


def test_findings_that_check_does_not_keep_are_counted(checked, here):
    child = '{"id":"a","role":"Row","hovered":false}'
    (here / "many.json").write_text(HEAD + ',"children":[' + ",".join([child] * 150) + "]}}")
    data = checked("many.json")
    assert data["rows"][0][2] == 199


# --- what is hostile ---


def test_nothing_raw_comes_out(page, here):
    (here / NAME).write_text(hostile.answer())
    data = page("show", NAME, "--limit", "findings=none", code=1)
    html = (here / "page.html").read_text("ascii")
    assert not CONTROLS.search(html)
    assert not list(filter(CONTROLS.search, texts_of(data)))
    assert max(map(len, texts_of(data))) < 2500
    assert data["head"]["name"] == SHOWN


def texts_of(value):
    """All strings in the data, names included."""
    waiting, found = [value], []
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, dict):
            waiting += [*one, *one.values()]
        elif isinstance(one, list):
            waiting += one
    return found


def test_words_of_a_megabyte_are_cut(page, here):
    word = "x" * 1_000_000
    members = ("role", "subrole", "title", "url")
    child = {"id": word, **dict.fromkeys(members, word), "attributes": {word: word}}
    child["content"] = [{"type": "text", "text": word}, {"type": word}]
    root = {"id": "app", "role": "Application", "title": word, "children": [child]}
    (here / "long.json").write_text(json.dumps({"protocol": word, "instance": word, "root": root}))
    page("show", "long.json", code=1)
    assert (here / "page.html").stat().st_size < 100_000


def test_surrogates_are_text(page, here):
    (here / "lone.json").write_text(TREE.replace("Notes", "\\ud800x").replace("four", "\\udfff"))
    data = page("show", "lone.json", code=1)
    assert data["titles"][0] == "\\ud800x"
    assert data["more"]["2"]["content"][0][2] == "\\udfff\n    lines"


# --- where it goes ---


@pytest.mark.parametrize("command", ["show", "sizes"])
def test_a_dash_is_stdin_and_stdout(run, here, command):
    code, out, err = run(command, "tree.json", "--html", "-")
    assert (code, err) == (0, "")
    data = pages.data_of(out)
    told = run(command, "-", "--html", "page.html", stdin=TREE)
    assert told == (0, "", "page.html: 3 warnings\n")
    read = pages.data_of((here / "page.html").read_text("ascii"))
    assert read["head"].pop("name") == "<stdin>"
    assert data["head"].pop("name") == "tree.json"
    assert read == data


@pytest.mark.parametrize("name", ["tree.json", "./tree.json", "link.html"])
@pytest.mark.parametrize("command", ["show", "sizes"])
def test_what_is_read_is_not_written_over(call, here, command, name):
    (here / "link.html").symlink_to("tree.json")
    code, out, err = call(command, "tree.json", "--html", name)
    assert (code, out) == (2, "")
    assert "give another name" in err
    assert (here / "tree.json").read_text() == TREE


@pytest.mark.parametrize("name", ["", "no/where.html", ".", "a\0b", "x" * 5000])
@pytest.mark.parametrize("command", ["show", "sizes"])
def test_bad_places(call, command, name):
    code, out, err = call(command, "tree.json", "--html", name)
    assert (code, out) == (2, "")
    assert not CONTROLS.search(err)


def test_a_page_is_whole_or_as_it_was(call, here):
    (here / "page.html").write_text("before")
    assert call("show", "gone.json", "--html", "page.html")[0] == 2
    assert (here / "page.html").read_text() == "before"
    assert not list(here.glob(".elementguard*"))


# --- what it looks like ---


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_ink_can_be_read_on_its_ground(scheme):
    style = (PARTS / "style.css").read_text("utf-8")
    palette = palettes(style)[scheme]
    pairs = [("ink", "ground"), ("ink", "raised"), ("ink", "active"), ("ink", "found")]
    pairs += [(ink, ground) for ink in ("soft", "faint") for ground in ("ground", "raised")]
    pairs += [(one, f"{one}-ground") for one in ("error", "warning", "note", "passed")]
    pairs += [(one, "ground") for one in ("accent", "error", "warning", "note")]
    pairs += [("ground", "accent"), ("ground", "ink"), ("faint", "active"), ("accent", "active")]
    tints = palettes((PARTS / "icicle.css").read_text("utf-8"))[scheme]
    told = {(ink, ground): contrast(palette[ink], palette[ground]) for ink, ground in pairs}
    told |= {tint: contrast(palette["ink"], ground) for tint, ground in tints.items()}
    assert not {pair: ratio for pair, ratio in told.items() if ratio < 4.5}


def palettes(style):
    return [
        dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))
        for block in re.findall(r":root \{(.*?)\}", style, re.DOTALL)[:2]
    ]


def contrast(one, other):
    """The ratio that WCAG 2 defines."""
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(color):
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
