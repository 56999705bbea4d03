"""Answers and elements of which nothing is to be said, with all that they may have.

Comes in: `rnd`, a source of choices: Hypothesis' random, or a seeded one where speed counts. Goes
out: answers as Python objects whose numbers may be `Literal`s. `strategies.py` spoils them,
`written_answers.py` puts them into bytes. Not a test itself.

A maker asks `rnd` for what should shrink; details that only fill space come from `detail`, which
costs a single choice.
"""

import random

import interesting as words
from elementguard._python.rules.shape import ROLES


def answer(rnd, size=None):
    """An answer of which nothing is to be said. `size`: how many elements."""
    made = {
        "protocol": rnd.choice(("0.2.0", "0.2.1", "0.2.120")),
        "instance": rnd.choice(("k3f9x2", "é 🚬", "x" * 70)),
        "root": _tree(rnd, size, in_answer=True),
    }
    if may(rnd, 0.2):
        made[rnd.choice(("version", "", "id", "role"))] = json_value(rnd)
    return shuffled(rnd, made)


def element(rnd, size=None):
    """A single element of which nothing is to be said."""
    return _tree(rnd, size, in_answer=False)


def _tree(rnd, size, *, in_answer):
    count = size or rnd.choice((1, 1, 2, 2, 3, 5, 8, 13))
    above = [None, *(rnd.choice((at - 1, rnd.randrange(at))) for at in range(1, count))]
    ids = _ids(rnd, count)
    made = []
    for at in range(count):
        role = "Application" if in_answer and not at else _role(rnd, made, above, at)
        made.append(_element(rnd, role, ids, at, related=ids if in_answer else (*ids, "elsewhere")))
    _point(rnd, made, above, in_answer=in_answer)
    _show(rnd, made, above, True if in_answer else None)
    made = [shuffled(rnd, one) for one in made]
    for at in range(1, count):
        made[above[at]].setdefault("children", []).append(made[at])
    return made[0] if may(rnd, 0.5) else _shuffled_children(rnd, made)


def _shuffled_children(rnd, made):
    """The same, with `children` anywhere between the other members."""
    for one in made:
        if "children" in one:
            children = one.pop("children")
            insert(one, rnd.randrange(len(one) + 1), "children", children)
    return made[0]


def _ids(rnd, count):
    kept = list(words.IDS) if may(rnd, 0.5) else []
    own = [f"{rnd.choice(('w', 'sel_', 'Z-', ''))}{at}x" for at in range(count)]
    return (kept + own)[:count]


def _role(rnd, made, above, at):
    if not at:
        return rnd.choice(ROLES)
    parent = above[at]
    if made[parent]["role"] == "Table":
        return "Row"
    if made[parent]["role"] == "Row" and parent and made[above[parent]]["role"] == "Table":
        return "Cell"
    return rnd.choice(ROLES[1:])


def _element(rnd, role, ids, at, related):
    made = {"id": ids[at], "role": role}
    if may(rnd, 0.3):
        made["subrole"] = rnd.choice(words.SUBROLES)
    if may(rnd, 0.4):
        made["title"] = rnd.choice(words.TITLES) + rnd.choice(("", "", filling(rnd, 80)))
    if may(rnd, 0.2):
        made["url"] = rnd.choice(words.ADDRESSES)
    if may(rnd, 0.4):
        made["content"] = _content(rnd, role)
    if may(rnd, 0.2):
        made["attributes"] = _attributes(rnd, related)
    if may(rnd, 0.2):
        made["selected"] = True
    return made


def _point(rnd, made, above, *, in_answer):
    """Where the focus and the pointer are."""
    if may(rnd, 0.6):
        at = rnd.randrange(len(made))
        while at is not None:
            if at or not in_answer or may(rnd, 0.3):
                made[at]["focused"] = True
            at = above[at]
    if may(rnd, 0.4):
        made[rnd.randrange(len(made))]["hovered"] = True


def _show(rnd, made, above, around):
    """What is drawn: said only where it differs, or where nothing above says it."""
    shown = []
    for at, one in enumerate(made):
        inherited = shown[above[at]] if at else around
        own = inherited
        if may(rnd, 0.2):
            own = rnd.choice((True, False)) if inherited is None else not inherited
            one["visible"] = own
        shown.append(own)


# --- content and attributes ---


def _content(rnd, role):
    texts = role in {"Text", "Heading", "Link"}
    needed = "text" if texts else rnd.choice(("text", "image", "resource_link", "resource"))
    others = rnd.sample(tuple(_BLOCKS), rnd.choice((0, 0, 1, 2)))
    kinds = [needed, *others]
    rnd.shuffle(kinds)
    return [_block(rnd, kind) for kind in kinds]


def _block(rnd, kind):
    made = {"type": kind, **_BLOCKS[kind](rnd)}
    if may(rnd, 0.2):
        made["annotations"] = _annotations(rnd)
    if may(rnd, 0.1):
        made["_meta"] = {"m": json_value(rnd)}
    if may(rnd, 0.1):  # of another type or of none: nothing is asked of it
        name = rnd.choice(("x", "resource" if kind != "resource" else "uri", "id"))
        made[name] = json_value(rnd)
    return shuffled(rnd, made)


def _text_block(rnd):
    return {"text": rnd.choice(("", "what it shows", "\0\x1f\n\u2028", filling(rnd, 300)))}


def _media_block(family):
    def make(rnd):
        name, head = rnd.choice(_MEDIA)
        fitting = [one for one in words.NAMES_OF_MEDIA.get(name, ()) if one.startswith(family)]
        if not fitting:
            head, fitting = rnd.choice(words.UNKNOWN_HEADS), [f"{family}/x-any"]
        return {"data": _base64(rnd, head), "mimeType": _media_type(rnd, rnd.choice(fitting))}

    return make


def _link_block(rnd):
    made = {"uri": rnd.choice(words.ADDRESSES), "name": rnd.choice(words.TITLES)}
    if may(rnd, 0.3):
        made |= {"title": "", "description": "\n", "size": rnd.choice(words.WHOLES)}
    if may(rnd, 0.3):
        made["mimeType"] = rnd.choice(words.TYPES_OF_MEDIA)
    if may(rnd, 0.3):
        made["icons"] = [_icon(rnd) for _ in range(rnd.randrange(3))]
    return made


def _icon(rnd):
    made = {"src": rnd.choice((*words.ADDRESSES, words.PICTURE))}
    if may(rnd, 0.5):
        made |= {"mimeType": "image/png", "sizes": rnd.choice(([], ["48x48", "any"])), "x": 1}
    if may(rnd, 0.5):
        made["theme"] = rnd.choice(("light", "dark"))
    return shuffled(rnd, made)


def _resource_block(rnd):
    made = {"uri": rnd.choice(words.ADDRESSES), **rnd.choice((_text_block, _blob))(rnd)}
    if may(rnd, 0.1):
        made |= {"_meta": {}, "y": json_value(rnd)}
    return {"resource": shuffled(rnd, made)}


def _blob(rnd):
    name, head = rnd.choice(_MEDIA)
    made = {"blob": _base64(rnd, head)}
    if may(rnd, 0.6):
        names = words.NAMES_OF_MEDIA.get(name, words.TYPES_OF_MEDIA)
        made["mimeType"] = _media_type(rnd, rnd.choice(names))
    return made


_BLOCKS = {
    "text": _text_block,
    "image": _media_block("image"),
    "audio": _media_block("audio"),
    "resource_link": _link_block,
    "resource": _resource_block,
}
_MEDIA = [(name, head) for name, heads in words.HEADS.items() for head in heads]
_MEDIA += [(None, head) for head in words.UNKNOWN_HEADS]


def _base64(rnd, head):
    own = detail(rnd)
    # A head that is cut short must not be completed by chance; behind zeros nothing is known.
    return words.encoded(head + bytes(own.choice((0, 0, 9, 40))) + own.randbytes(own.randrange(4)))


def _media_type(rnd, name):
    return rnd.choice((name, name, name.upper(), name + "; a=b", name + " ;"))


def _annotations(rnd):
    made = {
        "audience": rnd.choice(([], ["user"], ["assistant", "user"])),
        "priority": rnd.choice(words.FRACTIONS),
        "lastModified": "2026-12-01T00:00:00Z",
    }
    made = {name: made[name] for name in rnd.sample(tuple(made), rnd.randrange(4))}
    return made | ({"x": json_value(rnd)} if may(rnd, 0.1) else {})


def _attributes(rnd, ids):
    made = {f"a{at}": json_value(rnd) for at in range(rnd.randrange(3))}
    if may(rnd, 0.3):
        made["author"] = rnd.choice(words.TITLES)
    if may(rnd, 0.4):
        made["related"] = [_entry(rnd, ids) for _ in range(rnd.choice((0, 1, 1, 2)))]
    return shuffled(rnd, made)


def _entry(rnd, ids):
    made = {"relation": rnd.choice(("blocks", ""))}
    made |= rnd.choice(({"id": rnd.choice(ids)}, {"url": "not asked"}, {"id": ids[0], "url": ""}))
    return shuffled(rnd, made | rnd.choice(({}, {}, {"x": json_value(rnd)})))


def json_value(rnd, depth=3):
    """Any JSON of which nothing is to be said where anything may stand."""
    kind = rnd.choice("sssnnaaoo" if depth else "ssn")
    if kind == "s":
        return twin(rnd.choice(words.SCALARS))
    if kind == "n":
        return rnd.choice(words.NUMBERS)
    if kind == "a":
        return [json_value(rnd, depth - 1) for _ in range(rnd.randrange(3))]
    names = rnd.sample((*words.TITLES, "id", "role", "children"), rnd.randrange(3))
    return {name: json_value(rnd, depth - 1) for name in names}


def filling(rnd, most):
    own = detail(rnd)
    return "".join(own.choices(words.CHARACTERS, k=own.randrange(most)))


def detail(rnd):
    return random.Random(rnd.getrandbits(32))


# --- parts that all makers use ---


def may(rnd, share):
    """Yes in that share of all cases. The least choice is no, so that examples shrink to little."""
    return rnd.random() >= 1 - share


def shuffled(rnd, members):
    """The same members in another order."""
    if may(rnd, 0.5):
        return members
    names = list(members)
    rnd.shuffle(names)
    return {name: members[name] for name in names}


def twin(value):
    """A copy that shares nothing."""
    if isinstance(value, dict):
        return {name: twin(member) for name, member in value.items()}
    return [twin(item) for item in value] if isinstance(value, list) else value


def insert(members, at, name, value):
    behind = list(members.items())[at:]
    for other, _ in behind:
        del members[other]
    members[name] = value
    members.update(one for one in behind if one[0] != name)
