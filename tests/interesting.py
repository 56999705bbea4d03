"""Words on which rules turn: what `strategies.py` puts in the place of good ones.

Comes in: nothing. Goes out: good words (of which no rule says anything) and doubtful ones, by the
member that they are for; values of a wrong type; pieces of text that end up anywhere in the bytes.
Doubtful words stand on both sides of a rule's border, so some of them are fine. Not a test itself.
"""

import base64
import struct

from elementguard._python.rules.shape import ROLES
from elementguard._python.rules.words import FURNITURE, MEDIA, SUGGESTIONS


class Literal(str):
    """A number as it is written."""

    __slots__ = ()


def literals(texts):
    """Several of them."""
    return tuple(map(Literal, texts.split()))


# --- good words ---

CHARACTERS = (
    "abz AZ09-_./\\\"'{}[],:é中🚬\u0301\ufeff\u200d\ufffd\U0010ffff\ue000\u07ff\u0800\uffff"
)
TITLES = ("Launch plan", "é", '"', "\\", "中文 / 🚬", "a\u00a0b", "\ufeff", "x" * 64, "a\u200bb")
SUBROLES = ("task", "", "pane", "mark down", "пункт", "x" * 65)
ADDRESSES = (
    "file:///tmp/a%20b",
    "https://example.com/a?b=c#d",
    "ab:c",
    "notes+app-1.x://thread/7",
    "https://bücher.example/中",
    "mailto:a@b.example",
    "jar:javascript:1",
)
PICTURE = "data:image/png;base64,iVBORw0KGgo="
IDS = ("app", "w-1", "c_3", "0", "-", "_", "A" * 128)
SCALARS = (None, True, False, 0, -1, 7, 0.5, 1e300, 2**53 - 1, "", "due", "2026-12-01", [], {})
NUMBERS = literals("0 -0 1.0 0.50 1e2 1E+2 5e-324 1e-400 2.5E0")
WHOLES = (0, 1, 2**53 - 1, -5, *literals("1.0 1e3 120e-1 -0.0"))
FRACTIONS = (0, 1, 0.5, *literals("1.0 0e9 10e-1 1E-9999"))
TYPES_OF_MEDIA = (
    "text/plain",
    "text/plain; charset=utf-8",
    'text/html;x="a\\"b c";y=z',
    "image/svg+xml",
    "application/x.y-z+json ;",
)


def _png(width, height):
    return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height) + b"\x08\x02\0"


def _jpeg(width, height):
    before = b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0\xff\xff\xc4\0\4ab"
    return before + b"\xff\xc2\0\x11\x08" + struct.pack(">HH", height, width) + b"\3" + bytes(9)


def _bmp(width, height):
    return b"BM" + bytes(12) + struct.pack("<Iii", 40, width, -height) + b"\1\0"


def _bmp_core(width, height):
    return b"BM" + bytes(12) + struct.pack("<IHH", 12, width, height)


def _webp(chunk, body):
    return b"RIFF\x40\0\0\0WEBP" + chunk + b"\x10\0\0\0" + body


# Each by the name of its format: the first bytes of a file, with edges of 1 to 16,383 pixels.
HEADS = {
    "PNG": (_png(390, 844), _png(1, 8000), _png(9000, 1), _png(2, 3)[:20]),
    "JPEG": (_jpeg(640, 9), _jpeg(2, 8001), b"\xff\xd8\xff\xd9", b"\xff\xd8\xff\xe1\xff\xff"),
    "GIF": (b"GIF89a\x10\x27\1\0", b"GIF87a\1\0\x41\x1f", b"GIF89a\1"),
    "WebP": (
        _webp(b"VP8X", b"\0\0\0\0\x0f\x27\0\2\0\0"),
        _webp(b"VP8L", b"\x2f\xff\xff\xff\x0f"),
        _webp(b"VP8 ", b"\0\0\0\x9d\x01\x2a\x10\x40\x20\xc0"),
        b"RIFF\0\0\0\0WEBP",
    ),
    "BMP": (_bmp(7, 9001), _bmp_core(100, 4), _bmp(1, -2)[:20]),
    "TIFF": (b"II*\0", b"MM\0*ab"),
    "PDF": (b"%PDF-1.7\n",),
    "WAV": (b"RIFF\x24\0\0\0WAVEfmt ",),
    "MP3": (b"ID3\4\0", b"\xff\xfb\x90\0", b"\xff\xe3"),
    "OGG": (b"OggS\0",),
    "FLAC": (b"fLaC\0",),
    "MP4": (b"\0\0\0\x18ftypheic", b"\0\0\0\x18ftyp"),
}
NAMES_OF_MEDIA = dict(MEDIA)
UNKNOWN_HEADS = (b"", b"\0", b"\0" * 8 + b"ftyp", b"\0<svg/>", b"\0\1\2\3\4")


def encoded(data):
    """Base64 as the standard writes it."""
    return base64.b64encode(data).decode()


# --- doubtful ones ---

_ROLES = (
    *ROLES,
    *sorted(FURNITURE)[::5],
    *sorted(SUGGESTIONS)[::4],
    *("AXButton", "axbutton", "AX Push-Button", "-AXMenu", "A-X menu", "AXAXRow", "AX", "window"),
    *("Scroll_Bar", "STATICTEXT", "AXWebArea", "Wındow", "ſwitch", "Kelvin", "", "row ", "Row\n"),
    *("x" * 64 + "yz", "\u202eRow", "Button\0", "x" * 63 + "\U0001f6ac" + "z", "Tab\u00a0Bar"),
)
_IDS = ("", "a b", "é", "a" * 129, "a" * 5000, "w\n", "a/b~c", "\u202e", "id\0", "app", "w-1", "0")
_ADDRESSES = (
    *("javascript:alert(1)", " \x01JavaScript:x", "java\tscr\nipt:x", "vbscript:x", "\x7fdata:x"),
    *("data:text/html,x", "DATA:image/png,x", "data:IMAGE/x"),
    *("data:", "da\rta:imag\te/gif,", PICTURE),
    *("", ":", "a:b", "ab:", "ab:\n", "1b:c", "/x", "a b:c", "ab:c d", "ab:%", "ab:%4", "ab:%4G"),
    *("ab:%41", "ab:<", "ab:\u00a0", "ab:\u3000", "ab:\u200b"),
    *("ab:\x85", "ab:`", "é:x", "\u212a:x"),
    *("ab:\udc00", "javaſcript:x", "ab:" + "x" * 200, "jav\u0130script:x", "ab:|", "ab:^\\{}"),
)
_BASE64 = (
    *("", "=", "==", "A", "AA", "AA=", "AA=="),
    *("AB==", "AAA=", "AAB=", "AAAA", "AAAA=", "AA==AA=="),
    *("AA===", "AAA==", "A=AA", "AAAAA", "data:image/png;base64,AA==", "data", "data:", "Data:,x"),
    *("A-_A", "AA\nAA", "AA AA", "AA\u00a0", "é", "AA=é", "AA=\n", "////", "++++", "-", "AA\x0bA"),
    *("iVBORw0KGgo=", "iVBORw0KGgp=", "iVBORw0KGgo", "R0lGODlh", "/9j/", "//uQ", "JVBERi0="),
)
_MEDIA_TYPES = (
    *("image/png", "IMAGE/PNG", "image/x-png", "image/jpg"),
    *("image/gif;q=1", "audio/mp3", "image/webp"),
    *("audio/wav", "video/mp4", "image/heic", "application/pdf"),
    *("text/plain", "audio/opus", "image/"),
    *("image", "", "/png", "image/png;"),
    *("image/png ; ; a=b", "image/png; a =b", 'image/png;a="', "a/b/c"),
    *(" image/png", "image/png ", "image/png\n", "image/p ng", "ımage/png", "x" * 127 + "/y"),
    *("x" * 128 + "/y", 'a/b;c="\\\u00e9\t"', 'a/b;c="\x00"'),
    *("a/b;é=1", "image/" + "y" * 80 + "é"),
)
_TITLES = (
    *("", " ", "\u3000\u2003", "\u200b", "a\nb", "\n"),
    *("a\r\n", "\x0b", "\x0c", "\x85", "a\u2028b"),
    *("\x00", "\x1b[31m", "\x7f", "\x9f", "\t"),
    *("a\u202eb", "\u2069", "\u200f", "é" * 40, "\ud800"),
)
_PROTOCOLS = ("0.2.0", "0.2.17", "0.2", "0.2.", "0.2.00", "0.2.01", "0.3.0", "0.2.1\n", "0.2.٣", "")
_DATES = ("2026-12-01", "", "yesterday")

DOUBTFUL = {
    "role": _ROLES,
    "id": _IDS,
    "url": _ADDRESSES,
    "uri": _ADDRESSES,
    "src": _ADDRESSES,
    "data": _BASE64,
    "blob": _BASE64,
    "mimeType": _MEDIA_TYPES,
    "title": _TITLES,
    "subrole": _TITLES,
    "instance": _TITLES,
    "protocol": _PROTOCOLS,
    "type": ("text", "image", "audio", "resource_link", "resource", "Text", "video", "", "x" * 70),
    "text": ("", "a\ud800b", "\udc00\ud800", "\x00", "\ufffd"),
    "theme": ("light", "dark", "Light", ""),
    "audience": (["user"], ["assistant", "User", 1, None], [], ["user", "user"], [[]]),
    "priority": (
        *literals("0 1 1.00 1.0000000000000000000001 -0.0 -1e-9 2 1e-99999 10E-1 0.1e1 11e-1"),
        *literals("1e99999999999999999999999 0e99999999999999999999999 0.999999999999999999999"),
    ),
    "size": literals("1.5 1e-1 10e-1 1.0 1e400 9007199254740992 0.0e0 0e99999999999999999999"),
    "relation": ("", "blocks"),
    "lastModified": _DATES,
    **dict.fromkeys(("selected", "focused", "visible", "hovered"), (True, False)),
    "children": ([], [{}], [7], [{"id": "x", "role": "Row", "hovered": True}], [[{}]]),
    "content": ([], [{"type": "audio"}], [{}], [None, {"text": "", "type": "text"}], ["x"]),
    "related": ([], [{}], [{"relation": "r", "id": "no"}], [1], [{"relation": 1, "url": None}]),
    "attributes": ({}, {"selected": 1}, {"visible": None, "hovered": False}, {"author": 7}),
    "resource": ({}, {"uri": "x", "text": "", "blob": "AA=="}, {"uri": None, "text": None}, []),
    "icons": ([], [{}], [{"src": "javascript:x", "theme": 1, "sizes": [1]}], ["x"]),
    "annotations": ({}, {"priority": 2}, {"audience": [""], "lastModified": None}),
}
# Near to fields and far from them; names that need escapes in JSON, in pointers, and in reports.
NAMES = (
    *("Id", "rôle", "tittle", "titel", "childern", "hoverd", "x", "", "a/b~c~1", 'q"\\', "\u202e"),
    *("é", "\ud800", "\udfffx", "x" * 65, "__proto__", "\x00", "select", "VISIBLE", "uRL", "xyz"),
)
ODD = (
    *SCALARS,
    *("\ud800", "a\udc00b", "\ud83d x \ude00", [[]], [{}], {"a": {"a": [None]}}, {"id": "w-1"}),
    *literals("9007199254740992 -9007199254740993 1e309 -1e400 0e999999999999999999999999"),
    *literals("1.7976931348623158e308 1.7976931348623159e308 " + "9" * 400),
    *literals(f"{2**1024 - 2**970}.0 {2**1024 - 2**970 - 1}.0"),  # where doubles become infinite
)
# Pieces of JSON, whole and broken, that are put anywhere between the bytes.
PIECES = tuple(
    piece if isinstance(piece, bytes) else piece.encode()
    for piece in (
        *'"{}[],: \n\\/',
        *("\\u", "\\ud800", "\\ud83d\\ude00", "\\udc00\\ud800", "\\uD8"),
        *("\\n", "\\/", "\\x", "\\u00e9"),
        *("null", "true", "false", "nul", "trve", "NaN"),
        *("Infinity", "-Infinity", "-I", "//", "/**/"),
        *("0", "-", "-0", "00", "1.", ".5", "1e"),
        *("1e+", "1e400", "+1", "0x1", "1_0", "9007199254740993"),
        *("é", "中", "🚬", "\ufeff", "\u2028", "\x7f", "\x00"),
        *("\x1f", "\t", ",]", ",}", "{}", "[]", "{,"),
        *(b"\xff", b"\xc3", b"\xe4\xb8", b"\xf0\x9f\x9a"),
        *(b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90"),
        *(b"\x80", b"\xe0\x80\x80", b"\xf0\x80", b"\xf5", b"\xef\xbb\xbf", b"\xed\x9f\xbf"),
        *('"focused":true,', '"hovered":true,', '"visible":true,'),
        *('"selected":false,', '"id":"x",'),
        *('"role":"Text",', '"children":[],', '"content":[{}],', '"type":"image",', '"title":"",'),
    )
)
