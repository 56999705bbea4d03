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


def content(block):
    return f',"content":[{block}]'


def image(data):
    return content(f'{{"type":"image","mimeType":"image/x","data":"{data}"}}')


def test_every_fix_of_the_cards_is_there():
    told = {card.code: card.fix for card in cards.load()}
    assert {code for code, fix in told.items() if fix.startswith("safe")} == SAFE
    assert {code for code, fix in told.items() if "unsafe" in fix} == UNSAFE
    assert DROPPED < SAFE


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


def test_what_goes_is_not_written_first(engine):
    made = engine.fix(top(r',"title":"\n"'), kind="element")
    assert [one.finding.code for one in made.applied] == ["blank-title"]


def test_what_is_not_read_to_its_end_stays(engine):
    made = engine.fix(b"[1,")
    assert (made.data, made.applied, made.report.complete) == (b"[1,", (), False)
    with pytest.raises(TypeError, match=r"^unsafe: "):
        engine.fix(b"[]", unsafe=1)
    with pytest.raises(TypeError, match=r"^data: "):
        engine.fix(iter([]))


def test_many_faults_of_one_kind_take_no_square(engine):
    many = ",".join('{"id":"b","role":"Row","focused":true,"title":null}' for _ in range(2_000))
    made = engine.fix(
        f'{{"id":"a","role":"List","children":[{many}]}}', unsafe=True, kind="element"
    )
    assert made.report.ok
    assert json.loads(made.data)["children"][-1]["id"] == "b-2000"


def test_a_parsed_object_is_mended_as_its_compact_text(engine):
    value = {"id": "a", "role": "Row", "title": None, "attributes": {"x": "\u00fc"}}
    made = engine.fix(value, kind="element")
    assert made.data == '{"id":"a","role":"Row","attributes":{"x":"\u00fc"}}'.encode()
    assert [one.pointer for one in made.applied] == ["/title"]


@pytest.mark.parametrize(
    "stray, words", [({1}, "the set at /url"), (float("inf"), "the Infinity at /url")]
)
def test_what_json_has_no_type_for_is_refused(engine, stray, words):
    with pytest.raises(TypeError, match=words):
        engine.fix({"id": "a", "role": "Row", "url": stray}, kind="element")
    with pytest.raises(TypeError, match="the int at the answer"):
        engine.fix({"id": "a", "role": "Row", 1: 2}, kind="element")


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
