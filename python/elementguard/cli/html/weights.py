# ruff: noqa: SLF001 -- an answer's index is read as columns, which no call gives
"""Command line: `elementguard sizes --html`.

Comes in: a valid answer. Goes out: what weighs most in it as a page: an icicle that one can go into
and a table of what each element holds, by the five measures that `sizes --by` knows.
"""

from __future__ import annotations

from elementguard._layout import CONTENT
from elementguard.cli.html.outline import columns
from elementguard.cli.html.page import head_of, put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from elementguard._answer import Answer
    from elementguard.cli.console import Console

_MEASURES = {"content_bytes": "content", "text_bytes": "text", "blob_bytes": "blobs"}


def write(answer: Answer, options: Namespace, console: Console) -> bool:
    """Write the page; False if that failed, which was said then."""
    head = head_of("sizes", options, answer.report, len(answer.raw))
    return put("sizes", head, weights(answer, options.by), options, console)


def weights(answer: Answer, by: str) -> dict[str, object]:
    """What the page shows, and what it begins with."""
    return {
        **columns(answer, list(answer.walk())),
        "content": answer._index.column(CONTENT),
        "by": _MEASURES.get(by, by),
    }
