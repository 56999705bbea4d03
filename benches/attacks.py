"""Benches, the attacks: answers that are made to cost more than they weigh.

In comes a size, out comes an answer. `GROWTH` are those whose cost must double when their size
does; `MEMORY` those that must not make a check hold much more than the answer itself. Each stands
for faults that other validators had: counting depth by recursion, comparing ids pair by pair,
looking up names in a list, copying a path for each finding, keeping all findings, waiting for all
members before an element is judged.
"""

import string
from collections.abc import Callable, Iterable
from itertools import islice, product

HEAD = b'{"protocol":"0.2.0","instance":"i","root":{"id":"app","role":"Application"'
TAIL = b"}}"


def children(elements: Iterable[bytes]) -> bytes:
    """An answer of these elements below the root."""
    return HEAD + b',"children":[' + b",".join(elements) + b"]" + TAIL


def attributes(value: bytes) -> bytes:
    """An answer with one attribute."""
    return HEAD + b',"attributes":{"a":' + value + b"}" + TAIL


def nested_arrays(n: int) -> bytes:
    """Arrays in arrays."""
    return attributes(b"[" * n + b"]" * n)


def nested_objects(n: int) -> bytes:
    """Objects in objects."""
    return attributes(b'{"a":' * n + b"0" + b"}" * n)


def nested_elements(n: int) -> bytes:
    """Elements in elements."""
    opening = b"".join(b'{"id":"e%d","role":"Row","children":[' % i for i in range(n))
    return children([opening + b'{"id":"e","role":"Row"}' + b"]}" * n])


def states_last(n: int) -> bytes:
    """The same with `visible` and `focused` behind `children`: nobody knows until the very end."""
    opening = b"".join(b'{"id":"e%d","role":"Row","children":[' % i for i in range(n))
    closing = b'],"visible":true,"focused":true}'
    return children([opening + b'{"id":"e","role":"Row","focused":true}' + closing * n])


def equal_ids(n: int) -> bytes:
    """One id, over and over."""
    return children([b'{"id":"dup","role":"Row"}'] * n)


def distinct_ids(n: int) -> bytes:
    """Many ids."""
    return children(b'{"id":"r-%d","role":"Row"}' % i for i in range(n))


def distinct_names(n: int) -> bytes:
    """Many names in one object."""
    return attributes(b"{" + b",".join(b'"n%d":0' % i for i in range(n)) + b"}")


def short_names(n: int) -> bytes:
    """The same, as short as so many can be: at most 262,144."""
    letters = string.ascii_letters + string.digits + "-_"
    names = islice(product(letters, repeat=3), n)
    return attributes(b"{" + b",".join(b'"%b":0' % "".join(name).encode() for name in names) + b"}")


def long_name(n: int) -> bytes:
    """One endless name, which leads to a fault."""
    return attributes(b'{"%b":123456789012345678901}' % (b"a name " * n))


def equal_names(n: int) -> bytes:
    """One name, over and over."""
    return attributes(b"{" + b",".join([b'"n":0'] * n) + b"}")


def escapes(n: int) -> bytes:
    """Strings of nothing but escapes."""
    title = b"\\u00e9\\/\\t\\ud83d\\ude00" * n
    element = b'{"id":"e","role":"Text","title":"%b","content":[{"type":"text","text":"%b"}]}'
    return children([element % (title, title + b"\\n")])


def related(n: int) -> bytes:
    """Links to elements that may still come."""
    links = b",".join(b'{"relation":"r","id":"x%d"}' % i for i in range(n))
    return HEAD + b',"attributes":{"related":[' + links + b"]}" + TAIL


def findings(n: int) -> bytes:
    """Three findings an element."""
    one = b'{"id":"bad id %d","role":"Row","focused":false,"children":[]}'
    return children(one % i for i in range(n))


def bare(n: int) -> bytes:
    """Elements with nothing in them: the fewest bytes for the most elements."""
    return children([b"{}"] * n)


def siblings(n: int) -> bytes:
    """Short elements with attributes and content."""
    content = b'"content":[{"type":"text","text":"x"}]'
    one = b'{"id":"s%d","role":"Row","attributes":{"a":[[1]]},' + content + b"}"
    return children(one % i for i in range(n))


def selected(n: int) -> bytes:
    """Elements with nothing but a state that a report tells of."""
    return children([b'{"selected":true}'] * n)


def long_ids(n: int) -> bytes:
    """Ids of a thousand characters, which none may have."""
    return children(b'{"id":"%b%d","role":"Row"}' % (b"x" * 1000, i) for i in range(n))


def long_title(n: int) -> bytes:
    """One endless title."""
    return children([b'{"id":"e","role":"Row","title":"%b"}' % (b"a title " * n)])


# Each with a size that shows growth and takes callgrind a second or two.
GROWTH: dict[str, tuple[Callable[[int], bytes], int]] = {
    "nested arrays": (nested_arrays, 50_000),
    "nested objects": (nested_objects, 50_000),
    "nested elements": (nested_elements, 20_000),
    "visible and focused last": (states_last, 20_000),
    "equal ids": (equal_ids, 50_000),
    "distinct ids": (distinct_ids, 50_000),
    "distinct names in an object": (distinct_names, 100_000),
    "equal names in an object": (equal_names, 100_000),
    "escapes": (escapes, 50_000),
    "related": (related, 50_000),
    "findings": (findings, 20_000),
}
MEMORY: dict[str, tuple[Callable[[int], bytes], int]] = {
    "nested arrays": (nested_arrays, 1_000_000),
    "nested elements": (nested_elements, 100_000),
    "visible and focused last": (states_last, 100_000),
    "equal ids": (equal_ids, 200_000),
    "distinct ids": (distinct_ids, 200_000),
    "distinct names in an object": (distinct_names, 200_000),
    "short names in an object": (short_names, 235_000),
    "equal names in an object": (equal_names, 200_000),
    "long name": (long_name, 500_000),
    "escapes": (escapes, 200_000),
    "related": (related, 200_000),
    "findings": (findings, 60_000),
    "bare elements": (bare, 1_000_000),
    "selected elements": (selected, 300_000),
    "siblings": (siblings, 50_000),
    "long ids": (long_ids, 5_000),
    "long title": (long_title, 500_000),
}
