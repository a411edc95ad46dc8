"""adapter@1: the stages that saw a row which left are trained anew from before it; all others stay to the bit (param).

The law of the room: rows that left service are known by key and digest only; their text is never asked for.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from .....errors import OperatorError
from .....model.artifact import Arch
from .....model.vocabulary import Mode, SupportNeed
from ....embedding.features import Features, Kept, Matrix
from ....embedding.minilm import best_features
from ....protocol.context import CHARACTERS_PER_TOKEN, INTERFACE, Context
from ....protocol.payload import Payload
from ..safetensors_blob import FORMAT
from ..selector.operator import OPERATIONS_A_TOKEN, TIMEOUT
from ..selector.rows import ROLE, tokens_to_read
from .checks import AdapterChecks
from .network import BOUND, RANK, AdapterNetwork, Trained, fresh
from .problem import AdapterProblem, AdapterRecipe, layout_of, loss_of, problem_of
from .shards import ShardStage, place_of
from .weights import MODEL, AdapterBasis, AdapterSkill, to_blob, to_manifest

if TYPE_CHECKING:
    from ....protocol.registry import Registry

log = logging.getLogger(__name__)

NAME = "adapter@1"


class Adapter:
    """The operator on one kind of features."""

    def __init__(self, features: Features) -> None:
        self.features = features

    def estimate(self, context: Context) -> float:
        """Tokens: the rows of the shards that a row left or changed in; all rows where nothing is trained yet.

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
        task = problem_of(context, self.features)
        skill, trained = self.train(task)
        log.info("%s: %d of %d stages trained", context.key, len(trained), len(task.stages))
        blob = to_blob(skill)
        return Payload(to_manifest(skill, blob), blob=blob, spent=_spent(task, trained))

    def train(self, task: AdapterProblem) -> tuple[AdapterSkill, dict[str, Trained]]:
        """The adapter that a task asks for, and of each stage that had to be trained what it took."""
        networks: dict[str, AdapterNetwork] = {}
        trained: dict[str, Trained] = {}
        for stages in task.shards:
            touched = [stage for stage in stages if not task.stays(stage)]
            vectors = self.features.encode([row.text for row in stages[-1].rows]) if touched else np.empty((0, 0))
            for stage in stages:
                if task.old is not None and stage not in touched:
                    networks[stage.name] = task.old.stages[stage.name]
                else:
                    trained[stage.name] = self._trained(task, stages, stage, networks, vectors)
                    networks[stage.name] = trained[stage.name].network
        return AdapterSkill(_basis(task), networks), trained

    def _trained(
        self,
        task: AdapterProblem,
        stages: Sequence[ShardStage],
        stage: ShardStage,
        networks: dict[str, AdapterNetwork],
        vectors: Matrix,
    ) -> Trained:
        """Train a stage, from the end of the one before or a drawn start; raise `OperatorError` if it does not end."""
        place = stages.index(stage)
        if place:
            start = _widened(networks[stages[place - 1].name], stages[place - 1].classes, stage.classes)
        else:
            seed = [task.settings.seed, stage.shard]
            start = fresh(
                self.features.width, len(stage.classes), int(np.random.SeedSequence(seed).generate_state(1)[0])
            )
        done = loss_of(task, stages, stage, vectors).minimised(start)
        if done.residual > BOUND:
            raise OperatorError(f"the training of stage {stage.name} did not end: residual {done.residual:.1e}")
        return done


def register(registry: Registry, features: Features | None = None) -> None:
    """Add `adapter@1` and its checks to a registry; features as in `selector@1`.

    Raises `BadInput` when the registry has one already.
    """
    kept = Kept(features or best_features())
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
    )(adapter.repair)
    for check in judge.checks:
        registry.validator(NAME)(check)


def _basis(task: AdapterProblem) -> AdapterBasis:
    return AdapterBasis(
        settings=task.settings,
        tools=task.classes,
        rows=task.digests,
        stages={name: stage.print for name, stage in task.stages.items()},
        classes={name: list(stage.classes) for name, stage in task.stages.items()},
        bound=task.bound,
    )


def _widened(network: AdapterNetwork, before: Sequence[str], now: Sequence[str]) -> AdapterNetwork:
    """A checkpoint for more classes: a new one starts at 0."""
    head = np.zeros((len(now), network.head.shape[1]))
    head[[now.index(name) for name in before]] = network.head
    return network._replace(head=head)


def _spent(task: AdapterProblem, trained: Mapping[str, Trained]) -> float:
    """Tokens: the rows of the touched shards, read, and the passes over their features in tokens of MiniLM."""
    read = sum(
        len(row.text)
        for stages in task.shards
        if any(stage.name in trained for stage in stages)
        for row in stages[-1].rows
    )
    passed = sum(_in_tokens(done, task.stages[name]) for name, done in trained.items())
    return max(1.0, read / CHARACTERS_PER_TOKEN + passed)


def _in_tokens(done: Trained, stage: ShardStage) -> float:
    """The passes of a training in tokens of MiniLM: six products of a row with the head, eight with each half."""
    width = int(done.network.a.shape[1])
    per_row = 6 * len(stage.classes) * width + 16 * RANK * width
    return done.passes * len(stage.rows) * per_row / OPERATIONS_A_TOKEN
