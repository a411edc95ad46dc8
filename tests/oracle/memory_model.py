"""A memory as the design describes it, in plain Python: versions, edges, events, and what each step makes of them.

Shares no code with the package, knows no database, and asks the oracle for fates and sets.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

from tests.harness.fake_operators import FINE, MOODS, written
from tests.oracle import planning
from tests.oracle.graphs import ArtifactSpec, EventSpec, SourceSpec, World

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LIVE = ("Visible", "Withdrawn")


@dataclass
class Version:
    spec: ArtifactSpec
    number: int
    content: str
    state: str = "Visible"
    holder: int = 0
    embedded: bool = False
    operator: str | None = None
    supersedes: str = ""

    @property
    def name(self) -> str:
        return f"{self.spec.key}#{self.number}"


@dataclass
class Edge:
    source: str
    target: str
    role: str | None = None
    required: bool | str | None = None
    live: bool = True


@dataclass
class Event:
    seq: int
    type: str
    roots: list[str]
    """names of versions"""
    replaced: frozenset[str]
    """those of them that were replaced"""
    status: str = "withdrawn"
    outcomes: dict[str, str] = field(default_factory=dict)
    """by name of version"""
    means: tuple[Fraction, Fraction] | None = None
    """the scale of the first plan"""


@dataclass(frozen=True)
class Plan:
    cascade: frozenset[str]
    """names, roots included"""
    fates: dict[str, planning.Fate]
    removed: frozenset[str]
    selected: frozenset[str]

    @property
    def candidates(self) -> dict[str, planning.Fate]:
        return {name: fate for name, fate in self.fates.items() if fate.mode != "remove"}


@dataclass
class Memory:
    """The whole state; every method does to it what the package must do to the graph."""

    embedder: bool
    without_embeddings: bool
    versions: dict[str, Version] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    events: dict[int, Event] = field(default_factory=dict)

    # -- looking ------------------------------------------------------------------------------------------------------

    def live(self, key: str) -> Version | None:
        """The version of a key that is visible or withdrawn."""
        return next((v for v in self.versions.values() if v.spec.key == key and v.state in LIVE), None)

    def newest(self, key: str) -> Version | None:
        """The version of a key with the highest number."""
        return max((v for v in self.versions.values() if v.spec.key == key), key=lambda v: v.number, default=None)

    def held(self, event: Event) -> list[Version]:
        """What an event holds."""
        return [v for v in self.versions.values() if v.state == "Withdrawn" and v.holder == event.seq]

    def into(self, name: str) -> list[Edge]:
        """The INFLUENCES edges into a version."""
        return [edge for edge in self.edges if edge.live and edge.target == name]

    def reached(self, starts: Iterable[str]) -> set[str]:
        """The starts, and all that INFLUENCES edges lead to."""
        after = defaultdict(list)
        for edge in self.edges:
            if edge.live:
                after[edge.source].append(edge.target)
        found, waiting = set(), list(starts)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += after[name]
        return found

    def retracted_behind(self, name: str) -> set[str]:
        """Names of the deleted and corrected versions that stand behind a version, over all edges that ever were."""
        before = defaultdict(list)
        for edge in self.edges:
            before[edge.target].append(edge.source)
        roots = {root for event in self.events.values() if event.type != "migrate" for root in event.roots}
        found: set[str] = set()
        waiting = list(before[name])
        while waiting:
            behind = waiting.pop()
            if behind not in found:
                found.add(behind)
                waiting += before[behind]
        return found & roots

    # -- putting in, and taking out -----------------------------------------------------------------------------------

    def put(self, spec: ArtifactSpec, content: str, edges: Iterable[Edge] = ()) -> Version:
        """A new version in service; a withdrawn one of the key is retired by it."""
        older, last = self.live(spec.key), self.newest(spec.key)
        made = Version(
            spec,
            number=1 if last is None else last.number + 1,
            content=content,
            embedded=spec.embedded,
            operator=spec.operator,
            supersedes="" if last is None else last.name,
        )
        if older is not None:
            self.retire(older)
        self.versions[made.name] = made
        self.edges += [replace(edge, target=made.name) for edge in edges]
        return made

    def retire(self, version: Version) -> None:
        """Make a version history, and the edges into it too."""
        version.state = "Retired"
        for edge in self.into(version.name):
            edge.live = False

    def withdraw(self, spec: EventSpec, contents: Mapping[str, str]) -> Event:
        """The barrier; `contents` are those of the replacements, by key."""
        roots = [root for key in spec.roots if (root := self.live(key)) is not None]
        assert len(roots) == len(spec.roots)
        event = Event(
            seq=len(self.events) + 1,
            type=spec.type,
            roots=[root.name for root in roots],
            replaced=frozenset(root.name for root in roots if root.spec.key in spec.replaced),
        )
        self.events[event.seq] = event
        for name in self.reached(event.roots):
            self.versions[name].state, self.versions[name].holder = "Withdrawn", event.seq
        before = {root.name: self.into(root.name) for root in roots}
        for root in roots:
            self.retire(root)
        heirs = {root.name: self._heir(root, contents) for root in roots if root.name in event.replaced}
        for name, heir in heirs.items():
            for edge in before[name]:
                source = heirs.get(edge.source, self.versions[edge.source])
                if source.state == "Visible":
                    self.edges.append(replace(edge, source=source.name, target=heir.name, live=True))
        return event

    def _heir(self, root: Version, contents: Mapping[str, str]) -> Version:
        heir = Version(root.spec, root.number + 1, contents[root.spec.key], supersedes=root.name)
        self.versions[heir.name] = heir
        return heir

    # -- planning -----------------------------------------------------------------------------------------------------

    def plan(self, event: Event, tradeoff: str) -> Plan:
        """What must be planned for an event behind its barrier; the first plan of an event sets its scale."""
        held = {version.name: version for version in self.held(event)}
        standings: dict[tuple[str, str], str] = {}
        specs = []
        for name, version in held.items():
            sources = []
            for edge in self.into(name):
                stands, how = self._standing(edge.source, held)
                standings[name, stands] = how
                sources.append(SourceSpec(stands, edge.role, edge.required))
            specs.append(self._as_spec(version, sources))
        world = World(tuple(specs), (), (), EventSpec(event.type, ()), tradeoff, self.embedder, self.without_embeddings)
        fates = planning.fates_of(world, set(held), standings)
        figures = {s.key: planning.figures_of(s) for s in specs if fates[s.key].mode != "remove"}
        if event.means is None:
            event.means = _mean(v for v, _ in figures.values()), _mean(c for _, c in figures.values())
        gone = {root for root in event.roots if root not in event.replaced}
        return Plan(
            cascade=frozenset({*held, *event.roots}),
            fates=fates,
            removed=frozenset(gone | {name for name, fate in fates.items() if fate.mode == "remove"}),
            selected=_smallest_optimum(fates, figures, event.means, Fraction(tradeoff)),
        )

    def _as_spec(self, version: Version, sources: list[SourceSpec]) -> ArtifactSpec:
        return replace(
            version.spec,
            key=version.name,
            operator=version.operator,
            embedded=version.embedded,
            sources=tuple(dict.fromkeys(sources)),
        )

    def _standing(self, name: str, held: Mapping[str, Version]) -> tuple[str, str]:
        """Which version stands for a source, and how (design, section 5, retry)."""
        source = self.versions[name]
        if source.state == "Visible":
            return name, "retained"
        if source.state == "Withdrawn":
            return name, "affected" if name in held else "elsewhere"
        heir = self.live(source.spec.key)
        if heir is None:
            return name, "deleted"
        if heir.state == "Visible":
            return name, "replaced"
        return heir.name, "affected" if heir.name in held else "elsewhere"

    # -- repairing ----------------------------------------------------------------------------------------------------

    def carry_out(self, event: Event, plan: Plan, moods: Mapping[str, str]) -> None:
        """Execute a plan, settle the rest, close; `moods` are those of the operators, by key."""
        self._embed_heirs(event)
        for root in event.roots:
            event.outcomes[root] = "replaced" if root in event.replaced else "removed"
        waiting = set(plan.selected)
        while waiting:
            ready = {name for name in waiting if not plan.fates[name].predecessors & waiting}
            for name in ready:
                event.outcomes[name] = self._attempt(event, name, plan.fates[name], moods)
            waiting -= ready
        for name, fate in plan.fates.items():
            if fate.mode == "remove":
                event.outcomes[name] = "removed"
                self.retire(self.versions[name])
            elif name not in plan.selected:
                event.outcomes[name] = "not_selected" if fate.executable else "not_executable"
        event.status = "closed"

    def _embed_heirs(self, event: Event) -> None:
        for version in self.versions.values():
            if version.supersedes in event.roots and version.state == "Visible" and self.embedder:
                version.embedded = version.embedded or self.versions[version.supersedes].embedded

    def _attempt(self, event: Event, name: str, fate: planning.Fate, moods: Mapping[str, str]) -> str:
        if any(event.outcomes[source] != "published" for source in fate.predecessors):
            return "predecessor_missing"
        old = self.versions[name]
        mood = moods.get(old.spec.key, FINE)
        if mood != FINE:
            return MOODS[mood]
        consumed = {edge: self._consumed(edge, fate) for edge in map(_frozen, self.into(name))}
        supports = {edge: source for edge, source in consumed.items() if source is not None}
        texts = {(source.spec.key, edge[2], source.content) for edge, source in supports.items()}
        new = Version(
            old.spec,
            old.number + 1,
            written(str(old.operator), old.spec.key, texts),
            embedded=old.embedded and self.embedder,
            operator=old.operator,
            supersedes=name,
        )
        self.versions[new.name] = new
        made = {(source.name, role): required for (_, _, role, required), source in supports.items()}
        self.edges += [Edge(source, new.name, role, required) for (source, role), required in made.items()]
        self.retire(old)
        return "published"

    def _consumed(self, edge: tuple, fate: planning.Fate) -> Version | None:
        """The version in service that stands for the source of an edge, if the plan consumes it."""
        source = self.versions[edge[0]]
        heir = self.live(source.spec.key)
        known = {edge[0]} | {v.name for v in self.versions.values() if v.spec.key == source.spec.key}
        if not known & (fate.predecessors | fate.supports):
            return None
        return source if source.state == "Visible" else heir


def _frozen(edge: Edge) -> tuple:
    return edge.source, edge.target, edge.role, edge.required


def _mean(figures: Iterable[Fraction]) -> Fraction:
    known = list(figures)
    return sum(known, Fraction(0)) / len(known) if any(known) else Fraction(1)


def _smallest_optimum(
    fates: Mapping[str, planning.Fate],
    figures: Mapping[str, tuple[Fraction, Fraction]],
    means: tuple[Fraction, Fraction],
    ratio: Fraction,
) -> frozenset[str]:
    """By trying every set of executable candidates, in integers."""
    names = [name for name in figures if fates[name].executable]
    exact = [figures[name][0] / means[0] - ratio * figures[name][1] / means[1] for name in names]
    scale = lcm(*(profit.denominator for profit in exact))
    profits = [int(profit * scale) for profit in exact]
    needs = [sum(1 << names.index(source) for source in fates[name].predecessors) for name in names]
    best, rank = 0, (0, 0)
    for chosen in range(1 << len(names)):
        members = [i for i in range(len(names)) if chosen >> i & 1]
        if all(needs[i] & chosen == needs[i] for i in members):
            this = (sum(profits[i] for i in members), -len(members))
            if this > rank:
                best, rank = chosen, this
    return frozenset(name for i, name in enumerate(names) if best >> i & 1)
