"""Writes the conformance vectors from their sources, or checks that they are the ones on disk.

Comes in: `tests/conformance/source/*.toml`. Goes out: `tests/conformance/<folder>/<slug>.json`
(or `.bin`) and `<slug>.report.json`; the folder has the source's name. `--check` writes nothing
and fails if a file differs, is missing or is nobody's. A source says in full what a person must
judge: which findings, where (by a mark in the text), with which pointer, element and parameters.
Only what needs counting is counted here: offsets from the marks, verdict and counts from the
findings and `catalogue.json`, sizes by `reckon.py`. No engine is asked.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

import proof
from marks import unmark
from reckon import reckon

HOME = Path(__file__).resolve().parent.parent / "tests" / "conformance"
LARGEST_INPUT = 100_000

# What stands around the text of a vector, by the key that holds the text.
_ROOT = ('{"protocol":"0.2.0","instance":"run-1","root":', "}")
_CHILDREN = (_ROOT[0] + '{"id":"app","role":"Application","children":[\n', "\n]}" + _ROOT[1])
_CONTENT = (_CHILDREN[0] + '{"id":"x","role":"Group","content":[\n', "\n]}" + _CHILDREN[1])
FRAMES = {
    "answer": ("", ""),
    "element": ("", ""),
    "root": _ROOT,
    "children": _CHILDREN,
    "content": _CONTENT,
}
_KEYS = {"slug", "reason", "limits", "rules", "way", "findings", "counts", "summary", "sizes"}

# One finding a line: [×times] code place pointer element [parameters]. A place is a mark's name,
# `-` for none, and with ×times `1+17`: so many bytes on each time; a `#` in the pointer is then the
# number of the time.
_FINDING = re.compile(
    r"(?:×(?P<times>\d+) +)?(?P<code>[a-z0-9-]+) +(?P<place>[a-z0-9]+|-)(?:\+(?P<step>\d+))? +"
    r'(?P<pointer>"(?:[^"\\]|\\.)*"|(?:«[^»]*»|[^\s«])+) +(?P<element>\S+)(?: +(?P<params>\{.*\}))?'
)


@dataclass
class Vector:
    """One vector: an input and what a validator must say of it."""

    folder: str
    slug: str
    reason: str
    kind: str
    way: str
    data: bytes
    limits: dict[str, object]
    rules: dict[str, str]
    findings: list[dict[str, object]]
    counts: dict[str, int]
    ok: bool
    fatal: bool
    summary: dict[str, object] | None = None
    root: dict[str, int] | None = None
    stated: dict[str, object] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Folder and slug."""
        return f"{self.folder}/{self.slug}"


def read_source(path: Path, catalogue: list[proof.Rule]) -> list[Vector]:
    """The vectors of one source file."""
    source = tomllib.loads(path.read_text("utf-8"))
    return [_vector(path.stem, entry, catalogue) for entry in source["vector"]]


def _vector(folder: str, entry: dict[str, object], catalogue: list[proof.Rule]) -> Vector:
    frame = next(key for key in FRAMES if key in entry)
    unknown = set(entry) - _KEYS - {frame}
    if unknown:
        raise ValueError(f"{folder}/{entry['slug']}: unknown keys {sorted(unknown)}")
    before, after = FRAMES[frame]
    data, places = unmark(before + str(entry[frame]) + after)
    way = str(entry.get("way", "bytes"))
    findings = _findings(str(entry.get("findings", "")), places)
    rules = {str(k): str(v) for k, v in _table(entry, "rules").items()}
    counts = {str(k): int(str(v)) for k, v in _table(entry, "counts").items()}
    counts = _in_order(counts or _counted(findings), catalogue)
    levels = {rule["code"]: rules.get(rule["code"], rule["level"]) for rule in catalogue}
    vector = Vector(
        folder=folder,
        slug=str(entry["slug"]),
        reason=str(entry["reason"]),
        kind="element" if frame == "element" else "answer",
        way=way,
        data=_as_given(data, way),
        limits={k: None if v == "none" else v for k, v in _table(entry, "limits").items()},
        rules=rules,
        findings=findings,
        counts=counts,
        ok="error" not in [levels[code] for code in counts],
        fatal=any(rule["fatal"] and rule["code"] in counts for rule in catalogue),
        stated=_table(entry, "summary") | _table(entry, "sizes"),
    )
    if not vector.fatal:
        vector.summary, vector.root = reckon(
            _compact(data) if way == "object" else data, vector.kind
        )
    proof.prove(vector, catalogue)
    return vector


def _table(entry: dict[str, object], key: str) -> dict[str, object]:
    value = entry.get(key, {})
    if not isinstance(value, dict):
        raise TypeError(f"{entry['slug']}: {key} is no table")
    return value


def _findings(text: str, places: dict[str, int]) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    unused = set(places)
    for line in text.strip().splitlines():
        match = _FINDING.fullmatch(line.strip())
        if match is None:
            raise ValueError(f"no finding: {line}")
        unused.discard(match["place"])
        found.extend(_finding(match, places, time) for time in range(int(match["times"] or 1)))
    if unused:
        raise ValueError(f"no finding is at {sorted(unused)}")
    return found


def _finding(match: re.Match[str], places: dict[str, int], time: int) -> dict[str, object]:
    place, pointer = match["place"], match["pointer"]
    pointer = json.loads(pointer) if pointer.startswith('"') else unmark(pointer)[0].decode()
    return {
        "code": match["code"],
        "pointer": pointer.replace("#", str(time)) if match["times"] else pointer,
        "offset": None if place == "-" else places[place] + time * int(match["step"] or 0),
        "element": None if match["element"] == "-" else match["element"],
        "params": json.loads(unmark(match["params"] or "{}")[0]),
    }


def _counted(findings: list[dict[str, object]]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for finding in findings:
        counts[str(finding["code"])] = counts.get(str(finding["code"]), 0) + 1
    return counts


def _in_order(counts: dict[str, int], catalogue: list[proof.Rule]) -> dict[str, int]:
    known = {rule["code"]: counts[rule["code"]] for rule in catalogue if rule["code"] in counts}
    if len(known) != len(counts):
        raise ValueError(f"not in the catalogue: {sorted(set(counts) - set(known))}")
    return known


def _compact(data: bytes) -> bytes:
    text = json.dumps(json.loads(data), ensure_ascii=False, separators=(",", ":"))
    return re.sub("[\ud800-\udfff]", lambda m: f"\\u{ord(m[0]):04x}", text).encode()


def _as_given(data: bytes, way: str) -> bytes:
    """The file's bytes: of a `str` vector a JSON string, since UTF-8 has no surrogates."""
    if way == "str":
        return json.dumps(data.decode("utf-8", "surrogatepass")).encode("ascii")
    return data


def files_of(vector: Vector) -> dict[str, bytes]:
    """The two files of a vector, by their names under `tests/conformance`."""
    suffix = "json" if vector.way != "bytes" or proof.is_json(vector.data) else "bin"
    return {
        f"{vector.name}.{suffix}": vector.data,
        f"{vector.name}.report.json": _report(vector).encode(),
    }


def _report(vector: Vector) -> str:
    """The report file: one member a line, one finding a line, so that a diff shows a change."""
    members = {
        "reason": vector.reason,
        "kind": vector.kind,
        "way": vector.way,
        "limits": vector.limits,
        "rules": vector.rules,
        "ok": vector.ok,
        "fatal": vector.fatal,
        "truncated": sum(vector.counts.values()) > len(vector.findings),
        "counts": vector.counts,
        "summary": vector.summary,
        "root": vector.root,
    }
    lines = [f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)},\n" for k, v in members.items()]
    found = ",\n".join(json.dumps(finding, ensure_ascii=False) for finding in vector.findings)
    return "{\n" + "".join(lines) + '"findings": [' + (f"\n{found}\n" if found else "") + "]\n}\n"


def all_files() -> dict[str, bytes]:
    """Every file that the sources ask for."""
    catalogue: list[proof.Rule] = json.loads((HOME / "catalogue.json").read_text("utf-8"))
    files: dict[str, bytes] = {}
    for path in sorted((HOME / "source").glob("*.toml")):
        for vector in read_source(path, catalogue):
            if len(vector.data) >= LARGEST_INPUT:
                raise ValueError(f"{vector.name}: the input is {len(vector.data)} bytes long")
            new = files_of(vector)
            if f"{vector.name}.report.json" in files:
                raise ValueError(f"{vector.name}: the slug is used twice")
            files |= new
    return files


def on_disk() -> dict[str, bytes]:
    """Every file of a vector that is there."""
    paths = (path for path in HOME.glob("*/*") if path.parent.name != "source")
    return {path.relative_to(HOME).as_posix(): path.read_bytes() for path in paths}


def main(arguments: list[str]) -> int:
    """Write the files, or with --check say which are not as they should be."""
    wanted, there = all_files(), on_disk()
    changed = sorted(name for name in wanted if wanted[name] != there.get(name))
    orphans = sorted(set(there) - set(wanted))
    if arguments == ["--check"]:
        for name in changed + orphans:
            print(f"{name}: {'stale' if name in wanted else 'no source'}")
        print(f"{len(wanted) // 2} vectors")
        return 1 if changed or orphans else 0
    for name in orphans:
        (HOME / name).unlink()
    for name in changed:
        (HOME / name).parent.mkdir(exist_ok=True)
        (HOME / name).write_bytes(wanted[name])
    print(f"{len(wanted) // 2} vectors, {len(changed)} files written, {len(orphans)} removed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
