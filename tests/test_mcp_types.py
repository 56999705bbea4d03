"""MCP's own types as a peer: what we accept as a content block, an MCP client accepts too.

Comes in: every block of the conformance vectors of which nothing of level error is said. Goes out:
a failure where `mcp.types` refuses one. There is no exception; one would be listed here with its
reason. The vectors' reports are taken as written: that engines give them is tested elsewhere.
"""

import sys
from pathlib import Path

import pytest
from mcp.types import ContentBlock
from pydantic import TypeAdapter, ValidationError

sys.path.insert(0, str(Path(__file__).parent))

from written_reports import CATALOGUE, object_of, vectors

PEER = TypeAdapter(ContentBlock)
LEVELS = {rule["code"]: rule["level"] for rule in CATALOGUE}


def accepted():
    """The blocks of which no error is said: the vector's name, the pointer, the block."""
    for vector in vectors():
        report, answer = vector.report, object_of(vector.file)
        if answer is None or report["fatal"] or report["truncated"] or report["rules"]:
            continue
        errors = [f["pointer"] for f in report["findings"] if LEVELS[f["code"]] == "error"]
        for pointer, block in blocks(answer, report["kind"]):
            if not any(f"{error}/".startswith(f"{pointer}/") for error in errors):
                yield vector.name, pointer, block


def blocks(answer, kind):
    """All content blocks of an answer, with their pointers."""
    root = answer if kind == "element" else member(answer, "root", dict)
    waiting = [("" if kind == "element" else "/root", root)]
    while waiting:
        pointer, element = waiting.pop()
        for index, child in enumerate(member(element, "children", list) or ()):
            waiting.append((f"{pointer}/children/{index}", child))
        for index, block in enumerate(member(element, "content", list) or ()):
            yield f"{pointer}/content/{index}", block


def member(value, name, kind):
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, kind) else None


ACCEPTED = list(accepted())


def test_there_are_blocks_of_each_type():
    types = {block["type"] for _, _, block in ACCEPTED}
    assert types == {"text", "image", "audio", "resource_link", "resource"}
    assert len(ACCEPTED) >= 300


@pytest.mark.parametrize(
    "block",
    [block for _, _, block in ACCEPTED],
    ids=[f"{name}:{pointer}" for name, pointer, _ in ACCEPTED],
)
def test_the_peer_accepts_what_we_accept(block):
    kept = PEER.validate_python(block)
    assert kept.type == block["type"]


def test_the_peer_refuses_what_is_no_block():
    # Without this the test above would pass with a peer that takes anything.
    for block in ({}, {"type": "video"}, {"type": "text"}, {"type": "image", "data": "QQ=="}):
        with pytest.raises(ValidationError):
            PEER.validate_python(block)
