# ruff: noqa: INP001 - a script beside a Rust package, no part of a Python one
"""Lays out what the fuzzers begin with.

That is the inputs of the conformance vectors, behind the settings that each program reads first.

In: `tests/conformance`. Out: `fuzz/corpus/<program>/`, made anew where a file is missing.
"""

from pathlib import Path

HERE = Path(__file__).resolve().parent
VECTORS = HERE.parent / "tests" / "conformance"

# What stands before the answer: nothing, settings and sizes of chunks, settings, a count.
HEADS = {"wellformed": b"", "chunks": b"\x00\x01\x11\x40", "lanes": b"\x00", "kernels": b"\x03"}
LONGEST = 4096


def inputs() -> list[Path]:
    """The vectors' inputs, without reports."""
    found = [*VECTORS.glob("*/*.json"), *VECTORS.glob("*/*.bin")]
    return [file for file in found if not file.name.endswith(".report.json")]


def main() -> None:
    """Write the seeds."""
    files = sorted(inputs())
    for program, head in HEADS.items():
        folder = HERE / "corpus" / program
        folder.mkdir(parents=True, exist_ok=True)
        for file in files:
            data = file.read_bytes()
            if len(data) < LONGEST:
                (folder / f"{file.parent.name}-{file.stem}").write_bytes(head + data)


if __name__ == "__main__":
    main()
