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

from written_reports import (
    CATALOGUE,
    HOME,
    Repeated,
    buffers,
    hold_object,
    object_of,
    parsed,
    seen,
    text_of,
    vectors,
)

ROOT = Path(__file__).parent.parent
LARGEST_INPUT = 100_000
FORM = jsonschema_rs.validator_for(json.loads((HOME / "vector.schema.json").read_text("utf-8")))
BESIDE = {".gitattributes", "README.md", "catalogue.json", "cuts.toml", "source"}
BESIDE |= {"vector.schema.json"}

VECTORS = vectors()
AS_BYTES = [vector for vector in VECTORS if vector.report["way"] == "bytes"]
AS_TEXT = [vector for vector in AS_BYTES if text_of(vector.file) is not None]
AS_OBJECT = [vector for vector in AS_BYTES if object_of(vector.file) is not None]


def each(some):
    return pytest.mark.parametrize("vector", some, ids=[vector.name for vector in some])


def test_there_are_as_many_vectors_as_there_were():
    # A glob that finds nothing passes every test below; and whole groups must not vanish unnoticed.
    assert len(VECTORS) >= 622
    assert len(AS_TEXT) >= 580
    assert len(AS_OBJECT) >= 480


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
    hold(vector.validator(engine), vector.data, vector)


@each(AS_BYTES)
def test_in_another_buffer(engine, vector):
    validator = vector.validator(engine)
    for data in buffers(vector.file):
        hold(validator, data, vector)


@each(AS_TEXT)
def test_as_text(engine, vector):
    hold(vector.validator(engine), text_of(vector.file), vector)


@each(AS_OBJECT)
def test_as_an_object(engine, vector):
    hold_object(vector.validator(engine), object_of(vector.file), vector)


def test_an_object_can_name_a_member_again(engine):
    # What makes the objects above the same as the texts: items that a dict would lose.
    value = parsed(b'{"k":1,"k":2}')
    assert isinstance(value, Repeated)
    assert dict(engine.check(value).counts)["duplicate-member"] == 1


def hold(validator, data, vector):
    assert seen(validator.check(data)) == vector.result
    assert validator.is_valid(data) == vector.report["ok"]
