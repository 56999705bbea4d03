"""Command line: `elementguard show`.

Comes in: an answer. Goes out: its tree as a person reads it, a line an element: role, id, title,
where the focus, the selection and the pointer are, what is not on screen; below an element its
findings. An answer with errors has no tree that one could rely on: its report is shown instead.

The way down is a stack of ours, and an indentation ends somewhere: answers may be deep.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from elementguard._errors import ValidationError
from elementguard._escape import quoted
from elementguard._render import Page
from elementguard.cli.asked import validator_of
from elementguard.cli.beside import Beside, beside
from elementguard.cli.rewrite import EXIT_DONE, EXIT_FAILED, EXIT_FINDINGS, advice, counted
from elementguard.cli.whole import read, shown
from elementguard.cli.words import named, own_words

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from elementguard._answer import Answer
    from elementguard._element import Element
    from elementguard._finding import Finding
    from elementguard._report import Report
    from elementguard.cli.console import Console

_TITLE = 60  # characters of a title
_DEEPEST = 20  # levels that are indented; below, a number says how deep
_NOTHING = Beside()


def run(options: Namespace, console: Console) -> int:
    """Print the tree, or the report; or write the page."""
    validator = validator_of(options)
    if options.html is not None:
        from elementguard.cli.html import tree

        return tree.run(validator, options, console)
    data = read(options.file, validator.limits.bytes, console)
    if data is None:
        return EXIT_FAILED
    try:
        answer = validator.load(data)
    except ValidationError as error:
        for text in _report(error.report, data, options, console):
            console.write(f"{text}\n")
        return EXIT_FINDINGS
    for line in _lines(answer, console):
        console.write(f"{line}\n")
    return EXIT_DONE


def _report(report: Report, data: bytes, options: Namespace, console: Console) -> Iterator[str]:
    page = Page(data, name=shown(options.file), width=console.width, paint=console.paint)
    for block in page.blocks(report.findings):
        yield f"{block}\n"
    word = console.paint("failed", "no tree")
    yield f"{word}: the answer has errors ({report}){advice(report)}"


def _lines(answer: Answer, console: Console) -> Iterator[str]:
    around, places = beside(answer.report.findings, answer.kind)
    if answer.kind == "answer":
        yield f"protocol {quoted(answer.protocol or '')}, instance {quoted(answer.instance or '')}"
    yield from (_finding(finding, "", console) for finding in around)
    marks = _Marks(answer, console)
    hidden = iter(answer._hidden())  # noqa: SLF001 -- asked of each element, it would be square
    for element, depth, place in _walk(answer.root, places):
        margin = _margin(depth)
        yield f"{margin}{marks.line(element, is_hidden=next(hidden))}"
        yield from (_finding(finding, margin, console) for finding in place.findings)
    kept = f" (the first {len(answer.report.findings)} are shown)"
    more = kept if answer.report.truncated else ""
    yield f"{counted(len(answer), 'element')}; {answer.report}{more}"


def _walk(root: Element, places: Beside) -> Iterator[tuple[Element, int, Beside]]:
    """All elements in document order, each with its depth and what is beside it."""
    waiting = [(root, 0, places)]
    while waiting:
        element, depth, place = waiting.pop()
        yield element, depth, place
        below = [
            (child, depth + 1, place.inside.get(index, _NOTHING))
            for index, child in enumerate(element.children)
        ]
        waiting += reversed(below)


def _margin(depth: int) -> str:
    deep = f"({depth}) " if depth > _DEEPEST else ""
    return "  " * min(depth, _DEEPEST) + deep


def _finding(finding: Finding, margin: str, console: Console) -> str:
    level = console.paint(finding.level, str(finding.level))
    return f"{' ' * len(margin)}! {level} {finding.code}: {finding.message}"


class _Marks:
    """The lines of an answer's elements: what is where."""

    def __init__(self, answer: Answer, console: Console) -> None:
        self._position, self._paint = answer.position, console.paint

    def line(self, element: Element, *, is_hidden: bool) -> str:
        """The element with all that is to be said of it."""
        words = [named(element, _TITLE), *own_words(element)]
        marks = ", ".join(self._of(element, is_hidden=is_hidden))
        return " ".join([*words, self._paint("code", f"[{marks}]")] if marks else words)

    def _of(self, element: Element, *, is_hidden: bool) -> Iterator[str]:
        if element.focused:
            yield "position" if element == self._position else "focused"
        if element.selected:
            yield "selected"
        if element.hovered:
            yield "pointer"
        if is_hidden:
            yield "not on screen"
