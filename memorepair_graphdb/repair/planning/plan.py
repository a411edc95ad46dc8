"""Makes the plan of a repair: candidates, the selection among them, the reasons, and its id.

It reads no graph and changes none, so that `preview` shows what `repair` does.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...model import plan as model
from ...model.arguments import BudgetLike, TradeoffLike
from ...model.cascade import Cascade
from ...model.plan import Choice, Plan
from ...model.vocabulary import Mode
from ...operators.protocol.registry import Operator, Registry
from .candidates import CandidateColumns, Estimate, JudgedCascade, judge_candidates
from .fingerprint import choice_fingerprint, plan_id, scope_fingerprint
from .modes import Eligibility
from .reasons import selection_reasons
from .rules import RULES, Rule
from .selection import Budget, Proof, Selection, Tradeoff, select

_log = logging.getLogger(__name__)


def plan(
    cascade: Cascade,
    *,
    event: Mapping[str, Any],
    delta: str,
    replaced: frozenset[str],
    operators: Registry,
    tradeoff: TradeoffLike,
    estimate: Estimate,
    embedder: str | None,
    without_embeddings: bool = False,
    budget: BudgetLike | None = None,
    objections: Mapping[str, Eligibility] = MappingProxyType({}),
    factors: Mapping[str, float] = MappingProxyType({}),
    rules: tuple[Rule, ...] = RULES,
) -> Plan:
    """Plan the repair of a cascade (paper sections 2.3 and 2.4).

    `event` is shown as it is; `delta` is Δ as canonical JSON; `replaced` are ids of the roots that have a replacement;
    `estimate` gives tokens; `embedder` is its version, None without one. The cascade's own means, if it has them, are
    the scale. `budget` is the most that the selection may cost, in tokens or such as "50%" of Repair all. `objections`
    has, by id, what was found against an artifact beforehand; `factors` are those that `estimate` multiplies with, to
    be shown. Raises `BadInput` for a λ that is no decimal ≥ 0, no such budget, or a value or cost that is negative or
    not finite.
    """
    ratio, most = Tradeoff.read(tradeoff), Budget.read(budget)
    judged = judge_candidates(
        cascade,
        replaced=replaced,
        operators=operators,
        estimate=estimate,
        embeddable=embedder is not None or without_embeddings,
        objections=objections,
        rules=rules,
    )
    selection = _select(judged.candidates, ratio, cascade, most)
    within = most.text if most else None
    final = _as_candidates(cascade, judged.candidates, selection, ratio.text, within)
    choice = choice_fingerprint(final, judged.removed, ratio.ratio, _registered(cascade, operators), embedder, within)
    chosen = selection.chosen
    return Plan.model_construct(
        event=dict(event),
        plan_id=plan_id(scope_fingerprint(cascade.type, delta, cascade), choice),
        tradeoff=ratio.text,
        cascade=tuple(sorted([*cascade.descendants.keys, *(key for key, _ in cascade.roots)])),
        value=sum(judged.candidates.value[chosen].tolist()),
        cost=sum(judged.candidates.cost[chosen].tolist()),
        counts=_counts(cascade, judged),
        removed=judged.removed,
        candidates=final,
        budget=within,
        choice=_choice(selection),
        value_mean=selection.value_mean,
        cost_mean=selection.cost_mean,
        factors=dict(factors),
    )


def needs_of(ids: Iterable[str], predecessors: Iterable[Iterable[str]]) -> NDArray[np.int64]:
    """P as the closure takes it: int64[m, 2], rows (i, j) for "candidate i needs candidate j", by position."""
    number = {id_: position for position, id_ in enumerate(ids)}
    rows = [(i, number[id_]) for i, of_one in enumerate(predecessors) for id_ in of_one]
    return np.array(rows, dtype=np.int64).reshape(-1, 2)


def _select(columns: CandidateColumns, tradeoff: Tradeoff, cascade: Cascade, budget: Budget | None) -> Selection:
    selection = select(
        columns.value,
        columns.cost,
        tradeoff,
        columns.topology,
        columns.executable,
        value_mean=cascade.value_mean,
        cost_mean=cascade.cost_mean,
        budget=budget,
    )
    if selection.resolution:
        _log.info("values and costs were rounded to %.3g of the mean value", selection.resolution)
    _log.debug("selected %d of %d in %.3f s", selection.chosen.sum(), columns.index.size, selection.seconds)
    return selection


def _choice(selection: Selection) -> Choice:
    net = float(selection.gain[selection.chosen].sum())
    proof = selection.proof or Proof(net, net, 0.0, "optimal")
    return Choice(
        seconds=selection.seconds, resolution=selection.resolution, kernel=selection.kernel, **proof._asdict()
    )


def _as_candidates(
    cascade: Cascade, columns: CandidateColumns, selection: Selection, tradeoff: str, budget: str | None
) -> model.Candidates:
    all_, indices = cascade.descendants, columns.index.tolist()
    forms = [all_.forms[form] for form in all_.form[columns.index].tolist()]
    keys = [all_.keys[index] for index in indices]
    return model.Candidates(
        key=keys,
        id=[all_.ids[index] for index in indices],
        kind=[form.kind for form in forms],
        arch=[form.arch for form in forms],
        mode=columns.mode,
        operator=[form.operator for form in forms],
        needs=model.Lists.of(len(indices), columns.needs[:, 0], columns.needs[:, 1].tolist()),
        executable=columns.executable.tolist(),
        value=columns.value.tolist(),
        cost=columns.cost.tolist(),
        selected=selection.chosen.tolist(),
        reason=selection_reasons(columns, keys, selection, tradeoff, budget),
        support_ids=columns.supports,
        level=columns.level.tolist(),
    )


def _registered(cascade: Cascade, operators: Registry) -> list[Operator]:
    """Return the operators that the cascade names and the registry knows, by name."""
    return [operator for name in sorted(cascade.operators) if (operator := operators.find(name)) is not None]


def _counts(cascade: Cascade, judged: JudgedCascade) -> dict[str, int]:
    """Affected descendants by mode; modes that do not occur are left out."""
    counts = Counter(judged.candidates.mode)
    counts[Mode.REMOVE] = len(cascade.descendants.ids) - judged.candidates.index.size
    return {mode.value: counts[mode] for mode in Mode if counts[mode]}
