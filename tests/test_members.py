"""What an element's members are decoded to: the same with orjson and without.

Comes in: values that decoders like to read otherwise. Goes out: a failure where a value is not what
Python's `json` makes of it, of the same type.
"""

import json
import sys
from importlib import import_module

import orjson
import pytest

import elementguard
from elementguard import _members

VALUES = [
    *("null", "true", "[]", "{}", "-0", "-0.0", "1E2", "0.1", "5e-324", "9007199254740991"),
    *("18446744073709551615", "18446744073709551616", "1e308", "123456789012345678901234567890"),
    *('""', '"\\u0000"', '"\\ud83d\\ude00"', '"\\ud800"', '"\u2028 \x7f"', '{"a":{"b":[1,2.0]}}'),
    '{"a":1,"\\u0061b":"\\/"}',
]


@pytest.fixture(params=[None, orjson.loads], ids=["json", "orjson"])
def decoder(request, monkeypatch):
    monkeypatch.setattr(_members, "fast_loads", request.param)


@pytest.mark.usefixtures("decoder")
@pytest.mark.parametrize("text", VALUES)
def test_a_value_is_what_json_makes_of_it(text):
    source = f'{{"attributes": {text} }}'.encode()
    start = source.index(b": ") + 2
    is_plain = abs(float(text)) < 2**53 if text[-1].isdigit() else True
    value = _members.decode(source, start, len(source) - 2, is_plain=is_plain)
    assert repr(value) == repr(json.loads(text))


def test_orjson_is_not_needed(monkeypatch):
    monkeypatch.setitem(sys.modules, "orjson", None)
    monkeypatch.delitem(sys.modules, "elementguard._members")
    monkeypatch.setattr(elementguard, "_members", _members)  # the package's own comes back after it
    assert import_module("elementguard._members").fast_loads is None
