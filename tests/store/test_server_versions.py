"""The server's own words about itself, as recorded: which serve, and what is said of one that does not.

Needs no server.
"""

from __future__ import annotations

import pytest

from memorepair_graphdb.errors import Unsuited
from memorepair_graphdb.store.schema import suited


@pytest.mark.parametrize(
    ("version", "edition"),
    [
        ("2026.09.0", "community"),
        ("2026.09.0", "enterprise"),
        ("2026.9", "community"),
        ("2026.10.1-12345", "community"),
        ("2027.01.0", "enterprise"),
        ("2026.09-aura", "enterprise"),
    ],
)
def test_a_server_that_serves_is_named(version: str, edition: str) -> None:
    assert suited(version, edition) == f"Neo4j {version} ({edition})"


@pytest.mark.parametrize(
    "version",
    ["3.5.35", "4.4.41", "5.26.12", "5.27-aura", "2025.01.0", "2025.12.1", "2026.08.3", "2026.1.0", "dev", ""],
)
@pytest.mark.parametrize("edition", ["community", "enterprise"])
def test_an_older_one_is_told_what_it_lacks_and_where_to_get_another(version: str, edition: str) -> None:
    with pytest.raises(Unsuited) as caught:
        suited(version, edition)
    said = str(caught.value)
    for part in (
        f"Neo4j {version} ({edition})",
        "2026.09 or newer",
        "filter by space",
        "memorepair db start",
        "docker-compose",
    ):
        assert part in said
