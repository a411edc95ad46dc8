"""How successors are built and judged. Context in, payload out; no operator sees the graph."""
