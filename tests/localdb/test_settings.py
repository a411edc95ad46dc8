"""One home for the settings: the local server's file and the container's environment come from it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memorepair_graphdb.errors import BadInput
from memorepair_graphdb.localdb.settings import (
    MIB,
    SHARED,
    MemorySettings,
    Ports,
    compose_environment,
    machine_memory,
    neo4j_conf,
    parse_size,
    size_memory,
)

COMPOSE = (Path(__file__).parents[2] / "docker-compose.yml").read_text(encoding="utf-8")

# What the container is told beside the shared settings: who gets in, where it is, and its memory.
OF_THE_CONTAINER = {
    "NEO4J_AUTH",
    "NEO4J_server_default__advertised__address",
    "NEO4J_server_memory_heap_max__size",
    "NEO4J_server_memory_pagecache_size",
}


def settings_of(text: str) -> dict[str, str]:
    return dict(line.split("=", 1) for line in text.splitlines() if not line.startswith("#"))


def test_the_container_has_the_settings_of_the_local_server() -> None:
    environment = dict(re.findall(r'^ {6}(NEO4J_\w+): "(.*)"$', COMPOSE, flags=re.MULTILINE))
    assert environment.keys() >= OF_THE_CONTAINER
    shared = {key: value for key, value in environment.items() if key not in OF_THE_CONTAINER}
    assert shared == compose_environment()


def test_the_names_of_settings_are_written_as_the_image_reads_them() -> None:
    assert compose_environment()["NEO4J_db_tx__log_rotation_retention__policy"] == "1 files"
    assert len(compose_environment()) == len(SHARED)


def test_the_container_is_published_on_the_loopback_alone_and_has_a_volume_and_a_healthcheck() -> None:
    published = re.findall(r'^ {6}- "(.*:\d+)"$', COMPOSE, flags=re.MULTILINE)
    assert published == ["127.0.0.1:7687:7687", "127.0.0.1:7474:7474"]
    assert "healthcheck:" in COMPOSE
    assert re.search(r"^volumes:\n {2}memorepair:", COMPOSE, flags=re.MULTILINE)
    assert "- memorepair:/data" in COMPOSE


def test_the_local_server_listens_on_the_loopback_and_tells_nobody() -> None:
    settings = settings_of(neo4j_conf(Ports(7690, 7480), MemorySettings(512, 128)))
    assert settings.items() >= SHARED.items()
    addresses = {value for key, value in settings.items() if key.endswith(("listen_address", "advertised_address"))}
    assert addresses == {"127.0.0.1", "127.0.0.1:7690", "127.0.0.1:7480"}
    assert settings["server.memory.pagecache.size"] == "128m"


@pytest.mark.parametrize(
    ("text", "mebibytes"),
    [("2g", 2048), ("2G", 2048), ("1.5g", 1536), ("512m", 512), ("512MiB", 512), (" 2048k ", 2), ("1gb", 1024)],
)
def test_a_size_is_read(text: str, mebibytes: int) -> None:
    assert parse_size(text) == mebibytes


@pytest.mark.parametrize("text", ["", "2", "g", "-1g", "2t", "two g", "1k", "2g -XX:+Evil"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="is no size of memory"):
        parse_size(text)


def test_memory_is_sized_to_the_machine_unless_it_is_given() -> None:
    sized = size_memory()
    assert 512 <= sized.heap <= 8192
    assert 128 <= sized.pagecache <= 4096
    assert sized.heap == min(max(machine_memory() // MIB // 4, 512), 8192)
    assert size_memory("3g", "300m") == MemorySettings(heap=3072, pagecache=300)
