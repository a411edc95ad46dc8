"""Carries a plan out: builds successors, validates them, and publishes those that pass."""
