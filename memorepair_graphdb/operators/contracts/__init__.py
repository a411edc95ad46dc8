"""Reads tools' contracts for all operators: their schemas, how two of them differ, and values that fit them."""
