"""Every command, for people and for programs: what it prints where, and how it ends."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from neo4j import Driver

from memorepair_graphdb import MemoRepair, RepairEvent, api
from memorepair_graphdb.cli import options
from tests.cli.conftest import BIN, CONTRACT, LINES, CommandLine
from tests.harness.pages import documented

AFFECTED = {
    "msg/1": "removed",
    "sum/1": "published",
    "note/weather": "published",
    "skill/n": "not_executable",
}
DOCUMENTED = documented()


def repaired(line: CommandLine) -> CommandLine:
    """Delete what Ann said, as event `e1`."""
    assert line.run("repair", "--delete", "msg/1", "--event-id", "e1").code == 0
    return line


# -- what programs read -----------------------------------------------------------------------------------------------


def test_json_has_the_documented_keys_from_loading_to_erasing(line: CommandLine) -> None:
    def keys(*arguments: str, of: str = "") -> dict[str, Any]:
        said = line.run(*arguments, "--json")
        assert (said.code, said.err) == (0, "")
        assert said.json.keys() == DOCUMENTED[of or arguments[0]]
        return said.json

    line.write("memory.jsonl", "\n".join(map(json.dumps, LINES)))
    keys("setup")
    assert keys("load", "memory.jsonl")["created"] == len(LINES)
    assert keys("load", "memory.jsonl")["skipped"] == len(LINES)
    assert keys("replay", "sum/1")["checks"][0].keys() == DOCUMENTED["replay → checks"]
    plan = keys("preview", "--delete", "msg/1")
    assert plan["candidates"][0].keys() == DOCUMENTED["preview → candidates"]
    assert plan["removed"][0].keys() == DOCUMENTED["preview → removed"]
    assert plan["choice"].keys() == DOCUMENTED["preview → choice"]
    traced = keys("frontier", "--delete", "msg/1")
    assert traced["points"][0].keys() == traced["chosen"].keys() == DOCUMENTED["frontier → points"]
    assert traced["candidates"][0].keys() == DOCUMENTED["frontier → candidates"]
    report = keys("repair", "--delete", "msg/1", "--expect", plan["plan_id"], "--event-id", "e1", "--reason", "why not")
    assert report["outcomes"] == AFFECTED
    assert keys("status", "e1")["outcomes"] == AFFECTED
    assert keys("events")["events"][0].keys() == DOCUMENTED["events → events"]
    assert keys("retry", "e1")["outcomes"] == AFFECTED
    assert keys("resume") == {"reports": []}
    assert keys("resume", "e1", of="resume EVENT")["status"] == "closed"
    assert keys("withdraw", "--delete", "msg/2", "--event-id", "e2")["status"] == "withdrawn"
    assert keys("resume")["reports"][0]["event_id"] == "e2"
    assert keys("why", "skill/n")["outcome"] == "removed"  # nothing that it rested on is left
    hits = keys("search", "weather")["hits"]
    assert hits[0].keys() == DOCUMENTED["search → hits"]
    assert hits[0]["artifact"].keys() == DOCUMENTED["search → hits → artifact"]
    assert keys("show", "doc/weather")["artifact"].keys() == DOCUMENTED["search → hits → artifact"]
    assert keys("operators")["operators"][0].keys() == DOCUMENTED["operators → operators"]
    assert keys("check") == {"violations": [], "warnings": []}
    assert keys("erase", "e1", "--yes")["erased"]
    assert keys("forgive", "msg/1")["forgiven"]
    line.write("metadata.json", {"seen": True})
    assert keys("set-metadata", "doc/weather", "metadata.json")["artifact"]["metadata"] == {"seen": True}


def test_every_documented_shape_is_looked_at() -> None:
    assert DOCUMENTED.keys() == {
        *(
            "setup",
            "load",
            "preview",
            "preview → candidates",
            "preview → removed",
            "preview → choice",
            "frontier",
            "frontier → points",
            "frontier → candidates",
            "repair",
            "withdraw",
            "status",
            "retry",
        ),
        *(
            "resume",
            "resume EVENT",
            "events",
            "events → events",
            "check",
            "check → violations",
            "why",
            "show",
            "search",
        ),
        *(
            "search → hits",
            "search → hits → artifact",
            "operators",
            "operators → operators",
            "replay",
            "replay → checks",
            "erase",
        ),
        *("export", "keys", "keys → keys"),  # in test_export.py
        *("forgive", "set-metadata"),
    }


def test_a_violation_is_told_and_ends_with_1(loaded: CommandLine, driver: Driver, space: str) -> None:
    driver.execute_query("MATCH (a:Artifact {space: $space, key: 'msg/1'}) SET a:Retired", space=space)
    said = loaded.run("check", "--json")
    assert said.code == 1
    assert said.json["violations"][0].keys() == DOCUMENTED["check → violations"]
    told = loaded.run("check")
    assert told.code == 1
    assert "msg/1" in told.out


def test_the_same_commands_speak_to_people_without_colours_when_piped(loaded: CommandLine) -> None:
    commands = [
        (["preview", "--delete", "msg/1"], "2 are worth it"),
        (["repair", "--delete", "msg/1", "--event-id", "e1"], "published 2 · removed 1 · not_executable 1"),
        (["status", "e1"], "is still in the database"),
        (["events"], "e1"),
        (["why", "skill/n"], "tune@1 is not registered here"),
        (["show", "sum/1"], "A reader asks whether it rains in Rome."),
        (["search", "rains"], "sum/1"),
        (["retry", "e1", "--lambda", "0.1"], "is closed"),
        (["resume", "e1"], "is closed"),
        (["resume"], "No event is open."),
        (["operators"], "replay@1"),
        (["check"], "Every invariant holds."),
        (["erase", "e1", "--yes"], "Out of reach"),
        (["search", "xylophone"], "Nothing in service matches."),
    ]
    for arguments, expected in commands:
        said = loaded.run(*arguments)
        assert said.code == 0, said.err
        assert expected in said.out
        assert "\x1b" not in said.out + said.err


def test_nothing_withdrawn_is_shown_unless_history_is_asked_for(loaded: CommandLine) -> None:
    repaired(loaded)
    for shown in (loaded.run("show", "msg/1"), loaded.run("show", "msg/1", "--json"), loaded.run("search", "Ann Berg")):
        assert shown.code == 0
        assert "Ann Berg" not in shown.out
    assert loaded.run("show", "msg/1", "--json").json["artifact"] is None
    assert "out of service" in loaded.run("show", "msg/1").out
    assert "Ann Berg" in loaded.run("show", "msg/1", "--history").out
    assert "Ann Berg" in loaded.run("show", "msg/1", "--history", "--json").out


def test_a_text_cannot_steer_the_terminal(line: CommandLine, memory: MemoRepair) -> None:
    memory.record("\x1b[31mred\x1b[0m [bold]plain[/bold] :smile:", key="[link=x]key[/link]")
    for arguments in (["show", "[link=x]key[/link]"], ["search", "plain"], ["why", "[link=x]key[/link]"]):
        said = line.run(*arguments)
        assert "\x1b" not in said.out
        assert "[link=x]key[/link]" in said.out
    assert "[bold]plain[/bold] :smile:" in line.run("show", "[link=x]key[/link]").out


# -- what events can be asked for -------------------------------------------------------------------------------------


def test_key_and_file_are_split_at_the_last_equals_sign(line: CommandLine, memory: MemoRepair) -> None:
    memory.record("old", key="a=b")
    line.write("new.txt", "new = better\n")
    assert line.run("repair", "--correct", "a=b=new.txt", "--json").json["outcomes"] == {"a=b": "replaced"}
    found = memory.get("a=b")
    assert found is not None
    assert found.content == "new = better"


def test_a_json_file_corrects_with_json(line: CommandLine, memory: MemoRepair) -> None:
    memory.record({"days": 30}, key="policy")
    line.write("new.json", '{ "days": 60 }')
    assert line.run("repair", "--correct", "policy=new.json").code == 0
    found = memory.get("policy")
    assert found is not None
    assert found.content == '{"days":60}'


def test_contracts_migrate_and_retire_in_one_event(loaded: CommandLine, memory: MemoRepair) -> None:
    memory.record({**CONTRACT, "name": "fax"}, key="doc/fax", tool="fax")
    loaded.write("weather.json", {**CONTRACT, "description": "The weather now."})
    said = loaded.run("repair", "--migrate", "doc/weather=weather.json", "--retire", "doc/fax", "--json").json
    assert said["type"] == "migrate"
    assert said["outcomes"] == {"doc/weather": "replaced", "doc/fax": "removed", "note/weather": "published"}


def test_an_event_file_is_read_and_the_options_add_to_it(loaded: CommandLine) -> None:
    loaded.write("event.json", {"type": "delete", "roots": ["msg/1"], "reason": "from the file"})
    assert loaded.run("withdraw", "--event", "event.json", "--event-id", "mine", "--json").json["event_id"] == "mine"
    assert loaded.run("events", "--json").json["events"][0]["reason"] == "from the file"
    loaded.write("other.json", {"type": "delete", "roots": ["doc/weather"], "reason": "from the file"})
    assert loaded.run("repair", "--event", "other.json", "--reason", "mine", "--json").json["reason"] == "mine"


def test_a_plan_that_no_longer_holds_is_refused(loaded: CommandLine, memory: MemoRepair) -> None:
    plan = loaded.run("preview", "--delete", "msg/1", "--json").json["plan_id"]
    memory.derive("late", key="late", kind="summary", influenced_by=["msg/1"])
    for command in ("withdraw", "repair"):
        said = loaded.run(command, "--delete", "msg/1", "--expect", plan, "--json")
        assert (said.code, said.error["kind"]) == (3, "PlanChanged")
    assert memory.get("msg/1") is not None
    assert memory.events() == ()


def test_the_same_event_id_changes_nothing_again_and_another_request_is_refused(loaded: CommandLine) -> None:
    repaired(loaded)
    assert loaded.run("repair", "--delete", "msg/1", "--event-id", "e1", "--json").json["outcomes"] == AFFECTED
    assert loaded.run("repair", "--delete", "msg/2", "--event-id", "e1").code == 3


# -- erasing ----------------------------------------------------------------------------------------------------------


def test_erasing_asks_first(loaded: CommandLine) -> None:
    repaired(loaded)
    said = loaded.run("erase", "e1", answer="n\n")
    assert said.code == 3
    assert "Nothing was erased." in said.err
    assert "Ann Berg" in loaded.run("show", "msg/1", "--history").out
    assert loaded.run("erase", "e1", answer="y\n").code == 0
    assert "Ann Berg" not in loaded.run("show", "msg/1", "--history").out
    assert "still in the database" not in loaded.run("status", "e1").out


# -- in processes of their own ----------------------------------------------------------------------------------------


def test_a_reader_that_has_seen_enough_ends_the_program_quietly(loaded: CommandLine, memory: MemoRepair) -> None:
    memory.load({"key": f"k{n}", "kind": "record", "content": "word " * 200} for n in range(300))
    writer = loaded.begin("search", "word", "-k", "300", "--json")
    assert writer.stdout is not None
    assert writer.stderr is not None
    writer.stdout.read(10)
    writer.stdout.close()
    assert writer.wait(60) == 1
    assert writer.stderr.read() == ""


def test_load_reads_standard_input(line: CommandLine, memory: MemoRepair) -> None:
    path = line.write("lines", json.dumps(LINES[1]))
    with path.open() as lines:
        reader = line.begin("load", "-", stdin=lines)
        assert reader.wait(60) == 0
    assert memory.get("msg/1") is not None


def test_help_needs_none_of_the_heavy_modules() -> None:
    loaded = (
        "import sys, memorepair_graphdb.cli.main; "
        "print(*{'neo4j', 'neomodel', 'igraph', 'numpy', 'pydantic', 'sumy'} & sys.modules.keys())"
    )
    said = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert said.stdout == "\n"
    shown = subprocess.run([BIN / "memorepair", "--help"], capture_output=True, text=True, check=True)
    assert "repair" in shown.stdout
    assert "\x1b" not in shown.stdout


def test_lambda_is_the_same_as_in_python() -> None:
    assert str(api.DEFAULT_TRADEOFF) == options.DEFAULT_TRADEOFF


def test_the_event_of_python_is_the_event_of_the_command_line(loaded: CommandLine, memory: MemoRepair) -> None:
    plan = loaded.run("preview", "--delete", "msg/1", "--json").json
    assert memory.preview(RepairEvent.delete("msg/1")).plan_id == plan["plan_id"]


def test_workloads_load_by_name(line: CommandLine, tmp_path: Path) -> None:
    said = line.run("load", "--workload", "toolbench", tmp_path)
    assert said.code == 2
    assert str(tmp_path) in said.err


def test_load_needs_no_setup_by_hand(line: CommandLine, space: str) -> None:
    line.write("memory.jsonl", "\n".join(map(json.dumps, LINES)))
    loaded = line.run("--space", f"{space}_new", "load", "memory.jsonl", "--json")
    assert (loaded.code, loaded.json["created"]) == (0, len(LINES))
    assert line.run("--space", f"{space}_new", "check").code == 0
