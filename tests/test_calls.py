"""The calls without a validator: what is seen of them is the same, whichever engine has them.

The compiled engine has `check`, `is_valid` and `load` as functions of its own, which take the
places of the facade's. Comes in: both forms. Goes out: a failure where a user could tell them
apart.
"""

import enum
import inspect
import pickle

import pytest

from elementguard import Level, Limits, ValidationError, _calls, _engine


def parameters(call):
    """The parameters of a call: their names, kinds and defaults."""
    told = inspect.signature(call).parameters.values()
    return [(parameter.name, parameter.kind, parameter.default) for parameter in told]


@pytest.mark.parametrize("name", ["check", "is_valid", "load"])
def test_what_is_seen_of_a_call_says_nothing_of_the_engine(engine, name):
    call, plain = getattr(engine, name), _calls.PLAIN[name]
    assert call is getattr(_calls, name)
    assert (call is plain) == (engine.engine == "python")
    for attribute in ("__name__", "__qualname__", "__module__"):
        assert getattr(call, attribute) == getattr(plain, attribute)
    assert inspect.getdoc(call) == inspect.getdoc(plain)
    assert parameters(call) == parameters(plain)
    assert pickle.loads(pickle.dumps(call)) is call


@pytest.mark.parametrize("name", ["check", "is_valid", "load"])
def test_options_are_the_same_to_both_engines(engine, name):
    call = getattr(engine, name)
    element = b'{"id":"n-7","role":"Group"}'

    def told(*given, **options):
        try:
            result = call(*given, **options)
        except ValidationError as error:
            return error.report.ok
        return {"check": lambda: result.ok, "is_valid": lambda: result, "load": lambda: True}[
            name
        ]()

    assert told(element, kind="element")
    assert not told(element, kind="answer")
    assert not told(element, limits=None)
    assert not told(element, kind="element", limits=Limits(bytes=8))
    assert told(data=element, kind="element", limits=Limits())
    for options, error in [
        ({"kind": None}, TypeError),
        ({"kind": "elements"}, ValueError),
        ({"limits": 7}, TypeError),
        ({"rules": {}}, TypeError),
    ]:
        with pytest.raises(error, match=next(iter(options))):
            call(element, **options)
    with pytest.raises(TypeError):
        call()
    with pytest.raises(TypeError):
        call(element, None)


def test_a_loaded_answer_is_the_same_by_either_way(engine):
    element = b'{"id":"n-7","role":"Group","focused":false}'
    quick = engine.load(element, kind="element", provider="notes")
    plain = _calls.PLAIN["load"](element, kind="element", provider="notes")
    assert quick.report == plain.report == engine.check(element, kind="element")
    for answer in (quick, plain, pickle.loads(pickle.dumps(quick))):
        assert (answer.kind, answer.provider) == ("element", "notes")
        assert answer.raw.obj == element
        assert type(answer["n-7"]) is type(plain["n-7"])
    with pytest.raises(TypeError, match="provider"):
        engine.load(element, kind="element", provider=b"notes")


def test_limits_keep_what_calls_have_made_of_them_apart_by_kind(engine):
    limits, element = Limits(elements=1, bytes=60), b'{"id":"n-7","role":"Group"}'
    answer = b'{"protocol":"0.2.0","instance":"k","root":%s}' % element
    for _ in range(3):  # the first time there is none
        assert engine.is_valid(element, kind="element", limits=limits)
        assert not engine.is_valid(element, limits=limits)
        assert dict(engine.check(answer, limits=limits).counts) == {"limit-bytes": 1}
        assert engine.load(element, kind="element", limits=limits)["n-7"].role == "Group"
        with pytest.raises(ValidationError) as caught:
            engine.load(answer, limits=limits)
        assert dict(caught.value.report.counts) == {"limit-bytes": 1}
        for kind in (None, "elements"):
            with pytest.raises((TypeError, ValueError), match=r"^kind: "):
                engine.check(element, limits=limits, kind=kind)
    again = pickle.loads(pickle.dumps(limits))
    assert again == limits == Limits(elements=1, bytes=60)
    assert engine.is_valid(element, kind="element", limits=again)


class Kind(str, enum.Enum):  # noqa: UP042 -- what says something else than it is
    """How a host may write the two kinds."""

    ANSWER = "answer"
    ELEMENT = "element"
    NONE = "Kind.ELEMENT"


@pytest.mark.parametrize("name", ["check", "is_valid", "load"])
def test_a_kind_may_be_of_an_enumeration(engine, name):
    element, call = b'{"id":"n-7","role":"Group"}', getattr(engine, name)
    for limits in (None, Limits(bytes=50), Limits(bytes=50)):
        assert getattr(call(element, kind=Kind.ELEMENT, limits=limits), "ok", True)
        assert not engine.is_valid(element, kind=Kind.ANSWER, limits=limits)
        with pytest.raises(ValueError, match=r"^kind: 'answer' or 'element' is needed, not <Kind"):
            call(element, kind=Kind.NONE, limits=limits)
    assert engine.Validator(kind=Kind.ELEMENT).kind == "element"
    assert type(engine.Validator(kind=Kind.ELEMENT).kind) is str


def test_what_one_engine_has_made_the_other_does_not_use(engine, engines):
    limits, core = Limits(bytes=3), _engine.core
    for name in (*engines, *engines):
        _calls.use(engines[name])
        assert not _calls.is_valid(b"{}  ", limits=limits)
        checker = _calls._validator(limits, "answer")._checker
        assert type(checker) is engines[name].Checker
        assert limits._checkers == {"answer": checker}
    _calls.use(core)
    assert engine.check(b"{}  ", limits=limits).errors[0].code == "limit-bytes"


@pytest.mark.parametrize("name", ["check", "is_valid", "load"])
def test_what_only_looks_like_limits_is_none(engine, name):
    element, used = b'{"id":"n-7","role":"Group"}', Limits()
    assert engine.is_valid(element, limits=used, kind="element")

    class Like:
        _checkers = used._checkers

    class Own(Limits):
        __slots__ = ()

    with pytest.raises(TypeError, match=r"^limits: Limits or None is needed, not Like"):
        getattr(engine, name)(element, limits=Like(), kind="element")
    for _ in range(2):
        assert not engine.is_valid(element, limits=Own(bytes=3), kind="element")
        assert engine.is_valid(element, limits=Own(bytes=99), kind="element")


def test_a_validators_reports_have_its_levels(engine):
    validator = engine.Validator(kind="element", rules={"false-state": "error", "focus-gap": "off"})
    noted = engine.Validator(kind="element", rules={"false-state": "note"})
    text = b'{"id":"n-7","role":"Group","focused":false}'
    for data in (text, text.decode(), {"id": "n-7", "role": "Group", "focused": False}):
        for call in (validator.check, lambda data: refused(validator, data)):
            (finding,) = call(data).findings
            assert (finding.code, finding.level) == ("false-state", Level.ERROR)
        for report in (noted.check(data), noted.load(data, provider="p").report):
            assert [one.level for one in report.findings] == [Level.NOTE]
        assert noted.load(data, provider="p").root.name.provider == "p"


def refused(validator, data):
    with pytest.raises(ValidationError) as caught:
        validator.load(data)
    return caught.value.report
