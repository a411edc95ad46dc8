"""Starts the local server once however often it is asked for, finds it again by name, stops and purges it.

Whatever changes a server holds the file lock of its name, so two processes that start at once get one server. Of the
driver only the question is used whether the server lets us in.
"""

from __future__ import annotations

import logging
import shutil
import subprocess
import time
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from filelock import FileLock, Timeout
from neo4j import GraphDatabase
from neo4j.exceptions import AuthError, DriverError, Neo4jError

from ..errors import LocalServerError
from . import process
from .disk import require_space, writing
from .failure import StartFailed, explain, tail
from .home import Home, Record
from .jars import Progress, install, silent
from .java import Java, find_java
from .lock import read_lock
from .places import Places
from .ports import accepts, find_ports
from .settings import LOOPBACK, MIB, USERNAME, MemorySettings, Ports, neo4j_conf, size_memory

_log = logging.getLogger(__name__)

DEFAULT_NAME = "default"
START_PATIENCE = 600  # seconds; recovery of gigabytes of log is slow, and a server that dies is noticed at once
STOP_PATIENCE = 180  # seconds until SIGKILL; a checkpoint comes first
ROOM = 768 * MIB  # a new home: the logs of two databases are allocated ahead
PORT_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Running:
    """A server that answers, and how to get in; `heap` and `pagecache` in MiB."""

    name: str
    uri: str
    browser_url: str
    username: str
    password: str = field(repr=False)
    pid: int
    home: Path
    heap: int
    pagecache: int


class LocalServer:
    """The server of one name, running or not."""

    def __init__(self, name: str = DEFAULT_NAME, places: Places | None = None) -> None:
        self.name = name
        self.places = places or Places.of_user()
        self.home = Home.of(name, self.places)

    def start(
        self,
        progress: Progress | None = None,
        heap: str | None = None,
        pagecache: str | None = None,
        brief: bool = False,
    ) -> Running:
        """Start the server, or find it started; returns when Bolt answers.

        `heap` and `pagecache` are sizes such as `2g`; without them they are sized to the machine. A `brief`
        server is for minutes: the first answers come sooner, long work takes longer. A server that runs already stays
        as it is.

        Raises:
            LocalServerError: says what is missing or in the way, and what to do.
            BadInput: a size cannot be read.
        """
        report = progress or silent
        memory = size_memory(heap, pagecache)
        with writing(self.home.root):
            self.home.root.parent.mkdir(parents=True, exist_ok=True)
            with self._alone(START_PATIENCE):
                return self._adopt(report) or self._start(memory, report, brief)

    def stop(self) -> bool:
        """Stop the server and wait until its process is gone; False when none ran."""
        if not self.home.root.exists() and self.pid() is None:
            return False
        with self._alone(STOP_PATIENCE):
            return self._stop()

    def status(self) -> Running | None:
        """Return the server when it runs and accepts connections; None otherwise. Never waits."""
        found = self._find()
        return self._describe(*found) if found and _answers(*found) else None

    def pid(self) -> int | None:
        """Return the process of the server, though it may not answer yet; None when there is none."""
        record = self.home.record()
        found = process.find(self.home, record.pid if record else None)
        return found.pid if found else None

    def logs(self, lines: int = 100) -> list[str]:
        """Return the last lines of what the server printed since its last start."""
        try:
            return tail(self.home.console.read_text(encoding="utf-8", errors="replace").splitlines(), lines)
        except FileNotFoundError:
            return []

    def purge(self) -> bool:
        """Stop the server and delete its home with all its data; False when there is none."""
        if not self.home.root.exists():
            return False
        with writing(self.home.root), self._alone(STOP_PATIENCE):
            self._stop()
            shutil.rmtree(self.home.root)
        return True

    def _alone(self, patience: float) -> AbstractContextManager[object]:
        """Take the lock of this name until the block ends; processes that come meanwhile wait."""
        try:
            return FileLock(self.home.lock, timeout=patience).acquire()
        except Timeout:
            raise LocalServerError(
                f"another process has been starting or stopping the server {self.name!r} for {patience:.0f} s; "
                f"end it (it holds {self.home.lock}) and try again"
            ) from None

    def _find(self) -> tuple[psutil.Process, Record] | None:
        """Find the live process and its record."""
        record = self.home.record()
        found = process.find(self.home, record.pid if record else None)
        if found is None or record is None:
            return None
        return found, Record(found.pid, record.ports, record.memory)

    def _adopt(self, report: Progress) -> Running | None:
        """Take over the server that runs already; one whose start was cut short is waited for."""
        found = self._find()
        if found is None:
            return None
        self._await_bolt(*found, report)
        self.home.remember(found[1])
        return self._describe(*found)

    def _start(self, memory: MemorySettings, report: Progress, brief: bool) -> Running:
        java = find_java()
        lib = install(read_lock(), self.places.cache, report)
        if not self.home.has_data:
            require_space(self.home.root, ROOM, "a new database")
        self.home.create()
        for attempt in range(1, PORT_ATTEMPTS + 1):
            ports = self._choose_ports()
            try:
                return self._launch(java, lib, ports, memory, report, brief)
            except StartFailed as failure:
                if not failure.port_taken or attempt == PORT_ATTEMPTS:
                    raise
                _log.info("a port was taken between looking and listening; choosing again")
        raise AssertionError("the last attempt returns or raises")

    def _launch(
        self, java: Java, lib: Path, ports: Ports, memory: MemorySettings, report: Progress, brief: bool
    ) -> Running:
        home = self.home
        (home.conf / "neo4j.conf").write_text(neo4j_conf(ports, memory), encoding="utf-8")
        if not home.has_data:
            home.make_password()
            self._set_password(java, lib)
        record = Record(0, ports, memory)
        home.remember(record)  # before the process is there: one whose starter is killed has its ports on record
        spawned = process.spawn(process.server_command(java, lib, home, memory, brief), home)
        record = Record(spawned.pid, ports, memory)
        home.remember(record)
        try:
            self._await_bolt(spawned, record, report)
        except BaseException:
            process.end(spawned, STOP_PATIENCE)
            raise
        return self._describe(spawned, record)

    def _set_password(self, java: Java, lib: Path) -> None:
        try:
            process.set_initial_password(java, lib, self.home)
        except subprocess.CalledProcessError as refusal:
            raise LocalServerError(f"the server's password could not be set: {refusal.stderr.strip()}") from refusal

    def _choose_ports(self) -> Ports:
        former = self.home.record()
        return find_ports(former.ports if former else None, self._ports_of_others())

    def _ports_of_others(self) -> set[int]:
        """Return the ports of other servers that live, though they may not listen yet."""
        reserved: set[int] = set()
        for record_file in self.home.root.parent.glob("*/server.json"):
            other = Home(record_file.parent.name, record_file.parent)
            record = other.record()
            if other != self.home and record and process.at(record.pid, other):
                reserved |= {record.ports.bolt, record.ports.http}
        return reserved

    def _await_bolt(self, server: psutil.Process, record: Record, report: Progress) -> None:
        """Wait until the server lets us in over Bolt and has Browser up, which comes last."""
        start = time.monotonic()
        while (waited := time.monotonic() - start) < START_PATIENCE:
            report("server", round(waited), START_PATIENCE)
            if process.is_dead(server):
                raise explain(self.home)
            if _answers(server, record) and self._lets_us_in(record.ports):
                return
            time.sleep(0.2)
        raise LocalServerError(
            f"the server {self.name!r} did not answer within {START_PATIENCE} s; see `memorepair db logs` "
            f"({self.home.console})"
        )

    def _lets_us_in(self, ports: Ports) -> bool:
        """Ask for a transaction on the default database and drop it."""
        try:
            with (
                GraphDatabase.driver(_uri(ports), auth=(USERNAME, self.home.password())) as driver,
                driver.session() as session,
            ):
                session.begin_transaction().close()
        except AuthError as refusal:
            raise LocalServerError(
                f"the server {self.name!r} does not take the password kept in {self.home.password_file}: write the "
                f"right one there, or begin anew with `memorepair db purge --name {self.name}`"
            ) from refusal
        except (DriverError, Neo4jError) as not_yet:
            _log.debug("Bolt does not answer yet: %s", not_yet)
            return False
        return True

    def _stop(self) -> bool:
        record = self.home.record()
        found = process.find(self.home, record.pid if record else None)
        if found is None:
            return False
        process.end(found, STOP_PATIENCE)
        return True

    def _describe(self, server: psutil.Process, record: Record) -> Running:
        return Running(
            name=self.name,
            uri=_uri(record.ports),
            browser_url=f"http://{LOOPBACK}:{record.ports.http}/browser/?dbms={_uri(record.ports)}",
            username=USERNAME,
            password=self.home.password(),
            pid=server.pid,
            home=self.home.root,
            heap=record.memory.heap,
            pagecache=record.memory.pagecache,
        )


def running(name: str = DEFAULT_NAME) -> Running | None:
    """Return the server of that name when it runs; None otherwise."""
    return LocalServer(name).status()


def _answers(server: psutil.Process, record: Record) -> bool:
    """Return whether this process listens; the port is asked first, which is cheaper."""
    return accepts(record.ports.http) and process.listens(server, record.ports.bolt, record.ports.http)


def _uri(ports: Ports) -> str:
    return f"bolt://{LOOPBACK}:{ports.bolt}"
