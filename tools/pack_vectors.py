"""Packs the conformance vectors into the package, so that an installation can test itself.

Comes in: `tests/conformance/*/*.report.json` and the inputs beside them. Goes out:
`python/elementguard/vectors.jsonl`, one vector a line, in the order of their names. `--check`
writes nothing and fails if the file is stale.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VECTORS = ROOT / "tests" / "conformance"
PACKED = ROOT / "python" / "elementguard" / "vectors.jsonl"


def main(arguments: list[str]) -> int:
    """Write, or with `--check` only look."""
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    text = packed()
    if PACKED.exists() and PACKED.read_text("utf-8") == text:
        return 0
    print("stale:" if arguments else "written:", PACKED.relative_to(ROOT))
    if arguments:
        return 1
    PACKED.write_text(text, "utf-8", newline="\n")
    return 0


def packed() -> str:
    """All vectors, one a line."""
    return "".join(map(line, sorted(VECTORS.glob("*/*.report.json"))))


def line(report: Path) -> str:
    """One vector: its report, its name and its input."""
    told = json.loads(report.read_text("utf-8"))
    del told["reason"]  # it stands in the vector itself
    stem = report.name.removesuffix(".report.json")
    data = next(
        path for path in report.parent.glob(f"{stem}.*") if path.name != report.name
    ).read_bytes()
    return json.dumps({"name": f"{report.parent.name}/{stem}", **told, **shown(data)}) + "\n"


def shown(data: bytes) -> dict[str, str]:
    """The input as text where it is one, else in hex."""
    try:
        return {"text": data.decode("utf-8")}
    except UnicodeDecodeError:
        return {"hex": data.hex()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
