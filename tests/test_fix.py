"""Fixes: one for each rule that has one, and what holds for every answer.

Comes in: faulty answers of `strategies.py` and of this file. Goes out: a failure where a safe fix
leaves a finding that it should have fixed, makes a new one, or writes bytes that it need not.
"""

import json
import sys
from pathlib import Path

import pytest

from elementguard._python.fix import DROPPED, SAFE, UNSAFE
from strategies import text_case
from test_property import looking_for, validator_of

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))

import cards


def top(rest, children=None):
    inner = f',"children":[{children}]' if children is not None else ""
    return f'{{"id":"a","role":"Group"{rest}{inner}}}'


def kid(name, rest=""):
    return f'{{"id":"{name}","role":"Group"{rest}}}'


def content(block):
    return f',"content":[{block}]'


def image(data):
    return content(f'{{"type":"image","mimeType":"image/x","data":"{data}"}}')


FOCUSED = ',"focused":true'
SAFE_CASES = [
    ("null-member", top(',"title":null,"title":"x"'), top("")),
    ("null-member", '{ "url" : null , "id":"a", "role":"Row" }', '{ "id":"a", "role":"Row" }'),
    (
        "multiline-title",
        top(r',"title":"\na\r\n\u2028b\u000ac\u0041\n"'),
        top(r',"title":"a b c\u0041"'),
    ),
    ("blank-title", top(',"title":" "'), top("")),
    ("control-characters", top(r',"title":"a\u0000\u202eb\/"'), top(r',"title":"ab\/"')),
    ("false-state", top(',"focused":false'), top("")),
    (
        "redundant-visible",
        top(',"visible":true', kid("b", ',"visible":true')),
        top(',"visible":true', kid("b")),
    ),
    (
        "hovered-ancestor",
        top(',"hovered":true', kid("b", ',"hovered":true')),
        top("", kid("b", ',"hovered":true')),
    ),
    ("empty-children", top("", ""), top("")),
    ("empty-content", top(content("")), top("")),
    ("loose-base64", top(image(r"\u0041B==")), top(image(r"\u0041A=="))),
]
UNSAFE_CASES = [
    ("unknown-member", top(',"tittle":"x"'), top(',"title":"x"')),
    ("unknown-member", top(',"tittle":7,"y":[]'), top(',"attributes":{"tittle":7,"y":[]}')),
    ("unknown-member", top(',"x":1,"attributes":{"n":2}'), top(',"attributes":{"n":2,"x":1}')),
    ("unknown-member", top(',"x":1,"attributes":{}'), top(',"attributes":{"x":1}')),
    (
        "malformed-id",
        top("", kid("b/c d") + "," + kid("b-c-d")),
        top("", kid("b-c-d-2") + "," + kid("b-c-d")),
    ),
    ("malformed-id", top("", kid("")), top("", kid("element"))),
    ("malformed-id", top("", kid("x" * 200)), top("", kid("x" * 128))),
    ("duplicate-id", top("", kid("b") + "," + kid("b")), top("", kid("b") + "," + kid("b-2"))),
    ("nested-application", top("", kid("b").replace("Group", "Application")), top("", kid("b"))),
    (
        "unknown-role",
        top("", kid("b").replace("Group", "AXRow")),
        top("", '{"id":"b","role":"Row","subrole":"AXRow"}'),
    ),
    (
        "unknown-role",
        top("", '{"id":"b","subrole":"s","role":"Card"}'),
        top("", '{"id":"b","subrole":"s","role":"Group"}'),
    ),
    ("furniture-role", top("", '{"id":"b","role":"Button"}'), top("")),
    (
        "furniture-role",
        top("", f'{{"id":"b","role":"Tab","children":[{kid("c")}]}}'),
        top("", kid("c")),
    ),
    ("control-characters", top(r',"subrole":"a\u0085\nb"'), top(',"subrole":"ab"')),
    (
        "focused-siblings",
        top(FOCUSED, kid("b", FOCUSED) + "," + kid("c", FOCUSED)),
        top(FOCUSED, kid("b", FOCUSED) + "," + kid("c")),
    ),
    (
        "focus-gap",
        top(FOCUSED, kid("b", f',"children":[{kid("c", FOCUSED)}]')),
        top(
            FOCUSED, f'{{"focused":true,"id":"b","role":"Group","children":[{kid("c", FOCUSED)}]}}'
        ),
    ),
    (
        "many-hovered",
        top("", kid("b", ',"hovered":true') + "," + kid("c", ',"hovered":true')),
        top("", kid("b", ',"hovered":true') + "," + kid("c")),
    ),
    (
        "misplaced-state",
        top(',"attributes":{"x":1,"selected":true}'),
        '{"selected":true,"id":"a","role":"Group","attributes":{"x":1}}',
    ),
    (
        "misplaced-state",
        top(',"attributes":{"selected":false,"x":1}'),
        top(',"attributes":{"x":1}'),
    ),
    ("malformed-base64", top(image("data:image/x;base64,AAAA")), top(image("AAAA"))),
    ("malformed-base64", top(image(r"-_A\nA")), top(image("+/AA"))),
    ("malformed-base64", top(image("AA=")), top(image("AA=="))),
]


def test_every_fix_of_the_cards_is_there():
    told = {card.code: card.fix for card in cards.load()}
    assert {code for code, fix in told.items() if fix.startswith("safe")} == SAFE
    assert {code for code, fix in told.items() if "unsafe" in fix} == UNSAFE
    assert {code for code, _, _ in SAFE_CASES} == SAFE - {"root-not-application"}
    assert {code for code, _, _ in UNSAFE_CASES} == UNSAFE
    assert DROPPED < SAFE


@pytest.mark.parametrize("code, faulty, fixed", SAFE_CASES)
def test_a_safe_fix(engine, code, faulty, fixed):
    made = engine.fix(faulty, kind="element")
    assert made.data.decode() == fixed
    assert {one.finding.code for one in made.applied} == {code}
    assert code not in made.report.counts


@pytest.mark.parametrize("code, faulty, fixed", UNSAFE_CASES)
def test_an_unsafe_fix(engine, code, faulty, fixed):
    made = engine.fix(faulty, unsafe=True, kind="element")
    assert made.data.decode() == fixed
    assert {one.finding.code for one in made.applied} == {code}
    assert not made.report.findings
    assert engine.fix(faulty, kind="element").data.decode() == faulty


@pytest.mark.parametrize("reason", ["A", "é", "AA=A", "data:,AAAA"])
def test_what_is_no_base64_at_all_stays(engine, reason):
    faulty = top(image(reason))
    assert engine.fix(faulty, unsafe=True, kind="element").data.decode() == faulty


def test_the_roots_role(engine):
    data = '{"protocol":"0.2.0","instance":"k","root":{"id":"a","role":"%s"}}'
    made = engine.fix(data % "app")
    assert made.data.decode() == data % "Application"
    assert [(one.pointer, one.done) for one in made.applied] == [("/root/role", "replaced")]


def test_a_fix_may_make_another_one_possible(engine):
    made = engine.fix(top(r',"title":"\u0000"'), kind="element")
    assert made.data.decode() == top("")
    told = [(one.finding.code, one.finding.pointer, one.pointer, one.done) for one in made.applied]
    assert told == [
        ("control-characters", "/title", "/title", "replaced"),
        ("blank-title", "/title", "/title", "removed"),
    ]


def test_what_is_not_read_to_its_end_stays(engine):
    made = engine.fix(b"[1,")
    assert (made.data, made.applied, made.report.complete) == (b"[1,", (), False)
    with pytest.raises(TypeError, match=r"^unsafe: "):
        engine.fix(b"[]", unsafe=1)
    with pytest.raises(TypeError, match=r"^data: "):
        engine.fix({})


@looking_for(text_case)
def test_safe_fixes_leave_nothing_to_fix_and_add_nothing(engine, case):
    validator = validator_of(engine, case)
    before = validator.check(case.data)
    made = validator.fix(case.data)
    after = made.report
    assert after == validator.check(made.data)
    if not before.complete:
        assert made.data == case.data
        return
    assert not [one for one in after.counts if one in SAFE - {"control-characters"}]
    every = engine.Validator(
        limits=validator.limits.replace(findings=None), rules=case.rules, kind=case.kind
    )
    titles = [one for one in every.check(made.data).findings if one.code == "control-characters"]
    assert not [one for one in titles if one.params["member"] == "title"]
    for code, count in after.counts.items():
        assert count <= before.counts[code]
    assert validator.fix(made.data).data == made.data
    assert bool(made.applied) == (made.data != case.data)
    for one in made.applied:
        assert 0 < one.bytes <= len(case.data) - one.offset


@looking_for(text_case)
def test_unsafe_fixes_keep_it_json(engine, case):
    validator = validator_of(engine, case)
    made = validator.fix(case.data, unsafe=True)
    if validator.check(case.data).complete:
        json.loads(made.data)
