"""Finds the recipes and metadata of a cascade that are no JSON, which no statement can tell."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...model.cascade import Cascade
    from .sizes import SizeReader


def with_broken_json(cascade: Cascade, sizes: SizeReader) -> Cascade:
    """Return the cascade with these faults beside those that it was read with; of one artifact the first counts."""
    all_ = cascade.descendants
    named = [form.operator is not None for form in all_.forms]
    ids = [id_ for id_, form in zip(all_.ids, all_.form.tolist(), strict=True) if named[form]]
    faults = {id_: fault for id_, size in sizes.read(ids).items() if (fault := size.fault)}
    return replace(cascade, descendants=replace(all_, faults={**faults, **all_.faults})) if faults else cascade
