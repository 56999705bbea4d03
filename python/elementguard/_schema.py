"""Facade: the JSON Schemas that ship with the package.

Comes in: which one. Goes out: it, read from `schemas/` when asked. The answer's schema is the
source of both engines' shape tables; what a schema cannot say (ids, focus, hover, limits) is the
rules'.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

_NAMES = ("answer", "report")


def schema(name: Literal["answer", "report"]) -> dict[str, Any]:
    """A JSON Schema (draft 2020-12): what an answer, or a report in JSON, looks like.

    An answer without findings fits its schema; one that fits may still break rules that no schema
    can say.

    Args:
        name: `"answer"` or `"report"`. The report's fits `report.to_dict()` and the command line's
            JSON output.

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
        raise TypeError(f"name: 'answer' or 'report' is needed, not {type(name).__name__}")
    if name not in _NAMES:
        raise ValueError(f"name: 'answer' or 'report' is needed, not {name!r}")
    from importlib.resources import files
    from json import loads

    text = (files("elementguard") / "schemas" / f"{name}.schema.json").read_text("utf-8")
    found: dict[str, Any] = loads(text)
    return found
