"""Faults put into true successors, and which checks let them pass (paper section 4.5).

The law of the room: whoever makes a fault shares no code with whoever judges it, and never looks at a verdict.
"""
