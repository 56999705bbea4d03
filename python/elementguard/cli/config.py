"""Command line: the configuration of `check`.

Comes in: the arguments, and `[tool.elementguard]` of the nearest `pyproject.toml` that has it, or
the nearest `elementguard.toml`, from the working directory upwards. Goes out: the flags that it
stands for, to be read before those that were typed, so that these have the last word. A key is a
flag's name; what is no such key, or no such value, is an error that names the file. So is a file
that is no TOML, whoever's it is: what it would have said of us must not be lost without a word.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from elementguard.cli.small import read_small

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SWITCHES = ("notes", "statistics", "exit-zero", "lines")
_TEXTS = ("kind", "limits", "fail-level", "baseline")
_LISTS = ("select", "ignore", "output-format")
_TABLES = ("level", "limit")
KEYS = (*_SWITCHES, *_TEXTS, *_LISTS, *_TABLES)
_MEBIBYTES = 1  # of a configuration
_OWN, _SHARED = "elementguard.toml", "pyproject.toml"


class ConfigError(ValueError):
    """The configuration cannot be read, or says what there is not."""


def flags(given: Sequence[str], file: str | None) -> tuple[str, list[str]]:
    """The configuration's file, and the flags that it stands for.

    Args:
        given: the arguments that were typed: a list there replaces the one here.
        file: the file to read; None looks for it.

    Raises:
        ConfigError: see above.
    """
    found = _named(Path(file)) if file is not None else _nearest()
    if found is None:
        return "", []
    path, table = found
    typed = {argument.partition("=")[0] for argument in given}
    try:
        return os.fspath(path), [
            flag
            for key, value in table.items()
            if not (key in _LISTS and f"--{key}" in typed)
            for flag in _flags(key, value, path.parent)
        ]
    except ConfigError as error:
        raise _of(path, str(error)) from None


def _named(path: Path) -> tuple[Path, dict[str, object]]:
    table = _table(path)
    if table is None:
        raise _of(path, "there is no [tool.elementguard] in it")
    return path, table


def _nearest() -> tuple[Path, dict[str, object]] | None:
    try:
        here = Path.cwd()
    except OSError as error:
        raise ConfigError(f"the working directory: {error.strerror}") from None
    for folder in (here, *here.parents):
        for name in (_OWN, _SHARED):
            path = folder / name
            if path.is_file() and (table := _table(path)) is not None:
                return path, table
    return None


def _table(path: Path) -> dict[str, object] | None:
    """What the file says of us; None if it does not."""
    import tomllib

    try:
        told = tomllib.loads(read_small(path, _MEBIBYTES).decode())
    except OSError as error:
        raise _of(path, error.strerror) from None
    except (ValueError, RecursionError) as error:
        place = re.search(r" \(at [^()]*\)$", str(error))  # the rest may quote the file
        raise _of(path, f"it is no TOML{place[0] if place else ''}") from None
    if path.name != _SHARED:
        return told
    tool = told.get("tool")
    table = tool.get("elementguard") if isinstance(tool, dict) else None
    return table if isinstance(table, dict) else None


def _of(path: Path, reason: str | None) -> ConfigError:
    return ConfigError(f"{os.fspath(path)!r}: {reason}")


def _flags(key: str, value: object, folder: Path) -> Iterator[str]:
    if key in _SWITCHES and isinstance(value, bool):
        yield from [f"--{key}"] if value else []
    elif key in _TEXTS and isinstance(value, str):
        yield f"--{key}={folder / value if key == 'baseline' else value}"
    elif key in _LISTS and isinstance(value, list) and all(isinstance(v, str) for v in value):
        yield from (f"--{key}={item}" for item in value)
    elif key in _TABLES and isinstance(value, dict):
        yield from (f"--{key}={name}={_text(key, item)}" for name, item in value.items())
    else:
        raise ConfigError(_wrong(key))


def _text(key: str, value: object) -> str:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ",".join(value)
    if isinstance(value, str | int) and not isinstance(value, bool):
        return str(value)
    raise ConfigError(_wrong(key))


def _wrong(key: str) -> str:
    if key in _SWITCHES:
        return f"{key}: true or false is needed"
    if key in _TEXTS:
        return f"{key}: a string is needed"
    if key in _LISTS:
        return f"{key}: a list of strings is needed"
    if key in _TABLES:
        return f"{key}: a table is needed, of strings, integers or lists of strings"
    return f"there is no key {key[:40]!r}: {', '.join(KEYS)} are there"
