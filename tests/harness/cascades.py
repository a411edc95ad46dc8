"""Cascades from rows, for tests to write them down edge by edge."""

from __future__ import annotations

import numpy as np

from memorepair_graphdb.model.cascade import REQUIRED, Cascade, Descendants, Form, Influences, Outside
from memorepair_graphdb.model.vocabulary import Standing


def cascade_of(event_id, type_, affected, influences, value_mean=None, cost_mean=None):
    """The cascade of these `Affected` and `Influence` rows, in any order."""
    below = [artifact for artifact in affected if not artifact.root]
    roots = [(artifact.key, artifact.id) for artifact in affected if artifact.root]
    place = {artifact.id: number for number, artifact in enumerate(below)}
    forms = list(dict.fromkeys(Form(a.kind, a.arch, a.operator) for a in below))
    outside = list(
        dict.fromkeys(
            Outside(edge.source, edge.source_key, edge.standing)
            for edge in influences
            if edge.standing is not Standing.AFFECTED
        )
    )
    roles = list(dict.fromkeys(edge.role for edge in influences))

    def source(edge):
        if edge.standing is Standing.AFFECTED:
            return place[edge.source]
        return len(below) + outside.index(Outside(edge.source, edge.source_key, edge.standing))

    def column(entries):
        return np.array(list(entries), np.int64)

    return Cascade.arranged(
        event_id,
        type_,
        roots,
        Descendants(
            [a.id for a in below],
            [a.key for a in below],
            column(forms.index(Form(a.kind, a.arch, a.operator)) for a in below),
            tuple(forms),
            [a.value for a in below],
            [a.cost for a in below],
            np.array([a.embedded for a in below], np.bool_),
        ),
        Influences(
            column(place[edge.target] for edge in influences),
            column(map(source, influences)),
            column(roles.index(edge.role) for edge in influences),
            column(REQUIRED.index(edge.required) for edge in influences),
            tuple(roles),
            tuple(outside),
        ),
        value_mean,
        cost_mean,
    )
