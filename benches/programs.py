"""Benches, the Rust programs: builds them, and says where they are.

In comes an example's name, out comes its path, built as the shipped extension is.
"""

import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent


def build(name: str) -> Path:
    """`cargo build` tells where it put it, wherever that is."""
    command = ["cargo", "build", "--release", "--locked", "--package", "elementguard"]
    command += ["--example", name, "--message-format", "json-render-diagnostics"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False, cwd=ROOT)
    if done.returncode:
        raise SystemExit(f"cargo could not build {name}")
    for line in done.stdout.splitlines():
        message = json.loads(line)
        if message.get("executable") and message["target"]["name"] == name:
            return Path(message["executable"])
    raise SystemExit(f"cargo built no {name}")
