"""Finds the directories: the jars are in the user's cache, the server homes in the user's data directory.

MEMOREPAIR_HOME puts both under one directory
(`cache` and `data` in it): for tests, for a second disk, for a machine whose home directory is small.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs

APPLICATION = "memorepair"


@dataclass(frozen=True, slots=True)
class Places:
    """The two directories that the local server uses; neither need exist yet."""

    cache: Path
    data: Path

    @classmethod
    def of_user(cls) -> Places:
        """Return the directories of this user, or those under MEMOREPAIR_HOME when it is set."""
        root = os.environ.get("MEMOREPAIR_HOME")
        if root:
            return cls.under(Path(root).expanduser().resolve())
        return cls(
            cache=platformdirs.user_cache_path(APPLICATION, appauthor=False),
            data=platformdirs.user_data_path(APPLICATION, appauthor=False),
        )

    @classmethod
    def under(cls, root: Path) -> Places:
        """Return both under one directory."""
        return cls(cache=root / "cache", data=root / "data")
