"""Benches, the corpus: valid answers of eight shapes, the same bytes every time.

In comes nothing but a shape's name; out comes compact JSON as a provider would send it (UTF-8,
only the escapes that JSON asks for; in `chat` every fifth text is escaped down to ASCII, as many
encoders do). The shapes are the ones that stress different rooms: strings (`images`, `chat`),
tokens (`table`, `attrs`), the stack (`deep`), the cost of a call (`tiny`, `frame`, `editor`).

    python benches/corpus.py            # writes benches/corpus/SHAPE.json
"""

import base64
import functools
import json
import random
import re
import struct
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path

Element = dict[str, object]

WORDS = (
    "we will look at the numbers again before the review on Thursday and send the notes after it",
    "der Entwurf für die neue Brücke braucht noch größere Abstände und eine zweite Prüfung",
    "la réunion d’équipe a été déplacée à l’après-midi où nous verrons les résultats",
    "проверка чертежей займёт ещё неделю потому что измерения пришлось повторить",
    "新しい 設計 の 確認 は 来週 まで 続き ます 資料 を 共有 して ください",
    "المراجعة القادمة ستكون يوم الخميس بعد الظهر في القاعة الكبيرة",
)
WEIGHTS = (50, 14, 14, 10, 8, 4)
MARKS = ("👍", "🎉", "👩‍🔬", "✅", "🇸🇪")
PEOPLE = ("Mira", "Jonas", "Aiko", "Søren", "Zoë", "Łucja", "Ольга", "陳偉")


def text(r: random.Random, characters: int) -> str:
    """Sentences in one language, with the quotes, line breaks and marks that people type."""
    words = r.choices(WORDS, WEIGHTS)[0].split()
    parts: list[str] = []
    length = 0
    while length < characters:
        part = " ".join(r.choices(words, k=r.randint(4, 14))).capitalize() + "."
        end = r.random()
        if end < 0.1:
            part += f" {r.choice(MARKS)}"
        elif end < 0.2:
            part = f'"{part}"\n'
        elif end < 0.25:
            part += f"\n\tif (a[{r.randint(0, 9)}] != '\\n') return;\n"
        parts.append(part)
        length += len(part)
    return " ".join(parts)


def title(r: random.Random) -> str:
    """A few words on one line."""
    return " ".join(r.choices(r.choices(WORDS, WEIGHTS)[0].split(), k=r.randint(2, 6)))


def says(value: str) -> list[Element]:
    """A `content` of one text block."""
    return [{"type": "text", "text": value}]


def picture(r: random.Random, size: int) -> Element:
    """An image block with about `size` bytes of a PNG: a true header, noise for pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        checksum = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)

    header = struct.pack(">IIBBBBB", r.randint(40, 900), r.randint(40, 900), 8, 2, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", r.randbytes(size))
    data = base64.b64encode(png + chunk(b"IEND", b"")).decode()
    return {"type": "image", "data": data, "mimeType": "image/png"}


def answer(name: str, children: list[Element]) -> Element:
    """The envelope, around one focused window."""
    window: Element = {"id": "w-1", "role": "Window", "title": name, "focused": True}
    root: Element = {"id": "app", "role": "Application", "title": name}
    root["children"] = [{**window, "children": children}]
    return {"protocol": "0.2.0", "instance": "c0ffee", "root": root}


def hide_after(elements: Iterable[Element], shown: int) -> list[Element]:
    """What is scrolled out of view says so."""
    return [e if i < shown else {**e, "visible": False} for i, e in enumerate(elements)]


def tiny() -> Element:
    """What most calls see: a few elements, one of them selected."""
    selected: Element = {
        "id": "s-1",
        "role": "Text",
        "selected": True,
        "content": says("these words"),
    }
    row: Element = {"id": "c-1", "role": "Row", "subrole": "comment", "children": [selected]}
    thread: Element = {"id": "t-1", "role": "List", "subrole": "thread", "title": "Budget"}
    return answer("Threads", [{**thread, "children": [row]}, {"id": "t-2", "role": "List"}])


def frame(r: random.Random) -> Element:
    """A selected frame of a drawing, with its thumbnail."""
    url = "https://draw.example.com/file/7Qx?node=12-90"
    link: Element = {"type": "resource_link", "uri": url, "name": "Ticket"}
    node: Element = {
        "id": "n-12",
        "role": "Group",
        "subrole": "frame",
        "title": "Ticket",
        "url": url,
    }
    node |= {"selected": True, "content": [picture(r, 1500), link]}
    return answer("Drawing", [{**node, "attributes": {"width": 320, "height": 568, "layers": 9}}])


def editor(r: random.Random) -> Element:
    """Forty open files, one of them in front."""
    files: list[Element] = []
    for i in range(40):
        name = f"{r.choice(('parse', 'store', 'view', 'queue'))}_{i}.{r.choice(('py', 'rs', 'md'))}"
        file: Element = {"id": f"f-{i}", "role": "Document", "subrole": "source", "title": name}
        file |= {"url": f"file:///home/mira/src/{name}", "attributes": {"line": r.randint(1, 999)}}
        files.append(file | ({"focused": True} if i == 3 else {"visible": False}))
    return answer("Editor", files)


def chat(r: random.Random) -> Element:
    """Five thousand comments in fifty threads: text of many scripts."""

    def comment(i: int) -> Element:
        about: Element = {
            "author": r.choice(PEOPLE),
            "created": f"2026-03-{i % 28 + 1:02}T09:30:00Z",
        }
        if i % 7 == 1:
            about["related"] = [{"relation": "replyTo", "id": f"c-{i - 1}"}]
        row: Element = {"id": f"c-{i}", "role": "Row", "subrole": "comment"}
        row |= {"title": f"Comment by {about['author']}", "url": f"https://chat.example.com/c/{i}"}
        length = min(3000, int(r.lognormvariate(4.9, 0.9)))
        return row | {"content": says(text(r, length)), "attributes": about}

    threads: list[Element] = []
    for t in range(50):
        rows = hide_after((comment(100 * t + i) for i in range(100)), 6)
        head: Element = {"id": f"t-{t}", "role": "List", "subrole": "thread", "title": title(r)}
        threads.append({**head, "children": rows})
    return answer("Threads", threads)


def table(r: random.Random) -> Element:
    """Twenty thousand rows of six cells: short strings, many elements."""

    def row(i: int) -> Element:
        cells = (
            ("number", f"INV-{i:06}"),
            ("customer", f"{r.choice(PEOPLE)} & Co."),
            ("amount", f"{r.random() * 9000:.2f}"),
            ("due", f"2026-{i % 12 + 1:02}-{i % 28 + 1:02}"),
            ("status", r.choice(("paid", "open", "draft"))),
            ("note", title(r)),
        )
        children = [
            {"id": f"r{i}-{name}", "role": "Cell", "subrole": name, "content": says(value)}
            for name, value in cells
        ]
        return {"id": f"r{i}", "role": "Row", "subrole": "invoice", "children": children}

    rows = hide_after(map(row, range(20_000)), 40)
    return answer("Ledger", [{"id": "tbl", "role": "Table", "title": "Invoices", "children": rows}])


def deep(r: random.Random) -> Element:
    """An outline of three hundred levels with a few rows on each, focus at the bottom."""
    inner: list[Element] = []
    for level in reversed(range(300)):
        rows: list[Element] = [
            {"id": f"n-{level}-{i}", "role": "Row", "title": title(r), "content": says(text(r, 40))}
            for i in range(12)
        ]
        here: Element = {"id": f"n-{level}", "role": "List", "title": title(r), "focused": True}
        inner = [*rows, {**here, "children": inner}] if inner else [*rows, here]
    return answer("Outline", inner)


def images(r: random.Random) -> Element:
    """Sixty thumbnails: nearly all of it is base64."""
    frames: list[Element] = [
        {"id": f"n-{i}", "role": "Image", "title": title(r), "content": [picture(r, 120_000)]}
        for i in range(60)
    ]
    return answer("Drawing", frames)


def attrs(r: random.Random) -> Element:
    """Ten thousand cards with attributes of an app's own: numbers, nesting, names nobody knows."""

    def card(i: int) -> Element:
        own: Element = {"author": r.choice(PEOPLE), "priority": r.randint(1, 5), "done": r.random()}
        own["place"] = {
            "x": r.uniform(-5e3, 5e3),
            "y": r.uniform(-5e3, 5e3),
            "matrix": [1, 0, 0, 1, 0.5],
        }
        own["labels"] = r.sample(("ui", "späť", "docs", "a11y", "perf"), r.randint(0, 4))
        own["history"] = [
            {"at": 1_767_225_600_000 + r.randrange(10**9), "by": i % 9, "to": None}
        ] * 2
        own["related"] = [{"relation": "blocks", "id": f"card-{r.randrange(10_000)}"}]
        head: Element = {"id": f"card-{i}", "role": "Cell", "subrole": "task", "title": title(r)}
        return {**head, "attributes": own}

    cards = hide_after(map(card, range(10_000)), 60)
    return answer("Board", [{"id": "col", "role": "List", "subrole": "column", "children": cards}])


SHAPES: dict[str, Callable[[], Element]] = {
    "tiny": tiny,
    "frame": lambda: frame(random.Random(1)),
    "editor": lambda: editor(random.Random(2)),
    "chat": lambda: chat(random.Random(3)),
    "table": lambda: table(random.Random(4)),
    "deep": lambda: deep(random.Random(5)),
    "images": lambda: images(random.Random(6)),
    "attrs": lambda: attrs(random.Random(7)),
}


@functools.cache
def build(shape: str) -> bytes:
    """The answer of that shape as compact JSON."""
    made = json.dumps(SHAPES[shape](), ensure_ascii=False, separators=(",", ":"))
    return (escape_a_fifth(made) if shape == "chat" else made).encode()


def escape_a_fifth(made: str) -> str:
    """Write every fifth block's text as an encoder does that knows only ASCII."""
    seen = 0

    def escape(found: re.Match[str]) -> str:
        nonlocal seen
        seen += 1
        if seen % 5:
            return found[0]
        return re.sub(r"[^\x00-\x7f]", lambda character: json.dumps(character[0])[1:-1], found[0])

    return re.sub(r'"text":"(?:[^"\\]|\\.)*"', escape, made)


def main() -> None:
    """Write all shapes."""
    folder = Path(__file__).parent / "corpus"
    folder.mkdir(exist_ok=True)
    for shape in SHAPES:
        data = build(shape)
        (folder / f"{shape}.json").write_bytes(data)
        print(f"{shape:8}{len(data):12,} bytes")


if __name__ == "__main__":
    main()
