"""What stands between a graph of needs and its min-cut: layers, reductions, the frontier over λ, the budget.

The law of the room: exact; whoever needs a min-cut is handed the cutter, so that no module here knows igraph.
"""
