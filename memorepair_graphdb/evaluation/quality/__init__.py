"""Measures what comes back, what is refused, and what leaks."""
