"""Quality measured from the command line: a table for people, rows for programs, and a way out of what is wrong."""

from __future__ import annotations

import json
import sys

import pytest

from tests.cli.conftest import CommandLine


def test_the_false_passes_are_counted_for_each_class(line: CommandLine) -> None:
    said = line.run("bench", "faults", "--size", "4", "--json")
    assert said.code == 0, said.err
    rows = said.json["results"]
    assert {"cache", "summary", "prompt skill", "chain skill", "neural skill"} <= {row["kind"] for row in rows}
    assert [row["faults"] for row in rows] == [4] * len(rows)
    assert [row["full"] for row in rows] == [0] * len(rows)
    assert any(row["schema_only"] for row in rows)
    told = line.run("bench", "faults", "--size", "1")
    assert "false passes" in told.out
    assert "neural skill" in told.out


def test_names_in_other_scripts_are_counted_and_a_file_of_ones_own_is_read(line: CommandLine) -> None:
    rows = line.run("bench", "scripts", "--json").json["results"]
    assert len(rows) == 12
    assert sum(row["found"] for row in rows) >= 0.95 * sum(row["planted"] for row in rows)
    assert sum(row["refused"] for row in rows) <= 0.01 * sum(row["clean"] for row in rows)
    own = {"names": ["Гончарук", "Шевченко"], "frames": ["Вчера звонил {}.", "Мы ждём {} завтра."], "addresses": []}
    line.write("scripts.json", json.dumps({"Cyrillic": {**own, "plain": ["Сегодня тепло."]}}))
    (row,) = line.run("bench", "scripts", "--data", ".", "--json").json["results"]
    assert (row["script"], row["planted"], row["found"]) == ("Cyrillic", 4, 4)
    line.write("scripts.json", json.dumps({"Cyrillic": {"names": ["Гончарук"]}}))
    wrong = line.run("bench", "scripts", "--data", ".")
    assert wrong.code == 2
    assert "scripts.json: Cyrillic.names" in " ".join(wrong.err.split())


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["residue"], "residue needs --data DIR"),
        (["repairs"], "repairs needs --data DIR"),
        (["forgetting", "--data", "no/such/place"], "there is no directory 'no/such/place'"),
        (["repairs", "--data", "."], "is not a ToolBench directory"),
        (["faults", "--pairs", "2"], "takes --data and one --size"),
        (["faults", "--size", "1", "--size", "2"], "takes --data and one --size"),
        (["barrier", "--data", "."], "--data goes with faults, residue, scripts, forgetting, repairs"),
        (["nothing"], "there is no benchmark 'nothing'"),
    ],
)
def test_wrong_words_end_with_two_before_anything_is_measured(line: CommandLine, words: list[str], says: str) -> None:
    said = line.run("bench", *words)
    assert (said.code, said.out) == (2, "")
    assert says in " ".join(said.err.split())


def test_the_help_names_all_that_the_catalogue_lists(line: CommandLine) -> None:
    from memorepair_graphdb.evaluation import catalogue

    told = " ".join(line.run("bench", "--help").out.split())
    for measurement in catalogue.MEASUREMENTS.values():
        assert f"{measurement.name}: {measurement.help}" in told
        assert set(measurement.takes) <= set(catalogue.OPTIONS)


def test_without_the_room_evaluation_the_command_says_how_to_get_it(
    line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "memorepair_graphdb.evaluation", None)
    said = line.run("bench", "faults")
    assert (said.code, said.out) == (2, "")
    assert "memorepair-graphdb[evaluation]" in said.err
