"""The conformance vectors, on both engines and in every way in.

Comes in: `conformance/`, whose README defines the format. Goes out: a failure where an engine says
anything else than what is written, or where the vectors themselves are not in order. The core alone
is held to the same files by `conformance.rs`.
"""

import json
import subprocess
import sys
from pathlib import Path

import jsonschema_rs
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from written_reports import (  # noqa: E402 - found by the line above
    CATALOGUE,
    HOME,
    OF_BYTES,
    NotTheSame,
    Repeated,
    compact,
    parsed,
    seen,
    vectors,
    without_offsets,
)

ROOT = Path(__file__).parent.parent
VECTORS = vectors()
LARGEST_INPUT = 100_000
FORM = jsonschema_rs.validator_for(json.loads((HOME / "vector.schema.json").read_text("utf-8")))
BESIDE = {".gitattributes", "README.md", "catalogue.json", "source", "vector.schema.json"}


def each(some):
    return pytest.mark.parametrize("vector", some, ids=[vector.name for vector in some])


def text_of(vector):
    try:
        return vector.file.decode("utf-8")
    except UnicodeDecodeError:
        return None


def object_of(vector):
    """The vector's answer as a host's JSON reader hands it over, if it does so faithfully."""
    try:
        return parsed(vector.file)
    except NotTheSame:  # the digits of a number are lost, and other things are to be said of it
        return None
    except (ValueError, RecursionError):  # no JSON, or nested deeper than the standard library goes
        return None


AS_BYTES = [vector for vector in VECTORS if vector.report["way"] == "bytes"]
AS_TEXT = [vector for vector in AS_BYTES if text_of(vector) is not None]
AS_OBJECT = [vector for vector in AS_BYTES if object_of(vector) is not None]


def test_there_are_as_many_vectors_as_there_were():
    # A glob that finds nothing passes every test below; and whole groups must not vanish unnoticed.
    assert len(VECTORS) >= 590
    assert len(AS_TEXT) >= 540
    assert len(AS_OBJECT) >= 430


def test_the_files_are_those_of_the_sources():
    command = [sys.executable, str(ROOT / "tools" / "vectors.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf-8")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{len(VECTORS)} vectors\n", "")


def test_every_input_has_a_report_and_every_report_an_input():
    assert {path.name for path in HOME.iterdir() if not path.is_dir()} <= BESIDE
    for folder in HOME.iterdir():
        if not folder.is_dir() or folder.name in BESIDE:
            continue
        names = [path.name for path in folder.iterdir()]
        slugs = [name.removesuffix(".report.json") for name in names if ".report." in name]
        inputs = [Path(name).stem for name in names if ".report." not in name]
        assert sorted(inputs) == sorted(set(slugs))


@each(VECTORS)
def test_the_vector_is_in_order(vector):
    assert len(vector.file) < LARGEST_INPUT
    FORM.validate(vector.report)
    parameters = {rule["code"]: rule["params"] for rule in CATALOGUE}
    for finding in vector.report["findings"]:
        assert list(finding["params"]) == parameters[finding["code"]]


@each(VECTORS)
def test_as_given(engine, vector):
    validator = vector.validator(engine)
    data = vector.data
    assert seen(validator.check(data)) == vector.result
    assert validator.is_valid(data) == vector.report["ok"]


@each(AS_BYTES)
def test_in_another_buffer(engine, vector):
    validator = vector.validator(engine)
    array = bytearray(vector.file)
    within = memoryview(b"{" + vector.file + b"}")[1:-1]
    for data in (array, memoryview(array), within):
        assert seen(validator.check(data)) == vector.result
        assert validator.is_valid(data) == vector.report["ok"]


@each(AS_TEXT)
def test_as_text(engine, vector):
    validator = vector.validator(engine)
    text = text_of(vector)
    assert seen(validator.check(text)) == vector.result
    assert validator.is_valid(text) == vector.report["ok"]


@each(AS_OBJECT)
def test_as_an_object(engine, vector):
    validator = vector.validator(engine)
    value = object_of(vector)
    result = seen(validator.check(value))
    wanted = without_offsets(vector.result)
    if not OF_BYTES & set(vector.report["limits"]):
        verdict = ("ok", "fatal", "truncated", "counts", "findings")
        assert {name: result[name] for name in verdict} == {name: wanted[name] for name in verdict}
    if "duplicate-member" not in vector.report["counts"]:
        text = compact(value)
        if text == vector.file and "bytes" not in vector.report["limits"]:
            assert result == wanted
        assert result == without_offsets(seen(validator.check(text)))
    assert validator.is_valid(value) == result["ok"]


def test_an_object_can_name_a_member_again(engine):
    # What makes the objects above the same as the texts: items that a dict would lose.
    value = parsed(b'{"k":1,"k":2}')
    assert isinstance(value, Repeated)
    assert dict(engine.check(value).counts)["duplicate-member"] == 1
