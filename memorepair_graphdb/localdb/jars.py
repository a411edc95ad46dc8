"""Installs the jars of the server in the user's cache: each is the one in the lock, or there is an error.

Every jar is hashed before every start (all of them take a tenth of a second), so nothing has to be remembered about
what was verified when. A jar appears under its name only when it is whole and right: downloads go
to a directory beside it and are moved. One process at a time changes the cache; what a broken download left complete
is kept.
"""

from __future__ import annotations

import hashlib
import logging
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, Protocol

from filelock import FileLock

from ..errors import LocalServerError
from .disk import require_space, writing
from .lock import Jar, Lock

_log = logging.getLogger(__name__)

Phase = Literal["jars", "server"]

CONNECTIONS = 8
ATTEMPTS = 3
TIMEOUT = 60  # seconds without a byte


class Progress(Protocol):
    """A function that is told how far a start is: `jars` in bytes, `server` in seconds waited (of at most `total`)."""

    def __call__(self, phase: Phase, done: int, total: int) -> None:
        """Take note; called from one thread at a time."""


def silent(phase: Phase, done: int, total: int) -> None:
    """Report progress to nobody."""


def install(lock: Lock, cache: Path, progress: Progress = silent) -> Path:
    """Put every jar of the lock into the cache, and no other; returns their directory.

    Raises:
        LocalServerError: a jar cannot be had, is not the one in the lock, or does not fit on the disk.
    """
    home = cache / f"neo4j-{lock.neo4j}"
    lib = home / "lib"
    with writing(home):
        lib.mkdir(parents=True, exist_ok=True)
        with FileLock(home / "jars.lock"):
            _remove_strangers(lock, lib)
            missing = _find_missing(lock, lib)
            if missing:
                require_space(home, sum(jar.size for jar in missing), "the jars of the server")
                _download(missing, home, lib, progress)
    return lib


def _remove_strangers(lock: Lock, lib: Path) -> None:
    """Remove what is not in the lock: everything in the directory ends up on the class path."""
    known = {jar.filename for jar in lock.jars}
    for path in lib.iterdir():
        if path.name not in known:
            _log.warning("removing %s: it is not in the lock", path)
            path.unlink()


def _find_missing(lock: Lock, lib: Path) -> list[Jar]:
    """Return the jars that are absent or are not the locked ones; hashes what is there."""
    with ThreadPoolExecutor(4) as pool:
        intact = list(pool.map(lambda jar: _is_intact(lib / jar.filename, jar), lock.jars))
    missing = [jar for jar, is_good in zip(lock.jars, intact, strict=True) if not is_good]
    for jar in missing:
        if (lib / jar.filename).exists():
            _log.warning("%s is not the jar of the lock; fetching it again", lib / jar.filename)
    return missing


def _is_intact(path: Path, jar: Jar) -> bool:
    try:
        return path.stat().st_size == jar.size and sha256(path) == jar.sha256
    except FileNotFoundError:
        return False


def sha256(path: Path) -> str:
    """Hash a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _download(jars: Sequence[Jar], home: Path, lib: Path, progress: Progress) -> None:
    """Fetch in parallel; the first failure cancels what has not begun, and what arrived stays."""
    partial = home / "partial"
    shutil.rmtree(partial, ignore_errors=True)
    meter = _Meter(sum(jar.size for jar in jars), progress)
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        try:
            for fetched in as_completed([pool.submit(_fetch, jar, partial, lib, meter) for jar in jars]):
                fetched.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    shutil.rmtree(partial, ignore_errors=True)


def _fetch(jar: Jar, partial: Path, lib: Path, meter: _Meter) -> None:
    """Fetch one jar, verify it, and only then move it to its place."""
    scratch = partial / jar.sha256[:16]
    path = _fetch_patiently(jar, scratch, meter)
    digest = sha256(path)
    if digest != jar.sha256:
        raise LocalServerError(
            f"{jar} came with sha256 {digest}, the lock says {jar.sha256}: it was damaged or replaced on its way, and "
            "is not used; try again, and if it stays so look at the proxy or mirror that serves it"
        )
    path.replace(lib / jar.filename)
    shutil.rmtree(scratch, ignore_errors=True)


def _fetch_patiently(jar: Jar, scratch: Path, meter: _Meter) -> Path:
    for attempt in range(1, ATTEMPTS + 1):
        shutil.rmtree(scratch, ignore_errors=True)
        meter.restart(jar)
        try:
            return _fetch_once(jar, scratch, meter)
        except (OSError, RuntimeError) as failure:  # jgo raises RuntimeError for any answer but 200
            if isinstance(failure, OSError) and failure.errno is not None:
                raise  # the disk's; those of the network carry no number of their own
            if attempt == ATTEMPTS:
                raise LocalServerError(
                    f"{jar} could not be downloaded ({failure}); what has arrived is kept, so start again when the "
                    "network is back (a proxy is read from HTTPS_PROXY, a mirror from jgo's settings, [repositories])"
                ) from failure
            _log.info("%s: attempt %d failed: %s", jar, attempt, failure)
            time.sleep(attempt)
    raise AssertionError("the last attempt returns or raises")


def _fetch_once(jar: Jar, scratch: Path, meter: _Meter) -> Path:
    from jgo.config import GlobalSettings
    from jgo.maven import MavenContext, PythonResolver

    @contextmanager
    def report(filename: str, total: int) -> Iterator[Callable[[int], None]]:
        yield lambda size: meter.advance(jar, size)

    context = MavenContext(
        resolver=PythonResolver(progress_callback=report),
        repo_cache=scratch,
        remote_repos=GlobalSettings.load().repositories or None,  # a mirror, where the user has named one to jgo
        timeout=TIMEOUT,
    )
    component = context.project(jar.group, jar.artifact).at_version(jar.version)
    return Path(component.artifact(classifier=jar.classifier, packaging=jar.packaging).resolve())


class _Meter:
    """Adds up what the threads have received; mutable, and locked."""

    def __init__(self, total: int, progress: Progress) -> None:
        self._received: dict[Jar, int] = {}
        self._total = total
        self._progress = progress
        self._turn = threading.Lock()

    def restart(self, jar: Jar) -> None:
        with self._turn:
            self._received[jar] = 0

    def advance(self, jar: Jar, size: int) -> None:
        with self._turn:
            self._received[jar] += size
            self._progress("jars", sum(self._received.values()), self._total)
