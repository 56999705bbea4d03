"""Excerpts: each line of `docs/excerpt.md`, and what holds for every valid answer and any budget.

Comes in: answers of `valid_answers.py`, and the real ones where they are there. Goes out: a failure
where an excerpt is no valid answer, is over its budget, or loses what must stay.
"""

import json
import pickle
from pathlib import Path
from time import process_time

import pytest

from elementguard import _nearest
from elementguard._excerpt import BudgetError
from elementguard._python import excerpt as room
from test_property import looking_for
from valid_answers import answer, element, may
from written_answers import written

REAL = Path(__file__).parent.parent.parent / "shared" / "real"


def excerpt(validator, data, **options):
    return validator.load(data).excerpt(**options)


def envelope(root):
    return json.dumps({"protocol": "0.2.0", "instance": "k3", "root": root}).encode()


def one(name, *children, content=(), role="Group", **members):
    made = {"id": name, "role": role, **members}
    if content:
        made["content"] = list(content)
    if children:
        made["children"] = list(children)
    return made


TEXT = {"type": "text", "text": "what it shows"}
LINK = {"type": "resource_link", "uri": "ab:c", "name": "n"}
IMAGE = {"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo="}
AUDIO = {"type": "audio", "mimeType": "audio/x-any", "data": "AAAA"}
BLOB = {"type": "resource", "resource": {"uri": "ab:c", "blob": "AAAA"}}


def order_of(engine, data, **options):
    """In which order elements and blocks come as the budget in bytes grows."""
    found = []
    for budget in range(len(data) + 1):
        try:
            kept = excerpt(engine.Validator(), data, max_bytes=budget, **options).data
        except BudgetError:
            continue
        new = names_of(json.loads(kept)["root"])
        assert set(found) <= set(new)
        found += [name for name in new if name not in found]
    return found


def names_of(top):
    found, waiting = [], [top]
    while waiting:
        at = waiting.pop()
        found.append(at["id"])
        found += [f"{at['id']}.{block['type']}" for block in at.get("content", ())]
        waiting += reversed(at.get("children", ()))
    return found


# --- the lines of the order ---


def test_1_the_root_the_anchors_and_all_above_them_come_first(engine):
    root = one(
        "app",
        one("near", content=[TEXT]),
        one("w", one("pos", focused=True), one("sel", selected=True), focused=True),
        one("far", one("hov", hovered=True)),
        role="Application",
    )
    told = order_of(engine, envelope(root))
    assert told[:6] == ["app", "w", "pos", "sel", "far", "hov"]
    assert order_of(engine, envelope(root), keep=())[:3] == ["app", "w", "pos"]
    assert order_of(engine, envelope(root), keep=["near"])[:4] == ["app", "near", "w", "pos"]


def test_1_without_a_position_the_root_is_the_anchor(engine):
    root = one("app", one("a", one("b")), one("c"), role="Application")
    assert order_of(engine, envelope(root)) == ["app", "a", "c", "b"]


def test_2_the_nearest_come_first(engine):
    root = one(
        "app",
        one("x", one("xx"), content=[TEXT]),
        one("w", one("pos", one("below"), focused=True, content=[TEXT]), one("s"), focused=True),
        role="Application",
        content=[TEXT],
    )
    assert order_of(engine, envelope(root)) == [
        *("app", "w", "pos", "pos.text", "below", "app.text", "s", "x", "x.text", "xx"),
    ]


def test_3_at_one_distance_the_visible_come_first(engine):
    root = one(
        "app",
        one("a", one("aa", visible=True), one("ab"), visible=False, content=[TEXT]),
        one("b", one("bb")),
        role="Application",
    )
    told = order_of(engine, envelope(root))
    assert told == ["app", "b", "a", "a.text", "aa", "bb", "ab"]


def test_4_then_an_element_its_texts_its_other_blocks(engine):
    root = one("app", one("a", content=[LINK, TEXT]), one("b"), role="Application")
    assert order_of(engine, envelope(root)) == ["app", "a", "a.text", "a.resource_link", "b"]


def test_5_binary_data_comes_last_of_all(engine):
    content = [AUDIO, BLOB, IMAGE, TEXT]
    root = one(
        "app",
        one("p", content=content, focused=True),
        one("a", one("b", one("c"), content=[IMAGE])),
        role="Application",
    )
    told = order_of(engine, envelope(root))
    assert told[:6] == ["app", "p", "p.text", "a", "b", "c"]
    assert told[6:] == ["p.image", "p.resource", "p.audio", "b.image"]


# --- the other lines ---


def test_what_goes_takes_one_comma_and_the_space_before_it(engine):
    text = b'{ "id":"a" , "children" : [ {"id":"b","role":"Group"} , {"id":"c","role":"Group"} ]'
    text += b' , "role":"Group" }'
    validator = engine.Validator(kind="element")
    shorter = excerpt(validator, text, max_elements=2)
    assert shorter.data == text.replace(b' , {"id":"c","role":"Group"}', b"")
    assert excerpt(validator, text, keep=["c"], max_elements=2).data == text.replace(
        b'{"id":"b","role":"Group"} , ', b""
    )
    assert excerpt(validator, text, max_elements=1).data == b'{ "id":"a" , "role":"Group" }'
    assert [(one.pointer, one.name, one.elements) for one in shorter.removed] == [
        ("/children/1", "c", 1)
    ]


def test_a_list_that_begins_the_element_goes_with_the_comma_behind_it(engine):
    text = b'{"content":[{"type":"text","text":""}],"id":"a","role":"Group"}'
    validator = engine.Validator(kind="element")
    assert excerpt(validator, text, max_bytes=40).data == b'{"id":"a","role":"Group"}'


def test_items_that_are_no_objects_stay(engine):
    validator = engine.Validator(kind="element", rules={"wrong-type": "off"})
    text = b'{"id":"a","role":"Group","children":[7,{"id":"b","role":"Group"},[]]}'
    assert (
        excerpt(validator, text, max_elements=1).data
        == b'{"id":"a","role":"Group","children":[7,[]]}'
    )


def test_without_a_root_nothing_can_go(engine):
    for kind in ("answer", "element"):
        validator = engine.Validator(kind=kind, rules={"wrong-type": "off"})
        assert excerpt(validator, b" [ ]", max_bytes=4).data == b" [ ]"
        with pytest.raises(BudgetError, match="needs 4 at least"):
            excerpt(validator, b" [ ]", max_bytes=3)


def test_a_budget_that_is_too_small_says_what_would_do(engine):
    validator = engine.Validator(kind="element")
    text = '{"id":"a","role":"Group","children":[{"id":"b","role":"Group","selected":true}]}'
    for budget, least in (("max_bytes", len(text)), ("max_elements", 2)):
        with pytest.raises(BudgetError, match=f"^{budget}: .* needs {least} at least") as caught:
            excerpt(validator, text, **{budget: least - 1})
        error = pickle.loads(pickle.dumps(caught.value))
        assert (error.budget, error.allowed, error.least) == (budget, least - 1, least)
        assert excerpt(validator, text, **{budget: least}).data == text.encode()


def test_blob_bytes_are_decoded_ones(engine):
    validator = engine.Validator(kind="element")
    text = json.dumps(one("a", content=[IMAGE, TEXT, AUDIO]))
    kept = json.loads(excerpt(validator, text, max_blob_bytes=8).data)
    assert kept["content"] == [IMAGE, TEXT]
    assert json.loads(excerpt(validator, text, max_blob_bytes=7).data)["content"] == [TEXT]


@pytest.mark.parametrize(
    "options, error, words",
    [
        ({"keep": ["nobody"]}, ValueError, "keep: 'nobody'"),
        ({"keep": ["focused"]}, ValueError, "keep: 'focused'"),
        ({"keep": "selected"}, TypeError, "keep: an iterable"),
        ({"keep": [7]}, TypeError, "keep: a word or an id"),
        ({"max_bytes": -1}, ValueError, "max_bytes: 0 or more"),
        ({"max_elements": 1.5}, TypeError, "max_elements: an integer"),
        ({"max_blob_bytes": True}, TypeError, "max_blob_bytes: an integer"),
    ],
)
def test_bad_arguments_are_named(engine, options, error, words):
    with pytest.raises(error, match=words):
        excerpt(engine.Validator(kind="element"), '{"id":"a","role":"Group"}', **options)


def test_an_id_that_no_element_has_is_named_where_items_may_be_anything(engine):
    rules = {"wrong-type": "off", "missing-member": "off"}
    whole = engine.Validator(kind="element", rules=rules).load('{"role":"Group"}')
    with pytest.raises(
        ValueError, match=r"^keep: 'x' is neither 'selected' or 'hovered' nor an element's id$"
    ):
        whole.excerpt(keep=["x"])


def test_what_is_no_text_or_no_valid_answer_is_refused(engine):
    validator = engine.Validator(kind="element")
    released = memoryview(b"{}")
    released.release()
    for data, error in ((iter([]), TypeError), (released, ValueError)):
        with pytest.raises(error):
            excerpt(validator, data)
    with pytest.raises(engine.ValidationError):
        excerpt(validator, b"{}")


def test_a_parsed_object_is_cut_as_its_compact_text(engine):
    parsed = one("a", one("b"), one("c", focused=True), focused=True)
    text = json.dumps(parsed, separators=(",", ":"))
    validator = engine.Validator(kind="element")
    made = excerpt(validator, parsed, max_elements=2)
    assert made.data == excerpt(validator, text, max_elements=2).data
    assert names_of(json.loads(made.data)) == ["a", "c"]


# --- every valid answer ---


def budget_case(rnd):
    """A valid answer in any handwriting, two budgets, and what to keep."""
    kind = rnd.choice(("answer", "answer", "element"))
    value = (answer if kind == "answer" else element)(rnd, rnd.choice((None, None, 30)))
    data = written(rnd, value)
    top = value["root"] if kind == "answer" else value
    ids = [name for name in names_of(top) if "." not in name]
    keep = [word for word in ("selected", "hovered") if may(rnd, 0.7)]
    keep += rnd.sample(ids, rnd.choice((0, 0, 1))) if ids else []
    keep = [word for word in keep if word in ("selected", "hovered") or word in ids]
    name = rnd.choice(("max_bytes", "max_bytes", "max_elements", "max_blob_bytes"))
    most = {"max_bytes": len(data), "max_elements": len(ids), "max_blob_bytes": 60}[name]
    small, large = sorted(rnd.randrange(most + 2) for _ in range(2))
    return kind, data, keep, name, small, large


@looking_for(budget_case)
def test_an_excerpt_is_a_smaller_valid_answer(engine, case):
    kind, data, keep, name, small, large = case
    validator = engine.Validator(kind=kind)
    whole = validator.check(data)
    assert whole.ok
    larger = cut(validator, data, keep, {name: large})
    smaller = cut(validator, data, keep, {name: small})
    for made, budget in ((smaller, small), (larger, large)):
        if made is not None:
            hold(validator, data, keep, made, {name: budget})
    if smaller is not None:
        assert larger is not None
        assert ids_of(kind, smaller.data) <= ids_of(kind, larger.data)
        assert len(smaller.data) <= len(larger.data)


@looking_for(budget_case, share=2)
def test_what_is_found_nearest_first_is_a_beginning_of_the_whole_order(engine, case):
    kind, data, keep, name, small, large = case
    loaded = engine.Validator(kind=kind).load(data)
    for allowed in (small, large):
        budgets = {**dict.fromkeys(figures(loaded.report)), name: allowed}
        options = tuple(budgets.items())
        try:
            told, _, gone = room.excerpt(data, keep, options, is_fragment=kind == "element")
        except room.TooSmallError as error:
            too_small = (error.budget, error.allowed, error.least)
            with pytest.raises(BudgetError) as caught:
                loaded.excerpt(keep=keep, **budgets)
            assert BudgetError(*too_small).args == caught.value.args
            continue
        made = loaded.excerpt(keep=keep, **budgets)
        assert made.data == told
        assert [one.pointer for one in made.removed] == [one.pointer for one in gone]


def test_a_small_excerpt_of_a_large_answer_looks_at_what_is_near(engine, monkeypatch):
    rows = [one(f"r{number}", one(f"r{number}-c")) for number in range(500)]
    rows[300]["focused"] = True
    text = json.dumps(one("a", *rows, role="List", focused=True), indent=1)
    made = excerpt(engine.Validator(kind="element"), text, max_elements=6)
    assert ids_of("element", made.data) == {"a", "r0", "r1", "r2", "r300", "r300-c"}
    # All of it is put in order only when somebody asks what went.
    monkeypatch.setattr(room, "Order", None)
    again = excerpt(engine.Validator(kind="element"), text, max_elements=6)
    assert again.data == made.data
    monkeypatch.undo()
    assert sum(one.elements for one in again.removed) == 1001 - 6


def test_where_much_stays_it_is_found_nearest_first_too(engine, monkeypatch):
    rows = (one(f"r{number}", content=[TEXT]) for number in range(40))
    text = json.dumps(one("a", one("h", *rows, role="List"), role="List"))
    loaded = engine.Validator(kind="element").load(text)
    told = [loaded.excerpt(max_elements=count).removed for count in range(1, 43)]
    monkeypatch.setattr(room, "Order", None)
    for count, gone in enumerate(told, 1):
        made = loaded.excerpt(max_elements=count)
        assert made.data.count(b'"id"') == count
        assert sum(one.elements for one in gone) == 42 - count


def test_a_deep_answer_takes_no_square(engine):
    depth = 20_000
    text = "".join(f'{{"id":"e{at}","role":"Group","children":[' for at in range(depth))
    text += '{"id":"f","role":"Group"}' + "]}" * depth
    limits = engine.Limits(nesting=None)
    whole = engine.Validator(kind="element", limits=limits).load(text)
    before = process_time()
    made = whole.excerpt(max_elements=depth)
    assert process_time() - before < 10
    assert made.data.count(b'"id"') == depth


def test_pictures_are_not_looked_at_letter_by_letter(engine, monkeypatch):
    pictures = [{"type": "image", "data": "AAAA" * 9, "mimeType": "a/b"} for _ in range(9)]
    text = json.dumps(one("a", one("b", content=pictures), one("c", content=pictures)))
    whole = engine.Validator(kind="element").load(text)
    monkeypatch.setattr(room, "Order", None)
    for pictures_left in range(18):
        made = whole.excerpt(max_blob_bytes=27 * pictures_left + 26)
        assert made.data.count(b"AAAA" * 9) == pictures_left
        assert whole.excerpt(max_bytes=len(made.data)).data == made.data


def cut(validator, data, keep, budget):
    try:
        return excerpt(validator, data, keep=keep, **budget)
    except BudgetError as error:
        told = error
    assert told.least > told.allowed
    least = excerpt(validator, data, keep=keep, **{told.budget: told.least})
    assert figures(validator.check(least.data))[told.budget] == told.least
    return None


def hold(validator, data, keep, made, budget):
    whole = validator.check(data)
    report = validator.check(made.data)
    assert report.ok
    figure = figures(report)
    ((name, allowed),) = budget.items()
    assert figure[name] <= allowed
    if figures(whole)[name] <= allowed:
        assert made.data == data
    assert excerpt(validator, made.data, keep=keep, **budget).data == made.data
    for code, count in report.counts.items():
        assert code == "dangling-related" or count <= whole.counts[code]
    told, was = report.summary, whole.summary
    assert (told.focus_path, told.position) == (was.focus_path, was.position)
    if "selected" in keep:
        assert told.selected == was.selected
    if "hovered" in keep:
        assert told.hovered == was.hovered
    ids = ids_of(validator.kind, made.data)
    assert {one for one in keep if one not in ("selected", "hovered")} <= ids
    assert sum(one.elements for one in made.removed) == was.elements - told.elements
    blocks = sum(was.block_types.values()) - sum(told.block_types.values())
    assert sum(one.blocks for one in made.removed) == blocks
    for one in made.removed:
        assert data[one.offset : one.offset + one.bytes].startswith(b"{")


def figures(report):
    return {
        "max_bytes": report.summary.bytes,
        "max_elements": report.summary.elements,
        "max_blob_bytes": report.summary.root.blob_bytes,
    }


def ids_of(kind, data):
    value = json.loads(data)
    return set(names_of(value["root"] if kind == "answer" else value))


# --- real answers ---


@pytest.mark.skipif(not REAL.exists(), reason="the real answers are not part of the project")
@pytest.mark.parametrize("budget", [2048, 8192, 32768])
def test_real_answers(engine, budget):
    validator = engine.Validator()
    seen = 0
    for file in sorted((REAL / "faithful").glob("*.json")):
        if file.name.endswith(".report.json"):
            continue
        data = file.read_bytes()
        made = excerpt(validator, data, max_bytes=budget)
        keep = ("selected", "hovered")
        hold(validator, data, keep, made, {"max_bytes": budget})
        seen += 1
    assert seen >= 20


def test_of_many_deep_anchors_each_element_above_is_asked_for_once():
    class Chain:
        asked = 0

        def cell(self, row, _column):
            self.asked += 1
            return row - 1

    chain, required = Chain(), {0}
    for row in range(100, 0, -1):
        _nearest._require(chain, row, required)
    assert required == set(range(101))
    assert chain.asked == 100
