"""Benches, the corpus: valid answers of many shapes, the same bytes every time and everywhere.

In comes a shape's name; out come answers as providers send them: compact UTF-8 with only the
escapes that JSON asks for (in `chat` every fifth text is escaped down to ASCII, as many encoders
do). Each shape stresses another room: the cost of a call (`tiny`, `frame`, `editor`), the stack
(`deep`), text (`chat`), what is opaque (`attrs`), elements (`table`), white space (`table_pretty`),
long strings (`images`), the same full of escapes (`images_escaped`), caches (`huge`, 100 MB). The
shapes of `REAL` have the sizes of dumps of real interfaces and documents; `interfaces` are a
thousand answers, so that no branch predictor learns one by heart.

Built answers are kept in `benches/corpus/`, in a folder named after the sources they came from.

    python benches/corpus.py [SHAPE ...]      # builds them, prints their sizes
"""

import functools
import hashlib
import itertools
import json
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import windows
from windows import WORDS, Dice, Element, elements_of, picture, says, text, title

HERE = Path(__file__).parent

# --- shapes ---------------------------------------------------------------------------------------


def answer(name: str, *open_windows: Element) -> Element:
    """The envelope around windows; all but the first are in the background."""
    for window in open_windows[1:]:
        windows.put_behind(window)
    root = {"id": "app", "role": "Application", "title": name, "children": list(open_windows)}
    return {"protocol": "0.2.0", "instance": "c0ffee", "root": root}


def huge() -> Element:
    """A bit of everything, a hundred megabytes of it."""
    d = Dice(8)
    made = [windows.chat(d, 5800, f"ch{i}-") for i in range(6)]
    made += [windows.table(d, 20_000, f"tb{i}-") for i in range(2)]
    made += [windows.images(d, 90, f"im{i}-") for i in range(2)]
    made += [windows.attrs(d, 8000, f"at{i}-") for i in range(3)]
    made += [windows.deep(d, 60, 50, f"dp{i}-") for i in range(4)]
    return answer("Everything", *made)


def interface(d: Dice) -> Element:
    """What accessibility dumps look like: some dozens of short elements, eight levels deep."""
    numbers = itertools.count()
    window: Element = {"id": "w", "role": "Window", "title": title(d), "focused": True}
    opened = [window]
    for _ in range(d.between(38, 150)):
        parent = d.one_of(opened[-3:])
        element: Element = {"id": f"e{next(numbers)}", "role": d.one_of(INTERFACE_ROLES)}
        if d.share() < 0.8:
            element["title"] = title(d, 9)
        if d.share() < 0.3:
            element["subrole"] = d.one_of(("toolbar-area", "cell", "entry", "caption"))
        if element["role"] == "Group" and d.share() < 0.7:
            opened.append(element)
        if d.share() < 0.1:
            element["visible"] = False
        parent.setdefault("children", []).append(element)
    settle(window)
    return answer("Interface", window)


INTERFACE_ROLES = ("Group", "Group", "Row", "Text", "Text", "Link", "Image", "Heading", "List")


def settle(window: Element) -> None:
    """Say `visible` only where it differs from the parent's (5.3)."""
    for element in elements_of(window):
        if element.get("visible") is False:
            for child in element.get("children", ()):
                for below in elements_of(child):
                    below.pop("visible", None)


def screenshot() -> Element:
    """A picture of a window, and little else."""
    d = Dice(11)
    page: Element = {"id": "p-1", "role": "Page", "title": title(d), "focused": True}
    window: Element = {"id": "w-1", "role": "Window", "title": "Browser", "focused": True}
    return answer("Browser", window | {"children": [page | {"content": [picture(d, 150_000)]}]})


def notebook() -> Element:
    """Code, prose and a few large pictures: nine tenths are base64."""
    d = Dice(12)
    cells: list[Element] = []
    for i in range(400):
        cell: Element = {"id": f"cell-{i}", "role": "Group", "subrole": "code"}
        drawn = i % 27 == 13
        cell["content"] = [picture(d, d.between(45_000, 400_000))] if drawn else says(text(d, 500))
        cells.append(cell)
    book: Element = {"id": "book", "role": "Document", "subrole": "notebook", "title": title(d)}
    book |= {"focused": True, "children": cells}
    window: Element = {"id": "w", "role": "Window", "title": "Lab", "focused": True}
    return answer("Lab", window | {"children": [book]})


def outline() -> Element:
    """Twenty-six thousand rows, nested a few levels, plain text in all of them."""
    d = Dice(13)
    open_rows: list[Element] = [{"id": "list", "role": "List", "title": "Years", "focused": True}]
    for i in range(26_000):
        depth = d.between(1, min(len(open_rows), 5))
        del open_rows[depth:]
        row: Element = {"id": f"o{i}", "role": "Row", "subrole": "bullet", "title": title(d, 9)}
        if d.share() < 0.3:
            row["content"] = says(text(d, d.one_of((20, 60, 200))))
        open_rows[-1].setdefault("children", []).append(row)
        open_rows.append(row)
    window: Element = {"id": "w", "role": "Window", "title": "Outline", "focused": True}
    return answer("Outline", window | {"children": [open_rows[0]]})


def rightward() -> Element:
    """Seven hundred kilobytes of text that is written from right to left."""
    d = Dice(14)
    rows: list[Element] = [
        {"id": f"p-{i}", "role": "Row", "content": says(text(d, 1200, WORDS[6]))}
        for i in range(300)
    ]
    window: Element = {"id": "w", "role": "Window", "title": "مراجعة", "focused": True}
    return answer("Reader", window | {"children": rows})


SHAPES: dict[str, Callable[[], Element]] = {
    "tiny": lambda: answer("Example", *windows.tiny()),
    "frame": lambda: answer("Drawing", windows.frame(Dice(1))),
    "editor": lambda: answer("Editor", windows.editor(Dice(2))),
    "deep": lambda: answer("Outline", windows.deep(Dice(5), 400, 12)),
    "chat": lambda: answer("Threads", windows.chat(Dice(3), 5000)),
    "attrs": lambda: answer("Board", windows.attrs(Dice(7), 10_000)),
    "table": lambda: answer("Ledger", windows.table(Dice(4), 20_000)),
    "table_pretty": lambda: answer("Ledger", windows.table(Dice(4), 20_000)),
    "images": lambda: answer("Drawing", windows.images(Dice(6), 60)),
    "images_escaped": lambda: answer("Drawing", windows.images(Dice(6), 60)),
    "huge": huge,
}
REAL: dict[str, Callable[[], Element]] = {
    "interfaces": lambda: interface(Dice(10)),
    "screenshot": screenshot,
    "notebook": notebook,
    "outline": outline,
    "rightward": rightward,
}
ALL = SHAPES | REAL

# --- bytes ----------------------------------------------------------------------------------------


def build(shape: str) -> tuple[bytes, ...]:
    """The answers of a shape: one, but of `interfaces`."""
    data = file(shape).read_bytes()
    return tuple(data.splitlines()) if file(shape).suffix == ".jsonl" else (data,)


def file(shape: str) -> Path:
    """Where the answers of a shape are: a JSON file, or one of JSON lines. A user's own stays."""
    if shape not in ALL:
        return Path(shape)
    path = folder() / f"{shape}.{'jsonl' if shape == 'interfaces' else 'json'}"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".new")
        unfinished.write_bytes(b"\n".join(write(shape)))
        unfinished.replace(path)
    return path


@functools.cache
def folder() -> Path:
    """Another one for each state of these sources: nobody measures yesterday's answers."""
    sources = sorted(HERE.glob("*.py"))
    mine = b"".join(p.read_bytes() for p in sources if p.stem in ("corpus", "windows"))
    return HERE / "corpus" / hashlib.sha256(mine).hexdigest()[:12]


def write(shape: str) -> Iterable[bytes]:
    """The answers of a shape, made anew."""
    if shape == "interfaces":
        d = Dice(10)
        return [compact(interface(d)).encode() for _ in range(1000)]
    made = ALL[shape]()
    if shape == "table_pretty":
        return [json.dumps(made, ensure_ascii=False, indent=2).encode()]
    data = compact(made)
    if shape == "chat":
        data = escape_a_fifth(data)
    if shape == "images_escaped":
        data = data.replace("/", "\\/")
    return [data.encode()]


def compact(made: Element) -> str:
    """JSON as programs write it."""
    return json.dumps(made, ensure_ascii=False, separators=(",", ":"))


def escape_a_fifth(data: str) -> str:
    """Write every fifth block's text as an encoder does that knows only ASCII."""
    seen = itertools.count(1)

    def escape(found: re.Match[str]) -> str:
        if next(seen) % 5:
            return found[0]
        return re.sub(r"[^\x00-\x7f]", lambda character: json.dumps(character[0])[1:-1], found[0])

    return re.sub(r'"text":"(?:[^"\\]|\\.)*"', escape, data)


def spoil(answer: bytes) -> bytes:
    """The same answer with a fault in every element, of three kinds in turn."""
    seen = itertools.count()
    faults = (rb'"id":"a \1","role":"\2"', rb'"id":"\1","role":"a\2"', rb'\g<0>,"icon":1')

    def fault(found: re.Match[bytes]) -> bytes:
        return found.expand(faults[next(seen) % 3])

    return re.sub(rb'"id":\s?"([^"]*)",\s*"role":\s?"([^"]*)"', fault, answer)


def main() -> None:
    """Build the shapes asked for, or all."""
    for shape in sys.argv[1:] or ALL:
        answers = build(shape)
        many = f" in {len(answers):,} answers" if len(answers) > 1 else ""
        print(f"{shape:16}{sum(map(len, answers)):13,} bytes{many}")


if __name__ == "__main__":
    main()
