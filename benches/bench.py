"""Benches, the comparison: one table of ratios, elementguard beside the parsers of the field.

In comes the corpus, out goes a table: for each shape, how many times as long another one takes.
Absolute times move from machine to machine and from minute to minute, so only the first rows have
them. All contenders run once a round, in turn, in one process, warm; a cell is the median of the
rounds' ratios, behind it the spread (the distance between the quartiles, in per cent of it). Times
are the thread's own, so that others on the machine count little (two threads: the clock's). The
collector is off: it costs those most that build trees, which is not what is compared. Each result
is held against Python's own parser, before the first round and after the last.

    python benches/bench.py [--rounds 30] [--peers NAME,...] [SHAPE ...]

`SHAPE` may also be `all` (with the shapes of real dumps), `real` (those alone), or a file with an
answer of your own that has no errors.
"""

import argparse
import gc
import os
import platform
import statistics
import sys
import time
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import corpus
import elementguard
from contenders import OURS, PEERS, Answers, Contender, Unable
from loaded import LOADED

WARM_BELOW = 100_000_000  # nanoseconds; what takes longer is not made faster by a call before it
ALL = OURS | LOADED | PEERS


class Row(NamedTuple):
    """A line of the table: how long the first takes, the second being one."""

    label: str
    first: str
    second: str
    times: int = 1


ROWS = (
    *(
        Row(name, name, "check")
        for name in PEERS
        if name
        not in ("json.loads", "orjson.dumps", "orjson + walk")  # these have lines of their own
    ),
    Row("check / with limits", "check", "limits"),
    Row("orjson.loads / is_valid", "orjson.loads", "is_valid"),
    Row("check / 64 KiB chunks", "check", "64 KiB chunks"),
    Row("orjson.dumps / parsed objects", "orjson.dumps", "parsed objects"),
    Row("faulty / check", "faulty", "check"),
    Row("2 x check / two threads", "check", "two threads", times=2),
    Row("two processes / two threads", "two processes", "two threads"),
    Row("json.loads / pure engine", "json.loads", "pure engine"),
    Row("check / load", "check", "load"),
    Row("orjson.loads / load", "orjson.loads", "load"),
    Row("orjson + walk / walk", "orjson + walk", "walk"),
    Row("orjson + walk / load + walk", "orjson + walk", "load + walk"),
    Row("orjson + titles / load + titles", "orjson + titles", "load + titles"),
    Row("check / excerpt", "check", "excerpt"),
)

Times = dict[str, list[float]]


class Field:
    """All who take part in a shape."""

    def __init__(self, shape: str, names: list[str]) -> None:
        self.members: dict[str, Contender] = {}
        self.absent: dict[str, str] = {}
        self.turns: dict[str, int] = {}
        answers = Answers(shape)
        for name in names:
            try:
                contender = ALL[name](answers)
                contender.verify()
            except (ImportError, Unable) as reason:
                self.absent[name] = str(reason)
                continue
            except AssertionError as error:
                raise SystemExit(f"{name}, {shape}: {error}") from error
            self.members[name] = contender
            self.turns[name] = enough(contender)

    def measure(self, rounds: int) -> Times:
        """Times by contender; the lists run side by side, round by round."""
        taken: Times = {name: [] for name in self.members}
        for _ in range(rounds):
            for name, contender in self.members.items():
                if not taken[name] or taken[name][-1] < WARM_BELOW:
                    contender.time(1)
                taken[name].append(contender.time(self.turns[name]))
        for contender in self.members.values():
            contender.verify()
        return taken


def enough(contender: Contender) -> int:
    """So many turns that the clock's step does not matter."""
    turns = 1
    while (spent := contender.time(turns) * turns) < contender.least:
        turns *= max(2, min(64, int(contender.least / max(spent, 1))))
    return turns


# --- the table ------------------------------------------------------------------------------------


def cell(row: Row, times: Times) -> str:
    """A ratio and its spread, or nothing."""
    if row.first not in times or row.second not in times:
        return ""
    pairs = zip(times[row.first], times[row.second], strict=True)
    ratios = [row.times * first / second for first, second in pairs]
    return f"{short(statistics.median(ratios))} ±{spread(ratios):.0f}%"


def found_in(times: Times) -> str:
    """How long an element takes to be found, if that was asked."""
    return short(statistics.median(times["get"]) / 1000) if "get" in times else ""


def spread(values: list[float]) -> float:
    """The distance between the quartiles, in per cent of the median."""
    if len(values) < 2:
        return 0.0
    first, middle, third = statistics.quantiles(values, n=4, method="inclusive")
    return 100 * (third - first) / middle


def short(value: float) -> str:
    """Three digits, and no exponent."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def table(measured: dict[str, Times]) -> str:
    """Markdown that reads well as plain text, too."""
    names = [Path(shape).stem for shape in measured]  # of a user's own: the file's name
    lines = [["times as long as `check`", *names], [""] * (1 + len(names))]
    sizes = {shape: sum(map(len, corpus.build(shape))) for shape in measured}
    middle = {shape: statistics.median(times["check"]) for shape, times in measured.items()}
    lines.append(["check, microseconds", *(short(middle[shape] / 1000) for shape in measured)])
    lines.append(["check, GB/s", *(short(sizes[shape] / middle[shape]) for shape in measured)])
    lines.append(["get(id), microseconds", *(found_in(times) for times in measured.values())])
    for row in ROWS:
        cells = [cell(row, times) for times in measured.values()]
        if any(cells):
            lines.append([row.label, *cells])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    lines[1] = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join("| " + " | ".join(pad(line, widths)) + " |" for line in lines)


def pad(line: list[str], widths: list[int]) -> list[str]:
    """Names to the left, figures to the right."""
    first, *others = line
    right = (text.rjust(width) for text, width in zip(others, widths[1:], strict=True))
    return [first.ljust(widths[0]), *right]


# --- the machine ----------------------------------------------------------------------------------


def machine() -> str:
    """What the figures were taken on, and with."""
    names = ("pysimdjson", "orjson", "msgspec", "pydantic", "jsonschema-rs", "jiter", "ijson")
    versions = [f"{name} {found}" for name in names if (found := version(name))]
    load = f"load {os.getloadavg()[0]:.1f}"
    system = f"{platform.system()} {platform.release()}"
    forced = os.environ.get("ELEMENTGUARD_KERNEL")
    engine = f"engine {elementguard.engine}{f', kernel {forced} wanted' if forced else ''}"
    ours = f"elementguard {version('elementguard')} ({engine})"
    return (
        f"{processor()}, {os.cpu_count()} cores, {system}, {load}\n"
        f"CPython {platform.python_version()}, {ours}, {', '.join(versions)}"
    )


def version(name: str) -> str | None:
    """A package's version, if it is installed."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def processor() -> str:
    """As Linux tells; elsewhere Python's own guess."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    pairs = (line.partition(":") for line in lines)
    facts = {name.strip(): value.strip() for name, _, value in pairs}
    model = facts.get("model name", platform.machine())
    vectors = [name for name in ("avx2", "avx512bw") if name in facts.get("flags", "").split()]
    return f"{model} ({', '.join(vectors) or 'neither AVX2 nor AVX-512'})"


# --- the command ----------------------------------------------------------------------------------


def main() -> None:
    """Measure the shapes asked for and print the table."""
    arguments = argparse.ArgumentParser(description="elementguard beside its peers")
    arguments.add_argument("shapes", nargs="*", metavar="SHAPE", help=", ".join(corpus.ALL))
    arguments.add_argument("--rounds", type=int, default=30)
    arguments.add_argument("--peers", help=f"some of: {', '.join(ALL)}")
    wanted = arguments.parse_args()
    sets = {"all": [*corpus.ALL], "real": [*corpus.REAL]}
    named = [shape for given in wanted.shapes for shape in sets.get(given, [given])]
    names = ["check", *(wanted.peers or ",".join(ALL)).split(",")]
    strange = {shape for shape in named if shape not in corpus.ALL and not Path(shape).is_file()}
    for unknown in strange or {*names} - {*ALL}:
        arguments.error(f"no such shape or contender: {unknown}")

    gc.disable()
    started = time.monotonic()
    measured: dict[str, Times] = {}
    absent: dict[str, dict[str, str]] = {}
    for shape in named or corpus.SHAPES:
        print(shape, file=sys.stderr, flush=True)  # a table takes minutes
        field = Field(shape, list(dict.fromkeys(names)))
        measured[shape] = field.measure(wanted.rounds)
        for name, reason in field.absent.items():
            absent.setdefault(f"{name}: {reason}", {})[shape] = reason
    print(table(measured))
    print()
    for name, shapes in absent.items():
        everywhere = len(shapes) == len(measured)
        print(f"not there: {name}{'' if everywhere else ' (' + ', '.join(shapes) + ')'}")
    print(machine())
    print(f"medians of {wanted.rounds} rounds, {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
