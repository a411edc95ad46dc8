"""Holds the operators of the demo's agent: the built-in ones, one of its own, and one that is made to be rejected.

The module is what `--app` of a user would be: a registry, and functions from a context to a text.
"""

from __future__ import annotations

from ...operators.protocol.context import Context, LiveSource
from ...operators.protocol.registry import Registry

registry = Registry.default()

SAY = "Say this, and promise no more:"
REMEMBERED = "Customers like Mara Lindqvist of Birch Lane want to be called."
"""a sentence that a model has learned by heart, and says whatever it reads"""


@registry.operator("points@1", mode="regen", support="available", templates=(SAY,))
def points(context: Context) -> str:
    """Turn the sources into points that the agent may make."""
    return "\n".join([SAY, *(f"- {line}" for source in context.supports for line in _text(source).splitlines())])


@registry.operator("retell@1", mode="regen", support="available")
def retell(context: Context) -> str:
    """Retell what customers say, as a model would that still remembers the one who left: made to be rejected."""
    return "\n".join([REMEMBERED, *(_text(source) for source in context.supports)])


def _text(source: LiveSource) -> str:
    """Return a policy's text, or the content as it is."""
    data = source.data
    return str(data["text"]) if isinstance(data, dict) and "text" in data else source.content
