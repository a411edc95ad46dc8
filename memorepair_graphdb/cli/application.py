"""Loads the user's operators and embedder: `--app module:attribute`.

The user's code runs only for a command that needs it, and a message about what fails in it names it.
"""

from __future__ import annotations

import logging
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import BadInput

if TYPE_CHECKING:
    from ..environment import Embedder
    from ..operators.protocol.registry import Registry

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Application:
    """The operators and the embedder that a user brings."""

    registry: Registry
    embedder: Embedder | None = None


def load_application(name: str | None) -> Application:
    """Return the built-in operators, or what `module:attribute` names; raise `BadInput`.

    The attribute is a `Registry`, or anything with an attribute `registry`, `embedder` or both; or a function without
    arguments that returns one. Without an attribute the module itself is asked. Modules are looked for in the current
    directory too.
    """
    from ..operators.protocol.registry import Registry

    if name is None:
        return Application(Registry.default())
    value = _call(name, _import(name))
    if isinstance(value, Registry):
        return Application(value)
    registry, embedder = getattr(value, "registry", None), getattr(value, "embedder", None)
    if registry is None and embedder is None:
        raise BadInput(
            f"{name} is a {type(value).__name__}: neither a Registry, nor anything that has one or an embedder"
        )
    if registry is not None and not isinstance(registry, Registry):
        raise BadInput(f"registry of {name} is a {type(registry).__name__}, no Registry")
    if embedder is not None and not callable(embedder):
        raise BadInput(f"embedder of {name} cannot be called")
    return Application(registry or Registry.default(), embedder)


def _import(name: str) -> Any:
    module, _, attribute = name.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        value: Any = import_module(module)
    except Exception as error:
        _log.info("importing %s failed", module, exc_info=True)
        raise BadInput(f"cannot import {module!r} of --app {name}: {type(error).__name__}: {error}") from error
    for part in attribute.split(".") if attribute else ():
        try:
            value = getattr(value, part)
        except AttributeError as error:
            raise BadInput(f"--app {name}: {module} has no {attribute}") from error
    return value


def _call(name: str, value: Any) -> Any:
    """Return what a function returns; anything else as it is."""
    if isinstance(value, type) or not callable(value) or hasattr(value, "registry"):
        return value
    try:
        return value()
    except Exception as error:
        _log.info("calling %s failed", name, exc_info=True)
        raise BadInput(f"--app {name} fails: {type(error).__name__}: {error}") from error
