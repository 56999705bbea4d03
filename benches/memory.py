"""Benches, the scales: how much memory a check takes beside the answer itself.

In come the corpus and the attacks, out goes a table. `counted` is what `weighed.rs` saw through a
counting allocator: the most bytes alive at once, where whatever grows counts with old and new size,
as if it had to be moved. `resident` is what the process grew by, as Linux saw it (the peak of a
run that checks, less that of one that only loads the file): with the allocator's waste, without
what was never touched or could grow in its place.

    python benches/memory.py [--check]

With `--check` it fails where more is taken than promised: for clean answers 32 bytes an element,
some for each open element and a little for the reader itself; in chunks the elements' own ids
besides, and those that `related` names ahead of their elements; for loaded ones 96 bytes an element
beside the answer, once the table of ids was made; for attacks three times the answer; for an answer
of 1 GiB in chunks of 64 KiB, 16 MiB in all. The bytes an element are what is left of the counted
ones without the open elements and the reader.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import attacks
import corpus
import elementguard
import programs

AN_ELEMENT = 32
A_LOADED_ELEMENT = 96
A_LEVEL = 512  # bytes an open element may take
THE_READER = 64 * 1024  # bytes, whatever the answer is
AN_ENTRY = 8  # bytes, beside its text, for an id that `related` names before it is read
AN_ATTACK = 3  # times the answer
MEBIBYTE = 1 << 20
GIBIBYTE = 1 << 30
STREAMED = 16 << 20
CHUNK = 64 * 1024


class Weight(NamedTuple):
    """What a run took, in bytes."""

    counted: int
    resident: int


class Scales:
    """The weighed program, built."""

    def __init__(self) -> None:
        self._program = programs.build("weighed")

    def weigh(self, file: Path, chunk: int = 0) -> Weight:
        """Beyond what loading the file takes."""
        loaded, _ = self._run(file, 0, chunk)
        peak, said = self._run(file, 1, chunk)
        return Weight(int(said.split()[0]), max(0, peak - loaded))

    def loaded(self, file: Path) -> tuple[int, int]:
        """What a loaded answer holds beside its bytes, and how many elements it has."""
        _, said = self._run("load", file)
        held, elements, found = map(int, said.split())
        assert found == 0, said
        return held, elements

    def images(self, size: int) -> Weight:
        """An answer that is made while it is read: the whole process."""
        peak, said = self._run("images", size, CHUNK)
        most, elements, findings, fatal = map(int, said.split())
        assert elements == size // MEBIBYTE + 1, said
        assert (findings, fatal) == (0, 0), said
        return Weight(most, peak)

    def _run(self, *arguments: object) -> tuple[int, str]:
        command = [str(self._program), *map(str, arguments)]
        said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
        peak, _, rest = said.partition(" ")
        return int(peak), rest


def main() -> None:
    """Weigh all, print, and judge."""
    arguments = argparse.ArgumentParser(description="memory beside the answer")
    arguments.add_argument("--check", action="store_true", help="fail if it is more than promised")
    arguments.add_argument("--stream", action="store_true", help=argparse.SUPPRESS)
    wanted = arguments.parse_args()
    if wanted.stream:
        stream_from_python()
        return
    scales = Scales()
    failures = shapes(scales) + loaded(scales) + answers_under_attack(scales) + streams(scales)
    if failures:
        print("\n" + "\n".join(failures))
        sys.exit(wanted.check)


def shapes(scales: Scales) -> list[str]:
    """Clean answers, in one piece and in chunks."""
    print("| clean | elements | counted | resident | bytes an element | in chunks |")
    print("| --- | --: | --: | --: | --: | --: |")
    failures = []
    for shape in corpus.ALL:
        file = corpus.file(shape)
        most = max(map(measured, corpus.build(shape)), key=lambda answer: answer.elements)
        weight, chunked = scales.weigh(file), scales.weigh(file, CHUNK)
        print(
            f"| {shape} | {most.elements:,} | {weight.counted:,} | {weight.resident:,} |"
            f" {share(weight, most)} | {share(chunked, most)} |"
        )
        promised = most.elements * AN_ELEMENT + beside(most)
        failures += over(shape, weight, promised)
        failures += over(f"{shape}, in chunks", chunked, promised + most.ids + most.related)
    return failures


class Answer(NamedTuple):
    """What a clean answer is made of, as far as memory depends on it."""

    elements: int
    depth: int
    ids: int  # bytes, of the elements' ids
    related: int  # bytes, for the entries of `related` that name an element that is still to come


def measured(answer: bytes) -> Answer:
    """Counts all of that."""
    summary = elementguard.check(answer).summary
    assert summary is not None
    seen: set[str] = set()
    ids = related = 0
    waiting = [json.loads(answer)["root"]]
    while waiting:
        element = waiting.pop()
        seen.add(element["id"])
        ids += len(element["id"])
        for entry in element.get("attributes", {}).get("related", ()):
            if "id" in entry and entry["id"] not in seen:
                related += AN_ENTRY + len(entry["id"])
        waiting += reversed(element.get("children", ()))
    return Answer(summary.elements, summary.depth, ids, related)


def beside(answer: Answer) -> int:
    """What is promised for the open elements and the reader."""
    return answer.depth * A_LEVEL + THE_READER


def share(weight: Weight, answer: Answer) -> str:
    """Bytes an element; of a small answer there are none."""
    left = max(0, weight.counted - beside(answer)) / answer.elements
    return f"{left:.1f}" if left else ""


def loaded(scales: Scales) -> list[str]:
    """Loaded answers, with the table of their ids."""
    print("\n| loaded | elements | held beside the bytes | bytes an element |")
    print("| --- | --: | --: | --: |")
    failures = []
    for shape in corpus.ALL:
        if len(corpus.build(shape)) > 1:
            continue
        held, elements = scales.loaded(corpus.file(shape))
        print(f"| {shape} | {elements:,} | {held:,} | {held / elements:.0f} |")
        if held > elements * A_LOADED_ELEMENT + A_LEVEL:
            failures.append(f"{shape}, loaded: {held:,} bytes")
    return failures


def answers_under_attack(scales: Scales) -> list[str]:
    """What is made to cost much, at default limits."""
    print("\n| attack | answer | counted | resident | times the answer | in chunks |")
    print("| --- | --: | --: | --: | --: | --: |")
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "attack.json"
        for name, (make, size) in attacks.MEMORY.items():
            file.write_bytes(make(size))
            length = file.stat().st_size
            weight, chunked = scales.weigh(file), scales.weigh(file, CHUNK)
            print(
                f"| {name} | {length:,} | {weight.counted:,} | {weight.resident:,} |"
                f" {weight.counted / length:.2f} | {chunked.counted / length:.2f} |"
            )
            failures += over(name, weight, AN_ATTACK * length)
            failures += over(f"{name}, in chunks", chunked, AN_ATTACK * length)
    return failures


def streams(scales: Scales) -> list[str]:
    """A gibibyte of pictures, through the core and through Python."""
    print("\n| 1 GiB of pictures in chunks of 64 KiB | counted | resident |\n| --- | --: | --: |")
    weight = scales.images(GIBIBYTE)
    print(f"| the core, all of the process | {weight.counted:,} | {weight.resident:,} |")
    failures = over("1 GiB in chunks", Weight(weight.resident, weight.resident), STREAMED)
    command = [sys.executable, __file__, "--stream"]
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    grown = int(said)
    print(f"| Python's check_chunks, what the process grew by | | {grown:,} |")
    return failures + over("1 GiB through Python", Weight(grown, grown), STREAMED)


def over(name: str, weight: Weight, promised: int) -> list[str]:
    """Whether more was counted; the process has pages of the program's own code besides."""
    taken = weight.counted
    return [f"{name}: {taken:,} bytes; promised are {promised:,}"] if taken > promised else []


def stream_from_python() -> None:
    """What the child process does: says by how much a stream of 1 GiB made it grow."""
    before = resident()
    report = elementguard.Validator().check_chunks(pictures(GIBIBYTE, CHUNK))
    grown = resident() - before
    assert report.ok
    assert report.summary is not None
    assert report.summary.bytes > GIBIBYTE
    assert report.summary.elements == GIBIBYTE // MEBIBYTE + 1
    print(grown)


def pictures(size: int, chunk: int) -> Iterator[bytes]:
    """An answer with a mebibyte of picture in each element, in chunks that are made when asked."""
    picture = b'{"id":"n-%d","role":"Image","content":[{"mimeType":"image/x-own","data":"'
    base64 = b"data/inthe+shape0ofBase64/64/abc" * (chunk // 32)
    waiting = bytearray(attacks.HEAD + b',"children":[')
    for number in range(size // MEBIBYTE):
        waiting += (b"," if number else b"") + picture % number
        for _ in range(MEBIBYTE // len(base64)):
            waiting += base64
            while len(waiting) >= chunk:
                yield bytes(waiting[:chunk])
                del waiting[:chunk]
        waiting += b'","type":"image"}]}'
    yield bytes(waiting + b"]" + attacks.TAIL)


def resident() -> int:
    """The most memory this process had, in bytes; the usual counter has the parent's in it."""
    found = re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text("utf-8"))
    assert found is not None
    return int(found[1]) * 1024


if __name__ == "__main__":
    main()
