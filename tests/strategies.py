"""Strategies: all that the property tests read.

Comes in: a source of choices, `rnd`: Hypothesis' own, whose examples shrink, or a seeded one where
speed counts. So each maker is a function of `rnd`, and `drawn(maker)` is its strategy. Goes out:
texts (`text_case`) and parsed objects (`object_case`) with what to check them with: valid answers,
mutated and damaged ones, raw noise. Not a test itself.
"""

import collections
import decimal
import enum
import types
from dataclasses import dataclass, field

from hypothesis import strategies as st

import interesting as words
from elementguard._catalogue import CATALOGUE
from elementguard._limits import COUNTS, Limits
from elementguard._validator import over
from interesting import Literal
from valid_answers import answer, detail, element, insert, json_value, may, twin
from written_answers import LANDMARKS, TARGETS, damaged, shifted, written

STATES = ("selected", "focused", "visible", "hovered")
_ENDLESS = (2**31, 2**63 - 1, 2**63, 10**30)
_MANY = (30, 40, 60)  # elements of a large answer
_FAR = tuple(range(65_530, 65_542))


def drawn(maker):
    """The strategy of what a maker makes."""
    return st.randoms(use_true_random=False).map(maker)


# --- cases ---


@dataclass
class Case:
    """An input, and what to check it with."""

    data: object
    limits: dict = field(default_factory=dict)
    rules: dict = field(default_factory=dict)
    kind: str = "answer"
    origin: str = ""  # how it was made
    landmark: tuple = ()  # what was shifted, and where to

    def validator(self, core):
        """The facade's validator of these settings over an engine."""
        return over(core, limits=Limits(**self.limits), rules=self.rules, kind=self.kind)

    def told(self, core):
        """All that an engine says, in its own words."""
        outcome = self.validator(core)._checker.check(self.data)
        return {
            "ok": outcome.ok,
            "fatal": outcome.fatal,
            "truncated": outcome.truncated,
            "counts": outcome.counts(),
            "findings": outcome.findings(),
            "summary": outcome.summary(),
        }

    def __repr__(self):
        try:
            data = repr(self.data)
        except ValueError:  # an integer of more digits than Python writes
            data = "(data that cannot be written)"
        return f"Case({data}, {self.limits}, {self.rules}, {self.kind!r})"


def text_case(rnd):
    """Any bytes. One in five has more than 4 KB."""
    case = Case(b"", **settings_of(rnd))
    case.origin = rnd.choice(("valid", "mutated", "mutated", "damaged", "damaged", "noise", "raw"))
    case.data = _text(rnd, case)
    if may(rnd, 0.65):
        _shift(rnd, case)
    return case


def object_case(rnd):
    """Any parsed object, with types that JSON does not have in some."""
    case = Case(None, **settings_of(rnd))
    case.origin = rnd.choice(("valid", "mutated", "mutated", "noise"))
    case.data = literals_read(_value(rnd, case))
    if may(rnd, 0.6):
        case.origin = "odd"
        case.data = odd(rnd, case.data)
    return case


def _text(rnd, case):
    if case.origin == "raw":
        return raw(rnd)
    text = written(rnd, _value(rnd, case), repeats=case.origin != "valid" and may(rnd, 0.3))
    if case.origin == "damaged":
        for _ in range(rnd.choice((1, 1, 2, 3))):
            text = damaged(rnd, text)
    return text


def _value(rnd, case):
    if case.origin == "noise":
        return noise(rnd)
    size = rnd.choice(_MANY) if may(rnd, 0.05) else None
    value = (answer if case.kind == "answer" else element)(rnd, size)
    if case.origin == "valid" or (case.origin == "damaged" and may(rnd, 0.5)):
        return value
    return mutated(rnd, value)


def _shift(rnd, case):
    name = rnd.choice(tuple(LANDMARKS))
    target = rnd.choice(_FAR if may(rnd, 0.01) else TARGETS)
    data = shifted(rnd, case.data, name, target)
    if data is None:
        return
    case.data, case.landmark = data, (name, target)
    if case.origin in ("damaged", "raw"):
        case.data = damaged(rnd, data, target + rnd.choice((-1, 0, 0, 0, 1)))


# --- noise ---


def noise(rnd):
    """Random JSON, or a random value where an answer is expected."""
    value = twin(rnd.choice((*words.ODD, [[], {}], {"root": {"children": [{}]}})))
    return rnd.choice((value, {"root": value}, {"root": json_value(rnd), "protocol": value}))


def raw(rnd):
    """Random bytes: any, or such as JSON is made of."""
    own = detail(rnd)
    if may(rnd, 0.3):
        return own.randbytes(own.randrange(80))
    return b"".join(own.choices(words.PIECES, k=rnd.randrange(24)))


def permuted(rnd, value):
    """The same value with the members of all its objects in another order."""
    if isinstance(value, dict):
        names = list(value)
        rnd.shuffle(names)
        return {name: permuted(rnd, value[name]) for name in names}
    return [permuted(rnd, item) for item in value] if isinstance(value, list) else value


def slots(value):
    """All places in dicts and lists that hold a value: the container and the key."""
    found, waiting, seen = [], [value], set()
    while waiting:
        box = waiting.pop()
        if not isinstance(box, (dict, list)) or id(box) in seen:
            continue
        seen.add(id(box))
        for key in list(box) if isinstance(box, dict) else range(len(box)):
            found.append((box, key))
            waiting.append(box[key])
    return found


# --- mutated answers ---


def mutated(rnd, value):
    """The value with one or several changes, of which most are faults."""
    box = [value]
    for _ in range(rnd.choice((1, 1, 1, 2, 3, 6))):
        rnd.choice(_CHANGES)(rnd, box)
    return box[0] if box else None


def _drop(rnd, box):
    holder, key = rnd.choice(slots(box))
    if holder is not box:
        del holder[key]


def _retype(rnd, box):
    holder, key = rnd.choice(slots(box))
    holder[key] = twin(rnd.choice(words.ODD))


def _null(rnd, box):
    members = [(holder, key) for holder, key in slots(box) if isinstance(holder, dict)]
    if members:
        holder, key = rnd.choice(members)
        holder[key] = None


def _doubt(rnd, box):
    known = [(holder, key) for holder, key in slots(box) if key in words.DOUBTFUL]
    if known:
        name = rnd.choice(sorted({key for _, key in known}))  # each as often, however many it has
        holder, key = rnd.choice([one for one in known if one[1] == name])
        holder[key] = twin(rnd.choice(words.DOUBTFUL[name]))


def _same_id(rnd, box):
    holders = [holder for holder, key in slots(box) if key == "id" and isinstance(holder, dict)]
    if holders:
        rnd.choice(holders)["id"] = twin(rnd.choice(holders)["id"])


def _add(rnd, box):
    objects = [box[key] for box, key in slots(box) if isinstance(box[key], dict)]
    if objects:
        members = rnd.choice(objects)
        name = rnd.choice((*words.DOUBTFUL, *words.NAMES))
        value = twin(rnd.choice(words.DOUBTFUL.get(name, words.ODD)))
        insert(members, rnd.randrange(len(members) + 1), name, value)


def _rename(rnd, box):
    holder, key = rnd.choice(slots(box))
    if isinstance(holder, dict):
        name = rnd.choice((*words.NAMES, *words.DOUBTFUL))
        at = list(holder).index(key)
        insert(holder, at, name, holder.pop(key))


def _copy(rnd, box):
    places = slots(box)
    (holder, key), (other, of) = rnd.choice(places), rnd.choice(places)
    holder[key] = twin(other[of])


def _item(rnd, box):
    arrays = [box[key] for box, key in slots(box) if isinstance(box[key], list)]
    if arrays:
        items = rnd.choice(arrays)
        item = twin(rnd.choice((*words.ODD, *items)))
        items.insert(rnd.randrange(len(items) + 1), item)


def _state(rnd, box):
    elements = [box[key] for box, key in slots(box) if isinstance(box[key], dict)]
    elements = [one for one in elements if "role" in one]
    if elements:
        one = rnd.choice(elements)
        insert(one, rnd.randrange(len(one) + 1), rnd.choice(STATES), may(rnd, 0.7))


def _surrogate(rnd, box):
    texts = [(holder, key) for holder, key in slots(box) if type(holder[key]) is str]
    if texts:
        holder, key = rnd.choice(texts)
        at = rnd.randrange(len(holder[key]) + 1)
        holder[key] = holder[key][:at] + rnd.choice("\ud800\udbff\udc00\udfff") + holder[key][at:]


def _bury(rnd, box):
    holder, key = rnd.choice(slots(box))
    for _ in range(rnd.choice((1, 2, 40))):
        holder[key] = rnd.choice(([holder[key]], {"a": holder[key]}, {"children": [holder[key]]}))


_CHANGES = (_doubt, _doubt, _doubt, _state, _state, _add, _add)
_CHANGES += (_drop, _null, _same_id, _retype, _rename, _copy, _item, _surrogate, _bury)


# --- settings ---


def settings_of(rnd, *, all_limits=True):
    """Limits, rules and kind, as the facade takes them. Mostly few of them; often none."""
    limits = {}
    for _ in range(rnd.choice((0, 0, 1, 1, 2))):
        name = rnd.choice(COUNTS)
        if all_limits or name != "bytes":
            limits[name] = rnd.choice((None, *range(6), 10, 40, 100, 400, *_ENDLESS))
    if may(rnd, 0.1):
        limits["media_types"] = tuple(rnd.sample(("image/png", "image/JPG", "audio/wav", "a/b"), 2))
    rules = {}
    if may(rnd, 0.2):
        for row in rnd.sample(_MOVABLE, rnd.randrange(8)):
            rules[row[0]] = rnd.choice(("off", "note", "warning", "error"))
    kind = rnd.choice(("answer", "answer", "answer", "element"))
    return {"limits": limits, "rules": rules, "kind": kind}


_MOVABLE = tuple(row for row in CATALOGUE if row[3])

# --- parsed objects ---


class Text(str):
    __slots__ = ()


class Whole(int):
    pass


class Real(float):
    pass


class List(list):
    pass


class Dict(dict):
    pass


class Color(enum.IntEnum):
    RED = 7


def literals_read(value):
    """The value as a JSON reader hands it over; numbers too large for a double become small."""
    if isinstance(value, Literal):
        number = float(value) if set(value) & set(".eE") else int(value)
        return 0.25 if number in {float("inf"), -float("inf")} else number
    if isinstance(value, dict):
        return {name: literals_read(member) for name, member in value.items()}
    return [literals_read(item) for item in value] if isinstance(value, list) else value


def pairs_joined(value):
    """The same with two surrogates that make a character as that character, as text has it."""
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    if isinstance(value, dict):
        return {pairs_joined(name): pairs_joined(member) for name, member in value.items()}
    return [pairs_joined(item) for item in value] if isinstance(value, list) else value


def dressed(rnd, value):
    """The same value in other classes that mean the same."""
    if isinstance(value, dict):
        value = {dressed(rnd, name): dressed(rnd, member) for name, member in value.items()}
    elif isinstance(value, list):
        value = [dressed(rnd, item) for item in value]
    return _in_other_dress(rnd, value)


def odd(rnd, value):
    """The value with types, keys and containers that JSON does not have."""
    box = [value]
    for _ in range(rnd.choice((1, 1, 2, 4))):
        rnd.choice(_ODDITIES)(rnd, box)
    return box[0]


def _in_other_dress(rnd, value):
    if value is None or isinstance(value, bool) or may(rnd, 0.6):
        return value
    for kind, dresses in _DRESSES:
        if isinstance(value, kind):
            return rnd.choice(dresses)(value)
    return value


_DRESSES = (
    (dict, (Dict, collections.OrderedDict, collections.UserDict, types.MappingProxyType)),
    (list, (List, tuple)),
    (str, (Text,)),
    (float, (Real,)),
    (int, (Whole,)),
)


def _foreign(rnd, box):
    holder, key = rnd.choice(slots(box))
    holder[key] = rnd.choice(_FOREIGN)()


def _strange_key(rnd, box):
    objects = [box[key] for box, key in slots(box) if isinstance(box[key], dict)]
    if objects:
        members = rnd.choice(objects)
        key = rnd.choice(
            (1, None, True, 1.5, b"id", ("id",), "\ud83d\ude00", Text("id"), Color.RED)
        )
        insert(members, rnd.randrange(len(members) + 1), key, rnd.choice((1, None, [object()])))


def _dress(rnd, box):
    holder, key = rnd.choice(slots(box))
    holder[key] = _in_other_dress(rnd, holder[key])


def _share(rnd, box):
    places = slots(box)
    (holder, key), (other, of) = rnd.choice(places), rnd.choice(places)
    holder[key] = other[of]  # where that is around it, a cycle closes


def _pair(rnd, box):
    holder, key = rnd.choice(slots(box))
    holder[key] = rnd.choice(("\ud83d\ude00", "a\ud83d\ude00\ud83d", '\x00\x1f\x7f\\"/é中🚬'))


_ODDITIES = (_foreign, _foreign, _strange_key, _dress, _dress, _share, _pair)
_LongName = type("Odd\u202e" + "x" * 70, (), {})
_FOREIGN = (
    lambda: float("nan"),
    lambda: float("inf"),
    lambda: -float("inf"),
    lambda: Real("nan"),
    lambda: b"{}",
    lambda: {1},
    lambda: decimal.Decimal(1),
    lambda: 10**4300 - 1,
    lambda: -(10**4300),
    lambda: 2**64,
    lambda: 1e16,
    lambda: 5e-324,
    lambda: -0.0,
    lambda: 1j,
    lambda: range(3),
    lambda: iter([1]),
    lambda: Color.RED,
    lambda: Color,
    _LongName,
    lambda: collections.deque([1]),
    lambda: collections.ChainMap({"a": 1}, {"b": object()}),
    lambda: ((), ((),)),
)
