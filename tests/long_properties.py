"""The long run of the receiver's side: what must hold of loaded, cut, saved and mended answers.

    python tests/long_properties.py [EXAMPLES] [FIRST] [--engine rust|python] [--only WORD]

Comes in: the properties below, as the tests have them, and their makers of cases; an example is a
number from which all of a case's choices follow. Goes out: for each property and engine how many
examples it held, how many more did not meet what it supposes, and each failure with its number.
Exits with 1 if there was one. `python tests/long_properties.py 1 NUMBER --only WORD` tries
one again.

Hypothesis draws each choice by itself and keeps all of them, to make a case smaller later: that
takes hours for so many. Its own, shorter runs are those of the tests.
"""

import argparse
import inspect
import random
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from hypothesis.errors import HypothesisDeprecationWarning, UnsatisfiedAssumption

import elementguard
import test_excerpt
import test_fix
import test_index
import test_salvage
from elementguard import _calls, _engine

ENGINES = ("rust", "python")
FAILURES_TOLD = 5
MOST = 3  # numbers tried for an example that meets what the property supposes


class Property(NamedTuple):
    """What must hold, and of what."""

    name: str
    maker: Callable[[random.Random], Any]
    hold: Callable[..., None]


def properties():
    """All of them, in the words of issue and documentation: the test's name says what holds."""
    tests = (
        test_excerpt.test_an_excerpt_is_a_smaller_valid_answer,
        test_excerpt.test_what_is_found_nearest_first_is_a_beginning_of_the_whole_order,
        test_salvage.test_a_valid_answer_comes_back,
        test_salvage.test_what_cannot_be_saved_lacks_what_nothing_can_be_saved_without,
        test_salvage.test_what_is_saved_is_valid_and_tells_what_is_gone,
        test_salvage.test_parsed_objects_are_saved_too,
        test_fix.test_safe_fixes_leave_nothing_to_fix_and_add_nothing,
        test_fix.test_unsafe_fixes_keep_it_json,
        test_index.test_rows_are_what_a_naive_recount_gives,
        test_index.test_what_is_visible_is_what_a_naive_recount_gives,
    )
    for test in tests:
        yield Property(test.__name__.removeprefix("test_"), test.maker, test.hypothesis.inner_test)


class Tried(NamedTuple):
    """What became of one property on one engine."""

    counts: Counter
    failures: list
    seconds: float


def tried(one, name, first, examples):
    """Tries a property on an engine, until it could be held against so many examples."""
    core = _engine.load(name)
    _calls.use(core)
    elementguard.engine = name
    counts, failures, begin = Counter(), [], time.monotonic()
    wants_both = "engines" in inspect.signature(one.hold).parameters
    both = {"engines": {name: core}} if wants_both else {}
    for number in range(first, first + MOST * examples):
        if counts["held"] + len(failures) == examples:
            break
        case = one.maker(random.Random(f"{one.name}/{number}"))
        try:
            one.hold(engine=elementguard, case=case, **both)
        except UnsatisfiedAssumption:
            counts["supposed otherwise"] += 1
        except Exception:  # noqa: BLE001 -- whatever it is, the run goes on and tells it
            failures.append((number, case, traceback.format_exc(limit=-3)))
        else:
            counts["held"] += 1
    return Tried(counts, failures, time.monotonic() - begin)


def told(one, name, result):
    """Prints it."""
    held, other = result.counts["held"], result.counts["supposed otherwise"]
    line = f"{name:6} {held:>7,} held, {len(result.failures)} failed, {other:,} supposed otherwise"
    print(f"{line}, {result.seconds:,.0f} s: {one.name.replace('_', ' ')}", flush=True)
    for number, case, trace in result.failures[:FAILURES_TOLD]:
        print(f"  {number}: {case}\n{trace}", flush=True)


def main():
    """The command."""
    parser = argparse.ArgumentParser(description="the receiver's properties, on many examples")
    parser.add_argument("examples", nargs="?", type=int, default=20_000)
    parser.add_argument("first", nargs="?", type=int, default=0)
    parser.add_argument("--engine", choices=ENGINES, action="append")
    parser.add_argument("--only", default="", help="a word of the property's name")
    asked = parser.parse_args()
    warnings.simplefilter("ignore", HypothesisDeprecationWarning)  # `assume` is ours to catch
    failed = seen = 0
    for one in properties():
        if asked.only not in one.name:
            continue
        for name in asked.engine or ENGINES:
            result = tried(one, name, asked.first, asked.examples)
            told(one, name, result)
            failed += len(result.failures)
            seen += 1
    print(f"{seen} runs of {asked.examples:,} examples, {failed} failures")
    return bool(failed or not seen)


if __name__ == "__main__":
    sys.exit(main())
