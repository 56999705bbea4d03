"""Command line: `elementguard schema`.

Comes in: which one. Goes out: it, as the file in the package has it.
"""

from __future__ import annotations

from importlib.resources import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from elementguard.cli.console import Console


def run(options: Namespace, console: Console) -> int:
    """Print the schema."""
    console.write(
        (files("elementguard") / "schemas" / f"{options.name}.schema.json").read_text("utf-8")
    )
    return 0
