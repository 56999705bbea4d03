"""Parsed objects where the chapter and MCP know a field: what is said there of what is no JSON.

On both engines. What parsed objects are by themselves is in `test_parsed_objects.py`.
"""

import pytest

from test_parsed_objects import answer, class_of, compact


def test_what_waits_for_a_blocks_type_keeps_its_turn(engine):
    """The value's own fault is said before that of its names, though the type comes last."""
    resource = {"uri": {b"id": None}, "text": ""}
    block = {"resource": resource, "type": "resource"}
    element = {"id": "x", "role": "Group", "content": [block]}
    findings = engine.check(element, kind="element").findings
    assert [dict(finding.params) for finding in findings] == [
        {"member": "uri", "expected": "string", "found": "object"},
        {"member": None, "expected": "string", "found": "bytes"},
    ]
    block = {"annotations": {"audience": [5, 6, {1: 2}]}, "text": "t", "type": "text"}
    element = {"id": "x", "role": "Group", "content": [block]}
    told = [finding.params["found"] for finding in engine.check(element, kind="element").findings]
    assert told == ["number", "number", "object", "int"]


@pytest.mark.parametrize(
    "block",
    [
        {"type": object()},
        {"uri": object(), "name": "n", "type": "resource_link"},
        {"mimeType": object(), "data": "AAAA", "type": "image"},
        {"data": object(), "mimeType": "audio/wav", "type": "audio"},
        {"size": object(), "text": "t", "type": "text"},
    ],
    ids=lambda block: f"{next(iter(block))} of {class_of(block['type'])}",
)
def test_of_a_blocks_member_that_is_no_json_nothing_else_is_said(engine, block):
    member, *_ = block
    for one in (block, dict(reversed(block.items()))):
        element = {"id": "x", "role": "Group", "content": [one]}
        findings = engine.check(element, kind="element").findings
        assert [(f.code, f.pointer) for f in findings if f.pointer != "/content"] == [
            ("wrong-type", f"/content/0/{member}")
        ]


def test_a_resource_may_have_more_members_but_of_json(engine):
    resource = {"x": object(), "uri": "file:///a", "y": None, "text": "t"}
    block = {"type": "resource", "resource": resource}
    element = {"id": "x", "role": "Group", "content": [block]}
    (finding,) = engine.check(element, kind="element").findings
    assert (finding.code, finding.pointer) == ("wrong-type", "/content/0/resource/x")
    assert finding.params["expected"] == "JSON value"


def test_an_unknown_member_that_is_no_json_is_both(engine):
    element = {"id": "x", "role": "Group", "bounds": object()}
    findings = engine.check(element, kind="element").findings
    assert [(finding.code, finding.pointer) for finding in findings] == [
        ("unknown-member", "/bounds"),
        ("wrong-type", "/bounds"),
    ]


@pytest.mark.parametrize("value", [None, True, False, 5, 1.5, [], {}], ids=repr)
@pytest.mark.parametrize("member", ["role", "title", "focused", "content"])
def test_a_wrong_type_is_named_as_in_json(engine, member, value):
    def told(report):
        return [(finding.code, dict(finding.params)) for finding in report.findings]

    given = answer(**{member: value})
    assert told(engine.check(given)) == told(engine.check(compact(given)))


def test_a_lone_surrogate_is_told_behind_what_else_its_string_has(engine):
    report = engine.check(answer(title="aaaa\x01\ud800b\ud800", attributes={"c\ud800": None}))
    assert [finding.code for finding in report.findings] == [
        "control-characters",
        "lone-surrogate",
        "lone-surrogate",
        "lone-surrogate",
    ]


def test_in_a_link_what_is_no_json_is_said(engine):
    related = [{"relation": object(), "id": "app", "more": object()}]
    report = engine.check(answer(attributes={"related": related}))
    assert [(finding.code, finding.params["found"]) for finding in report.findings[1:]] == [
        ("wrong-type", "object"),
        ("wrong-type", "object"),
    ]
    assert report.findings[0].code == "incomplete-related"
