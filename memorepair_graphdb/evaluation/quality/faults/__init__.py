"""Puts faults into true successors, and counts which checks let them pass (paper section 4.5).

Whoever makes a fault shares no code with whoever judges it, and never looks at a verdict.
"""
