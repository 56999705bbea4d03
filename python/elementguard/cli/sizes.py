"""Command line: `elementguard sizes`.

Comes in: a valid answer. Goes out: its heaviest subtrees, as a table for a person or as JSON. An
element is at least as heavy as each that it holds, so the root stands first. The table's words are
escaped and its titles cut; JSON has all of them as they were sent, in ASCII. The page for a browser
is `html.weights`'.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from elementguard._errors import ValidationError
from elementguard._json import dumps
from elementguard.cli.asked import validator_of
from elementguard.cli.rewrite import EXIT_DONE, EXIT_FAILED, EXIT_FINDINGS, refusal, told
from elementguard.cli.whole import read, shown
from elementguard.cli.words import named

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Iterator

    from elementguard._element import Element
    from elementguard.cli.console import Console

_VERSION = 1
_HEAD = ("bytes", "text", "blobs", "elements")
_TITLE = 40  # characters of a title in the table


def run(options: Namespace, console: Console) -> int:
    """Print the heaviest subtrees, or write the page."""
    validator = validator_of(options)
    if options.html is not None:
        from elementguard.cli.html.page import checked_place

        checked_place(options)
    data = read(options.file, validator.limits.bytes, console)
    if data is None:
        return EXIT_FAILED
    try:
        answer = validator.load(data)
    except ValidationError as error:
        reason = refusal(error.report)
        console.error(f"{shown(options.file)}: {reason}")
        told(reason.details, console)
        return EXIT_FINDINGS
    if options.html is not None:
        from elementguard.cli.html import weights

        return EXIT_DONE if weights.write(answer, options, console) else EXIT_FAILED
    heaviest = answer.heaviest(options.count, by=options.by)
    for line in _json(heaviest) if options.json else _table(heaviest):
        console.write(f"{line}\n")
    return EXIT_DONE


def _table(elements: Iterable[Element]) -> Iterator[str]:
    yield "".join(f"{word:>10}  " for word in _HEAD) + "element"
    for element in elements:
        size = element.size
        counts = (size.bytes, size.text_bytes, size.blob_bytes, size.elements)
        yield "".join(f"{count:>10}  " for count in counts) + named(element, _TITLE)


def _json(elements: Iterable[Element]) -> Iterator[str]:
    """One object, one line an element."""
    yield f'{{"version":{_VERSION},"elements":['
    separator = ""
    for element in elements:
        yield f"{separator}{dumps(_item(element))}"
        separator = ","
    yield "]}"


def _item(element: Element) -> dict[str, object]:
    return {
        "id": element.id,
        "role": element.role,
        "title": element.title,
        "pointer": element.pointer,
        **element.size._asdict(),
    }
