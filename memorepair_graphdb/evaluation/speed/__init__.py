"""Measurements as ratios of paired runs, on the server that is connected. Each leaves no trace of its space."""
