"""The pure engine's small rooms, against what Python can say: fractions, strict base64, buffers.

Comes in: every text of a small alphabet, numbers at all edges. Goes out: a failure where a room
reads one differently. The vectors can only show a few of each.
"""

import base64
import binascii
import itertools
import mmap
import re
from fractions import Fraction

import pytest

from elementguard._python.base64 import Payload
from elementguard._python.number import Number
from elementguard._python.number import from_text as number_of
from elementguard._python.stream import Stream, view_of


def every_number():
    wholes = ["0", "1", "9", "10", "100", "9007199254740991", "9007199254740992", "9" * 17]
    wholes += [str(INFINITE), str(INFINITE - 1), str(INFINITE + 1), "1" + "0" * 308, "9" * 309]
    fractions = ["", ".0", ".5", ".50", ".05", ".000000000000000000001", ".9" + "0" * 400 + "1"]
    powers = ["", "e0", "E1", "e+2", "e-1", "e-2", "e-17", "e000308", "e309", "e-400", "e-0000000"]
    for sign, whole, fraction, power in itertools.product(["", "-"], wholes, fractions, powers):
        yield sign + whole + fraction + power


INFINITE = 2**1024 - 2**970  # the least whole number that a double rounds to infinity


def in_runs(text, size):
    """The number as the lexer feeds it, digits in runs of a size."""
    number = Number()
    sign, whole, point, fraction, power = re.fullmatch(
        r"(-?)([0-9]+)(\.?)([0-9]*)(?:[eE]([+-]?[0-9]+))?", text
    ).groups()
    if sign:
        number.minus()
    feed_runs(number.digits, whole, size)
    if point:
        number.not_whole()
        feed_runs(number.digits, fraction, size)
    if power:
        number.not_whole()
        if power.startswith("-"):
            number.minus_power()
        feed_runs(number.power, power.lstrip("+-"), size)
    return number


def feed_runs(feed, digits, size):
    for at in range(0, len(digits), size):
        feed(digits[at : at + size].encode())


@pytest.mark.parametrize("size", [1, 5, 1_000])
def test_numbers_have_the_value_of_their_fraction(size):
    for text in every_number():
        number, value = in_runs(text, size), Fraction(text)
        whole = text.lstrip("-").isdigit()
        assert number.is_integer() == (value.denominator == 1), text
        assert number.is_fraction_of_one() == (0 <= value <= 1), text
        imprecise = abs(value) >= INFINITE or (whole and abs(value) >= 2**53)
        assert number.is_imprecise() == imprecise, text


def test_exponents_beyond_all_measure():
    huge = "9" * 5_000
    for text, integer, unit, imprecise in [
        (f"1e{huge}", True, False, True),
        (f"1e-{huge}", False, True, False),
        (f"-1e-{huge}", False, False, False),
        (f"0e{huge}", True, True, False),
        (f"-0e-{huge}", True, True, False),
    ]:
        number = in_runs(text, 7)
        told = (number.is_integer(), number.is_fraction_of_one(), number.is_imprecise())
        assert told == (integer, unit, imprecise), text


@pytest.mark.parametrize("value", [0.0, -0.0, 1.0, 0.5, 1e16, 1e-7, 1.5e300, -2.5e-300, 123e20])
def test_floats_have_the_value_that_python_writes(value):
    number = number_of(repr(value))
    assert number.is_integer() == value.is_integer()
    assert number.is_fraction_of_one() == (0 <= value <= 1)
    assert not number.is_imprecise()


def test_base64_is_what_a_strict_decoder_takes():
    for length in range(8):
        for letters in itertools.product("QR=*", repeat=length):
            text = "".join(letters)
            payload = Payload()
            for letter in text:
                payload.piece(letter)
            payload.end()
            try:
                decoded = base64.b64decode(text, validate=True)
            except binascii.Error:
                decoded = None
            # Python's decoder lets padding inside and behind the last group pass.
            if decoded is not None and re.fullmatch(r"(?:[QR]{4})*(?:[QR]{2}==|[QR]{3}=)?", text):
                assert (payload.reason, payload.head()) == (None, decoded), text
                assert payload.decoded_bytes() == len(decoded)
                assert payload.is_loose() == (base64.b64encode(decoded).decode() != text), text
            else:
                assert payload.reason, text
                assert (payload.decoded_bytes(), payload.head()) == (0, b"")


def test_what_others_may_change_is_copied():
    data = bytearray(b"answer")
    for given in (data, memoryview(data), memoryview(data)[1:]):
        with view_of(given, "data") as view:
            before = bytes(view)
            data[3] ^= 0xFF
            assert bytes(view) == before


def test_what_nobody_changes_is_not_copied():
    data = b"answer"
    for given in (data, memoryview(data), memoryview(data)[1:], memoryview(data).cast("B", [2, 3])):
        with view_of(given, "data") as view:
            assert view.obj is data
            assert (view.ndim, view.format) == (1, "B")
    with mmap.mmap(-1, 6) as mapped, view_of(mapped, "data") as view:
        assert view.obj is mapped


class Odd:
    """Stands for a check in the middle of which something else happens."""

    failed = fatal = False
    ok = True

    def feed(self, _):
        self.happens()

    def finish(self):
        self.happens()
        return self


def refusal(call):
    with pytest.raises(ValueError, match="stream: ") as caught:
        call()
    return str(caught.value)


@pytest.mark.parametrize("call", [lambda stream: stream.feed(b"{"), Stream.finish])
def test_a_stream_says_why_it_refuses(call):
    check = Odd()
    stream, told = Stream(check), []
    check.happens = lambda: told.append((refusal(lambda: stream.feed(b"")), refusal(stream.finish)))
    call(stream)
    assert told == [("stream: another call is reading",) * 2]

    def broken_off():
        raise KeyboardInterrupt

    check.happens = broken_off
    stream = Stream(check)
    with pytest.raises(KeyboardInterrupt):
        call(stream)
    reason = "stream: an earlier call was broken off; the answer needs another"
    assert refusal(lambda: stream.feed(b"")) == refusal(stream.finish) == reason


def test_a_stream_that_is_finished_stays_so():
    check = Odd()
    check.happens = lambda: None
    stream = Stream(check)
    assert stream.feed(b"{")
    assert stream.finish() is stream.finish() is check
    reason = "stream: it is finished; the next answer needs another"
    assert refusal(lambda: stream.feed(b"")) == reason
    assert (stream.failed, stream.fatal) == (False, False)
    check.ok, check.fatal = False, True
    stream = Stream(check)
    stream.finish()
    assert (stream.failed, stream.fatal) == (True, True)
