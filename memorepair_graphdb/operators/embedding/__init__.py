"""Turns texts into vectors, for the operators that compare what texts mean: a selector, a summary.

The features are frozen and computed on this machine from pinned files; nothing is fetched.
"""
