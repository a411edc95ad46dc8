"""Finds a file that another package ships, and refuses it where it is not the pinned one; none of its code runs."""

from __future__ import annotations

import hashlib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from ...errors import BadInput


def shipped_file(package: str, name: str, sha256: str, install: str) -> Path:
    """Return the path; raises `BadInput` where it is not installed (`install` says how to), missing or changed."""
    try:
        files = distribution(package).files or ()
    except PackageNotFoundError as error:
        raise BadInput(f"the package {package} is not installed here: {install}") from error
    path = next((Path(str(file.locate())) for file in files if file.name == name), None)
    if path is None or not path.is_file():
        raise BadInput(f"the package {package} ships no {name} any more")
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != sha256:
        raise BadInput(f"{name} of {package} is not the one that is pinned: {digest[:12]}, not {sha256[:12]}")
    return path
