"""What a person sees of a budget and of the frontier, and what a program gets."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from memorepair_graphdb import MemoRepair
from tests.cli.conftest import CommandLine

PNG = b"\x89PNG\r\n\x1a\n"


def test_a_budget_is_kept_from_preview_to_repair(loaded: CommandLine) -> None:
    free = loaded.run(
        "preview", "--correct", f"msg/2={loaded.write('new', 'It rains.')}", "--lambda", "0", "--json"
    ).json
    plan = loaded.run(
        *("preview", "--correct", f"msg/2={loaded.write('new', 'It rains.')}"),
        *("--lambda", "0", "--budget", "50%", "--json"),
    ).json
    assert plan["budget"] == "50%"
    assert plan["cost"] <= free["cost"] / 2 < free["cost"]
    assert plan["choice"].keys() == {"seconds", "resolution", "kernel", "net", "bound", "gap", "status"}
    done = loaded.run(
        *("repair", "--correct", f"msg/2={loaded.write('new', 'It rains.')}", "--lambda", "0", "--budget", "50%"),
        *("--expect", plan["plan_id"], "--json"),
    ).json
    left = [c for c in plan["candidates"] if c["executable"] and not c["selected"]]
    assert left
    assert all(done["outcomes"][c["key"]] == "not_selected" for c in left)
    assert all("budget of 50%" in done["reasons"][c["key"]] or "needs" in done["reasons"][c["key"]] for c in left)


def test_the_frontier_of_what_would_be_is_a_table_with_lambda_marked(loaded: CommandLine, memory: MemoRepair) -> None:
    said = loaded.run("frontier", "--delete", "msg/1", "--lambda", "0.5")
    assert said.code == 0
    assert re.search(r"Frontier of what that event would be; nothing is written: \d+ breakpoints?\.", said.out)
    assert "λ = 0.5" in said.out
    assert "repair all" in said.out
    assert memory.events() == ()


def test_the_frontier_of_an_event_is_the_same_for_a_program(loaded: CommandLine, memory: MemoRepair) -> None:
    before = loaded.run("frontier", "--delete", "msg/1", "--json").json
    loaded.run("withdraw", "--delete", "msg/1", "--event-id", "e", "--json")
    behind = loaded.run("frontier", "e", "--json").json
    assert (behind["event_id"], before["event_id"]) == ("e", None)
    assert behind["points"] == before["points"]
    assert [c["key"] for c in behind["candidates"]] == [c["key"] for c in before["candidates"]]
    assert memory.status("e").status == "withdrawn"


def test_it_is_drawn_as_the_name_of_the_file_asks(loaded: CommandLine, tmp_path: Path) -> None:
    points = loaded.run("frontier", "--delete", "msg/1", "--out", tmp_path / "f.csv", "--json").json["points"]
    with (tmp_path / "f.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [(float(r["tradeoff"]), float(r["cost"])) for r in rows] == [(p["tradeoff"], p["cost"]) for p in points]
    for name in ("f.png", "f.svg", "f.html"):
        assert loaded.run("frontier", "--delete", "msg/1", "--out", tmp_path / name).code == 0
    assert (tmp_path / "f.png").read_bytes().startswith(PNG)
    assert ElementTree.parse(tmp_path / "f.svg").getroot().tag.endswith("svg")
    page = (tmp_path / "f.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 1
    assert "repair all" in page


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ((), "say which event"),
        (("e", "--delete", "msg/1"), "say which event"),
        (("--delete", "msg/1", "--out", "f.pdf"), "drawn to .png, .svg, .html, .csv"),
        (("--delete", "msg/1", "--out", "nowhere/f.png"), "there is no directory"),
        (("--delete", "msg/1", "--lambda", "cheap"), "λ is a decimal number"),
    ],
)
def test_what_cannot_be_drawn_is_said_before_anything_is_read(
    loaded: CommandLine, words: tuple[str, ...], reason: str
) -> None:
    said = loaded.run("frontier", *words)
    assert said.code == 2
    assert reason in said.err


def test_an_event_that_there_is_not_and_a_budget_that_is_none_are_refused(loaded: CommandLine) -> None:
    assert loaded.run("frontier", "nobody").code != 0
    said = loaded.run("repair", "--delete", "msg/1", "--budget", "some")
    assert said.code == 2
    assert "a budget is a number of tokens" in said.err
    assert loaded.run("events", "--json").json == {"events": []}
