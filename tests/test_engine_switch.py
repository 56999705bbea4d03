"""ELEMENTGUARD_ENGINE: which engine runs, and what happens if it cannot."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import elementguard
from elementguard import _engine

ANSWER = b'{"protocol":"0.2.0","instance":"k3f9x2","root":{"id":"app","role":"Application"}}'
PACKAGE = Path(elementguard.__file__).parent
TELL = "import elementguard; print(elementguard.engine, elementguard.check(b'').counts)"


def python(path, wanted, code=TELL):
    return run(path, wanted, sys.executable, "-c", code)


def run(path, wanted, *command):
    environment = {**os.environ, "PYTHONPATH": str(path)}
    environment.pop("ELEMENTGUARD_ENGINE", None)
    if wanted is not None:
        environment["ELEMENTGUARD_ENGINE"] = wanted
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(params=["module", "script"])
def command(request, tmp_path):
    """The command line, both ways: as a module, and as the script that an installer writes."""
    if request.param == "module":
        return [sys.executable, "-m", "elementguard"]
    script = tmp_path / "elementguard"
    script.write_text("import sys\nfrom elementguard.cli import main\nsys.exit(main())\n")
    return [sys.executable, str(script)]


@pytest.fixture(scope="module")
def without_extension(tmp_path_factory):
    """The package as the pure wheel has it."""
    home = tmp_path_factory.mktemp("pure")
    ignored = shutil.ignore_patterns("_core*", "__pycache__")
    shutil.copytree(PACKAGE, home / "elementguard", ignore=ignored)
    return home


@pytest.fixture
def with_broken_extension(without_extension):
    """Writes an extension that cannot be loaded."""
    file = without_extension / "elementguard" / "_core.py"

    def write(code):
        file.write_text(code)
        return without_extension

    yield write
    file.unlink()


@pytest.mark.parametrize(
    "wanted, runs",
    [("rust", "rust"), ("python", "python"), ("auto", "rust"), ("", "rust"), (None, "rust")],
)
def test_the_variable_chooses(wanted, runs):
    done = python(PACKAGE.parent, wanted)
    assert done.stdout.split()[0] == runs, done.stderr
    assert "json-truncated" in done.stdout


@pytest.mark.parametrize("wanted", ["auto", "", None, "python"])
def test_where_the_extension_is_absent_the_pure_engine_runs(without_extension, wanted):
    done = python(without_extension, wanted)
    assert done.stdout.split()[0] == "python", done.stderr


def test_a_forced_engine_that_is_absent_is_an_error_that_says_how_to_get_it(without_extension):
    done = python(without_extension, "rust")
    assert done.returncode != 0
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: ELEMENTGUARD_ENGINE=rust")
    assert "pip install" in last


@pytest.mark.parametrize("wanted", ["auto", "rust", None])
@pytest.mark.parametrize(
    "code",
    [
        "raise ImportError('libwrong.so: cannot open shared object file')",
        "import no_such_dependency_of_the_extension",
        "raise RuntimeError('wrong platform')",
    ],
)
def test_a_broken_extension_is_an_error_and_never_replaced(with_broken_extension, wanted, code):
    done = python(with_broken_extension(code), wanted)
    assert done.returncode != 0
    assert "python" not in done.stdout
    fault = code.split("'")[1] if "'" in code else "no_such_dependency_of_the_extension"
    assert fault in done.stderr


def test_a_broken_extension_does_not_matter_where_the_pure_engine_is_forced(with_broken_extension):
    done = python(with_broken_extension("raise RuntimeError('wrong platform')"), "python")
    assert done.stdout.split()[0] == "python", done.stderr


@pytest.mark.parametrize("wanted", ["Rust", "c", "rust ", "pure"])
def test_an_unknown_value_names_the_variable(wanted):
    done = python(PACKAGE.parent, wanted)
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ValueError: ELEMENTGUARD_ENGINE:")
    assert repr(wanted) in last


@pytest.mark.parametrize(
    "wanted, told", [("pure", "not 'pure'"), ("rust", "libwrong.so"), ("auto", "libwrong.so")]
)
def test_the_command_line_tells_it_in_a_line_and_ends_in_2(
    command, with_broken_extension, wanted, told
):
    home = with_broken_extension("raise ImportError('libwrong.so: cannot open shared object file')")
    done = run(home, wanted, *command, "rule", "focus-gap")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("elementguard: ")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
    assert run(home, "python", *command, "rule", "focus-gap").returncode == 0


@pytest.mark.parametrize("script", ["a_host.py", "elementguards.py"])
def test_in_another_program_it_is_an_exception_of_the_import(tmp_path, script):
    file = tmp_path / script
    code = "try:\n    import elementguard\nexcept ValueError as error:\n    print(error)\n"
    file.write_text(code)
    for command in ([str(file)], ["-m", file.stem, "elementguard"]):
        done = run(f"{PACKAGE.parent}{os.pathsep}{tmp_path}", "pure", sys.executable, *command)
        assert done.stdout.startswith("ELEMENTGUARD_ENGINE:"), done.stderr


def test_both_engines_are_here():
    """A build without the extension must fail here, and not pass on one engine."""
    assert [_engine.load(name).NAME for name in ("rust", "python")] == ["rust", "python"]


def test_the_fixture_gives_the_engine_that_it_names(engine, engines, monkeypatch):
    name = engine.engine
    other = engines["python" if name == "rust" else "rust"]

    class Poisoned:
        def __init__(self, *_):
            raise AssertionError("the other engine ran")

    monkeypatch.setattr(other, "Checker", Poisoned)
    assert engine.Validator().check(ANSWER).ok
    assert engine.check(ANSWER).ok
    assert engine.is_valid(ANSWER)
    assert type(engine.Validator()._checker) is engines[name].Checker
    assert type(engine.check(ANSWER)._outcome).__module__.startswith(
        {"rust": "elementguard._core", "python": "elementguard._python"}[name]
    )
    assert engine.check(ANSWER, kind="element")._outcome.fatal is False


KERNEL = "from elementguard import _core; print(_core.KERNEL)"


def test_a_kernel_is_forced_as_an_engine_is(monkeypatch, command):
    home = PACKAGE.parent
    monkeypatch.setenv("ELEMENTGUARD_KERNEL", "portable")
    assert python(home, None, KERNEL).stdout == "portable\n"
    monkeypatch.setenv("ELEMENTGUARD_KERNEL", "of another machine")
    told = python(home, None)
    assert told.returncode == 1
    assert "ImportError: ELEMENTGUARD_KERNEL names no kernel that can run here" in told.stderr
    assert python(home, "python").returncode == 0
    failed = run(home, None, *command, "selftest")
    assert (failed.returncode, failed.stdout) == (2, "")
