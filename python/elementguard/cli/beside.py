"""Command line: which findings stand beside which element.

Comes in: the findings of an answer without errors. Goes out: `Beside`, a tree with the answer's
shape but of the elements alone that lead to a finding. It is walked down together with the answer,
so no element's pointer has to be made, however many elements there are.
"""

from __future__ import annotations

from elementguard._breadcrumb import tokens_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from elementguard._finding import Finding


class Beside:
    """What is beside an element, and inside it.

    Attributes:
        findings: those of the element itself: of its members, its blocks, itself.
        inside: by the index of a child, what is beside that one.
    """

    __slots__ = ("findings", "inside")

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.inside: dict[int, Beside] = {}


def beside(findings: Iterable[Finding], kind: str) -> tuple[list[Finding], Beside]:
    """The findings of no element (the answer's own), and those of the root and what it holds."""
    around: list[Finding] = []
    root = Beside()
    for finding in findings:
        tokens = tokens_of(finding.pointer)
        if kind == "answer" and tokens[:1] != ["root"]:
            around.append(finding)
            continue
        _place(root, tokens[1:] if kind == "answer" else tokens).findings.append(finding)
    return around, root


def _place(root: Beside, tokens: list[str]) -> Beside:
    """The innermost element on the way."""
    place = root
    for member, index in zip(tokens[::2], tokens[1::2], strict=False):
        if member != "children":
            break
        place = place.inside.setdefault(int(index), Beside())
    return place
