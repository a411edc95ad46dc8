"""Reads JSON Pointers (RFC 6901): those of `$ref` in a schema, and those that name volatile places."""

from __future__ import annotations


def pointer_steps(pointer: str) -> tuple[str, ...]:
    """Return the steps of a pointer, decoded: `/a~1b/0` is `a/b`, then `0`; none for the whole document, ""."""
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:])
