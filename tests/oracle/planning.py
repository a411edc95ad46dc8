"""The plan that must come of a world, by brute force in fractions.

Shares no code and no idea of an algorithm with the package; small, slow, and readable as rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tests.oracle.graphs import OPERATORS, SourceSpec, World


@dataclass(frozen=True)
class Fate:
    mode: str
    executable: bool
    predecessors: frozenset[str] = frozenset()
    supports: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Expected:
    cascade: frozenset[str]
    """keys of C(F)"""
    standings: dict[tuple[str, str], str]
    """(target, source) → how the source stands, for every edge into an affected artifact that is no root"""
    fates: dict[str, Fate]
    """by key, of every affected artifact that is no root"""
    removed: frozenset[str]
    """keys without a successor: deleted roots, and descendants of mode remove"""
    figures: dict[str, tuple[Fraction, Fraction]]
    """key → (value, cost) of each candidate"""

    @property
    def candidates(self) -> dict[str, Fate]:
        return {key: fate for key, fate in self.fates.items() if fate.mode != "remove"}


def expected(world: World) -> Expected:
    """What planning must find, without the selection."""
    cascade, standings = _stand(world)
    fates = fates_of(world, cascade, standings)
    roots = {root for root in world.event.roots if root not in world.event.replaced}
    return Expected(
        cascade=frozenset(cascade),
        standings=standings,
        fates=fates,
        removed=frozenset(roots | {key for key, fate in fates.items() if fate.mode == "remove"}),
        figures={a.key: figures_of(a) for a in world.artifacts if a.key in fates and fates[a.key].mode != "remove"},
    )


def profits(plan: Expected, tradeoff: str) -> dict[str, Fraction]:
    """w / mean w − λ · c / mean c of each candidate; the means over all of them."""
    values, costs = [v for v, _ in plan.figures.values()], [c for _, c in plan.figures.values()]
    mean_value = sum(values) / Fraction(len(values)) if sum(values) else Fraction(1)
    mean_cost = sum(costs) / Fraction(len(costs)) if sum(costs) else Fraction(1)
    return {key: v / mean_value - Fraction(tradeoff) * c / mean_cost for key, (v, c) in plan.figures.items()}


def selected(plan: Expected, tradeoff: str) -> frozenset[str]:
    """The smallest of the best predecessor-closed sets, by trying every set of executable candidates."""
    profit = profits(plan, tradeoff)
    keys = [key for key, fate in plan.candidates.items() if fate.executable]
    best: frozenset[str] = frozenset()
    rank = (Fraction(0), 0)
    for number in range(2 ** len(keys)):
        chosen = frozenset(key for bit, key in enumerate(keys) if number >> bit & 1)
        if all(plan.fates[key].predecessors <= chosen for key in chosen):
            this = (sum((profit[key] for key in chosen), Fraction(0)), -len(chosen))
            if this > rank:
                best, rank = chosen, this
    return best


def figures_of(artifact) -> tuple[Fraction, Fraction]:
    estimate = OPERATORS[artifact.operator][2] if artifact.operator in OPERATORS else 1
    value = 1 if artifact.value is None else artifact.value
    cost = estimate if artifact.cost is None else artifact.cost
    return Fraction(str(value)), Fraction(str(cost))


def _reached(world: World, roots: set[str], silent: set[str]) -> set[str]:
    """All that the roots reach; a `silent` key's version in service has influenced nothing yet."""
    reached = set(roots)
    while True:
        more = {target for target, source in world.edges if source.key in reached - silent} - reached
        if not more:
            return reached
        reached |= more


def _stand(world: World) -> tuple[set[str], dict[tuple[str, str], str]]:
    deleted: set[str] = set()
    renewed: set[str] = set()
    withdrawn: set[str] = set()
    for event in world.earlier:
        withdrawn |= _reached(world, set(event.roots), renewed) - set(event.roots)
        renewed |= event.replaced
        deleted |= set(event.roots) - event.replaced
    roots = set(world.event.roots)
    cascade = _reached(world, roots, renewed)

    def standing(key: str) -> str:
        if key in roots:
            return "replaced" if key in world.event.replaced else "deleted"
        if key in deleted:
            return "deleted"
        if key in renewed:
            return "replaced"
        if key in cascade:
            return "affected"
        return "elsewhere" if key in withdrawn else "retained"

    edges = [(target, source.key) for target, source in world.edges if target in cascade - roots]
    return cascade, {(target, source): standing(source) for target, source in edges}


def fates_of(world: World, cascade: set[str], standings: dict[tuple[str, str], str]) -> dict[str, Fate]:
    """Settle whatever can be settled, again and again, until nothing is open."""
    members = [artifact for artifact in world.artifacts if artifact.key in cascade - set(world.event.roots)]
    sources = {a.key: [source for target, source in world.edges if target == a.key] for a in members}
    below = {a.key: {s.key for s in sources[a.key] if standings[a.key, s.key] == "affected"} for a in members}
    fates: dict[str, Fate] = {}
    for artifact in members:
        standing = {source: standings[artifact.key, source.key] for source in sources[artifact.key]}
        fate = _fate_of_its_own(world, artifact, standing)
        if fate is None and _returns(artifact.key, below):
            fate = Fate(_mode(artifact), False)
        if fate is not None:
            fates[artifact.key] = fate
    while len(fates) < len(members):
        for artifact in members:
            if artifact.key not in fates and below[artifact.key] <= fates.keys():
                standing = {source: standings[artifact.key, source.key] for source in sources[artifact.key]}
                fates[artifact.key] = _fate_by_sources(artifact, standing, fates)
    return fates


def _returns(key: str, below: dict[str, set[str]]) -> bool:
    seen: set[str] = set()
    front = set(below[key])
    while front:
        if key in front:
            return True
        seen |= front
        front = {lower for upper in front for lower in below[upper]} - seen
    return False


def _mode(artifact) -> str:
    if artifact.kind == "cache":
        return "recompute"
    return "param" if artifact.arch == "neural" else "regen"


def _required(artifact, source: SourceSpec) -> bool:
    if source.required is None:
        return artifact.operator in OPERATORS and OPERATORS[artifact.operator][1] == "all"
    return source.required is True


def _rooms(standing: dict[SourceSpec, str]) -> list[list[SourceSpec]]:
    """The `any` sources, those of one role together."""
    roles = {source.role for source in standing if source.required == "any"}
    return [[s for s in standing if s.required == "any" and s.role == role] for role in roles]


def _fate_of_its_own(world: World, artifact, standing: dict[SourceSpec, str]) -> Fate | None:
    must = [how for source, how in standing.items() if _required(artifact, source)]
    if (
        artifact.kind == "record"
        or artifact.operator is None
        or "deleted" in must
        or any(all(standing[source] == "deleted" for source in room) for room in _rooms(standing))
        or all(how == "deleted" for how in standing.values())
        or (artifact.arch == "neural" and "retained" not in standing.values())
    ):
        return Fate("remove", False)
    wrong = artifact.operator not in OPERATORS or OPERATORS[artifact.operator][0] != _mode(artifact)
    unembedded = artifact.embedded and not world.embedder and not world.without_embeddings
    return Fate(_mode(artifact), False) if wrong or unembedded else None


def _fate_by_sources(artifact, standing: dict[SourceSpec, str], fates: dict[str, Fate]) -> Fate:
    cannot = Fate(_mode(artifact), False)
    here = {source for source, how in standing.items() if how in ("retained", "replaced")}
    coming = {source for source, how in standing.items() if how == "affected" and fates[source.key].executable}
    for source in standing:
        if _required(artifact, source) and source not in here | coming:
            return cannot
    idle: set[SourceSpec] = set()
    for room in _rooms(standing):
        if here & set(room):
            idle |= set(room) - here
        elif not coming & set(room):
            return cannot
    predecessors = frozenset(source.key for source in coming - idle)
    if predecessors or here:
        return Fate(_mode(artifact), True, predecessors, frozenset(source.key for source in here))
    lost = [
        how == "deleted" or (how == "affected" and fates[source.key].mode == "remove")
        for source, how in standing.items()
    ]
    return Fate("remove", False) if all(lost) else cannot
