"""`--app module:attribute`: the user's operators and embedder, brought into the command line.

The law of the room: the user's code runs only when it is asked for, and what goes wrong in it is told with its name.
"""

from __future__ import annotations

import logging
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import BadInput

if TYPE_CHECKING:
    from ..environment import Embedder
    from ..operators.protocol.registry import Registry

_log = logging.getLogger(__name__)


class Application(NamedTuple):
    """What the user brings."""

    registry: Registry
    embedder: Embedder | None = None


def application(name: str | None) -> Application:
    """The built-in operators, or what `module:attribute` names; raises `BadInput`.

    The attribute is a `Registry`, or anything with an attribute `registry`, `embedder` or both; or a function without
    arguments that returns one. Without an attribute the module itself is asked. Modules are looked for in the current
    directory too.
    """
    from ..operators.protocol.registry import Registry

    if name is None:
        return Application(Registry.default())
    found = _called(name, _imported(name))
    if isinstance(found, Registry):
        return Application(found)
    registry, embedder = getattr(found, "registry", None), getattr(found, "embedder", None)
    if registry is None and embedder is None:
        raise BadInput(
            f"{name} is a {type(found).__name__}: neither a Registry, nor anything that has one or an embedder"
        )
    if registry is not None and not isinstance(registry, Registry):
        raise BadInput(f"registry of {name} is a {type(registry).__name__}, no Registry")
    if embedder is not None and not callable(embedder):
        raise BadInput(f"embedder of {name} cannot be called")
    return Application(registry or Registry.default(), embedder)


def _imported(name: str) -> Any:
    module, _, attribute = name.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found: Any = import_module(module)
    except Exception as error:
        _log.info("importing %s failed", module, exc_info=True)
        raise BadInput(f"cannot import {module!r} of --app {name}: {type(error).__name__}: {error}") from error
    for part in attribute.split(".") if attribute else ():
        try:
            found = getattr(found, part)
        except AttributeError as error:
            raise BadInput(f"--app {name}: {module} has no {attribute}") from error
    return found


def _called(name: str, found: Any) -> Any:
    """What a function returns; anything else as it is."""
    if isinstance(found, type) or not callable(found) or hasattr(found, "registry"):
        return found
    try:
        return found()
    except Exception as error:
        _log.info("calling %s failed", name, exc_info=True)
        raise BadInput(f"--app {name} fails: {type(error).__name__}: {error}") from error
