"""Reports and findings: what a check gives, however it is looked at."""

import copy
import json
import pickle
import sys

import jsonschema
import pytest

from elementguard import RULES, Level, Limits, Report, ValidationError
from elementguard._catalogue import CATALOGUE
from elementguard._finding import Finding

CLEAN = b'{"protocol":"0.2.0","instance":"k3f9x2","root":{"id":"app","role":"Application"}}'
# Four findings: an error, a warning and a note at the root, a warning below it.
FAULTY = (
    b'{"protocol":"0.2.0","instance":"k3f9x2",\r\n"root":{"id":"app","role":"Group","title":" ",'
    b'\n"children":[{"id":"w-1","role":"Window","focused":false}],"visible":true}}'
)
CODES = ["root-not-application", "blank-title", "false-state", "redundant-visible"]
HOSTILE = (
    b'{"protocol":"0.2.0","instance":"k3f9x2","root":{"id":"a\\u001b[2J","role":"\\u202eRow\\u009b",'
    b'"x\\u0007\\u2028":1,"attributes":{"\\u007f\\ud800":{"k":1,"k":2}}}}'
)
FATAL = b'{"protocol":"0.2.0",]'
DANGEROUS = {chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))} | set(
    "\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)


@pytest.fixture(
    scope="module",
    params=[CLEAN, FAULTY, HOSTILE, FATAL],
    ids=["clean", "faulty", "hostile", "fatal"],
)
def answer(request):
    return request.param


def test_a_clean_report(engine):
    report = engine.check(CLEAN)
    assert (report.ok, report.complete, report.truncated) == (True, True, False)
    assert report.findings == report.errors == report.warnings == report.notes == ()
    assert dict(report.counts) == {}
    assert str(report) == "no findings"
    assert repr(report) == "<Report ok: no findings>"


def test_a_report_with_findings(engine):
    report = engine.check(FAULTY)
    assert [finding.code for finding in report.findings] == CODES
    assert [finding.code for finding in report.errors] == CODES[:1]
    assert [finding.code for finding in report.warnings] == CODES[2:]
    assert [finding.code for finding in report.notes] == CODES[1:2]
    assert dict(report.counts) == dict.fromkeys(CODES, 1)
    assert list(report.counts) == sorted(CODES, key=list(RULES).index)
    assert (report.ok, report.complete) == (False, True)
    assert str(report) == "1 error, 2 warnings, 1 note"
    assert report.findings is report.findings
    assert report.summary is report.summary


def test_a_fatal_report_stands_alone(engine):
    report = engine.check(FATAL)
    assert (report.ok, report.complete, report.summary) == (False, False, None)
    (finding,) = report.findings
    assert (finding.code, finding.offset, finding.element) == ("json-syntax", 20, None)


def test_counts_go_on_where_findings_end(engine):
    report = engine.check(FAULTY, limits=Limits(findings=1))
    assert [finding.code for finding in report.findings] == CODES[:1]
    assert report.truncated
    assert sum(report.counts.values()) == 4
    assert report.count("warning") == 2
    assert report.count(Level.NOTE) == 1
    nothing = engine.check(FAULTY, limits=Limits(findings=0))
    assert (nothing.ok, nothing.findings, nothing.count("error")) == (False, (), 1)
    with pytest.raises(ValueError, match="fatal"):
        report.count("fatal")


def test_the_summary_is_by_name(engine):
    answer = {
        "protocol": "0.2.0",
        "instance": "k3f9x2",
        "root": {
            "id": "app",
            "role": "Application",
            "children": [
                {
                    "id": "w-1",
                    "role": "Window",
                    "focused": True,
                    "children": [
                        {
                            "id": "t-1",
                            "role": "Text",
                            "focused": True,
                            "selected": True,
                            "content": [{"type": "text", "text": "é"}],
                        },
                        {"id": "x", "role": "Knob", "hovered": True, "selected": True},
                    ],
                }
            ],
        },
    }
    text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    summary = engine.check(text).summary
    assert summary.bytes == len(text.encode())
    assert (summary.elements, summary.depth) == (4, 3)
    assert dict(summary.roles) == {"Application": 1, "Window": 1, "Group": 1, "Text": 1}
    assert dict(summary.block_types) == {"text": 1}
    assert (summary.instance, summary.protocol) == ("k3f9x2", "0.2.0")
    assert (summary.focus_path, summary.position) == (("w-1", "t-1"), "t-1")
    assert (summary.selected, summary.hovered) == (("t-1", "x"), "x")
    assert (summary.root.elements, summary.root.height, summary.root.text_bytes) == (4, 3, 2)
    assert summary == engine.check(answer).summary
    assert pickle.loads(pickle.dumps(summary)) == summary
    assert hash(summary) == hash(copy.copy(summary))
    with pytest.raises(AttributeError, match="immutable"):
        summary.elements = 5
    with pytest.raises(TypeError):
        summary.roles["Row"] = 1


def test_a_report_is_neither_true_nor_false(engine):
    with pytest.raises(TypeError, match=r"report\.ok"):
        bool(engine.check(CLEAN))


def test_a_report_cannot_be_changed(engine):
    report = engine.check(FAULTY)
    for name in ("ok", "findings", "summary", "anything"):
        with pytest.raises(AttributeError):
            setattr(report, name, None)
    with pytest.raises(TypeError):
        report.counts["false-state"] = 7


def test_a_finding_cannot_be_changed(engine):
    (finding, *_) = engine.check(FAULTY).findings
    for name in ("code", "level", "pointer", "offset", "element", "message", "anything"):
        with pytest.raises(AttributeError):
            setattr(finding, name, None)
        with pytest.raises(AttributeError):
            delattr(finding, name)
    with pytest.raises(TypeError):
        finding.params["role"] = "Row"
    assert finding.level is Level.ERROR


def test_a_list_among_parameters_is_the_readers_own(engine):
    limits = Limits(media_types=["audio/wav"])
    block = {"type": "image", "data": "", "mimeType": "image/png"}
    element = {"id": "a", "role": "Group", "content": [block]}
    finding = engine.check(element, kind="element", limits=limits).errors[0]
    assert finding.params["allowed"] == ["audio/wav"]
    finding.params["allowed"].clear()
    assert finding.params["allowed"] == ["audio/wav"]
    assert "audio/wav" in finding.message
    assert hash(finding) == hash(pickle.loads(pickle.dumps(finding)))


def test_pickles_and_copies_are_equal_and_need_no_engine(engine, answer):
    report = engine.check(answer)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        text = pickle.dumps(report, protocol)
        assert b"_core" not in text
        assert b"_python" not in text
        again = pickle.loads(text)
        assert again == report
        assert hash(again) == hash(report)
        assert again.to_dict() == report.to_dict()
        assert again.render(answer) == report.render(answer)
        assert pickle.dumps(again, protocol) == pickle.dumps(
            pickle.loads(pickle.dumps(again, protocol)), protocol
        )
    assert copy.deepcopy(report) == copy.copy(report) == report
    assert [pickle.loads(pickle.dumps(one)) for one in report.findings] == list(report.findings)


def test_reports_are_equal_by_content(engine):
    report = engine.check(FAULTY)
    assert report == engine.check(bytearray(FAULTY)) == engine.check(FAULTY.decode())
    assert report != engine.check(CLEAN)
    assert report != engine.check(json.loads(FAULTY))  # no offsets there
    assert report != engine.Validator(rules={"false-state": "note"}).check(FAULTY)
    assert report == engine.Validator(rules={"empty-children": "note"}).check(FAULTY)
    assert report != report.to_dict()


def test_both_engines_reports_are_equal_and_pickle_alike(engines, answer):
    from elementguard._validator import over

    reports = [over(core).check(answer) for core in engines.values()]
    assert reports[0] == reports[1]
    assert pickle.loads(pickle.dumps(reports[0])).to_json() == reports[1].to_json()


def test_json_fits_its_schema(engine, answer):
    report = engine.check(answer)
    told = json.loads(report.to_json())
    assert told == report.to_dict()
    validator = jsonschema.Draft202012Validator(engine.schema("report"))
    validator.validate(told)
    for member in told:
        assert not validator.is_valid({name: told[name] for name in told if name != member})
    assert not validator.is_valid({**told, "ok": "yes"})


def test_json_is_ascii_without_controls(engine):
    text = engine.check(HOSTILE).to_json()
    assert all(0x20 <= ord(character) < 0x7F for character in text)
    (pointer,) = {
        one.pointer for one in engine.check(HOSTILE).findings if one.code == "duplicate-member"
    }
    assert "\x7f\ufffd" in pointer  # data is whole; only its text form is escaped
    assert pointer in [one["pointer"] for one in json.loads(text)["findings"]]


def test_nothing_raw_gets_into_text(engine, answer):
    report = engine.check(answer)
    texts = [repr(report), str(report), report.render(), report.render(answer)]
    for finding in report.findings:
        texts += [repr(finding), str(finding), finding.message, finding.breadcrumb]
    if not report.ok:
        error = ValidationError(report)
        texts += [str(error), repr(error)]
    for text in texts:
        assert not DANGEROUS & (set(text) - {"\n"}), text
        text.encode()
    for finding in report.findings:
        assert "\n" not in finding.message


def test_no_text_of_the_screen_is_quoted(engine):
    secret = "Lohnliste"
    answer = {
        "protocol": "0.2.0",
        "instance": "k3f9x2",
        "root": {
            "id": "app",
            "role": "Application",
            "title": f"{secret}\n",
            "url": f"javascript:{secret}",
            "children": [
                {
                    "id": "t",
                    "role": "Text",
                    "content": [
                        {"type": "text", "text": secret},
                        {"type": "image", "data": secret},
                    ],
                    "attributes": {"author": 1, "selected": secret, "related": [secret]},
                }
            ],
        },
    }
    report = engine.check(json.dumps(answer))
    assert len(report.findings) > 4
    told = [report.render(), repr(report), report.to_json(), str(ValidationError(report))]
    told += [repr(finding) for finding in report.findings]
    assert not [text for text in told if secret in text]
    assert secret.encode() not in pickle.dumps(report)


def test_every_finding_knows_its_rule(engine):
    for finding in engine.check(HOSTILE).findings:
        rule = RULES[finding.code]
        assert (finding.section, finding.url, finding.level) == (rule.section, rule.url, rule.level)
        assert tuple(finding.params) == rule.parameters


def test_every_message_can_be_made():
    for number, row in enumerate(CATALOGUE):
        parameters, variants = row[6], row[9]
        cases = [{}, dict.fromkeys(parameters), *({name: value} for name, value, _ in variants)]
        for case in cases:
            values = tuple(case.get(name, f"<{name}>") for name in parameters)
            message = Finding((number, None, "/root", None, values), 3).message
            assert message
            assert not {"{", "}", "\n"} & set(message.replace("`{`", "").replace("`}`", "")), (
                message
            )


def test_a_null_has_a_message_of_its_own(engine):
    (finding,) = engine.check({"id": "a", "role": None}, kind="element").errors
    assert finding.params["found"] == "null"
    assert "A null is no value here" in finding.message


def test_a_validation_error_is_short_and_travels(engine):
    with pytest.raises(ValidationError) as caught:
        engine.validate(HOSTILE)
    error = caught.value
    assert isinstance(error, ValueError)
    assert len(str(error)) < 500
    assert str(error).startswith(
        f"{error.report.count('error')} errors, the first: malformed-id at /root/id: "
    )
    again = pickle.loads(pickle.dumps(error))
    assert (again.report, str(again), again.errors()) == (error.report, str(error), error.errors())


def test_errors_have_the_shape_that_pydantic_has(engine):
    element = {"id": "a", "role": "Group", "children": [{"id": "b", "role": 7, "hovered": False}]}
    (error,) = engine.check(element, kind="element").errors
    with pytest.raises(ValidationError) as caught:
        engine.check(element, kind="element").raise_for_errors()
    assert caught.value.errors() == [
        {
            "type": "wrong-type",
            "loc": ("children", 0, "role"),
            "msg": error.message,
            "ctx": {"member": "role", "expected": "string", "found": "number"},
        }
    ]
    engine.check(CLEAN).raise_for_errors()


def test_an_error_without_kept_findings_counts_them(engine):
    with pytest.raises(ValidationError, match=r"^1 error$") as caught:
        engine.validate(FAULTY, limits=Limits(findings=0))
    assert caught.value.errors() == []


def test_making_a_report_costs_two_references(engine):
    report = engine.check(CLEAN)
    assert not hasattr(report, "__dict__")
    assert sys.getsizeof(report) <= 80
    assert not [slot for slot in ("_findings", "_summary") if hasattr(report, slot)]
    assert isinstance(report, Report)
