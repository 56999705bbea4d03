"""The calls: ways in, arguments, the validator, and that the way to the engine is short."""

import copy
import mmap
import pickle
import sys
import threading
import time
import types
from collections import OrderedDict

import pytest

from elementguard import RULES, Level, Limits, Validator, _calls

CLEAN = b'{"protocol":"0.2.0","instance":"k3f9x2","root":{"id":"app","role":"Application"}}'
FAULTY = CLEAN.replace(b'"Application"', b'"Group"')
ELEMENT = b'{"id":"a","role":"Group","focused":false}'
PARSED = {"protocol": "0.2.0", "instance": "k3f9x2", "root": {"id": "app", "role": "Application"}}


@pytest.fixture(
    params=["bytes", "bytearray", "memoryview", "slice of a view", "mmap", "str", "subclass"]
)
def given(request, tmp_path):
    """Makes an input of each kind that holds these bytes."""
    mapped = []

    def make(data):
        if request.param == "mmap":
            path = tmp_path / f"{len(mapped)}.json"
            path.write_bytes(data)
            with path.open("rb") as file:
                mapped.append(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
            return mapped[-1]
        return {
            "bytes": lambda: data,
            "bytearray": lambda: bytearray(data),
            "memoryview": lambda: memoryview(data),
            "slice of a view": lambda: memoryview(b"xx" + data + b"xx")[2:-2],
            "str": data.decode,
            "subclass": lambda: type("Bytes", (bytes,), {})(data),
        }[request.param]()

    yield make
    for one in mapped:
        one.close()


def test_every_way_in_gives_one_report(engine, given):
    for data in (CLEAN, FAULTY):
        source = given(data)
        report = engine.check(source)
        assert report == engine.check(data)
        assert report.ok is engine.is_valid(source) is (data is CLEAN)


def test_parsed_objects(engine):
    assert engine.check(PARSED).ok
    assert engine.check(OrderedDict(PARSED)).ok
    assert engine.check(types.MappingProxyType(PARSED)).ok
    assert engine.is_valid({**PARSED, "root": {"id": "app", "role": "Group"}}) is False
    (finding,) = engine.check(7).findings
    assert (finding.code, finding.offset, finding.params["found"]) == ("wrong-type", None, "number")
    assert engine.check(None).findings[0].params["found"] == "null"
    assert engine.check({1, 2}).findings[0].params["found"] == "set"


@pytest.mark.parametrize(
    "make, fault",
    [
        (lambda: memoryview(CLEAN)[::2], ValueError),
        (lambda: memoryview(CLEAN * 4).cast("I"), TypeError),
        (lambda: released(memoryview(CLEAN)), ValueError),
    ],
    ids=["strided", "of integers", "released"],
)
def test_a_view_that_cannot_be_read_is_a_fault_of_the_caller(engine, make, fault):
    for call in (engine.check, engine.is_valid, engine.validate, Validator().check):
        with pytest.raises(fault):
            call(make())


def released(view):
    view.release()
    return view


def test_validate_raises_for_errors_alone(engine):
    warned = b'{"id":"a","role":"Group","focused":false}'
    assert engine.validate(warned, kind="element").count("warning") == 1
    with pytest.raises(engine.ValidationError) as caught:
        engine.validate(FAULTY)
    assert caught.value.report == engine.check(FAULTY)
    with pytest.raises(engine.ValidationError):
        engine.Validator(rules={"false-state": "error"}, kind="element").validate(warned)


def test_kinds(engine):
    assert engine.check(ELEMENT, kind="element").ok
    assert not engine.check(ELEMENT).ok
    assert engine.is_valid(ELEMENT, kind="element")
    assert not engine.is_valid(ELEMENT, kind="answer")


@pytest.mark.parametrize("call", ["check", "is_valid", "validate"])
@pytest.mark.parametrize(
    "arguments, fault, names",
    [
        ({"limits": 7}, TypeError, "limits"),
        ({"limits": {"bytes": 7}}, TypeError, "limits"),
        ({"limits": False}, TypeError, "limits"),
        ({"kind": None}, TypeError, "kind"),
        ({"kind": ["answer"]}, TypeError, "kind"),
        ({"kind": b"answer"}, TypeError, "kind"),
        ({"kind": "tree"}, ValueError, "kind"),
        ({"kind": ""}, ValueError, "kind"),
    ],
)
def test_bad_arguments_are_named_before_any_work(engine, call, arguments, fault, names):
    class Touchy(dict):
        def items(self):
            raise AssertionError("work was begun")

        __iter__ = keys = items

    with pytest.raises(fault, match=f"^{names}: "):
        getattr(engine, call)(Touchy(), **arguments)
    with pytest.raises(fault, match=f"^{names}: "):
        engine.Validator(**arguments)


@pytest.mark.parametrize("call", ["check", "is_valid", "validate"])
def test_options_have_names_and_rules_are_the_validators(engine, call):
    with pytest.raises(TypeError):
        getattr(engine, call)(CLEAN, Limits())
    with pytest.raises(TypeError):
        getattr(engine, call)(CLEAN, rules={})
    with pytest.raises(TypeError):
        engine.Validator(Limits())


def test_rules_are_moved_and_switched_off(engine):
    def codes(**rules):
        rules = {code.replace("_", "-"): level for code, level in rules.items()}
        report = engine.Validator(rules=rules, kind="element").check(ELEMENT)
        return (
            report.ok,
            [(one.code, str(one.level)) for one in report.findings],
            dict(report.counts),
        )

    assert codes() == (True, [("false-state", "warning")], {"false-state": 1})
    assert codes(false_state="off") == (True, [], {})
    assert codes(false_state="error") == (False, [("false-state", "error")], {"false-state": 1})
    assert codes(false_state=Level.NOTE) == (True, [("false-state", "note")], {"false-state": 1})


@pytest.mark.parametrize("code", [code for code, rule in RULES.items() if not rule.movable])
def test_what_holds_the_verdict_cannot_be_moved(engine, code):
    for level in ("off", "note", "warning"):
        with pytest.raises(ValueError, match=f"^rules: '{code}' cannot be moved"):
            engine.Validator(rules={code: level})
    assert engine.Validator(rules={code: "error"}) == engine.Validator()


def test_these_and_no_others_cannot_be_moved():
    fatal = [code for code, rule in RULES.items() if rule.fatal]
    assert fatal == list(RULES)[:7]
    fixed = [code for code, rule in RULES.items() if not rule.movable]
    assert sorted(fixed) == sorted([*fatal, "duplicate-member", "lone-surrogate"])


@pytest.mark.parametrize(
    "rules, fault, says",
    [
        (
            {"unknown-rule": "off"},
            ValueError,
            "rules: there is no rule 'unknown-rule'; did you mean 'unknown-role'",
        ),
        ({"Focus_Gap": "off"}, ValueError, "did you mean 'focus-gap'"),
        ({"zzz": "off"}, ValueError, "rules: there is no rule 'zzz'; elementguard.RULES lists"),
        ({"focus-gap": "fatal"}, ValueError, "rules: the level of 'focus-gap'"),
        ({"focus-gap": "ERROR"}, ValueError, "rules: the level of 'focus-gap'"),
        ({"focus-gap": 2}, TypeError, "rules: the level of 'focus-gap'"),
        ({"focus-gap": None}, TypeError, "rules: the level of 'focus-gap'"),
        ({29: "off"}, TypeError, "rules: a code is a string"),
        ([("focus-gap", "off")], TypeError, "rules: a mapping"),
        ("focus-gap", TypeError, "rules: a mapping"),
    ],
)
def test_wrong_rules_are_named(engine, rules, fault, says):
    with pytest.raises(fault) as caught:
        engine.Validator(rules=rules)
    assert says in str(caught.value)


def test_a_validator_is_a_value(engine):
    validator = engine.Validator(
        limits=Limits(depth=3), rules={"false-state": "error"}, kind="element"
    )
    assert (validator.limits, validator.kind) == (Limits(depth=3), "element")
    assert dict(validator.rules) == {"false-state": Level.ERROR}
    again = engine.Validator(limits=Limits(depth=3), rules={"false-state": "error"}, kind="element")
    assert validator == again
    assert hash(validator) == hash(again)
    assert validator != engine.Validator()
    assert validator != 7
    namespace = {"Validator": Validator, "Limits": Limits}
    assert eval(repr(validator), namespace) == validator
    assert repr(engine.Validator()) == "Validator()"
    for name in ("limits", "kind", "rules", "check", "other"):
        with pytest.raises(AttributeError):
            setattr(validator, name, None)
        with pytest.raises(AttributeError):
            delattr(validator, name)
    with pytest.raises(TypeError):
        validator.rules["focus-gap"] = "off"


@pytest.mark.parametrize("do", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_stream_is_neither_copied_nor_pickled(engine, do):
    stream = engine.Validator().stream()
    with pytest.raises(TypeError, match=r"^a Stream cannot be copied or pickled"):
        do(stream)
    stream.feed(FAULTY)
    assert dict(stream.finish().counts) == {"root-not-application": 1}


def test_a_validator_survives_pickles_and_copies(engine):
    validator = engine.Validator(
        limits=Limits(depth=3), rules={"false-state": "error"}, kind="element"
    )
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(validator, protocol))
        assert again == validator
        assert again.check(ELEMENT) == validator.check(ELEMENT)
    assert copy.deepcopy(validator) == copy.copy(validator) == validator
    for call in (engine.check, engine.is_valid, engine.validate):
        assert pickle.loads(pickle.dumps(call)) is call


def test_what_is_changed_afterwards_changes_no_validator(engine):
    rules = {"false-state": "error"}
    validator = engine.Validator(rules=rules, kind="element")
    rules["false-state"] = "off"
    assert not validator.check(ELEMENT).ok


def test_options_of_calls_are_kept_apart(engine):
    assert engine.check(CLEAN, limits=Limits(bytes=5)).findings[0].code == "limit-bytes"
    assert engine.check(CLEAN, limits=Limits(bytes=500)).ok
    assert engine.check(CLEAN).ok
    for bound in range(200):
        report = engine.check(CLEAN, limits=Limits(bytes=bound))
        assert report.ok is (bound >= len(CLEAN))
        assert engine.is_valid(CLEAN, limits=Limits(bytes=bound)) is report.ok
    assert len(_calls._remembered) <= 64


def test_data_of_any_kind_never_raises(engine):
    for data in (
        b"",
        "",
        "\ud800",
        b"\xff",
        b"[" * 5000,
        [[]],
        {1: 2},
        float("nan"),
        object(),
        10**5000,
    ):
        report = engine.check(data)
        assert not report.ok
        assert not engine.is_valid(data)
        assert report.findings
        report.render()
        report.to_json()


def test_what_a_callers_mapping_raises_is_the_callers(engine):
    class Broken(dict):
        def items(self):
            raise LookupError("mine")

        __iter__ = keys = __len__ = items

    with pytest.raises(LookupError, match="mine"):
        engine.check(types.MappingProxyType(Broken(a=1)))


def test_one_validator_serves_many_threads(engine):
    validator = engine.Validator(limits=Limits(findings=3))
    answers = [CLEAN, FAULTY, b"[", CLEAN.decode(), PARSED] * 20
    expected = [validator.check(answer).to_dict() for answer in answers]
    differing = []

    def work():
        differing.extend(
            answer
            for answer, told in zip(answers, expected, strict=True)
            if validator.check(answer).to_dict() != told
        )

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not differing


def python_calls(call):
    """Names of the Python functions that a call enters."""
    entered = []

    def note(frame, event, _argument):
        if event == "call":
            entered.append(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return entered


def test_the_way_to_the_engine_is_one_python_function_at_most(engine):
    validator = engine.Validator()
    calls = {
        "check": lambda: engine.check(CLEAN),
        "is_valid": lambda: engine.is_valid(CLEAN),
        "check of a validator": lambda: validator.check(CLEAN),
        "is_valid of a validator": lambda: validator.is_valid(CLEAN),
    }
    for name, call in calls.items():
        entered = python_calls(call)[1:]  # without the lambda
        if engine.engine == "python":  # the engine itself is Python
            assert entered[0] == name.split()[0]
        elif "validator" in name:
            assert entered == [name.split()[0]]
        else:
            assert entered == []


def test_nothing_is_built_before_it_is_asked_for(engine, monkeypatch):
    from elementguard import _finding

    def made(*_):
        raise AssertionError("a finding was made")

    monkeypatch.setattr(_finding.Finding, "__init__", made)
    report = engine.check(FAULTY)
    assert not report.ok
    assert dict(report.counts) == {"root-not-application": 1}
    assert report.summary.elements == 1
    with pytest.raises(AssertionError, match="a finding was made"):
        report.findings  # noqa: B018 -- reading it is the deed


def test_many_findings_are_quick(engine):
    item = b'{"id":"a","role":"Group","focused":false,"children":[]},'
    answer = b'{"id":"a","role":"Group","children":[' + item * 20_000 + item[:-1] + b"]}"
    started = time.perf_counter()
    report = engine.check(answer, kind="element")
    assert report.counts["duplicate-id"] == 20_001
    assert len(report.findings) == 100
    assert time.perf_counter() - started < 20


def test_rules_are_a_mapping_that_helps(engine):
    assert len(engine.RULES) == len(list(engine.RULES)) == 59
    assert next(iter(engine.RULES)) == "limit-bytes"
    assert list(engine.RULES)[-2:] == ["reassigned-id", "changed-instance"]
    assert "focus-gap" in engine.RULES
    assert engine.RULES.get("no-such") is None
    with pytest.raises(KeyError, match=r"did you mean 'focus-gap'"):
        engine.RULES["focus-gab"]
    with pytest.raises(TypeError):
        engine.RULES["mine"] = None


@pytest.mark.parametrize("code", list(RULES))
def test_a_rule_tells_of_itself(code):
    rule = RULES[code]
    assert rule.code == code
    assert rule.level in ("error", "warning", "note")
    assert rule.section
    assert rule.summary[0].islower() or not rule.summary[0].isalpha()
    assert len(rule.explanation) > 60
    assert len(rule.fix) > 20
    assert "## " not in rule.explanation + rule.fix
    assert rule.url.endswith(code)
    assert all(example.answers for example in rule.examples)
    assert pickle.loads(pickle.dumps(rule)) is rule
    assert repr(rule) == f"<Rule {code} ({rule.level})>"


@pytest.mark.parametrize(
    "code", [code for code in RULES if code not in ("reassigned-id", "changed-instance")]
)
def test_a_cards_example_gives_its_rule_alone_and_its_near_miss_nothing(engine, code):
    example, near_miss = RULES[code].examples
    for one, codes in ((example, [code]), (near_miss, [])):
        report = engine.check(*one.answers, kind=one.kind, limits=one.limits)
        assert list(report.counts) == codes


def test_schemas(engine):
    assert engine.schema("answer")["title"] == "Answer"
    assert engine.schema("report") is not engine.schema("report")
    with pytest.raises(ValueError, match=r"^name: "):
        engine.schema("run")
    with pytest.raises(TypeError, match=r"^name: "):
        engine.schema(None)


def test_the_list_of_names(engine):
    assert engine.__all__ == sorted(
        engine.__all__, key=lambda name: (not name.isupper(), not name[0].isupper(), name)
    )
    assert set(engine.__all__) <= set(dir(engine))
    for name in engine.__all__:
        assert hasattr(engine, name)
    calls = {"is_valid", "check", "check_file", "check_lines", "load", "validate"}
    calls |= {"schema", "selftest"}
    classes = {"Validator", "Limits", "Level", "Report", "Finding", "Stream", "ValidationError"}
    calls |= {"salvage", "fix"}
    classes |= {"Excerpt", "LeftOut", "BudgetError", "Salvage", "Removal", "SalvageError"}
    classes |= {"Fix", "Fixed"}
    classes |= {"Answer", "Element", "FullName", "Observation", "Run"}
    facts = {"RULES", "RULES_VERSION", "engine", "__version__"}
    assert set(engine.__all__) == calls | classes | facts


def test_the_version_is_the_workspaces():
    import tomllib
    from pathlib import Path

    import elementguard

    manifest = Path(__file__).parent.parent / "Cargo.toml"
    workspace = tomllib.loads(manifest.read_text("utf-8"))["workspace"]
    assert elementguard.__version__ == workspace["package"]["version"]
