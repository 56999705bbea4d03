"""Benches, the windows: what the corpus's answers are made of.

In comes chance, out come windows as careful providers report them. `corpus.py` puts them together.

A baseline of instruction counts stands on these bytes, so nothing here may depend on a version of
Python or on a machine's mathematics: of `random`, only what its documentation promises to keep.
"""

import base64
import random
import struct
import zlib
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

Element = dict[str, Any]
T = TypeVar("T")

WORDS = (
    "we will look at the numbers again before the review on Thursday and send the notes after it",
    "der Entwurf für die neue Brücke braucht noch größere Abstände und eine zweite Prüfung",
    "la réunion d’équipe a été déplacée à l’après-midi où nous verrons les résultats",
    "проверка чертежей займёт ещё неделю потому что измерения пришлось повторить",
    "新しい 設計 の 確認 は 来週 まで 続き ます 資料 を 共有 して ください",
    "下周 的 会议 之前 需要 再次 检查 图纸 谢谢 各位 的 耐心",
    "المراجعة القادمة ستكون يوم الخميس بعد الظهر في القاعة الكبيرة",
    "अगली बैठक से पहले नक्शे की दूसरी जाँच करनी होगी",
)
# Of a hundred texts, so many in each language.
LANGUAGES = [WORDS[i] for i, share in enumerate((46, 16, 15, 9, 4, 4, 3, 3)) for _ in range(share)]
MARKS = ("👍", "🎉", "👩‍🔬", "✅", "🇸🇪", "❤️")
PEOPLE = ("Mira", "Jonas", "Aiko", "Søren", "Zoë", "Łucja", "Ольга", "陳偉", "Ada", "Tariq")
# Twentieths of a log-normal distribution: how many characters people write at once.
LENGTHS = [23, 37, 48, 58, 68, 78, 89, 101, 113, 127]
LENGTHS += [142, 159, 179, 201, 230, 266, 310, 378, 491, 1100]


class Dice:
    """Chance that falls the same way in every Python: `random()` and `randbytes()` are kept."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def share(self) -> float:
        """From 0 up to 1."""
        return self._random.random()

    def between(self, least: int, most: int) -> int:
        """A whole number, both ends included."""
        return least + int(self._random.random() * (most - least + 1))

    def one_of(self, things: Sequence[T]) -> T:
        """One of them."""
        return things[int(self._random.random() * len(things))]

    def some(self, things: Sequence[T], many: int) -> list[T]:
        """So many of them, the same one perhaps twice."""
        return [self.one_of(things) for _ in range(many)]

    def noise(self, size: int) -> bytes:
        """Bytes that no one compresses."""
        return self._random.randbytes(size)


# --- what elements are made of --------------------------------------------------------------------


def text(d: Dice, characters: int, language: str = "") -> str:
    """Sentences in one language, with the quotes, line breaks and marks that people type."""
    words = (language or d.one_of(LANGUAGES)).split()
    parts: list[str] = []
    length = 0
    while length < characters:
        part = " ".join(d.some(words, d.between(4, 16))).capitalize() + "."
        end = d.share()
        if end < 0.1:
            part += f" {d.one_of(MARKS)}"
        elif end < 0.18:
            part = f'> "{part}"\n'
        elif end < 0.22:
            part += f"\n```\n\tif (a[{d.between(0, 9)}] != '\\n') return \"C:\\\\tmp\";\n```\n"
        elif end < 0.28:
            part += f" https://example.com/t/{d.between(1, 9999)}?a=b%20c"
        parts.append(part)
        length += len(part)
    return " ".join(parts)


def title(d: Dice, words: int = 5) -> str:
    """A few words on one line."""
    return " ".join(d.some(WORDS[0].split(), d.between(2, words)))


def day(d: Dice) -> str:
    """A date."""
    return f"2026-{d.between(1, 12):02}-{d.between(1, 28):02}"


def says(value: str) -> list[Element]:
    """A `content` of one text block."""
    return [{"type": "text", "text": value}]


def picture(d: Dice, size: int) -> Element:
    """An image block with about `size` bytes of a PNG: a true header, noise for pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        checksum = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)

    width, height = d.between(40, 900), d.between(40, 900)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", d.noise(size))
    data = base64.b64encode(png + chunk(b"IEND", b"")).decode()
    return {"type": "image", "data": data, "mimeType": "image/png"}


def put_behind(window: Element) -> None:
    """Nobody sees this window or points into it, and it says so once (5.3)."""
    for element in elements_of(window):
        for state in ("focused", "selected", "hovered", "visible"):
            element.pop(state, None)
    children = window.pop("children")
    window |= {"visible": False, "children": children}


def elements_of(element: Element) -> Iterator[Element]:
    """An element and all below it, in no particular order."""
    waiting = [element]
    while waiting:
        here = waiting.pop()
        yield here
        waiting.extend(here.get("children", ()))


# --- windows --------------------------------------------------------------------------------------


def tiny() -> list[Element]:
    """What most calls see: two panes, some words selected in one of them."""
    words = {"id": "s-4", "role": "Text", "selected": True, "content": says("these few words")}
    row: Element = {"id": "c-3", "role": "Row", "subrole": "comment", "title": "Comment by Mira"}
    row |= {"focused": True, "children": [words]}
    thread: Element = {"id": "t-2", "role": "List", "subrole": "thread", "title": "Bridge plan"}
    thread |= {"focused": True, "children": [row]}
    other: Element = {"id": "t-7", "role": "List", "subrole": "thread", "title": "Budget"}
    pane: Element = {"role": "Window", "subrole": "pane"}
    first = {"id": "w-1", **pane, "focused": True, "children": [thread]}
    return [first, {"id": "w-2", **pane, "children": [other]}]


def frame(d: Dice) -> Element:
    """One selected frame of a drawing, with its thumbnail."""
    url = "https://draw.example.com/file/7Qx?node=12-90"
    link = {"type": "resource_link", "uri": url, "name": "Ticket / Front"}
    node: Element = {"id": "n-12", "role": "Group", "subrole": "frame", "title": "Ticket / Front"}
    node |= {"url": url, "selected": True, "content": [picture(d, 1480), link]}
    node["attributes"] = {"width": 320, "height": 568, "layers": 9}
    document: Element = {"id": "d-1", "role": "Document", "subrole": "canvas", "title": "Ticket"}
    document |= {"focused": True, "children": [node]}
    return {"id": "w-1", "role": "Window", "title": "Ticket", "focused": True} | {
        "children": [document]
    }


def editor(d: Dice) -> Element:
    """Forty open files; a line is selected in the one in front."""
    files: list[Element] = []
    for i in range(40):
        name = f"{d.one_of(('parse', 'store', 'view', 'queue'))}_{i}.{d.one_of(('py', 'rs', 'md'))}"
        file: Element = {"id": f"f-{i}", "role": "Document", "subrole": "source", "title": name}
        file["url"] = f"file:///home/mira/src/{d.one_of(('app/models', 'lib', 'tests'))}/{name}"
        file |= {"focused": True} if i == 3 else {"visible": False}
        if i == 3:
            line: Element = {"id": "s-1", "role": "Text", "selected": True}
            line["content"] = says('fn main() {\n    println!("höj {}", x);\n}')
            file["children"] = [line]
        if d.share() < 0.6:
            line_number, column = d.between(1, 900), d.between(1, 99)
            file["attributes"] = {"line": line_number, "column": column, "dirty": False}
        files.append(file)
    return {"id": "w-1", "role": "Window", "title": "bridge — Editor", "focused": True} | {
        "children": files
    }


def chat(d: Dice, comments: int, prefix: str = "") -> Element:
    """Threads of comments: text of many scripts."""
    threads: list[Element] = []
    made = 0
    while made < comments:
        many = min(comments - made, d.one_of((3, 10, 25, 60, 200, 600)))
        head: Element = {"id": f"{prefix}t-{made}", "role": "List", "subrole": "thread"}
        head["title"] = title(d)
        if not threads:
            head["focused"] = True
        rows = [comment(d, f"{prefix}c-", made + i, i > 0) for i in range(many)]
        for i, row in enumerate(rows):
            if threads or i >= 12:
                row["visible"] = False
        threads.append({**head, "children": rows})
        made += many
    window: Element = {"id": f"{prefix}w", "role": "Window", "subrole": "pane", "title": "Threads"}
    return window | {"focused": True, "children": threads}


def comment(d: Dice, prefix: str, number: int, reply: bool) -> Element:
    """What someone wrote."""
    about: Element = {"author": d.one_of(PEOPLE), "created": f"{day(d)}T09:30:{number % 60:02}Z"}
    if d.share() < 0.25:
        about["reactions"] = {d.one_of(MARKS): d.between(1, 9) for _ in range(2)}
    if reply and d.share() < 0.15:
        about["related"] = [{"relation": "replyTo", "id": f"{prefix}{number - 1}"}]
    row: Element = {"id": f"{prefix}{number}", "role": "Row", "subrole": "comment"}
    row |= {"title": f"Comment by {about['author']}", "url": f"https://chat.example.com/c/{number}"}
    row["content"] = says(text(d, d.one_of(LENGTHS)))
    if d.share() < 0.05:
        link = {"type": "resource_link", "uri": f"https://files.example.com/{number}.png"}
        row["content"].append({**link, "name": "screenshot.png", "mimeType": "image/png"})
    row["attributes"] = about
    return row


def table(d: Dice, rows: int, prefix: str = "") -> Element:
    """Rows of six cells: short strings, many elements."""

    def row(i: int) -> Element:
        cells = (
            ("number", f"INV-{i:06}"),
            ("customer", f"{d.one_of(PEOPLE)} {d.one_of(('& Co.', 'GmbH', 'Ltd', 'SARL'))}"),
            ("amount", f"{d.between(1, 900_000) / 100:.2f}"),
            ("due", day(d)),
            ("status", d.one_of(("paid", "open", "overdue", "draft"))),
            ("note", text(d, 1)[:36]),
        )
        children = [
            {"id": f"{prefix}r{i}-{j}", "role": "Cell", "subrole": name, "content": says(value)}
            for j, (name, value) in enumerate(cells)
        ]
        made: Element = {"id": f"{prefix}r{i}", "role": "Row", "subrole": "invoice"}
        made["title"] = f"Invoice {i:06}"
        made |= {"focused": True, "selected": True} if i == 3 else {}
        made |= {"visible": False} if i >= 40 else {}
        return made | {"children": children}

    table: Element = {"id": f"{prefix}tbl", "role": "Table", "subrole": "invoices"}
    table |= {"title": "Invoices", "focused": True, "children": [row(i) for i in range(rows)]}
    sheet: Element = {"id": f"{prefix}doc", "role": "Document", "subrole": "sheet"}
    sheet |= {"title": "Ledger", "url": "file:///home/mira/ledger.sheet", "focused": True}
    window: Element = {"id": f"{prefix}w", "role": "Window", "title": "Ledger", "focused": True}
    return window | {"children": [sheet | {"children": [table]}]}


def deep(d: Dice, levels: int, beside: int, prefix: str = "") -> Element:
    """An outline: at each level some rows, one of which is opened; focus goes to the bottom."""

    def row(name: str) -> Element:
        made: Element = {"id": name, "role": "Row", "subrole": "bullet", "title": title(d, 8)}
        return made | ({"content": says(text(d, 60))} if d.share() < 0.4 else {})

    inner: list[Element] = []
    for level in reversed(range(levels)):
        rows = [row(f"{prefix}n-{level}-{i}") for i in range(beside)]
        rows[len(rows) // 2 : len(rows) // 2] = inner
        here: Element = {"id": f"{prefix}n-{level}", "role": "List" if level % 2 == 0 else "Row"}
        here |= {"subrole": "outline", "title": title(d, 8), "focused": True, "children": rows}
        inner = [here]
    window: Element = {"id": f"{prefix}w", "role": "Window", "title": "Outline", "focused": True}
    return window | {"children": inner}


def images(d: Dice, many: int, prefix: str = "") -> Element:
    """Thumbnails: nearly all of it is base64."""
    frames: list[Element] = []
    for i in range(many):
        url = f"https://draw.example.com/file/7Qx?node={d.between(1, 999)}-{i}"
        link = {"type": "resource_link", "uri": url, "name": f"Ticket / {i}"}
        made: Element = {"id": f"{prefix}n-{i}", "role": "Group", "subrole": "frame"}
        made |= {"title": f"Ticket / Side {i}", "url": url}
        made |= {5: {"selected": True}, 6: {"hovered": True}}.get(i, {})
        made |= {"visible": False} if i > 8 else {}
        made["content"] = [picture(d, d.between(22_000, 225_000)), link]
        made["attributes"] = {"width": d.between(50, 2000), "layers": d.between(1, 90)}
        frames.append(made)
    document: Element = {"id": f"{prefix}doc", "role": "Document", "subrole": "canvas"}
    document |= {"title": "Ticket", "focused": True, "children": frames}
    window: Element = {"id": f"{prefix}w", "role": "Window", "title": "Design", "focused": True}
    return window | {"children": [document]}


def attrs(d: Dice, many: int, prefix: str = "") -> Element:
    """Cards with attributes of an app's own: numbers, nesting, names nobody knows."""
    columns: list[Element] = []
    made = 0
    while made < many:
        here = min(many - made, d.between(50, 400))
        cards = [card(d, f"{prefix}card-", made + i, many) for i in range(here)]
        for i, element in enumerate(cards):
            if columns or i > 60:
                element["visible"] = False
        column: Element = {"id": f"{prefix}col-{made}", "role": "List", "subrole": "column"}
        column |= {"title": title(d)} | ({} if columns else {"focused": True})
        columns.append(column | {"children": cards})
        made += here
    window: Element = {"id": f"{prefix}w", "role": "Window", "title": "Board", "focused": True}
    return window | {"children": columns}


def card(d: Dice, prefix: str, number: int, many: int) -> Element:
    """One task of a board."""

    def fraction(most: int) -> float:
        return d.between(-most * 1000, most * 1000) / 1000

    def change() -> Element:
        at = 1_767_225_600_000 + d.between(0, 10**9)
        return {"at": at, "by": d.one_of(PEOPLE), "field": "status", "from": 1, "to": None}

    own: Element = {"author": d.one_of(PEOPLE), "status": d.one_of(("todo", "doing", "done"))}
    own |= {"priority": d.between(1, 5), "progress": d.share(), "due": f"{day(d)}T09:00:00+02:00"}
    own["place"] = {"x": fraction(5000), "y": fraction(5000), "width": d.between(9, 900)}
    own["place"]["matrix"] = [1, 0, 0, 1, d.share(), -d.share()]
    own["labels"] = d.some(("ui", "späť", "docs", "a11y", "perf", "research"), d.between(0, 4))
    own["flags"] = {"locked": d.share() < 0.1, "pinned": d.share() < 0.1, "archived": False}
    own["history"] = [change() for _ in range(d.between(0, 3))]
    own["metrics"] = {"views": d.between(0, 10**6), "score": d.share(), "delta": 1.5e-7}
    own["related"] = [
        {"relation": d.one_of(("blocks", "mentions")), "id": f"{prefix}{d.between(0, many - 1)}"}
        for _ in range(d.between(1, 3))
    ]
    head: Element = {"id": f"{prefix}{number}", "role": d.one_of(("Cell", "Cell", "Row"))}
    return head | {"subrole": "task", "title": title(d, 9), "attributes": own}
