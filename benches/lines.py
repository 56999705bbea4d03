"""Benches, lines: a gigabyte of answers, one a line, through `elementguard check`.

In come the `interfaces` of the corpus, repeated until there is a gigabyte of them in a temporary
folder, one line in five thousand without its last byte; out comes a table. A row is a run of the
command line in a process of its own: the most memory that was resident, as Linux saw it, and how
fast it went, beside the engine's own speed on the same lines, in one thread, from memory.

    python benches/lines.py [--check] [--size MB] [--rounds N] [--jobs 1 2]

The runs take turns with the engine, so that a slow moment hits both, and what is told is the
median of the rounds' ratios. `clock` is time on the wall, a thread's share of it where more ran: it
needs as many idle processors. `processor` is what all threads used together: it counts no waiting,
and little of what others do on the machine. A wrong count ends the run. With `--check` it fails
where more is resident than 64 MiB, or a thread is slower by the clock than 70 % of the engine.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import corpus
import elementguard
from elementguard._validator import Validator

MEGABYTE = 1_000_000
BLOCK = 1 << 20
FAULTY = 5_000  # a line in so many lacks its last byte
MOST_RESIDENT = 64 << 20
LEAST_SHARE = 0.7
# An installed package is compiled; where nothing is kept, each run would compile its modules anew.
INSTALLED = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
# The command line in a process that imports nothing else. At its end it says what it took.
ALONE = """\
import sys, time
from elementguard.cli import main
code = main(sys.argv[1:])
with open("/proc/self/status", encoding="utf-8") as status:
    (most,) = (line.split()[1] for line in status if line.startswith("VmHWM:"))
print(time.process_time(), most, file=sys.stderr)
sys.exit(code)
"""


class Made(NamedTuple):
    """The file, and what must be found in it."""

    path: Path
    size: int
    answers: int
    faulty: int


class Ran(NamedTuple):
    """One run of the command line."""

    clock: float  # seconds
    processor: float  # seconds, of all threads
    resident: int  # bytes


class Speed(NamedTuple):
    """Bytes a second of the engine, in one thread."""

    clock: float
    processor: float


def bench() -> None:
    """Make, run, print, and judge."""
    wanted = parsed()
    with tempfile.TemporaryDirectory() as folder:
        made = make(Path(folder) / "answers.ndjson", wanted.size * MEGABYTE)
        print(f"{made.size:,} bytes, {made.answers:,} answers, {made.faulty} of them faulty\n")
        rounds = [one_round(made, wanted.jobs) for _ in range(wanted.rounds)]
    failures = table(made, wanted.jobs, rounds)
    if failures:
        print("\n" + "\n".join(failures))
        sys.exit(wanted.check)


def parsed() -> argparse.Namespace:
    """The arguments."""
    arguments = argparse.ArgumentParser(description="a gigabyte of lines")
    arguments.add_argument("--check", action="store_true", help="fail if a promise is not kept")
    arguments.add_argument("--size", type=int, default=1000, metavar="MB")
    arguments.add_argument("--rounds", type=int, default=3, metavar="N")
    arguments.add_argument("--jobs", type=int, nargs="+", default=[1, 2], metavar="N")
    return arguments.parse_args()


def make(path: Path, size: int) -> Made:
    """Write the file."""
    written = answers = faulty = 0
    with path.open("wb", buffering=BLOCK) as file:
        for line in endless(corpus.build("interfaces")):
            answers += 1
            is_faulty = answers % FAULTY == 0
            faulty += is_faulty
            written += file.write(line[: -1 if is_faulty else None] + b"\n")
            if written >= size:
                return Made(path, written, answers, faulty)
    raise AssertionError("endless lines do not end")


def endless(lines: tuple[bytes, ...]) -> Iterator[bytes]:
    """The same again and again."""
    while True:
        yield from lines


def one_round(made: Made, jobs: list[int]) -> tuple[Speed, dict[int, Ran]]:
    """The engine, then a run for each number of threads."""
    return engine(corpus.build("interfaces")), {count: run(made, count) for count in jobs}


def engine(lines: tuple[bytes, ...]) -> Speed:
    """How fast `sift` is on blocks that are there already: no file, no other thread."""
    sift = Validator()._checker.sift  # noqa: SLF001
    blocks = list(blocks_of(lines))
    sift(blocks[0])
    clock, processor = time.perf_counter(), time.thread_time()
    for block in blocks:
        _, answers, told = sift(block)
        assert answers
        assert not told
    spent = time.perf_counter() - clock, time.thread_time() - processor
    size = sum(map(len, blocks))
    return Speed(size / spent[0], size / spent[1])


def blocks_of(lines: tuple[bytes, ...]) -> Iterator[bytes]:
    """Enough of them to be timed, each of another memory: what is read again is not in a cache."""
    held, size = list[bytes](), 0
    for line in lines * 20:
        held.append(line + b"\n")
        size += len(held[-1])
        if size >= BLOCK:
            yield b"".join(held)
            held, size = [], 0


def run(made: Made, jobs: int) -> Ran:
    """Check the file in a process of its own, and hold what it says against what was made."""
    arguments = ["check", str(made.path), "--jobs", str(jobs), "--output-format", "concise"]
    command = [sys.executable, "-c", ALONE, *arguments]
    started = time.perf_counter()
    done = subprocess.run(command, env=INSTALLED, capture_output=True, text=True, check=False)
    spent = time.perf_counter() - started
    verdict, numbers = done.stderr.splitlines()
    assert done.returncode == 1, done.stderr
    assert verdict == f"failed: {made.answers} answers, {made.faulty} errors"
    places = re.findall(r":(\d+):\d+: error json-truncated: ", done.stdout)
    assert list(map(int, places)) == [FAULTY * (at + 1) for at in range(made.faulty)]
    processor, resident = numbers.split()
    return Ran(spent, float(processor), int(resident) * 1024)


def table(made: Made, jobs: list[int], rounds: list[tuple[Speed, dict[int, Ran]]]) -> list[str]:
    """Print; what is less than promised comes back."""
    clock, processor = (statistics.median(one[0][at] for one in rounds) for at in (0, 1))
    print(f"{elementguard.engine} engine, one thread, from memory: {clock / MEGABYTE:,.0f} MB/s by")
    print(
        f"the clock, {processor / MEGABYTE:,.0f} of processor time; {os.cpu_count()} processors\n"
    )
    print("| --jobs | seconds | MB/s | a thread's share, clock | processor | resident |")
    print("| --: | --: | --: | --: | --: | --: |")
    failures = []
    for count in jobs:
        ran = [one[1][count] for one in rounds]
        seconds = statistics.median(one.clock for one in ran)
        shares = [made.size / one[1][count].clock / count / one[0].clock for one in rounds]
        of_processor = [made.size / one[1][count].processor / one[0].processor for one in rounds]
        by_clock, resident = statistics.median(shares), max(one.resident for one in ran)
        print(
            f"| {count} | {seconds:.2f} | {made.size / seconds / MEGABYTE:,.0f} | {by_clock:.0%} |"
            f" {statistics.median(of_processor):.0%} | {resident / (1 << 20):.1f} MiB |"
        )
        if resident > MOST_RESIDENT:
            failures.append(f"--jobs {count}: {resident:,} bytes are resident")
        if by_clock < LEAST_SHARE:
            failures.append(f"--jobs {count}: {by_clock:.0%} of the engine's speed a thread")
    return failures


if __name__ == "__main__":
    bench()
