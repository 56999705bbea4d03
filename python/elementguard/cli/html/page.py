"""Command line: a page on its way to its file.

Comes in: --html, which page, its data. Goes out: the file, whole or as it was before; `-` is
stdout. What is read is never overwritten: a page is no answer.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from elementguard._escape import quoted
from elementguard.cli.html.frame import frame
from elementguard.cli.html.island import island
from elementguard.cli.inputs import STDIN, shown_name
from elementguard.cli.result import deliver
from elementguard.cli.whole import shown

if TYPE_CHECKING:
    from argparse import Namespace

    from elementguard._report import Report
    from elementguard.cli.console import Console


def checked_place(options: Namespace) -> None:
    """Whether a page can go where --html says; wrong usage ends the command."""
    name = options.html
    if not name:
        options.usage_error("--html: the name of a file is needed")
    if "\0" in name or "\0" in options.file or STDIN in (name, options.file):
        return  # no two files, or none that can be opened, which is said then
    if os.path.realpath(name) == os.path.realpath(options.file):
        options.usage_error(f"--html: {shown_name(name)} is what is read; give another name")


def head_of(command: str, options: Namespace, report: Report, size: int) -> dict[str, object]:
    """What stands at the top: which answer it is, how large, what is wrong with it."""
    more = f" (the first {len(report.findings)} are shown)" if report.truncated else ""
    level = next((level for level in ("error", "warning", "note") if report.count(level)), "passed")
    return {
        "command": command,
        "name": shown(options.file),
        "facts": _facts(report, size),
        "verdict": f"{report}{more}",
        "level": level,
    }


def put(
    page: str,
    head: dict[str, object],
    data: dict[str, object],
    options: Namespace,
    console: Console,
) -> bool:
    """Write the page, and say what is in it; False if that failed, which was said then."""
    around = frame(page, f"{shown(options.file)} \u2013 elementguard")
    place = None if options.html == STDIN else options.html
    html = f"{around.before}{island({'head': head, **data})}{around.behind}"
    if not deliver(html.encode("ascii"), place, console):
        return False
    if place is not None:
        console.say(f"{shown_name(place)}: {head['verdict']}")
    return True


def _facts(report: Report, count: int) -> list[str]:
    summary = report.summary
    size = f"{count:,} bytes"
    if summary is None:
        return [size]
    names = {"protocol": summary.protocol, "instance": summary.instance}
    told = [f"{name} {quoted(value)}" for name, value in names.items() if value is not None]
    return [*told, f"{summary.elements:,} element{'' if summary.elements == 1 else 's'}", size]
