"""A file that another package ships: found, hashed, handed over.

The law of the room: a file is the one that is pinned, or it is refused; no code of its package runs.
"""

from __future__ import annotations

import hashlib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from ...errors import BadInput


def shipped_file(package: str, name: str, sha256: str, way: str) -> Path:
    """The path; raises `BadInput` where it is not installed (`way` says how), not there, or not the pinned one."""
    try:
        files = distribution(package).files or ()
    except PackageNotFoundError as error:
        raise BadInput(f"the package {package} is not installed here: {way}") from error
    found = next((Path(str(file.locate())) for file in files if file.name == name), None)
    if found is None or not found.is_file():
        raise BadInput(f"the package {package} ships no {name} any more")
    with found.open("rb") as opened:
        seen = hashlib.file_digest(opened, "sha256").hexdigest()
    if seen != sha256:
        raise BadInput(f"{name} of {package} is not the one that is pinned: {seen[:12]}, not {sha256[:12]}")
    return found
