"""What the documents hold: their blocks, and the sessions in them.

Comes in: README.md and the pages of docs/. Goes out: `Block`, each with what stands around it. A
line `<!-- not run: REASON -->` above a fence is the only way for a block not to be run.
"""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAGES = sorted((ROOT / "docs").rglob("*.md"))
FENCE = re.compile(r"^```(?P<language>[a-z]+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_RUN = re.compile(r"^<!-- not run: (?P<reason>.+) -->\n\Z", re.MULTILINE)


class Block(NamedTuple):
    """A fenced block of a document."""

    document: str
    language: str
    text: str
    line: int  # of its fence, from 1
    follows: bool  # nothing but white space stands between the block before and this one
    reason: str | None  # why it is not run
    behind: str | None  # the text block that follows, which is what comes out of this one

    @property
    def place(self):
        return f"{self.document}-{self.line}"


def blocks_of(file):
    text, end, found = file.read_text("utf-8"), 0, []
    name = file.relative_to(ROOT).as_posix()
    for match in FENCE.finditer(text):
        between = text[end : match.start()]
        unrun = NOT_RUN.search(between)
        line = text.count("\n", 0, match.start()) + 1
        follows = bool(found) and not between.strip()
        if follows and match["language"] == "text":
            found[-1] = found[-1]._replace(behind=match["text"])
        reason = unrun["reason"] if unrun else None
        found.append(Block(name, match["language"], match["text"], line, follows, reason, None))
        end = match.end()
    assert len(re.findall(r"^ *```", text, re.MULTILINE)) == 2 * len(found), (
        f"{name} has a fence that is no block"
    )
    return found


DOCUMENTS = {file.relative_to(ROOT).as_posix(): blocks_of(file) for file in [README, *PAGES]}
BLOCKS = [block for blocks in DOCUMENTS.values() for block in blocks]


def of(*languages):
    """All blocks of these kinds that are run."""
    return [one for one in BLOCKS if one.language in languages and one.reason is None]


def session(text):
    """The commands of a block, each with what stands below it."""
    shown = []
    for line in text.splitlines(keepends=True):
        if line.startswith("$ "):
            shown.append([without_comment(line), ""])
        elif line.startswith("> ") and not shown[-1][1]:
            shown[-1][0] += f"\n{line[2:].rstrip()}"
        else:
            shown[-1][1] += line
    return [tuple(one) for one in shown]


def without_comment(line):
    return line.removeprefix("$ ").partition("  #")[0].rstrip()
