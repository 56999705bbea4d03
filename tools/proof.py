"""What can be proven wrong about a vector without any engine: the slips of whoever wrote it.

Comes in: a vector. Goes out: nothing, or a ValueError that names it. Held against the contract:
the parameters of each code (catalogue.json), the order of findings (section 1), that a pointer
leads to the value at the offset ("What a rule points at"), that `element` is the innermost
element which holds the place, that a fatal finding stands alone, and that JSON is what the
standard library takes for JSON.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypedDict

import reckon

if TYPE_CHECKING:
    from vectors import Vector

# Rules whose offset is a name's quote, and those whose offset lies inside the value.
_AT_A_NAME = {"duplicate-member", "unknown-member", "misplaced-state"}
_INSIDE = {"lone-surrogate"}
_FATAL_WITH_POINTER = {"limit-nesting", "limit-elements", "limit-depth"}


class Rule(TypedDict):
    """One row of catalogue.json."""

    code: str
    level: str
    fatal: bool
    section: str
    params: list[str]


def is_json(data: bytes) -> bool:
    """Whether the standard library takes it for JSON (nested too deep for it: no)."""
    try:
        _load(data)
    except (ValueError, RecursionError):
        return False
    return True


def _load(data: bytes) -> None:
    # As floats, integers may have more digits than Python turns into a number by default.
    json.loads(data.decode("utf-8"), parse_constant=_refuse, parse_int=float)


def _refuse(word: str) -> object:
    raise ValueError(word)


def prove(vector: Vector, catalogue: list[Rule]) -> None:
    """Raise ValueError for the first slip that is found."""
    numbers = {rule["code"]: number for number, rule in enumerate(catalogue)}
    wrong = (
        _wrong_text(vector)
        or _wrong_parameters(vector, catalogue)
        or _wrong_order(vector, numbers)
        or _wrong_fatal(vector)
        or _wrong_json(vector)
        or _wrong_places(vector)
        or _wrong_figures(vector)
    )
    if wrong:
        raise ValueError(f"{vector.name}: {wrong}")


def _wrong_text(vector: Vector) -> str | None:
    if "\n" in vector.reason or not vector.reason.endswith("."):
        return "the reason is not one sentence on one line"
    return None if vector.way in ("bytes", "str", "object") else f"no such way: {vector.way}"


def _wrong_parameters(vector: Vector, catalogue: list[Rule]) -> str | None:
    wanted = {rule["code"]: rule["params"] for rule in catalogue}
    for finding in vector.findings:
        params = finding["params"]
        if not isinstance(params, dict) or list(params) != wanted[str(finding["code"])]:
            return f"{finding['code']} has the parameters {wanted[str(finding['code'])]}"
    return None


def _wrong_order(vector: Vector, numbers: dict[str, int]) -> str | None:
    if vector.way == "object":
        return (
            None
            if all(f["offset"] is None for f in vector.findings)
            else "an object has no offsets"
        )
    keys = [(f["offset"], numbers[str(f["code"])]) for f in vector.findings]
    return None if keys == sorted(keys) else "the findings are not in order"


def _wrong_fatal(vector: Vector) -> str | None:
    if not vector.fatal:
        return None
    for finding in vector.findings:
        if finding["element"] is not None:
            return "a fatal finding names no element"
        if (finding["pointer"] != "") and finding["code"] not in _FATAL_WITH_POINTER:
            return "a fatal finding has no pointer"
    return None if sum(vector.counts.values()) == 1 else "a fatal finding stands alone"


def _wrong_json(vector: Vector) -> str | None:
    said = any(code.startswith("json-") for code in vector.counts)
    if vector.way == "str" or (vector.fatal and not said):
        return None
    if said:
        return "the standard library takes it for JSON" if is_json(vector.data) else None
    try:
        _load(vector.data)
    except RecursionError:
        return None
    except ValueError as error:
        return f"it is not JSON: {error}"
    return None


def _wrong_places(vector: Vector) -> str | None:
    if vector.fatal or vector.way != "bytes":
        return None
    answer = reckon.read(vector.data)
    exact = "duplicate-member" not in vector.counts
    for finding in vector.findings:
        value = resolve(answer, str(finding["pointer"]))
        if exact and value is None:
            return f"{finding['pointer']} leads nowhere"
        if exact and value and not _stands_at(value, str(finding["code"]), finding["offset"]):
            return f"{finding['pointer']} is at {value.start}, not at {finding['offset']}"
        if _element_at(answer, vector.kind, finding["offset"]) != finding["element"]:
            return f"{finding['code']} {finding['pointer']}: not the element that holds the place"
        params = finding["params"]
        other = params.get("other") if isinstance(params, dict) else None
        if exact and other is not None and resolve(answer, other) is None:
            return f"other: {other} leads nowhere"
    return None


def resolve(value: reckon.Value, pointer: str) -> reckon.Value | None:
    """The value that a JSON Pointer (RFC 6901) leads to."""
    at: reckon.Value | None = value
    for step in pointer.split("/")[1:]:
        if at is None:
            return None
        if at.kind == "array":
            at = at.items[int(step)] if step.isdecimal() and int(step) < len(at.items) else None
        else:
            name = step.replace("~1", "/").replace("~0", "~")
            named = {reckon.plain(k): member for k, member in reversed(at.members.items())}
            at = named.get(name)
    return at


def _stands_at(value: reckon.Value, code: str, offset: object) -> bool:
    if code in _AT_A_NAME:
        return value.name_start == offset
    if code in _INSIDE:
        start = value.start if value.name_start is None else value.name_start
        return isinstance(offset, int) and start <= offset < value.end
    return value.start == offset


def _element_at(answer: reckon.Value, kind: str, offset: object) -> str | None:
    root = answer.member("root", "object") if kind == "answer" else answer
    if root is None or root.kind != "object" or not isinstance(offset, int):
        return None
    holders = [e for e in reckon.elements_of(root) if e.value.start <= offset < e.value.end]
    return holders[-1].usable_id() if holders else None


def _wrong_figures(vector: Vector) -> str | None:
    counted = (vector.summary or {}) | {f"root.{k}": v for k, v in (vector.root or {}).items()}
    for name, figure in vector.stated.items():
        if counted.get(name) != (None if figure == "none" else figure):
            return f"{name} is {counted.get(name)}, not {figure}"
    return None
