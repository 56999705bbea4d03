"""What all tests share: the engines, and a place to run the command line in.

`engine` is the package `elementguard` itself with one engine behind its calls, first the compiled
one, then the pure one: a test that asks for it runs on both, through the very functions that users
call. An engine that is missing is an error of the test, never a skip; `test_engine_switch.py`
proves that the one asked for is the one that ran. `engines` gives both at once, by name, for tests
that compare them (`over(engines["rust"], limits=...)`).
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import elementguard
from browser import PROGRAM, Browser
from cli_answers import FILES
from elementguard import _calls, _engine
from elementguard.cli import main

NAMES = ("rust", "python")


# Wider than one test, so that Hypothesis accepts it; narrower than the session, so that no other
# file sees a switch.
@pytest.fixture(scope="module", params=NAMES)
def engine(request):
    """The package, bound to one engine."""
    core, name = _engine.core, elementguard.engine
    _calls.use(_engine.load(request.param))
    elementguard.engine = request.param
    yield elementguard
    _calls.use(core)
    elementguard.engine = name


@pytest.fixture(scope="session")
def engines():
    """Both engines by name."""
    return {name: _engine.load(name) for name in NAMES}


@pytest.fixture
def environment(engine):
    """The environment of a process on the same engine, without what a terminal sets."""
    unwanted = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "PYTHONIOENCODING")
    kept = {name: value for name, value in os.environ.items() if name not in unwanted}
    home = str(Path(elementguard.__file__).parent.parent)
    path = os.pathsep.join(filter(None, [home, kept.get("PYTHONPATH", "")]))
    return {**kept, "PYTHONPATH": path, "ELEMENTGUARD_ENGINE": engine.engine}


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder to work in, but for a file of each kind of answer."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    for name, text in FILES.items():
        (tmp_path / f"{name}.json").write_text(text)
    return tmp_path


@pytest.fixture
def call(engine, here, capsys):
    """Runs a command here: exit code, stdout, stderr."""

    def call(*arguments):
        assert here.samefile(".")
        assert engine.engine == elementguard.engine
        code = main([str(argument) for argument in arguments])
        told = capsys.readouterr()
        assert "Traceback" not in told.err
        return code, told.out, told.err

    return call


@pytest.fixture
def run(environment, here):
    """Runs a command in a process of its own."""

    def run(*arguments, stdin="", **changes):
        given = stdin if isinstance(stdin, bytes) else stdin.encode()
        done = subprocess.run(
            [sys.executable, "-m", "elementguard", *arguments],
            input=given,
            capture_output=True,
            cwd=here,
            env={**environment, **changes},
            check=False,
            timeout=60,
        )
        assert b"Traceback" not in done.stderr
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    return run


@pytest.fixture
def interruptible():
    """What is started now can be interrupted, also from where Ctrl-C is ignored (`make test &`)."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """A running Chromium; where there is none, the test is skipped."""
    if PROGRAM is None:
        pytest.skip("no Chromium is installed")
    with Browser(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture
def opened(browser, call, here):
    """Writes a page, opens it, and sees in the end that nothing was complained of."""
    pages = []

    def opened(text, *command, code=0, **how):
        (here / "answer.json").write_text(text)
        got, _, err = call(*(command or ["show"]), "answer.json", "--html", "page.html")
        assert got == code, err
        pages.append(browser.open(here / "page.html", **how))
        return pages[-1]

    yield opened
    assert [page.complaints() for page in pages] == [[]] * len(pages)
