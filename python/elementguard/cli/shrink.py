"""Command line: `elementguard shrink`.

Comes in: an answer, or what should be one, and a rule's code. Goes out: the smallest answer with
the same finding, its texts replaced by placeholders, to be shown to others; on stderr the texts
that had to stay, since it is for a person to say whether they may be shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from elementguard._rules import RULES, unknown
from elementguard._shrink import NotFoundError, shrink
from elementguard.cli import rewrite
from elementguard.cli.rewrite import CannotError, Job, Made, counted
from elementguard.cli.words import marked

if TYPE_CHECKING:
    from argparse import Namespace

    from elementguard._shrink import Kept
    from elementguard._validator import Validator
    from elementguard.cli.console import Console

_OF_A_RUN = ("reassigned-id", "changed-instance")
_TEXT = 60  # characters of a text that stayed


def run(options: Namespace, console: Console) -> int:
    """Make the answer as small as it can be."""
    code = options.code
    if code not in RULES:
        options.usage_error(f"--code: {unknown(code)}")
    if code in _OF_A_RUN:
        options.usage_error(f"--code: {code} is found between answers, not in one")

    def make(validator: Validator, data: bytes) -> Made:
        return _made(validator, data, code)

    return rewrite.run(options, console, Job(make, is_bounded=False, done="shrunk"))


def _made(validator: Validator, data: bytes, code: str) -> Made:
    try:
        shrunk = shrink(validator, data, code)
    except NotFoundError as error:
        raise CannotError(str(error)) from None
    sizes = f"{counted(len(data), 'byte')} to {len(shrunk.data)}"
    stopped = "" if shrunk.is_least else ", then stopped: there may be a smaller one"
    tries = f"{counted(shrunk.tries, 'answer')} tried{stopped}"
    return Made(
        shrunk.data, list(map(_line, shrunk.kept)), f"shrunk: {sizes}, {tries}; {shrunk.report}"
    )


def _line(kept: Kept) -> str:
    text = kept.raw.decode("utf-8", "backslashreplace").removeprefix('"').removesuffix('"')
    return f"kept {marked(text, _TEXT)} at byte {kept.offset}"
