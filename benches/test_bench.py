"""Benches, for a history of runs: pytest-benchmark over the corpus.

pytest benches --benchmark-autosave     # then: pytest-benchmark compare
"""

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import corpus
import elementguard


@pytest.fixture(params=corpus.SHAPES, scope="module")
def data(request: pytest.FixtureRequest) -> bytes:
    """One answer of each shape."""
    return corpus.build(request.param)


def test_check(benchmark: BenchmarkFixture, data: bytes) -> None:
    """A clean answer, everything asked of it."""
    report = benchmark(elementguard.Validator().check, data)
    assert report.ok
    assert not report.counts


def test_is_valid(benchmark: BenchmarkFixture, data: bytes) -> None:
    """Yes or no."""
    assert benchmark(elementguard.Validator().is_valid, data) is True
