"""What holds for every input: Hypothesis looks for one for which it doesn't.

Comes in: the strategies of `strategies.py`. Goes out: the smallest input it can find for which the
two engines differ, a report hangs on what must not matter, or a call raises.

Each property is tried on some fifty inputs. `ELEMENTGUARD_EXAMPLES=2000` says on how many instead;
`python tests/long_run.py` holds the engines against each other on 100,000, and tells what was
among them; `python tests/long_properties.py` tries the receiver's properties on 20,000 each.
"""

import contextlib
import json
import os
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from hypothesis import HealthCheck, assume, given, settings

from places_in_text import element_of, find, read
from strategies import (
    Case,
    drawn,
    dressed,
    literals_read,
    mutated,
    object_case,
    pairs_joined,
    permuted,
    settings_of,
    slots,
    text_case,
)
from valid_answers import answer, element, may
from written_answers import GAPS, compact, plainly, written

_ID = re.compile(r"[A-Za-z0-9_-]{1,128}")
# Rules about a member's name: they point at its opening quote.
_OF_NAMES = {"unknown-member", "misplaced-state"}


def looking_for(maker, *, share=1.0):
    """The test's last argument: what the maker makes, again and again.

    The test keeps the maker as `maker`, for runs that Hypothesis takes too long for.
    """
    wanted = int(os.environ.get("ELEMENTGUARD_EXAMPLES", "50"))
    how = settings(
        max_examples=max(1, int(wanted * share)),
        deadline=None,  # the machine may be busy
        database=None,  # an input that failed once belongs among the vectors
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )

    def tried(test):
        looked = how(given(drawn(maker))(test))
        looked.maker = maker
        return looked

    return tried


# --- the two engines ---


def hold_equal(engines, case):
    rust, python = case.told(engines["rust"]), case.told(engines["python"])
    assert rust == python
    assert repr(rust) == repr(python)  # for 1 equals True
    for core in engines.values():
        assert case.validator(core).is_valid(case.data) == rust["ok"]


@looking_for(text_case, share=2)
def test_the_engines_say_the_same_of_bytes(engines, case):
    hold_equal(engines, case)


@looking_for(text_case)
def test_the_engines_say_the_same_of_a_string(engines, case):
    hold_equal(engines, replace(case, data=case.data.decode("utf-8", "surrogateescape")))


@looking_for(object_case, share=2)
def test_the_engines_say_the_same_of_parsed_objects(engines, case):
    hold_equal(engines, case)


# --- one answer, several ways in ---


@looking_for(text_case)
def test_bytes_and_their_string_are_one_answer(engine, case):
    try:
        text = case.data.decode()
    except UnicodeDecodeError:
        text = None
    assume(text is not None)
    validator = validator_of(engine, case)
    report = validator.check(case.data)
    for data in (text, bytearray(case.data), memoryview(b"[" + case.data + b"]")[1:-1]):
        assert validator.check(data) == report


def value_case(rnd):
    """A value as a host's JSON reader hands it over, and the same in classes of its own."""
    case = Case(None, **settings_of(rnd, all_limits=False))
    value = (answer if case.kind == "answer" else element)(rnd)
    value = pairs_joined(literals_read(mutated(rnd, value) if may(rnd, 0.8) else value))
    case.data = value
    return case, dressed(rnd, value)


@looking_for(value_case, share=2)
def test_parsed_objects_are_their_compact_json(engine, given):
    case, value = given
    assume(not isinstance(case.data, str))  # a string is taken for a text
    validator = validator_of(engine, case)
    of_text = validator.check(compact(case.data))
    for data in (case.data, value):
        report = validator.check(data)
        assert without_offsets(report) == without_offsets(of_text)
        assert {finding.offset for finding in report.findings} <= {None}


def without_offsets(report):
    told = report.to_dict()
    for finding in told["findings"]:
        finding["offset"] = None
    return told


def validator_of(engine, case):
    return engine.Validator(limits=engine.Limits(**case.limits), rules=case.rules, kind=case.kind)


# --- is_valid, and calls that never raise ---


@looking_for(text_case)
def test_is_valid_is_what_check_says_of_bytes(engine, case):
    validator = validator_of(engine, case)
    assert validator.is_valid(case.data) == validator.check(case.data).ok


@looking_for(object_case)
def test_is_valid_is_what_check_says_of_parsed_objects(engine, case):
    validator = validator_of(engine, case)
    assert validator.is_valid(case.data) == validator.check(case.data).ok


def any_case(rnd):
    return rnd.choice((text_case, object_case))(rnd)


@looking_for(any_case)
def test_no_data_raises_and_every_report_can_be_told(engine, case):
    report = validator_of(engine, case).check(case.data)
    source = case.data if isinstance(case.data, bytes) else None
    assert report.render(source).splitlines()[-1].startswith("ok" if report.ok else "not ok")
    assert report.to_json()
    assert len([str(finding) + finding.breadcrumb for finding in report.findings]) <= sum(
        report.counts.values()
    )


# --- one answer after the other ---

# Faults of all sorts, one of them in a block whose type comes last; numbers and names that are cut.
FAULTY = (
    b'{"protocol":"0.3.0","root":{"children":[{"content":[{"annotations":{"priority":2},"data":"AA=",'
    b'"mimeType":"x","type":"image"},{"resource":{"uri":"x","blob":"iVBORw0KGgo=","text":"\\ud800"},'
    b'"type":"resource"},{"icons":[{"sizes":[1]}],"size":1.5e0,"name":null,"type":"resource_link"}],'
    b'"id":"a b","focused":true,"attributes":{"related":[{"id":"no"},{"relation":1}],"visible":1},'
    b'"role":"Tab","\\udc00x":-12345678901234567890.5e-3},{"id":"a b","focused":true,'
    b'"hovered":true,"children":[{"hovered":true,"visible":true}],"title":"\\n","url":"data:,x"}],"visible":true,'
    b'"id":"' + b"x" * 130 + b'","title":"","children":1},"instance":""}'
)


def test_an_answer_that_ends_anywhere_leaves_nothing_to_the_next(engine):
    wanted = engine.check(FAULTY).to_dict()
    assert len(wanted["counts"]) > 20
    for end in range(len(FAULTY)):
        assert dict(engine.check(FAULTY[:end]).counts) == {"json-truncated": 1}
        assert engine.check(FAULTY).to_dict() == wanted
        assert not engine.is_valid(FAULTY[:end])
    for end in range(0, len(FAULTY), 7):
        assert not engine.is_valid(FAULTY, limits=engine.Limits(bytes=end))
        assert engine.check(FAULTY).to_dict() == wanted


class RefusesError(Exception):
    pass


class Refuses(Mapping):
    """Code of others that fails."""

    def refuse(self, *_):
        raise RefusesError

    __iter__ = __len__ = __getitem__ = items = refuse


def test_an_object_that_fails_anywhere_leaves_nothing_to_the_next(engine):
    value = json.loads(FAULTY)
    wanted = engine.check(value).to_dict()
    for holder, key in slots([value]):
        kept, holder[key] = holder[key], Refuses()
        for call in (engine.check, engine.is_valid):
            with contextlib.suppress(RefusesError):
                call(value)
        holder[key] = kept
        assert engine.check(value).to_dict() == wanted


# --- what valid answers are, and the order of members ---


def valid_case(rnd):
    kind = rnd.choice(("answer", "answer", "element"))
    value = (answer if kind == "answer" else element)(rnd)
    return kind, value, written(rnd, value)


@looking_for(valid_case)
def test_of_a_valid_answer_nothing_is_said(engine, given):
    kind, value, text = given
    for data in (text, literals_read(value)):
        report = engine.check(data, kind=kind)
        assert (report.findings, report.ok) == ((), True)
        assert dict(report.counts) == {}
    root = value["root"] if kind == "answer" else value
    hold_summary(engine.check(text, kind=kind).summary, root, text, kind)


def hold_summary(summary, root, text, kind):
    """The summary of a valid answer is what a walk over it sees."""
    elements = list(in_document_order(root))
    focused = [one["id"] for one in elements if one.get("focused")]
    if kind == "answer" and root.get("focused"):
        focused = focused[1:]
    top = read(text) if kind == "element" else read(text).get("root")
    assert summary.bytes == len(text)
    assert summary.elements == summary.root.elements == len(elements)
    assert summary.root.bytes == top.end - top.begin
    assert summary.focus_path == tuple(focused)
    assert summary.position == (focused[-1] if focused else None)
    assert summary.selected == tuple(one["id"] for one in elements if one.get("selected"))
    assert [summary.hovered] == ([o["id"] for o in elements if o.get("hovered")] or [None])
    roles = Counter(one["role"] for one in elements)
    assert {role: count for role, count in summary.roles.items() if count} == roles
    blocks = Counter(block["type"] for one in elements for block in one.get("content", ()))
    assert {kind: count for kind, count in summary.block_types.items() if count} == blocks


def in_document_order(root):
    waiting = [root]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += reversed(one.get("children", ()))


def order_case(rnd):
    case = Case(None, **settings_of(rnd, all_limits=False))
    case.limits["findings"] = None  # which ones are the first is a matter of order
    value = (answer if case.kind == "answer" else element)(rnd)
    if may(rnd, 0.8):
        value = mutated(rnd, value)
    write = partial(plainly, gaps=rnd.choice(GAPS))
    return case, write(value), write(permuted(rnd, value))


@looking_for(order_case, share=2)
def test_the_order_of_members_changes_offsets_alone(engine, given):
    case, text, other = given
    validator = validator_of(engine, case)
    one, two = validator.check(text), validator.check(other)
    assert (one.ok, one.complete, one.summary) == (two.ok, two.complete, two.summary)
    if one.complete:  # of several fatal ones, the first in the text is said
        assert one.counts == two.counts
        assert Counter(map(orderless, one.findings)) == Counter(map(orderless, two.findings))


def orderless(finding):
    """All of a finding that does not hang on the order of members."""
    params = dict(finding.params)
    if finding.code == "duplicate-id":  # of two uses, the later one in the text is said
        return finding.code, params["id"]
    return finding.code, finding.level, finding.pointer, finding.element, repr(params)


# --- places ---


def place_case(rnd):
    case = Case(None, **settings_of(rnd, all_limits=False))
    value = (answer if case.kind == "answer" else element)(rnd)
    case.data = written(rnd, mutated(rnd, value))
    return case


@looking_for(place_case, share=2)
def test_offsets_and_elements_are_those_of_the_pointer(engine, case):
    top = read(case.data)
    assume(not any(has_repeated_names(value) for value in top.within()))
    report = validator_of(engine, case).check(case.data)
    for finding in report.findings:
        value, member = find(top, finding.pointer)
        hold_offset(finding, value, member, case.data)
        if "other" in finding.params:
            find(top, finding.params["other"])
        around = element_of(top, finding.pointer, case.kind) if report.complete else None
        assert finding.element == (around and usable_id(around))
    if report.complete:
        assert report.counts.get("lone-surrogate", 0) == lone_surrogates(top)


def hold_offset(finding, value, member, source):
    if finding.code == "lone-surrogate":
        assert source[finding.offset : finding.offset + 2] == b"\\u"
        text = value if value.begin < finding.offset < value.end else member
        assert text.begin < finding.offset < text.end
    elif finding.code in _OF_NAMES:
        assert finding.offset == member.begin
    else:
        assert finding.offset == value.begin


def has_repeated_names(value):
    return len({member.name for member in value.members}) < len(value.members)


def usable_id(around):
    value = around.get("id")
    text = value.text if value else None
    return text if text and _ID.fullmatch(text) else None


def lone_surrogates(top):
    """How many there are in texts; those of names are U+FFFD here, which no maker writes."""
    values = list(top.within())
    in_texts = sum(len(re.findall("[\ud800-\udfff]", value.text or "")) for value in values)
    return in_texts + sum(m.name.count("\ufffd") for value in values for m in value.members)
