"""Explains why a server did not start: reads its console for the causes that have a known way out.

A message names the cause, the line that shows it, and what to do.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import LocalServerError
from .disk import WAY_OUT
from .home import Home

# Signs in the console, what they mean, and the way out; the first that matches is the cause.
CAUSES = (
    (("No space left on device", "Disk quota exceeded"), "the disk is full", WAY_OUT),
    (
        ("Address already in use", "BindException"),
        "another program took its port meanwhile",
        "start it again, and it takes another port",
    ),
    (
        ("has been locked by another process", "FileLockException", "StoreLockException"),
        "another process holds its store",
        "end that process (it has the home directory open: `fuser -v` on data/databases/store_lock names it)",
    ),
    (
        ("Could not reserve enough space", "Cannot allocate memory", "Invalid maximum heap size", "OutOfMemoryError"),
        "it does not get the memory it asks for",
        "give it less with --heap and --pagecache",
    ),
    (
        ("UnsupportedClassVersionError", "Unrecognized option", "Could not create the Java Virtual Machine"),
        "Java refuses to run it",
        "unset JAVA_HOME to use the bundled Java, or set it to Java 21 or later",
    ),
    (
        ("Unrecognized setting", "Error evaluating value for setting"),
        "it does not know one of its settings",
        "this is an error of ours: please report it with these lines",
    ),
    (("Permission denied", "AccessDeniedException"), "a file may not be read or written", "mend its permissions"),
)


class StartFailed(LocalServerError):
    """The server ended before it answered; `port_taken` says that other ports may help."""

    def __init__(self, message: str, *, port_taken: bool = False) -> None:
        super().__init__(message)
        self.port_taken = port_taken


def explain(home: Home) -> StartFailed:
    """Read the console of a server that has ended, and return the error that says what is to be done."""
    lines = tail(home.console.read_text(encoding="utf-8", errors="replace").splitlines(), 200)
    text = "\n".join(lines)
    for signs, cause, way_out in CAUSES:
        if any(sign in text for sign in signs):
            evidence = next(line.strip() for line in lines if any(sign in line for sign in signs))
            return StartFailed(
                f"the server {home.name!r} did not start: {cause} ({evidence[:300]}); {way_out}. "
                f"Its log: {home.console}",
                port_taken=cause.startswith("another program took"),
            )
    last = "\n".join(f"  {line}" for line in tail(lines, 12))
    return StartFailed(f"the server {home.name!r} did not start. Its last words, from {home.console}:\n{last}")


def tail(lines: Iterable[str], count: int) -> list[str]:
    """Return the last `count` lines."""
    return list(lines)[-count:] if count > 0 else []
