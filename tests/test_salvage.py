"""Salvage: each row of `docs/salvage.md`, and what holds for every answer that can be saved.

Comes in: broken answers of `strategies.py` and of this file, and the real ones where they are
there. Goes out: a failure where what is left is not valid, or something is gone and not told.
"""

import json
import pickle
import re
from pathlib import Path

import pytest

from elementguard._catalogue import CATALOGUE
from elementguard._python.salvage_table import TABLE, words
from strategies import Case, settings_of, text_case
from test_property import looking_for, validator_of
from valid_answers import answer, element
from written_answers import written

ROOT = Path(__file__).parent.parent
REAL = ROOT.parent / "shared" / "real"
DOCUMENT = (ROOT / "docs" / "salvage.md").read_text("utf-8")
PNG = "iVBORw0KGgo="


def test_the_table_of_the_documentation_is_that_of_the_code():
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| (.+) \|$", DOCUMENT, re.MULTILINE)
    assert rows == [(code, words(code)) for code in TABLE]
    assert list(TABLE) == [row[0] for row in CATALOGUE]
    assert all(told for _, told in rows)


def top(rest, children=None):
    inner = f',"children":[{children}]' if children is not None else ""
    return f'{{"id":"a","role":"Group"{rest}{inner}}}'


def content(*blocks):
    return f',"content":[{",".join(blocks)}]'


def kid(name, rest=""):
    return f'{{"id":"{name}","role":"Group"{rest}}}'


OK_TEXT = '{"type":"text","text":"t"}'
# By rule: a fragment with that error, and what is left of it.
CASES = {
    "lone-surrogate": (top(r',"title":"\ud800"'), top("")),
    "duplicate-member": (top(',"url":"ab:c","url":"ab:d"'), top(',"url":"ab:c"')),
    "wrong-type": (top(',"title":7'), top("")),
    "null-member": (top(',"title":null'), top("")),
    "missing-member": (top("", '{"id":"b"},' + kid("c")), top("", kid("c"))),
    "unknown-member": (top(',"x":1'), top("")),
    "malformed-id": (top("", kid("b c", f',"children":[{kid("d")}]')), top("", kid("d"))),
    "duplicate-id": (
        top("", kid("b") + "," + kid("b", f',"children":[{kid("d")}]')),
        top("", kid("b") + "," + kid("d")),
    ),
    "nested-application": (
        top("", f'{{"id":"b","role":"Application","children":[{kid("c")}]}}'),
        top("", kid("c")),
    ),
    "unknown-role": (top("", '{"id":"b","role":"Card"}'), top("", kid("b"))),
    "furniture-role": (
        top("", f'{{"id":"b","role":"Menu","children":[{kid("c")}]}}'),
        top("", kid("c")),
    ),
    "multiline-title": (top(r',"title":"a\nb"'), top("")),
    "blank-title": (top(',"title":" "'), top("")),
    "control-characters": (top(r',"subrole":"\u007f"'), top("")),
    "malformed-uri": (top(',"url":"x"'), top("")),
    "script-uri": (top(',"url":"javascript:x"'), top("")),
    "false-state": (top(',"selected":false'), top("")),
    "redundant-visible": (
        top(',"visible":false', kid("b", ',"visible":false')),
        top(',"visible":false', kid("b")),
    ),
    "focused-siblings": (
        top(',"focused":true', kid("b", ',"focused":true') + "," + kid("c", ',"focused":true')),
        top(',"focused":true', kid("b", ',"focused":true') + "," + kid("c")),
    ),
    "focus-gap": (
        top("", kid("b", ',"focused":true,"children":[' + kid("c", ',"focused":true') + "]")),
        top("", kid("b", ',"children":[' + kid("c") + "]")),
    ),
    "hovered-ancestor": (
        top(',"hovered":true', kid("b", ',"hovered":true')),
        top("", kid("b", ',"hovered":true')),
    ),
    "many-hovered": (
        top("", kid("b", ',"hovered":true') + "," + kid("c", ',"hovered":true')),
        top("", kid("b", ',"hovered":true') + "," + kid("c")),
    ),
    "misplaced-state": (top(',"attributes":{"x":1,"focused":1}'), top(',"attributes":{"x":1}')),
    "empty-children": (top("", ""), top("")),
    "empty-content": (top(content()), top("")),
    "unknown-block-type": (top(content('{"type":"x"}', OK_TEXT)), top(content(OK_TEXT))),
    "malformed-base64": (
        top(content(OK_TEXT, '{"type":"image","data":"A","mimeType":"image/png"}')),
        top(content(OK_TEXT)),
    ),
    "loose-base64": (top(content('{"type":"audio","data":"AB==","mimeType":"audio/x"}')), top("")),
    "malformed-media-type": (
        top(content('{"type":"resource_link","uri":"ab:c","name":"n","mimeType":"x"}')),
        top(content('{"type":"resource_link","uri":"ab:c","name":"n"}')),
    ),
    "wrong-media-type": (
        top(content(f'{{"type":"image","data":"{PNG}","mimeType":"image/gif"}}', OK_TEXT)),
        top(content(OK_TEXT)),
    ),
    "invalid-annotations": (
        top(content('{"type":"text","text":"t","annotations":{"audience":["x","user"]}}')),
        top(content('{"type":"text","text":"t","annotations":{"audience":["user"]}}')),
    ),
    "text-and-blob": (
        top(content('{"type":"resource","resource":{"uri":"ab:c","blob":"","text":""}}')),
        top(content('{"type":"resource","resource":{"uri":"ab:c","blob":""}}')),
    ),
    "text-without-text-block": (
        '{"id":"a","role":"Text","content":[{"type":"audio","data":"","mimeType":"audio/x"}]}',
        '{"id":"a","role":"Text"}',
    ),
    "no-image-or-link": (top(content('{"type":"audio","data":"","mimeType":"audio/x"}')), top("")),
    "irregular-table": (
        f'{{"id":"a","role":"Table","children":[{kid("b")}]}}',
        '{"id":"a","role":"Table"}',
    ),
    "incomplete-related": (
        top(',"attributes":{"related":[{}]}'),
        top(',"attributes":{"related":[]}'),
    ),
    "imprecise-number": (top(',"attributes":{"n":[1,1e999]}'), top(',"attributes":{"n":[1]}')),
}
LIMITED = {
    "limit-nesting": (
        {"nesting": 2},
        top(',"attributes":{"n":[1],"m":{}}'),
        top(',"attributes":{}'),
    ),
    "limit-elements": (
        {"elements": 2},
        top("", kid("b") + "," + kid("c")),
        top("", kid("b")),
    ),
    "limit-depth": (
        {"depth": 2},
        top("", kid("b", f',"children":[{kid("c")}]')),
        top("", kid("b")),
    ),
    "limit-children": ({"children": 1}, top("", kid("b") + "," + kid("c")), top("", kid("b"))),
    "limit-blocks": ({"blocks": 1}, top(content(OK_TEXT, OK_TEXT)), top(content(OK_TEXT))),
    "limit-subtree-bytes": (
        {"subtree_bytes": 70},
        top("", kid("b", f',"children":[{kid("c")},{kid("d")}]')),
        top("", kid("b", f',"children":[{kid("c")}]')),
    ),
    "limit-subtree-elements": (
        {"subtree_elements": 2},
        top("", kid("b", f',"children":[{kid("c")},{kid("d")}]')),
        top("", kid("b", f',"children":[{kid("c")}]')),
    ),
    "limit-content-bytes": (
        {"content_bytes": 30},
        top(content(OK_TEXT, OK_TEXT)),
        top(content(OK_TEXT)),
    ),
    "limit-attributes-bytes": (
        {"attributes_bytes": 8},
        top(',"attributes":{"n":1,"m":2}'),
        top(',"attributes":{"n":1}'),
    ),
    "limit-title": ({"title_characters": 1}, top(',"title":"ab"'), top("")),
    "limit-media-type": (
        {"media_types": ("image/gif",)},
        top(content(f'{{"type":"image","data":"{PNG}","mimeType":"image/png"}}', OK_TEXT)),
        top(content(OK_TEXT)),
    ),
    "limit-bytes": (
        {"bytes": 70},
        top("", kid("b") + "," + kid("c", f',"children":[{kid("d")}]')),
        top("", kid("b")),
    ),
}


@pytest.mark.parametrize("code", CASES)
def test_what_goes_for_a_rule(engine, code):
    broken, left = CASES[code]
    movable = next(row[3] for row in CATALOGUE if row[0] == code)
    validator = engine.Validator(kind="element", rules={code: "error"} if movable else {})
    assert code in validator.check(broken).counts
    saved = validator.salvage(broken)
    assert saved.data.decode() == left
    assert {one.finding.code for one in saved.removed} == {code}


@pytest.mark.parametrize("code", LIMITED)
def test_what_goes_for_a_limit(engine, code):
    limits, broken, left = LIMITED[code]
    saved = engine.salvage(broken, limits=engine.Limits(**limits), kind="element")
    assert saved.data.decode() == left
    assert {one.finding.code for one in saved.removed} == {code}


def enveloped(root, protocol='"0.2.0"', instance='"k"'):
    return f'{{"protocol":{protocol},"instance":{instance},"root":{root}}}'


APP = '{"id":"a","role":"Application"}'


@pytest.mark.parametrize(
    "data, code",
    [
        ("{", "json-truncated"),
        ('"\ud800"', "json-encoding"),
        ("[,]", "json-syntax"),
        ("[]", "wrong-type"),
        (enveloped(APP, protocol='"0.3.0"'), "unsupported-protocol"),
        (enveloped(APP, protocol="7"), "wrong-type"),
        (enveloped(APP, instance='""'), "empty-instance"),
        (enveloped("[]"), "wrong-type"),
        ('{"protocol":"0.2.0","instance":"k"}', "missing-member"),
        (enveloped('{"role":"Application"}'), "missing-member"),
        (enveloped('{"id":"a b","role":"Application"}'), "malformed-id"),
    ],
)
def test_what_cannot_be_saved(engine, data, code):
    with pytest.raises(engine.SalvageError, match=f"^nothing can be saved: error {code}") as caught:
        engine.salvage(data)
    assert pickle.loads(pickle.dumps(caught.value)).finding == caught.value.finding


def test_limits_that_leave_nothing(engine):
    for limits in ({"nesting": 0}, {"elements": 0}, {"depth": 0}, {"bytes": 9}):
        with pytest.raises(engine.SalvageError):
            engine.salvage(enveloped(APP), limits=engine.Limits(**limits))


@pytest.mark.parametrize(
    "role, done", [("", "added"), (',"role":7', "replaced"), (',"role":"app"', "replaced")]
)
def test_the_root_is_an_application(engine, role, done):
    saved = engine.salvage(enveloped(f'{{"id":"a"{role}}}'))
    assert json.loads(saved.data)["root"] == {"id": "a", "role": "Application"}
    assert [(one.done, one.elements) for one in saved.removed] == [(done, 0)]


def test_of_two_with_one_id_the_root_stays(engine):
    child = f'{{"id":"r","role":"Group","children":[{kid("b")}]}}'
    saved = engine.salvage(enveloped(f'{{"children":[{child}],"id":"r","role":"Application"}}'))
    assert json.loads(saved.data)["root"]["children"] == [{"id": "b", "role": "Group"}]


def test_what_children_inherited_they_are_given(engine):
    children = kid("b") + "," + kid("c", ',"visible":true')
    hidden = f'{{"id":"","role":"Group","visible":false,"children":[{children}]}}'
    broken = top("", hidden)
    saved = engine.salvage(broken, kind="element")
    told = json.loads(saved.data)["children"]
    assert [(one["id"], one.get("visible")) for one in told] == [("b", False), ("c", True)]
    assert [one.done for one in saved.removed] == ["lifted", "added"]


def test_later_rounds_speak_of_the_input(engine):
    child = f'{{"id":"b c","role":"Group","children":[{kid("d")},{kid("e")}]}}'
    data = top("", child)
    saved = engine.salvage(data, limits=engine.Limits(children=1), kind="element")
    first = next(one for one in saved.removed if one.finding.code == "limit-children")
    assert first.pointer == "/children/0/children/1"
    assert data[first.offset :][: first.bytes] == kid("e")
    assert (first.finding.pointer, first.finding.offset) == ("/children", data.index("[", 20))


def test_many_faults_take_few_rounds(engine):
    many = ",".join(f'{{"id":"n {at}","role":"Row","title":7}}' for at in range(5_000))
    saved = engine.salvage(enveloped(f'{{"id":"a","role":"Application","children":[{many}]}}'))
    assert saved.data.decode() == enveloped(APP)
    assert len(saved.removed) == 5_000


def test_what_is_no_text_is_refused(engine):
    released = memoryview(b"{}")
    released.release()
    for data, error in (({}, TypeError), (iter([]), TypeError), (released, ValueError)):
        with pytest.raises(error):
            engine.salvage(data)
    assert engine.salvage(memoryview(enveloped(APP).encode())).data == enveloped(APP).encode()


# --- every answer ---


def valid_case(rnd):
    case = Case(b"", kind=rnd.choice(("answer", "element")))
    case.data = written(rnd, (answer if case.kind == "answer" else element)(rnd))
    return case


@looking_for(valid_case)
def test_a_valid_answer_comes_back(engine, case):
    saved = validator_of(engine, case).salvage(case.data)
    assert (saved.data, saved.removed) == (case.data, ())


def broken_case(rnd):
    """Mostly mutated answers that can be saved; limits and moved rules in some."""
    case = text_case(rnd)
    if rnd.random() < 0.5:
        settings = settings_of(rnd)
        case.limits, case.rules = settings["limits"], settings["rules"]
    return case


@looking_for(broken_case)
def test_what_is_saved_is_valid_and_tells_what_is_gone(engine, case):
    validator = validator_of(engine, case)
    try:
        saved = validator.salvage(case.data)
    except engine.SalvageError as error:
        told = error
    else:
        told = None
    if told is not None:
        assert told.finding.level == "error"
        return
    assert saved.report.ok
    assert saved.report == validator.check(saved.data)
    assert validator.salvage(saved.data).data == saved.data
    if validator.is_valid(case.data):
        assert saved.data == case.data
    hold_removals(case, saved)


def hold_removals(case, saved):
    elements, blocks = counted(case.kind, case.data)
    left, blocks_left = counted(case.kind, saved.data)
    assert elements - left == sum(one.elements for one in saved.removed)
    assert blocks - blocks_left == sum(one.blocks for one in saved.removed)
    for one in saved.removed:
        assert one.offset >= 0
        assert 0 < one.bytes <= len(case.data) - one.offset
        assert one.finding.level == "error"
    assert bool(saved.removed) == (saved.data != case.data)


def counted(kind, data):
    """How many elements and blocks an answer has, counted plainly; of a repeated name the first."""
    value = json.loads(data, object_pairs_hook=first_of_each)
    waiting = [value]
    if kind == "answer":
        waiting = [value.get("root")] if isinstance(value, dict) else []
    elements = blocks = 0
    while waiting:
        at = waiting.pop()
        if not isinstance(at, dict):
            continue
        elements += 1
        content, children = at.get("content"), at.get("children")
        if isinstance(content, list):
            blocks += sum(isinstance(block, dict) for block in content)
        if isinstance(children, list):
            waiting += children
    return elements, blocks


def first_of_each(pairs):
    return dict(reversed(pairs))


# --- real answers ---


@pytest.mark.skipif(not REAL.exists(), reason="the real answers are not part of the project")
def test_real_answers(engine, capsys):
    there = survive = saved_ones = 0
    lost = []
    for file in sorted((REAL / "naive").glob("*.json")):
        if file.name.endswith(".report.json"):
            continue
        data = file.read_bytes()
        elements, _ = counted("answer", data)
        there += elements
        try:
            saved = engine.salvage(data)
        except engine.SalvageError:
            lost.append(file.stem)
            continue
        hold_removals(Case(data), saved)
        assert saved.report.ok
        survive += counted("answer", saved.data)[0]
        saved_ones += 1
    with capsys.disabled():
        print(f"\nnaive answers: {saved_ones} saved, {survive} of {there} elements; not: {lost}")
    assert saved_ones >= 16
