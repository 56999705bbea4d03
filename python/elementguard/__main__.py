"""`python -m elementguard`: the command line, without its script."""

import sys

from elementguard.cli import main

if __name__ == "__main__":
    sys.exit(main())
