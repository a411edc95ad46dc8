"""The statements of `cypher/`, read once, checked, and handed out as typed `Query` values.

No Cypher text in Python, none built from strings; a wrong name fails at import.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

    from neo4j import ManagedTransaction, Record, Transaction

    AnyTransaction = ManagedTransaction | Transaction

Access = Literal["read", "write", "schema"]

_HEADER = re.compile(r"^// (access|params|returns): *(.*)$")
_FIELD = re.compile(r"(\w+) ([A-Z]+(?:<[A-Z<>]+>)?)")
_PARAMETER = re.compile(r"\$(\w+)")
_NOT_CODE = re.compile(r"//[^\n]*|'(?:\\.|[^'\\])*'|`[^`]*`")


class CypherFileError(ImportError):
    """A file of `cypher/` is missing or contradicts its header."""


@dataclass(frozen=True)
class Query:
    """One statement: `cypher/<name>.cypher`, its header parsed."""

    name: str
    purpose: str
    access: Access
    params: Mapping[str, str]
    returns: Mapping[str, str]
    text: str

    def run(self, tx: AnyTransaction, /, **params: Any) -> list[Record]:
        """Return all rows; raises TypeError when the parameters are not exactly the declared ones."""
        if params.keys() != self.params.keys():
            raise TypeError(f"{self.name} takes {sorted(self.params)}, not {sorted(params)}")
        return list(tx.run(cast("Any", self.text), params))

    def one(self, tx: AnyTransaction, /, **params: Any) -> Record:
        """Return the only row of a statement that returns exactly one."""
        rows = self.run(tx, **params)
        if len(rows) != 1:
            raise CypherFileError(f"{self.name} returned {len(rows)} rows; its contract is exactly one")
        return rows[0]

    def first(self, tx: AnyTransaction, /, **params: Any) -> Record | None:
        """Return the first row, or None."""
        rows = self.run(tx, **params)
        return rows[0] if rows else None


@cache
def folder() -> Path:
    """Return where the statements are: inside the installed package, else beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    for place in (package / "cypher", package.parent / "cypher"):
        if place.is_dir():
            return place
    raise CypherFileError("the folder cypher/ is missing: reinstall memorepair-graphdb")


@cache
def library() -> Mapping[str, Query]:
    """Every statement by its name, such as `barrier/withdraw`."""
    root = folder()
    found = {}
    for path in sorted(set(root.rglob("*.cypher")) - set(root.glob("blocks/*"))):  # a block is a part of statements
        name = path.relative_to(root).with_suffix("").as_posix()
        found[name] = parse(name, path.read_text(encoding="utf-8"))
    return MappingProxyType(found)


def query(name: str) -> Query:
    """Return the statement of that name; raises `CypherFileError` (an ImportError) when there is none."""
    try:
        return library()[name]
    except KeyError:
        raise CypherFileError(f"there is no cypher/{name}.cypher") from None


def parse(name: str, text: str) -> Query:
    """Read a file's header and check it against the statement: declared and used parameters agree both ways."""
    lines = text.splitlines()
    header = {match[1]: match[2] for line in lines if (match := _HEADER.match(line))}
    if not lines or not lines[0].startswith("// ") or header.keys() != {"access", "params", "returns"}:
        raise CypherFileError(f"cypher/{name}.cypher lacks a header: purpose, access, params, returns")
    if header["access"] not in ("read", "write", "schema"):
        raise CypherFileError(f"cypher/{name}.cypher: access is read, write or schema, not {header['access']}")
    params = _fields(name, header["params"])
    used = set(_PARAMETER.findall(_NOT_CODE.sub(" ", text)))
    if used != params.keys():
        raise CypherFileError(f"cypher/{name}.cypher declares {sorted(params)} and uses {sorted(used)}")
    returns = _fields(name, header["returns"])
    access = cast("Access", header["access"])
    purpose = " ".join(line[3:] for line in takewhile(lambda line: line.startswith("// "), lines))
    return Query(name, purpose, access, MappingProxyType(params), MappingProxyType(returns), text)


def _fields(name: str, declared: str) -> dict[str, str]:
    """Name → type, in the order of the header; `none` and `nothing` declare no field."""
    if declared in ("", "none", "nothing"):
        return {}
    fields: dict[str, str] = {}
    for field in declared.split(", "):
        match = _FIELD.fullmatch(field)
        if match is None:
            raise CypherFileError(f"cypher/{name}.cypher: cannot read {field!r} in its header; a field is `name TYPE`")
        if match[1] in fields:
            raise CypherFileError(f"cypher/{name}.cypher names {match[1]} twice in its header")
        fields[match[1]] = match[2]
    return fields
