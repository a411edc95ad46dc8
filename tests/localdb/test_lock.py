"""The lock says what the server is made of, and agrees with what the server says of itself."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

from memorepair_graphdb.localdb.jars import install
from memorepair_graphdb.localdb.lock import Jar, read_lock
from memorepair_graphdb.localdb.places import Places

VERSION = "2026.09.0"
COMPOSE = Path(__file__).parents[2] / "docker-compose.yml"


def jar(artifact: str) -> Jar:
    (found,) = (jar for jar in read_lock().jars if jar.artifact == artifact)
    return found


def test_it_locks_community_2026_09_and_browser() -> None:
    assert read_lock().neo4j == VERSION == jar("neo4j").version
    assert read_lock().browser == "5.24.0" == jar("neo4j-browser").version
    assert not [jar for jar in read_lock().jars if "enterprise" in jar.artifact]


def test_every_jar_has_a_hash_a_size_and_a_name_of_its_own() -> None:
    jars = read_lock().jars
    assert len(jars) == 231
    assert all(re.fullmatch(r"[0-9a-f]{64}", jar.sha256) and jar.size > 0 for jar in jars)
    assert len({jar.filename for jar in jars}) == len(jars)


def test_no_artifact_is_there_in_two_versions() -> None:
    versions: dict[tuple[str, str], set[str]] = {}
    for jar in read_lock().jars:
        versions.setdefault((jar.group, jar.artifact), set()).add(jar.version)
    assert {name: found for name, found in versions.items() if len(found) > 1} == {}


def test_every_runtime_dependency_that_the_server_declares_is_locked_in_its_version() -> None:
    lib = install(read_lock(), Places.of_user().cache)
    with zipfile.ZipFile(lib / jar("neo4j").filename) as archive:
        pom = ElementTree.fromstring(archive.read("META-INF/maven/org.neo4j/neo4j/pom.xml"))
    declared = {
        (dependency.findtext("{*}groupId", ""), dependency.findtext("{*}artifactId", ""))
        for dependency in pom.findall("{*}dependencies/{*}dependency")
        if dependency.findtext("{*}scope", "compile") in {"compile", "runtime"}
        and dependency.findtext("{*}type", "jar") == "jar"
    }
    own = {(group.replace("${project.groupId}", "org.neo4j"), artifact) for group, artifact in declared}
    locked = {(jar.group, jar.artifact): jar.version for jar in read_lock().jars}
    assert len(own) > 10
    assert own <= locked.keys()
    assert {locked[name] for name in own if name[0] == "org.neo4j"} == {VERSION}


def test_the_container_is_of_the_same_version() -> None:
    assert f"image: neo4j:{VERSION}-community" in COMPOSE.read_text(encoding="utf-8")
