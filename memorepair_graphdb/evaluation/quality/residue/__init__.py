"""The residue check measured on ToolBench: leaks planted in regenerated text, and clean text beside them.

The law of the room: what plants a leak, or writes a clean text, shares no code with what looks for it; only `measure`
knows the validator.
"""
