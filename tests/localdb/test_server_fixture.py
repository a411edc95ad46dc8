"""The fixtures that every other test rests on."""

from __future__ import annotations

import re

from neo4j import Driver


def test_the_driver_reaches_a_community_server(driver: Driver) -> None:
    info = driver.get_server_info()
    assert info.agent.startswith("Neo4j/")


def test_a_space_is_a_name_that_is_used_once(space: str) -> None:
    assert re.fullmatch(r"[a-z0-9_]{1,63}", space)
