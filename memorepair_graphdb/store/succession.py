"""Finds the contracts in force that took the place of retired ones (`x-replaces`), for planning and for operators.

A retired contract with such a successor stands as replaced: what rests on it is rewritten, not removed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..model.successors import replaced_by, successors
from .mapping import parse_json
from .queries import query

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from neo4j import Record

    from .operator_inputs import Material
    from .transactions import Tx

_REPLACING = query("repair/replacing_contracts")
_OF_TOOLS = query("repair/contracts_of_tools")
_TOOLS = query("repair/tools_of_ids")


def succeeded(tx: Tx, space: str, row: Record, delta: Mapping[str, str | None] | None = None) -> frozenset[str]:
    """Return the ids of the sources in a row of cascade/of_event or cascade/of_roots that are succeeded contracts.

    `delta` is for an event that is not stored yet: id of a root → its new contract, None for a retired one.
    """
    replacing = _replacing(tx, space, delta or {})
    former = sorted(set().union(*map(replaced_by, replacing.values())))
    inside = set(row["nodes"])
    nodes = [node for node in dict.fromkeys(row["sources"]) if node not in inside]
    if not former or not nodes:
        return frozenset()
    contracts = _OF_TOOLS.one(tx, nodes=nodes, tools=former)
    of_tool = successors(former, replacing)
    return frozenset(id_ for id_, tool in zip(contracts["ids"], contracts["tools"], strict=True) if tool in of_tool)


def with_successors(tx: Tx, space: str, materials: dict[str, Material]) -> dict[str, Material]:
    """Return the same materials, with the contract in force wherever a retired one is succeeded."""
    lost = sorted({supply.planned for one in materials.values() for supply in one.supplies if not supply.stands})
    if not lost:
        return materials
    row = _TOOLS.one(tx, ids=lost)
    tools = dict(zip(row["ids"], row["tools"], strict=True))
    in_force = _REPLACING.one(tx, space=space)
    ids = dict(zip(in_force["tools"], in_force["ids"], strict=True))
    of_tool = successors(tools.values(), _parse(in_force))
    stands = {id_: ids[of_tool[tool]] for id_, tool in tools.items() if tool in of_tool}
    return {
        id_: one._replace(
            supplies=tuple(
                supply if supply.stands else supply._replace(stands=stands.get(supply.planned, ""))
                for supply in one.supplies
            )
        )
        for id_, one in materials.items()
    }


def _replacing(tx: Tx, space: str, delta: Mapping[str, str | None]) -> dict[str, Any]:
    """Return tool → contract, of those in force behind the event that replace others."""
    row = _REPLACING.one(tx, space=space)
    kept = {
        tool: contract
        for id_, (tool, contract) in zip(row["ids"], _parse(row).items(), strict=True)
        if id_ not in delta
    }
    fresh = (parse_json(text) for text in delta.values() if text is not None)
    return kept | {str(contract["name"]): contract for contract in fresh}


def _parse(row: Record) -> dict[str, Any]:
    contents: Iterable[str] = row["contents"]
    return dict(zip(row["tools"], map(parse_json, contents), strict=True))
