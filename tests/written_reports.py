"""What the tests of written reports share: the vectors, and reports in their written form.

Comes in: the files under `conformance/`, a report of the facade. Goes out: `Vector`, `seen(report)`
(the members of a vector's report file), `parsed(data)` (the answer as a host's JSON reader hands it
over), and the ways in that a text has. Not a test itself, and no package: who needs it puts this
folder on the path.
"""

import json
from collections.abc import ItemsView, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

HOME = Path(__file__).parent / "conformance"
CATALOGUE = json.loads((HOME / "catalogue.json").read_text("utf-8"))
MOST_DIGITS = 4_300  # of an integer in a parsed object (contract, section 6)

# Limits that count bytes: of a parsed object they count those of its compact JSON.
OF_BYTES = {"bytes", "subtree_bytes", "content_bytes", "attributes_bytes"}
_SIZE = ("bytes", "elements", "height", "depth", "content_bytes", "text_bytes", "blob_bytes")
_SUMMARY = (
    "bytes",
    "elements",
    "depth",
    "roles",
    "block_types",
    "instance",
    "protocol",
    "focus_path",
    "position",
    "selected",
    "hovered",
)


@dataclass(frozen=True)
class Vector:
    """An input, and the report file beside it."""

    name: str
    file: bytes
    report: dict

    @property
    def data(self):
        """The input in the way that the report names."""
        return self.file if self.report["way"] == "bytes" else json.loads(self.file)

    @property
    def result(self):
        """What a check must say."""
        return {name: self.report[name] for name in RESULT}

    @property
    def limits(self):
        """The limits that are not at their defaults."""
        return self.report["limits"]

    def validator(self, package):
        """The package's validator with the vector's settings."""
        return package.Validator(
            limits=package.Limits(**self.limits),
            rules=self.report["rules"],
            kind=self.report["kind"],
        )


RESULT = ("ok", "fatal", "truncated", "counts", "summary", "root", "findings")


def vectors():
    """All vectors, by their names."""
    return [_vector(path) for path in sorted(HOME.glob("*/*.report.json"))]


def _vector(path):
    slug = path.name.removesuffix(".report.json")
    data = next(path.parent.glob(f"{slug}.json"), path.parent / f"{slug}.bin")
    report = json.loads(path.read_text("utf-8"))
    return Vector(f"{path.parent.name}/{slug}", data.read_bytes(), report)


def seen(report):
    """A report of the facade in the form of a report file."""
    summary = report.summary
    return {
        "ok": report.ok,
        "fatal": not report.complete,
        "truncated": report.truncated,
        "counts": dict(report.counts),
        "summary": summary and {name: _plain(getattr(summary, name)) for name in _SUMMARY},
        "root": summary and summary.root and {n: getattr(summary.root, n) for n in _SIZE},
        "findings": [_finding(finding) for finding in report.findings],
    }


def _finding(finding):
    return {
        "code": finding.code,
        "pointer": finding.pointer,
        "offset": finding.offset,
        "element": finding.element,
        "params": {name: _plain(value) for name, value in finding.params.items()},
    }


def _plain(value):
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value


def without_offsets(result):
    """What a check must say of the same answer when it is a parsed object."""
    return {**result, "findings": [{**f, "offset": None} for f in result["findings"]]}


class Repeated(Mapping):
    """An object that names members again, which a dict can't. Its items are what the text has."""

    def __init__(self, pairs):
        self._pairs = pairs

    def items(self):
        return _Pairs(self)

    def __iter__(self):
        return (name for name, _ in self._pairs)

    def __len__(self):
        return len(self._pairs)

    def __getitem__(self, name):
        return next(value for other, value in self._pairs if other == name)


class _Pairs(ItemsView):
    def __iter__(self):
        return iter(self._mapping._pairs)


class NotTheSameError(Exception):
    """What a JSON reader makes of the text isn't what the text says."""


def parsed(data):
    """The answer as Python objects.

    Raises ValueError for what is no JSON, RecursionError where it is nested deeper than the
    standard library goes, and NotTheSameError where digits are lost, or where it is a single
    string, which would be taken for a text.
    """
    value = json.loads(
        data.decode("utf-8"),  # given bytes, json would guess at other encodings
        object_pairs_hook=_object,
        parse_float=_float,
        parse_int=_int,
        parse_constant=_constant,
    )
    if isinstance(value, str):
        raise NotTheSameError(value[:40])
    return value


def _object(pairs):
    members = dict(pairs)
    return members if len(members) == len(pairs) else Repeated(pairs)


def _float(text):
    value = float(text)
    try:
        same = Decimal(text) == Decimal(repr(value))
    except ArithmeticError:
        same = False
    if not same:
        raise NotTheSameError(text[:40])
    return value


def _int(text):
    if len(text) > MOST_DIGITS:
        raise NotTheSameError(text[:40])
    return int(text)


def _constant(text):
    raise ValueError(text)


def compact(value):
    """The compact JSON of a parsed answer, as the contract's section 6 says it is written.

    Raises TypeError for an object that names a member again: json.dumps can't write it.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace")


def buffers(data):
    """The other buffers that can hold the same bytes, the last of them in the middle of more."""
    array = bytearray(data)
    return array, memoryview(array), memoryview(b"{" + data + b"}")[1:-1]


def text_of(data):
    """The bytes as a string; None if they are no UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def object_of(data):
    """The answer as a host's JSON reader hands it over; None if it does not do so faithfully."""
    try:
        return parsed(data)
    except (NotTheSameError, ValueError, RecursionError):  # each with its reason in parsed()
        return None


def hold_object(validator, value, written):
    """Assert that an object is judged as its text, whose result `written` tells."""
    result = seen(validator.check(value))
    wanted = without_offsets(written.result)
    if not OF_BYTES & set(written.limits):
        for name in ("ok", "fatal", "truncated", "counts", "findings"):
            assert result[name] == wanted[name]
    try:
        text = compact(value)
    except TypeError:  # it names a member again, and what json writes is another answer
        text = None
    if text is not None:
        if text == written.file and "bytes" not in written.limits:
            assert {name: result[name] for name in wanted} == wanted
        assert result == without_offsets(seen(validator.check(text)))
    assert validator.is_valid(value) == result["ok"]
