"""Turns a full disk and a forbidden directory into errors that name the way out.

What writes under the user's directories does so inside `writing`.
"""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import LocalServerError

WAY_OUT = "free some space there, or set MEMOREPAIR_HOME to a directory on another disk"
_FULL = {errno.ENOSPC, errno.EDQUOT}


def require_space(directory: Path, needed: int, purpose: str) -> None:
    """Refuse before anything is written when `directory` cannot take `needed` bytes.

    Raises:
        LocalServerError: names the directory, what is needed and what is there.
    """
    existing = next(path for path in (directory, *directory.parents) if path.exists())
    free = shutil.disk_usage(existing).free
    if free < needed:
        raise LocalServerError(
            f"the disk of {directory} is too full: {purpose} needs {needed / 2**20:,.0f} MiB, "
            f"{free / 2**20:,.0f} MiB are free; {WAY_OUT}"
        )


@contextmanager
def writing(directory: Path) -> Iterator[None]:
    """Turn the operating system's refusals to write under `directory` into our error."""
    try:
        yield
    except OSError as refusal:
        if refusal.errno in _FULL:
            raise LocalServerError(f"the disk of {directory} is full; {WAY_OUT}") from refusal
        raise LocalServerError(
            f"{refusal.filename or directory} cannot be used ({refusal.strerror or refusal}); mend that, or set "
            "MEMOREPAIR_HOME to a directory of your own"
        ) from refusal
