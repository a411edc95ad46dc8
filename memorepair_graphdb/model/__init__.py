"""Holds the frozen data of the project, and checks input where it enters; without I/O and without the graph."""
