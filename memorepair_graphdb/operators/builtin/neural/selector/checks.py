"""Checks a repaired selector before it serves: its file, its rows, its classes, its gradient, its accuracy.

Each check reads the live rows itself, without use of what the operator says of its work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from .....errors import OperatorError
from ....embedding.features import Features, Matrix
from ....protocol.verdict import Review, Verdict
from .problem import SelectorProblem, problem_of
from .rows import TrainingRow
from .training import Objective
from .weights import SelectorSkill, read_skill

LOSS = 0.01
"""of accuracy on the cited rows, at most"""


class SelectorChecks:
    """Checks of `selector@1`, in the order in which they run; a later one relies on the earlier."""

    def __init__(self, features: Features) -> None:
        self.features = features

    @property
    def checks(self) -> tuple[Callable[[Review, str], Verdict], ...]:
        """The checks, each with a name of its own."""
        return (self.weights, self.rows, self.classes, self.gradient, self.cite)

    def weights(self, review: Review, content: str) -> Verdict:
        """The blob is one of ours, has the pinned hash, and fits the features of this process."""
        try:
            skill = read_skill(content, review.payload.blob)
        except OperatorError as error:
            return Verdict(False, "weights", str(error), "another file", "a selector's safetensors with its manifest")
        if (skill.basis.features, skill.weights.shape[1]) != (self.features.name, self.features.width + 1):
            reason = f"made for {skill.basis.features}, wanted {self.features.name}"
            return Verdict(False, "weights", reason, skill.basis.features, self.features.name)
        return Verdict(True, "weights")

    def rows(self, review: Review, content: str) -> Verdict:
        """It rests on the rows in service and on no others: forgotten ones are out, corrected ones say the new."""
        problem, skill = self._read(review, content)
        wanted, seen = problem.digests, skill.basis.rows
        for id_ in sorted(seen.keys() | wanted.keys()):
            if id_ not in wanted:
                return Verdict(False, "rows", f"rests on {id_}, which is not in service", seen[id_], "nothing of it")
            if seen.get(id_) != wanted[id_]:
                what = "leaves out" if id_ not in seen else "rests on an older version of"
                saw = seen.get(id_, "nothing of it")
                return Verdict(False, "rows", f"{what} {id_}, which is in service", saw, wanted[id_])
        return Verdict(True, "rows")

    def classes(self, review: Review, content: str) -> Verdict:
        """It offers what its rows name and is in force: what is no class can never be predicted."""
        problem, skill = self._read(review, content)
        wanted, seen = problem.classes, skill.basis.tools
        for tool in sorted(seen.keys() | wanted.keys()):
            if seen.get(tool) != wanted.get(tool):
                reason = f"offers {tool} as {seen.get(tool)}, wanted {wanted.get(tool)}"
                return Verdict(False, "classes", reason, str(seen.get(tool)), str(wanted.get(tool)))
        agreed = skill.basis.bound is problem.bound
        if agreed:
            return Verdict(True, "classes")
        reason = f"bound to contracts: {skill.basis.bound}"
        return Verdict(False, "classes", reason, str(skill.basis.bound), str(problem.bound))

    def gradient(self, review: Review, content: str) -> Verdict:
        """The gradient of the retained objective all but vanishes, so the weights are those of a retraining."""
        problem, skill = self._read(review, content)
        if skill.basis.l2 != problem.l2:
            reason = f"says l2 {skill.basis.l2:g}, wanted {problem.l2:g}"
            return Verdict(False, "gradient", reason, f"{skill.basis.l2:g}", f"{problem.l2:g}")
        objective = Objective.of(problem.rows, problem.classes, self.features, problem.l2)
        residual, most = objective.residual(skill.weights), objective.exact_enough
        if residual <= most:
            return Verdict(True, "gradient")
        reason = "the weights are not those of training on the rows in service"
        return Verdict(False, "gradient", reason, f"residual {residual:.2e}", f"at most {most:.2e}")

    def cite(self, review: Review, content: str) -> Verdict:
        """On the rows that stayed as they were it is right as often as before, but for `LOSS`."""
        problem, skill = self._read(review, content)
        if problem.old is None or not problem.cite:
            return Verdict.not_applicable("cite", "no skill before it, or no row that stayed as it was")
        vectors = self._cited_vectors(problem)
        return as_often_right(accuracy(problem.old, vectors, problem.cite), accuracy(skill, vectors, problem.cite))

    def _read(self, review: Review, content: str) -> tuple[SelectorProblem, SelectorSkill]:
        return problem_of(review.context, self.features), read_skill(content, review.payload.blob)

    def _cited_vectors(self, problem: SelectorProblem) -> Matrix:
        """Return the vectors of the cited rows, from those of all rows, which the check of the gradient has encoded."""
        cited = {row.id for row in problem.cite}
        vectors = self.features.encode([row.text for row in problem.rows])
        return np.asarray(vectors[[row.id in cited for row in problem.rows]])


def as_often_right(before: float, now: float) -> Verdict:
    """Return the verdict on two accuracies on the rows that stayed: at most `LOSS` may be lost."""
    if now >= before - LOSS:
        return Verdict(True, "cite")
    reason = f"accuracy {now:.3f} on cited rows, was {before:.3f}"
    return Verdict(False, "cite", reason, f"{now:.3f}", f"at least {before - LOSS:.3f}")


def accuracy(skill: SelectorSkill, vectors: Matrix, rows: Sequence[TrainingRow]) -> float:
    """Return the share of rows, each with its vector, for which the skill picks the class of one of their tools."""
    tools = skill.basis.tools
    right = [
        pick in {tools[tool] for tool in row.tools if tool in tools}
        for pick, row in zip(skill.choose(vectors), rows, strict=True)
    ]
    return float(np.mean(right))
