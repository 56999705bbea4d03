"""Benches, for a history of runs: pytest-benchmark over the corpus, peers beside us.

    pytest benches/test_bench.py --benchmark-disable-gc --benchmark-group-by=param:shape

In come shapes and contenders, out goes a group for each shape. What is not installed, or cannot
read a shape, is skipped with its reason. `--benchmark-autosave` keeps a run, `pytest-benchmark
compare` lays runs side by side. Ratios inside a group are what can be compared between machines;
`bench.py` gives them with less noise, since it takes turns. `BENCH_ANSWERS=folder` measures the
`.json` files of that folder instead; they must have no errors.
"""

import os
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import contenders
import corpus

# The others are variations of these, or take minutes.
SHAPES = [shape for shape in corpus.ALL if shape not in ("huge", "table_pretty", "interfaces")]
if folder := os.environ.get("BENCH_ANSWERS"):
    SHAPES = sorted(map(str, Path(folder).glob("*.json")))
NAMES = (
    "check",
    "is_valid",
    "parsed objects",
    "64 KiB chunks",
    "pysimdjson",
    "orjson.loads",
    "orjson + hand check",
    "orjson + jsonschema-rs",
    "msgspec typed",
    "pydantic",
)


@pytest.fixture(params=SHAPES, scope="module")
def shape(request: pytest.FixtureRequest) -> contenders.Answers:
    """One answer of each shape."""
    return contenders.Answers(request.param)


@pytest.mark.parametrize("name", NAMES)
def test_contender(benchmark: BenchmarkFixture, shape: contenders.Answers, name: str) -> None:
    """Right before it is timed, and right after."""
    try:
        contender = (contenders.OURS | contenders.PEERS)[name](shape)
        contender.verify()
    except (ImportError, contenders.Unable) as reason:
        pytest.skip(f"{name}: {reason}")
    assert isinstance(contender, contenders.Called)
    benchmark(contender.call, *contender.inputs)
    contender.verify()
