"""Finds the artifacts whose recipe, or the role of a source, quotes what an event retracts.

Only what is certain is decided here, the same before and behind the barrier: single words that may be common in the
space, texts that earlier events retracted, and answers that a tool has yet to give are left to the execution.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...model.cascade import Rows
from ...model.content import canonical_json
from ...operators.checks.residue import ResidueJudge, always_common, clear_context
from ...operators.protocol.context import Context, Interfaces, LiveSource
from ...store import operator_inputs
from .modes import barred, mode_of
from .refusals import replacements_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...model.cascade import Influence
    from ...operators.protocol.operator import Operator
    from ...operators.protocol.registry import Registry
    from ...store.cascades import Held
    from ...store.transactions import Tx
    from .modes import Eligibility
    from .sizes import SizeReader


def read_quotations(
    tx: Tx, space: str, held: Held, operators: Registry, contracts: Interfaces, sizes: SizeReader
) -> dict[str, Eligibility]:
    """Return id → why its recipe keeps it from being rebuilt; nothing is read where the event retracts no text."""
    if not held.cascade.type.meaning.retracts_texts:
        return {}
    return _Quotations(tx, space, held, contracts, sizes).find(operators)


@dataclass(frozen=True)
class _Quotations:
    """One cascade whose recipes are looked through; it reads more only of those that share something."""

    tx: Tx
    space: str
    held: Held
    contracts: Interfaces
    sizes: SizeReader

    def find(self, operators: Registry) -> dict[str, Eligibility]:
        """Return id → why its recipe keeps it from being rebuilt."""
        anything = ResidueJudge(tuple(dict.fromkeys(self._root_texts.values())), (), (), always_common)
        shares: dict[str, bool] = {}
        quotations = {}
        for index, operator, recipe in self._recipes(operators):
            edges = self._rows.edges(index)
            roles = sorted({edge.role for edge in edges if edge.role})
            text = canonical_json([recipe, roles])
            if text not in shares:
                shares[text] = bool(anything.fault(text))
            if shares[text] and (reason := self._reason(index, operator, recipe, edges)):
                artifact = self._rows.artifact(index)
                quotations[artifact.id] = barred(mode_of(artifact.kind, artifact.arch), reason)
        return quotations

    @cached_property
    def _rows(self) -> Rows:
        return Rows(self.held.cascade)

    @cached_property
    def _root_texts(self) -> dict[str, str]:
        return self._contents([id_ for _, id_ in self.held.cascade.roots])

    def _contents(self, ids: Sequence[str]) -> dict[str, str]:
        read = operator_inputs.previous(self.tx, self.space, ids) if ids else {}
        return {id_: content for id_, (content, _) in read.items() if content}

    def _recipes(self, operators: Registry) -> Iterator[tuple[int, Operator, Any]]:
        """Yield the descendants that an operator of this process may rebuild, with their recipes."""
        all_ = self.held.cascade.descendants
        known = [operators.find(form.operator) for form in all_.forms]
        by_id = {
            all_.ids[index]: (index, operator)
            for index, form in enumerate(all_.form.tolist())
            if (operator := known[form]) is not None and all_.ids[index] not in all_.faults
        }
        for id_, size in self.sizes.read(by_id).items():
            yield *by_id[id_], size.recipe

    def _reason(self, index: int, operator: Operator, recipe: Any, edges: Sequence[Influence]) -> str:
        behind = self._roots_behind(index)
        retracted = tuple(dict.fromkeys(self._root_texts[id_] for id_ in sorted(behind) if id_ in self._root_texts))
        sources = {edge.source for edge in edges}
        texts = self._contents(sorted(sources - behind))
        texts |= {id_: text for id_, text in replacements_of(self.held).items() if id_ in sources}
        artifact = self._rows.artifact(index)
        context = Context(
            artifact.key,
            artifact.kind,
            artifact.arch,
            recipe=recipe,
            interfaces=self.contracts,
            supports=tuple(
                LiveSource(edge.source_key, edge.role, artifact.kind, texts.get(edge.source, "")) for edge in edges
            ),
        )
        return clear_context(operator, context, retracted, always_common).fault

    def _roots_behind(self, index: int) -> set[str]:
        """Return the ids of the roots from which one of the descendants is reached."""
        roots = {id_ for _, id_ in self.held.cascade.roots}
        size = len(self.held.cascade.descendants.ids)
        seen, waiting, behind = {index}, [index], set[str]()
        while waiting:
            position = waiting.pop()
            for edge, source in zip(self._rows.edges(position), self._rows.sources(position), strict=True):
                if edge.source in roots:
                    behind.add(edge.source)
                if source < size and source not in seen:
                    seen.add(source)
                    waiting.append(source)
        return behind
