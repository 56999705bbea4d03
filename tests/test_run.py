"""The answers of one provider, one after another: what only a run can see, and its figures."""

import json
import pickle
import re
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest

from elementguard import Level, Limits
from test_tidy import CARDS, OF_A_RUN


def answer(*children, instance="k3", **members):
    root = {"id": "app", "role": "Application", "children": list(children)}
    return {"protocol": "0.2.0", "instance": instance, "root": root, **members}


def row(name, role="Row", **members):
    return {"id": name, "role": role, **members}


def counts(run, *answers):
    return [dict(run.observe(data).counts) for data in answers]


@pytest.mark.parametrize("card", [card for card in CARDS if card.code in OF_A_RUN], ids=str)
@pytest.mark.parametrize("is_example", [True, False])
def test_the_cards_examples(engine, card, is_example):
    prose = card.prose["Example" if is_example else "Near miss"]
    lines = re.search(r"```jsonl\n(.*?)```", prose, re.DOTALL)[1].splitlines()
    run = engine.Run()
    reports = [run.observe(line) for line in lines]
    assert reports[0].counts == {}
    assert reports[1].counts == ({card.code: 1} if is_example else {})
    if is_example:
        (finding,) = reports[1].findings
        assert (finding.code, finding.level) == (card.code, card.level)
        assert reports[1].ok == (card.level != "error")


def test_where_a_reassigned_id_is_and_what_it_was(engine):
    run = engine.Run(provider="notes")
    run.observe(answer(row("a"), row("x", subrole="task")))
    text = json.dumps(answer(row("a"), {"role": "Cell", "id": "x", "subrole": "n" * 70})).encode()
    (finding,) = run.observe(text).findings
    assert finding.pointer == "/root/children/1/id"
    assert finding.element == "x"
    assert text[finding.offset :].startswith(b'"x"')
    assert finding.params == {
        "id": "x",
        "was_role": "Row",
        "role": "Cell",
        "was_subrole": "task",
        "subrole": "n" * 64,
    }


def test_words_are_compared_whole(engine):
    run = engine.Run()
    long = "n" * 100
    told = counts(
        run,
        answer(row("x", subrole=long + "a")),
        answer(row("x", subrole=long + "a")),
        answer(row("x", subrole=long + "b")),
        answer(row("x")),
        answer(row("x", "Card")),
        answer(row("x", "Board")),
    )
    assert [one.get("reassigned-id", 0) for one in told] == [0, 0, 1, 1, 1, 1]


def test_an_id_that_was_gone_is_remembered(engine):
    run = engine.Run()
    told = counts(run, answer(row("x")), answer(), answer(row("x", "Cell")))
    assert told == [{}, {"empty-children": 1}, {"reassigned-id": 1}]


def test_a_new_instance_forgets_all_ids(engine):
    run = engine.Run()
    run.observe(answer(row("x")))
    text = json.dumps(answer(row("x", "Cell"), instance="m4")).encode()
    (finding,) = run.observe(text).findings
    assert finding.code == "changed-instance"
    assert (finding.pointer, finding.element, finding.params) == ("/instance", None, {})
    assert text[finding.offset :].startswith(b'"m4"')
    assert run.instance == "m4"


def test_the_instance_is_found_behind_the_root(engine):
    run = engine.Run()
    run.observe(answer())
    value = answer(row("x", subrole='"instance"'), instance="m4")
    value = {"x": {"instance": 7}, "root": value["root"], "instance": "m4", "protocol": "0.2.0"}
    text = json.dumps(value, indent=1).encode()
    (finding,) = run.observe(text).findings
    assert text[finding.offset :].startswith(b'"m4"')


def test_findings_stand_among_the_others(engine):
    run = engine.Run()
    run.observe(answer(row("x"), row("y"), row("z")))
    children = [row("x", "Cell", hovered=False), row("y", "Cell", title=""), row("z", "Card")]
    value = answer(*children, instance="m4")
    codes = ["changed-instance", "false-state", "blank-title", "unknown-role"]
    for data in (value, json.dumps(value)):
        again = pickle.loads(pickle.dumps(run))
        assert [finding.code for finding in again.observe(data).findings] == codes
    value["instance"] = "k3"
    codes = ["reassigned-id", "false-state", "reassigned-id", "blank-title"]
    for data in (value, json.dumps(value)):
        again = pickle.loads(pickle.dumps(run))
        report = again.observe(data)
        assert [finding.code for finding in report.findings] == [
            *codes,
            "reassigned-id",
            "unknown-role",
        ]
        assert not report.truncated
    places = [finding.offset for finding in report.findings]
    assert all(first < second for first, second in pairwise(places))


def test_findings_are_counted_and_cut(engine):
    run = engine.Run(limits=Limits(findings=2))
    run.observe(answer(*(row(f"r{n}") for n in range(9))))
    report = run.observe(answer(*(row(f"r{n}", "Cell") for n in range(9))))
    assert report.counts == {"reassigned-id": 9}
    assert report.truncated
    assert [finding.element for finding in report.findings] == ["r0", "r1"]


def test_the_runs_rules_can_be_moved(engine):
    run = engine.Run(rules={"reassigned-id": "off", "changed-instance": "error"})
    told = [run.observe(data) for data in (answer(row("x")), answer(row("x", "Cell")))]
    assert [report.findings for report in told] == [(), ()]
    report = run.observe(answer(instance="m4"))
    assert not report.ok
    assert report.errors[0].level is Level.ERROR


def test_what_the_run_sees_makes_no_faulty_answer_ok(engine):
    run = engine.Run(rules={"changed-instance": "note"})
    run.observe(answer())
    report = run.observe(answer(row("b c"), instance="m4"))
    assert report.counts == {"changed-instance": 1, "malformed-id": 1}
    assert (report.ok, run.history[-1].ok) == (False, False)


def test_an_answer_without_elements_counts_too(engine):
    value = {"protocol": "0.2.0", "root": 7, "instance": "m4"}
    for data in (value, json.dumps(value)):
        run = engine.Run()
        run.observe(answer())
        report = run.observe(data)
        assert report.counts == {"wrong-type": 1, "changed-instance": 1}
        instance, ok, _, *figures = run.history[-1]
        assert (instance, ok, figures) == ("m4", False, [0] * 5)


def test_answers_with_errors_count_those_with_fatal_ones_do_not(engine):
    run = engine.Run()
    faulty = answer(row("x"), row("x", "Cell"), row("b c"), row("y", 7))
    for data in (faulty, json.dumps(faulty)):
        assert not run.observe(data).ok
    assert len(run) == 3
    fatal = b'{"protocol":"0.2.0","instance":"m4"'
    assert run.observe(fatal).counts == {"json-truncated": 1}
    assert run.observe({"protocol": "0.2.0", "instance": 7}).ok is False
    assert run.instance == "k3"
    assert run.observe(answer(row("x", "Cell"))).counts == {"reassigned-id": 1}
    assert run.observe(answer(row("y"))).counts == {"reassigned-id": 1}


def test_members_named_twice_are_read_once(engine):
    run = engine.Run()
    run.observe(answer(row("x", subrole="a")))
    text = json.dumps(answer(row("x", subrole="a"))).replace('"a"', '"a", "subrole": "b"')
    assert run.observe(text).counts == {"duplicate-member": 1}


def test_objects_with_values_of_no_json_type(engine):
    run = engine.Run()
    run.observe(answer(row("x")))
    report = run.observe(answer(row("x", "Cell", title={1}), row(2)))
    assert report.counts == {"wrong-type": 2, "reassigned-id": 1}
    assert report.findings[-1].pointer == "/root/children/0/id"


def test_figures(engine):
    run = engine.Run()
    for ids, instance in (("ab", "k3"), ("bc", "k3"), ("ac", "k3"), ("c", "m4")):
        run.observe(answer(*map(row, ids), instance=instance))
    told = [one[-4:] for one in run.history]
    assert told == [(3, 0, 0, 0), (1, 2, 0, 1), (0, 2, 1, 1), (2, 0, 0, 0)]
    last = run.history[-1]
    assert (last.instance, last.ok, last.elements) == ("m4", True, 2)
    assert last.bytes == engine.check(answer(row("c"), instance="m4")).summary.bytes


def test_what_is_unseen_for_longest_is_forgotten(engine):
    run = engine.Run(max_ids=3, max_observations=2)
    for ids in ("ab", "c", "a"):
        run.observe(answer(*map(row, ids)))
    assert len(run) == 3
    assert len(run.history) == 2
    assert counts(run, answer(row("b", "Cell")), answer(row("a", "Cell"))) == [
        {},
        {"reassigned-id": 1},
    ]


def test_arguments(engine):
    with pytest.raises(TypeError, match="provider: a str or None"):
        engine.Run(provider=7)
    for count in ("many", True):
        with pytest.raises(TypeError, match="max_ids: an integer"):
            engine.Run(max_ids=count)
    with pytest.raises(ValueError, match="max_observations: 0 or more"):
        engine.Run(max_observations=-1)
    with pytest.raises(TypeError, match="a Stream keeps no bytes"):
        engine.Run().observe(engine.Validator().stream())
    run = engine.Run(provider="notes")
    assert repr(run) == "<Run of 'notes': 0 ids>"
    assert run  # though it has no ids yet


def test_threads_may_share_a_run(engine):
    run = engine.Run()
    answers = [answer(*(row(f"r{n}-{m}") for m in range(20))) for n in range(40)]
    with ThreadPoolExecutor(8) as pool:
        reports = list(pool.map(run.observe, answers))
    assert all(report.ok for report in reports)
    assert len(run) == 40 * 20 + 1
    assert sum(one.new for one in run.history) == len(run)
