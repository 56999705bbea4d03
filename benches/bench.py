"""Benches, the comparison: elementguard beside the parsers of the field, in one process.

In comes the corpus (`corpus.py`), out goes for each shape how long a check takes, and for each peer
how many times as long. Only ratios of medians are printed as results: absolute times move from
machine to machine. All peers run once a round, in turn, so that a slow moment hits all of them; the
collector is off, since it costs those most that build trees, which is not what is compared; every
result is held against what the corpus says, outside the timed part.

    python benches/bench.py [--rounds 15] [SHAPE ...]

`orjson.loads` and `json.loads` and `msgspec` build objects and check nothing but JSON, `pysimdjson`
builds an index; `check` says everything there is to say about an answer, `is_valid` yes or no.
"""

import argparse
import gc
import json
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import orjson
import simdjson

import corpus
import elementguard

Peer = tuple[Callable[[bytes], object], Callable[[object], bool]]

# A clock's step and a call's cost must not count: short calls are timed many at once.
LEAST_NANOSECONDS = 2_000_000


def peers(data: bytes) -> dict[str, Peer]:
    """Each one's call, and what is true of its result when it did its work."""
    expected: dict[str, Any] = json.loads(data)
    elements = sum(1 for _ in walk(expected["root"]))
    reader = simdjson.Parser()

    def report_is_right(report: object) -> bool:
        assert isinstance(report, elementguard.Report)
        assert report.summary is not None, "a fatal finding"
        return report.ok and report.summary.elements == elements and not report.counts

    def is_expected(found: object) -> bool:
        return found == expected

    def indexed(found: object) -> bool:
        assert isinstance(found, simdjson.Object)
        return bool(found.at_pointer("/root/id") == "app")

    return {
        "check": (elementguard.Validator().check, report_is_right),
        "is_valid": (elementguard.Validator().is_valid, lambda found: found is True),
        "pysimdjson": (reader.parse, indexed),
        "msgspec": (msgspec.json.Decoder().decode, is_expected),
        "orjson.loads": (orjson.loads, is_expected),
        "json.loads": (json.loads, is_expected),
    }


def walk(root: dict[str, object]) -> Iterator[dict[str, object]]:
    """Every element of a tree."""
    waiting = [root]
    while waiting:
        element = waiting.pop()
        yield element
        children = element.get("children", [])
        assert isinstance(children, list)
        waiting.extend(children)


def time_once(name: str, peer: Peer, data: bytes, calls: int) -> float:
    """Nanoseconds a call, over that many; the last result must be right."""
    call, is_right = peer
    start = time.perf_counter_ns()
    for _ in range(calls - 1):
        call(data)
    result = call(data)
    spent = time.perf_counter_ns() - start
    if not is_right(result):
        raise SystemExit(f"{name}: a wrong result, so its time says nothing")
    return spent / calls


def calls_needed(name: str, peer: Peer, data: bytes) -> int:
    """So many that the clock's step does not matter; warms up, too."""
    calls = 1
    while time_once(name, peer, data, calls) * calls < LEAST_NANOSECONDS:
        calls *= 4
    return calls


def measure(shape: str, rounds: int) -> dict[str, float]:
    """The median of each peer, in nanoseconds a call."""
    data = corpus.build(shape)
    field = peers(data)
    calls = {name: calls_needed(name, peer, data) for name, peer in field.items()}
    times: dict[str, list[float]] = {name: [] for name in field}
    for _ in range(rounds):
        for name, peer in field.items():
            times[name].append(time_once(name, peer, data, calls[name]))
        gc.collect()
    return {name: statistics.median(taken) for name, taken in times.items()}


def main() -> None:
    """Measure the shapes asked for and print the table."""
    arguments = argparse.ArgumentParser(description="elementguard beside its peers")
    arguments.add_argument("shapes", nargs="*", metavar="SHAPE", help=", ".join(corpus.SHAPES))
    arguments.add_argument("--rounds", type=int, default=15)
    wanted = arguments.parse_args()
    if unknown := set(wanted.shapes) - set(corpus.SHAPES):
        arguments.error(f"no such shape: {', '.join(sorted(unknown))}")

    print(f"engine {elementguard.engine}; medians of {wanted.rounds} rounds, collector off")
    print("how many times as long as `check` each takes:")
    gc.disable()
    heading = None
    for shape in wanted.shapes or corpus.SHAPES:
        medians = measure(shape, wanted.rounds)
        if heading is None:
            heading = [*medians][1:]
            print(f"{'':8}{'check':>12}{'GB/s':>7}" + "".join(f"{name:>14}" for name in heading))
        check = medians["check"]
        speed = len(corpus.build(shape)) / check
        ratios = "".join(f"{medians[name] / check:>13.2f}x" for name in heading)
        print(f"{shape:8}{check / 1000:>10.1f}us{speed:>7.2f}{ratios}", flush=True)


if __name__ == "__main__":
    main()
