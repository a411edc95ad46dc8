"""What the strategies call good is storable and what they call bad is refused; else the round trips would say nothing.

Needs no server.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorepair_graphdb.errors import BadInput
from memorepair_graphdb.model.artifact import Draft, Source
from memorepair_graphdb.model.wire import new_draft
from tests.harness import strategies as drawn

MANY = settings(max_examples=200, deadline=None, database=None)


def draft(**said: Any) -> Draft:
    return new_draft(**{"key": "k", "kind": "summary", "content": "x", **said})


@MANY
@given(key=drawn.names, content=drawn.contents, metadata=drawn.json_values, value=drawn.figures, role=drawn.names)
def test_what_is_called_good_is_a_draft(key: str, content: Any, metadata: Any, value: Any, role: str) -> None:
    made = draft(key=key, content=content, metadata=metadata, recipe=metadata, value=value, operator=role)
    assert (made.key, made.value, made.operator) == (key, value, role)
    assert Source.of({"key": key, "role": role}).role == role


BAD = {
    "key": drawn.bad_names,
    "content": drawn.bad_contents,
    "metadata": drawn.bad_json,
    "recipe": drawn.bad_json,
    "value": drawn.bad_figures,
    "cost": drawn.bad_figures,
    "operator": drawn.bad_names.filter(lambda name: name is not None),
}


@MANY
@given(spoilt=st.sampled_from(sorted(BAD)).flatmap(lambda field: BAD[field].map(lambda bad: {field: bad})))
def test_what_is_called_bad_is_refused(spoilt: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        draft(**spoilt)
