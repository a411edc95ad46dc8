"""Solves the selection: maximum closures by min-cut, the frontier over λ, and selections within a budget.

A closure is prepared by `topology` (cycles contracted, nodes in levels), reduced by `bounds` and `contraction`, and
cut. Only `closure` imports igraph; the other modules take the cutter as a parameter.
"""
