"""Defines adapter@1: trains anew the stages that saw a row which left, from before it; others stay to the bit (param).

Rows that left service are known by key and digest only: no context holds their text.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from .....errors import OperatorError
from .....model.artifact import Arch
from .....model.vocabulary import Mode, SupportNeed
from ....embedding.features import CachedFeatures, Features, Matrix
from ....embedding.minilm import best_features
from ....protocol.context import CHARACTERS_PER_TOKEN, INTERFACE, Context
from ....protocol.payload import Payload
from ..safetensors_blob import FORMAT
from ..selector.operator import OPERATIONS_A_TOKEN, TIMEOUT
from ..selector.rows import ROLE, tokens_to_read
from .checks import AdapterChecks
from .network import BOUND, RANK, AdapterNetwork, TrainedNetwork, initial_network
from .problem import AdapterProblem, AdapterRecipe, layout_of, loss_of, problem_of
from .shards import ShardStage, place_of
from .weights import MODEL, AdapterBasis, AdapterSkill, to_blob, to_manifest

if TYPE_CHECKING:
    from ....protocol.registry import Registry

_log = logging.getLogger(__name__)

NAME = "adapter@1"


class Adapter:
    """Repairs adapters on one kind of features."""

    def __init__(self, features: Features) -> None:
        self.features = features

    def estimate(self, context: Context) -> float:
        """Return tokens: the rows of the shards that a row left or changed in; all rows where nothing is trained yet.

        A tool that was retired changes the rows that name it. Which, is not known before: for each, half of what is
        left is counted.
        """
        change, everything = context.change, tokens_to_read(context)
        if change is None or not change.blob:
            return everything
        layout = layout_of(context)
        touched = {place_of(key, layout)[0] for key, role in change.sources if role == ROLE}
        read = tokens_to_read(context, lambda row: place_of(row, layout)[0] in touched)
        in_force = {source.key for source in context.by_role(INTERFACE)}
        retired = sum(role == INTERFACE and key not in in_force for key, role in change.sources)
        return everything - (everything - read) * 0.5**retired

    def repair(self, context: Context) -> Payload:
        """Train the shards anew that saw a row which left; keep the others to the bit."""
        problem = problem_of(context, self.features)
        skill, trained = self.train(problem)
        _log.info("%s: %d of %d stages trained", context.key, len(trained), len(problem.stages))
        blob = to_blob(skill)
        return Payload(to_manifest(skill, blob), blob=blob, spent=_spent(problem, trained))

    def train(self, problem: AdapterProblem) -> tuple[AdapterSkill, dict[str, TrainedNetwork]]:
        """Return the adapter that a problem asks for, and each stage that had to be trained, by name."""
        networks: dict[str, AdapterNetwork] = {}
        trained: dict[str, TrainedNetwork] = {}
        for stages in problem.shards:
            touched = [stage for stage in stages if not problem.stays(stage)]
            vectors = self.features.encode([row.text for row in stages[-1].rows]) if touched else np.empty((0, 0))
            for stage in stages:
                if problem.old is not None and stage not in touched:
                    networks[stage.name] = problem.old.stages[stage.name]
                else:
                    trained[stage.name] = self._train_stage(problem, stages, stage, networks, vectors)
                    networks[stage.name] = trained[stage.name].network
        return AdapterSkill(_basis(problem), networks), trained

    def _train_stage(
        self,
        problem: AdapterProblem,
        stages: Sequence[ShardStage],
        stage: ShardStage,
        networks: dict[str, AdapterNetwork],
        vectors: Matrix,
    ) -> TrainedNetwork:
        """Train a stage from the end of the one before, or a drawn start; raises `OperatorError` if it does not end."""
        position = stages.index(stage)
        if position:
            start = _widen(networks[stages[position - 1].name], stages[position - 1].classes, stage.classes)
        else:
            seed = [problem.settings.seed, stage.shard]
            start = initial_network(
                self.features.width, len(stage.classes), int(np.random.SeedSequence(seed).generate_state(1)[0])
            )
        result = loss_of(problem, stages, stage, vectors).minimise(start)
        if result.residual > BOUND:
            raise OperatorError(f"the training of stage {stage.name} did not end: residual {result.residual:.1e}")
        return result


def register(registry: Registry, features: Features | None = None) -> None:
    """Add `adapter@1` and its checks to a registry; features as in `selector@1`.

    Raises `BadInput` when the registry has one already.
    """
    kept = CachedFeatures(features or best_features())
    adapter, judge = Adapter(kept), AdapterChecks(kept)
    registry.operator(
        NAME,
        mode=Mode.PARAM,
        support=SupportNeed.AVAILABLE,
        cost=adapter.estimate,
        timeout=TIMEOUT,
        templates=(kept.name, FORMAT, MODEL),
        kinds=(Arch.NEURAL,),
        recipe=AdapterRecipe,
        needs=("safetensors",),
        extra="neural",
        vouching=("untouched", "gradient"),
    )(adapter.repair)
    for check in judge.checks:
        registry.validator(NAME)(check)


def _basis(problem: AdapterProblem) -> AdapterBasis:
    return AdapterBasis(
        settings=problem.settings,
        tools=problem.classes,
        rows=problem.digests,
        stages={name: stage.fingerprint for name, stage in problem.stages.items()},
        classes={name: list(stage.classes) for name, stage in problem.stages.items()},
        bound=problem.bound,
    )


def _widen(network: AdapterNetwork, before: Sequence[str], now: Sequence[str]) -> AdapterNetwork:
    """Return a checkpoint for more classes: a new one starts at 0."""
    head = np.zeros((len(now), network.head.shape[1]))
    head[[now.index(name) for name in before]] = network.head
    return network._replace(head=head)


def _spent(problem: AdapterProblem, trained: Mapping[str, TrainedNetwork]) -> float:
    """Return tokens: the rows of the touched shards, read, and the passes over their features in tokens of MiniLM."""
    read = sum(
        len(row.text)
        for stages in problem.shards
        if any(stage.name in trained for stage in stages)
        for row in stages[-1].rows
    )
    passes = sum(_in_tokens(network, problem.stages[name]) for name, network in trained.items())
    return max(1.0, read / CHARACTERS_PER_TOKEN + passes)


def _in_tokens(trained: TrainedNetwork, stage: ShardStage) -> float:
    """Return a training's passes in tokens of MiniLM: six products of a row with the head, eight with each half."""
    width = int(trained.network.a.shape[1])
    per_row = 6 * len(stage.classes) * width + 16 * RANK * width
    return trained.passes * len(stage.rows) * per_row / OPERATIONS_A_TOKEN
