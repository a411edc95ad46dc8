"""Every jar on the class path is the one in the lock, however it got there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memorepair_graphdb.errors import LocalServerError
from memorepair_graphdb.localdb.jars import install, sha256
from memorepair_graphdb.localdb.lock import Lock
from tests.localdb.conftest import Mirror


def names(lock: Lock) -> set[str]:
    return {jar.filename for jar in lock.jars}


def fetched(mirror: Mirror) -> list[str]:
    return sorted(name for name in mirror.asked if name.endswith(".jar"))


def test_it_fetches_the_jars_of_the_lock_and_says_how_far_it_is(lock: Lock, mirror: Mirror, tmp_path: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    lib = install(lock, tmp_path, lambda *step: seen.append(step))
    assert {path.name for path in lib.iterdir()} == names(lock)
    assert all(sha256(lib / jar.filename) == jar.sha256 for jar in lock.jars)
    total = sum(jar.size for jar in lock.jars)
    assert seen[-1] == ("jars", total, total)
    assert not (lib.parent / "partial").exists()


def test_what_is_there_and_right_is_not_fetched_again(lock: Lock, mirror: Mirror, tmp_path: Path) -> None:
    install(lock, tmp_path)
    mirror.asked.clear()
    install(lock, tmp_path)
    assert mirror.asked == []


def test_a_damaged_jar_is_noticed_and_fetched_again(lock: Lock, mirror: Mirror, tmp_path: Path) -> None:
    lib = install(lock, tmp_path)
    damaged = lib / lock.jars[2].filename
    before = damaged.stat()
    content = bytearray(damaged.read_bytes())
    content[100] ^= 1  # same size, and the time of change is put back
    damaged.write_bytes(content)
    os.utime(damaged, ns=(before.st_atime_ns, before.st_mtime_ns))
    mirror.asked.clear()
    install(lock, tmp_path)
    assert sha256(damaged) == lock.jars[2].sha256
    assert fetched(mirror) == [damaged.name]


def test_a_jar_that_is_not_in_the_lock_is_not_left_on_the_class_path(
    lock: Lock, mirror: Mirror, tmp_path: Path
) -> None:
    lib = install(lock, tmp_path)
    (lib / "stranger-1.0.jar").write_bytes(b"who am I")
    install(lock, tmp_path)
    assert {path.name for path in lib.iterdir()} == names(lock)


def test_a_wrong_jar_from_the_network_is_refused_and_named(lock: Lock, mirror: Mirror, tmp_path: Path) -> None:
    wrong = lock.jars[3]
    mirror.served[wrong.filename] = b"x" * wrong.size
    with pytest.raises(LocalServerError, match=r"org\.example\.test:part-3:1\.0 came with sha256 .*, the lock says"):
        install(lock, tmp_path)
    assert not (tmp_path / "neo4j-0.0.0" / "lib" / wrong.filename).exists()


def test_after_a_broken_download_only_the_rest_is_fetched(lock: Lock, mirror: Mirror, tmp_path: Path) -> None:
    missing = lock.jars[5].filename
    content = mirror.served.pop(missing)
    with pytest.raises(LocalServerError, match=r"part-5:1\.0 could not be downloaded .*what has arrived is kept"):
        install(lock, tmp_path)
    arrived = {path.name for path in (tmp_path / "neo4j-0.0.0" / "lib").iterdir()}
    assert arrived == names(lock) - {missing}
    mirror.served[missing] = content
    mirror.asked.clear()
    lib = install(lock, tmp_path)
    assert fetched(mirror) == [missing]
    assert {path.name for path in lib.iterdir()} == names(lock)


def test_without_a_network_it_says_what_to_do(lock: Lock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = tmp_path / "jgo.conf"
    settings.write_text("[repositories]\nnobody = http://127.0.0.1:9\n", encoding="utf-8")
    monkeypatch.setenv("JGO_CONFIG_FILE", str(settings))
    with pytest.raises(LocalServerError, match="start again when the network is back"):
        install(lock, tmp_path / "cache")


def test_a_jar_that_came_at_the_second_attempt_counts(lock: Lock, mirror: Mirror, tmp_path: Path) -> None:
    late = lock.jars[1].filename
    content = mirror.served.pop(late)

    def serve_after_the_first(phase: str, done: int, total: int) -> None:
        if late in mirror.asked:
            mirror.served[late] = content

    install(lock, tmp_path, serve_after_the_first)
    assert fetched(mirror).count(late) > 1


def test_two_processes_at_once_share_one_download(lock: Lock, mirror: Mirror, tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from memorepair_graphdb.localdb.jars import install\n"
        "from memorepair_graphdb.localdb.lock import Jar, Lock\n"
        f"install({lock!r}, Path(sys.argv[1]))\n"
    )
    both = [subprocess.Popen([sys.executable, "-c", script, str(tmp_path)]) for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0]
    assert fetched(mirror) == sorted(names(lock))
