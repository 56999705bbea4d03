"""Benches, the contenders that load: what a host does with an answer that it keeps.

In come the answers of a shape, out come contenders as in `contenders.py`: `load` itself, a walk
over all elements, an element by its id, an excerpt; and the same walk over the objects that
`orjson` builds.
"""

from collections.abc import Callable
from typing import Any

import elementguard
from contenders import Answers, Called, Contender, Unable


def load(answers: Answers) -> Contender:
    """Check an answer, and keep it with its index."""

    def is_right(answer: elementguard.Answer, i: int) -> bool:
        return len(answer) == answers.elements[i] and answer.raw == answers.texts[i]

    refusal = elementguard.ValidationError
    texts, broken = answers.texts, answers.broken
    return Called(elementguard.load, texts, is_right, broken=broken, refusal=refusal)


def walk(answers: Answers) -> Contender:
    """Ids and roles of all elements of a loaded answer."""
    loaded = [elementguard.load(text) for text in answers.texts]
    return Called(walk_answer, loaded, last_of(answers))


def load_and_walk(answers: Answers) -> Contender:
    """The same, from bytes on."""
    call = elementguard.load
    return Called(lambda text: walk_answer(call(text)), answers.texts, last_of(answers))


def orjson_and_walk(answers: Answers) -> Contender:
    """Objects, then the ids and roles of all elements."""
    from orjson import loads

    return Called(lambda text: walk_objects(loads(text)["root"]), answers.texts, last_of(answers))


def titles(answers: Answers) -> Contender:
    """The titles of all elements, from bytes on: the index has them not."""
    call = elementguard.load
    return Called(
        lambda text: [element.title for element in call(text).walk()],
        answers.texts,
        titles_of(answers),
    )


def orjson_and_titles(answers: Answers) -> Contender:
    """Objects, then the titles of all elements."""
    from orjson import loads

    return Called(lambda text: titles_in(loads(text)["root"]), answers.texts, titles_of(answers))


def titles_of(answers: Answers) -> Callable[[Any, int], bool]:
    """Those of the objects that Python's own parser gives."""
    return lambda found, i: found == titles_in(answers.objects[i]["root"])


def titles_in(root: dict[str, Any]) -> list[str | None]:
    """In document order."""
    found, waiting = list[str | None](), [root]
    while waiting:
        element = waiting.pop()
        found.append(element.get("title"))
        if children := element.get("children"):
            waiting.extend(reversed(children))
    return found


def last_of(answers: Answers) -> Callable[[Any, int], bool]:
    """How many elements were seen, and the id and the role of the last one."""

    def is_right(found: object, i: int) -> bool:
        element, many = answers.objects[i]["root"], answers.elements[i]
        while element.get("children"):
            element = element["children"][-1]
        return found == (many, element["id"], element["role"])

    return is_right


def walk_answer(answer: elementguard.Answer) -> tuple[int, str | None, str]:
    """In document order, as `walk_objects`."""
    many, name, role = 0, None, ""
    for element in answer.walk():
        many, name, role = many + 1, element.id, element.role
    return many, name, role


def walk_objects(root: dict[str, Any]) -> tuple[int, str, str]:
    """In document order, as `walk_answer`."""
    many, name, role = 0, "", ""
    waiting = [root]
    while waiting:
        element = waiting.pop()
        many, name, role = many + 1, element["id"], element["role"]
        if children := element.get("children"):
            waiting.extend(reversed(children))
    return many, name, role


def get(answers: Answers) -> Contender:
    """Each of up to a thousand elements by its id; the time of one."""
    pairs = []
    for text in answers.texts:
        answer = elementguard.load(text)
        ids = [element.id for element in answer]
        answer.get("")  # the first call makes the table
        pairs.append((answer.get, ids[:: 1 + len(ids) // 1000]))

    def call(pair: tuple[Callable[[str], Any], list[str]]) -> Any:
        find, ids = pair
        found = None
        for name in ids:
            found = find(name)
        return found

    def is_right(found: Any, i: int) -> bool:
        return bool(found.id == pairs[i][1][-1])

    called = Called(call, pairs, is_right)
    many = sum(len(ids) for _, ids in pairs)
    return Each(called, many)


class Each:
    """One of many things that a contender does at once."""

    def __init__(self, called: Called, many: int) -> None:
        self._called, self._many = called, many
        self.least = called.least // many
        self.verify = called.verify

    def time(self, turns: int) -> float:
        """Nanoseconds for one of them."""
        return self._called.time(turns) / self._many


EXCERPT = 8_192  # bytes: what an agent is sent


def excerpt(answers: Answers) -> Contender:
    """A loaded answer cut to 8 KB."""
    if max(map(len, answers.texts)) <= EXCERPT:
        raise Unable("it fits as it is")
    loaded = [elementguard.load(text) for text in answers.texts]

    def call(answer: elementguard.Answer) -> Any:
        try:
            return answer.excerpt(max_bytes=EXCERPT)
        except elementguard.BudgetError:
            raise Unable("its position alone is larger") from None

    def is_right(found: Any, i: int) -> bool:
        small, whole = elementguard.check(found.data).summary, loaded[i].report.summary
        if small is None or whole is None or len(found.data) > EXCERPT:
            return False
        # What is cut is cut at the budget, and not where the user is.
        return small.focus_path == whole.focus_path and len(found.data) > EXCERPT // 2

    return Called(call, loaded, is_right)


LOADED: dict[str, Callable[[Answers], Contender]] = {
    "load": load,
    "walk": walk,
    "load + walk": load_and_walk,
    "orjson + walk": orjson_and_walk,
    "load + titles": titles,
    "orjson + titles": orjson_and_titles,
    "get": get,
    "excerpt": excerpt,
}
