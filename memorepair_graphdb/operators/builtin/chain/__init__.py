"""Rewrites chain skills, Python that calls tools, when a contract changes, and runs them in a sandbox to check them.

A chain's source is untrusted data: nothing here executes it outside the sandbox.
"""
