"""Salvage: each row of `docs/salvage.md`, and what holds for every answer that can be saved.

Comes in: broken answers of `strategies.py` and of this file, and the real ones where they are
there. Goes out: a failure where what is left is not valid, or something is gone and not told.
"""

import json
import pickle
import re
from pathlib import Path

import pytest
from hypothesis import assume

from elementguard._catalogue import CATALOGUE
from elementguard._compact import with_nulls
from elementguard._load import is_text
from elementguard._python.salvage_plan import Plan
from elementguard._python.salvage_table import TABLE, words
from strategies import Case, mutated, object_case, permuted, settings_of, text_case
from test_property import looking_for, validator_of
from valid_answers import answer, element
from written_answers import written

ROOT = Path(__file__).parent.parent
REAL = ROOT.parent / "shared" / "real"
DOCUMENT = (ROOT / "docs" / "salvage.md").read_text("utf-8")


def test_the_table_of_the_documentation_is_that_of_the_code():
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| (.+) \|$", DOCUMENT, re.MULTILINE)
    assert rows == [(code, words(code)) for code in TABLE]
    assert list(TABLE) == [row[0] for row in CATALOGUE]
    assert all(told for _, told in rows)


def top(rest, children=None):
    inner = f',"children":[{children}]' if children is not None else ""
    return f'{{"id":"a","role":"Group"{rest}{inner}}}'


def kid(name, rest=""):
    return f'{{"id":"{name}","role":"Group"{rest}}}'


def enveloped(root, protocol='"0.2.0"', instance='"k"'):
    return f'{{"protocol":{protocol},"instance":{instance},"root":{root}}}'


APP = '{"id":"a","role":"Application"}'


@pytest.mark.parametrize("data", ["{", '"\ud800"', '{"protocol":"0.2.0","instance":"k"}'])
def test_what_cannot_be_saved_says_why(engine, data):
    with pytest.raises(engine.SalvageError, match=r"^nothing can be saved: error ") as caught:
        engine.salvage(data)
    assert pickle.loads(pickle.dumps(caught.value)).finding == caught.value.finding


def test_what_stands_at_the_very_beginning_is_found(engine):
    with pytest.raises(engine.SalvageError) as caught:
        engine.salvage('{"id":"a"}', kind="element")
    assert caught.value.finding.params == {"member": "role"}


def test_an_entry_that_leads_nowhere(engine):
    related = '"related":[{"relation":"r","id":"a"},{"relation":"r","id":"b"}]'
    data = enveloped(APP.replace("}", f',"attributes":{{{related}}}}}'))
    strict = engine.Validator(rules={"dangling-related": "error"})
    saved = strict.salvage(data)
    assert json.loads(saved.data)["root"]["attributes"]["related"] == [{"relation": "r", "id": "a"}]


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


def test_what_goes_with_a_lifted_element_is_counted(engine):
    block = '{"type":"text","text":""}'
    child = kid("b c", f',"content":[{block},{block}],"children":[{kid("d")}]')
    (one,) = engine.salvage(top("", child), kind="element").removed
    assert (one.done, one.elements, one.blocks) == ("lifted", 1, 2)
    assert (one.pointer, one.finding.pointer) == ("/children/0", "/children/0/id")


def test_what_two_rules_take_goes_once(engine):
    cell = '{"id":"c","role":"C\\ud800ell","children":[{"id":"l","role":"Link"}]}'
    row = f'{{"id":"r","role":"Row","children":[{cell}]}}'
    table = f'{{"id":"t","role":"Table","children":[{row}]}}'
    validator = engine.Validator(kind="element", rules={"irregular-table": "error"})
    saved = validator.salvage(table)
    assert saved.data == table.replace(f',"children":[{cell}]', "").encode()
    assert [(one.done, one.elements) for one in saved.removed] == [("removed", 2)]


def test_of_subtrees_the_lowest_lose_their_last_children_first(engine):
    low = kid("b", f',"children":[{kid("c")},{kid("d")},{kid("e")}]')
    data = top("", kid("x", f',"children":[{low},{kid("f")},{kid("g")}]'))
    for most, left in ((7, "xbcdefg"), (6, "xbcdef"), (5, "xbcde"), (4, "x"), (1, "x"), (0, "")):
        limits = engine.Limits(subtree_elements=most)
        saved = engine.salvage(data, limits=limits, kind="element")
        assert "".join(re.findall(r'"id":"(.)"', saved.data.decode())) == f"a{left}"


def test_later_rounds_speak_of_the_input(engine):
    kids = ",".join(map(kid, "cde"))
    x = kid("x", f',"title":7,"children":[{kids}]')
    data = top(',"url":7', kid("b c") + "," + x)
    limits = engine.Limits(children=2, subtree_elements=2)
    removed = engine.salvage(data, limits=limits, kind="element").removed
    told = [(one.finding.code, one.pointer, data[one.offset :][: one.bytes]) for one in removed]
    assert told == [
        ("wrong-type", "/url", '"url":7'),
        ("malformed-id", "/children/0", kid("b c")),
        ("wrong-type", "/children/1/title", '"title":7'),
        ("limit-children", "/children/1/children/2", kid("e")),
        ("limit-subtree-elements", "/children/1/children/1", kid("d")),
    ]
    places = [(one.finding.pointer, one.finding.offset) for one in removed[3:]]
    assert places == [
        ("/children/1/children", data.index(f"[{kids}")),
        ("/children/1", data.index(x)),
    ]


def test_many_faults_take_few_rounds(engine):
    many = ",".join(f'{{"id":"n {at}","role":"Row","title":7}}' for at in range(5_000))
    saved = engine.salvage(enveloped(f'{{"id":"a","role":"Application","children":[{many}]}}'))
    assert saved.data.decode() == enveloped(APP)
    assert len(saved.removed) == 5_000


def test_a_name_that_is_repeated_many_times_takes_no_square(engine):
    many = ",".join('"title":{"x":1,"x":2}' for _ in range(5_000))
    saved = engine.salvage(f'{{"id":"a","role":"Group",{many}}}', kind="element")
    assert saved.data == b'{"id":"a","role":"Group"}'
    assert len(saved.removed) == 5_000


def test_what_goes_is_looked_for_around_each_value_once():
    class Counted(list):
        asked = 0

        def __getitem__(self, at):
            self.asked += 1
            return super().__getitem__(at)

    depth = 100
    text = '{"id":"n","role":"Row","title":5,"children":[' * depth + "]}" * depth
    plan = Plan(text.encode(), is_fragment=True)
    for row, name in enumerate(plan.places.names):
        if name == "title":
            plan.gone(row, (0, 0, "", None, ()))
    holder = plan.places.holder = Counted(plan.places.holder)
    assert len(plan.apply()[2]) == depth
    assert holder.asked <= 2 * len(plan.places)


def test_what_is_no_text_is_refused(engine):
    released = memoryview(b"{}")
    released.release()
    stream = engine.Validator().stream()
    for data, error in ((stream, TypeError), (iter([]), TypeError), (released, ValueError)):
        with pytest.raises(error):
            engine.salvage(data)
    assert engine.salvage(memoryview(enveloped(APP).encode())).data == enveloped(APP).encode()


# --- parsed objects ---


def test_a_parsed_object_is_saved_as_its_compact_text(engine):
    value = {"id": "a", "role": "Group", "title": "\u00fc", "url": 7, "children": [{"id": "b"}]}
    told = engine.salvage(value, kind="element")
    compact = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    of_text = engine.salvage(compact, kind="element")
    assert told.data == of_text.data == '{"id":"a","role":"Group","title":"\u00fc"}'.encode()
    assert list(map(repr, told.removed)) == list(map(repr, of_text.removed))
    assert [(one.offset, one.bytes) for one in told.removed] == [
        (one.offset, one.bytes) for one in of_text.removed
    ]
    valid = {"id": "a", "role": "Group"}
    assert engine.salvage(valid, kind="element").removed == ()


def test_what_json_has_no_type_for_goes_and_is_told(engine):
    value = {"id": "a", "role": "Group", 5: 1, "attributes": {"x": [1, {2}, 3], (): 1}}
    lifted = {"id": b"c", "role": "Row", "children": [{"id": "d", "role": "Row"}]}
    value["children"] = [float("nan"), {"id": "b c", "role": "Row"}, lifted]
    value["attributes"]["y"] = value
    saved = engine.salvage(value, kind="element")
    assert json.loads(saved.data) == {
        "id": "a",
        "role": "Group",
        "attributes": {"x": [1, 3]},
        "children": [{"id": "d", "role": "Row"}],
    }
    assert [(one.pointer, one.done, one.finding.params.get("found")) for one in saved.removed] == [
        ("", "removed", "int"),
        ("/attributes", "removed", "tuple"),
        ("/attributes/x/1", "removed", "set"),
        ("/attributes/y", "removed", "dict"),
        ("/children/0", "removed", "NaN"),
        ("/children/1", "removed", None),
        ("/children/2", "lifted", "bytes"),
    ]
    told = {(one.pointer, one.code) for one in engine.check(value, kind="element").findings}
    assert {(one.finding.pointer, one.finding.code) for one in saved.removed} == told
    lenient = engine.Validator(rules={"wrong-type": "off"}, kind="element")
    made = lenient.salvage({"id": "a", "role": "Group", "x": {1}})
    assert made.data == b'{"id":"a","role":"Group"}'
    assert [one.pointer for one in made.removed] == ["/x"]


def test_what_holds_itself_ends_there_if_the_host_lets_it_pass(engine):
    value = {"id": "a", "role": "Group", "attributes": {"x": [1]}}
    value["attributes"]["x"].append(value)
    lenient = engine.Validator(rules={"wrong-type": "off"}, kind="element")
    written = b'{"id":"a","role":"Group","attributes":{"x":[1]}}'
    assert bytes(lenient.load(value).raw) == written


def test_what_nothing_can_be_saved_without_may_be_no_json(engine):
    for value in ({1}, {"protocol": "0.2.0", "instance": {1}, "root": {"id": "a"}}):
        with pytest.raises(engine.SalvageError, match="set"):
            engine.salvage(value)


@looking_for(object_case)
def test_parsed_objects_are_saved_too(engine, case):
    assume(not is_text(case.data) and not hasattr(case.data, "__next__"))
    validator = validator_of(engine, case)
    try:
        saved = validator.salvage(case.data)
    except engine.SalvageError:
        return  # for what: as of texts
    assert saved.report.ok
    assert validator.salvage(saved.data).data == saved.data
    text, strays = with_nulls(case.data)
    assert bool(saved.removed) == (bool(strays) or saved.data != text)
    were, blocks = counted(case.kind, text)
    are, blocks_left = counted(case.kind, saved.data)
    assert were - are == sum(one.elements for one in saved.removed)
    assert blocks - blocks_left == sum(one.blocks for one in saved.removed)


# --- every answer ---


def valid_case(rnd):
    case = Case(b"", kind=rnd.choice(("answer", "element")))
    case.data = written(rnd, (answer if case.kind == "answer" else element)(rnd))
    return case


@looking_for(valid_case)
def test_a_valid_answer_comes_back(engine, case):
    saved = validator_of(engine, case).salvage(case.data)
    assert (saved.data, saved.removed) == (case.data, ())


def any_case(rnd):
    """Any bytes; limits and moved rules in some."""
    case = text_case(rnd)
    if rnd.random() < 0.5:
        settings = settings_of(rnd)
        case.limits, case.rules = settings["limits"], settings["rules"]
    return case


def faulty_case(rnd):
    """Faults everywhere but in what nothing can be saved without."""
    case = Case(None, **settings_of(rnd, all_limits=rnd.random() < 0.1))
    value = (answer if case.kind == "answer" else element)(rnd, rnd.choice((None, None, 30)))
    top = value["root"] if case.kind == "answer" else value
    needed = {name: top.pop(name) for name in ("id", "role")}
    for _ in range(rnd.choice((1, 1, 2, 4))):
        rest = mutated(rnd, top)
        top = rest if isinstance(rest, dict) else top
    top = permuted(rnd, {**top, **needed}) if rnd.random() < 0.5 else {**top, **needed}
    value = {**value, "root": top} if case.kind == "answer" else top
    case.data = written(rnd, value, repeats=rnd.random() < 0.3)
    return case


@looking_for(any_case)
def test_what_cannot_be_saved_lacks_what_nothing_can_be_saved_without(engine, case):
    validator = validator_of(engine, case)
    try:
        saved = validator.salvage(case.data)
    except engine.SalvageError as error:
        hold_reason(case, error.finding)
    else:
        hold_saved(validator, case, saved)


def hold_reason(case, finding):
    """Nobody is told that nothing can be saved but for what the documentation names."""
    assert finding.level == "error"
    needed = ("", "/protocol", "/instance", "/root", "/root/id")
    if case.kind == "element":
        needed = ("", "/id", "/role")
    is_json = finding.code in ("json-encoding", "json-syntax", "json-truncated")
    assert is_json or finding.code.startswith("limit-") or finding.pointer in needed


@looking_for(faulty_case)
def test_what_is_saved_is_valid_and_tells_what_is_gone(engine, case):
    validator = validator_of(engine, case)
    try:
        saved = validator.salvage(case.data)
    except engine.SalvageError:
        saved = None
    assume(saved is not None)
    hold_saved(validator, case, saved)


def hold_saved(validator, case, saved):
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
    value = json.loads(data, object_pairs_hook=first_of_each, parse_int=len)
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
