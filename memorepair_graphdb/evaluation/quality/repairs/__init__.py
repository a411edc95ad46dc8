"""The ToolBench memory under deletions, corrections and migrations, with every built-in operator that runs offline.

The law of the room: what changes is drawn from a seed; what came of it is counted, and audited by code that shares
nothing with the checks.
"""
