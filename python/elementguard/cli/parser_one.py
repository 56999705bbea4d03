"""Command line: what the commands that work on one answer can be told.

Comes in: their parsers. Goes out: the same with their arguments. `parser` adds what is `check`'s.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def add_salvage(parser: argparse.ArgumentParser) -> None:
    """FILE, the limits, where the result goes."""
    _add_file(parser)
    _add_diff(_add_place(parser))


def add_fix(parser: argparse.ArgumentParser) -> None:
    """The same, and which fixes."""
    _add_file(parser)
    parser.add_argument(
        "--unsafe", action="store_true", help="also the fixes that guess what was meant"
    )
    _add_diff(_add_place(parser))


def add_shrink(parser: argparse.ArgumentParser) -> None:
    """The same, and which finding."""
    _add_file(parser)
    parser.add_argument(
        "--code", required=True, metavar="CODE", help="the rule of the finding, such as focus-gap"
    )
    _add_diff(_add_place(parser))


def add_excerpt(parser: argparse.ArgumentParser) -> None:
    """The same, and the budgets."""
    _add_file(parser)
    group = parser.add_argument_group("budgets, one or more")
    group.add_argument("--max-bytes", type=_count, metavar="N", help="of the whole excerpt")
    group.add_argument("--max-elements", type=_count, metavar="N", help="how many elements")
    group.add_argument(
        "--max-blob-bytes", type=_count, metavar="N", help="of pictures, sounds and blobs, decoded"
    )
    parser.add_argument(
        "--keep",
        action="append",
        metavar="WORD[,WORD]",
        help="what must stay besides the position: selected, hovered, ids (default: the first two)",
    )
    _add_place(parser)


def add_sizes(parser: argparse.ArgumentParser) -> None:
    """FILE, the limits, how many and as what."""
    _add_file(parser)
    parser.add_argument(
        "-n",
        "--count",
        type=_count,
        default=10,
        metavar="N",
        help="how many elements at most (default: 10)",
    )
    parser.add_argument(
        "--by",
        choices=("bytes", "elements", "content_bytes", "text_bytes", "blob_bytes"),
        default="bytes",
        help="what counts (default: bytes)",
    )
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--json", action="store_true", help="JSON instead of a table")
    group.add_argument(
        "--html",
        metavar="FILE",
        help="write all of it as a page for a browser, one file that loads nothing (-: stdout)",
    )


def add_show(parser: argparse.ArgumentParser) -> None:
    """FILE, the limits, the page."""
    _add_file(parser)
    parser.add_argument(
        "--html",
        metavar="FILE",
        help="write the tree as a page for a browser, one file that loads nothing (-: stdout)",
    )


def add_limits(group: argparse._ActionsContainer) -> None:
    """--kind, --limits, --limit: the same for all commands."""
    group.add_argument(
        "--kind",
        choices=("answer", "element"),
        default="answer",
        help="element: each input is a single element, without its answer",
    )
    group.add_argument(
        "--limits",
        choices=("default", "recommended"),
        default="default",
        help="the limits to begin with; recommended: a preset for hosts",
    )
    group.add_argument(
        "--limit",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set one limit (see below), such as depth=64",
    )


def _add_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE|-", help="one answer, packed (.gz, .zst) or not; -: standard input"
    )
    add_limits(parser.add_argument_group("what is asked"))


def _add_place(parser: argparse.ArgumentParser) -> argparse._MutuallyExclusiveGroup:
    parser.add_argument(
        "-q", "--quiet", action="store_true", help="the result alone: no list of changes"
    )
    group = parser.add_mutually_exclusive_group()
    group.add_argument("-o", "--output", metavar="FILE", help="write it there, whole or not at all")
    group.add_argument("-i", "--in-place", action="store_true", help="write it over FILE")
    return group


def _add_diff(group: argparse._MutuallyExclusiveGroup) -> None:
    group.add_argument(
        "--diff",
        action="store_true",
        help="show what would change, controls escaped; write nothing",
    )


def _count(text: str) -> int:
    """An integer of 0 or more."""
    digits = text.replace("_", "")
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError
    return int(digits)


_count.__name__ = "number"  # argparse: "invalid number value"
