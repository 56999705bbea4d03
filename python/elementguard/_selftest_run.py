"""Facade: the run behind `selftest`.

Comes in: the cards' examples, `vectors.jsonl` (the conformance vectors, packed by
`tools/pack_vectors.py`), and the engines that are installed. Goes out: `SelfTest`. Imported only
when somebody asks.

A card's example must give its own rule and nothing else, its near miss nothing; a vector must give
its report to the last number. Each is read as bytes, as `str`, as a mutable buffer and in chunks,
and all these reports must be one; of two engines the reports of parsed objects must be equal
besides.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from elementguard import _engine
from elementguard._limits import Limits
from elementguard._rules import RULES
from elementguard._validator import over

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from elementguard._engine import Engine
    from elementguard._report import Report

_ENGINES = ("rust", "python")
_CHUNK = 17  # bytes: most tokens and many escapes are cut
_REPORT_KEYS = ("ok", "fatal", "truncated", "counts", "findings", "summary", "root")
_FINDING_KEYS = ("code", "pointer", "offset", "element", "params")


class SelfTest(NamedTuple):
    """What `selftest` found.

    Attributes:
        engines: the names of the engines that are installed and were run.
        vectors: how many answers each of them read.
        checks: how many comparisons were made.
        differences: what did not come out as written down, one line each.
    """

    engines: tuple[str, ...]
    vectors: int
    checks: int
    differences: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether there was no difference, and something to differ."""
        return not self.differences and self.checks > 0


class _Vector(NamedTuple):
    """An answer, how to check it, and what must come out: a report's parts, or just codes."""

    name: str
    data: bytes
    way: str
    settings: dict[str, Any]
    expected: dict[str, Any]


def run() -> SelfTest:
    """All vectors through all engines."""
    engines = _installed()
    vectors = shipped()
    checks = 0
    differences: list[str] = []
    for what, good in comparisons(vectors, engines):
        checks += 1
        if not good:
            differences.append(what)
    return SelfTest(tuple(engines), len(vectors), checks, tuple(differences))


def shipped() -> list[_Vector]:
    """Every answer that ships with the package."""
    return [*_from_cards(), *_packed()]


def comparisons(vectors: list[_Vector], engines: dict[str, Engine]) -> Iterator[tuple[str, bool]]:
    """Every single thing that must hold of these vectors, and whether it does."""
    for vector in vectors:
        for what, good in _comparisons(vector, engines):
            yield f"{vector.name}: {what}", good


def _installed() -> dict[str, Engine]:
    found = {}
    for name in _ENGINES:
        try:
            found[name] = _engine.load(name)
        except ModuleNotFoundError as error:
            if error.name != _engine.COMPILED:
                raise
    return found


def _comparisons(vector: _Vector, engines: dict[str, Engine]) -> Iterator[tuple[str, bool]]:
    """Every single thing that must hold of this vector."""
    firsts = []
    for name, core in engines.items():
        validator = over(core, **vector.settings)
        first = validator.check(_given(vector))
        firsts.append(first)
        yield f"{name}: the report", _as_expected(first, vector.expected)
        yield f"{name}: is_valid", validator.is_valid(_given(vector)) is first.ok
        for form, data in _other_forms(vector):
            yield f"{name}: as {form}", validator.check(data) == first
        most = validator.limits.bytes
        if vector.way == "bytes" and (most is None or len(vector.data) <= most):
            # Of chunks the length is not known: one that is too long may have another error first.
            chunks = (vector.data[at : at + _CHUNK] for at in range(0, len(vector.data), _CHUNK))
            yield f"{name}: in chunks", validator.check_chunks(chunks) == first
    yield "one engine as the other", all(report == firsts[0] for report in firsts)
    parsed = _parsed(vector)
    if parsed is not None:
        reports = [over(core, **vector.settings).check(parsed) for core in engines.values()]
        yield "parsed: one engine as the other", all(report == reports[0] for report in reports)


def _given(vector: _Vector) -> object:
    return vector.data if vector.way == "bytes" else json.loads(vector.data)


def _other_forms(vector: _Vector) -> Iterator[tuple[str, object]]:
    if vector.way != "bytes":
        return
    yield "a mutable buffer", bytearray(vector.data)
    yield "a view", memoryview(b"[" + vector.data + b"]")[1:-1]
    try:
        yield "text", vector.data.decode()
    except UnicodeDecodeError:
        return


def _parsed(vector: _Vector) -> object:
    try:
        return json.loads(vector.data)
    except (ValueError, RecursionError):
        return None


def _as_expected(report: Report, expected: dict[str, Any]) -> bool:
    if "codes" in expected:
        return list(report.counts) == list(expected["codes"])
    return {key: _PARTS[key](report) for key in expected} == dict(expected)


def _findings(report: Report) -> list[dict[str, object]]:
    whole = (finding.to_dict() for finding in report.findings)
    return [{key: finding[key] for key in _FINDING_KEYS} for finding in whole]


def _summary(report: Report) -> dict[str, object] | None:
    if report.summary is None:
        return None
    told = report.summary.to_dict()
    del told["root"]
    return told


def _root(report: Report) -> dict[str, int] | None:
    if report.summary is None or report.summary.root is None:
        return None
    return report.summary.root._asdict()


_PARTS: dict[str, Callable[[Report], object]] = {
    "ok": lambda report: report.ok,
    "fatal": lambda report: not report.complete,
    "truncated": lambda report: report.truncated,
    "counts": lambda report: dict(report.counts),
    "findings": _findings,
    "summary": _summary,
    "root": _root,
}


def _from_cards() -> Iterator[_Vector]:
    for code, rule in RULES.items():
        for heading, example, codes in zip(
            ("example", "near miss"), rule.examples, ([code], []), strict=True
        ):
            if (
                len(example.answers) == 1
            ):  # more than one: a rule between answers, which `check` never says
                settings = {"limits": example.limits, "kind": example.kind}
                data = example.answers[0]
                yield _Vector(f"{code}, {heading}", data, "bytes", settings, {"codes": codes})


def _packed() -> Iterator[_Vector]:
    from importlib.resources import files

    text = (files("elementguard") / "vectors.jsonl").read_text("utf-8")
    for line in text.splitlines():
        yield _vector(json.loads(line))


def _vector(told: dict[str, Any]) -> _Vector:
    data = bytes.fromhex(told["hex"]) if "hex" in told else told["text"].encode()
    settings = {
        "limits": Limits(**told["limits"]),
        "rules": told["rules"],
        "kind": told["kind"],
    }
    expected = {key: told[key] for key in _REPORT_KEYS}
    return _Vector(told["name"], data, told["way"], settings, expected)
