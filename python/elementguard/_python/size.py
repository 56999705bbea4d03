"""Room: the sizes of an element and everything below it.

In: what the element itself holds, then its children's sizes as they end. Out: seven numbers
(contract, section 3).
"""

from __future__ import annotations


class Size:
    """The sizes of one subtree."""

    __slots__ = (
        "blob_bytes",
        "bytes",
        "content_bytes",
        "depth",
        "elements",
        "height",
        "text_bytes",
    )

    def __init__(self, depth: int) -> None:
        self.bytes = 0  # mutants: its end sets it
        self.elements = 1
        self.height = 1
        self.depth = depth
        self.content_bytes = 0
        self.text_bytes = 0
        self.blob_bytes = 0

    def add_child(self, child: Size) -> None:
        """A child's subtree has ended. Its bytes are between this element's braces anyway."""
        self.elements += child.elements
        self.height = max(self.height, child.height + 1)
        self.content_bytes += child.content_bytes
        self.text_bytes += child.text_bytes
        self.blob_bytes += child.blob_bytes

    def as_tuple(self) -> tuple[int, ...]:
        """The sizes in the summary's order."""
        return (
            self.bytes,
            self.elements,
            self.height,
            self.depth,
            self.content_bytes,
            self.text_bytes,
            self.blob_bytes,
        )
