"""Mutants of the pure engine: is there a rule that could be broken without a vector noticing?

In come the modules of `python/elementguard/_python`, and who is to notice: the selftest (vectors
and the cards' examples), the engine's own tests, and those of excerpts, salvage and fixes. Each
mutant is one module with one thing changed: a comparison flipped, a constant moved, a condition
always true or always false, a statement left out. It runs in a process of its own until the first
difference, the quick judges first; a crash, a hang and a flood of memory are noticed as well. What
is not noticed is listed, and makes the exit code 1: a vector is missing, or the code says too much.

The process is a fork of this one, which has read the vectors but not the engine: that is imported
with its first check, so with the change.

A line that no report can depend on says why, as in `if known:  # mutants: saves time, no more`, and
is left alone.

    python tools/python_mutants.py [--jobs 2] [MODULE ...]      # rules/states.py: that file alone

The rooms that work on a checked answer (`RECEIVING`), here and in the facade (`_nearest.py`), hold
no rule, and whoever survives the quick judges costs a minute: they are asked for by name.
"""

import argparse
import ast
import mmap
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator, MutableSequence
from functools import cache, partial
from importlib import import_module
from importlib.machinery import SourceFileLoader
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from typing import Any, NamedTuple

import pytest

HOME = Path(__file__).resolve().parent.parent
PACKAGE = HOME / "python" / "elementguard"
ENGINE = PACKAGE / "_python"
REASON = "# mutants:"
MEMORY = 4 << 30
MOST_SECONDS = 1_800
NOTICED_BY = memoryview(mmap.mmap(-1, 4)).cast("I")  # shared with the processes of the mutants
TESTS = (
    "tests/test_python_rooms.py",
    "tests/test_parsed_objects.py",
    "tests/test_parsed_fields.py",
    "tests/test_ways_in.py",
    "tests/test_files.py",
    "tests/test_python_engine.py",
)
# The rooms that work on a checked answer, by how their names begin, each with its own tests.
RECEIVING = {
    "edits": ("excerpt", "salvage", "fix"),
    "excerpt": ("excerpt",),
    "fewer": ("cli_shrink",),
    "fix": ("fix",),
    "handle": ("answer", "index"),
    "index": ("index", "answer"),
    "outline": ("excerpt", "salvage", "fix"),
    "pieces": ("cli_shrink",),
    "places": ("places", "salvage", "fix"),
    "rounds": ("salvage", "fix"),
    "salvage": ("salvage",),
    "shrink": ("cli_shrink",),
    "_answer": ("answer", "index", "members"),
    "_compact": ("plain_objects", "salvage", "fix"),
    "_element": ("answer", "members"),
    "_excerpt": ("excerpt",),
    "_load": ("answer", "plain_objects", "ways_in"),
    "_nearest": ("excerpt",),
    "_run": ("run",),
}
ALL_OF_RECEIVING = tuple(sorted({test for tests in RECEIVING.values() for test in tests}))

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}

CAN_GO = (ast.Assign, ast.AugAssign, ast.Break, ast.Continue, ast.Expr, ast.Return)


class Mutation(NamedTuple):
    """One change of a tree: where it stands, what it is to a reader, and the call that makes it."""

    line: int
    change: str
    make: Callable[[], None]


class Mutant(NamedTuple):
    """One change of a module, found again by its number among the module's mutations."""

    module: Path
    number: int
    told: str


# --- what can be changed -------------------------------------------------------------------------


def mutations(tree: ast.Module) -> Iterator[Mutation]:
    """Every change that a report should depend on, always in the same order."""
    for node in judged(tree):
        yield from _in_expression(node)
        if isinstance(node, ast.If | ast.While | ast.IfExp):
            yield from _in_condition(node)
        for block in (getattr(node, "body", None), getattr(node, "orelse", None)):
            if isinstance(block, list):
                yield from _left_out(node, block)


def judged(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that can change a report: no annotations, decorators, docstrings, messages."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for name, value in ast.iter_fields(node):
            if name not in {"annotation", "returns", "decorator_list"}:
                parts = value if isinstance(value, list) else [value]
                waiting += [p for p in parts if isinstance(p, ast.AST) and not _is_silent(p)]


def _is_silent(node: ast.AST) -> bool:
    match node:
        case ast.Expr(ast.Constant()) | ast.Raise() | ast.Assert():
            return True
        case ast.If(ast.Name("TYPE_CHECKING")):
            return True
        case ast.Assign([ast.Name(name)]):
            return name in {"TYPE_CHECKING", "__all__", "__slots__"}
    return False


def _in_expression(node: ast.AST) -> Iterator[Mutation]:
    match node:
        case ast.Compare(ops=ops):
            for i, op in enumerate(ops):
                yield _put(node, ops, i, COMPARED[type(op)]())
        case ast.BoolOp(op=op):
            yield _set(node, "op", ast.And() if isinstance(op, ast.Or) else ast.Or())
        case ast.UnaryOp(ast.Not(), operand):
            yield _set(node, "operand", ast.UnaryOp(ast.Not(), operand))
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in COMPUTED:
            yield _set(node, "op", COMPUTED[type(op)]())
        case ast.Constant(value):
            for other in _moved(value):
                yield _set(node, "value", other)


def _moved(value: object) -> list[object]:
    match value:
        case bool():
            return [not value]
        case int():
            return [value + 1, value - 1] if value > 1 else [value + 1]
        case str():
            return [value[:-1] if len(value) > 1 else "x"]
        case bytes():
            return [value[:-1] if len(value) > 1 else b"x"]
    return []


def _in_condition(node: ast.If | ast.While | ast.IfExp) -> Iterator[Mutation]:
    yield _set(node, "test", ast.Constant(value=False))
    if not isinstance(node, ast.While):  # an endless loop proves nothing
        yield _set(node, "test", ast.Constant(value=True))


def _left_out(owner: ast.AST, block: list[ast.stmt]) -> Iterator[Mutation]:
    for i, statement in enumerate(block):
        # A function's last return: mypy misses it, or it returns what is returned without it.
        last = isinstance(owner, ast.FunctionDef) and statement is block[-1]
        if last and isinstance(statement, ast.Return):
            continue
        if isinstance(statement, CAN_GO) and not _is_silent(statement):
            yield _put(statement, block, i, ast.Pass())


def _set(node: ast.AST, field: str, value: object) -> Mutation:
    def make() -> None:
        setattr(node, field, value)

    new = ast.unparse(value) if isinstance(value, ast.expr) else value
    change = type(value).__name__ if isinstance(value, ast.operator | ast.boolop) else new
    return Mutation(_line(node), f"{_text(node)}    {field}: {change}", make)


def _put(node: ast.AST, parts: MutableSequence[Any], i: int, part: ast.AST) -> Mutation:
    def make() -> None:
        parts[i] = part

    return Mutation(_line(node), f"{_text(node)}    {type(part).__name__}", make)


def _line(node: ast.AST) -> int:
    return int(getattr(node, "lineno", 0))


def _text(node: ast.AST) -> str:
    return ast.unparse(node).splitlines()[0][:100]


# --- one process a mutant ------------------------------------------------------------------------


def start(mutant: Mutant | None) -> int:
    """A process for the mutant (or the engine as it is), which ends with 0 if nobody notices."""
    NOTICED_BY[0] = 0
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        for stream in (1, 2):  # how a mutant dies is of no interest
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        Timer(MOST_SECONDS, os._exit, (1,)).start()  # for one that waits, and so takes no time
        if mutant:
            _instead_of(mutant)
        code = int(any(noticed() for noticed in judges_of(mutant)))
    finally:
        os._exit(code)


def vectors_notice(piece: int | None = None) -> bool:
    """Whether the selftest finds a difference.

    The engine reads in pieces, and the vectors fit in one: `piece` makes it a smaller one.
    """
    _allow(20)
    from elementguard import _engine
    from elementguard._python import check
    from elementguard._selftest_run import comparisons

    whole = check.PIECE
    check.PIECE = piece or whole
    for number, vector in enumerate(vectors()):
        NOTICED_BY[0] = number
        if not all(good for _, good in comparisons([vector], {"python": _engine.core})):
            return True
    NOTICED_BY[0] = 0
    check.PIECE = whole
    return False


def cuts_notice() -> bool:
    """Whether a vector of excerpts, salvage or fixes fails: as its test says it, without pytest."""
    _allow(20)
    sys.path.append(str(HOME / "tests"))
    package, tests = import_module("elementguard"), import_module("test_cuts")
    for name, test in (
        ("fix", tests.test_a_fix),
        ("salvage", tests.test_a_salvage),
        ("excerpt", tests.test_an_excerpt),
    ):
        for cut in tests.CUTS[name]:
            test(package, cut)  # what it raises ends the process, which is noticed
    for cut in tests.CUTS["excerpt"]:
        tests.test_an_excerpt_with_all_of_it_put_in_order(cut)
    return False


def tests_notice(files: tuple[str, ...], chosen: str, marked: str) -> bool:
    """Whether a test of the engine fails: some of it no vector can hold, as objects of no JSON."""
    _allow(400)
    os.chdir(HOME)
    with TemporaryDirectory() as folder:  # pytest's own is cleared by other processes
        plainly = ("-xq", "-p", "no:cacheprovider", f"--basetemp={folder}/tests")
        return pytest.main([*plainly, "-k", chosen, "-m", marked, *files]) != 0


QUICK = "not rust and not depth and not linear and not memory"
WAYS_TESTS = ("tests/test_stream.py", "tests/test_answer.py", "tests/test_cli_sifted.py")
JUDGES = (
    vectors_notice,
    partial(tests_notice, TESTS, QUICK, ""),
    partial(vectors_notice, 5),
    partial(vectors_notice, 1),
    partial(tests_notice, WAYS_TESTS, QUICK, ""),
    partial(tests_notice, TESTS, "not rust", ""),
)
SLOW = "real or deep or square or rounds or beginning_of_the_whole"


def judges_of(mutant: Mutant | None) -> tuple[Callable[[], bool], ...]:
    """Who looks: the rooms that work on a checked answer change no report, and have their tests."""
    if not mutant:
        return (*JUDGES, *_judges_of_receiving(ALL_OF_RECEIVING))
    for room, tests in RECEIVING.items():
        if mutant.module.name.startswith(room):
            return _judges_of_receiving(tests)
    return JUDGES


def _judges_of_receiving(own: tuple[str, ...]) -> tuple[Callable[[], bool], ...]:
    def files(tests: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(f"tests/test_{test}.py" for test in tests)

    return (
        cuts_notice,
        partial(tests_notice, files(own), f"{QUICK} and not ({SLOW})", "not hypothesis"),
        partial(tests_notice, files(ALL_OF_RECEIVING), QUICK, ""),
    )


@cache
def vectors() -> list[Any]:
    """The selftest's vectors, short ones first; then those first that noticed the last mutants."""
    from elementguard._selftest_run import shipped

    return sorted(shipped(), key=lambda vector: len(vector.data))


def _allow(seconds: int) -> None:
    """So much more time of the processor, whatever else the machine does."""
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + seconds, most))


def _instead_of(mutant: Mutant) -> None:
    """Let the import of the mutant's module give the mutant."""
    from elementguard import _calls, _engine

    tree = ast.parse(mutant.module.read_bytes())
    next(islice(mutations(tree), mutant.number, None)).make()
    changed = compile(ast.fix_missing_locations(tree), mutant.module, "exec")
    as_it_is = SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, name: str) -> object:
        return changed if self.path == str(mutant.module) else as_it_is(self, name)

    SourceFileLoader.get_code = get_code  # type: ignore[assignment,method-assign]  # this process alone
    if mutant.module.parent == PACKAGE:
        for name in [name for name in sys.modules if name.startswith("elementguard")]:
            del sys.modules[name]
        return
    del sys.modules["elementguard._python"]  # its name is all that was imported
    _calls.use(_engine.load("python"))


def survivors(mutants: list[Mutant], jobs: int) -> list[Mutant]:
    """Those that no vector noticed."""
    waiting, running, alive = mutants[::-1], dict[int, Mutant](), list[Mutant]()
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop()
            running[start(mutant)] = mutant
        child, status = os.wait()
        mutant = running.pop(child)
        vectors().insert(0, vectors().pop(NOTICED_BY[0]))  # the next one breaks nearby
        if status == 0:
            alive.append(mutant)
            print(mutant.told, flush=True)
    return alive


def find_mutants(names: list[str]) -> tuple[list[Mutant], int]:
    """All mutants of these modules, and how many lines are left alone.

    Without names: of every module of the check that is written by hand. Tables come from the cards.
    """
    found: list[Mutant] = []
    left = 0
    for module in [_module(name) for name in names] or sorted(ENGINE.rglob("*.py")):
        lines = module.read_text("utf-8").splitlines()
        generated = bool(lines) and "generated" in lines[0].lower()
        if not names and (generated or module.name.startswith(tuple(RECEIVING))):
            continue
        alone = {i for i, line in enumerate(lines, 1) if REASON in line}
        left += len(alone)
        for number, mutation in enumerate(mutations(ast.parse("\n".join(lines)))):
            if mutation.line not in alone:
                told = f"{module.relative_to(PACKAGE)}:{mutation.line}: {mutation.change}"
                found.append(Mutant(module, number, told))
    return found, left


def _module(name: str) -> Path:
    """A room of the engine, or one of the facade: `_answer.py`."""
    return ENGINE / name if (ENGINE / name).exists() else PACKAGE / name


def main() -> None:
    """Run the mutants, list the survivors."""
    arguments = argparse.ArgumentParser(description="mutants of the pure engine")
    arguments.add_argument("modules", nargs="*", metavar="MODULE")
    arguments.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    wanted = arguments.parse_args()
    os.environ["ELEMENTGUARD_ENGINE"] = "python"
    sys.path.insert(0, str(HOME / "python"))

    mutants, left = find_mutants(wanted.modules)
    started = time.monotonic()
    vectors()
    if os.waitpid(start(None), 0)[1]:
        sys.exit("the engine as it is fails its tests: mutants would tell nothing")
    alive = survivors(mutants, wanted.jobs)
    minutes = (time.monotonic() - started) / 60
    print(
        f"{len(mutants)} mutants in {minutes:.1f} minutes:"
        f" {len(alive)} survived, {left} lines left alone with a reason"
    )
    sys.exit(bool(alive))


if __name__ == "__main__":
    main()
