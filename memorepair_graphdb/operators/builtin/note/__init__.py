"""Writes prompt skills: notes that tell a model how to use tools.

A note is text; whatever in it is a name or a call is held against the contracts in force.
"""
