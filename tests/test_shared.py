"""The project's shared inputs with their expected reports, on both engines and in every way in.

Comes in: `handmade/`, `real/`, `cases/` and JSONTestSuite of a folder beside the checkout, or of
the one that `ELEMENTGUARD_SHARED` names. Goes out: a failure where an engine says anything else
than what is expected there. The inputs are no part of the project, so without them nothing is
tested here; the conformance vectors are the project's own.
"""

import json
import os
import runpy
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from written_reports import buffers, hold_object, object_of, seen, text_of

ROOT = Path(__file__).parent.parent
SHARED = Path(os.environ.get("ELEMENTGUARD_SHARED") or ROOT.parent / "shared")
SUITE = SHARED / "corpora" / "JSONTestSuite"

if not (SHARED / "handmade").is_dir():
    pytest.skip("the shared inputs are not beside this checkout", allow_module_level=True)


@dataclass(frozen=True)
class Written:
    """An input, and its expected report."""

    name: str
    file: bytes
    report: dict

    @property
    def limits(self):
        return self.report["limits"]

    @property
    def result(self):
        """What is expected, in the form of a vector's report file, as far as the report tells."""
        told = {name: self.report[name] for name in ("ok", "fatal", "truncated", "counts")}
        if self.report["fatal"]:
            told |= {"summary": None, "root": None}
        elif "sizes" in self.report:
            told |= self.report["sizes"]
        return told | {"findings": self.report["findings"]}

    def validator(self, engine):
        return engine.Validator(limits=engine.Limits(**self.limits), kind=self.report["kind"])


def written(path, report):
    return Written(str(path.relative_to(SHARED)), path.read_bytes(), report)


def beside(folder):
    """The inputs that have their reports beside them."""
    for path in sorted((SHARED / folder).rglob("*.report.json")):
        report = json.loads(path.read_text("utf-8"))
        yield written(path.with_name(path.name.replace(".report.json", ".json")), report)


def of_cases():
    """The inputs of the cases that are files of one answer, or of one a line."""
    for path in sorted((SHARED / "cases").glob("*/*/reports/*.json")):
        report = json.loads(path.read_text("utf-8"))
        data = path.parent.parent / path.name
        source = next((p for p in data.parent.glob(f"{data.stem}.*") if p.suffix != ".py"), None)
        if path.name.endswith(".py.json") or source is None:
            continue
        if "records" in report:
            for line, record in zip(
                source.read_bytes().splitlines(), report["records"], strict=True
            ):
                yield Written(f"{data.parent.name}/{record['label']}", line, record)
        elif source.suffix == ".bin":
            yield Written(str(source.relative_to(SHARED)), viewed(source), report)
        else:
            yield written(source, report)


def viewed(source):
    """The bytes that the case's view shows of a larger buffer."""
    case = json.loads((source.parent / "case.json").read_text("utf-8"))
    view = next(v["view"] for v in case["variants"] if v.get("input") == source.name)
    data = source.read_bytes()
    shown = {
        "memoryview(data)[::2]": data[::2],
        "memoryview(data)[10:-10]": data[10:-10],
        "memoryview(b'')": b"",
    }
    return shown[view]


def made():
    """The inputs of the cases that are parsed objects, made by a script."""
    for path in sorted((SHARED / "cases").glob("*/*/reports/*.py.json")):
        script = path.parent.parent / path.name.removesuffix(".json")
        yield Written(str(script.relative_to(SHARED)), b"", json.loads(path.read_text("utf-8")))


HANDMADE, REAL, CASES, MADE = (
    list(beside("handmade")),
    list(beside("real")),
    list(of_cases()),
    list(made()),
)
ALL = HANDMADE + REAL + CASES
AS_TEXT = [one for one in ALL if text_of(one.file) is not None]
AS_OBJECT = [one for one in ALL if object_of(one.file) is not None]
EXPECTED = json.loads((SUITE / "expected.json").read_text("utf-8"))


def each(some):
    return pytest.mark.parametrize("one", some, ids=[one.name for one in some])


def test_what_is_there(capsys):
    counts = {"handmade": len(HANDMADE), "real": len(REAL), "cases": len(CASES) + len(MADE)}
    counts["JSONTestSuite"] = len(EXPECTED)
    with capsys.disabled():
        told = ", ".join(f"{name} {count}" for name, count in counts.items())
        print(f"\nshared inputs: {told}; as text {len(AS_TEXT)}, as objects {len(AS_OBJECT)}")
    assert all(counts.values())


@each(ALL)
def test_as_bytes(engine, one):
    hold(one.validator(engine), one.file, one)


@each(ALL)
def test_in_another_buffer(engine, one):
    validator = one.validator(engine)
    for data in buffers(one.file):
        hold(validator, data, one)


@each([one for one in ALL if one.limits.get("bytes") is None])
def test_in_chunks(engine, one):
    validator = one.validator(engine)
    for size in (1, 2, 61):
        stream = validator.stream()
        for at in range(0, len(one.file), size):
            stream.feed(one.file[at : at + size])
        assert stream.finish() == validator.check(one.file)


@each(AS_TEXT)
def test_as_text(engine, one):
    hold(one.validator(engine), text_of(one.file), one)


@each(AS_OBJECT)
def test_as_an_object(engine, one):
    hold_object(one.validator(engine), object_of(one.file), one)


@each(MADE)
def test_a_made_object(engine, one):
    # What the script made is kept until the end: CPython drops a long chain of dicts recursively.
    namespace = runpy.run_path(str(SHARED / one.name))
    value = namespace["build"]()
    hold(one.validator(engine), value, one)


def test_a_strided_view_is_refused(engine):
    with pytest.raises(ValueError, match="contiguous"):
        engine.check(memoryview(b"{ } ")[::2])


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_json_test_suite(engine, name):
    validator = engine.Validator(limits=engine.Limits(nesting=None))
    data = (SUITE / "test_parsing" / name).read_bytes()
    text = text_of(data)
    for form in (data, *buffers(data), *([] if text is None else [text])):
        report = validator.check(form)
        if EXPECTED[name]["well_formed"]:
            assert report.complete
        else:
            (finding,) = report.findings
            told = {"well_formed": False, "code": finding.code, "offset": finding.offset}
            assert told | dict(finding.params) == EXPECTED[name]


def hold(validator, data, one):
    report = validator.check(data)
    result = seen(report)
    assert {name: result[name] for name in one.result} == one.result
    for figure in ("elements", "depth", "bytes"):
        assert (report.summary and getattr(report.summary, figure)) == one.report[figure]
    assert validator.is_valid(data) == one.report["ok"]
