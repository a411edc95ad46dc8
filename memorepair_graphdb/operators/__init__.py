"""How successors are built and judged. The law of the room: context in, payload out; no operator sees the graph."""
