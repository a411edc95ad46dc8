"""Changes the ToolBench memory, and repairs it with every built-in operator that runs offline.

What changes is drawn from a seed; what came of it is counted, and audited by code that shares nothing with the
checks.
"""
