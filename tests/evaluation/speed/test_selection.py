"""`memorepair bench selection` on small networks: real peers, equal values, and no server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from memorepair_graphdb.cli.render import benchmarks
from memorepair_graphdb.errors import BadInput
from memorepair_graphdb.evaluation import catalogue
from memorepair_graphdb.evaluation.speed import selection
from memorepair_graphdb.evaluation.speed.comparison import agree, duel
from memorepair_graphdb.evaluation.speed.frontiers import measure_frontier
from memorepair_graphdb.evaluation.speed.networks import GENERATORS
from memorepair_graphdb.evaluation.speed.problem import SelectionProblem
from memorepair_graphdb.evaluation.speed.reference_solvers import installed
from memorepair_graphdb.solver import closure


@pytest.fixture
def bench(tmp_path):
    """Type `memorepair bench …` where no server is named, and none is there."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NEO4J_", "MEMOREPAIR_"))}

    def typed(*words):
        return subprocess.run(
            [Path(sys.executable).parent / "memorepair", "bench", *words],
            env={**kept, "MEMOREPAIR_HOME": str(tmp_path), "COLUMNS": "200"},
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )

    return typed


@pytest.fixture(scope="module")
def results():
    """Every measure, in small."""
    return list(selection.run(sizes=(150,), pairs=2, tell=lambda text: None))


def of(results, measure):
    return [result for result in results if result["measure"] == measure]


def test_every_measure_of_the_catalogue_gives_results_that_json_holds(results):
    assert {result["measure"] for result in results} == set(selection.MEASURES)
    assert json.loads(json.dumps(results)) == results
    assert {result["instance"] for result in of(results, "cut")} == set(GENERATORS)


def test_a_cut_is_compared_with_every_peer_that_is_installed(results):
    for result in of(results, "cut"):
        assert result["peers"].keys() | result["left_out"].keys() == {peer.name for peer in installed()}
        assert 0 < result["selected"] < 150
        for peer in result["peers"].values():
            assert 0 < peer["ratio_min"] <= peer["ratio"] <= peer["ratio_max"]
        best = min(result["peers"].values(), key=lambda peer: peer["seconds"])
        assert result["peers"][result["best_peer"]] == best
        assert result["ratio_to_best"] == best["ratio"]


def test_a_sweep_has_fifty_different_tradeoffs(results):
    [sweep] = of(results, "sweep")
    assert sweep["tradeoffs"] == 50
    assert {"ortools"} <= sweep["peers"].keys()
    assert {"igraph", "scipy", "networkx"} == sweep["left_out"].keys()
    task = SelectionProblem("provenance", GENERATORS["provenance"](150, 1), [], 1)
    profits = {tuple(task.profit(at).tolist()) for at in selection.sweep_tradeoffs(task.tradeoff)}
    assert len(profits) == 50


def test_a_frontier_stands_beside_single_cuts(results):
    for result in of(results, "frontier"):
        assert result["breakpoints"] >= 1
        assert result["cuts_in_that_time"] > 0
    [memory] = [result for result in of(results, "frontier") if result["instance"] == "provenance"]
    assert memory["breakpoints"] > 20


def test_a_frontier_that_disagrees_with_a_cut_stops_the_measurement(monkeypatch):
    task = SelectionProblem("hard", GENERATORS["hard"](150, 1), [], 1)
    monkeypatch.setattr("memorepair_graphdb.evaluation.speed.frontiers.maximum_closure", lambda profit, _: profit < 0)
    with pytest.raises(RuntimeError, match="disagree"):
        measure_frontier(task)


def test_a_budget_is_told_with_the_gap_that_was_proved(results):
    for result in of(results, "budget"):
        assert 0 <= result["gap"] < 1
        assert result["status"] in ("optimal", "gap", "time_limit")
        assert 0 <= result["value_share"] <= 1


def test_memory_is_measured_in_a_process_of_its_own(results):
    [peak] = of(results, "peak")
    assert peak["peak_mib"] is None or 0 <= peak["peak_mib"] < 300


def test_a_peer_that_would_take_too_long_is_left_out_and_said_to_be():
    [networkx] = [peer for peer in installed() if peer.name == "networkx"]
    task = SelectionProblem("layer", GENERATORS["layer"](1_001, 1), [networkx], 1)
    assert task.split_rivals() == ([], {"networkx": "too slow above 1000"})
    usual = SelectionProblem("layer", GENERATORS["layer"](1_000, 1), [networkx], 1)
    assert usual.split_rivals() == ([networkx], {})


def test_solvers_that_disagree_stop_the_measurement():
    with pytest.raises(RuntimeError, match="disagree"):
        duel({"ours": lambda: [1], "theirs": lambda: [2]}, 1)
    agree({"ours": [3, 4], "theirs": (3, 4)})


def test_without_a_peer_our_own_time_is_told_alone():
    found = duel({"ours": lambda: [1]}, 3)
    assert found.keys() == {"ours_s", "rounds", "peers"}
    assert found["peers"] == {}


def test_every_side_runs_once_to_warm_up_and_once_in_every_round():
    runs: list[str] = []

    def side(name: str) -> list[int]:
        runs.append(name)
        return [0]

    sides = {name: partial(side, name) for name in ("ours", "a", "b")}
    duel(sides, 4)
    assert {name: runs.count(name) for name in sides} == {"ours": 5, "a": 5, "b": 5}
    assert runs[3:6] != runs[6:9]


def test_the_command_needs_no_server_and_prints_one_object(bench, tmp_path):
    ended = bench("selection", "--size", "120", "--pairs", "1", "--out", "a.svg", "--json")
    assert ended.returncode == 0, ended.stderr
    found = json.loads(ended.stdout)
    assert found.keys() == {"benchmark", "cutter", "machine", "results", "client_peak_mib", "peers"}
    assert found["cutter"] == "igraph"
    assert found["peers"]["igraph"]
    assert "cut: hard, 120 candidates" in ended.stderr
    assert "cut: hard 120" in (tmp_path / "a.svg").read_text()


def test_the_compiled_cutter_is_measured_where_it_is_asked_for(bench):
    ended = bench("selection", "--size", "120", "--pairs", "1", "--fast", "--json")
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["cutter"] == "compiled"


def test_a_person_gets_a_table_for_each_measure_and_a_picture(bench, tmp_path):
    ended = bench("selection", "--size", "120", "--pairs", "1", "--out", "a.png")
    assert ended.returncode == 0, ended.stderr
    assert all(f"selection {measure} on" in " ".join(ended.stdout.split()) for measure in selection.MEASURES)
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["selection", "--size", "99"], "has 100 artifacts or more"),
        (["selection", "--out", "a.pdf"], ".png, .svg"),
        (["selection", "--out", "no/such/directory/a.png"], "no directory"),
        (["serve", "--out", "a.png"], "--out goes with selection"),
        (["serve", "--fast"], "--fast goes with selection"),
    ],
)
def test_wrong_words_end_with_two_before_anything_is_measured(bench, words, says):
    ended = bench(*words)
    assert ended.returncode == 2
    assert says in ended.stderr


def test_without_matplotlib_a_picture_is_refused_with_the_way_out(monkeypatch, tmp_path):
    monkeypatch.setattr("memorepair_graphdb.cli.render.files.find_spec", lambda name: None)
    with pytest.raises(BadInput, match=r"memorepair-graphdb\[plot\]"):
        benchmarks.check(tmp_path / "a.png")


def test_a_measurement_leaves_the_cutter_as_it_was():
    before = closure.enable_fast(True)
    try:
        catalogue.find("selection").measure(catalogue.MeasurementOptions(sizes=(100,), pairs=1))
        assert closure.enable_fast(True) is True
    finally:
        closure.enable_fast(before)
