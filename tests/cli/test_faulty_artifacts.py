"""The commands name what plain Cypher wrote wrongly into one artifact, and go on with the rest."""

from __future__ import annotations

import pytest

from memorepair_graphdb import MemoRepair
from tests.cli.conftest import CommandLine
from tests.harness.graph_state import rows


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("SET a.value = 'high'", "value"),
        ("SET a.cost = toFloat('NaN')", "cost"),
        ("SET a.embedding = ['north', 'west']", "embedding"),
        ("SET a.metadata = 'not {json'", "metadata"),
        ("SET a.recipe = '{'", "recipe"),
        ("SET a.kind = 'essay'", "kind"),
    ],
)
def test_one_bad_artifact_is_named_by_every_command(
    loaded: CommandLine, memory: MemoRepair, change: str, says: str
) -> None:
    rows(memory, f"MATCH (a:Artifact {{space: $space, key: 'sum/1'}}) {change}")
    for command in (["show", "sum/1"], ["why", "sum/1"], ["search", "asks"]):
        shown = loaded.run(*command)
        assert shown.code == 0, shown.err
        assert f"It has {says}" in " ".join(shown.out.split()) or f"It has a {says}" in " ".join(shown.out.split())
        assert loaded.run(*command, "--json").code == 0
    assert loaded.run("check").code == 1
    assert "sum/1" in loaded.run("check").out
    assert loaded.run("preview", "--delete", "msg/1", "--json").code == 0
    report = loaded.run("repair", "--delete", "msg/1", "--json")
    assert report.code == 0, report.err
    assert report.json["outcomes"]["sum/1"] == "not_executable"
    assert says in report.json["reasons"]["sum/1"]
    for command in (["events"], ["status", report.json["event_id"]]):
        assert loaded.run(*command).code == 0
    assert loaded.run("erase", report.json["event_id"], answer="y\n").code == 0
