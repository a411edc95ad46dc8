"""Starts the server as a process of its own, finds it again by its home, and stops it.

A process is the server of a home when `--home-dir=<home>` stands on its command line. That guards against a pid
that now belongs to another program better than its time of birth would (which moves when the clock is set), and it
finds a server whose starter was killed before it could write the pid down. The password is on no command line.
"""

from __future__ import annotations

import logging
import os
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import psutil

from .home import Home
from .java import Java
from .settings import BRIEF_FLAGS, JAVA_FLAGS, USERNAME, MemorySettings

_log = logging.getLogger(__name__)

MAIN_CLASS = "org.neo4j.server.Neo4jCommunity"
ADMIN_CLASS = "org.neo4j.cli.AdminTool"

_outliving: list[subprocess.Popen[bytes]] = []  # else Python warns of servers that are meant to outlive us


def server_command(java: Java, lib: Path, home: Home, memory: MemorySettings, brief: bool = False) -> list[str]:
    """Return the command line of the server."""
    class_path = os.pathsep.join((f"{home.plugins}/*", f"{home.conf}/*", f"{lib}/*"))
    return [
        str(java.executable),
        f"-Xmx{memory.heap}m",
        *JAVA_FLAGS,
        *(BRIEF_FLAGS if brief else ()),
        "-cp",
        class_path,
        MAIN_CLASS,
        _home_argument(home),
        f"--config-dir={home.conf}",
        "--console-mode",
    ]


def spawn(command: Sequence[str], home: Home) -> psutil.Process:
    """Start the server in a session of its own: it outlives us, and Ctrl-C in our terminal does not reach it."""
    with home.console.open("wb") as console:
        child = subprocess.Popen(
            command,
            cwd=home.root,
            stdin=subprocess.DEVNULL,
            stdout=console,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    _outliving.append(child)
    return psutil.Process(child.pid)


def set_initial_password(java: Java, lib: Path, home: Home) -> None:
    """Give the server's user the password of the home, before the first start.

    The tool reads its arguments from a file that only this user can read (picocli's @file), so that the password
    stands on no command line.

    Raises:
        subprocess.CalledProcessError: the tool refused.
    """
    arguments = home.root / "password.arguments"
    home.write_privately(arguments, f"dbms set-initial-password {home.password()}\n")
    try:
        subprocess.run(
            [str(java.executable), *BRIEF_FLAGS, "-cp", f"{lib}/*", ADMIN_CLASS, f"@{arguments}"],
            env={**os.environ, "NEO4J_HOME": str(home.root), "NEO4J_CONF": str(home.conf)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=True,
        )
    finally:
        arguments.unlink()
    _log.info("set the initial password of user %s in %s", USERNAME, home.root)


def find(home: Home, pid: int | None = None) -> psutil.Process | None:
    """Find the live server of this home: under the pid remembered, else among all processes."""
    recorded = at(pid, home) if pid else None
    return recorded or next((process for process in psutil.process_iter() if is_server_of(process, home)), None)


def at(pid: int, home: Home) -> psutil.Process | None:
    """Return the process of that pid when it is the live server of this home."""
    try:
        process = psutil.Process(pid)
    except psutil.Error:
        return None
    return process if is_server_of(process, home) else None


def is_server_of(process: psutil.Process, home: Home) -> bool:
    """Return whether the process lives and is the server of this home."""
    try:
        arguments = process.cmdline()  # empty for a zombie
    except psutil.Error:
        return False
    return MAIN_CLASS in arguments and _home_argument(home) in arguments


def listens(process: psutil.Process, *ports: int) -> bool:
    """Return whether this very process listens on all of the ports: another server may answer there meanwhile."""
    try:
        connections = process.net_connections(kind="tcp")
    except psutil.Error:
        return False
    ports_heard = {connection.laddr.port for connection in connections if connection.status == psutil.CONN_LISTEN}
    return ports_heard.issuperset(ports)


def is_dead(process: psutil.Process) -> bool:
    """Return whether the process has ended; a zombie that its parent has not collected yet has."""
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def end(process: psutil.Process, patience: float) -> None:
    """Ask the server to stop, wait until it is gone, and kill it when that takes longer than `patience` seconds."""
    try:
        process.terminate()
        if not _wait(process, patience):
            _log.warning("server %d did not stop within %.0f s; killing it", process.pid, patience)
            process.kill()
            _wait(process, patience)
    except psutil.NoSuchProcess:
        return


def _wait(process: psutil.Process, patience: float) -> bool:
    until = time.monotonic() + patience
    while time.monotonic() < until:
        _forget_ended()
        if is_dead(process):
            return True
        time.sleep(0.05)
    return False


def _forget_ended() -> None:
    """Forget our own children that have ended."""
    _outliving[:] = [child for child in _outliving if child.poll() is None]


def _home_argument(home: Home) -> str:
    return f"--home-dir={home.root}"
