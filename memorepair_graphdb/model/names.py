"""Makes ids, and checks names: spaces, keys, ids. A name is checked where it enters, and is never changed to fit."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated
from uuid import uuid4

from pydantic import AfterValidator, Strict

KEY_BYTES = 1024
"""The longest key, in UTF-8 bytes: an index entry must hold it beside the space."""

SPACE_CHARACTERS = 256
"""The longest name of a space, in characters: at most 1 KiB, as a key."""

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
    """Return a space's name in NFC: any text of 1 to 256 characters, such as a tenant's UUID, e-mail address or path.

    NFC, so that a name is the same tenant whichever keyboard or file system it came from: `é` is one character or two.
    Case counts. Raises ValueError for a name with control characters or line separators, or with white space around it.
    """
    if not isinstance(space, str):
        raise ValueError(f"a space is named by a text, not by {type(space).__name__}")
    try:
        check_text(space)
    except ValueError as error:
        raise ValueError(f"the name of a space {error}") from error
    name = unicodedata.normalize("NFC", space)
    shown = f"space {name[:100]!r}"
    if not name.strip():
        raise ValueError(f"{shown} has no name: give 1 to {SPACE_CHARACTERS} characters")
    if len(name) > SPACE_CHARACTERS:
        raise ValueError(f"{shown} has a name of {len(name)} characters; the most is {SPACE_CHARACTERS}")
    odd = next((n for n, character in enumerate(name) if unicodedata.category(character) in ("Cc", "Zl", "Zp")), None)
    if odd is not None:
        raise ValueError(f"{shown} has a control character or a line break in its name, at position {odd}")
    if name != name.strip():
        raise ValueError(f"{shown} has white space around its name: leave it out")
    return name


def check_key(key: str) -> str:
    """Return a key, a name that does not have the form of an id; raises ValueError for one that has."""
    if ID_PATTERN.fullmatch(key):
        raise ValueError("has the form of an artifact's id, and would be taken for one")
    return key


Name = Annotated[str, Strict(), AfterValidator(check_name)]
Key = Annotated[Name, AfterValidator(check_key)]
Text = Annotated[str, Strict(), AfterValidator(check_text)]
