"""Checks a repaired adapter before it serves: file, rows, classes, untouched shards, gradients, accuracy.

Each check reads the live rows itself, without use of what the operator says of its work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from .....errors import OperatorError
from ....embedding.features import Features, Matrix
from ....protocol.verdict import Review, Verdict
from ..selector.checks import as_often_right
from ..selector.rows import TrainingRow
from .network import BOUND, flatten
from .problem import AdapterProblem, loss_of, problem_of
from .shards import classes_of_row
from .weights import AdapterSkill, read_skill


class AdapterChecks:
    """Checks of `adapter@1`, in the order in which they run; a later one relies on the earlier."""

    def __init__(self, features: Features) -> None:
        self.features = features

    @property
    def checks(self) -> tuple[Callable[[Review, str], Verdict], ...]:
        """The checks, each with a name of its own."""
        return (self.weights, self.rows, self.classes, self.untouched, self.gradient, self.cite)

    def weights(self, review: Review, content: str) -> Verdict:
        """The blob is one of ours, has the pinned hash, and goes by the settings that were asked for."""
        try:
            skill = read_skill(content, review.payload.blob)
        except OperatorError as error:
            return Verdict(False, "weights", str(error), "another file", "an adapter's safetensors with its manifest")
        wanted, width = problem_of(review.context, self.features).settings, self.features.width
        if skill.basis.settings != wanted or any(network.a.shape[1] != width for network in skill.stages.values()):
            return Verdict(False, "weights", "made with other settings", str(skill.basis.settings), str(wanted))
        return Verdict(True, "weights")

    def rows(self, review: Review, content: str) -> Verdict:
        """It rests on the rows in service and on no others: forgotten ones are out, corrected ones say the new."""
        problem, skill = self._read(review, content)
        wanted, seen = problem.digests, skill.basis.rows
        different = next((id_ for id_ in sorted(seen.keys() | wanted.keys()) if seen.get(id_) != wanted.get(id_)), None)
        if different is None:
            return Verdict(True, "rows")
        reason = f"rests on {different}, which is not in service"
        if different in wanted:
            reason = f"does not rest on {different} as it is"
        return Verdict(
            False, "rows", reason, f"{different}: {seen.get(different)}", f"{different}: {wanted.get(different)}"
        )

    def classes(self, review: Review, content: str) -> Verdict:
        """It offers what its rows name and is in force, in each shard too: no head knows a class that is gone."""
        problem, skill = self._read(review, content)
        basis = skill.basis.tools, skill.basis.bound, set(skill.basis.stages)
        if basis != (problem.classes, problem.bound, set(problem.stages)):
            difference = sorted({*skill.basis.tools.items()} ^ {*problem.classes.items()})
            saw, wanted = ", ".join(sorted(skill.basis.tools)), ", ".join(sorted(problem.classes))
            return Verdict(False, "classes", f"offers other tools than are in force: {difference[:3]}", saw, wanted)
        for name, stage in problem.stages.items():
            if tuple(skill.basis.classes[name]) != stage.classes:
                saw, wanted = ", ".join(skill.basis.classes[name]), ", ".join(stage.classes)
                return Verdict(False, "classes", f"stage {name} knows other classes than its rows", saw, wanted)
        return Verdict(True, "classes")

    def untouched(self, review: Review, content: str) -> Verdict:
        """A stage that was trained on no row that changed has its old weights, to the bit."""
        problem, skill = self._read(review, content)
        if not problem.stages:
            return Verdict.not_applicable("untouched", "it has no stage")
        for name, stage in problem.stages.items():
            if skill.basis.stages[name] != stage.fingerprint:
                saw, wanted = skill.basis.stages[name], stage.fingerprint
                return Verdict(False, "untouched", f"stage {name} was trained on other rows", saw, wanted)
            if problem.old is not None and problem.stays(stage):
                moved = float(np.abs(flatten(skill.stages[name]) - flatten(problem.old.stages[name])).max())
                if moved:
                    reason = f"no row of stage {name} changed, and its weights did"
                    return Verdict(False, "untouched", reason, f"moved by {moved:.1e}", "the same weights")
        return Verdict(True, "untouched")

    def gradient(self, review: Review, content: str) -> Verdict:
        """In each stage that was trained the gradient of the objective on its rows all but vanishes."""
        problem, skill = self._read(review, content)
        residuals = 0
        for stages in problem.shards:
            trained = [stage for stage in stages if not problem.stays(stage)]
            residuals += len(trained)
            vectors = self.features.encode([row.text for row in stages[-1].rows]) if trained else np.empty((0, 0))
            for stage in trained:
                residual = loss_of(problem, stages, stage, vectors).residual(skill.stages[stage.name])
                if residual > BOUND:
                    reason = f"the training of stage {stage.name} did not end"
                    return Verdict(False, "gradient", reason, f"residual {residual:.1e}", f"at most {BOUND:.1e}")
        return Verdict(True, "gradient") if residuals else Verdict.not_applicable("gradient", "no stage was trained")

    def cite(self, review: Review, content: str) -> Verdict:
        """On the rows that stayed as they were it is right as often as before, but for a hundredth."""
        problem, skill = self._read(review, content)
        if problem.old is None or not problem.cite:
            return Verdict.not_applicable("cite", "no skill before it, or no row that stayed as it was")
        vectors = self.features.encode([row.text for row in problem.cite])
        return as_often_right(accuracy(problem.old, vectors, problem.cite), accuracy(skill, vectors, problem.cite))

    def _read(self, review: Review, content: str) -> tuple[AdapterProblem, AdapterSkill]:
        return problem_of(review.context, self.features), read_skill(content, review.payload.blob)


def accuracy(skill: AdapterSkill, vectors: Matrix, rows: Sequence[TrainingRow]) -> float:
    """Return the share of rows, each with its vector, for which the skill picks the class of one of their tools."""
    tools = skill.basis.tools
    right = [
        pick in classes_of_row(row._replace(tools=tuple(tool for tool in row.tools if tool in tools)), tools)
        for pick, row in zip(skill.choose(vectors), rows, strict=True)
    ]
    return float(np.mean(right))
