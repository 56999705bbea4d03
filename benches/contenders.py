"""Benches, the contenders: each one's call, and what shows that it did its work.

In come the answers of a shape, out come contenders that can be timed. Ours are `check` and its
siblings (what is done with a loaded answer stands in `loaded.py`). The peers build objects
(`orjson.loads`, `json.loads`, `jiter`), an index (`pysimdjson`, `simdjson C++`), events (`ijson`)
or typed objects (`msgspec`, `pydantic`), or judge objects that `orjson` built (`hand check`,
`jsonschema-rs`). One that is not installed is an `ImportError`; one that cannot read a shape is
`Unable`, with the reason; one whose result is wrong ends the run.
"""

import collections
import functools
import json
import multiprocessing
import time
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any, Protocol

import corpus
import elementguard
import hand
from elementguard import Validator
from windows import elements_of

CHUNK = 64 * 1024
PURE_AT_MOST = 4_000_000  # bytes: beyond, one round of the pure engine takes longer than all others
THREADS_AT_LEAST = 64 * 1024  # bytes: below, the interpreter's lock is kept on purpose


class Unable(Exception):  # noqa: N818 -- no error: it is said in the table
    """This contender does not take part in this shape, and says why."""


class Contender(Protocol):
    """What the comparison wants of each."""

    least: int  # nanoseconds that a turn must take for the clock not to matter

    def verify(self) -> None:
        """Raise unless its results are right; `Unable` if it cannot read the answers."""

    def time(self, turns: int) -> float:
        """Nanoseconds for one pass over the answers, taken over so many."""


class Answers:
    """A shape's answers and what is true of them."""

    def __init__(self, shape: str) -> None:
        self.shape = shape
        self.texts = list(corpus.build(shape))

    @functools.cached_property
    def objects(self) -> list[Any]:
        """As Python's own parser reads them: what every other one is held against."""
        return [json.loads(text) for text in self.texts]

    @functools.cached_property
    def elements(self) -> list[int]:
        """How many elements each answer has."""
        return [len([*elements_of(answer["root"])]) for answer in self.objects]

    @functools.cached_property
    def spoiled(self) -> list[bytes]:
        """The same with a fault in every element."""
        return [corpus.spoil(text) for text in self.texts]

    @property
    def broken(self) -> bytes | None:
        """One that is to be refused; none if an answer of a user's is written in another way."""
        return self.spoiled[0] if self.spoiled[0] != self.texts[0] else None

    @property
    def own(self) -> bool:
        """Whether a user brought it: then there may be warnings."""
        return self.shape not in corpus.ALL


class Called:
    """A Python call on each answer."""

    least = 2_000_000

    def __init__(
        self,
        call: Callable[[Any], object],
        inputs: list[Any],
        is_right: Callable[[Any, int], bool],
        *,
        broken: bytes | None = None,
        refusal: type[Exception] | tuple[type[Exception], ...] = (),
        unable: type[Exception] | tuple[type[Exception], ...] = (),
    ) -> None:
        self.call = call
        self.inputs = inputs
        self._is_right = is_right
        self._broken = broken
        self._refusal = refusal
        self._unable = unable

    def verify(self) -> None:
        """Each answer's result, and for those that judge: no to a broken one."""
        for i, given in enumerate(self.inputs):
            try:
                result = self.call(given)
            except self._unable as error:
                lines = [line.strip() for line in str(error).splitlines() if "http" not in line]
                raise Unable(lines[-1][:70]) from None
            assert self._is_right(result, i), "a wrong result, so its time says nothing"
            del result  # pysimdjson reads nothing new while one is alive
        if self._broken is not None:
            assert self._refuses(self._broken), "it let a broken answer pass"

    def _refuses(self, broken: bytes) -> bool:
        try:
            result = self.call(broken)
        except self._refusal:
            return True
        return result is False or (isinstance(result, elementguard.Report) and not result.ok)

    def time(self, turns: int) -> float:
        """Results are dropped at once, as a host drops them; that counts.

        The thread's own time: what others do on the machine meanwhile does not.
        """
        call, inputs = self.call, self.inputs * turns
        start = time.thread_time_ns()
        for given in inputs:
            call(given)
        return (time.thread_time_ns() - start) / turns


class Paired:
    """The same call twice at once, by the clock on the wall: two cores must be free."""

    least = 20_000_000  # waking two threads or processes must not matter

    def __init__(self, pool: Executor, inputs: list[bytes]) -> None:
        self._pool = pool
        self._inputs = inputs

    def verify(self) -> None:
        """Too short answers are read under the interpreter's lock."""
        if min(map(len, self._inputs)) < THREADS_AT_LEAST:
            raise Unable("short answers are read under the interpreter's lock")
        self.time(1)

    def time(self, turns: int) -> float:
        """Until both have done as much as one does elsewhere."""
        start = time.perf_counter_ns()
        for done in [self._pool.submit(_check_all, turns) for _ in range(2)]:
            assert done.result(), "a clean answer was refused"
        return (time.perf_counter_ns() - start) / turns


_inputs: list[bytes] = []  # of whoever works in a pool


def _take(inputs: list[bytes]) -> None:
    _inputs[:] = inputs


def _check_all(turns: int) -> bool:
    return all(elementguard.check(given).ok for given in _inputs * turns)


# --- ours -----------------------------------------------------------------------------------------


def report_of(answers: Answers) -> Callable[[elementguard.Report, int], bool]:
    """A clean report (of a user's answer: one without errors), with every element seen."""

    def is_right(report: elementguard.Report, i: int) -> bool:
        summary = report.summary
        seen = summary is not None and summary.elements == answers.elements[i]
        return report.ok and seen and (answers.own or not report.counts)

    return is_right


def check(answers: Answers) -> Contender:
    """All there is to say about an answer."""
    is_right = report_of(answers)
    return Called(elementguard.check, answers.texts, is_right, broken=answers.broken)


def limits(answers: Answers) -> Contender:
    """The same under the limits that hosts are recommended, given with each call."""
    recommended = elementguard.Limits.recommended()
    if not all(elementguard.is_valid(text, limits=recommended) for text in answers.texts):
        raise Unable("it is larger than they allow")
    call = functools.partial(elementguard.check, limits=recommended)
    return Called(call, answers.texts, report_of(answers), broken=answers.broken)


def is_valid(answers: Answers) -> Contender:
    """Yes or no."""
    texts = answers.texts
    return Called(elementguard.is_valid, texts, said_yes, broken=answers.broken)


def said_yes(said: object, _: int) -> bool:
    """Of one that only judges."""
    return said is True


def chunks(answers: Answers) -> Contender:
    """The answer in chunks of 64 KiB, cut beforehand."""
    check_chunks = getattr(Validator(), "check_chunks", None)
    if check_chunks is None:
        raise ImportError("this elementguard has no Validator.check_chunks")
    cut = [[text[i : i + CHUNK] for i in range(0, len(text), CHUNK)] for text in answers.texts]
    return Called(check_chunks, cut, report_of(answers))


def parsed(answers: Answers) -> Contender:
    """Dicts and lists that someone parsed already."""
    return Called(elementguard.check, answers.objects, report_of(answers))


def faulty(answers: Answers) -> Contender:
    """A fault in every element."""
    if answers.broken is None:
        raise Unable("nothing was found to be spoiled")

    def is_right(report: elementguard.Report, i: int) -> bool:
        return sum(report.counts.values()) >= answers.elements[i]

    return Called(elementguard.check, answers.spoiled, is_right)


def two_threads(answers: Answers) -> Contender:
    """One validator, two threads."""
    _take(answers.texts)
    return Paired(ThreadPoolExecutor(2), answers.texts)


def two_processes(answers: Answers) -> Contender:
    """Two processes, which share nothing: what the machine lets two cores do."""
    processes = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(2, processes, initializer=_take, initargs=(answers.texts,))
    return Paired(pool, answers.texts)


def pure(answers: Answers) -> Contender:
    """The pure engine, which is written to be read."""
    from elementguard import _python, _validator

    if max(map(len, answers.texts)) > PURE_AT_MOST or len(answers.texts) > 1:
        raise Unable("takes too long")
    return Called(_validator.over(_python).check, answers.texts, report_of(answers))


# --- peers ----------------------------------------------------------------------------------------


def objects_of(answers: Answers) -> Callable[[object, int], bool]:
    """The very objects that Python's own parser gives."""
    return lambda found, i: found == answers.objects[i]


def json_loads(answers: Answers) -> Contender:
    """Python's own parser, in C."""
    return Called(json.loads, answers.texts, objects_of(answers))


def orjson_loads(answers: Answers) -> Contender:
    """Objects, and no questions asked."""
    import orjson

    return Called(orjson.loads, answers.texts, objects_of(answers))


def orjson_dumps(answers: Answers) -> Contender:
    """What it takes to write out parsed objects: to measure our walk over them by."""
    import orjson

    def is_right(found: bytes, i: int) -> bool:
        return bool(orjson.loads(found) == answers.objects[i])

    unable = TypeError if answers.shape == "deep" else ()  # it writes no more than 254 levels
    return Called(orjson.dumps, answers.objects, is_right, unable=unable)


def hand_check(answers: Answers) -> Contender:
    """orjson, then the rules a host author would write."""
    from orjson import loads

    judge = hand.is_valid
    texts, broken = answers.texts, answers.broken
    return Called(lambda text: judge(loads(text)), texts, said_yes, broken=broken)


def jsonschema_rs(answers: Answers) -> Contender:
    """orjson, then our own JSON Schema by the quickest that reads one."""
    import jsonschema_rs as peer
    from orjson import loads

    judge = peer.validator_for(elementguard.schema("answer")).is_valid
    texts, broken = answers.texts, answers.broken
    return Called(lambda text: judge(loads(text)), texts, said_yes, broken=broken)


def msgspec_typed(answers: Answers) -> Contender:
    """Typed objects: unknown members, roles, ids' form and base64 are checked on the way."""
    import msgspec

    import typed_msgspec

    def is_right(found: Any, i: int) -> bool:
        waiting, seen = [found.root], 0
        while waiting:
            seen += 1
            waiting.extend(waiting.pop().children or ())
        return seen == answers.elements[i]

    broken, refusal = answers.broken, msgspec.ValidationError
    return Called(typed_msgspec.decode, answers.texts, is_right, broken=broken, refusal=refusal)


def msgspec_walk(answers: Answers) -> Contender:
    """The same, and then what types do not say."""
    import msgspec

    from typed_msgspec import decode, is_valid_tree

    return Called(
        lambda text: is_valid_tree(decode(text)),
        answers.texts,
        said_yes,
        broken=answers.broken,
        refusal=msgspec.ValidationError,
    )


def pydantic_typed(answers: Answers) -> Contender:
    """Dicts whose types were checked."""
    import typed_pydantic

    decode, right = typed_pydantic.decode, objects_of(answers)
    unable = ValueError if answers.shape == "deep" else ()  # it has a limit of nesting of its own
    broken = answers.broken
    return Called(decode, answers.texts, right, broken=broken, refusal=ValueError, unable=unable)


def pysimdjson(answers: Answers) -> Contender:
    """An index over the text; no objects."""
    import simdjson

    def is_right(found: Any, i: int) -> bool:
        return bool(found.as_dict() == answers.objects[i])

    return Called(simdjson.Parser().parse, answers.texts, is_right)


def jiter(answers: Answers) -> Contender:
    """The parser below pydantic."""
    import jiter as peer

    unable = ValueError if answers.shape == "deep" else ()  # it has a limit of nesting of its own
    return Called(peer.from_json, answers.texts, objects_of(answers), unable=unable)


def ijson(answers: Answers) -> Contender:
    """Events, each a Python tuple."""
    import ijson as peer

    def drain(text: bytes) -> object:
        return collections.deque(peer.basic_parse(text), maxlen=1)

    def is_right(found: Any, i: int) -> bool:
        events = peer.basic_parse(answers.texts[i])
        keys = sum(event == ("map_key", "role") for event in events)
        return [*found] == [("end_map", None)] and keys >= answers.elements[i]

    return Called(drain, answers.texts, is_right)


def simdjson_cpp(answers: Answers) -> Contender:
    """The DOM parser from C++."""
    from native import Native

    if len(answers.texts) > 1:
        raise Unable("the program reads one answer")
    waiting, objects = [answers.objects[0]], 0
    while waiting:
        value = waiting.pop()
        objects += isinstance(value, dict)
        inner = value.values() if isinstance(value, dict) else value
        waiting.extend(one for one in inner if isinstance(one, (dict, list)))
    return Native(corpus.file(answers.shape), objects)


OURS: dict[str, Callable[[Answers], Contender]] = {
    "check": check,
    "limits": limits,
    "is_valid": is_valid,
    "64 KiB chunks": chunks,
    "parsed objects": parsed,
    "faulty": faulty,
    "two threads": two_threads,
    "two processes": two_processes,
    "pure engine": pure,
}
PEERS: dict[str, Callable[[Answers], Contender]] = {
    "pysimdjson": pysimdjson,
    "simdjson C++": simdjson_cpp,
    "orjson.loads": orjson_loads,
    "orjson + hand check": hand_check,
    "orjson + jsonschema-rs": jsonschema_rs,
    "msgspec typed": msgspec_typed,
    "msgspec typed + walk": msgspec_walk,
    "pydantic": pydantic_typed,
    "jiter": jiter,
    "ijson": ijson,
    "json.loads": json_loads,
    "orjson.dumps": orjson_dumps,
}
