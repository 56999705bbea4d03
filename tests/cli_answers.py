"""What the tests of the command line check: small answers, one of each kind.

Comes in: nothing. Goes out: the texts, under the names that their files have in the folder `here`
(conftest.py), the characters that must not reach a terminal, and a run that nobody reads to its
end. Not a test itself.
"""

import re
import subprocess
import sys

HEAD = '{"protocol":"0.2.0","instance":"k3f9x2","root":{"id":"app","role":"Application"'
CLEAN = HEAD + "}}"
WARNED = HEAD + ',"children":[{"id":"w-1","role":"Window","focused":false}]}}'
NOTED = HEAD + ',"title":""}}'
WRONG = CLEAN.replace("Application", "Group")
CUT = CLEAN[:-1]
ALL = HEAD.replace("Application", "Group") + ',"title":"","children":[]}}'  # one of each level
FILES = {"clean": CLEAN, "warned": WARNED, "noted": NOTED, "wrong": WRONG, "cut": CUT, "all": ALL}

CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def unread(environment, *command):
    """The exit code and the stderr of a command whose reader goes away after a byte."""
    process = subprocess.Popen(
        [sys.executable, "-m", "elementguard", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )
    process.stdout.read(1)
    process.stdout.close()
    told = process.stderr.read()
    process.stderr.close()
    return process.wait(timeout=60), told
