"""Offers the closure solver under the path that the documentation names."""

from ..solver.closure import enable_fast, frontier, maximum_closure, within_budget

__all__ = ["enable_fast", "frontier", "maximum_closure", "within_budget"]
