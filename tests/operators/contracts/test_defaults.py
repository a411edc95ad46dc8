"""What a call leaves out is a value too: a default that came, went or changed is followed, or the chain is refused."""

from __future__ import annotations

from typing import Any

import pytest

from memorepair_graphdb.operators.builtin.chain.rewriting import rewrite
from memorepair_graphdb.operators.builtin.chain.tool_host import ChainFailed

TEXT: dict[str, Any] = {"type": "string"}
FLAG: dict[str, Any] = {"type": "boolean"}


def contract(properties: dict[str, Any], needed: tuple[str, ...] = (), description: str = "") -> dict[str, Any]:
    schema = {"type": "object", "properties": {"q": TEXT, **properties}, "required": ["q", *needed]}
    return {"name": "get", "description": description, "inputSchema": schema}


def rewritten(call: str, old: dict[str, Any], new: dict[str, Any]) -> str:
    source = f"def chain():\n    return get({call})\n"
    made = rewrite(source, {"get": old}, {"get": new}, {"get": "get"}, {})
    return made.removeprefix("def chain():\n    return get(").removesuffix(")\n")


def test_a_chain_with_an_argument_at_a_default_that_gave_way_to_another_parameter_is_refused() -> None:
    """get_commit of github-mcp-server: `include_diff` (true) gave way to `detail` ("stats"), without the diffs."""
    old = contract({"include_diff": {**FLAG, "default": True}})
    new = contract({"detail": {**TEXT, "enum": ["none", "stats", "full_patch"], "default": "stats"}})
    with pytest.raises(ChainFailed, match="include_diff removed, and the chain gives it"):
        rewritten("q='x', include_diff=True", old, new)
    with pytest.raises(ChainFailed, match="include_diff removed, and the chain relies on its default"):
        rewritten("q='x'", old, new)


def test_an_argument_at_its_old_default_goes_only_where_what_it_asked_for_stays_documented() -> None:
    old = contract({"units": {**TEXT, "default": "metric"}}, description="Weather.")
    with pytest.raises(ChainFailed, match="units removed"):
        rewritten("q='x', units='metric'", old, contract({}, description="Weather."))
    assert rewritten("q='x', units='metric'", old, contract({}, description="Weather in metric units.")) == "q='x'"
    with pytest.raises(ChainFailed, match="units removed"):
        rewritten("q='x', units='metric'", old, contract({}, description="Weather, not in metric units any more."))


def test_an_argument_that_asked_for_nothing_goes_unless_another_decides_that_now() -> None:
    old = contract({"verbose": {**FLAG, "default": False}})
    assert rewritten("q='x', verbose=False", old, contract({})) == "q='x'"
    assert rewritten("q='x'", old, contract({})) == "q='x'"
    for name, schema in (("quiet", FLAG), ("level", {**TEXT, "enum": ["a", "b"]}), ("how_verbose", TEXT)):
        with pytest.raises(ChainFailed, match="verbose removed"):
            rewritten("q='x', verbose=False", old, contract({name: schema}))
    with pytest.raises(ChainFailed, match="verbose removed"):
        rewritten("q='x', verbose=False", old, contract({}, description="It is verbose."))


def test_a_default_that_is_documented_for_the_first_time_is_a_change_for_who_was_silent() -> None:
    """create_repository of github-mcp-server: `private` got `default: true`."""
    old, new = contract({"private": FLAG}), contract({"private": {**FLAG, "default": True}})
    with pytest.raises(ChainFailed, match="private default changed, and nothing says what it was before"):
        rewritten("q='x'", old, new)
    assert rewritten("q='x', private=False", old, new) == "q='x', private=False"
    told = contract({"private": {**FLAG, "description": "Whether it is private (default: true)."}})
    assert rewritten("q='x'", told, new) == "q='x'"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("How many, defaults to 10.", "How many, defaults to 50."),
        ("Which of them. Default: all", "Which of them. Default: open"),
    ],
)
def test_a_default_that_only_the_description_states_may_change_too(old: str, new: str) -> None:
    with pytest.raises(ChainFailed, match="n default changed"):
        rewritten("q='x'", contract({"n": {**TEXT, "description": old}}), contract({"n": {**TEXT, "description": new}}))


def test_a_new_parameter_with_a_default_of_its_own_may_take_something_away() -> None:
    """read_file of desktop-commander: `length` came with 1000 lines, where the whole file was read."""
    with pytest.raises(ChainFailed, match="length added with a default of its own"):
        rewritten("q='x'", contract({}), contract({"length": {"type": "integer", "default": 1000}}))
    assert rewritten("q='x'", contract({}), contract({"favicon": {**FLAG, "default": False}})) == "q='x'"


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("confirm", {"const": "yes"}),
        ("acknowledge", {**FLAG, "default": True}),
        ("mode", {**TEXT, "enum": ["delete"]}),
        ("cascade", {**TEXT, "default": "all"}),
        ("scope", {**TEXT, "default": "admin"}),
        ("how", {**TEXT, "default": "all", "description": "Grants access to these."}),
        ("anything", {**FLAG, "const": True}),
    ],
)
def test_a_value_that_confirms_grants_or_deletes_is_never_filled_in(name: str, schema: dict[str, Any]) -> None:
    with pytest.raises(ChainFailed, match=f"{name} added and required, and its value .* is for a caller to decide"):
        rewritten("q='x'", contract({}), contract({name: schema}, (name,)))


def test_a_plain_value_of_a_new_required_parameter_is_filled_in() -> None:
    assert rewritten("q='x'", contract({}), contract({"unit": {**TEXT, "default": "C"}}, ("unit",))) == (
        "q='x', unit='C'"
    )
