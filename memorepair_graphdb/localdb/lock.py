"""Reads the lock: which jars make the server, and what each of them is.

`neo4j.lock.json` is made by `scripts/lock_neo4j.py` from Maven's own resolution and is never
edited by hand.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources


@dataclass(frozen=True, slots=True)
class Jar:
    """One jar by its Maven coordinates; `size` in bytes."""

    group: str
    artifact: str
    version: str
    classifier: str
    packaging: str
    sha256: str
    size: int

    @property
    def filename(self) -> str:
        """The name Maven gives the file."""
        classifier = f"-{self.classifier}" if self.classifier else ""
        return f"{self.artifact}-{self.version}{classifier}.{self.packaging}"

    def __str__(self) -> str:
        return ":".join(part for part in (self.group, self.artifact, self.version, self.classifier) if part)


@dataclass(frozen=True, slots=True)
class Lock:
    """The locked server: its version, and every jar on its class path."""

    neo4j: str
    browser: str
    jars: tuple[Jar, ...]


@cache
def read_lock() -> Lock:
    """Read the lock that is part of the package."""
    text = resources.files(__package__).joinpath("neo4j.lock.json").read_text(encoding="utf-8")
    content = json.loads(text)
    return Lock(content["neo4j"], content["browser"], tuple(Jar(**jar) for jar in content["jars"]))
