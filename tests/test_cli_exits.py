"""The command line: exit codes, whatever the format and whatever goes wrong below.

Comes in: clean, faulty and unreadable answers, and a system that refuses, vanishes or is full. Goes
out: a failure where a format changes the code, or where something went wrong and the code is not 2.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from cli_answers import CLEAN, WRONG, unread
from elementguard.cli import inputs

FORMS = (
    "text",
    "concise",
    "json",
    "jsonl",
    "sarif",
    "github",
    "gitlab",
    "junit",
    "markdown",
    "html",
)
TABLE = {
    "clean": (["clean.json"], 0),
    "warning": (["warned.json"], 0),
    "warning that fails": (["warned.json", "--fail-level", "warning"], 1),
    "error": (["wrong.json"], 1),
    "note that fails": (["noted.json", "--fail-level", "note"], 1),
    "fatal": (["cut.json"], 1),
    "fatal, then clean": (["cut.json", "clean.json"], 1),
    "error, exit zero": (["wrong.json", "--exit-zero"], 0),
    "usage": (["clean.json", "--limit", "bytes=-1"], 2),
    "usage, a flag": (["clean.json", "--no-such-flag"], 2),
    "no such file": (["gone.json", "wrong.json"], 2),
    "no such file, exit zero": (["gone.json", "--exit-zero"], 2),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("case", TABLE)
def test_codes_are_the_same_in_every_format(call, form, case):
    arguments, wanted = TABLE[case]
    code, _, _ = call("check", *arguments, "--output-format", form)
    assert code == wanted


@pytest.mark.parametrize("form", FORMS)
def test_a_fault_of_ours_is_2_in_every_format(engine, call, monkeypatch, form):
    def faulty(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(engine.Validator, "check", faulty)
    assert call("check", "clean.json", "--output-format", form, "--exit-zero")[0] == 2


@pytest.mark.parametrize("form", FORMS)
def test_a_reader_that_goes_away_is_no_success_and_no_noise(environment, here, form):
    (here / "many.ndjson").write_text(f"{WRONG}\n" * 3_000)
    code, told = unread(environment, "check", str(here / "many.ndjson"), "--output-format", form)
    assert (code, told) == (2, b"")


needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")


@needs_full
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("answers", [1, 3_000])
def test_a_full_device_is_said_once_and_of_the_file(call, here, form, answers):
    (here / "many.ndjson").write_text(f"{WRONG}\n" * answers)
    code, out, err = call("check", "many.ndjson", "--output-format", f"{form}=/dev/full")
    assert (code, out, err) == (2, "", "elementguard: /dev/full: No space left on device\n")


@needs_full
def test_where_one_file_is_not_taken_the_other_stays_as_it_was(call, here):
    (here / "many.ndjson").write_text(f"{WRONG}\n" * 3_000)
    (here / "kept").write_text("as it was")
    forms = ["--output-format", "sarif=/dev/full", "--output-format", "json=kept"]
    code, _, err = call("check", "many.ndjson", *forms)
    assert (code, err) == (2, "elementguard: /dev/full: No space left on device\n")
    assert (here / "kept").read_text() == "as it was"


def test_a_baseline_that_cannot_be_written_is_said(call):
    code, _, err = call("check", "wrong.json", "--baseline", "gone/base", "--write-baseline")
    assert (code, err) == (2, "elementguard: gone/base: No such file or directory\n")


@needs_full
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "command",
    [
        *(["check", "many.ndjson", "--output-format", form] for form in FORMS),
        *(["show", "clean.json"], ["show", "--html", "-", "clean.json"], ["fix", "clean.json"]),
        *(["sizes", "--json", "clean.json"], ["rule"], ["schema"], ["completion", "bash"]),
        *(["--help"], ["--version"]),
    ],
    ids=" ".join,
)
def test_a_full_stdout_is_said_once(environment, here, command, unbuffered):
    (here / "many.ndjson").write_text(f"{WRONG}\n" * 300)
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "elementguard", *command],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=here,
            env={**environment, "PYTHONUNBUFFERED": unbuffered},
            check=False,
            timeout=60,
        )
    wanted = b"elementguard: <stdout>: No space left on device\n"
    assert (done.returncode, done.stderr) == (2, wanted)


@needs_full
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "command, wanted",
    [
        (["check", "gone.json"], 2),
        (["check", "clean.json", "-q"], 0),
        (["check", "wrong.json", "-q"], 1),
        (["check", "clean.json", "-v"], 2),
        (["check", "wrong.json", "-v", "--exit-zero"], 2),
        (["check", "clean.json", "--output-format", "json"], 2),
        (["check", "clean.json", "--output-format", "sarif=out"], 2),
        (["check", "clean.json", "--no-such-flag"], 2),
        (["check", "clean.json", "--config", "gone.toml"], 2),
        (["show", "gone.json"], 2),
        (["show", "clean.json"], 0),
        (["salvage", "clean.json"], 2),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, list) else None,
)
def test_a_full_stderr_is_no_success_nor_a_finding(environment, here, command, wanted, unbuffered):
    def run(err):
        return subprocess.run(
            [sys.executable, "-m", "elementguard", *command],
            stdout=subprocess.PIPE,
            stderr=err,
            cwd=here,
            env={**environment, "PYTHONUNBUFFERED": unbuffered},
            check=False,
            timeout=60,
        )

    with Path("/dev/full").open("wb") as full:
        done = run(full)
    assert done.returncode == wanted
    if "-v" in command:
        assert b"incomplete: 1 answer, stderr could not be written, " in done.stdout
    elif "json" not in command and "gone.json" not in command:
        assert done.stdout == run(subprocess.PIPE).stdout


def test_a_stderr_that_nobody_reads_is_no_success(environment, here):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "elementguard", "check", "-v", "clean.json"]
    with os.fdopen(writer, "wb") as unheard:
        buffered = {**environment, "PYTHONUNBUFFERED": ""}
        done = subprocess.run(command, stderr=unheard, cwd=here, env=buffered, check=False)
    assert done.returncode == 2


def test_a_folder_that_is_gone_has_no_configuration_to_read(environment, here):
    (here / "gone").mkdir()
    script = 'cd gone && rmdir ../gone && exec "$0" -m elementguard check "$1"'
    done = subprocess.run(
        ["/bin/sh", "-c", script, sys.executable, here / "clean.json"],
        capture_output=True,
        text=True,
        cwd=here,
        env=environment,
        check=False,
    )
    wanted = "configuration the working directory: No such file or directory"
    assert (done.returncode, done.stderr.splitlines()[-1].endswith(wanted)) == (2, True)


def test_a_fault_before_the_command_begins_is_2(call, monkeypatch):
    def faulty(*_):
        raise ZeroDivisionError

    monkeypatch.setattr("elementguard.cli.config.flags", faulty)
    code, _, err = call("check", "clean.json")
    assert (code, err) == (2, "elementguard: internal error: ZeroDivisionError: \n")


# Root is held by no permission, so root becomes somebody else once all is imported: the interpreter
# may stand where nobody else can read it.
AS_NOBODY = """\
import os, sys
from elementguard.cli import main
main({warm!r})
sys.stdout.flush()
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
os.write(2, b"begin\\n")
sys.exit(main({arguments!r}))
"""


@pytest.fixture
def as_nobody(environment):
    """Runs a command as somebody whom permissions hold, in a folder with files that they lock."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        for inside in ("shut", "listed", "kept"):
            (folder / inside).mkdir()
            (folder / inside / "a.json").write_text(WRONG)
        (folder / "own.json").write_text(CLEAN)
        (folder / "secret.json").write_text(WRONG)
        (folder / "secret.json").chmod(0)
        (folder / "shut").chmod(0)
        (folder / "listed").chmod(0o444)  # its names can be read, and nothing else
        (folder / "kept").chmod(0o555)

        def as_nobody(*arguments, warm):
            done = subprocess.run(
                [sys.executable, "-c", AS_NOBODY.format(warm=warm, arguments=list(arguments))],
                capture_output=True,
                text=True,
                cwd=folder,
                env=environment,
                check=False,
                timeout=60,
            )
            assert "Traceback" not in done.stderr
            _, begun, err = done.stderr.partition("begin\n")
            assert begun
            return done.returncode, err

        yield as_nobody
        for inside in ("shut", "listed", "kept"):
            (folder / inside).chmod(0o755)


@pytest.mark.parametrize("form", ["text", "sarif"])
@pytest.mark.parametrize(
    "name, said",
    [
        ("secret.json", "secret.json: Permission denied"),
        ("shut", "shut: Permission denied"),
        ("shut/a.json", "shut/a.json: Permission denied"),
        ("listed", "listed: Permission denied"),
    ],
)
def test_what_may_not_be_read_is_said(as_nobody, name, said, form):
    flags = ["--output-format", form]
    code, err = as_nobody("check", name, *flags, warm=["check", "own.json", "kept", *flags])
    assert (code, err.splitlines()[0]) == (2, f"elementguard: {said}")


@pytest.mark.parametrize("command", ["fix", "salvage"])
def test_where_nothing_may_be_written_it_is_said(as_nobody, command):
    warm = [command, "own.json", "-o", "warm.json"]
    code, err = as_nobody(command, "own.json", "-o", "kept/out.json", warm=warm)
    assert (code, err.splitlines()[-1]) == (2, "elementguard: kept/out.json: Permission denied")


@pytest.mark.parametrize("form", FORMS)
def test_a_loop_of_links_is_no_clean_directory(call, here, form):
    (here / "d").mkdir()
    (here / "d" / "a.json").write_text(CLEAN)
    (here / "d" / "loop.json").symlink_to("loop.json")
    code, _, err = call("check", "d", "--output-format", form)
    assert code == 2
    assert "d/loop.json: Too many levels of symbolic links" in err


@pytest.mark.parametrize("form", FORMS)
def test_what_vanishes_while_it_is_read_is_said(call, monkeypatch, form):
    found = inputs._all_of

    def gone_then(*arguments):
        for one in found(*arguments):
            one.path.unlink()
            yield one

    monkeypatch.setattr(inputs, "_all_of", gone_then)
    code, _, err = call("check", "clean.json", "--output-format", form)
    assert code == 2
    assert "clean.json: No such file or directory" in err


@pytest.mark.parametrize("form", FORMS)
def test_an_empty_stdin_is_no_clean_answer(run, form):
    assert run("check", "--output-format", form, stdin="")[0] == 1


@pytest.mark.parametrize("form", FORMS)
def test_a_name_that_is_no_text_changes_nothing(call, here, form):
    name = os.fsdecode(b"we\xff\xfe.json")
    (here / name).write_text(CLEAN)
    assert call("check", name, "--output-format", form)[0] == 0
    (here / name).write_text(WRONG)
    assert call("check", name, "--output-format", form)[0] == 1
