"""Facade: the JSON Schemas that ship with the package.

Comes in: which one. Goes out: it, read from `schemas/` when asked. The answer's schema is the
source of both engines' shape tables; what a schema cannot say (ids, focus, hover, limits) is the
rules'.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

_NAMES = ("answer", "report", "sizes")
_NEEDED = "name: 'answer', 'report' or 'sizes' is needed"


def schema(name: Literal["answer", "report", "sizes"]) -> dict[str, Any]:
    """A JSON Schema (draft 2020-12): what an answer, or JSON of ours, looks like.

    An answer without findings fits its schema; one that fits may still break rules that no schema
    can say.

    Args:
        name: `"answer"`, `"report"` or `"sizes"`. The report's fits `report.to_dict()`, what
            `check --output-format json` writes, and each line of its `jsonl`; the one of sizes
            fits what `sizes --json` writes.

    Returns:
        The schema, a new dict each time.

    Raises:
        TypeError: the name is no `str`.
        ValueError: there is no schema of that name.

    Section:
        Elements 0.2.0, 5.1, 5.2, 5.5, 5.6.

    Example:
        >>> import elementguard as eg
        >>> eg.schema("report")["$schema"]
        'https://json-schema.org/draft/2020-12/schema'
    """
    if not isinstance(name, str):
        raise TypeError(f"{_NEEDED}, not {type(name).__name__}")
    if name not in _NAMES:
        raise ValueError(f"{_NEEDED}, not {name!r}")
    from importlib.resources import files
    from json import loads

    text = (files("elementguard") / "schemas" / f"{name}.schema.json").read_text("utf-8")
    found: dict[str, Any] = loads(text)
    return found
