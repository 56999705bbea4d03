"""Answers put into bytes in any handwriting, damaged, and shifted to where a reader might slip.

Comes in: answers as Python objects (`valid_answers.py`), or bytes. Goes out: bytes. What shifts:
readers work in blocks, of 64 bytes and of 4 KiB for instance, and their faults show where a byte
that means something meets the end of one. Not a test itself.
"""

import json
import random
import re

import interesting as words
from interesting import Literal
from valid_answers import may

# Where white space may stand: the same everywhere, or some here and there.
GAPS = ("", " ", "\r\n\t")
_HERE_AND_THERE = None
_BLANKS = ("", "", "", " ", "\n", "\t", "\r\n", "    ", "\r")
_SHORT = dict(zip('"\\/\b\f\n\r\t', '"\\/bfnrt', strict=True))
# What a writer escapes: what JSON asks for, all beyond ASCII, or anything now and then.
_ESCAPED = {
    "least": re.compile('["\\\\\0-\x1f\ud800-\udfff]'),
    "ascii": re.compile('["\\\\\0-\x1f/\x7f-\U0010ffff]'),
    "any": re.compile(r"[\s\S]"),
}
_MUST = _ESCAPED["least"]


def written(rnd, value, *, gaps=None, repeats=False):
    """The value as JSON. `gaps`: the white space at each place that can have it, one of `GAPS`;
    `repeats`: some objects name a member again.
    """
    if gaps is None:
        gaps = rnd.choice((*GAPS, _HERE_AND_THERE))
    whim, escapes = random.Random(rnd.getrandbits(32)), rnd.choice(tuple(_ESCAPED))
    hand = _Hand(whim, gaps, escapes, repeats=repeats)
    return "".join((hand.gap(), hand.value(value), hand.gap())).encode()


def plainly(value, gaps=""):
    """The value as JSON in one way alone, so that equal members have equal bytes."""
    return _Hand(_Steady(), gaps, "least", repeats=False).value(value).encode()


def compact(value):
    """The compact JSON of a value without Literals, as the contract's section 6 defines it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace")


class _Hand:
    """Who writes: a habit for white space, one for escapes, and a whim."""

    def __init__(self, whim, gaps, escapes, *, repeats):
        self._whim = whim
        self._gaps = gaps
        self._escapes = escapes
        self._repeats = repeats

    def gap(self):
        return self._whim.choice(_BLANKS) if self._gaps is _HERE_AND_THERE else self._gaps

    def value(self, value):
        if isinstance(value, Literal):
            return str(value)
        if isinstance(value, str):
            return self.string(value)
        if isinstance(value, dict):
            members = [self._member(name, member) for name, member in value.items()]
            if self._repeats and members and self._whim.random() < 0.2:
                self._repeat(members, value)
            return self._all("{", members, "}")
        if isinstance(value, list):
            return self._all("[", [self.value(item) for item in value], "]")
        return json.dumps(value)

    def string(self, text):
        whim = self._whim
        whole = self._escapes != "any"

        def escape(match):
            letter = match[0]
            if _MUST.match(letter) or whole or whim.random() < 0.3:
                return _escape(whim, letter)
            return letter

        return f'"{_ESCAPED[self._escapes].sub(escape, text)}"'

    def _member(self, name, value):
        return f"{self.string(name)}{self.gap()}:{self.gap()}{self.value(value)}"

    def _repeat(self, members, value):
        name = self._whim.choice(list(value))
        again = self._member(name, self._whim.choice((value[name], *words.ODD)))
        members.insert(self._whim.randrange(len(members) + 1), again)

    def _all(self, begin, parts, end):
        spaced = [f"{self.gap()}{part}{self.gap()}" for part in parts]
        return f"{begin}{','.join(spaced) or self.gap()}{end}"


class _Steady:
    """No whim: always the same."""

    def random(self):
        return 0

    def choice(self, several):
        return several[0]


def _escape(whim, letter):
    if letter in _SHORT and whim.random() < 0.7:
        return "\\" + _SHORT[letter]
    code = ord(letter)
    units = [code]
    if code > 0xFFFF:
        units = [0xD800 + (code - 0x10000 >> 10), 0xDC00 + (code & 0x3FF)]
    return "".join(f"\\u{unit:04{whim.choice('xX')}}" for unit in units)


# --- damage ---


def damaged(rnd, data, at=None):
    """The bytes with one fault. `at`: where, if it is not to be anywhere."""
    if at is None:
        at = rnd.randrange(len(data) + 1)
    return rnd.choice(_DAMAGE)(rnd, data, at)


def _flip(rnd, data, at):
    if at >= len(data):
        return data
    return data[:at] + bytes([data[at] ^ 1 << rnd.randrange(8)]) + data[at + 1 :]


def _put(rnd, data, at):
    return data[:at] + rnd.choice(words.PIECES) + data[at + rnd.choice((0, 1)) :]


def _leave_out(rnd, data, at):
    return data[:at] + data[at + rnd.choice((1, 1, 2, 5, 20)) :]


def _cut(_rnd, data, at):
    return data[:at]


def _say_again(rnd, data, at):
    begin = max(0, at - rnd.choice((1, 3, 30)))
    return data[:at] + data[begin:at] + data[at:]


_DAMAGE = (_flip, _put, _put, _leave_out, _cut, _say_again)

# --- shifted ---

# Around the ends of blocks of 64 bytes and of 4 KiB.
TARGETS = (*range(60, 69), *range(4090, 4101))
LANDMARKS = {
    "quote": re.compile(rb'"'),
    "opening bracket": re.compile(rb"[{\[]"),
    "closing bracket": re.compile(rb"[}\]]"),
    "comma": re.compile(rb","),
    "colon": re.compile(rb":"),
    "backslash": re.compile(rb"\\"),
    "behind a backslash": re.compile(rb'(?<=\\)["\\/bfnrtu]'),
    "hex digit": re.compile(rb"(?<=\\u)[0-9a-fA-F]{4}"),
    "surrogate pair": re.compile(rb"\\u[dD][89abAB]..\\u[dD][c-fC-F].."),
    "first of a character": re.compile(rb"[\xc2-\xf4]"),
    "inside a character": re.compile(rb"[\x80-\xbf]"),
    "behind a character": re.compile(rb"(?<=[\x80-\xbf])[\0-\x7f]"),
    "number": re.compile(rb"-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?"),
    "behind a number": re.compile(rb"(?<=[0-9])[,\]}\s]"),
    "word": re.compile(rb"true|false|null"),
    "white space": re.compile(rb"[ \t\r\n]"),
    "end": re.compile(rb"\Z"),
}
_TEXTS = re.compile(rb'"(?:title|text|subrole|description|author)"\s*:\s*"')
# Where a member can come first, and one that has all landmarks but the end.
_FIRST = re.compile(rb'\A\s*\{(?=\s*")')
_CARRIER = '"é\\ud83d\\udeac":[-1.5e0,true ,"🚬\\n",{}],'.encode()
_PADDING = ("x", "é", "中", "🚬", "\\u00e9", '\\"', "\\ud83d\\udeac", "x\u0301")


def shifted(rnd, data, landmark, target):
    """The bytes with a landmark of that name at the offset `target`, or None if that can't be."""
    offsets = _offsets(data, landmark, target)
    if not offsets or may(rnd, 0.2):
        data = _FIRST.sub(lambda match: match[0] + _CARRIER, data)
        offsets = _offsets(data, landmark, target)
    if not offsets:
        return None
    at = rnd.choice(offsets)
    room = target - at
    texts = [one.end() for one in _TEXTS.finditer(data, 0, at)]
    if texts and may(rnd, 0.6):
        begin = rnd.choice(texts)
        return data[:begin] + _padding(rnd, room) + data[begin:]
    return (rnd.choice(_BLANKS[3:]) * room)[:room].encode() + data


def _offsets(data, landmark, most):
    found = LANDMARKS[landmark].finditer(data, 0, most + 12)
    offsets = [at for one in found for at in range(one.start(), max(one.end(), one.start() + 1))]
    return [at for at in offsets if at <= most]


def _padding(rnd, room):
    unit = rnd.choice(_PADDING).encode()
    return unit * (room // len(unit)) + b"x" * (room % len(unit))
