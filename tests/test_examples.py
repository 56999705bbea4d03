"""The examples run, from end to end.

Comes in: `examples/host.py` and the answers beside it. Goes out: a failure where the host hands an
agent something else than content blocks of a valid excerpt.
"""

import json
import subprocess
import sys
from pathlib import Path

from elementguard._python.rules.shape import BLOCK_TYPES

EXAMPLES = Path(__file__).parent.parent / "examples"


def host(environment, name, max_bytes):
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "host.py"), str(EXAMPLES / name), str(max_bytes)],
        capture_output=True,
        env={**environment, "PYTHONIOENCODING": "utf-8"},
        text=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    assert "Traceback" not in done.stderr
    return done.returncode, list(map(json.loads, done.stdout.splitlines())), done.stderr


def test_an_agent_gets_what_fits(environment):
    code, blocks, told = host(environment, "notes.json", 1_600)
    assert (code, told) == (0, "")
    assert {block["type"] for block in blocks} <= BLOCK_TYPES.keys()
    texts = [block["text"] for block in blocks if block["type"] == "text"]
    assert "Text #sel-1 focused selected" in texts
    assert "two herons" in texts
    assert not [block for block in blocks if block["type"] == "image"]
    everything = host(environment, "notes.json", 100_000)[1]
    assert [block for block in everything if block["type"] == "image"]
    assert len(everything) > len(blocks)


def test_of_a_broken_answer_it_gets_what_is_good(environment):
    code, blocks, told = host(environment, "notes-faulty.json", 100_000)
    assert code == 0
    assert blocks
    assert "malformed-base64" in told
    assert "duplicate-id" in told


def test_what_cannot_be_done_is_told(environment):
    code, blocks, told = host(environment, "notes.json", 10)
    assert (code, blocks) == (1, [])
    assert told.startswith("log: max_bytes: what must stay")
