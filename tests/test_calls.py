"""The calls without a validator: what is seen of them is the same, whichever engine has them.

The compiled engine has `check`, `is_valid` and `load` as functions of its own, which take the
places of the facade's. Comes in: both forms. Goes out: a failure where a user could tell them
apart.
"""

import inspect
import pickle

import pytest

from elementguard import Limits, ValidationError, _calls


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
