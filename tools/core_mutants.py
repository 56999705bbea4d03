"""Mutants of the Rust core: is there a rule that could be broken without a vector noticing?

In comes the list that `cargo mutants` makes (`.cargo/mutants.toml` says of which files, and which
are left out for a reason). Compiling each of a thousand would take a day. So one program holds them
all: in a copy of the sources each function's body becomes a `match` with an arm for each mutant,
and the variable MUTANT chooses the arm. Mutants that do not compile are found by the compiler and
left out; those that can be no arm (constants, a macro's body, a function that returns an `impl`) go
to `cargo mutants` itself.

The judges are the tests of the core, the quickest first, each in a process with limits of time and
memory. What none of them notices is listed, and makes the exit code 1.

    python tools/core_mutants.py [--jobs 2]
"""

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

HOME = Path(__file__).resolve().parent.parent
BUILD = HOME / "build" / "core-mutants"
TREE = BUILD / "tree"
COPIED = ("Cargo.toml", "Cargo.lock", "rust", "tests", "benches", "python", "README.md")
CRATE = Path("rust/elementguard")
CARGO = ("--locked", "--package", "elementguard", "--profile", "mutants")
ENVIRONMENT = {
    **os.environ,
    "CARGO_TARGET_DIR": str(BUILD / "target"),
    "RUSTFLAGS": "--cap-lints warn -A warnings",  # an arm that no longer uses its arguments
}
JUDGES = (
    ("conformance", "one_buffer"),
    ("elementguard", ""),
    ("conformance", "in_chunks"),
    ("chunks", ""),
    ("kernels", ""),
)
SECONDS = 30  # of the processor, for each judge: the slowest takes a tenth
MEMORY = 3 << 30
CHOOSE = """
/// The mutant that runs; 0 is none.
pub(crate) fn mutant() -> u32 {
    static NUMBER: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    *NUMBER.get_or_init(|| std::env::var("MUTANT").ok().and_then(|n| n.parse().ok()).unwrap_or(0))
}
"""


class Mutant(NamedTuple):
    """One change: the bytes from `start` to `end` of a file, an arm of the function at `owner`."""

    number: int
    name: str
    file: str
    start: int
    end: int
    replacement: str
    owner: tuple[int, int] | None


# --- which there are -----------------------------------------------------------------------------


def find_mutants() -> list[Mutant]:
    """What `cargo mutants` would do, numbered from 1."""
    command = ("cargo", "mutants", "--package", "elementguard", "--list", "--json")
    listed = json.loads(subprocess.check_output(command, cwd=HOME))
    lines = {file: _line_starts(HOME / file) for file in {mutant["file"] for mutant in listed}}
    return [_mutant(number, told, lines[told["file"]]) for number, told in enumerate(listed, 1)]


def _line_starts(file: Path) -> list[int]:
    starts = [0]
    for line in file.read_text("utf-8").splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def _mutant(number: int, told: dict[str, Any], lines: list[int]) -> Mutant:
    def places(span: dict[str, dict[str, int]]) -> tuple[int, int]:
        start, end = (lines[span[k]["line"] - 1] + span[k]["column"] - 1 for k in ("start", "end"))
        return start, end

    function = told["function"]
    # Arms that each return an `impl` of their own are of different types.
    stands_alone = not function or "impl " in function["return_type"]
    owner = None if stands_alone else places(function["span"])
    start, end = places(told["span"])
    return Mutant(number, told["name"], told["file"], start, end, told["replacement"], owner)


# --- one tree for all ----------------------------------------------------------------------------


def write_tree(mutants: list[Mutant]) -> dict[str, dict[int, Mutant]]:
    """The sources with these mutants in them; and which mutant each line of a file belongs to."""
    files = defaultdict[str, list[Mutant]](list)
    for mutant in mutants:
        files[mutant.file].append(mutant)
    return {file: _write_file(file, inside) for file, inside in files.items()}


def _write_file(file: str, mutants: list[Mutant]) -> dict[int, Mutant]:
    text = (HOME / file).read_text("utf-8")
    functions = defaultdict[tuple[int, int], list[Mutant]](list)
    for mutant in mutants:
        if mutant.owner:
            functions[mutant.owner].append(mutant)
    changed, lines, at = "", dict[int, Mutant](), 0
    for (start, end), inside in sorted(functions.items()):
        body = _body(text, start, end)
        changed += text[at:body] + "{ match crate::mutant() {\n"
        for mutant in inside:
            arm = text[body : mutant.start] + mutant.replacement + text[mutant.end : end]
            first = changed.count("\n") + 1
            changed += f"{mutant.number} => {arm}\n"
            lines |= dict.fromkeys(range(first, changed.count("\n") + 1), mutant)
        changed += f"_ => {text[body:end]} }} }}"
        at = end
    (TREE / file).write_text(changed + text[at:], "utf-8")
    return lines


def _body(text: str, start: int, end: int) -> int:
    """Where the body of the function in `text[start:end]` begins."""
    at, depth = re.compile(r"\bfn\s+\w+").search(text, start, end).end(), 0  # type: ignore[union-attr]  # a function
    while text[at] != "{" or depth:
        if text.startswith("//", at):
            at = text.index("\n", at)
        depth += (text[at] in "([") - (text[at] in ")]")
        at += 1
    return at


def copy_sources() -> None:
    """A copy of the project to change, whose crate can be told which mutant to be."""
    shutil.rmtree(TREE, ignore_errors=True)
    TREE.mkdir(parents=True)
    (BUILD / ".gitignore").write_text("*\n")
    unwanted = shutil.ignore_patterns("target", "*.so", "__pycache__", "corpus")
    for name in COPIED:
        if (HOME / name).is_dir():
            shutil.copytree(HOME / name, TREE / name, ignore=unwanted)
        else:
            shutil.copy(HOME / name, TREE / name)
    with (TREE / CRATE / "src" / "lib.rs").open("a", encoding="utf-8") as library:
        library.write(CHOOSE)


def compiling(mutants: list[Mutant]) -> list[Mutant]:
    """Those that the compiler takes; the tree holds them afterwards."""
    while True:
        lines = write_tree(mutants)
        messages = list(_messages("check"))
        if not messages:
            return mutants
        refused = set[Mutant]()
        for message in messages:
            places = [span for span in message["spans"] if span["is_primary"]]
            found = [lines.get(place["file_name"], {}).get(place["line_start"]) for place in places]
            refused.update(mutant for mutant in found if mutant)
        if not refused:
            sys.exit("\n".join(message["rendered"] for message in messages))
        mutants = [mutant for mutant in mutants if mutant not in refused]


def _messages(*command: str) -> Iterator[dict[str, Any]]:
    """The errors of a cargo command."""
    for line in _cargo(*command).splitlines():
        told = json.loads(line)
        if told["reason"] == "compiler-message" and told["message"]["level"] == "error":
            yield told["message"]


def _cargo(*command: str) -> str:
    full = ("cargo", *command, *CARGO, "--message-format", "json")
    run = partial(subprocess.run, cwd=TREE, env=ENVIRONMENT, check=False, text=True)
    return str(run(full, stdout=subprocess.PIPE).stdout)


def build_judges() -> dict[str, str]:
    """The test programs, by name."""
    told = map(json.loads, _cargo("test", "--lib", "--tests", "--no-run").splitlines())
    return {made["target"]["name"]: made["executable"] for made in told if made.get("executable")}


# --- one process a mutant ------------------------------------------------------------------------


def noticed(programs: dict[str, str], number: int) -> bool:
    """Whether a judge fails, dies, or takes too long."""
    return any(_fails(programs[name], chosen, number) for name, chosen in JUDGES)


def _fails(program: str, chosen: str, number: int) -> bool:
    ran = subprocess.run(
        [program, "--quiet", *chosen.split()],
        cwd=TREE / CRATE,
        env={**ENVIRONMENT, "MUTANT": str(number)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=_limit,  # the other threads of this program hold no locks
        check=False,
    )
    return ran.returncode != 0


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def outside_notice(mutants: list[Mutant]) -> bool:
    """Whether `cargo mutants` finds each of these noticed: they need a compilation each."""
    names = "|".join(re.escape(mutant.name).replace(r"\ ", " ") for mutant in mutants)
    only = ("--re", f"^({names})$", "--package", "elementguard", "--output", str(BUILD))
    command = ("cargo", "mutants", *only, "--", "--lib", "--tests")
    return not mutants or subprocess.run(command, cwd=HOME, check=False).returncode == 0


def main() -> None:
    """Run the mutants, list the survivors."""
    arguments = argparse.ArgumentParser(description="mutants of the Rust core")
    arguments.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    jobs = arguments.parse_args().jobs
    started = time.monotonic()
    mutants = find_mutants()
    copy_sources()
    inside = compiling([mutant for mutant in mutants if mutant.owner])
    outside = [mutant for mutant in mutants if not mutant.owner]
    programs = build_judges()
    if noticed(programs, 0):
        sys.exit("the core as it is fails its tests: mutants would tell nothing")
    with ThreadPoolExecutor(jobs) as pool:
        verdicts = pool.map(partial(noticed, programs), [mutant.number for mutant in inside])
        alive = [mutant for mutant, seen in zip(inside, verdicts, strict=True) if not seen]
    for mutant in alive:
        print(mutant.name)
    well = outside_notice(outside)
    print(
        f"{len(mutants)} mutants in {(time.monotonic() - started) / 60:.1f} minutes:"
        f" {len(mutants) - len(inside) - len(outside)} do not compile,"
        f" {len(alive)} of {len(inside)} survived in functions,"
        f" {'none' if well else 'some'} of {len(outside)} outside"
    )
    sys.exit(bool(alive) or not well)


if __name__ == "__main__":
    main()
