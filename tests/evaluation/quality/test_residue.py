"""The residue check finds what was planted and lets clean text pass, on real ToolBench text."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from memorepair_graphdb.evaluation.quality import residue as room
from memorepair_graphdb.evaluation.quality.residue.clean import clean_texts
from memorepair_graphdb.evaluation.quality.residue.facts import facts_of, sentences_of
from memorepair_graphdb.evaluation.quality.residue.measure import LEAKS, ResidueRow, table
from memorepair_graphdb.evaluation.quality.residue.planting import PROMISED, leaks
from memorepair_graphdb.evaluation.quality.residue.scenes import SceneMemory
from memorepair_graphdb.evaluation.quality.residue.unpromised import UNPROMISED, in_words


@pytest.fixture(scope="module")
def rows(toolbench_lines) -> dict[str, ResidueRow]:
    """Give the whole table, all 500 leaks and 500 clean texts."""
    return {row.sort: row for row in table(toolbench_lines)[0]}


@pytest.fixture(scope="module")
def memory(toolbench_lines) -> SceneMemory:
    return SceneMemory(toolbench_lines)


def test_five_hundred_leaks_are_found_but_for_one_in_a_hundred(rows: dict[str, ResidueRow]) -> None:
    assert rows["all leaks"].texts == LEAKS == sum(rows[sort].texts for sort in PROMISED)
    assert rows["all leaks"].share >= 0.99


@pytest.mark.parametrize("sort", PROMISED)
def test_no_sort_of_leak_is_found_less_often_than_nineteen_times_in_twenty(
    rows: dict[str, ResidueRow], sort: str
) -> None:
    assert rows[sort].texts >= 70
    assert rows[sort].share >= 0.95


def test_two_clean_texts_in_a_hundred_at_most_are_refused(rows: dict[str, ResidueRow]) -> None:
    assert rows["clean"].texts == LEAKS
    assert rows["clean"].share <= 0.02


def test_what_is_not_promised_is_reported(rows: dict[str, ResidueRow]) -> None:
    assert {row.sort for row in rows.values() if not row.promised} == set(UNPROMISED)
    assert all(rows[sort].texts == 50 for sort in UNPROMISED)


def test_no_leak_stands_in_a_live_source(memory: SceneMemory) -> None:
    def plain(text: str) -> str:
        return " ".join(re.findall(r"[a-z0-9]+", text.lower()))

    scenes, planted = list(memory.scenes()), 0
    for leak in leaks(scenes, PROMISED, 490, seed=3):
        planted += 1
        assert leak.scene.live
        assert leak.planted not in leak.carrier
        assert any(leak.secret in text.replace("\\", "") or leak.secret in text for text in leak.scene.retracted)
        live = [f" {plain(text)} " for text in leak.scene.live]
        assert not any(f" {plain(leak.secret)} " in text for text in live), leak
    assert planted == 490


def test_a_leak_is_below_its_roots_and_its_live_sources_are_not(memory: SceneMemory, toolbench_lines) -> None:
    sources = {line["key"]: {one["key"] for one in line.get("influenced_by", ())} for line in toolbench_lines}
    contents = memory.contents
    for scene in list(memory.scenes())[::40]:
        above: set[str] = set()
        waiting = [scene.key]
        while waiting:
            for key in sources[waiting.pop()] - above:
                above.add(key)
                waiting.append(key)
        assert set(scene.retracted) <= {contents[key] for key in above}
        outside = [contents[key] for key in sources[scene.key] if key not in scene.withdrawn]
        assert sorted(scene.live) == sorted(outside)


def test_a_clean_text_has_no_number_that_is_not_live(memory: SceneMemory) -> None:
    scenes = list(memory.scenes())
    others = [content for key, content in memory.contents.items() if key.startswith("instr/")]
    for clean in clean_texts(scenes, others, 300, seed=4):
        known = set(re.findall(r"\d+", " ".join(clean.scene.live)))
        assert set(re.findall(r"\d{2,}", clean.text)) <= known


def test_the_same_seed_plants_the_same(memory: SceneMemory) -> None:
    scenes = list(memory.scenes())
    assert [leak.text for leak in leaks(scenes, PROMISED, 40, 5)] == [
        leak.text for leak in leaks(scenes, PROMISED, 40, 5)
    ]
    assert [leak.text for leak in leaks(scenes, PROMISED, 40, 5)] != [
        leak.text for leak in leaks(scenes, PROMISED, 40, 6)
    ]


def test_what_plants_shares_no_code_with_what_finds() -> None:
    """Only `measure` imports from outside the room, but for the standard library."""
    for path in Path(room.__file__).parent.glob("*.py"):
        if path.name == "measure.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert node.level <= 1, f"{path.name} imports {node.module}"
                assert "memorepair" not in (node.module or "")
            if isinstance(node, ast.Import):
                assert not any("memorepair" in name.name for name in node.names)


def test_facts_are_what_a_person_would_underline() -> None:
    text = "I met Alice in Oslo, room 4711, on AB12CD, to ann.b@example.com or see https://x.example/a1 in 2026, no"
    facts = facts_of(text)
    assert facts.names == ("Alice", "Oslo")
    assert facts.identifiers == ("ann.b@example.com", "https://x.example/a1", "AB12CD")
    assert facts.numbers == ("4711", "2026")
    assert list(sentences_of("Short one. This is a sentence of seven words.")) == ["This is a sentence of seven words."]


def test_numbers_are_said_in_words() -> None:
    assert in_words(17) == "seventeen"
    assert in_words(42) == "forty-two"
    assert in_words(120_305) == "one hundred twenty thousand three hundred five"
