"""Room: media types, and what the first bytes of a file say.

In: a `mimeType`, or the first 64 KiB of decoded data. Out: the type by its one name, the format,
and the size of a picture in pixels. Contract: `words.md`, "Media formats" and "Pixels".

A picture is never decoded: its header says how large it would become, which is what a host must
know before it decodes anything.
"""

from __future__ import annotations

import re

from elementguard._python.rules.words import MEDIA

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_NAME = r"[A-Za-z0-9][A-Za-z0-9!#$&\-^_.+]{0,126}"
_WORD = r"[A-Za-z0-9!#$%&'*+\-.^_`|~]++"  # mutants: saves time, no more
_CONTROLS = r"\x00-\x08\x0a-\x1f\x7f"
_QUOTED = rf'"(?:[^"\\{_CONTROLS}]|\\[^{_CONTROLS}])*+"'
# The quantifiers give nothing back (`++`): a type of a million blanks is refused in one pass.
_PARAMETER = rf"[ \t]*+;[ \t]*+(?:{_WORD}=(?:{_WORD}|{_QUOTED}))?+"  # mutants: saves time, no more
_MEDIA_TYPE = re.compile(rf"({_NAME}/{_NAME})(?:{_PARAMETER})*+")  # mutants: the same
_KNOWN_AS = {name: names[0] for _, names in MEDIA for name in names}
_FORMATS = {names[0]: label for label, names in MEDIA}
_BMP_HEADERS = frozenset({12, 16, 40, 52, 56, 64, 108, 124})
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_WITHOUT_LENGTH = frozenset(b"\x01\xd0\xd1\xd2\xd3\xd4\xd5\xd6\xd7\xd8")


def essence(text: str) -> str | None:
    """The type and subtype in lower case, without parameters; None if it is no media type."""
    match = _MEDIA_TYPE.fullmatch(text)
    return match[1].lower() if match else None


def known_as(name: str) -> str:
    """The one name of all names of a format; another type's own name. In lower case."""
    return _KNOWN_AS.get(name, name)


def known_as_any(names: tuple[str, ...] | None) -> frozenset[str] | None:
    """The same of a list that a user has written: types without parameters."""
    if names is None:
        return None
    return frozenset(known_as(name.lower()) for name in names)


def recognise(head: bytes) -> str | None:
    """The media type that the first bytes tell, by the name by which it is known."""
    for label, names in MEDIA:
        if _SIGNATURES[label](head):
            return names[0]
    return None


def larger_edge(media_type: str, head: bytes) -> int | None:
    """The pixels of a recognised picture's longer edge; None if unknown."""
    measure = _MEASURES.get(_FORMATS[media_type])
    return measure(head) if measure else None


def _is_bmp(head: bytes) -> bool:
    return head[:2] == b"BM" and _little(head, 14, 4) in _BMP_HEADERS


def _is_mp3(head: bytes) -> bool:
    frame = len(head) > 1 and head[0] == 0xFF and head[1] & 0xE6 == 0xE2
    return frame or head.startswith(b"ID3")


_SIGNATURES: dict[str, Callable[[bytes], bool]] = {
    "PNG": lambda head: head.startswith(b"\x89PNG\r\n\x1a\n"),
    "JPEG": lambda head: head.startswith(b"\xff\xd8\xff"),
    "GIF": lambda head: head.startswith((b"GIF87a", b"GIF89a")),
    "WebP": lambda head: head[:4] == b"RIFF" and head[8:12] == b"WEBP",
    "BMP": _is_bmp,
    "TIFF": lambda head: head.startswith((b"II*\0", b"MM\0*")),
    "PDF": lambda head: head.startswith(b"%PDF-"),
    "WAV": lambda head: head[:4] == b"RIFF" and head[8:12] == b"WAVE",
    "MP3": _is_mp3,
    "OGG": lambda head: head.startswith(b"OggS"),
    "FLAC": lambda head: head.startswith(b"fLaC"),
    "MP4": lambda head: head[4:8] == b"ftyp",
}


def _png(head: bytes) -> int | None:
    if head[12:16] != b"IHDR":
        return None
    return _larger(_big(head, 16, 4), _big(head, 20, 4))


def _gif(head: bytes) -> int | None:
    return _larger(_little(head, 6, 2), _little(head, 8, 2))


def _bmp(head: bytes) -> int | None:
    if head[14:18] == b"\x0c\0\0\0":
        return _larger(_little(head, 18, 2), _little(head, 20, 2))
    return _larger(_signed(head, 18), _signed(head, 22))


def _webp(head: bytes) -> int | None:
    chunk = head[12:16]
    if chunk == b"VP8X":
        width, height = _little(head, 24, 3), _little(head, 27, 3)
        return None if width is None or height is None else max(width, height) + 1
    if chunk == b"VP8L" and head[20:21] == b"\x2f":
        bits = _little(head, 21, 4)
        return None if bits is None else max(bits & 0x3FFF, bits >> 14 & 0x3FFF) + 1
    if chunk == b"VP8 " and head[23:26] == b"\x9d\x01\x2a":
        bits = _little(head, 26, 4)
        return None if bits is None else max(bits & 0x3FFF, bits >> 16 & 0x3FFF)
    return None


def _jpeg(head: bytes) -> int | None:
    at = 2
    while head[at : at + 1] == b"\xff":
        code = head[at + 1 : at + 2]
        if code == b"\xff":
            at += 1
            continue
        if not code:
            break
        marker = code[0]
        if marker in _FRAMES:
            return _larger(_big(head, at + 5, 2), _big(head, at + 7, 2))
        if marker in _WITHOUT_LENGTH:
            at += 2
            continue
        length = _big(head, at + 2, 2)
        if marker in {0xD9, 0xDA} or length is None:
            return None
        at += 2 + length  # of 0 and 1, which it cannot be, too: no marker stands there
    return None


_MEASURES: dict[str, Callable[[bytes], int | None]] = {
    "PNG": _png,
    "JPEG": _jpeg,
    "GIF": _gif,
    "WebP": _webp,
    "BMP": _bmp,
}


def _larger(width: int | None, height: int | None) -> int | None:
    return None if width is None or height is None else max(width, height)


def _big(head: bytes, at: int, size: int) -> int | None:
    field = head[at : at + size]
    return int.from_bytes(field, "big") if len(field) == size else None


def _little(head: bytes, at: int, size: int) -> int | None:
    field = head[at : at + size]
    return int.from_bytes(field, "little") if len(field) == size else None


def _signed(head: bytes, at: int) -> int | None:
    field = head[at : at + 4]
    return abs(int.from_bytes(field, "little", signed=True)) if len(field) == 4 else None
