"""Facade: what `validate` raises.

Comes in: a report with an error in it. Goes out: `ValidationError`, whose text is short and quotes
no more than the report's messages do; logs and trackers keep such texts for long.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from elementguard._report import Report


class ValidationError(ValueError):
    """An answer has errors: a host cannot rely on it. Picklable.

    Attributes:
        report: the whole report, warnings and notes too.

    Section:
        Elements 0.2.0, all of section 5.

    Example:
        >>> import elementguard as eg
        >>> try:
        ...     eg.validate(b'{"protocol": "0.2.0", "instance": "k3f9"}')
        ... except eg.ValidationError as error:
        ...     print(error)
        ...     print(error.errors()[0]["type"], error.errors()[0]["loc"])
        1 error: missing-member at the answer: The required member "root" is missing here. Add it.
        missing-member ()
    """

    report: Report

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.report = report

    def errors(self) -> list[dict[str, object]]:
        """The errors that the report keeps, in the shape that users of pydantic know.

        The input is left out, on purpose.

        Returns:
            For each a dict of `type` (the rule's code), `loc` (the pointer's tokens; what reads as
            an index is an `int`), `msg` and `ctx` (the rule's parameters).

        Section:
            Each error's own.

        Example:
            >>> import elementguard as eg
            >>> try:
            ...     eg.validate({"id": "a", "role": "Group", "children": [7]}, kind="element")
            ... except eg.ValidationError as error:
            ...     error.errors()[0]["loc"]
            ('children', 0)
        """
        return [
            {
                "type": finding.code,
                "loc": tuple(map(_step, _tokens(finding.pointer))),
                "msg": finding.message,
                "ctx": dict(finding.params),
            }
            for finding in self.report.errors
        ]

    def __str__(self) -> str:
        count = self.report.count("error")
        text = f"{count} error{'s' if count != 1 else ''}"
        first = next(iter(self.report.errors), None)
        if first is None:
            return text
        shown = str(first).removeprefix("error ")
        return f"{text}: {shown}" if count == 1 else f"{text}, the first: {shown}"

    def __reduce__(self) -> tuple[object, ...]:
        return ValidationError, (self.report,)


def _tokens(pointer: str) -> list[str]:
    from elementguard._breadcrumb import tokens_of

    return tokens_of(pointer)


def _step(token: str) -> str | int:
    is_index = token.isascii() and token.isdigit() and (token == "0" or token[0] != "0")
    return int(token) if is_index and len(token) < 20 else token
