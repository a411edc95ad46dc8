"""A real server, from its first start to its purge: the tests of this file share it, and run in order."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import stat
import threading
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from neo4j import GraphDatabase

from memorepair_graphdb.errors import LocalServerError
from memorepair_graphdb.localdb import LocalServer, Running
from memorepair_graphdb.localdb.home import Home
from memorepair_graphdb.localdb.places import Places
from memorepair_graphdb.localdb.process import find, is_server_of
from memorepair_graphdb.localdb.settings import SHARED
from tests.harness.waiting import soon
from tests.localdb.conftest import Program

SMALL = ("--heap", "512m", "--pagecache", "64m")


@pytest.fixture(scope="module")
def local(root: Path) -> Iterator[LocalServer]:
    """Give the server of this file, not started yet."""
    server = LocalServer("shared", Places.under(root))
    yield server
    server.purge()


@pytest.fixture
def running(local: LocalServer) -> Running:
    """Give the server of this file, started."""
    return local.start(heap="512m", pagecache="64m", brief=True)


def answers(running: Running, question: str, **parameters: object) -> list[list[object]]:
    with GraphDatabase.driver(running.uri, auth=(running.username, running.password)) as driver:
        return [record.values() for record in driver.execute_query(question, parameters).records]


def servers_of(home: Home) -> list[psutil.Process]:
    return [process for process in psutil.process_iter() if is_server_of(process, home)]


@contextmanager
def watching_command_lines() -> Iterator[list[str]]:
    """Collect the command line and environment of every process that shows itself meanwhile."""
    seen: dict[tuple[int, float], str] = {}
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.02):
            for process in psutil.process_iter():
                try:
                    seen[process.pid, process.create_time()] = " ".join(
                        [*process.cmdline(), *process.environ().values()]
                    )
                except psutil.Error:
                    continue

    thread = threading.Thread(target=watch)
    thread.start()
    said: list[str] = []
    try:
        yield said
    finally:
        over.set()
        thread.join()
        said.extend(seen.values())


def test_two_processes_that_start_at_once_get_one_server_and_the_password_is_on_no_command_line(
    program: Program, local: LocalServer
) -> None:
    with watching_command_lines() as seen:
        both = [program.begin("db", "start", "--name", "shared", *SMALL, "--json") for _ in range(2)]
        results = [json.loads(process.communicate()[0]) for process in both]
    assert results[0] == results[1]
    assert len(servers_of(local.home)) == 1
    password = local.home.password()
    assert results[0]["password"] == password
    assert any("set-initial-password" in line or "password.arguments" in line for line in seen), (
        "the watch was too slow"
    )
    assert not [line for line in seen if password in line]


def test_the_password_is_in_a_file_that_only_the_user_can_read(running: Running) -> None:
    file = running.home / "password"
    assert len(running.password) >= 32
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(running.home.stat().st_mode) == 0o700
    holders = [
        path.name
        for path in running.home.rglob("*")
        if path.is_file() and path.stat().st_size < 2**20 and running.password.encode() in path.read_bytes()
    ]
    assert holders == ["password"]
    assert running.password not in repr(running)


def test_starting_twice_is_one_server(local: LocalServer, running: Running) -> None:
    again = local.start(heap="600m")
    assert again == running
    assert len(servers_of(local.home)) == 1


def test_it_outlives_the_program_that_started_it(running: Running) -> None:
    server = psutil.Process(running.pid)
    assert os.getsid(running.pid) == running.pid
    assert server.is_running()


def test_it_listens_on_the_loopback_only(running: Running) -> None:
    sockets = psutil.Process(running.pid).net_connections(kind="inet")
    listening = {(entry.laddr.ip, entry.laddr.port) for entry in sockets if entry.status != psutil.CONN_ESTABLISHED}
    assert {ip.removeprefix("::ffff:") for ip, _ in listening} == {"127.0.0.1"}
    assert str(next(port for _, port in listening if running.uri.endswith(f":{port}")))
    assert len({port for _, port in listening}) == 2


def test_the_server_has_taken_every_setting(running: Running) -> None:
    rows = answers(
        running, "SHOW SETTINGS YIELD name, value WHERE name IN $names RETURN name, value", names=list(SHARED)
    )
    internal = {name for name in SHARED if name.startswith("internal.")}  # not shown; an unknown one stops the server
    assert {str(name): str(value) for name, value in rows} == {n: v for n, v in SHARED.items() if n not in internal}
    (imports,) = answers(
        running, "SHOW SETTINGS YIELD name, value WHERE name = 'server.directories.import' RETURN value"
    )
    assert str(imports[0]).endswith("import")


def test_browser_is_served(running: Running) -> None:
    page = running.browser_url.split("?")[0]
    assert page.endswith("/browser/")
    with urllib.request.urlopen(page, timeout=30) as answer:
        assert answer.status == 200
        assert b"<html" in answer.read().lower()


def test_status_and_logs_tell_of_it(program: Program, running: Running) -> None:
    status = json.loads(program.run("db", "status", "--name", "shared", "--json").stdout)
    assert status["status"] == "running"
    assert (status["uri"], status["username"], status["password"]) == (running.uri, "neo4j", running.password)
    words = program.run("db", "status", "--name", "shared").stdout
    assert running.uri in words
    assert running.browser_url in words
    assert running.password not in words
    logs = json.loads(program.run("db", "logs", "--name", "shared", "-n", "5", "--json").stdout)["lines"]
    assert len(logs) == 5
    assert "Started." in program.run("db", "logs", "--name", "shared").stdout


def test_a_password_file_that_was_changed_is_said(local: LocalServer, running: Running) -> None:
    local.home.password_file.write_text("not the one\n")
    try:
        with pytest.raises(LocalServerError, match=r"does not take the password kept in .*password.*purge"):
            local.start()
    finally:
        local.home.write_privately(local.home.password_file, running.password + "\n")
    assert local.start().pid == running.pid


def test_a_server_whose_starter_was_killed_is_taken_over(
    program: Program, local: LocalServer, running: Running
) -> None:
    local.stop()
    starter = program.begin("db", "start", "--name", "shared", *SMALL)
    soon(lambda: servers_of(local.home))
    starter.kill()
    starter.communicate()
    (orphan,) = servers_of(local.home)
    assert json.loads(program.run("db", "status", "--name", "shared", "--json").stdout)["status"] == "starting"
    assert local.start().pid == orphan.pid
    assert local.start().uri == running.uri


def test_after_sigkill_it_starts_again_and_has_lost_nothing(local: LocalServer, running: Running) -> None:
    answers(running, "CREATE (:KilledTest {n: 42})")
    os.kill(running.pid, signal.SIGKILL)
    soon(lambda: not servers_of(local.home))
    assert local.status() is None
    again = local.start(heap="512m", pagecache="64m", brief=True)
    assert again.pid != running.pid
    assert answers(again, "MATCH (k:KilledTest) RETURN k.n") == [[42]]


def test_a_stop_waits_until_the_process_is_gone(program: Program, local: LocalServer, running: Running) -> None:
    stopped = json.loads(program.run("db", "stop", "--name", "shared", "--json").stdout)
    assert stopped == {"name": "shared", "status": "stopped", "was_running": True}
    assert servers_of(local.home) == []
    assert find(local.home, running.pid) is None
    assert json.loads(program.run("db", "status", "--name", "shared", "--json").stdout)["status"] == "stopped"
    assert not local.stop()


def test_a_store_that_another_process_holds_is_said(local: LocalServer) -> None:
    with (local.home.root / "data" / "databases" / "store_lock").open("r+b") as store_lock:
        fcntl.lockf(store_lock, fcntl.LOCK_EX)
        with pytest.raises(LocalServerError, match=r"another process holds its store .*end that process"):
            local.start(heap="512m", pagecache="64m", brief=True)
    assert servers_of(local.home) == []


def test_more_heap_than_java_takes_is_said(local: LocalServer) -> None:
    with pytest.raises(LocalServerError, match=r"does not get the memory it asks for .*--heap"):
        local.start(heap="99999999999g")


def test_a_port_that_is_taken_before_the_server_listens_moves_it_on_to_another(local: LocalServer) -> None:
    with ThreadPoolExecutor(1) as pool:
        start = pool.submit(local.start, heap="512m", pagecache="64m", brief=True)
        soon(lambda: servers_of(local.home))
        chosen = local.home.record()
        assert chosen is not None
        with socket.create_server(("127.0.0.1", chosen.ports.bolt)):
            moved = start.result()
    assert str(chosen.ports.bolt) not in moved.uri
    assert answers(moved, "MATCH (k:KilledTest) RETURN k.n") == [[42]]


def test_purge_asks_and_then_leaves_nothing(program: Program, local: LocalServer, running: Running) -> None:
    refused = program.run("db", "purge", "--name", "shared", answer="n\n")
    assert refused.returncode != 0
    assert local.status() == running
    unasked = program.run("db", "purge", "--name", "shared", "--json")
    assert unasked.returncode == 2
    assert "--yes" in json.loads(unasked.stderr)["error"]
    purged = program.run("db", "purge", "--name", "shared", answer="y\n")
    assert purged.returncode == 0
    assert not local.home.root.exists()
    assert servers_of(local.home) == []
    assert program.run("db", "purge", "--name", "shared", "--yes").returncode == 0
