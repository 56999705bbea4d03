"""What all tests share: the engines.

`engine` is the package `elementguard` itself with one engine behind its calls, first the compiled one, then the pure
one: a test that asks for it runs on both, through the very functions that users call. An engine that is missing is an
error of the test, never a skip; `test_engine_switch.py` proves that the one asked for is the one that ran.
`engines` gives both at once, by name, for tests that compare them (`over(engines["rust"], limits=...)`).
"""

import os

import elementguard
import pytest
from elementguard import _engine, _validator

NAMES = ("rust", "python")


# Wider than one test, so that Hypothesis accepts it; narrower than the session, so that no other file sees a switch.
@pytest.fixture(scope="module", params=NAMES)
def engine(request):
    """The package, bound to one engine."""
    core, name = _engine.core, elementguard.engine
    _validator.use(_engine.load(request.param))
    elementguard.engine = request.param
    yield elementguard
    _validator.use(core)
    elementguard.engine = name


@pytest.fixture(scope="session")
def engines():
    """Both engines by name."""
    return {name: _engine.load(name) for name in NAMES}


@pytest.fixture
def environment(engine):
    """The environment of a process that is to run on the same engine, without what a terminal sets."""
    unwanted = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "PYTHONIOENCODING")
    kept = {name: value for name, value in os.environ.items() if name not in unwanted}
    paths = [os.path.dirname(os.path.dirname(elementguard.__file__)), kept.get("PYTHONPATH", "")]
    path = os.pathsep.join(filter(None, paths))
    return {**kept, "PYTHONPATH": path, "ELEMENTGUARD_ENGINE": engine.engine}
