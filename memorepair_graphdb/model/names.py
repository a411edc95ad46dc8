"""Makes ids, and checks names: spaces, keys, ids. A name is checked where it enters, and is never changed to fit."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated
from uuid import uuid4

from pydantic import AfterValidator, Strict

KEY_BYTES = 1024
"""The longest key, in UTF-8 bytes: an index entry must hold it beside the space."""

SPACE_PATTERN = re.compile(r"[a-z0-9_]{1,63}")

ID_PATTERN = re.compile(r"a_[0-9a-f]{32}(_\d+)?", re.ASCII)
"""The form of an artifact's id; no key has it, so that a reference never means two things."""


def new_artifact_id() -> str:
    """Return a fresh id for one version of an artifact."""
    return f"a_{uuid4().hex}"


def new_event_id() -> str:
    """Return a fresh id for a repair event."""
    return f"e_{uuid4().hex}"


def check_text(text: str) -> str:
    """Return text that UTF-8 can carry; a lone surrogate raises ValueError, as the database cannot store it."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(f"holds a lone surrogate at position {error.start}, which is no text") from error
    return text


def check_name(name: str) -> str:
    """Return the name of a key, id, role, tool or operator.

    Raises ValueError for one that is empty, has more than 1 KiB, or holds control characters.
    """
    check_text(name)
    if not name.strip():
        raise ValueError("is empty")
    if len(name.encode("utf-8")) > KEY_BYTES:
        raise ValueError(f"is longer than {KEY_BYTES} bytes")
    for position, character in enumerate(name):
        if unicodedata.category(character) == "Cc":
            raise ValueError(f"holds a control character at position {position}")
    return name


def check_space(space: str) -> str:
    """Return a space's name: a to z, 0 to 9 and _, at most 63; so that a full-text index keeps it as one term."""
    if not (isinstance(space, str) and SPACE_PATTERN.fullmatch(space)):
        raise ValueError(f"space {space!r} is not of the form a-z, 0-9 and _, 1 to 63 characters")
    if not space.strip("_"):
        raise ValueError(f"space {space!r} has neither a letter nor a digit, and a full-text index would drop it")
    return space


def check_key(key: str) -> str:
    """Return a key, a name that does not have the form of an id; raises ValueError for one that has."""
    if ID_PATTERN.fullmatch(key):
        raise ValueError("has the form of an artifact's id, and would be taken for one")
    return key


Name = Annotated[str, Strict(), AfterValidator(check_name)]
Key = Annotated[Name, AfterValidator(check_key)]
Text = Annotated[str, Strict(), AfterValidator(check_text)]
