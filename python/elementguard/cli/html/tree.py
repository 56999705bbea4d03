"""Command line: `elementguard show --html`.

Comes in: an answer. Goes out: its tree as a page, findings beside their elements. In a
browser an answer with errors has its tree as well, for whoever mends it wants to see where they
are; the exit code is that of `show`. Where the work ended early there is no tree, and the page has
the findings alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from elementguard._answer import made
from elementguard._load import taken
from elementguard.cli.html.outline import findings_alone, outline
from elementguard.cli.html.page import checked_place, head_of, put
from elementguard.cli.rewrite import EXIT_DONE, EXIT_FAILED, EXIT_FINDINGS
from elementguard.cli.whole import read

if TYPE_CHECKING:
    from argparse import Namespace

    from elementguard._validator import Validator
    from elementguard.cli.console import Console


def run(validator: Validator, options: Namespace, console: Console) -> int:
    """Read the answer and write the page."""
    checked_place(options)
    data = read(options.file, validator.limits.bytes, console)
    if data is None:
        return EXIT_FAILED
    report, source, index = taken(validator, data, faulty=True)
    if index is None or not len(index):
        shown = findings_alone(report, data)
    else:
        shown = outline(made(source, index, report, validator.kind, None))
    head = head_of("show", options, report, len(data))
    if not put("tree", head, shown, options, console):
        return EXIT_FAILED
    return EXIT_DONE if report.ok else EXIT_FINDINGS
