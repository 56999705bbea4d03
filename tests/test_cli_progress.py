"""The command line: how far it has come is shown on a terminal, and nowhere else.

Comes in: long work, made long by patience taken away. Goes out: a failure where the screen of a
terminal (`pyte` is one) shows something else at any time than the line, or anything of it in the
end, or where a byte of it gets into a pipe.
"""

import gzip
import os
import pty
import re
import subprocess
import sys

import pyte
import pytest

from cli_answers import CLEAN, WRONG
from elementguard.cli.progress import Progress, _size, _time

COLUMNS, ROWS = 90, 12
LINE = re.compile(r"^(\S{24}) +(\d+)%  (\S+ k?M?B) of (\S+ [kM]?B), \S+ [kMG]?B/s, \d+:\d\d left$")
# The command line as it is, but that it shows at once what it else shows after a second.
AT_ONCE = """\
import sys
from elementguard.cli import main, progress
progress.PATIENCE = progress._PAUSE = 0
{}
sys.exit(main())
"""
WITHOUT_RICH = "sys.modules['rich.console'] = None"
BY_MAIN = """
from threading import current_thread, main_thread
draw = progress.Progress._draw
def drawn(*told):
    if current_thread() is not main_thread():
        raise ValueError("two might draw at once")
    draw(*told)
progress.Progress._draw = drawn
"""


@pytest.fixture
def work(here):
    """Files that are read in several pieces."""
    (here / "a.ndjson").write_text(f"{CLEAN}\n" * 30_000 + f"{WRONG}\n" + f"{CLEAN}\n" * 30_000)
    (here / "b.ndjson.gz").write_bytes(gzip.compress(f"{CLEAN}\n".encode() * 9_000))
    (here / "c.json").write_text(CLEAN[:-1] + " " * 900_000 + "}")
    return ["a.ndjson", "b.ndjson.gz", "c.json"]


@pytest.fixture
def on_terminal(environment, here):
    """Runs `check` with stderr, and if asked for stdout, on a terminal; what each was given."""

    def on_terminal(*arguments, code="", both=False, columns=COLUMNS, **changes):
        controller, terminal = pty.openpty()
        size = f"stty rows {ROWS} cols {columns} -echo -opost"
        subprocess.run(size.split(), stdin=terminal, check=True)
        told = here / "told.txt"  # a pipe would be full before anyone reads it
        with told.open("wb") as out:
            process = subprocess.Popen(
                [sys.executable, "-c", AT_ONCE.format(code), "check", *arguments],
                stdout=terminal if both else out,
                stderr=terminal,
                cwd=here,
                env={**environment, "TERM": "xterm", "COLUMNS": str(columns), **changes},
            )
        os.close(terminal)
        drawn = b""
        while piece := read(controller):
            drawn += piece
        os.close(controller)
        return process.wait(timeout=60), drawn, told.read_bytes()

    return on_terminal


def read(controller):
    try:
        return os.read(controller, 65536)
    except OSError:  # how Linux says that the other end is closed
        return b""


def screens(drawn, columns=COLUMNS):
    """What the screen shows before each time that the line is drawn anew, and in the end."""
    screen = pyte.Screen(columns, ROWS)
    stream = pyte.ByteStream(screen)
    for piece in re.split(rb"(?=\r\x1b\[K)", drawn.replace(b"\n", b"\r\n")):
        stream.feed(piece)
        yield [line.rstrip() for line in screen.display if line.strip()]


@pytest.mark.parametrize("rich", [True, False])
def test_the_line_tells_how_far_it_is_and_leaves_nothing(on_terminal, work, rich):
    given = [*work, "--output-format", "concise"]
    code, drawn, out = on_terminal(*given, code="" if rich else WITHOUT_RICH)
    *during, end = screens(drawn)
    assert (code, end) == (1, ["failed: 69002 answers, 1 error"])
    assert out.count(b"\n") == 1
    shown = [LINE.match(lines[-1]) for lines in during if lines]
    assert len(shown) > 5
    assert all(shown)
    shares = [int(one[2]) for one in shown]
    assert shares == sorted(shares)
    assert shares[0] < 20
    assert shares[-1] == 100
    assert set("".join(one[1] for one in shown)) <= (set("━╸╺ ") if rich else set("#-"))
    assert (b"\x1b[0m" in drawn) is rich


def test_findings_on_the_same_terminal_stand_on_lines_of_their_own(on_terminal, work):
    _, drawn, _ = on_terminal(*work, "--output-format", "concise", both=True)
    *_, end = screens(drawn, 200)
    assert end[0].startswith("a.ndjson:30001:")
    assert end[-1] == "failed: 69002 answers, 1 error"
    assert not any("left" in line for line in end)


def test_a_narrow_terminal_gets_no_second_line(on_terminal, work):
    for columns in (60, 20):
        _, drawn, _ = on_terminal(*work, "-q", columns=columns, code="")
        assert drawn == b""
        _, drawn, _ = on_terminal(*work, "--output-format", "json", columns=columns)
        *during, end = screens(drawn, columns)
        assert end[-1].startswith("failed: "[: columns - 1]) or columns < 30
        assert all(len(lines) <= 1 for lines in during)
        assert any("%" in line for lines in during for line in lines)


def test_no_thread_draws_while_another_does(on_terminal, work):
    given = [*work, "--jobs", "3", "--output-format", "concise"]
    code, drawn, _ = on_terminal(*given, code=BY_MAIN)
    *_, end = screens(drawn)
    assert (code, end) == (1, ["failed: 69002 answers, 1 error"])
    assert drawn.count(b"%") > 5


@pytest.mark.parametrize(
    "arguments, changes", [(["-q"], {}), ([], {"TERM": "dumb"}), (["clean.json"], {})]
)
def test_it_is_silent_where_it_would_be_in_the_way(on_terminal, work, arguments, changes):
    code = "progress.PATIENCE = 60" if arguments == ["clean.json"] else ""
    _, drawn, _ = on_terminal(*work, *arguments, "--output-format", "concise", code=code, **changes)
    assert b"%" not in drawn
    assert b"\x1b" not in drawn


def test_no_byte_of_it_gets_into_a_pipe(environment, here, work):
    done = subprocess.run(
        [sys.executable, "-c", AT_ONCE.format(""), "check", *work, "--output-format", "concise"],
        capture_output=True,
        cwd=here,
        env={**environment, "TERM": "xterm", "FORCE_COLOR": "1"},
        check=False,
        timeout=60,
    )
    assert done.stderr == b"failed: 69002 answers, 1 error\n"
    assert done.stdout.count(b"\n") == 1


class Terminal:
    """What was written, and where a terminal would be."""

    def __init__(self):
        self.told = ""

    def write(self, text):
        self.told += text

    def flush(self):
        pass

    def fileno(self):
        raise OSError("no terminal")


def test_of_a_pipe_nobody_knows_how_much_is_left(monkeypatch):
    monkeypatch.setattr("elementguard.cli.progress.PATIENCE", 0)
    terminal = Terminal()
    progress = Progress(terminal, has_color=False)
    progress.advance(2_500_000)
    assert re.fullmatch(r"\r\x1b\[K2\.5 MB, \S+ [MGT]B/s", terminal.told)
    progress.hide()
    progress.hide()
    assert terminal.told.count("\x1b[K") == 2


def test_what_an_interrupt_leaves_is_taken_away(monkeypatch):
    monkeypatch.setattr("elementguard.cli.progress.PATIENCE", 0)

    class Interrupted(Terminal):
        def write(self, text):
            super().write(text)
            if text != "\r\x1b[K":
                raise KeyboardInterrupt

    terminal = Interrupted()
    progress = Progress(terminal, has_color=False)
    with pytest.raises(KeyboardInterrupt):
        progress.advance(1_000)
    progress.hide()
    assert terminal.told.endswith("B/s\r\x1b[K")


def test_what_grows_while_it_is_read_is_not_more_than_all(monkeypatch):
    monkeypatch.setattr("elementguard.cli.progress.PATIENCE", 0)
    terminal = Terminal()
    progress = Progress(terminal, has_color=False)
    progress.total = 1_000
    progress.advance(3_000)
    assert "#" * 24 + " 100%" in terminal.told
    assert "0:00 left" in terminal.told


def test_it_waits_for_a_second():
    terminal = Terminal()
    progress = Progress(terminal, has_color=False)
    progress.advance(1)
    assert terminal.told == ""


def test_sizes_and_times_as_a_person_reads_them():
    sizes = (0, 999, 1_000, 99_949, 99_951, 999_499, 999_500, 2.5e9, 1e16)
    assert [_size(one) for one in sizes] == [
        *("0 B", "999 B", "1.0 kB", "99.9 kB", "100 kB", "999 kB", "1.0 MB", "2.5 GB", "10000 TB"),
    ]
    assert [_time(one) for one in (0, 59.4, 59.6, 3_599, 3_600, 86_399)] == [
        *("0:00", "0:59", "1:00", "59:59", "1:00:00", "23:59:59"),
    ]
