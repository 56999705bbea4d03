#!/bin/sh
# What `make demo` shows: an answer that is right, then one that a provider got wrong in the usual ways.
# PY is the Python to run; which engine it finds is said first.
set -eu
cd "$(dirname "$0")/.."  # PY and PYTHONPATH may be given from there

"$PY" -c 'import elementguard; print("engine:", elementguard.engine)'

# `show FILE CODE`: the check must end with that exit code: 0 for no error, 1 for findings.
show() {
    printf '\n$ elementguard check %s\n' "$1"
    code=0
    "$PY" -m elementguard check "$1" || code=$?
    [ "$code" -eq "$2" ] || { echo "demo: exit code $code, expected $2" >&2; exit 1; }
}

show examples/notes.json 0
show examples/notes-faulty.json 1
