"""The long run: the two engines held against each other on 100,000 examples, and what these were.

    python tests/long_run.py [EXAMPLES] [FIRST_BLOCK]

Comes in: the cases of `strategies.py`. An example is a number that Hypothesis draws; all of a
case's choices follow from it, since so many choices drawn one by one would take hours. Goes out:
counts, and each difference with its number and, if it is a text, cut down to what is needed. Exits
with 1 if there was one, or if something that was to be among the inputs was not.

One process checks all of them, one after the other: what an engine keeps from one answer to the
next is a part of what is tested. An engine that is missing is an error.
"""

import os
import random
import sys
import time
from collections import Counter
from dataclasses import replace

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from elementguard import _engine
from elementguard._catalogue import CATALOGUE
from strategies import object_case, text_case
from written_answers import LANDMARKS, TARGETS

BLOCK = 10_000
LARGE = 4 * 1024
ENOUGH = 50_000  # fewer examples need not have had everything
# Of the run that compares answers: no single one has them.
OF_A_RUN = {"reassigned-id", "changed-instance"}
CODES = tuple(row[0] for row in CATALOGUE)
WAYS = {
    "bytes": bytes,
    "bytearray": bytearray,
    "memoryview": lambda data: memoryview(b'"' + data + b"]")[1:-1],
    "str": lambda data: data.decode("utf-8", "surrogateescape"),
}
_WAYS = ("bytes",) * 7 + tuple(WAYS)


class Tally:
    """What was seen."""

    def __init__(self, engines):
        self.engines = engines
        self.counts = Counter()
        self.codes = Counter()
        self.landmarks = Counter()
        self.inputs = set()
        self.differences = []

    def take(self, block, number):
        """One example."""
        rnd = random.Random(f"{block}/{number}")
        case, way = _case(rnd)
        rust, python = said(case, self.engines)
        self._count(case, way, rust)
        if _differ(rust, python):
            self.differences.append((block, number, case))
            print(f"\ndifference at {block}/{number} ({way}, {case.origin})", flush=True)

    def _count(self, case, way, rust):
        self.counts["examples"] += 1
        self.counts[f"way {way}"] += 1
        self.counts[f"origin {case.origin}"] += 1
        self.counts["verdict " + _verdict(rust[0])] += 1
        self.codes.update({CODES[rule]: 1 for rule, _ in rust[0]["counts"]})
        self.landmarks[case.landmark] += 1
        self.inputs.add(hash(repr(_held(case))))
        if isinstance(case.data, (str, bytes, bytearray, memoryview)):
            self.counts["larger than 4 KB"] += len(case.data) > LARGE
            self.counts["larger than 64 KB"] += len(case.data) > 16 * LARGE


def _case(rnd):
    if rnd.random() < 0.25:
        return object_case(rnd), "objects"
    case, way = text_case(rnd), rnd.choice(_WAYS)
    return replace(case, data=WAYS[way](case.data)), way


def said(case, engines):
    """What each engine says, also word for word, and whether its `is_valid` says the same."""
    both = []
    for core in engines:
        told = case.told(core)
        is_valid = case.validator(core).is_valid(case.data)
        both.append((told, repr(told), is_valid == told["ok"]))
    return both


def _held(case):
    """The case with its bytes as such: what a view is written as tells its address."""
    is_buffer = isinstance(case.data, (bytearray, memoryview))
    return replace(case, data=bytes(case.data)) if is_buffer else case


def _differ(rust, python):
    return rust != python or not rust[-1]


def _verdict(told):
    if told["fatal"]:
        return "fatal"
    if not told["ok"]:
        return "errors"
    return "warnings or notes" if told["counts"] else "clean"


# --- a difference, cut down ---


def smallest(case, engines):
    """The case with ever more of its text left out, as long as the engines differ."""
    size = len(case.data) // 2
    while size:
        at = 0
        while at < len(case.data):
            less = replace(case, data=case.data[:at] + case.data[at + size :])
            if _differ(*said(less, engines)):
                case = less
            else:
                at += size
        size //= 2
    return case


def explain(case, engines):
    """Prints a difference."""
    case = _held(case) if _differ(*said(_held(case), engines)) else case
    if isinstance(case.data, (str, bytes)) and _differ(*said(case, engines)):
        case = smallest(case, engines)
    print(case, *(f"{core.NAME}: {case.validator(core).is_valid(case.data)}" for core in engines))
    for part, rust in case.told(engines[0]).items():
        python = case.told(engines[1])[part]
        if repr(rust) != repr(python):
            print(f"  {part}:\n    rust   {rust}\n    python {python}")


# --- the run ---


def run(examples, first_block, tally):
    """Draws the examples in blocks, each with a seed of its own."""
    for block in range(first_block, first_block + -(-examples // BLOCK)):
        draw(block, min(BLOCK, examples - tally.counts["examples"]), tally)
        print(f"{tally.counts['examples']:>9,} examples", flush=True)


def draw(block, examples, tally):
    """Draws one block."""

    @seed(block)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.integers(0, 2**64 - 1))
    def take(number):
        tally.take(block, number)

    take()


def report(tally, seconds):
    """Prints what was seen. Returns what is wrong with it."""
    for name, count in sorted(tally.counts.items()):
        print(f"{count:>9,} {name}")
    print(f"{len(tally.inputs):>9,} different inputs\n{seconds:>9,.0f} seconds")
    print("\ninputs in which a rule was broken:")
    for code in CODES:
        print(f"{tally.codes[code]:>9,} {code}")
    print("\ninputs with a landmark at one offset: fewest, most, all")
    for name in LANDMARKS:
        here = [tally.landmarks[name, target] for target in TARGETS]
        print(f"{min(here):>9,} {max(here):>6,} {sum(here):>6,} {name}")
    never = [code for code in CODES if code not in OF_A_RUN and not tally.codes[code]]
    never += [(n, t) for n in LANDMARKS for t in TARGETS if not tally.landmarks[n, t]]
    if tally.counts["larger than 4 KB"] * 5 < tally.counts["examples"]:
        never.append("a fifth larger than 4 KB")
    print(f"\n{len(tally.differences)} differences; missing: {never or 'nothing'}")
    return bool(tally.differences or (never and tally.counts["examples"] >= ENOUGH))


def main():
    """The command."""
    given = [int(word.replace(",", "")) for word in sys.argv[1:]]
    examples = given[0] if given else int(os.environ.get("ELEMENTGUARD_EXAMPLES", "100000"))
    tally = Tally([_engine.load("rust"), _engine.load("python")])
    begin = time.monotonic()
    run(examples, given[1] if len(given) > 1 else 0, tally)
    for _, _, case in tally.differences[:20]:
        explain(case, tally.engines)
    return report(tally, time.monotonic() - begin)


if __name__ == "__main__":
    sys.exit(main())
