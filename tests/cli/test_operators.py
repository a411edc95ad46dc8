"""What is known here, and a try of it: an operator and its checks on what is in service, with nothing written."""

from __future__ import annotations

import json

from neo4j import Driver

from tests.cli.conftest import CommandLine

OPERATORS = '''
from memorepair_graphdb import Registry, Verdict

registry = Registry()

@registry.operator("brief@1", mode="regen", support="available", kinds=("summary",), retries=2)
def brief(context):
    """Say the first words of each source."""
    return " / ".join(source.content[:9] for source in context.supports)

@registry.validator("brief@1")
def length(review, content):
    return Verdict(len(content) > 25, "length", "too short", saw=f"{len(content)} characters", wanted="more than 25")

@registry.operator("far@1", mode="regen", support="available", needs=("no_such_module",), extra="moon")
def far(context):
    """Needs what is not here."""
    return "x"
'''


def everything(driver: Driver, space: str) -> list[object]:
    """All that the space holds: nodes, edges, and all their properties."""
    rows = driver.execute_query(
        "MATCH (n {space: $space}) OPTIONAL MATCH (n)-[r]->(m) "
        "RETURN labels(n) AS labels, properties(n) AS n, type(r) AS type, properties(r) AS r, m.id AS id "
        "ORDER BY n.id, n.key, id, type",
        space=space,
    ).records
    return [row.data() for row in rows]


def test_a_try_shows_what_would_be_put_back_and_writes_nothing(loaded: CommandLine, driver: Driver, space: str) -> None:
    before = everything(driver, space)
    said = loaded.run("replay", "sum/1", "--json")
    assert said.code == 0, said.err
    tried = said.json
    assert (tried["operator"], tried["outcome"], tried["same"]) == ("summary@1", "passes", False)
    assert "A reader asks whether it rains in Rome." in tried["content"]
    assert [check["ok"] for check in tried["checks"]] == [True] * len(tried["checks"])
    says = {check["check"]: check["verdict"] for check in tried["checks"]}
    assert {says[name] for name in ("schema", "regression", "residue")} == {"not_applicable"}
    assert says["summary@1"] == "ok"
    told = loaded.run("replay", "sum/1")
    assert told.code == 0
    assert "summary@1 on sum/1: would be put back; nothing is written." in told.out
    assert everything(driver, space) == before


def test_a_check_that_fails_says_what_it_saw_and_wanted_and_the_command_ends_with_1(loaded: CommandLine) -> None:
    loaded.write("mine.py", OPERATORS)
    said = loaded.run("--app", "mine:registry", "replay", "sum/1", "--operator", "brief@1", "--json")
    assert said.code == 1
    tried = said.json
    assert (tried["outcome"], tried["content"]) == ("rejected", None)
    assert tried["checks"][-1] == {
        "check": "length",
        "ok": False,
        "verdict": "failed",
        "reason": "too short",
        "saw": "21 characters",
        "wanted": "more than 25",
    }
    told = loaded.run("--app", "mine:registry", "replay", "sum/1", "--operator", "brief@1")
    assert told.code == 1
    assert "too short, saw 21 characters, wanted more than 25" in " ".join(told.out.split())


def test_the_list_says_what_an_operator_is_for_and_what_it_lacks(loaded: CommandLine) -> None:
    loaded.write("mine.py", OPERATORS)
    listed = {one["name"]: one for one in loaded.run("--app", "mine:registry", "operators", "--json").json["operators"]}
    assert (listed["brief@1"]["kinds"], listed["brief@1"]["retries"]) == (["summary"], 2)
    assert listed["brief@1"]["validators"] == ["length"]
    assert listed["brief@1"]["lacks"] == ""
    lacks = "needs no_such_module, not installed here: pip install 'memorepair-graphdb[moon]'"
    assert listed["far@1"]["lacks"] == lacks
    told = loaded.run("--app", "mine:registry", "operators")
    assert f"far@1 {lacks}" in " ".join(told.out.split())


def test_what_an_operator_is_not_made_for_or_lacks_is_not_executable_and_says_why(loaded: CommandLine) -> None:
    loaded.write("mine.py", OPERATORS)
    lines = [
        {"key": "s/far", "kind": "summary", "content": "old", "influenced_by": ["msg/1", "msg/2"], "operator": "far@1"},
        {
            "key": "p/brief",
            "kind": "skill",
            "arch": "prompt",
            "content": "old",
            "influenced_by": ["msg/1", "msg/2"],
            "operator": "brief@1",
        },
    ]
    loaded.write("more.jsonl", "\n".join(map(json.dumps, lines)))
    assert loaded.run("load", "more.jsonl").code == 0
    plan = loaded.run("--app", "mine:registry", "preview", "--delete", "msg/1", "--json").json
    reasons = {one["key"]: (one["executable"], one["reason"]) for one in plan["candidates"]}
    assert reasons["s/far"][0] is False
    assert "far@1 needs no_such_module" in reasons["s/far"][1]
    assert reasons["p/brief"][0] is False
    assert "brief@1 is made for summary, and this is a prompt skill" in reasons["p/brief"][1]


def test_wrong_requests_for_a_try_are_refused_with_the_way_out(loaded: CommandLine) -> None:
    loaded.write("mine.py", OPERATORS)
    for arguments, code, words in (
        (["replay", "nothing"], 3, "no artifact nothing is in service"),
        (["replay", "msg/1"], 2, "names no operator"),
        (["replay", "skill/n"], 2, "no operator tune@1 is registered here"),
        (["replay", "sum/1", "--operator", "replay@1"], 2, "replay@1 is not made for a summary"),
        (["--app", "mine:registry", "replay", "sum/1", "--operator", "far@1"], 2, "pip install"),
    ):
        said = loaded.run(*arguments)
        assert (said.code, said.out) == (code, "")
        assert words in " ".join(said.err.split())
