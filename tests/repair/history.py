"""A random history of one memory: events withdrawn, repaired by operators in all moods, resumed, retried.

Every step is done to the graph and to the model, and the two are compared whole.
"""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memorepair_graphdb import RepairEvent
from tests.harness import dump
from tests.harness.fake_operators import FINE, MOODS, Embedder, Staff, word
from tests.harness.world_lines import contract, lines_of
from tests.oracle import memory_model
from tests.oracle.graphs import OPERATORS, ArtifactSpec, EventSpec, random_world

if TYPE_CHECKING:
    from collections.abc import Callable

    from neo4j import Driver

    from memorepair_graphdb import MemoRepair

TRADEOFFS = ("0", "0.1", "0.25", "0.3", "0.5", "0.5", "0.75", "1", "1", "1.5", "2", "3")


def agree(what: str, found: Any, expected: Any) -> None:
    """Assert that both are equal, and say where they are not (mappings, counters and sets)."""
    if found != expected:
        names = list({**dict.fromkeys(found), **dict.fromkeys(expected)})
        look = dict.get if isinstance(found, dict) else lambda members, name: name in members
        parts = [(n, look(found, n), look(expected, n)) for n in names if look(found, n) != look(expected, n)]
        told = "; ".join(f"{n}: found {there}, expected {wanted}" for n, there, wanted in parts)
        raise AssertionError(f"{what}: {told}")


class History:
    """One seed's memory, in the graph and in the model; `tally` counts what was compared."""

    def __init__(
        self, seed: int, open_memory: Callable[..., MemoRepair], driver: Driver, dimensions: int, tally: Counter
    ) -> None:
        self.rng = random.Random(f"history {seed}")
        self.seed, self.driver, self.tally = seed, driver, tally
        self.world = random_world(seed, parallel_edges=seed % 2 == 1)
        self.staff = Staff()
        self.model = memory_model.Memory(self.world.embedder, self.world.without_embeddings)
        self.mr = open_memory(
            registry=self.staff.registry,
            embedder=Embedder(dimensions) if self.world.embedder else None,
            without_embeddings=self.world.without_embeddings,
        )
        self.event_ids: dict[int, str] = {}
        self.turn = 0
        self._load(dimensions)

    def play(self, steps: int) -> None:
        """So many events, and sometimes something between them."""
        for self.turn in range(steps):
            self.new_event()
            if self.rng.random() < 0.3:
                self.write_over()
            if self.rng.random() < 0.4:
                self.go_on()

    # -- steps --------------------------------------------------------------------------------------------------------

    def new_event(self) -> None:
        """Preview an event, then withdraw or repair it."""
        spec = self._event()
        if spec is None:
            return
        contents = {key: self._content(key, "replacement", self.turn) for key in spec.replaced}
        event = self._request(spec, contents)
        tradeoff = self.rng.choice(TRADEOFFS)
        shown = self._preview(event, spec, contents, tradeoff)
        made = self.model.withdraw(spec, contents)
        self.event_ids[made.seq] = event.id
        if self.rng.random() < 0.25:
            self.mr.withdraw(event)
            self.compare()
            return
        plan = self.model.plan(made, tradeoff)
        moods = self._moods(plan)
        self.model.carry_out(made, plan, moods)
        self._closed(made, self.mr.repair(event, tradeoff=tradeoff, expect=shown.plan_id))

    def go_on(self) -> None:
        """Resume an open event, or retry a closed one with operators in a better mood."""
        if not self.model.events:
            return
        event = self.rng.choice(list(self.model.events.values()))
        tradeoff = self.rng.choice(TRADEOFFS)
        plan = self.model.plan(event, tradeoff)
        moods = self._moods(plan)
        do = self.mr.retry if event.status == "closed" else self.mr.resume
        self.model.carry_out(event, plan, moods)
        self._closed(event, do(self.event_ids[event.seq], tradeoff=tradeoff))

    def write_over(self) -> None:
        """Put something new in the place of what was deleted, or left withdrawn by a closed event."""
        keys = [a.key for a in self.world.artifacts if self._free(a.key)]
        if not keys:
            return
        key = self.rng.choice(keys)
        visible = [v for v in self.model.versions.values() if v.state == "Visible" and v.spec.key != key]
        if key.startswith("doc") or not visible:
            tool = next(a.tool for a in self.world.artifacts if a.key == key)
            content = self._content(key, "recorded", self.turn)
            self.model.put(ArtifactSpec(key, "record", tool=tool, embedded=self.world.embedder), content)
            self.mr.record(content, key=key, tool=tool)
        else:
            self._derive(key, visible)
        self.compare()

    def _derive(self, key: str, visible: list[memory_model.Version]) -> None:
        operator = self.rng.choice([name for name in OPERATORS if OPERATORS[name][0] == "regen"])
        chosen = self.rng.sample(visible, min(len(visible), self.rng.choice([1, 2])))
        edges = [
            memory_model.Edge(v.name, "", self.rng.choice([None, "a"]), self.rng.choice([None, True, False, "any"]))
            for v in chosen
        ]
        content = word("derived", self.seed, self.turn, key)
        self.model.put(ArtifactSpec(key, "summary", None, operator, embedded=self.world.embedder), content, edges)
        ids = {self._name(row): row["id"] for row in dump.artifacts(self.driver, self.mr.space)}
        sources = [{"key": ids[e.source], "role": e.role, "required": e.required} for e in edges]
        self.mr.derive(content, key=key, kind="summary", influenced_by=sources, operator=operator)

    # -- comparing ----------------------------------------------------------------------------------------------------

    def compare(self) -> None:
        """The graph is what the model says."""
        space = self.mr.space
        found = dump.artifacts(self.driver, space)
        agree(
            "versions",
            {self._name(row): self._state(row) for row in found},
            {v.name: ([v.state], v.content, v.holder, v.embedded, v.operator) for v in self.model.versions.values()},
        )
        edges = Counter(
            ("INFLUENCES" if e.live else "INFLUENCED", e.source, e.target, e.role, e.required) for e in self.model.edges
        )
        edges.update(
            ("SUPERSEDES", v.name, v.supersedes, None, None) for v in self.model.versions.values() if v.supersedes
        )
        relations = Counter(
            (
                r["type"],
                f"{r['source_key']}#{r['source']}",
                f"{r['target_key']}#{r['target']}",
                r["role"],
                r["required"],
            )
            for r in dump.relations(self.driver, space)
        )
        agree("edges", relations, edges)
        events = self.model.events.values()
        agree(
            "outcomes",
            {(row["seq"], self._name(row)): row["outcome"] for row in dump.effects(self.driver, space)},
            {(event.seq, name): outcome for event in events for name, outcome in event.outcomes.items()},
        )
        agree(
            "events",
            {line.seq: line.status.value for line in self.mr.events()},
            {event.seq: event.status for event in events},
        )
        agree("invariants", self.mr.check().violations, ())
        self.tally["states"] += 1

    def _preview(self, event: RepairEvent, spec: EventSpec, contents: dict[str, str], tradeoff: str) -> Any:
        ahead = copy.deepcopy(self.model)
        expected = ahead.plan(ahead.withdraw(spec, contents), tradeoff)
        before = dump.everything(self.driver, self.mr.space)
        shown = self.mr.preview(event, tradeoff=tradeoff)
        assert dump.everything(self.driver, self.mr.space) == before, "a preview wrote"
        names = {row["id"]: self._name(row) for row in dump.artifacts(self.driver, self.mr.space)}
        found = {names[candidate.id]: candidate for candidate in shown.candidates}
        agree(
            "candidates (mode, executable, predecessors)",
            {n: (c.mode, c.executable, {names[id_] for id_ in c.predecessor_ids}) for n, c in found.items()},
            {n: (f.mode, f.executable, set(f.predecessors)) for n, f in expected.candidates.items()},
        )
        agree("cascade", Counter(shown.cascade), Counter(name.partition("#")[0] for name in expected.cascade))
        agree("removed", {names[removed.id] for removed in shown.removed}, set(expected.removed))
        agree("selected", {name for name, one in found.items() if one.selected}, set(expected.selected))
        self.tally.update(f"mode {fate.mode}" for fate in expected.fates.values())
        self.tally.update(previews=1, selected=len(expected.selected))
        return shown

    def _closed(self, event: memory_model.Event, report: Any) -> None:
        newest = sorted(event.outcomes, key=lambda name: int(name.partition("#")[2]))
        agree(
            "report",
            {key: outcome.value for key, outcome in report.outcomes.items()},
            {name.partition("#")[0]: event.outcomes[name] for name in newest},
        )
        self.compare()
        self.tally.update(event.outcomes.values())
        self.tally["repairs"] += 1

    # -- choosing -----------------------------------------------------------------------------------------------------

    def _event(self) -> EventSpec | None:
        live = [a for a in self.world.artifacts if self.model.live(a.key) is not None]
        tools = [a.key for a in live if a.tool is not None]
        plain = [a.key for a in live if a.tool is None]
        type_ = self.rng.choice(["delete", "delete", "correct", "correct", "correct", "migrate"])
        pool = {"delete": plain + tools, "correct": plain, "migrate": tools}[type_]
        if not pool:
            return None
        first = [key for key in pool if key.startswith("doc")]
        if first and self.rng.random() < 0.6:
            pool = first
        roots = tuple(self.rng.sample(pool, min(len(pool), self.rng.choice([1, 1, 1, 2]))))
        chance = {"delete": 0.0, "correct": 1.0, "migrate": 0.6}[type_]
        return EventSpec(type_, roots, frozenset(root for root in roots if self.rng.random() < chance))

    def _request(self, spec: EventSpec, contents: dict[str, str]) -> RepairEvent:
        if spec.type == "delete":
            return RepairEvent.delete(spec.roots)
        if spec.type == "correct":
            return RepairEvent.correct({root: contents[root] for root in spec.roots})
        return RepairEvent.migrate(
            {root: json.loads(contents[root]) if root in contents else None for root in spec.roots}
        )

    def _moods(self, plan: memory_model.Plan) -> dict[str, str]:
        """Moods for the operators of a plan, set and returned."""
        moods: dict[str, str] = {}
        for name in sorted(plan.selected):
            version = self.model.versions[name]
            known = [m for m in MOODS if m != "wavers" or plan.fates[name].mode == "recompute"]
            behind = sorted(self.model.retracted_behind(name))
            mood = self.rng.choice([m for m in known if m != "leaks" or behind])
            moods[version.spec.key] = mood if self.rng.random() < 0.35 else FINE
            if behind:
                self.staff.leaks[version.spec.key] = self.model.versions[self.rng.choice(behind)].content
        self.staff.moods = moods
        self.tally.update(mood for mood in moods.values() if mood != FINE)
        return moods

    def _free(self, key: str) -> bool:
        live = self.model.live(key)
        return live is None or (live.state == "Withdrawn" and self.model.events[live.holder].status == "closed")

    # -- names and contents -------------------------------------------------------------------------------------------

    def _load(self, dimensions: int) -> None:
        for spec in self.world.artifacts:
            edges = [
                memory_model.Edge(f"{source.key}#1", "", source.role, source.required)
                for target, source in self.world.edges
                if target == spec.key
            ]
            embedded = replace(spec, embedded=spec.embedded or self.world.embedder)
            self.model.put(embedded, self._content(spec.key, "first"), edges)
        lines = lines_of(self.world, lambda key: self._content(key, "first"), Embedder(dimensions).vector)
        assert self.mr.load(lines).created == len(lines)

    def _content(self, key: str, *about: Any) -> str:
        tool = next(a.tool for a in self.world.artifacts if a.key == key)
        if tool is None:
            return word(self.seed, key, *about)
        return contract(tool, self.seed, key, *about)

    @staticmethod
    def _name(row: dict[str, Any]) -> str:
        return f"{row['key']}#{row['version']}"

    @staticmethod
    def _state(row: dict[str, Any]) -> tuple[Any, ...]:
        return row["states"], row["content"], row["held_by"], row["embedded"], row["operator"]
