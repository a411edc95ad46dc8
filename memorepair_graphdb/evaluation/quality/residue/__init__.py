"""Measures the residue check on ToolBench: leaks planted in regenerated text, and clean text beside them.

What plants a leak, or writes a clean text, shares no code with what looks for it; only `measure` knows the validator.
"""
