"""Packaging: each built file, installed as a user would, and asked what it is.

In comes the folder that `make wheels` filled: the compiled wheel, the pure wheel, the sdist. Out
goes one line a fact; the first that does not hold ends the run with exit code 1. A file is checked
by what it does in an environment of its own, where nothing of this checkout can be imported: a
wheel that works only beside its sources, or an engine that silently gave way to the other, is seen.

    python tools/check_wheels.py dist
"""

import os
import re
import subprocess
import sys
import tempfile
import venv
import zipfile
from email.parser import BytesParser
from pathlib import Path

# What a packager needs from the sdist, besides what `cargo metadata` asks for.
IN_SDIST = (
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "pyproject.toml",
    "python/elementguard/_python/__init__.py",
    "python/elementguard/cli/html/parts/frame.html",
    "python/elementguard/py.typed",
    "python/elementguard/rules/focus-gap.md",
    "python/elementguard/schemas/answer.schema.json",
    "python/elementguard/vectors.jsonl",
    "rust/elementguard/src/lib.rs",
    "rust/elementguard-python/src/lib.rs",
    "tests/conformance.rs",
)
IN_WHEELS = (
    "elementguard/__init__.py",
    "elementguard/_python/__init__.py",
    "elementguard/cli/html/parts/frame.html",
    "elementguard/cli/html/parts/rows.js",
    "elementguard/cli/html/parts/style.css",
    "elementguard/py.typed",
    "elementguard/rules/focus-gap.md",
    "elementguard/schemas/answer.schema.json",
    "elementguard/schemas/report.schema.json",
    "elementguard/schemas/sizes.schema.json",
    "elementguard/vectors.jsonl",
)
# Without the caller's choice of engine, sources and build folder: an unpacked sdist carries old
# times, and a build folder that knows an earlier one would take its stale build for a fresh one.
LEFT_OUT = ("CARGO_TARGET_DIR", "ELEMENTGUARD_ENGINE", "PYTHONPATH", "VIRTUAL_ENV")
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}


def run(*command: str | Path, cwd: Path | None = None) -> str:
    """What the command prints; its failure is ours, with all that it said."""
    done = subprocess.run(
        command, cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = f"{done.stdout}{done.stderr}"
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{said}")
    return done.stdout


def demand(holds: object, fact: str) -> None:
    """Say the fact, or end."""
    if not holds:
        sys.exit(f"NOT SO: {fact}")
    print(f"  {fact}")


def only(dist: Path, pattern: str) -> Path:
    """The one file of that kind."""
    found = list(dist.glob(pattern))
    demand(len(found) == 1, f"one {pattern} in {dist}")
    return found[0]


def installed(file: Path, engine: str) -> None:
    """In a fresh environment the selftest passes, on the engine that is expected."""
    print(file.name)
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch)
        venv.create(home / "venv", with_pip=True)
        bin_ = home / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
        run(bin_ / "python", "-m", "pip", "install", "-q", file.resolve(), cwd=home)
        question = "import elementguard; print(elementguard.engine, elementguard.__file__)"
        found, place = run(bin_ / "python", "-c", question, cwd=home).split(maxsplit=1)
        demand(found == engine and place.startswith(scratch), f"the engine is {engine}")
        said = run(bin_ / "elementguard", "selftest", cwd=home).strip().splitlines()
        demand(said, "`elementguard selftest` passes: " + said[-1] if said else "it says something")


def metadata(wheel: Path) -> dict[str, list[str]]:
    """The wheel's METADATA, field by field, but for those that builders spell in their own way."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        message = BytesParser().parsebytes(archive.read(name))
    fields = {field.lower() for field in message} - {"metadata-version", "description-content-type"}
    plain = re.compile(r"[\s'\"()]")
    return {f: sorted(plain.sub("", str(v)) for v in message.get_all(f, [])) for f in fields}


def wheel_is_whole(wheel: Path) -> None:
    """What a wheel must hold, whichever engine is in it."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    demand(names.issuperset(IN_WHEELS), f"{wheel.name} has the pure engine, cards, schemas, types")
    licences = {Path(name).name for name in names if ".dist-info/licenses/" in name}
    demand({"LICENSE-MIT", "LICENSE-APACHE"} <= licences, "and both licences")
    demand(not any("__pycache__" in name for name in names), "and nothing compiled by accident")


def tag_is_true(wheel: Path) -> None:
    """The platform that the wheel's name promises is the one that its content needs."""
    if sys.platform != "linux":
        return
    said = " ".join(run(sys.executable, "-m", "auditwheel", "show", wheel).split())
    promised = wheel.stem.split("-")[-1].split(".")
    demand(any(f'"{tag}"' in said for tag in promised), f"its content keeps to {promised[-1]}")


def sdist_is_whole(sdist: Path) -> None:
    """It unpacks to a workspace whose lock fits."""
    print(sdist.name)
    with tempfile.TemporaryDirectory() as scratch:
        run("tar", "-xf", sdist.resolve(), cwd=Path(scratch))
        (top,) = Path(scratch).iterdir()
        missing = [name for name in IN_SDIST if not (top / name).is_file()]
        demand(not missing, f"the sdist is whole (missing: {', '.join(missing) or 'nothing'})")
        built = [*top.glob("python/elementguard/_core*.so"), *top.rglob("__pycache__")]
        demand(not built, "and holds sources only")
        run("cargo", "metadata", "--locked", "--format-version", "1", cwd=top)
        print("  and `cargo metadata --locked` takes it")


def main() -> None:
    """Check the folder's three files."""
    dist = Path(sys.argv[1] if len(sys.argv) > 1 else "dist")
    compiled, pure = only(dist, "*-abi3-*.whl"), only(dist, "*-py3-none-any.whl")
    sdist = only(dist, "*.tar.gz")
    for wheel in (compiled, pure):
        wheel_is_whole(wheel)
    demand(metadata(compiled) == metadata(pure), "both wheels say the same of themselves")
    tag_is_true(compiled)
    sdist_is_whole(sdist)
    installed(compiled, "rust")
    installed(pure, "python")
    installed(sdist, "rust")
    print("all three are sound")


if __name__ == "__main__":
    main()
