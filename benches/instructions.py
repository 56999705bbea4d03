"""Benches, the counts: instructions a byte by shape, and how they grow. The gate of CI.

In come the corpus and the attacks; out goes a table, and with `--check` a failure if a shape costs
more than 3 % above `instructions.json`, or if an attack of twice the size costs more than 2.1 times
as much. Times on a shared machine differ by tens of per cent from run to run; counts under
callgrind differ by a fraction of one (ids are hashed under a new key in each process), so a gate
can stand on them.

A count is the difference of two runs of `counted.rs` that check the answers more and less often:
what starts the program is in both, and scratch space is warm, as in a host that checks one answer
after the other. Growth is counted cold, since that is where memory has to grow.

    python benches/instructions.py [--check | --write] [SHAPE ...]

The counts belong to a compiler and a kernel of `scan/`, both of which the baseline names: write it
anew (`make instructions-baseline`) with a change that is meant to cost, and with a new compiler.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import attacks
import corpus
import programs

BASELINE = Path(__file__).with_suffix(".json")
ALLOWED = 1.03
GROWTH = 2.1
ENOUGH = 2_000_000  # bytes to check in all: what the runs have in common weighs little then
WHOLE, CHUNKS, BYTES = 0, 64 * 1024, 1


class Case(NamedTuple):
    """Answers, and how they come."""

    name: str
    file: Path
    chunk: int = WHOLE


class Counter:
    """callgrind around the counted program."""

    def __init__(self) -> None:
        if shutil.which("valgrind") is None:
            raise SystemExit("valgrind is missing (Debian, Ubuntu: apt-get install valgrind)")
        self._program = programs.build("counted")
        # valgrind knows no AVX-512; where there is no AVX2 either, the next best kernel runs.
        self._environment = {"ELEMENTGUARD_KERNEL": "avx2", **os.environ}
        self.kernel = ""
        self.count(Case("tiny", corpus.file("tiny")), 0)

    def count(self, case: Case, times: int, nesting: int | None = None) -> int:
        """Instructions of a run that checks the answers so often."""
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
        command += [str(self._program), str(case.file), str(times), str(case.chunk)]
        command += [] if nesting is None else [str(nesting)]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, env=self._environment
        )
        found = re.search(r"Collected : (\d+)", done.stderr)
        if done.returncode or found is None:
            raise SystemExit(f"{' '.join(command)}: {done.stderr}")
        self.kernel = done.stdout.split()[0]
        return int(found[1])

    def per_byte(self, case: Case) -> float:
        """Instructions a byte of one more check, scratch space warm."""
        size = case.file.stat().st_size
        more = max(1, min(1000, ENOUGH // size))
        return (self.count(case, 1 + more) - self.count(case, 1)) / more / size

    def growth(self, name: str, folder: Path) -> float:
        """How many times as much an attack of twice the size costs."""
        make, size = attacks.GROWTH[name.removesuffix(BY_BYTES)]
        chunk = BYTES if name.endswith(BY_BYTES) else WHOLE
        spent = []
        for times in (1, 2):
            file = folder / f"{name} {times}.json"
            file.write_bytes(make(size * times))
            case = Case(name, file, chunk)
            spent.append(self.count(case, 1, nesting=0) - self.count(case, 0, nesting=0))
        return spent[1] / spent[0]


BY_BYTES = ", in chunks of a byte"


def cases() -> list[Case]:
    """All shapes in one piece; some in chunks, and some with faults."""
    whole = [Case(shape, corpus.file(shape)) for shape in corpus.ALL if shape != HUGE]
    chunked = [Case(f"{shape} in 64 KiB chunks", corpus.file(shape), CHUNKS) for shape in CHUNKED]
    single = [Case(f"{shape} in chunks of a byte", corpus.file(shape), BYTES) for shape in BY_BYTE]
    faulty = [Case(f"{shape} with faults", spoiled(shape)) for shape in SPOILED]
    return whole + chunked + single + faulty


HUGE = "huge"  # its instructions are those of the others, and caches do not count here
CHUNKED = ("chat", "table", "table_pretty", "images", "images_escaped")
BY_BYTE = ("tiny", "frame", "editor", "deep")
SPOILED = ("tiny", "editor", "table")


def spoiled(shape: str) -> Path:
    """A file beside the shape's own, with a fault in every element."""
    path = corpus.file(shape).with_suffix(".faults.json")
    path.write_bytes(corpus.spoil(corpus.build(shape)[0]))
    return path


def compiler() -> str:
    """The version of rustc."""
    done = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True)
    return done.stdout.split()[1]


def digest(case: Case) -> str:
    """Counts of other bytes say nothing."""
    return hashlib.sha256(case.file.read_bytes()).hexdigest()[:16]


# --- the gate -------------------------------------------------------------------------------------


def compare(counts: dict[str, float], baseline: dict[str, Any], checked: list[Case]) -> list[str]:
    """Print each count beside its baseline; what fails."""
    failures = []
    known = baseline.get("per_byte", {})
    print("| instructions a byte | now | baseline | |\n| --- | --: | --: | --: |")
    for case in checked:
        now, before = counts[case.name], known.get(case.name)
        change = f"{100 * (now / before - 1):+.1f} %" if before else "new"
        print(f"| {case.name} | {now:.3f} | {before or '':.5} | {change} |")
        if before is None or baseline["answers"][case.name] != digest(case):
            failures.append(f"{case.name}: the baseline knows nothing of these bytes")
        elif now > before * ALLOWED:
            failures.append(f"{case.name}: {change}; {100 * (ALLOWED - 1):.0f} % is allowed")
    return failures


def grow(growths: dict[str, float]) -> list[str]:
    """Print how each attack grows; what fails."""
    print(f"\n| twice the size costs, {GROWTH} allowed | times as much |\n| --- | --: |")
    for name, times in growths.items():
        print(f"| {name} | {times:.3f} |")
    return [f"{name}: {times:.2f} times" for name, times in growths.items() if times > GROWTH]


def main() -> None:
    """Count, print, and judge or write."""
    arguments = argparse.ArgumentParser(description="instructions a byte, and their growth")
    arguments.add_argument("shapes", nargs="*", metavar="SHAPE", help="all, and growth, if none")
    arguments.add_argument("--check", action="store_true", help="fail if more than the baseline")
    arguments.add_argument("--write", action="store_true", help="write the baseline")
    wanted = arguments.parse_args()
    counter = Counter()
    checked = [c for c in cases() if not wanted.shapes or c.name.split()[0] in wanted.shapes]
    attack_names = [*attacks.GROWTH, *(name + BY_BYTES for name in ("escapes", "distinct ids"))]
    with ThreadPoolExecutor(os.cpu_count()) as pool, tempfile.TemporaryDirectory() as folder:
        growing = [] if wanted.shapes else attack_names
        growths = pool.map(lambda name: counter.growth(name, Path(folder)), growing)
        counted = pool.map(counter.per_byte, checked)
        counts = dict(zip((case.name for case in checked), counted, strict=True))
        growth = dict(zip(growing, growths, strict=True))

    state: dict[str, Any] = {
        "about": "instructions a byte; benches/instructions.py --write writes this",
        "rustc": compiler(),
        "kernel": counter.kernel,
        "per_byte": {name: float(f"{count:.4g}") for name, count in counts.items()},
        "answers": {case.name: digest(case) for case in checked},
    }
    baseline = json.loads(BASELINE.read_text("utf-8")) if BASELINE.exists() else {}
    failures = compare(counts, baseline, checked) + grow(growth)
    for key in ("rustc", "kernel"):
        if baseline.get(key) != state[key]:
            failures.insert(0, f"baseline of {key} {baseline.get(key)}, this is {state[key]}")
    if wanted.write:
        for key in ("per_byte", "answers"):
            state[key] = {**baseline.get(key, {}), **state[key]} if wanted.shapes else state[key]
        BASELINE.write_text(json.dumps(state, indent=2) + "\n", "utf-8")
    elif failures:
        print("\n" + "\n".join(failures))
        sys.exit(wanted.check)


if __name__ == "__main__":
    main()
