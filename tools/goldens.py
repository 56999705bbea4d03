"""What `elementguard check` writes in each format, of the same ten answers.

Comes in: conformance vectors, and what tests/ has besides. Goes out: `tests/golden/`, a file for
each answer and format. Versions and engines have no names there, and what the pages of two
answers share is left out, so that a golden changes exactly where what is told does. `--check`
writes nothing and fails if one is stale.
"""

from __future__ import annotations

import re
import sys
import tempfile
from contextlib import chdir, redirect_stderr
from io import StringIO
from json import dumps
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden"
VECTORS = ROOT / "tests" / "conformance"
FORMS = (
    *("text", "concise", "json", "jsonl", "sarif"),
    *("github", "gitlab", "junit", "markdown", "html"),
)
_SHARED = re.compile("(<style>|<script>).*?(</style>|</script>)", re.DOTALL)


def answers() -> dict[str, bytes]:
    """The ten, by name."""
    lines = [one("clean/the-least-answer.json"), one("json-truncated/inside-a-string.bin")]
    return {
        "clean": one("clean/a-text-editor.json"),
        "warnings": one("false-state/the-three-states.json"),
        "notes": one("blank-title/empty.json"),
        "errors": one("interplay/one-element-with-much-at-fault.json"),
        "fatal": lines[1],
        "bytes": one("json-encoding/in-a-name.bin"),
        "unicode": one("quoting/what-is-not-escaped.json"),
        "hostile": attacking(),
        "empty": b"",
        "lines": b"\n".join([lines[0], b"", lines[1], lines[0], b"\xff"]) + b"\n",
    }


def attacking() -> bytes:
    """Each hostile word once as what is quoted, once on the way to it."""
    import hostile

    words = [word[:300] for word in hostile.WORDS.values()]
    children = [{"id": word, "role": word, word: None} for word in words]
    root = {"id": "app", "role": "Application", "children": children}
    return dumps({"protocol": "0.2.0", "instance": "k3f9x2", "root": root}).encode()


def one(name: str) -> bytes:
    """A vector's input."""
    return (VECTORS / name).read_bytes()


def outputs(data: bytes, name: str) -> tuple[int, dict[str, str]]:
    """The exit code, and what each format writes of an answer, all in one run."""
    from elementguard.cli import main

    with tempfile.TemporaryDirectory() as folder, chdir(folder), redirect_stderr(StringIO()):
        Path(name).write_bytes(data)
        flags = [f"--output-format={form}=out.{form}" for form in FORMS]
        code = main(["check", name, "--notes", *flags])
        return code, {form: Path(f"out.{form}").read_text("utf-8") for form in FORMS}


def name_of(answer: str) -> str:
    """The name that an answer's file has."""
    return "answer.ndjson" if answer == "lines" else "answer.json"


def normal(text: str) -> str:
    """What an output says, whatever the version and the engine."""
    import elementguard

    text = _SHARED.sub(r"\1\2", text)
    text = re.sub("'sha256-[^']*'", "'sha256-'", text)
    text = text.replace(elementguard.RULES_VERSION, "RULES_VERSION")
    text = text.replace(f'"{elementguard.__version__}"', '"VERSION"')
    return re.sub('"(rust|python)( engine)?"', r'"ENGINE\2"', text)


def goldens() -> dict[str, str]:
    """All of them, by the names of their files."""
    return {
        f"{answer}.{form}": normal(text)
        for answer, data in answers().items()
        for form, text in outputs(data, name_of(answer))[1].items()
    }


def main(arguments: list[str]) -> int:
    """Write, or with `--check` only look."""
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    made = goldens()
    found = {path.name: path.read_text("utf-8") for path in GOLDEN.glob("*")}
    stale = sorted(name for name in made.keys() | found.keys() if made.get(name) != found.get(name))
    for name in stale:
        print("stale:" if arguments else "written:", f"tests/golden/{name}")
        if arguments:
            continue
        GOLDEN.mkdir(exist_ok=True)
        if name in made:
            (GOLDEN / name).write_text(made[name], "utf-8", newline="\n")
        else:
            (GOLDEN / name).unlink()
    return 1 if arguments and stale else 0


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests")]
    sys.exit(main(sys.argv[1:]))
