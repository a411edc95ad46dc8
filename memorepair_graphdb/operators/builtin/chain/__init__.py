"""Chain skills: Python that calls tools, run in a sandbox only and rewritten when a contract changes.

The law of the room: a chain's source is data to us; nothing here executes it outside the sandbox.
"""
