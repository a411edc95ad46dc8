"""Measures speed as ratios of paired runs. What needs a server leaves no trace of its space there."""
