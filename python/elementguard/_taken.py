"""Facade: the bytes of an answer that is to be cut or mended.

Comes in: bytes-likes or text. Goes out: bytes that nobody else changes. A parsed object has no
bytes to copy from, and a stream or file has to be read first: both are refused by name.
"""

from __future__ import annotations


def bytes_of(data: object) -> bytes:
    """The answer's bytes.

    Raises:
        TypeError: it is neither bytes-like nor `str`, or a memoryview not of bytes.
        ValueError: a memoryview is not contiguous or released, or an mmap is closed.
    """
    if isinstance(data, str):
        # A surrogate becomes three bytes that are no UTF-8, and is found as such.
        return str.encode(data, errors="surrogatepass")
    from elementguard._python.stream import view_of

    try:
        with view_of(data, "data") as view:
            return view.tobytes()
    except TypeError as error:
        if hasattr(type(data), "__buffer__") or isinstance(data, memoryview):
            raise
        found = type(data).__name__
        raise TypeError(f"data: bytes or str are needed, not {found}") from error
