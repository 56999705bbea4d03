"""Benches, simdjson from C++: builds `simdjson_dom.cpp` and lets it wait for its turns.

In comes a file with one answer, out comes a contender. Without a compiler or simdjson's headers
(Debian: libsimdjson-dev), importing this is an `ImportError`, as with any peer that is not there.
"""

import shutil
import subprocess
from pathlib import Path

SOURCE = Path(__file__).parent / "simdjson_dom.cpp"
PROGRAM = SOURCE.parent.parent / "build" / "simdjson_dom"


def build() -> None:
    """Compile, if what is there is older than the source."""
    if PROGRAM.exists() and PROGRAM.stat().st_mtime > SOURCE.stat().st_mtime:
        return
    compiler = shutil.which("c++")
    if compiler is None:
        raise ImportError("no C++ compiler")
    PROGRAM.parent.mkdir(exist_ok=True)
    command = [compiler, "-O3", "-std=c++17", str(SOURCE), "-o", str(PROGRAM), "-lsimdjson"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ImportError("no simdjson for C++ (Debian: libsimdjson-dev)")


build()


class Native:
    """A process that parses a file as often as it is told to."""

    least = 2_000_000

    def __init__(self, path: Path, objects: int) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen([PROGRAM, path], stdin=pipe, stdout=pipe, text=True)
        self._objects = objects
        self.kernel, found = self._line().split()
        self._found = int(found)

    def verify(self) -> None:
        """Objects found must be those that are there."""
        assert self._found == self._objects, f"{self._found} objects, not {self._objects}"

    def time(self, turns: int) -> float:
        """Its own thread's time, around its own loop."""
        assert self._process.stdin is not None
        print(turns, file=self._process.stdin, flush=True)
        return int(self._line()) / turns

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit("simdjson_dom ended early")
        return line

    def __del__(self) -> None:
        self._process.kill()
        self._process.communicate()
