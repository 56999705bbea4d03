"""Facade: what a host is willing to read.

Comes in: numbers, a list of media types. Goes out: `Limits`, a value that is checked once, here;
behind it the engines rely on what they get. Section 5.7 leaves limits to hosts, so none is set by
default but the two that keep the work itself in bounds: `nesting` and `findings`.

Written by hand rather than as a dataclass: importing `dataclasses` would cost more than the rest of
the package.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Self, SupportsIndex

    from elementguard._engine import Asking

# The order is the engines': their `limits` argument is a tuple of these.
COUNTS = (
    "bytes",
    "nesting",
    "elements",
    "depth",
    "findings",
    "children",
    "blocks",
    "subtree_bytes",
    "subtree_elements",
    "content_bytes",
    "attributes_bytes",
    "title_characters",
    "image_edge",
)
NAMES = (*COUNTS, "media_types")

_MIB = 1024 * 1024
_PRESET: dict[str, Any] = {
    "bytes": 32 * _MIB,
    "nesting": 256,
    "elements": 50_000,
    "depth": 64,
    "children": 10_000,
    "blocks": 256,
    "content_bytes": 8 * _MIB,
    "attributes_bytes": 256 * 1024,
    "title_characters": 4_000,
    "image_edge": 8_000,
    "media_types": (
        "image/png",
        "image/jpeg",
        "image/gif",
        "image/webp",
        "audio/wav",
        "audio/mpeg",
    ),
}
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
# RFC 6838, section 4.2: what the names of a type and a subtype are made of.
_NAME_START = frozenset(_LETTERS)
_NAME_CHARACTERS = frozenset(_LETTERS + "!#$&-^_.+")
_NAME_LENGTH = 127


class Limits:
    """How large an answer, and each thing in it, may be. Immutable.

    `None` means no limit, and 0 is a limit.
    A limit that is passed is a finding: `limit-bytes`, `limit-depth` and so on. Four of them end
    the work at once: `bytes`, `nesting`, `elements`, `depth`.

    Args:
        bytes: the answer's length in bytes of UTF-8.
        nesting: objects and arrays inside each other, anywhere (the answer itself is 1). 1024
            unless said.
        elements: elements of the answer.
        depth: an element's depth in the tree (the root is 1).
        findings: how many findings a report keeps; all are counted. 100 unless said.
        children: children of one element.
        blocks: content blocks of one element.
        subtree_bytes: bytes of one element below the root with all that it holds.
        subtree_elements: elements of one subtree below the root, its top counted.
        content_bytes: bytes of one element's own `content` array.
        attributes_bytes: bytes of one element's `attributes` object.
        title_characters: Unicode characters of a title.
        image_edge: pixels of a picture's longer edge, as its header says.
        media_types: the media types that pictures and sounds may have, such as `("image/png",
            "audio/wav")`.

    Raises:
        TypeError: a value is no integer (`True` is none), or `media_types` no iterable of `str`.
        ValueError: a number is negative, or a media type is not `type/subtype`.

    Section:
        Elements 0.2.0, 5.7; `image_edge` and `media_types` 5.5.

    Example:
        >>> from elementguard import Limits
        >>> limits = Limits(bytes=1_000_000, media_types=["image/png"])
        >>> limits
        Limits(bytes=1000000, media_types=('image/png',))
        >>> limits.nesting, limits.depth
        (1024, None)
        >>> limits.replace(bytes=None) == Limits(media_types=["image/png"])
        True
    """

    __slots__ = ("_checkers", "_values", *NAMES)

    _checkers: dict[str, Asking]  # what calls have made of them, by kind
    _values: tuple[int | tuple[str, ...] | None, ...]
    bytes: int | None
    nesting: int | None
    elements: int | None
    depth: int | None
    findings: int | None
    children: int | None
    blocks: int | None
    subtree_bytes: int | None
    subtree_elements: int | None
    content_bytes: int | None
    attributes_bytes: int | None
    title_characters: int | None
    image_edge: int | None
    media_types: tuple[str, ...] | None

    def __init__(
        self,
        *,
        bytes: SupportsIndex | None = None,  # noqa: A002 -- the limit's name, in reports too
        nesting: SupportsIndex | None = 1024,
        elements: SupportsIndex | None = None,
        depth: SupportsIndex | None = None,
        findings: SupportsIndex | None = 100,
        children: SupportsIndex | None = None,
        blocks: SupportsIndex | None = None,
        subtree_bytes: SupportsIndex | None = None,
        subtree_elements: SupportsIndex | None = None,
        content_bytes: SupportsIndex | None = None,
        attributes_bytes: SupportsIndex | None = None,
        title_characters: SupportsIndex | None = None,
        image_edge: SupportsIndex | None = None,
        media_types: Iterable[str] | None = None,
    ) -> None:
        given = (
            bytes,
            nesting,
            elements,
            depth,
            findings,
            children,
            blocks,
            subtree_bytes,
            subtree_elements,
            content_bytes,
            attributes_bytes,
            title_characters,
            image_edge,
        )
        counts = tuple(map(count_of, COUNTS, given))
        values = (*counts, _media_types(media_types))
        for name, value in zip(NAMES, values, strict=True):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_values", values)
        object.__setattr__(self, "_checkers", {})

    @classmethod
    def recommended(cls) -> Self:
        """A preset for hosts that read answers of providers they do not know.

        32 MiB, nesting 256, depth 64, 50 000 elements, 10 000 children, 256 blocks, 8 MiB of
        content and 256 KiB of attributes an element, titles of 4 000 characters, pictures of 8 000
        pixels, and the media types PNG, JPEG, GIF, WebP, WAV and MP3.

        Returns:
            The preset; `replace` changes single limits of it.

        Section:
            Elements 0.2.0, 5.7.

        Example:
            >>> from elementguard import Limits
            >>> Limits.recommended().replace(depth=32).depth
            32
        """
        # Hosts may ask on every call; what calls have made of limits is kept with them.
        return _recommended if cls is Limits else cls(**_PRESET)  # type: ignore[return-value]

    def replace(self, **changes: int | Iterable[str] | None) -> Self:
        """These limits with some of them changed.

        Args:
            **changes: limits by name, as the constructor takes them.

        Returns:
            New limits; these stay as they are.

        Raises:
            TypeError: there is no limit of that name, or a value is of the wrong type.
            ValueError: as of the constructor.

        Section:
            Elements 0.2.0, 5.7.

        Example:
            >>> from elementguard import Limits
            >>> Limits(depth=8).replace(depth=None, blocks=4)
            Limits(blocks=4)
        """
        unknown = sorted(changes.keys() - set(NAMES))
        if unknown:
            raise TypeError(f"{unknown[0]}: no such limit; there are {', '.join(NAMES)}")
        return type(self)(**{**dict(zip(NAMES, self._values, strict=True)), **changes})  # type: ignore[arg-type]  # the constructor checks each

    __replace__ = replace  # for copy.replace (Python 3.13)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Limits are immutable: use replace({name}=...)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"Limits are immutable: use replace({name}=None)")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Limits):
            return NotImplemented
        return self._values == other._values

    def __hash__(self) -> int:
        return hash(self._values)

    def __repr__(self) -> str:
        stated = (f"{name}={value!r}" for name, value in self._stated().items())
        return f"Limits({', '.join(stated)})"

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self._stated(),)

    def _stated(self) -> dict[str, object]:
        """The limits that are not the default ones: a pickle of them outlives new limits."""
        pairs = zip(NAMES, self._values, _DEFAULTS, strict=True)
        return {name: value for name, value, default in pairs if value != default}


def count_of(name: str, value: object) -> int | None:
    """A number of things, or None, as the argument of a name gives it."""
    if value is None:
        return None
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name}: an integer or None is needed, not {type(value).__name__}")
    number = int(value.__index__())
    if number < 0:
        raise ValueError(f"{name}: 0 or more is needed, not {number}")
    return number


def _media_types(given: object) -> tuple[str, ...] | None:
    if given is None:
        return None
    if isinstance(given, (str, bytes, bytearray)) or not hasattr(given, "__iter__"):
        kind = type(given).__name__
        raise TypeError(f"media_types: an iterable of strings is needed, not {kind}")
    # A set has no order of its own, and reports quote the list: the same limits must give the same
    # report.
    names = tuple(sorted(given, key=repr) if isinstance(given, (set, frozenset)) else given)
    for name in names:
        _check_media_type(name)
    return tuple(map(str, names))


def _check_media_type(name: object) -> None:
    if not isinstance(name, str):
        raise TypeError(f"media_types: a string is needed, not {type(name).__name__}")
    parts = name.split("/")
    if len(parts) != 2 or not all(map(_is_restricted_name, parts)):
        raise ValueError(f"media_types: 'type/subtype' without parameters is needed, not {name!r}")


def _is_restricted_name(text: str) -> bool:
    return (
        0 < len(text) <= _NAME_LENGTH
        and text[0] in _NAME_START
        and _NAME_CHARACTERS.issuperset(text)
    )


def _restore(stated: dict[str, object]) -> Limits:
    return Limits(**stated)  # type: ignore[arg-type]  # the constructor checks each


_recommended = Limits(**_PRESET)
_DEFAULTS = Limits()._values  # noqa: SLF001 -- the class's own, kept beside it
