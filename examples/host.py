"""A host, end to end: it receives an answer, keeps what is good of it, and hands an agent its part.

    python examples/host.py examples/notes.json 1600

1. The answer comes from a provider the host did not write: it is checked under limits.
2. If it has errors, what is good of it is saved, and what went is logged for the provider's author.
3. An excerpt to the budget keeps the position, the selection and what the pointer is over.
4. Its content blocks, which are MCP's, go to the agent, each behind a line that says whose it is.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import elementguard as eg

LIMITS = eg.Limits.recommended()


def received(answer: bytes) -> bytes:
    """A valid answer: the one that came, or what is good of it."""
    saved = eg.salvage(answer, limits=LIMITS)
    for change in saved.removed:
        print(f"log: {change.done} {change.pointer}: {change.finding.code}", file=sys.stderr)
    return saved.data


def for_the_agent(answer: bytes, max_bytes: int) -> list[dict[str, object]]:
    """The content blocks of the excerpt, in document order."""
    cut = eg.load(answer, limits=LIMITS).excerpt(max_bytes=max_bytes)
    blocks: list[dict[str, object]] = []
    waiting = [json.loads(cut.data)["root"]]
    while waiting:
        element = waiting.pop()
        blocks.append({"type": "text", "text": line(element)})
        blocks.extend(element.get("content", ()))
        waiting.extend(reversed(element.get("children", ())))
    return blocks


def line(element: dict[str, object]) -> str:
    """Who an element is, and what the user does with it."""
    states = [name for name in ("focused", "selected", "hovered") if element.get(name)]
    told = [str(element["role"]), f"#{element['id']}", str(element.get("title", "")), *states]
    return " ".join(filter(None, told))


def main(arguments: list[str]) -> int:
    """Prints the blocks, one a line."""
    name, max_bytes = arguments
    try:
        answer = received(Path(name).read_bytes())
        blocks = for_the_agent(answer, int(max_bytes))
    except (eg.SalvageError, eg.BudgetError) as error:
        print(f"log: {error}", file=sys.stderr)
        return 1
    for block in blocks:
        print(json.dumps(block, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
