"""Command line: `elementguard selftest`.

Comes in: nothing. Goes out: which engines ran, how many vectors they read, every difference; 1 if
there is any.
"""

from __future__ import annotations

import elementguard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from elementguard.cli.console import Console


def run(_options: Namespace, console: Console) -> int:
    """Run it and tell."""
    result = elementguard.selftest()
    for difference in result.differences:
        console.write(f"{difference}\n")
    verdict = "passed" if result.ok else "failed"
    counted = f"{result.vectors} vectors, {result.checks} checks"
    console.write(
        f"elementguard {elementguard.__version__}, rules {elementguard.RULES_VERSION}\n"
        f"engines: {', '.join(result.engines)} (in use: {elementguard.engine})\n"
        f"{verdict}: {counted}, {len(result.differences)} differences\n"
    )
    return 0 if result.ok else 1
