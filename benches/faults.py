"""Benches, the faults: what an answer costs that has a fault in every element.

In come clean answers, out comes a table: for each kind of fault, how many times as many
instructions the faulty answer takes as its clean twin. A fault that needs something to be wrong in
(a block, an address) has a twin with the same thing as it should be; one that needs nothing (an
unknown member, a needless state) is held against the answer without it.

    python benches/faults.py [--check] [SHAPE ...]

With `--check` it fails where a faulty answer costs more than three times its twin.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import corpus
import windows
from instructions import Case, Counter
from windows import Dice, Element, elements_of

ALLOWED = 3.0

SHAPES: dict[str, Callable[[], Element]] = {
    "table": lambda: corpus.answer("Ledger", windows.table(Dice(4), 1500)),
    "chat": lambda: corpus.answer("Threads", windows.chat(Dice(3), 1000)),
    "attrs": lambda: corpus.answer("Board", windows.attrs(Dice(7), 1000)),
    "deep": lambda: corpus.answer("Outline", windows.deep(Dice(5), 400, 12)),
}

PICTURE = {"type": "image", "mimeType": "image/x-own", "data": "AAECAwQFBgcICQoLDA0ODw=="}
LINK = {"type": "resource_link", "uri": "https://example.com/a", "name": "a"}


GONE = object()  # instead of a value: the member is not there


def members(**some: Any) -> Callable[[Element], Element]:
    """The same members for all elements."""
    return lambda _: some


def related(name: str) -> Element:
    """Attributes with one link."""
    return {"attributes": {"related": [{"relation": "about", "id": name}]}}


def block(made: Element, **changed: Any) -> Callable[[Element], Element]:
    """A block, changed, behind a text."""
    new = {name: value for name, value in (made | changed).items() if value is not GONE}
    return members(content=[{"type": "text", "text": "a"}, new])


class Fault(NamedTuple):
    """What is put into each element: as it should be, and as it should not."""

    sound: Callable[[Element], Element]
    faulty: Callable[[Element], Element]


nothing = members()

FAULTS: dict[str, Fault] = {
    "unknown-role": Fault(nothing, lambda e: {"role": f"a{e['role']}"}),
    "furniture-role": Fault(nothing, members(role="Button")),
    "nested-application": Fault(nothing, members(role="Application")),
    "malformed-id": Fault(nothing, lambda e: {"id": f"{e['id']} x"}),
    "malformed-id, long": Fault(nothing, lambda e: {"id": f"{e['id']:x>200}"}),
    "duplicate-id": Fault(nothing, members(id="same")),
    "missing-member, role": Fault(nothing, members(role=GONE)),
    "missing-member, id": Fault(nothing, members(id=GONE)),
    "false-state": Fault(nothing, members(hovered=False)),
    "redundant-visible": Fault(nothing, members(visible=True)),
    "wrong-type": Fault(nothing, members(url=1)),
    "wrong-type, role": Fault(nothing, members(role=1)),
    "wrong-type, object": Fault(nothing, members(subrole={"a": [1]})),
    "null-member": Fault(nothing, members(url=None)),
    "unknown-member": Fault(nothing, members(icon=1)),
    "unknown-member, object": Fault(nothing, members(icon={"name": "a", "size": [1, 2]})),
    "duplicate-member": Fault(members(subrole="a"), members(subrole="a", twice=True)),
    "lone-surrogate": Fault(members(title="a title"), members(title="a\ud800title")),
    "blank-title": Fault(members(title="a title"), members(title=" ")),
    "multiline-title": Fault(members(title="a title"), members(title="a\ntitle")),
    "control-characters": Fault(members(subrole="a word"), members(subrole="a\x1bword")),
    "malformed-uri": Fault(members(url="https://a"), members(url="no address")),
    "script-uri": Fault(members(url="https://a/b"), members(url="javascript:a")),
    "misplaced-state": Fault(
        members(attributes={"status": True}), members(attributes={"selected": True})
    ),
    "imprecise-number": Fault(
        members(attributes={"n": 12345678}), members(attributes={"n": 12345678901234567890})
    ),
    "dangling-related": Fault(lambda _: related("app"), lambda e: related(f"none-{e['id']}")),
    "incomplete-related": Fault(
        lambda _: related("app"), members(attributes={"related": [{"id": "app"}]})
    ),
    "empty-children": Fault(nothing, lambda e: {} if "children" in e else {"children": []}),
    "unknown-block-type": Fault(block(PICTURE), block(PICTURE, type="video")),
    "missing-member, block": Fault(block(PICTURE), block(PICTURE, mimeType=GONE)),
    "malformed-base64": Fault(block(PICTURE), block(PICTURE, data="AAECAwQFBgcICQoLDA0ODw=!")),
    "malformed-media-type": Fault(block(PICTURE), block(PICTURE, mimeType="image x")),
    "wrong-type, block": Fault(block(PICTURE), block(PICTURE, data=1)),
    "malformed-uri, block": Fault(block(LINK), block(LINK, uri="no address")),
    "invalid-annotations": Fault(
        block(LINK, annotations={"priority": 1}), block(LINK, annotations={"priority": 2})
    ),
    "text-without-text-block": Fault(
        members(role="Text", content=[{"type": "text", "text": "a"}]),
        members(role="Text", content=[]),
    ),
}


def spoil(answer: str, put: Callable[[Element], Element]) -> bytes:
    """The answer, something put into each element."""
    made = json.loads(answer)
    for element in list(elements_of(made["root"])):
        new = put(dict(element))
        for name, value in new.items():
            if value is GONE:
                del element[name]
            else:
                element[name] = value
    text = corpus.compact(made).replace('"twice":true', '"subrole":"a"')
    return text.encode("utf-8", "backslashreplace")


def ratio(counter: Counter, folder: Path, shape: str, name: str) -> float:
    """How many times as much the faulty answer costs."""
    answer = corpus.compact(SHAPES[shape]())
    spent = []
    for kind, put in FAULTS[name]._asdict().items():
        file = folder / f"{shape} {name} {kind}.json"
        file.write_bytes(spoil(answer, put))
        case = Case(name, file)
        spent.append(counter.count(case, 3) - counter.count(case, 1))
        file.unlink()
    return spent[1] / spent[0]


def main() -> None:
    """Count, print, and judge."""
    arguments = argparse.ArgumentParser(description="what answers full of faults cost")
    arguments.add_argument("shapes", nargs="*", metavar="SHAPE", help=f"of {', '.join(SHAPES)}")
    arguments.add_argument("--check", action="store_true", help="fail where it is over three times")
    wanted = arguments.parse_args()
    shapes = wanted.shapes or list(SHAPES)
    counter = Counter()
    failures = []
    print(f"| a fault in every element: times the clean twin | {' | '.join(shapes)} |")
    print(f"| --- |{' --: |' * len(shapes)}")
    with ThreadPoolExecutor(os.cpu_count()) as pool, tempfile.TemporaryDirectory() as folder:
        for name in FAULTS:
            costs = [pool.submit(ratio, counter, Path(folder), shape, name) for shape in shapes]
            times = [cost.result() for cost in costs]
            print(f"| {name} | {' | '.join(f'{more:.2f}' for more in times)} |", flush=True)
            pairs = zip(shapes, times, strict=True)
            failures += [f"{name} in {s}: {more:.2f}" for s, more in pairs if more > ALLOWED]
    if failures:
        print("\n" + "\n".join(failures))
        sys.exit(wanted.check)


if __name__ == "__main__":
    main()
