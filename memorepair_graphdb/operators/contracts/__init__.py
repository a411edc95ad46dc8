"""A tool's contract, for every operator: its schemas, how two of them differ, and values that fit it."""
