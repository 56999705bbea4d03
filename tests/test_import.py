"""`import elementguard` is cheap: it brings in nothing that a check does not need."""

import subprocess
import sys
from pathlib import Path

import pytest

import elementguard

HOME = Path(elementguard.__file__).parent.parent

# Each of them would cost more than the package itself.
UNWANTED = {
    "argparse",
    "asyncio",
    "ast",
    "copy",
    "dataclasses",
    "difflib",
    "heapq",
    "importlib.metadata",
    "importlib.resources",
    "inspect",
    "json",
    "logging",
    "mmap",
    "pathlib",
    "re",
    "shutil",
    "subprocess",
    "textwrap",
    "threading",
    "tokenize",
    "typing",
    "unicodedata",
    "warnings",
}
ANSWER = b'{"protocol":"0.2.0","instance":"k3f9x2","root":{"id":"app","role":"Application"}}'


def imported_by(code, engine="rust"):
    script = (
        "import sys; before = set(sys.modules); import os; "
        f"os.environ['ELEMENTGUARD_ENGINE'] = {engine!r}; sys.path.insert(0, {str(HOME)!r}); "
        f"{code}; "
        "print(*set(sys.modules) - before, sep='\\n')"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_the_import_brings_in_nothing_unwanted(engine):
    assert imported_by("import elementguard", engine) & UNWANTED == set()


def test_only_the_engine_that_runs_is_imported():
    assert "elementguard._python" not in imported_by("import elementguard", "rust")
    assert "elementguard._core" not in imported_by("import elementguard", "python")


def test_the_pure_engine_waits_for_the_first_check():
    """The import names it; its rooms, and `re` with them, come when something is asked of it."""
    rooms = "elementguard._python"
    imported = imported_by("import elementguard; elementguard.engine", "python")
    assert [name for name in imported if name.startswith(rooms)] == [rooms]
    for call in ("is_valid(b'')", "check(b'')", "Validator()"):
        imported = imported_by(f"import elementguard; elementguard.{call}", "python")
        assert {f"{rooms}.checker", f"{rooms}.lexer", "re"} <= imported


def test_a_check_of_a_clean_answer_imports_nothing_more():
    before = imported_by("import elementguard")
    code = f"import elementguard as eg; eg.is_valid({ANSWER!r}); eg.validate({ANSWER!r})"
    assert imported_by(code) == before


def test_a_finding_is_read_without_parsers_of_arguments_or_documents():
    code = "import elementguard as eg; [str(one) for one in eg.check(b'[]').findings]"
    assert imported_by(code) & UNWANTED == set()


def test_the_list_of_what_is_unwanted_is_told_apart():
    """The measure itself works: a module that is imported is seen."""
    assert "json" in imported_by("import elementguard; elementguard.check(b'[]').to_json()")
