"""Texts as vectors, for the operators that compare what texts mean: a selector, a summary.

The law of the room: frozen features, computed on this machine from files that are pinned; nothing is fetched.
"""
