"""The vectors of what is cut out of answers and mended in them, on both engines.

Comes in: `conformance/cuts.toml`, whose form `conformance/README.md` defines. Goes out: a failure
where an excerpt, a salvage or a fix gives other bytes than are written.
"""

import tomllib
from pathlib import Path

import pytest

from elementguard._excerpt import BudgetError
from elementguard._python import excerpt as room
from elementguard._python.fix import SAFE, UNSAFE
from elementguard._python.salvage_table import CANNOT, NOTHING, TABLE

HOME = Path(__file__).parent / "conformance"
CUTS = tomllib.loads((HOME / "cuts.toml").read_text("utf-8"))
BUDGETS = ("max_bytes", "max_elements", "max_blob_bytes")


def each(name):
    return pytest.mark.parametrize("cut", CUTS[name], ids=lambda cut: cut["slug"].replace(" ", "-"))


def validator(engine, cut):
    limits = dict(cut.get("limits", {}))
    return engine.Validator(
        limits=engine.Limits(**limits), rules=cut.get("rules"), kind=cut["kind"]
    )


@each("excerpt")
def test_an_excerpt(engine, cut):
    options = {name: cut[name] for name in (*BUDGETS, "keep") if name in cut}
    answer = validator(engine, cut).load(cut["input"])
    if "least" in cut:
        with pytest.raises(BudgetError) as caught:
            answer.excerpt(**options)
        assert caught.value.least == cut["least"]
    else:
        made = answer.excerpt(**options)
        assert made.data.decode() == cut["output"]
        if "told" in cut:
            assert [excerpt_told(one) for one in made.removed] == cut["told"]


def excerpt_told(one):
    return f"{one.name} {one.pointer} {one.offset}+{one.bytes} {one.elements} {one.blocks}"


@each("excerpt")
def test_an_excerpt_with_all_of_it_put_in_order(cut):
    keep = cut.get("keep", ("selected", "hovered"))
    budgets = tuple((name, cut.get(name)) for name in BUDGETS)
    data, is_fragment = cut["input"].encode(), cut["kind"] == "element"
    if "least" in cut:
        with pytest.raises(room.TooSmallError) as caught:
            room.excerpt(data, keep, budgets, is_fragment=is_fragment)
        assert caught.value.least == cut["least"]
    else:
        made, _, _ = room.excerpt(data, keep, budgets, is_fragment=is_fragment)
        assert made.decode() == cut["output"]


@each("salvage")
def test_a_salvage(engine, cut):
    asked = validator(engine, cut)
    if "cannot" in cut:
        with pytest.raises(engine.SalvageError) as caught:
            asked.salvage(cut["input"])
        assert caught.value.finding.code == cut["cannot"]
        return
    assert not asked.check(cut["input"]).ok
    saved = asked.salvage(cut["input"])
    assert saved.data.decode() == cut["output"]
    if "told" in cut:
        assert [told(one) for one in saved.removed] == cut["told"]
    else:
        assert {one.finding.code for one in saved.removed} == {cut["slug"]}


def told(one):
    place = f"{one.pointer} {one.offset}+{one.bytes}"
    return f"{one.finding.code} {one.done} {place} {one.elements} {one.blocks}"


@each("fix")
def test_a_fix(engine, cut):
    unsafe = cut.get("unsafe", False)
    made = engine.fix(cut["input"], unsafe=unsafe, kind=cut["kind"])
    assert made.data.decode() == cut["output"]
    assert {one.finding.code for one in made.applied} == {cut["slug"]}
    assert not made.report.findings
    if unsafe:
        assert engine.fix(cut["input"], kind=cut["kind"]).data.decode() == cut["input"]


def test_no_rule_is_left_out():
    saved = {cut["slug"] for cut in CUTS["salvage"]}
    elsewhere = {"root-not-application", "dangling-related"}  # not in fragments: test_salvage.py
    can = {code for code, (what, _) in TABLE.items() if what not in (CANNOT, NOTHING)}
    assert can - elsewhere <= saved
    fixed = {cut["slug"] for cut in CUTS["fix"]}
    assert fixed == (SAFE | UNSAFE) - {"root-not-application"}
