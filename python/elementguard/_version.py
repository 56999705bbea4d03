"""Facade: the version, as the workspace's `Cargo.toml` has it; a test compares them.

Written down rather than asked of the installed metadata: that would import a mail parser with every
import.
"""

__version__ = "0.1.0"
"""The version of the package."""
