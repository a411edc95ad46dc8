"""Holds every Neo4j setting, for the local server and for docker-compose.yml, which a test compares with it.

`SHARED` holds for both. What differs is where they listen
(a container must listen on all of its own addresses; there the loopback is kept by the published ports) and how the
heap is given (started by its class, the server ignores the heap of neo4j.conf, so locally it is a flag of Java).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import psutil

from ..errors import BadInput

MIB = 2**20
USERNAME = "neo4j"
LOOPBACK = "127.0.0.1"
BOLT_PORT = 7687
HTTP_PORT = 7474

SHARED = {
    "server.https.enabled": "false",
    "dbms.usage_report.enabled": "false",
    "client.allow_telemetry": "false",
    "dbms.fleet_manager.enabled": "false",
    "server.fleet_discovery.enabled": "false",  # else the server broadcasts
    "server.http.x_forward.enabled": "false",  # nobody stands before it
    "db.logs.query.enabled": "OFF",  # what is remembered, and erased, must not live on in a log
    "db.query.default_language": "CYPHER_25",
    "db.lock.acquisition.timeout": "30s",
    "db.tx_log.rotation.retention_policy": "1 files",
    "internal.cypher.use_parameter_size": "false",  # else a statement is planned anew for each magnitude of its lists
}

JAVA_FLAGS = (
    "-XX:+UseG1GC",
    "-XX:-OmitStackTraceInFastThrow",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
    "--enable-native-access=ALL-UNNAMED",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Djdk.nio.maxCachedBufferSize=1024",
    "-Dlog4j2.disable.jmx=true",
    "-Djava.awt.headless=true",
    "-Dfile.encoding=UTF-8",
)

BRIEF_FLAGS = ("-XX:TieredStopAtLevel=1",)
"""For a process that lives for minutes: Java compiles each method once, quickly, and not again for speed."""


@dataclass(frozen=True, slots=True)
class Ports:
    """Where the server listens, on the loopback address."""

    bolt: int
    http: int


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """Heap and page cache in MiB."""

    heap: int
    pagecache: int


def size_memory(heap: str | None = None, pagecache: str | None = None) -> MemorySettings:
    """Size the server to the machine: a quarter of its memory for the heap, an eighth for the page cache, in bounds.

    A size that is given (`2g`, `512m`) is taken as it is.

    Raises:
        BadInput: a size cannot be read.
    """
    machine = machine_memory() // MIB
    return MemorySettings(
        heap=parse_size(heap) if heap else min(max(machine // 4, 512), 8192),
        pagecache=parse_size(pagecache) if pagecache else min(max(machine // 8, 128), 4096),
    )


def machine_memory() -> int:
    """Return the bytes that this process may count on: the machine's memory, or the limit of its container."""
    total = int(psutil.virtual_memory().total)
    for limit in (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes")):
        try:
            total = min(total, int(limit.read_text(encoding="ascii")))
        except (OSError, ValueError):  # no such file outside Linux; "max" where there is no limit
            continue
    return total


def parse_size(text: str) -> int:
    """Read a size such as `2g`, `1.5g`, `512m` or `1024k`; returns MiB."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmg])(?:i?b)?", text.strip().lower())
    size = int(float(match[1]) * {"k": 1 / 1024, "m": 1, "g": 1024}[match[2]]) if match else 0
    if size < 1:
        raise BadInput(f"{text!r} is no size of memory; write it as 512m or 2g")
    return size


def neo4j_conf(ports: Ports, memory: MemorySettings) -> str:
    """Return neo4j.conf for the local server."""
    settings = {
        "server.default_listen_address": LOOPBACK,
        "server.default_advertised_address": LOOPBACK,
        "server.bolt.listen_address": f"{LOOPBACK}:{ports.bolt}",
        "server.bolt.advertised_address": f"{LOOPBACK}:{ports.bolt}",
        "server.http.listen_address": f"{LOOPBACK}:{ports.http}",
        "server.http.advertised_address": f"{LOOPBACK}:{ports.http}",
        "server.directories.import": "import",  # else LOAD CSV may read the whole home, the password with it
        "internal.dbms.bolt.netty_server_shutdown_quiet_period_duration": "0s",  # else a stop idles for 10 s
        "server.memory.pagecache.size": f"{memory.pagecache}m",
        **SHARED,
    }
    lines = ["# Written anew at every start by memorepair: a change made here is lost."]
    return "\n".join(lines + [f"{key}={value}" for key, value in settings.items()]) + "\n"


def compose_environment() -> dict[str, str]:
    """Return the shared settings as the environment variables that the container image understands."""
    return {_as_variable(key): value for key, value in SHARED.items()}


def _as_variable(setting: str) -> str:
    """Name a setting by the image's own rule: NEO4J_, dots become underscores, underscores are doubled."""
    return "NEO4J_" + setting.replace("_", "__").replace(".", "_")
